"""packaging/coverage and packaging/mutants: faults that are planted, and which text they leave alone."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "packaging/trust"))
import mutation  # noqa: E402
import parts  # noqa: E402


def changes(line):
    return {(what, text.strip()) for what, text in mutation.mutants_of_line("  " + line)}


class Mutants(unittest.TestCase):
    def test_operators_numbers_and_conditions_are_changed(self):
        self.assertIn(("< -> <=", "while (a <= b) a *= 2;"), changes("while (a < b) a *= 2;"))
        self.assertIn(("2 -> 3", "while (a < b) a *= 3;"), changes("while (a < b) a *= 2;"))
        self.assertIn(("if ( -> if (!(", "if (!(a(b) && c)) return true;"), changes("if (a(b) && c) return true;"))
        self.assertIn(("&& -> ||", "if (a(b) || c) return true;"), changes("if (a(b) && c) return true;"))
        self.assertIn(("0.5 -> 1.0", "x = 1.0 * y;"), changes("x = 0.5 * y;"))

    def test_types_strings_and_comments_are_left_alone(self):
        self.assertEqual(changes("std::vector<int>&& values;"), set())
        self.assertEqual(changes('const char* text = "a < b + 1";'), set())
        self.assertEqual(changes("// a < b, 3 of them"), set())
        self.assertEqual(changes('#include "a1.h"'), set())
        self.assertEqual(changes("static_assert(a + 1 < b);"), set())
        self.assertEqual(mutation.mutants_of("int three = 3;\nvoid f() {\n}\n"), [])  # at the margin

    def test_a_mutant_changes_one_line(self):
        text = (ROOT / "engine/nufft/kernel/error_model.cpp").read_text(encoding="utf-8")
        found = mutation.mutants_of(text)
        self.assertGreater(len(found), 100)
        for line, what, changed in found[::20]:
            differing = [n for n, (a, b) in enumerate(zip(text.split("\n"), changed.split("\n")), 1) if a != b]
            self.assertEqual(differing, [line], what)

    def test_each_folder_has_its_program_and_tests(self):
        self.assertEqual(parts.group_of("engine/nufft/kernel"), "test_engine_nufft")
        self.assertIn("error_model", parts.tests_of(ROOT, "engine/nufft/kernel"))
        self.assertIn("engine/nufft/kernel/kernel.cpp", parts.sources_of(ROOT, ["engine/nufft/kernel"]))
        with self.assertRaises(parts.NotBuilt):
            parts.group_of("widgets/core")

    def test_what_is_not_built_is_said(self):
        for program in ("coverage", "mutants"):
            done = subprocess.run([sys.executable, ROOT / "packaging" / program, "widgets/core"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is in no room of the engine", done.stderr)
