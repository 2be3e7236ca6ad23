"""The bill of materials: what a release's files are, and what its programs are linked with, under which licence."""
import datetime
import hashlib
import json
import pathlib
import re
import subprocess

from artefacts import commit_time

# The development packages that the build takes, and the licences of what they hold.
LINKED = {
    "libfftw3-dev": "GPL-2.0-or-later", "qt6-base-dev": "LGPL-3.0-only", "libqcustomplot-dev": "GPL-3.0-or-later",
    "libvtk9-dev": "BSD-3-Clause", "libtbb-dev": "Apache-2.0", "libhdf5-dev": "BSD-3-Clause",
    "libismrmrd-dev": "LicenseRef-ISMRMRD", "libpugixml-dev": "MIT", "libnifti2-dev": "LicenseRef-public-domain",
    "zlib1g-dev": "Zlib", "libzip-dev": "BSD-3-Clause", "libmatio-dev": "BSD-2-Clause", "libdcmtk-dev": "BSD-3-Clause",
    "libxsimd-dev": "BSD-3-Clause", "libeigen3-dev": "MPL-2.0", "libpng-dev": "libpng-2.0",
    "libseccomp-dev": "LGPL-2.1-only", "nlohmann-json3-dev": "MIT", "libcli11-dev": "BSD-3-Clause"}
# The FFT that a build takes (SPOKELAB_FFT) in place of FFTW, by name and version of its source package.
DUCC = ("ducc0", "BSD-3-Clause")
REFERENCES = {"LicenseRef-ISMRMRD": "ISMRMRD software license agreement, permissive; see the package's copyright file",
              "LicenseRef-public-domain": "In the public domain"}


def digest(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def sums(files):
    """As sha256sum --check reads them."""
    return "".join(f"{digest(file)}  {file.name}\n" for file in sorted(files, key=lambda f: f.name))


def installed(package):
    done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def fft_of(build):
    """-> the version of DUCC where a build folder has it in place of FFTW, else None."""
    cache = build / "CMakeCache.txt"
    if not cache.exists() or not re.search(r"^SPOKELAB_FFT:STRING=ducc$", cache.read_text(encoding="utf-8"), re.MULTILINE):
        return None
    text = (pathlib.Path(__file__).parents[1] / "cmake/SpokelabFft.cmake").read_text(encoding="utf-8")
    return re.search(r"set\(ducc_version ([0-9.]+)\)", text).group(1)


def parts_of(ducc):
    """-> (name, version, licence) of all that the programs are linked with."""
    parts = [(name, installed(name) or "NOASSERTION", licence) for name, licence in sorted(LINKED.items())
             if not (ducc and name == "libfftw3-dev")]
    return parts + ([(DUCC[0], ducc, DUCC[1])] if ducc else [])


def document(root, version, files, ducc=None):
    """SPDX 2.3 as JSON, the same text for the same files on the same distribution. ducc: fft_of the build."""
    whole = hashlib.sha256("".join(digest(file) for file in files).encode()).hexdigest()
    time = datetime.datetime.fromtimestamp(commit_time(root), datetime.timezone.utc)
    packages = [{"SPDXID": "SPDXRef-Spokelab", "name": "spokelab", "versionInfo": version, "downloadLocation": "NOASSERTION",
                 "licenseDeclared": "MIT", "licenseConcluded": "GPL-3.0-or-later", "copyrightText": "The Spokelab authors",
                 "comment": "Sources are under MIT; binaries are linked with parts under the GPL.", "filesAnalyzed": False}]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Spokelab")]
    for name, held_version, licence in parts_of(ducc):
        identity = f"SPDXRef-{name}"
        packages.append({"SPDXID": identity, "name": name, "versionInfo": held_version,
                         "downloadLocation": "NOASSERTION", "licenseDeclared": licence, "licenseConcluded": licence,
                         "copyrightText": "NOASSERTION", "filesAnalyzed": False})
        relations.append(("SPDXRef-Spokelab", "DEPENDS_ON", identity))
    held = []
    for number, file in enumerate(files):
        identity = f"SPDXRef-File-{number}"
        held.append({"SPDXID": identity, "fileName": f"./{file.name}", "licenseConcluded": "NOASSERTION",
                     "copyrightText": "NOASSERTION", "checksums": [
                         {"algorithm": "SHA1", "checksumValue": hashlib.sha1(file.read_bytes()).hexdigest()},
                         {"algorithm": "SHA256", "checksumValue": digest(file)}]})
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", identity))
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"spokelab-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/spokelab-{version}-{whole[:32]}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: packaging/release"]},
        "hasExtractedLicensingInfos": [{"licenseId": name, "extractedText": text} for name, text in REFERENCES.items()],
        "packages": packages, "files": held,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b}
                          for a, kind, b in relations]}, indent=1) + "\n"
