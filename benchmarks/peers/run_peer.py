"""Scores answers with one peer, inside the peer's own environment.

``python run_peer.py PEER`` reads JSON lines ``{id, query, contexts, response}`` and writes, for each,
``{id, risk, flagged, milliseconds}`` (risk in [0, 1], higher is worse; flagged by the peer's own default) or
``{id, error}``. It imports nothing but the standard library and the peer.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

Score = Callable[[str, list[str], str], tuple[float, bool]]


def ragsanity() -> Score:
    """ragsanity 0.3.0: ``faithfulness``, the mean share of a sentence's words that the contexts hold.

    It has no threshold for an answer, but calls a sentence grounded or not: one that is not flags the answer
    (better on RAGTruth-QA than faithfulness under the same 0.5). ``overall`` mixes relevancy in and is worse.
    """
    evaluate = importlib.import_module("ragsanity").evaluate

    def score(query: str, contexts: list[str], response: str) -> tuple[float, bool]:
        result: Any = evaluate(question=query, contexts=contexts, answer=response, metrics=["faithfulness"])
        sentences = result.faithfulness_details["sentences"]
        flagged = result.faithfulness < 0.5 or not all(one["grounded"] for one in sentences)
        return 1.0 - float(result.faithfulness), flagged

    return score


def touchstone() -> Score:
    """touchstone-mcp 0.1.11: ``prob_hallucinated`` without a second model, flagged by ``should_flag()``.

    Its documents say that the default threshold of 0.5 flags too little; other data's threshold tells.
    """
    verifier: Any = importlib.import_module("clarethium_touchstone").Verifier()

    def score(query: str, contexts: list[str], response: str) -> tuple[float, bool]:
        result = verifier.score(text=response, source="\n\n".join(contexts))
        return float(result.prob_hallucinated), bool(result.should_flag())

    return score


def ancora() -> Score:
    """ancora-rag 0.1.1: what its gate makes of a draft, with the passages given as the chunks retrieved.

    ``confidence`` is the mean over claims of the idf-weighted share of words that the best chunk holds; the
    action is to answer only where every claim and number is held. Retrieval is no matter here, so its score
    is full. AUROC on RAGTruth-QA: 0.755; with chunks cut by its own ``chunk_documents`` 0.735, and no better
    over six sets. The share of claims not held, which is no number of its own, has 0.796 there, but 0.01 to
    0.15 less than confidence on the five other sets.
    """
    module: Any = importlib.import_module("ancora")
    checker, policy = module.GroundingChecker(), module.Policy()

    def score(query: str, contexts: list[str], response: str) -> tuple[float, bool]:
        chunks = [module.Chunk(f"p{n}", f"p{n}", text, 0, len(text)) for n, text in enumerate(contexts)]
        checks = checker.check_answer(response, chunks)
        action, _, confidence = module.decide(
            policy=policy, best_retrieval_score=1.0, claim_checks=checks, draft=response
        )
        return 1.0 - float(confidence), action is not module.Action.ANSWER

    return score


PEERS = {"ragsanity": ragsanity, "touchstone-mcp": touchstone, "ancora-rag": ancora}


def main() -> None:
    """Score every line of standard input."""
    answer = sys.stdout
    # Whatever a peer prints must not get between the lines.
    sys.stdout = sys.stderr
    score = PEERS[sys.argv[1]]()
    for line in sys.stdin:
        row = json.loads(line)
        started = time.perf_counter()
        try:
            risk, flagged = score(row["query"], row["contexts"], row["response"])
            said: dict[str, object] = {"risk": risk, "flagged": flagged}
        except Exception as error:  # noqa: BLE001 - one answer a peer fails on must not end the others
            said = {"error": f"{type(error).__name__}: {error}"[:300]}
        said |= {"id": row["id"], "milliseconds": (time.perf_counter() - started) * 1000}
        print(json.dumps(said), file=answer)


if __name__ == "__main__":
    main()
