"""What every table is made of: the base, times in UTC, and the checks that many columns share."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import CheckConstraint, Dialect, MetaData, String, TypeDecorator
from sqlalchemy.orm import DeclarativeBase

from evalcore.errors import StoreError


def utc_text(moment: datetime) -> str:
    """The stored form of a time: UTC, ``YYYY-MM-DD HH:MM:SS.ffffff``, so that text order is time order.

    Raises
    ------
    StoreError
        For a time without a zone: nobody could say later when it was.

    Examples
    --------
    >>> from datetime import timedelta, timezone
    >>> utc_text(datetime(2025, 3, 30, 1, 30, tzinfo=timezone(timedelta(hours=1))))
    '2025-03-30 00:30:00.000000'
    """
    if moment.utcoffset() is None:
        raise StoreError(
            "a time without a time zone",
            got=moment.isoformat(),
            cure="pass an aware datetime, such as datetime.now(UTC)",
        )
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")


class UtcDateTime(TypeDecorator[datetime]):
    """Aware datetimes in, UTC text in the table, aware UTC datetimes out."""

    impl = String(26)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        return None if value is None else utc_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value).replace(tzinfo=UTC)


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def one_of(column: str, values: tuple[str, ...]) -> CheckConstraint:
    allowed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({allowed})", name=column)


def unit(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} BETWEEN 0 AND 1", name=f"{column}_in_unit_interval")
