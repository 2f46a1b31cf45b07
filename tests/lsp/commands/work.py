"""What clients are told of work."""

from planact.lsp.protocol import messages
from planact.model.work import Work
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.raw_client import until


def told(client: PlanactClient) -> list[Work]:
    """The work that was told, each time it was another."""
    return [each.work for each in client.heard(messages.WORK_CHANGED)]


def states(client: PlanactClient) -> list[str]:
    found = [work.status_text for work in told(client)]
    return [text for at, text in enumerate(found) if at == 0 or text != found[at - 1]]


async def status_of(client: PlanactClient) -> Work:
    work: Work = (await client.do("showStatus")).work
    return work


async def until_told(client: PlanactClient, state: str) -> Work:
    await until(lambda: bool(told(client)) and told(client)[-1].state == state)
    return told(client)[-1]
