"""The word index anew, with beginnings: a search for a short one had to merge every word with it."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision: str | None = "0008"
branch_labels: str | None = None
depends_on: str | None = None

_CHUNK = 500
_SPACELESS = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])"
)


def upgrade() -> None:
    op.execute("DROP TABLE sample_texts")
    op.execute(
        "CREATE VIRTUAL TABLE sample_texts USING fts5"
        "(query, response, content='', tokenize='unicode61 remove_diacritics 2', prefix='1 2 3')"
    )
    connection = op.get_bind()
    last = 0
    read = sa.text("SELECT id, query, response FROM samples WHERE id > :last ORDER BY id LIMIT :n")
    write = sa.text("INSERT INTO sample_texts (rowid, query, response) VALUES (:id, :query, :response)")
    while rows := connection.execute(read, {"last": last, "n": _CHUNK}).all():
        texts = [
            {
                "id": row[0],
                "query": _SPACELESS.sub(r" \1 ", row[1]),
                "response": _SPACELESS.sub(r" \1 ", row[2]),
            }
            for row in rows
        ]
        connection.execute(write, texts)
        last = rows[-1][0]
