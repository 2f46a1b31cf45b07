"""What is imported with litellm, seen from inside a child process."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm.patches.imports import REEXPORTING, _reexported, _Unused

CHILD = """
import asyncio, importlib.util, json, os, sys
from pathlib import Path
from planact.adapters.llm.patches.imports import REEXPORTING, UNUSED, _spec_of, _reexported
tokenizers = []
def watch(event, arguments):
    if event == "open" and str(arguments[0]).endswith("tokenizer.json"):
        tokenizers.append(Path(arguments[0]).parent.parent.name)
sys.addaudithook(watch)
from planact.adapters.llm.litellm_model import LitellmLoader
asyncio.run(LitellmLoader({}).ready())
drawing = sorted({"click", "pygments", "rich"} & sys.modules.keys())
resources = sorted({name.split(".")[2] for name in sys.modules if name.startswith("openai.resources.")})
types = sum(name.startswith("openai.types.") for name in sys.modules)
unused = sorted(name for name in UNUSED if sys.modules[name].__spec__ is not None)
import openai.resources
embeddings = openai.resources.Embeddings is openai.OpenAI(api_key="none").embeddings.__class__
strangers = {}
for name in REEXPORTING:
    package, places = sys.modules[name], _reexported(_spec_of(name))
    for each in places:
        getattr(package, each)
    whole = importlib.util.module_from_spec(spec := _spec_of(name))
    spec.loader.exec_module(whole)
    strangers[name] = [each for each in places if getattr(whole, each) is not getattr(package, each)]
print(json.dumps({"tokenizers": tokenizers, "drawing": drawing, "resources": resources, "types": types,
    "unused": unused, "embeddings": embeddings, "strangers": strangers}))
sys.stdout.flush()
os._exit(0)
"""


def loaded(folder: Path) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        cwd=folder,
        env={"PATH": os.defpath, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_what_no_conversation_needs_is_left_out_and_comes_when_asked_for(tmp_path: Path) -> None:
    found = loaded(tmp_path)
    assert found.pop("types") < 350  # of 770
    assert found == {
        "tokenizers": ["patches"],
        "drawing": [],
        "resources": ["chat"],
        "unused": [],
        "embeddings": True,
        "strangers": {name: [] for name in REEXPORTING},
    }


def test_what_is_left_out_can_be_tested_for_and_not_used() -> None:
    module = _Unused("a.b")
    assert not isinstance(object(), module.Router)
    assert module.Router is module.Router is module.Router[int]
    with pytest.raises(NotImplementedError, match=re.escape("planact leaves a.b.Router out")):
        module.Router()
    with pytest.raises(AttributeError):
        _ = module.__all__


@pytest.mark.parametrize("more", ["print()", "import os", "from os import path", "from ..a import b", "x = 1"])
def test_a_package_that_does_more_than_re_export_names_is_imported_whole(more: str, tmp_path: Path) -> None:
    source = "from __future__ import annotations\nfrom .a import A as A, B as C\n__all__ = []\n"
    for text, places in ((source, {"A": ("reexports.a", "A"), "C": ("reexports.a", "B")}), (source + more, {})):
        (tmp_path / "__init__.py").write_text(text)
        spec = importlib.util.spec_from_file_location("reexports", tmp_path / "__init__.py")
        assert spec is not None
        assert _reexported(spec) == places
