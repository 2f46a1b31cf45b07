"""Run with `python3 -m unittest check_app`."""

import tempfile
import unittest
from pathlib import Path

import app
import store


class Greeting(unittest.TestCase):
    def test_it_names_who_is_in_the_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "config.json")
            path.write_text('{"name": "Ada"}', encoding="utf-8")
            assert app.greeting(path) == "Hello, Ada!"

    def test_the_function_has_its_new_name(self):
        assert hasattr(store, "read_config")
        assert not hasattr(store, "load")
