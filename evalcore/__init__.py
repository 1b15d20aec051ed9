"""The evaluation core: an answer in, a decision with its reasons out. No database, no network, no screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalcore.version import VERSION as __version__

if TYPE_CHECKING:
    from evalcore.evaluator import Evaluator as Evaluator
    from evalcore.result import EvalResult as EvalResult
    from evalcore.sample import Sample as Sample

__all__ = ["EvalResult", "Evaluator", "Sample", "__version__"]

_HOMES = {"Evaluator": "evalcore.evaluator", "EvalResult": "evalcore.result", "Sample": "evalcore.sample"}


def __getattr__(name: str) -> Any:
    """Load the public names when they are asked for, so that importing a part of evalcore stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'evalcore' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
