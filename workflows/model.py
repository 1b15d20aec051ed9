"""The embedding model of a profile, made ready before the first answer."""

from __future__ import annotations

from evalcore.config import load_profile
from evalcore.encoder import prepare_encoder


def prepare_model(profile: str) -> str:
    """Make what the first evaluation would otherwise wait for; returns a line that says what is ready.

    Raises
    ------
    ConfigError, EncoderError
        When the profile is wrong or its model cannot be had.
    """
    return prepare_encoder(load_profile(profile).config.encoder)
