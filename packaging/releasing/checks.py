"""What has to agree before a release is made."""
import re
import subprocess


def git(root, *words):
    return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True).stdout.strip()


def found(root, file, pattern):
    match = re.search(pattern, (root / file).read_text(encoding="utf-8"), re.MULTILINE)
    return match.group(1) if match else None


def faults(root, version):
    """-> sentences; none: the release can be made."""
    match = re.fullmatch(r"(\d+\.\d+\.\d+)(-rc\d+)?", version)
    if not match:
        return [f"{version} is not a version such as 1.0.0 or 1.0.0-rc1"]
    base, candidate = match.groups()
    wrong = []
    if git(root, "status", "--porcelain"):
        wrong.append("the tree has changes that are not committed")
    if git(root, "tag", "--list", f"v{version}"):
        wrong.append(f"the tag v{version} is there already")
    for file, pattern in [("CMakeLists.txt", r"project\(spokelab VERSION ([0-9.]+)"),
                          ("CITATION.cff", r"^version: (\S+)"),
                          ("packaging/desktop/org.spokelab.Spokelab.metainfo.xml", r'<release version="([^"]+)"')]:
        named = found(root, file, pattern)
        if named != base:
            wrong.append(f"{file} names version {named}, not {base}")
    heading = found(root, "CHANGELOG.md", rf"^## {re.escape(base)}(.*)$")
    if heading is None:
        wrong.append(f"CHANGELOG.md has no heading for {base}")
    elif "unreleased" in heading and not candidate:
        wrong.append(f"CHANGELOG.md calls {base} unreleased: write its date there")
    return wrong
