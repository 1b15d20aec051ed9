"""Errors that say what happened, where, what was found, what was expected and the cure."""

from __future__ import annotations


class ProofdeskError(Exception):
    """Root of every error Proofdesk raises on purpose.

    Parameters
    ----------
    what : str
        One plain sentence about what is wrong.
    where : str, optional
        File and line, field, table or rule, as the reader would look for it.
    got, expected : str, optional
        What was found there and what would have been right.
    cure : str, optional
        What to do about it.

    Examples
    --------
    >>> str(ConfigError("unknown score", where="p.yaml: rule weak", got="atribution", cure="use attribution"))
    'unknown score (p.yaml: rule weak); got: atribution; cure: use attribution'
    """

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        got: str | None = None,
        expected: str | None = None,
        cure: str | None = None,
    ) -> None:
        self.what = what
        self.where = where
        self.got = got
        self.expected = expected
        self.cure = cure
        super().__init__(what)

    def __str__(self) -> str:
        text = f"{self.what} ({self.where})" if self.where else self.what
        for name, value in (("got", self.got), ("expected", self.expected), ("cure", self.cure)):
            if value:
                text += f"; {name}: {value}"
        return text


class InputError(ProofdeskError):
    """A sample, a file or a row of a file cannot be used as it is."""


class ConfigError(ProofdeskError):
    """A profile, lexicon or setting is wrong: found when it is loaded, never at the first answer."""


class EncoderError(ProofdeskError):
    """The embedding model cannot be loaded or cannot encode."""


class VerifierError(ProofdeskError):
    """A verifier cannot be loaded or gives no usable figures."""


class StoreError(ProofdeskError):
    """The database cannot be opened, read or written as asked."""


class RoleError(StoreError):
    """Only a lead may do this."""


class TakenError(StoreError):
    """Other reviewers have this item, or have given it all the labels it needs."""
