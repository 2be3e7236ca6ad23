"""run.py FILE [TEST …]: runs one file of tests; exit status 77 where all of them skipped."""

import importlib.util
import os
import pathlib
import sys
import tempfile
import unittest

path = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(path.parent))
with tempfile.TemporaryDirectory() as folder:
    os.environ["SPOKELAB_WISDOM"] = os.path.join(folder, "wisdom.json")  # never the user's own
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    loader = unittest.TestLoader()
    names = sys.argv[2:]
    suite = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    done = unittest.TextTestRunner(verbosity=2).run(suite)
for test, reason in done.skipped:
    print(f"SKIP   : {test.id()}: {reason}")
ran = done.testsRun - len(done.skipped)  # from Python 3.12.1 on, a class that is skipped whole counts no test as run
if not done.wasSuccessful() or (ran <= 0 and not done.skipped):
    sys.exit(1)
sys.exit(77 if ran <= 0 else 0)
