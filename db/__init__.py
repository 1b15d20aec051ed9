"""The store: tables, migrations and one repository per aggregate, on SQLAlchemy.

Open it with :class:`db.engine.Store`; inside ``store.read()`` or ``store.write()`` hand the session to a
class of :mod:`db.repositories`. Nothing outside this room writes SQL.
"""
