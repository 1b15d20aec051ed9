"""Keeps what the model libraries print while they load off the caller's terminal."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_loading() -> Iterator[None]:
    """No progress bar of transformers and no advice of the quantiser inside; as it was afterwards."""
    from transformers.utils import logging as transformers_logging

    bars = transformers_logging.is_progress_bar_enabled()
    root = logging.getLogger()
    level = root.level
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    root.setLevel(logging.ERROR)
    try:
        yield
    finally:
        root.setLevel(level)
        if bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]
