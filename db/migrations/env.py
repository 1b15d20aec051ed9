"""Run by Alembic: migrates over the connection that :mod:`db.schema` hands in, inside its transaction."""

from __future__ import annotations

from alembic import context

from db.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite cannot alter most things in place: tables are rebuilt and copied.
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
