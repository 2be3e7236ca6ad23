"""The guide's tutorials run, show what they say, and their notebooks are up to date."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]
PAGES = sorted((ROOT / "resources/guide").glob("tutorial-*.md"))


def run(page):
    """The names of a tutorial after its last block, and what it printed."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names, said = {}, io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stack.callback(os.chdir, os.getcwd())
        os.chdir(folder)
        with contextlib.redirect_stdout(said):
            for number, block in enumerate(blocks):
                exec(compile(block, f"{page.name}, block {number}", "exec"), names)
        names["files"] = sorted(os.listdir(folder))
    return names, said.getvalue()


class Tutorials(unittest.TestCase):
    def test_there_are_six(self):
        self.assertEqual([page.name.split("-")[1] for page in PAGES], list("123456"))
        for page in PAGES:
            self.assertLess(page.stat().st_size, 8192, page.name)

    def test_notebooks_are_up_to_date(self):
        done = subprocess.run([sys.executable, ROOT / "packaging/notebooks", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for page in PAGES:
            notebook = json.loads((ROOT / "app/python/examples" / (page.stem + ".ipynb")).read_text(encoding="utf-8"))
            self.assertEqual(notebook["nbformat"], 4)
            self.assertEqual(len({cell["id"] for cell in notebook["cells"]}), len(notebook["cells"]))

    def test_first_image(self):
        names, _ = run(PAGES[0])
        self.assertLess(names["second"], 0.6 * names["first"])
        self.assertIn("first-image.nii.gz", names["files"])

    def test_your_own_data(self):
        names, said = run(PAGES[1])
        self.assertGreater(names["right"], 0.99)
        self.assertLess(names["wrong"], 0.97)
        self.assertIn("are they in cycles/pixel", said)

    def test_accuracy(self):
        names, _ = run(PAGES[2])
        for asked, predicted, measured in names["rows"]:
            self.assertLess(measured, asked)
            self.assertLess(abs(measured / predicted - 1), 0.3)
        self.assertLess(names["by_transform"], 0.1 * names["by_noise"])

    def test_sense(self):
        names, _ = run(PAGES[3])
        self.assertLess(min(names["steps"].values()), 0.6 * names["gridding"])
        self.assertLess(names["steps"][10], names["steps"][30])  # too many iterations fit the noise
        self.assertIn(names["best"], (1e-3, 1e-2, 1e-1))
        self.assertLess(names["variation"], names["weights"][names["best"]])

    def test_off_resonance(self):
        names, _ = run(PAGES[4])
        self.assertLess(names["corrected"], 0.3 * names["without"])
        self.assertGreater(names["turned"], names["without"])
        self.assertLess(abs(names["by_segments"] - names["corrected"]), 0.01)

    def test_the_transform_alone(self):
        try:
            import scipy  # noqa: F401
        except ModuleNotFoundError:
            self.skipTest("scipy is not installed")
        names, _ = run(PAGES[5])
        self.assertLess(names["mismatch"], 1e-4)
        self.assertLess(names["distance"], 0.02)
        self.assertLess(names["by_lsqr"], 1e-3)
        self.assertLess(names["difference"], 2e-5)
