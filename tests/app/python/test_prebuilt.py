"""SPOKELAB_ROOT, SPOKELAB_FFT: what cannot be built over is named when CMake runs."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]


@unittest.skipUnless(shutil.which("cmake"), "cmake is not installed")
class Configured(unittest.TestCase):
    def refusal(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options], capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        return re.sub(r"\s+", " ", done.stderr)

    def write_package(self, folder, version):
        place = pathlib.Path(folder) / "lib/cmake/Spokelab"
        place.mkdir(parents=True)
        (place / "SpokelabConfig.cmake").write_text("add_library(Spokelab::spokelab INTERFACE IMPORTED)\n")
        (place / "SpokelabConfigVersion.cmake").write_text(f"set(PACKAGE_VERSION {version})\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")

    def test_a_root_without_a_library_is_refused(self):
        self.assertIn("SPOKELAB_ROOT is '/nowhere', where no Spokelab", self.refusal("-DSPOKELAB_ROOT=/nowhere"))

    def test_a_library_of_another_version_is_refused(self):
        with tempfile.TemporaryDirectory() as prefix:
            self.write_package(prefix, "0.0.9")
            self.assertIn("where Spokelab 0.0.9 is installed", self.refusal(f"-DSPOKELAB_ROOT={prefix}"))

    def test_unknown_transforms_are_refused(self):
        self.assertIn("Choose fftw or ducc", self.refusal("-DSPOKELAB_FFT=mkl"))

    def test_a_folder_without_duccs_source_is_refused(self):
        said = self.refusal("-DSPOKELAB_FFT=ducc", "-DSPOKELAB_DUCC_SOURCE=/nowhere")
        self.assertIn("there is no ducc0/fft/fft1d_impl.h", said)
