"""What holds for the record of own plans, real or fake."""

from planact.model.plan_records import OwnPlan
from tests.contracts.conftest import Stores


def test_of_each_document_the_last_own_text_is_known_until_it_is_forgotten(stores: Stores) -> None:
    stores.approvals.keep_own(OwnPlan("a.plan", "plan_1", "old", "t1"))
    stores.approvals.keep_own(OwnPlan("a.plan", "plan_1", "new", "t2"))
    stores.approvals.keep_own(OwnPlan("b.plan", "plan_1", "b", "t3"))
    assert stores.approvals.own("a.plan") == OwnPlan("a.plan", "plan_1", "new", "t2")
    stores.approvals.forget_own("a.plan")
    stores.approvals.forget_own("never.plan")
    assert stores.approvals.own("a.plan") is None
    assert stores.approvals.own("b.plan") == OwnPlan("b.plan", "plan_1", "b", "t3")
