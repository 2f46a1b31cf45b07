"""What people do to plans: half-typed, merged, pasted, huge, and in odd encodings. Every feature has an answer."""

import asyncio

import pytest
from lsprotocol import types

from planact.lsp.features.code_action import MAX_FIXES
from planact.lsp.features.publish_diagnostics import MAX_SHOWN
from tests.lsp.commands.greetings import PLAN
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEP = "# 🌍\n\n## Steps\n- [ ] 1. "
END = types.Position(10_000, 10_000)

TEXTS = {
    "nothing": "",
    "no text": "\0\0# x\n## Steps\n- [ ] 1. \0",
    "an open list of YAML": "---\nid: [",
    "YAML a thousand deep": f"---\ncontext: {'[' * 1_000}\n---\n{STEP}x",
    "tags of YAML": '---\nid: !!python/object/apply:os.system ["exit"]\ncreated: .nan\nparameters: yes\n---\n# x\n',
    "half a heading": "# a\n## St\n- [",
    "half a check": f"{STEP}x\n  - check: `unclosed",
    "a conflict": PLAN.replace("- [ ] 2.", "<<<<<<< HEAD\n- [ ] 2. One\n=======\n- [ ] 2.") + ">>>>>>> other\n",
    "CRLF": PLAN.replace("\n", "\r\n"),
    "CR": PLAN.replace("\n", "\r"),
    "ends of all kinds": PLAN.replace("\n", "\r\n", 5)
    .replace("## Steps\n", "## Steps\r")
    .replace(". ", ".\x0b\x0c\u2028"),
    "two BOMs": f"\ufeff\ufeff{PLAN}",
    "tabs": PLAN.replace("  - ", "\t- "),
    "a line of a million": f"{STEP}{'y' * 1_000_000}",
    "a line of code": f"{STEP}{'`a` ' * 20_000}\n  - check: {'( ' * 20_000}",
    "twice the number": PLAN.replace("2. ", "1. "),
    "numbers nobody counts to": PLAN.replace("1. ", "99999999999999999999. ").replace("2. ", "٢. "),
    "text from right to left": PLAN.replace("Greet", "\u202eGreet\u2066"),
    "a pasted list": "My plan:\n\n- [x] Read\n  - [ ] deeper\n- [ ] Mend 🌍\n1. [ ] numbered\n",
    "quotes in quotes": "> " * 1_000 + "x\n" + "> a\n" * 1_000,
    "an open fence": "# x\n```\n## Steps\n- [ ] 1. x\n",
    "many fences": "```\n~~~\n" * 500,
    "questions nobody asked": PLAN + "\n> [!QUESTION] a critical: b?\n> - [ ] c: d\n> answer:\n" * 3,
    "nothing but headings": "#\n##\n# #\n## ##\n" * 100 + "#" * 10_000,
    "parameters": PLAN.replace("Greet", "{{x}} {{ " * 100),
    "paths elsewhere": PLAN.replace("greeting.txt", "../../../etc/passwd, ~/.ssh/id_rsa, C:\\x, a/" + "b/" * 2_000),
    "two plans in one": PLAN + PLAN,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
async def test_every_feature_has_an_answer(client: PlanactClient, text: str) -> None:
    uri = client.show("odd.plan", text)
    document = types.TextDocumentIdentifier(uri)
    half = types.Position(text.count("\n") // 2, 2)
    everything = types.Range(types.Position(0, 0), END)
    await until(lambda: uri in client.diagnostics)
    faults = types.CodeActionContext(list(client.diagnostics[uri]))
    asked = [
        client.text_document_code_lens_async(types.CodeLensParams(document)),
        client.text_document_document_symbol_async(types.DocumentSymbolParams(document)),
        client.text_document_folding_range_async(types.FoldingRangeParams(document)),
        client.text_document_document_link_async(types.DocumentLinkParams(document)),
        client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document)),
        client.text_document_formatting_async(
            types.DocumentFormattingParams(document, types.FormattingOptions(4, insert_spaces=True))
        ),
        client.text_document_inlay_hint_async(types.InlayHintParams(document, everything)),
        client.text_document_code_action_async(types.CodeActionParams(document, everything, faults)),
    ]
    for place in (types.Position(0, 0), half, END):
        asked += [
            client.text_document_hover_async(types.HoverParams(document, place)),
            client.text_document_completion_async(types.CompletionParams(document, place)),
            client.text_document_definition_async(types.DefinitionParams(document, place)),
        ]
    await asyncio.wait_for(asyncio.gather(*asked), LIMIT)
    client.diagnostics.clear()
    key = types.TextDocumentContentChangePartial(types.Range(half, half), "x🌍\r")
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(2, uri), [key])
    )
    await until(lambda: uri in client.diagnostics)
    await client.do("listPlans")


async def test_of_thousands_of_problems_the_gravest_are_shown(client: PlanactClient) -> None:
    steps = "".join(f"- [ ] {n}. Do it\n  - reason: x\n  - files: src/{n}.py\n" for n in range(1, 3_001))
    uri = client.show("large.plan", f"# G\n\n## Steps\n{steps}- [?] 3001. Odd\n")
    await until(lambda: len(client.diagnostics.get(uri, ())) > MAX_SHOWN)
    found = client.diagnostics[uri]
    codes = [each.code for each in found]
    assert (len(found), codes[0], codes[-2:]) == (MAX_SHOWN + 1, "PLAN016", ["PLAN004", None])
    assert found[-1].message == f"{MAX_SHOWN} of 3002 problems are shown. `planact plan lint` tells all."
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), types.Range(types.Position(0, 0), END), types.CodeActionContext(list(found))
    )
    actions = await asyncio.wait_for(client.text_document_code_action_async(params), LIMIT) or ()
    assert len([each for each in actions if each.kind == types.CodeActionKind.QuickFix]) <= 2 * MAX_FIXES


async def test_a_plan_under_two_names_is_one(client: PlanactClient) -> None:
    client.write("plans/greet.plan", PLAN)
    (client.root / "linked").symlink_to(client.root / "plans")
    uri = client.show("linked/greet.plan", PLAN)
    approved = await client.approve(uri)
    assert approved.path == "plans/greet.plan"
    assert (await client.titles(uri))[0].startswith("Approved")


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "latin-1"])
async def test_a_plan_is_read_in_whatever_encoding_it_is_saved(client: PlanactClient, codec: str) -> None:
    text = "# Grüße\n\n## Steps\n- [ ] 1. Größe\n"
    (client.root / "odd.plan").write_bytes(text.encode(codec))
    assert [plan.goal for plan in (await client.do("listPlans")).plans] == ["Grüße"]


async def test_documents_with_one_id_are_told_apart_by_name(client: PlanactClient) -> None:
    client.write("a.plan", PLAN)
    client.write("b.plan", PLAN)
    plan_id = (await client.do("listPlans")).plans[0].id
    code, message = await client.refusal("showPlan", plan_id=plan_id)
    assert (code, "a.plan" in message, "b.plan" in message) == ("PLAN_INVALID", True, True)
