"""The tasks: real packages as their authors publish them, and a mistake in each."""

from tests.real.tasks.task import ANSWER, Change, Rename, Task

UTILS, ADAPTER = "itemadapter/utils.py", "itemadapter/adapter.py"
ERRORS, COMMON = "src/utils/errors.ts", "src/utils/common.ts"
SDS, SDS_HEADER = "deps/hiredis/sds.c", "deps/hiredis/sds.h"

TYPES = "tsc --project ."
TESTS = "python -m pytest -q -p no:cacheprovider"

FIELD_NAMES = '''
def field_names(item: Any) -> list[str]:
    """Return the names of the fields of an item."""
    from itemadapter.adapter import ItemAdapter

    return list(ItemAdapter(item).field_names())

'''
FIXTURE = """import pytest

from itemadapter import ItemAdapter


@pytest.fixture
def adapter():
    return ItemAdapter({"name": 1, "value": 2})


"""
TEST = """def test_names_of_a_copy(adapter):
    assert [*adapter.asdict()] == ["name", "value"]
"""
LABELLED = """function labelled(error: number, text: string): string {
	return `[Immer ${error}] ${text}`
}

"""
CUT = f"""/* Shorten an sds string to at most 'len' bytes. */
void {ANSWER}(sds s, size_t len) {{
    if (len < sdslen(s)) %s;
}}

"""

TYPE_ERROR = Task(
    name="type error",
    package="immer",
    server="typescript-language-server",
    told_by="edit",
    request="Let an error of Immer's say its number before its text, such as `[Immer 10]`.",
    changes=(
        Change(ERRORS, "export function die(", f"{LABELLED}export function die("),
        Change(
            ERRORS,
            "\t\tthrow new Error(`[Immer] ${msg}`)",
            "\t\tthrow new Error(labelled(error, String(msg)))",
            "\t\tthrow new Error(labelled(String(msg), error))",
        ),
    ),
    told=("is not assignable to parameter of type 'number'",),
    check=TYPES,
)
FAILING_TEST = Task(
    name="failing test",
    package="itemadapter",
    server="basedpyright",
    told_by="check",
    request="Let `len` of an adapter for attrs and dataclasses count without making a list.",
    changes=(
        Change(
            ADAPTER,
            "        return len(list(iter(self)))\n\n\nclass AttrsAdapter(",
            "        return sum(1 for _ in self)\n\n\nclass AttrsAdapter(",
            "        return len(self._fields_dict)\n\n\nclass AttrsAdapter(",
        ),
    ),
    told=("test_delitem_len_iter",),
    check=f"{TESTS} tests/test_adapter.py",
)
WRONG_IMPORT = Task(
    name="wrong import",
    package="itemadapter",
    server="basedpyright",
    told_by="edit",
    request="Give the package a function `field_names(item)` beside `is_item`, which returns a list.",
    changes=(
        Change(UTILS, "\ndef get_field_meta_from_class(", f"{FIELD_NAMES}\ndef get_field_meta_from_class("),
        Change(
            "itemadapter/__init__.py",
            "from .adapter import ItemAdapter\nfrom .utils import get_field_meta_from_class, is_item\n",
            "from .adapter import ItemAdapter\nfrom .utils import field_names, get_field_meta_from_class, is_item\n",
            "from .adapter import ItemAdapter, field_names\nfrom .utils import get_field_meta_from_class, is_item\n",
        ),
    ),
    told=('"field_names" is unknown import symbol', "cannot import name 'field_names'"),
    check=f"{TESTS} tests/test_utils.py",
)
RENAMED_SYMBOL = Task(
    name="renamed symbol",
    package="immer",
    server="typescript-language-server",
    told_by="edit",
    request="Rename the function `latest`, whose name is too close to `current`.",
    changes=(),
    told=("used before its declaration",),
    check=TYPES,
    rename=Rename(
        COMMON,
        198,
        "latest",
        "newest",
        "source",
        ("src/core/finalize.ts", "src/core/proxy.ts", COMMON, "src/plugins/arrayMethods.ts", "src/plugins/mapset.ts"),
        2,
    ),
)
MISSING_FIXTURE = Task(
    name="missing fixture",
    package="itemadapter",
    server="basedpyright",
    told_by="check",
    request="Test that the names of an adapter's `asdict` are those of the item.",
    changes=(Change("tests/test_names.py", "", FIXTURE + TEST, TEST),),
    told=("fixture 'adapter' not found",),
    check=f"{TESTS} tests/test_names.py",
)
QUESTION = Task(
    name="question",
    package="hiredis",
    server="clangd",
    told_by="edit",
    request="Give sds strings a function that shortens them.",
    changes=(
        Change(SDS_HEADER, "void sdsclear(sds s);\n", f"void sdsclear(sds s);\nvoid {ANSWER}(sds s, size_t len);\n"),
        Change(
            SDS,
            "/* Apply tolower() to every character",
            CUT % "sdsIncrLen(s, (int)len - (int)sdslen(s))" + "/* Apply tolower() to every character",
            CUT % "sdsSetLen(s, len)" + "/* Apply tolower() to every character",
        ),
    ),
    told=("undeclared function 'sdsSetLen'", "implicit declaration of function"),
    check=f"gcc -std=gnu99 -Wall -Werror -fsyntax-only {SDS}",
    question=("What is the function to be called?", "sdscut"),
)

TASKS = (TYPE_ERROR, FAILING_TEST, WRONG_IMPORT, RENAMED_SYMBOL, MISSING_FIXTURE, QUESTION)
