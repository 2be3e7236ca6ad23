"""Makes the files of a release. Archives have sorted names, one time (the commit's), one owner: the same bytes each time."""
import gzip
import io
import os
import shutil
import subprocess
import tarfile

TARGETS = ("source", "site", "bundle", "debs", "wheels")


def commit_time(root):
    return int(subprocess.run(["git", "-C", root, "log", "-1", "--format=%ct"], capture_output=True, text=True,
                              check=True).stdout)


def dated(root):
    """An environment in which packers write the commit's time instead of today's."""
    return {**os.environ, "SOURCE_DATE_EPOCH": str(commit_time(root))}


def packed(raw, file):
    with open(file, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as zipped:
        zipped.write(raw)


def source(root, version, out):
    name = f"spokelab-{version}"
    raw = subprocess.run(["git", "-C", root, "archive", "--format=tar", f"--prefix={name}/", "HEAD"],
                         capture_output=True, check=True).stdout
    packed(raw, out / f"{name}.tar.gz")


def archive_of(folder, name, time):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tar.gettarinfo(file, f"{name}/{file.relative_to(folder)}")
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname, entry.mode = time, 0, 0, "", "", 0o644
            with open(file, "rb") as content:
                tar.addfile(entry, content)
    return held.getvalue()


def site(root, version, out):
    folder = root / "build" / "site"
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([root / "packaging/site", folder], check=True)
    name = f"spokelab-{version}-site"
    packed(archive_of(folder, name, commit_time(root)), out / f"{name}.tar.gz")


def bundle(root, version, out):
    subprocess.run([root / "packaging/bundle", "--version", version, "--out", out], check=True)


def debs(root, version, out):
    build = root / "build" / "release"
    subprocess.run(["cmake", "--build", build, "--target", "packages"], check=True, env=dated(root))
    for file in build.glob("*.deb"):
        shutil.copy(file, out)


def wheels(root, version, out):
    subprocess.run([root / "packaging/wheels"], check=True, env=dated(root))
    for file in (root / "build" / "wheels").glob("*.whl"):
        shutil.copy(file, out)


def make(root, version, targets, out):
    """-> the files of these targets, in `out`, which is made anew."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for target in targets:
        globals()[target](root, version, out)
    return sorted(out.iterdir())
