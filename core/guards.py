"""Guards: rules the database itself enforces by triggers, alike on SQLite and PostgreSQL, declared once.

Apps declare theirs in `guards.py`. They are dropped before migrations and installed after them, because SQLite cannot
rebuild a table that a trigger names.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from django.db import connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

Event = Literal["INSERT", "UPDATE", "DELETE", "TRUNCATE", "REPLACE"]
INSERT: Event = "INSERT"
UPDATE: Event = "UPDATE"
DELETE: Event = "DELETE"
# Other ways to delete, one per database: each follows from DELETE.
TRUNCATE: Event = "TRUNCATE"
REPLACE: Event = "REPLACE"  # SQLite's INSERT OR REPLACE deletes what is in its way without asking DELETE's triggers
ALSO_DELETES: dict[str, Event] = {"postgresql": TRUNCATE, "sqlite": REPLACE}
ALWAYS = "1 = 1"
PREFIX = "guard_"


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuse these events on a table while `when` holds. `{row}` in it stands for the row as it is (or comes in).

    `entering` refuses an update also when `when` would hold after it: a row cannot be moved into what is frozen.
    """

    model: type[models.Model]
    on: tuple[Event, ...]
    when: str
    says: str
    entering: bool = False

    def condition(self, event: Event) -> str:
        """The condition for one event.

        A table cannot be emptied while one of its rows could not be deleted, nor can such a row be replaced.
        """
        if event in (TRUNCATE, REPLACE):
            table, same = self.model._meta.db_table, "guarded.id = NEW.id AND " if event == REPLACE else ""
            return f'EXISTS (SELECT 1 FROM "{table}" guarded WHERE {same}{self.when.format(row="guarded")})'  # noqa: S608
        old, new = f"({self.when.format(row='OLD')})", f"({self.when.format(row='NEW')})"
        return {"INSERT": new, "DELETE": old, "UPDATE": f"({old} OR {new})" if self.entering else old}[event]

    def name(self, event: Event) -> str:
        """Changes with the rule, so that the check over installed guards sees an outdated one."""
        rule = hashlib.sha256(f"{self.condition(event)}{self.says}".encode()).hexdigest()[:8]
        return f"{PREFIX}{self.model._meta.db_table}_{event.lower()}_{rule}"[:63]


_registry: list[Guard] = []


def register(*guards: Guard) -> None:
    _registry.extend(guard for guard in guards if guard not in _registry)


def registered() -> tuple[Guard, ...]:
    return tuple(_registry)


def _create(guard: Guard, event: Event, vendor: str) -> list[str]:
    table, name = guard.model._meta.db_table, guard.name(event)
    says = guard.says.replace("'", "''")
    if vendor == "sqlite":
        moment = INSERT if event == REPLACE else event
        return [
            f'CREATE TRIGGER "{name}" BEFORE {moment} ON "{table}" WHEN {guard.condition(event)} '
            f"BEGIN SELECT RAISE(ABORT, '{says}'); END"
        ]
    returned = {DELETE: "OLD", TRUNCATE: "NULL"}.get(event, "NEW")
    each = "STATEMENT" if event == TRUNCATE else "ROW"
    return [
        f'CREATE OR REPLACE FUNCTION "{name}"() RETURNS trigger LANGUAGE plpgsql AS $guard$ BEGIN '
        f"IF {guard.condition(event)} THEN RAISE EXCEPTION '%', '{says}' USING ERRCODE = '23514'; END IF; "
        f"RETURN {returned}; END $guard$",
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" FOR EACH {each} EXECUTE FUNCTION "{name}"()',
    ]


def installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Names of the guards in the database, with the table each one watches."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND name GLOB %s", [f"{PREFIX}*"]
            )
        else:
            cursor.execute(
                "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                "JOIN pg_namespace n ON n.oid = c.relnamespace "
                "WHERE NOT t.tgisinternal AND n.nspname = current_schema() AND t.tgname LIKE %s",
                [f"{PREFIX}%"],
            )
        return dict(cursor.fetchall())


def wanted(connection: BaseDatabaseWrapper) -> dict[str, tuple[Guard, Event]]:
    """The declared guards whose tables exist, by name."""
    tables = set(connection.introspection.table_names())
    return {
        guard.name(event): (guard, event)
        for guard in _registry
        if guard.model._meta.db_table in tables
        for event in (*guard.on, *((ALSO_DELETES[connection.vendor],) if DELETE in guard.on else ()))
    }


def drop_guards(connection: BaseDatabaseWrapper) -> None:
    with connection.cursor() as cursor:
        for name, table in installed(connection).items():
            if connection.vendor == "sqlite":
                cursor.execute(f'DROP TRIGGER IF EXISTS "{name}"')
            else:
                cursor.execute(f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"')
                cursor.execute(f'DROP FUNCTION IF EXISTS "{name}"()')


def install_guards(connection: BaseDatabaseWrapper) -> None:
    """Bring the database's guards in line with the declared ones."""
    drop_guards(connection)
    with connection.cursor() as cursor:
        for guard, event in wanted(connection).values():
            for statement in _create(guard, event, connection.vendor):
                cursor.execute(statement)


def missing_guards(connection: BaseDatabaseWrapper) -> set[str]:
    """Declared guards that the database lacks."""
    return set(wanted(connection)) - set(installed(connection))


def drop_guards_before_migrating(using: str, **_: Any) -> None:
    drop_guards(connections[using])


def install_guards_after_migrating(using: str, **_: Any) -> None:
    install_guards(connections[using])


def parent_is(parent: type[models.Model], *, key: str, states: Iterable[str]) -> str:
    """A condition: the row's parent is in one of these states."""
    listed = ", ".join(f"'{state}'" for state in states)
    table = parent._meta.db_table
    same = f'parent.id = {{row}}."{key}"'
    return f'EXISTS (SELECT 1 FROM "{table}" parent WHERE {same} AND parent.state IN ({listed}))'  # noqa: S608
