"""Published verifiers: which way they point, what is cut, and that nothing but the pair decides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from evalcore.errors import VerifierError
from evalcore.verifier.base import ClaimPair, Verifier
from evalcore.verifier.published import PublishedVerifier, load_verifier
from tests.evalcore.verifier.published_models import (
    BAD,
    GOOD,
    POSITIONS,
    WORDS,
    pair_classifier,
    random_classifier,
    token_classifier,
    untrained,
)

EVIDENCE = "The oak is tall."
PLAIN_CLAIM = "The oak stands."
GOOD_CLAIM = f"The oak is {GOOD}."
BAD_CLAIM = f"The oak is {BAD}."
LETTUCE_LABELS = ("LABEL_0", "LABEL_1")


def _load(kind: str, folder: Path, **settings: object) -> Verifier:
    settings.setdefault("max_tokens", 32)
    return load_verifier(PublishedVerifier(kind=kind, model=str(folder), **settings))


def _support(verifier: Verifier, claims: Sequence[str], evidence: str = EVIDENCE) -> list[float]:
    return [float(value) for value in verifier.verify([ClaimPair(evidence, claim) for claim in claims])]


def test_a_single_output_rises_with_support(tmp_path: Path) -> None:
    verifier = _load("cross_encoder", pair_classifier(tmp_path, ["LABEL_0"]))

    good, plain, bad = _support(verifier, [GOOD_CLAIM, PLAIN_CLAIM, BAD_CLAIM])

    assert 0 <= bad < 0.1 < plain < 0.9 < good <= 1
    assert plain == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize("kind", ["nli", "cross_encoder"])
@pytest.mark.parametrize(
    ("labels", "supported"),
    [
        (("contradiction", "entailment", "neutral"), 1),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), 0),
        (("not_entailment", "entailment"), 1),
        (("hallucinated", "Consistent"), 1),
        (("SUPPORTED", "REFUTED", "NOT ENOUGH INFO"), 0),
    ],
)
def test_the_supported_output_is_found_by_its_name(
    tmp_path: Path, kind: str, labels: tuple[str, ...], supported: int
) -> None:
    verifier = _load(kind, pair_classifier(tmp_path, labels, supported))

    good, bad = _support(verifier, [GOOD_CLAIM, BAD_CLAIM])

    assert bad < 0.1 < 0.8 < good


@pytest.mark.parametrize("named", [1, "holds", "HOLDS"])
def test_a_profile_may_name_the_output(tmp_path: Path, named: str | int) -> None:
    verifier = _load("nli", pair_classifier(tmp_path, ["fails", "Holds"], 1), supported_label=named)

    good, bad = _support(verifier, [GOOD_CLAIM, BAD_CLAIM])

    assert bad < 0.1 < 0.8 < good


@pytest.mark.parametrize(
    ("labels", "unsupported", "settings"),
    [
        (LETTUCE_LABELS, 1, {}),
        (("HALLUCINATED", "SUPPORTED"), 0, {}),
        (("ok", "wrong"), 1, {"unsupported_label": "Wrong"}),
        (("wrong", "ok"), 0, {"unsupported_label": 0}),
        (("keep", "hallucination", "other"), 1, {}),
    ],
)
def test_the_worst_token_of_the_claim_decides(
    tmp_path: Path, labels: tuple[str, ...], unsupported: int, settings: dict[str, object]
) -> None:
    verifier = _load("token_classifier", token_classifier(tmp_path, labels, unsupported), **settings)

    plain, bad, longer = _support(verifier, [PLAIN_CLAIM, BAD_CLAIM, f"{PLAIN_CLAIM} {BAD_CLAIM}"])

    assert plain > 0.95
    assert bad < 0.05
    assert longer == pytest.approx(bad, abs=1e-6)


def test_the_words_of_the_evidence_are_not_held_against_the_claim(tmp_path: Path) -> None:
    verifier = _load("token_classifier", token_classifier(tmp_path, LETTUCE_LABELS))

    assert _support(verifier, [PLAIN_CLAIM], evidence=f"{BAD} {BAD} {BAD}") == pytest.approx(
        _support(verifier, [PLAIN_CLAIM]), abs=1e-6
    )


def test_what_is_too_long_is_cut_from_the_end_of_the_evidence(tmp_path: Path) -> None:
    verifier = _load("cross_encoder", pair_classifier(tmp_path, ["LABEL_0"]), max_tokens=20)
    filler = "the oak is tall and old " * 30

    first, last, claimed = (
        _support(verifier, [claim], evidence=evidence)[0]
        for evidence, claim in (
            (f"{GOOD} {filler}", PLAIN_CLAIM), (f"{filler} {GOOD}", PLAIN_CLAIM), (filler, GOOD_CLAIM)
        )
    )  # fmt: skip
    (unmarked,) = _support(verifier, [PLAIN_CLAIM], evidence=filler)

    assert last == unmarked
    assert first > unmarked + 0.2
    assert claimed > unmarked + 0.2


def test_no_word_of_a_claim_is_left_unread_however_long_it_is(tmp_path: Path) -> None:
    pairs, tokens = tmp_path / "pairs", tmp_path / "tokens"
    claim = "the oak is tall and old " * 20
    for verifier in (
        _load("cross_encoder", pair_classifier(pairs, ["LABEL_0"])),
        _load("token_classifier", token_classifier(tokens, LETTUCE_LABELS)),
    ):
        plain, *marked = _support(
            verifier, [claim, f"{BAD} {claim}", f"{claim} {BAD}", f"{claim} {BAD} {claim}"]
        )
        assert max(marked) < plain - 0.2


def test_a_prompt_stays_whole_around_evidence_that_is_cut(tmp_path: Path) -> None:
    folder = pair_classifier(tmp_path, ["LABEL_0"])
    filler = "the oak is tall and old " * 30
    prompt = f"the old yard {{evidence}} . {GOOD}"

    plain, prompted = (
        _support(verifier, [PLAIN_CLAIM], evidence=filler)[0]
        for verifier in (_load("cross_encoder", folder), _load("cross_encoder", folder, prompt=prompt))
    )
    short = _load("cross_encoder", folder, prompt=f"{{evidence}} {GOOD}")

    assert prompted > plain + 0.2
    # Braces of the evidence are text.
    assert _support(short, [PLAIN_CLAIM], evidence="{evidence} {0}")[0] > 0.5


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    return _load("nli", random_classifier(tmp_path_factory.mktemp("noisy"), ["no", "entailment", "neutral"]))


def _pairs(count: int) -> list[ClaimPair]:
    chance = random.Random(5)
    words = [word for word in WORDS if not word.startswith("#")]
    return [
        ClaimPair(
            " ".join(chance.choices(words, k=chance.randint(0, 40))),
            " ".join(chance.choices(words, k=chance.randint(1, 20))),
        )
        for _ in range(count)
    ]


def test_a_pair_says_the_same_alone_and_in_any_company(noisy: Verifier) -> None:
    pairs = _pairs(60)
    together = noisy.verify(pairs)

    assert np.ptp(together) > 0.05
    assert noisy.verify(pairs[::-1])[::-1] == pytest.approx(together, abs=1e-6)
    assert [noisy.verify([pair])[0] for pair in pairs] == pytest.approx(together, abs=1e-6)
    assert noisy.verify([pairs[0], pairs[1], pairs[0]]) == pytest.approx(together[[0, 1, 0]], abs=1e-6)
    assert (noisy.verify(pairs) == together).all()


@pytest.mark.parametrize(
    ("family", "kind", "longest"),
    [("roberta", "nli", POSITIONS), ("deberta", "nli", None), ("modernbert", "token_classifier", None)],
)
def test_the_families_of_the_published_models_run_to_their_longest_input(
    tmp_path: Path, family: str, kind: str, longest: int | None
) -> None:
    folder = untrained(tmp_path, family)
    verifier = _load(kind, folder, max_tokens=POSITIONS)
    pairs = [*_pairs(12), ClaimPair("the oak is tall " * 100, "the old oak " * 100)]
    together = verifier.verify(pairs)

    assert [verifier.verify([pair])[0] for pair in pairs] == pytest.approx(together, abs=1e-6)
    assert ((together > 0) & (together < 1)).all()
    if longest:
        with pytest.raises(VerifierError, match=f"at most {longest}"):
            _load(kind, folder, max_tokens=longest + 1)
    else:
        assert np.isfinite(_load(kind, folder, max_tokens=3 * POSITIONS).verify(pairs)).all()


def test_threads_get_what_one_thread_gets(noisy: Verifier) -> None:
    pairs = _pairs(24)
    expected = noisy.verify(pairs)

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(noisy.verify, [pairs] * 12))

    assert all((row == expected).all() for row in found)


def test_no_pairs_blank_evidence_and_claims_that_cannot_be_read(noisy: Verifier) -> None:
    unreadable = noisy.verify(
        [ClaimPair(EVIDENCE, ""), ClaimPair(EVIDENCE, " \n\t"), ClaimPair("", "\u200b")]
    )
    blank = noisy.verify(
        [ClaimPair("", PLAIN_CLAIM), ClaimPair("  ", PLAIN_CLAIM), ClaimPair("\x00", "水泵🔧")]
    )

    assert noisy.verify([]).shape == (0,)
    assert noisy.verify([]).dtype == np.float64
    assert (unreadable == 0).all()
    assert blank[0] == blank[1]
    assert ((blank > 0) & (blank < 1)).all()


def test_its_name_is_the_profiles_and_its_hash_follows_weights_and_vocabulary(tmp_path: Path) -> None:
    first, second, third = tmp_path / "first", tmp_path / "second", tmp_path / "third"
    for folder, seed in ((first, 1), (second, 2), (third, 1)):
        random_classifier(folder, ["no", "entailment"], seed)
    hashes = [_load("nli", folder).info.weights_hash for folder in (first, second, third)]
    config = third / "tokenizer_config.json"
    config.write_text(config.read_text().replace("{", '{"note": "another",', 1))

    assert _load("nli", first).info.name == str(first)
    assert hashes[0] == hashes[2] != hashes[1]
    assert len(hashes[0]) == 64
    assert _load("nli", third).info.weights_hash not in hashes


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "judge"},
        {"kind": "nli", "weights": "x"},
        {"kind": "nli", "model": ""},
        {"kind": "nli", "max_tokens": 4},
        {"kind": "nli", "supported_label": True},
        {"kind": "nli", "unsupported_label": 1},
        {"kind": "token_classifier", "supported_label": 1},
        {"kind": "nli", "prompt": "no place"},
        {"kind": "nli", "prompt": "{evidence} {evidence}"},
    ],
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PublishedVerifier.model_validate({"model": "some/model", **settings})
