"""packaging/release: refuses what does not agree, and makes the same bytes each time."""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "packaging/releasing"))
import artefacts  # noqa: E402
import checks  # noqa: E402

METAINFO = "packaging/desktop/org.spokelab.Spokelab.metainfo.xml"


class Release(unittest.TestCase):
    def setUp(self):
        """A small repository of version 1.2.3 with the scripts."""
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.root = pathlib.Path(held.name)
        for place in ("packaging/release", "packaging/releasing"):
            target = self.root / place
            target.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / place).is_dir() else shutil.copy
            copy(ROOT / place, target, **({"ignore": shutil.ignore_patterns("__pycache__")} if copy is shutil.copytree else {}))
        (self.root / "packaging/desktop").mkdir()
        self.write("CMakeLists.txt", "project(spokelab VERSION 1.2.3 LANGUAGES C)\n")
        self.write("CITATION.cff", "cff-version: 1.2.0\nversion: 1.2.3\n")
        self.write(METAINFO, '<release version="1.2.3" date="2026-12-01"/>\n')
        self.write("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (2026-12-01)\n")
        self.write(".gitignore", "/build/\n__pycache__/\n")
        self.git("init", "-q")
        self.commit()

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false", "-C", self.root,
                        *words], check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "all")

    def release(self, *words):
        return subprocess.run([sys.executable, "packaging/release", *words], cwd=self.root, capture_output=True, text=True)

    def test_what_does_not_agree_is_refused(self):
        self.assertEqual(checks.faults(self.root, "1.2.3"), [])
        self.assertIn("is not a version", checks.faults(self.root, "1.2")[0])
        self.assertEqual(len(checks.faults(self.root, "1.2.4")), 4)
        self.write("new.txt", "x")
        self.assertIn("not committed", checks.faults(self.root, "1.2.3")[0])
        self.write("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (unreleased)\n")
        self.commit()
        self.assertIn("unreleased", checks.faults(self.root, "1.2.3")[0])
        self.assertEqual(checks.faults(self.root, "1.2.3-rc1"), [])
        self.git("tag", "v1.2.3-rc1")
        self.assertIn("is there already", checks.faults(self.root, "1.2.3-rc1")[0])
        done = self.release("1.2.3", "--without-tests")
        self.assertEqual(done.returncode, 1)
        self.assertFalse((self.root / "build/dist").exists())

    def test_it_makes_the_same_bytes_with_sums_and_a_bill(self):
        done = self.release("1.2.3", "--only", "source", "--twice", "--tag", "--without-tests")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 files are the same bytes", done.stdout)
        out = self.root / "build/dist"
        with tarfile.open(out / "spokelab-1.2.3.tar.gz") as tar:
            self.assertIn("spokelab-1.2.3/CMakeLists.txt", tar.getnames())
        for line in (out / "SHA256SUMS").read_text().splitlines():
            digest, name = line.split("  ")
            self.assertEqual(hashlib.sha256((out / name).read_bytes()).hexdigest(), digest)
        bill = json.loads((out / "spokelab-1.2.3.spdx.json").read_text())
        self.assertEqual((bill["spdxVersion"], bill["dataLicense"]), ("SPDX-2.3", "CC0-1.0"))
        named = {part["SPDXID"] for part in bill["packages"] + bill["files"]} | {"SPDXRef-DOCUMENT"}
        for relation in bill["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, named)
        self.assertIn("GPL-2.0-or-later", {part["licenseDeclared"] for part in bill["packages"]})
        tags = subprocess.run(["git", "-C", self.root, "tag"], capture_output=True, text=True).stdout
        self.assertEqual(tags.split(), ["v1.2.3"])

    def test_every_part_of_the_build_is_in_the_bill(self):
        import materials
        text = (ROOT / "packaging/build.sh").read_text(encoding="utf-8")
        listed = text.split('packages="')[1].split('"')[0].replace("\\", " ").split()
        libraries = {entry.split("|")[0].rstrip("?") for entry in listed if "-dev" in entry}
        tools = {"qt6-base-dev-tools", "libqt6opengl6-dev", "qt6-svg-dev", "libgl-dev", "libopengl-dev", "libniftiio-dev",
                 "libznz-dev"}  # parts of Qt and of NIfTI, and headers of OpenGL
        self.assertEqual(libraries - tools - set(materials.LINKED), set())

    def test_the_bill_names_the_fft_of_the_build(self):
        import materials
        self.assertIsNone(materials.fft_of(self.root / "build/absent"))
        build = self.root / "build/release"
        build.mkdir(parents=True)
        for choice, expected, absent in (("fftw", "libfftw3-dev", "ducc0"), ("ducc", "ducc0", "libfftw3-dev")):
            (build / "CMakeCache.txt").write_text(f"SPOKELAB_FFT:STRING={choice}\n")
            names = [name for name, _, _ in materials.parts_of(materials.fft_of(build))]
            self.assertIn(expected, names)
            self.assertNotIn(absent, names)

    def test_the_library_without_a_network_has_what_hdf5_calls(self):
        import no_network
        hdf5 = no_network.library_of(no_network.HDF5)
        if hdf5 is None or not no_network.wanted_of(hdf5, "curl") or not shutil.which("cc"):
            self.skipTest("HDF5 has no libcurl here, or there is no compiler")
        made = no_network.make(self.root / "build/without network")
        listed = subprocess.run(["nm", "-D", "--defined-only", made], capture_output=True, text=True, check=True).stdout
        for name, version in no_network.wanted_of(hdf5, "curl"):
            self.assertIn(f"{name}@@{version}", listed)
        needed = subprocess.run(["readelf", "-d", made], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("libssl", needed)

    def test_a_bundle_that_lacks_a_library_is_found(self):
        import bundling
        for name in ("libc.so.6", "ld-linux-x86-64.so.2", "libGL.so.1", "libstdc++.so.6", "libxcb.so.1"):
            self.assertTrue(bundling.OF_THE_SYSTEM.match(name), name)
        for name in ("libcurl.so.4", "libxcb-icccm.so.4", "libcrypto.so.3", "libGLEW.so.2.2", "libmatio.so.11"):
            self.assertFalse(bundling.OF_THE_SYSTEM.match(name), name)
        if not shutil.which("cc"):
            self.skipTest("there is no compiler")
        folder = self.root / "build/bundle"
        (folder / "lib").mkdir(parents=True)
        (folder / "one.c").write_text("int one(void) { return 1; }\n")
        (folder / "main.c").write_text("int one(void);\nint main(void) { return one(); }\n")
        one = folder / "lib/libone.so.1"
        subprocess.run(["cc", "-shared", "-fPIC", "-Wl,-soname,libone.so.1", "-o", one, folder / "one.c"], check=True)
        subprocess.run(["cc", "-o", folder / "main", folder / "main.c", one], check=True)
        self.assertEqual(bundling.check(folder), [])
        (folder / "lib/spokelab").mkdir()
        for module, script in bundling.SCRIPTS.items():
            (folder / "lib/spokelab" / module).write_text("")
            self.assertEqual(bundling.check(folder), [f"{module} starts {script}, which is not inside"])
            (folder / "lib/spokelab" / script).write_text("")
        one.unlink()
        self.assertEqual(bundling.check(folder), ["main needs libone.so.1, which is not inside"])

    def test_archives_do_not_depend_on_time_or_owner(self):
        folder = self.root / "build/pages"
        folder.mkdir(parents=True)
        (folder / "a.html").write_text("a")
        first = artefacts.archive_of(folder, "x", 7)
        (folder / "a.html").touch()
        self.assertEqual(artefacts.archive_of(folder, "x", 7), first)
        (folder / "a.html").write_text("b")
        self.assertNotEqual(artefacts.archive_of(folder, "x", 7), first)
