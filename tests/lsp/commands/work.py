"""What clients are told of work."""

from planact.lsp.protocol import messages
from planact.model.work import Work
from tests.lsp.commands.planact_client import PlanactClient, folder_of
from tests.lsp.raw_client import until


def told(client: PlanactClient) -> list[Work]:
    """The work of the open folder that was told, each time it was another. A folder left before may tell its end."""
    folder = folder_of(client.root).uri
    return [each.work for each in client.heard(messages.WORK_CHANGED) if each.folder == folder]


def states(client: PlanactClient) -> list[str]:
    found = [work.status_text for work in told(client)]
    return [text for at, text in enumerate(found) if at == 0 or text != found[at - 1]]


async def status_of(client: PlanactClient) -> Work:
    work: Work = (await client.do("showStatus")).work
    return work


async def until_told(client: PlanactClient, state: str) -> Work:
    await until(lambda: bool(told(client)) and told(client)[-1].state == state)
    return told(client)[-1]
