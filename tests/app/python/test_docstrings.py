"""Every public name has an example in its docstring, and the examples say what they say."""

import doctest
import unittest

import numpy as np
import spokelab
from spokelab import finufft

NEEDS = {"linear_operator": "scipy", "sigpy_linop": "sigpy"}
OF_THE_ENGINE = {"Cancelled", "Error"}  # exceptions


class Examples(unittest.TestCase):
    def test_every_public_name(self):
        finder = doctest.DocTestFinder(recurse=False)
        runner = doctest.DocTestRunner()
        for name in spokelab.__all__:
            if name in OF_THE_ENGINE:
                continue
            with self.subTest(name):
                tests = finder.find(getattr(spokelab, name), name, globs={"np": np, "spokelab": spokelab})
                examples = [example for test in tests for example in test.examples]
                self.assertGreater(len(examples), 0)
                try:
                    __import__(NEEDS.get(name, "numpy"))
                except ModuleNotFoundError as missing:
                    print(f"SKIP   : example of {name}: {missing.name} is not installed")
                    continue
                for test in tests:
                    self.assertEqual(runner.run(test).failed, 0)

    def test_finufft_is_documented(self):
        self.assertIn("modeord", finufft.__doc__)
