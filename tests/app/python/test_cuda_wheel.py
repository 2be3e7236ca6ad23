"""packaging/cuda-wheel: makes a wheel that the package finds, and refuses what may not be passed on."""

import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).parents[3]
MODULE = """#include <stdio.h>
int cufftPlan1d(void);
int part(void);
void* spokelabCudaBackend(char* reason, unsigned long size) {
  snprintf(reason, size, "this is the planted module %d", cufftPlan1d() + part());
  return 0;
}
"""


@unittest.skipUnless(all(shutil.which(tool) for tool in ("cc", "patchelf", "readelf", "nm", "strip")),
                     "cc, patchelf or binutils are not installed")
class CudaWheel(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def library(self, name, text, *needed, folder=None):
        """Compiles a shared library that needs others."""
        out = (folder or self.folder) / name
        out.parent.mkdir(parents=True, exist_ok=True)
        source = self.folder / (name + ".c")
        source.write_text(text)
        subprocess.run(["cc", "-shared", "-fPIC", "-Wl,--no-as-needed", f"-Wl,-soname,{name}", "-o", out, source, *needed],
                       check=True)
        return out

    def module(self, *more):
        cufft = self.library("libcufft.so.12", "int cufftPlan1d(void) { return 12; }\n",
                             folder=self.folder / "site/nvidia/cu13/lib")
        part = self.library("libpart.so.3", "int part(void) { return 30; }\n", folder=self.folder / "built")
        return self.library("libspokelab_cuda.so", MODULE, cufft, part, f"-Wl,-rpath,{cufft.parent}:{part.parent}", *more)

    def made(self, module, out="out"):
        return subprocess.run([sys.executable, ROOT / "packaging/cuda-wheel", module, "--out", self.folder / out],
                              capture_output=True, text=True)

    def test_what_may_not_be_passed_on_is_refused(self):
        text = self.folder / "text.so"
        text.write_text("not a library")
        fftw = self.library("libfftw3f.so.3", "int fftw(void) { return 3; }\n")
        cases = {self.folder / "absent.so": "is not a file", text: "is not a shared library",
                 fftw: "it is not the CUDA module", self.module(fftw, f"-Wl,-rpath,{self.folder}"): "libfftw3f.so.3, which is under the GPL"}
        for file, reason in cases.items():
            done = self.made(file)
            self.assertEqual(done.returncode, 1, file)
            self.assertIn(reason, done.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_the_package_finds_the_module_of_the_wheel(self):
        module = self.module()
        done = self.made(module)
        self.assertEqual(done.returncode, 0, done.stderr)
        [wheel] = (self.folder / "out").glob("*.whl")
        self.assertEqual(self.made(module, "again").returncode, 0)
        self.assertEqual(wheel.read_bytes(), (self.folder / "again" / wheel.name).read_bytes())
        shutil.rmtree(self.folder / "built")  # what the module needs is beside it
        site = self.folder / "site"
        with zipfile.ZipFile(wheel) as zipped:
            zipped.extractall(site)
            [record] = [name for name in zipped.namelist() if name.endswith("/RECORD")]
            for line in zipped.read(record).decode().splitlines():
                name, digest, size = line.split(",")
                if digest:
                    content = zipped.read(name)
                    own = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                    self.assertEqual((digest, int(size)), ("sha256=" + own, len(content)))
        environment = {key: value for key, value in os.environ.items() if key != "SPOKELAB_CUDA_MODULE"}
        environment["PYTHONPATH"] = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
        code = "import spokelab; print([b.text for b in spokelab.Context(wisdom=None).backends if b.name == 'cuda'])"
        seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        self.assertIn("this is the planted module 42", seen.stdout, seen.stderr)
        environment["SPOKELAB_CUDA_MODULE"] = "none"  # what the user names goes first
        seen = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        self.assertNotIn("planted", seen.stdout)


if __name__ == "__main__":
    unittest.main()
