"""Fitting a head to labels, and telling whether it is better."""

from __future__ import annotations

import numpy as np
import pytest

from evalcore.errors import InputError
from evalcore.verifier.fit import RAISES_SUPPORT, LabelledAnswer, fit_head
from evalcore.verifier.head import FEATURES, Head, Weights
from evalcore.verifier.shipped import shipped_head
from evalcore.verifier.validate import cross_validate

CLAIM = FEATURES.index("claim")
MEANING = FEATURES.index("meaning")


def _answers(n: int, seed: int, *, telling: int, shift: float = 0.0) -> list[LabelledAnswer]:
    """Answers of three claims of which one feature alone tells the supported from the others."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(n):
        supported = bool(random.random() < 0.7)
        features = np.zeros((3, len(FEATURES)))
        features[:, CLAIM] = random.normal(0, 2, 3)
        features[:, MEANING] = 0.6
        sign = -1 if telling == CLAIM else 0.1
        features[0, telling] = features[0, telling] * 0.3 + shift + (sign if supported else -sign) * 2
        made.append(LabelledAnswer(features=features, supported=supported, document=str(number // 2)))
    return made


def _zero() -> Head:
    none = Weights(bias=0, **dict.fromkeys(FEATURES, 0.0))
    return Head(sentence=none, answer=none, weakest=3)


def test_a_fit_finds_the_feature_that_tells_and_keeps_the_signs() -> None:
    head = fit_head(_answers(200, 1, telling=CLAIM), _zero(), strength=1.0)

    assert head.sentence.claim < -0.1
    assert head.answer.claim > 0.1
    for name, sign in zip(FEATURES, RAISES_SUPPORT, strict=True):
        assert sign * getattr(head.sentence, name) >= 0
        assert sign * getattr(head.answer, name) <= 0


def test_a_stronger_prior_stays_nearer_to_its_start() -> None:
    answers = _answers(60, 2, telling=CLAIM)
    start = shipped_head()
    far, near = (fit_head(answers, start, strength=strength) for strength in (1.0, 10_000.0))

    assert abs(near.answer.claim - start.answer.claim) < abs(far.answer.claim - start.answer.claim)
    assert near.answer.claim == pytest.approx(start.answer.claim, abs=0.02)


def test_a_labelled_claim_counts_for_itself() -> None:
    features = np.zeros((2, len(FEATURES)))
    features[0, CLAIM], features[1, CLAIM] = 3.0, -3.0
    # The weakest by the start is the second; people say it is the first that is wrong.
    start = _zero().model_copy(
        update={"sentence": Weights(bias=0, **{**dict.fromkeys(FEATURES, 0.0), "claim": 0.5})}
    )
    told = [
        LabelledAnswer(features=features, supported=False, document=str(n), claims=((0, False), (1, True)))
        for n in range(30)
    ]
    good = [LabelledAnswer(features=features[1:], supported=True, document=f"g{n}") for n in range(30)]

    head = fit_head([*told, *good], start, strength=1.0)

    assert head.support(features)[0] < 0.5 < head.support(features)[1]


def test_labels_of_one_kind_are_refused() -> None:
    answers = [a for a in _answers(30, 3, telling=CLAIM) if a.supported]

    with pytest.raises(InputError, match="both kinds"):
        fit_head(answers, _zero())


def test_validation_keeps_a_refit_that_is_better_and_not_one_on_noise() -> None:
    better = cross_validate(_answers(240, 4, telling=CLAIM), _zero())
    random = np.random.default_rng(5)
    noise = [
        LabelledAnswer(
            features=answer.features, supported=bool(random.random() < 0.5), document=answer.document
        )
        for answer in _answers(240, 4, telling=CLAIM)
    ]
    none = cross_validate(noise, _zero())

    assert better.is_better
    assert better.gain_low <= better.gain <= better.gain_high
    assert not none.is_better
    assert better.after.shape == (240,)
    assert ((better.after >= 0) & (better.after <= 1)).all()


def test_too_few_documents_are_refused_with_what_to_do() -> None:
    with pytest.raises(InputError, match="label answers from more documents"):
        cross_validate(_answers(10, 6, telling=CLAIM), _zero())


def test_no_fold_learns_from_its_own_documents() -> None:
    # Each document has its own coin; a fit that saw it would know the other answer of the document.
    random = np.random.default_rng(7)
    answers = []
    for number in range(120):
        coin = bool(random.random() < 0.5)
        features = np.zeros((1, len(FEATURES)))
        features[0, MEANING] = random.random()
        answers += [LabelledAnswer(features=features, supported=coin, document=str(number))] * 3

    assert cross_validate(answers, _zero()).gain < 0.02
