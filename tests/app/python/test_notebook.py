"""The cells of the notebook run, in their order, and say what they are to say; pictures are drawn where matplotlib is."""

import json
import os
import pathlib
import tempfile
import unittest
import unittest.mock

NOTEBOOK = pathlib.Path(__file__).parents[3] / "app/python/examples/first-steps.ipynb"


class Notebook(unittest.TestCase):
    def test_cells_run(self):
        notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 5)
        self.assertTrue(all(cell["outputs"] or cell["source"] for cell in cells))
        modules = {}
        try:
            import matplotlib
            matplotlib.use("Agg")
        except ModuleNotFoundError:
            modules = {"matplotlib": unittest.mock.MagicMock(), "matplotlib.pyplot": unittest.mock.MagicMock()}
            print("SKIP   : notebook: matplotlib is not installed, nothing is drawn")
        names = {}
        with unittest.mock.patch.dict("sys.modules", modules), tempfile.TemporaryDirectory() as folder:
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(folder)
            for number, cell in enumerate(cells):
                exec(compile("".join(cell["source"]), f"{NOTEBOOK.name}, cell {number}", "exec"), names)
        self.assertLess(names["right"], 0.5 * names["wrong"])
        self.assertLess(names["nrmse"], 0.15)

    def test_it_renders(self):
        """Its form is that of nbformat 4.5, and the pictures are in it."""
        notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
        self.assertEqual(notebook["nbformat"], 4)
        self.assertGreaterEqual(notebook["nbformat_minor"], 5)
        self.assertEqual(len({cell["id"] for cell in notebook["cells"]}), len(notebook["cells"]))
        outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
        self.assertFalse([output for output in outputs if output["output_type"] == "error"])
        self.assertEqual(sum("image/png" in output.get("data", {}) for output in outputs), 2)
