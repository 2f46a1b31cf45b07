"""Own plans in databases that are older than their record."""

import sqlite3

from planact.adapters.store.state.approvals import SqliteApprovals
from planact.adapters.store.state.database import MIGRATIONS, Database
from planact.model.plan_records import OwnPlan


def test_plans_that_were_approved_before_own_plans_were_known_are_the_users(database: Database) -> None:
    database.path.parent.mkdir(parents=True, exist_ok=True)
    old = sqlite3.connect(database.path)
    for statement in (each for version in MIGRATIONS[:8] for each in version):
        old.execute(statement)
    old.execute("INSERT INTO approvals VALUES ('a.plan', 'plan_1', 'h', 'text', 't')")
    old.execute("PRAGMA user_version = 8")
    old.commit()
    old.close()
    approvals = SqliteApprovals(database)
    assert approvals.own("a.plan") == OwnPlan("a.plan", "plan_1", "h", "t")
    assert approvals.own("b.plan") is None
