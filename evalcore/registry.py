"""Names to makers: a new part is one new file in its folder, found by itself."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from evalcore.errors import ConfigError

T = TypeVar("T")


class Registry(Generic[T]):
    """Named parts of one kind, filled by the modules of one package.

    Parameters
    ----------
    kind : str
        What the parts are, for messages.
    package : str
        Every module of it is imported before the first look-up.
    """

    def __init__(self, kind: str, package: str) -> None:
        self._kind = kind
        self._package = package
        self._parts: dict[str, type[T]] = {}
        self._loaded = False

    def register(self, name: str) -> Callable[[type[T]], type[T]]:
        """Class decorator: enter a part under its name."""

        def enter(part: type[T]) -> type[T]:
            if name in self._parts:
                raise ConfigError(f"two {self._kind}s of one name", got=name)
            self._parts[name] = part
            return part

        return enter

    def get(self, name: str, *, where: str) -> type[T]:
        """The part of that name.

        Raises
        ------
        ConfigError
            For an unknown name; the message lists the known ones.
        """
        self._load()
        if name not in self._parts:
            raise ConfigError(
                f"no such {self._kind}", where=where, got=name, expected=", ".join(sorted(self._parts))
            )
        return self._parts[name]

    def __iter__(self) -> Iterator[str]:
        self._load()
        return iter(sorted(self._parts))

    def _load(self) -> None:
        if self._loaded:
            return
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self._package}.{module.name}")
        self._loaded = True
