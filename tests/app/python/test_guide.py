"""The examples of the guide's page on Python run, in their order, as one program."""

import contextlib
import os
import pathlib
import re
import tempfile
import textwrap
import unittest

GUIDE = pathlib.Path(os.environ.get("SPOKELAB_GUIDE", "."), "python.md")


def examples():
    """Indented blocks, but for those of the shell."""
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE)
    return [textwrap.dedent(block) for block in blocks if block.strip() and not block.lstrip().startswith("pip ")]


class Guide(unittest.TestCase):
    def test_examples_run(self):
        blocks = examples()
        self.assertGreater(len(blocks), 5)
        names, missing = {}, []
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            stack.callback(os.chdir, os.getcwd())
            os.chdir(folder)
            for number, block in enumerate(blocks):
                with self.subTest(block=block):
                    try:
                        exec(compile(block, f"python.md, example {number}", "exec"), names)
                    except ModuleNotFoundError as failure:
                        missing.append(failure.name)
        self.assertIn("solution" if not missing else "result", names)
        for name in missing:
            print(f"SKIP   : guide: {name} is not installed")
