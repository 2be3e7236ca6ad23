"""packaging/site: its pages are written from the sources, and links that lead nowhere are found."""

import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "packaging/website"))
import benchmarks  # noqa: E402
import links  # noqa: E402
import pages  # noqa: E402


class Links(unittest.TestCase):
    def test_broken_ones_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "below").mkdir()
            (place / "a.html").write_text('<a href="below/b.html#here">1</a><a href="#top">2</a><img src="no.png">'
                                          '<a href="https://example.org/x">3</a><h1 id="top">')
            (place / "below/b.html").write_text('<p id="here"><a href="../a.html#nowhere">4</a><a href="c.html">5</a>')
            broken, checked = links.check(place)
        self.assertEqual(checked, 5)
        self.assertEqual([line.split(": ")[1].split(" ")[0] for line in broken], ["no.png", "../a.html#nowhere", "c.html"])


class Pages(unittest.TestCase):
    def test_they_are_written_from_the_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            work = pathlib.Path(folder)
            count = pages.write(ROOT, work)
            docs = work / "docs"
            self.assertEqual(count, len(list(docs.rglob("*.md"))))
            names = (docs / "python-names.md").read_text(encoding="utf-8")
            for name in ("## Nufft", "## reconstruct", "`Nufft.forward`", "plan @ np.ones"):
                self.assertIn(name, names)
            self.assertIn("spokelab_plan_create", (docs / "c-names.md").read_text(encoding="utf-8"))
            self.assertIn("benchmarks.md", (work / "mkdocs.yml").read_text(encoding="utf-8"))

    def test_a_chart_has_a_bar_for_each_case(self):
        rows = [{"case": "a & b", "ratio": {"execute": 0.5}}, {"case": "c", "ratio": 2.0}, {"case": "d", "ratio": None}]
        found = benchmarks.ratios(rows)
        self.assertEqual(found, [("a & b", 0.5), ("c", 2.0)])
        drawn = benchmarks.chart(found)
        self.assertEqual(drawn.count("<rect"), 2)
        self.assertIn("a &amp; b", drawn)
        widths = [float(w) for w in re.findall(r'<rect[^>]*width="([0-9.]+)"', drawn)]
        self.assertAlmostEqual(widths[1], 4 * widths[0], places=0)
