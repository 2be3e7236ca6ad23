"""A libcurl that reaches nothing. Debian's HDF5 can read files of a web store, by libcurl, which brings Kerberos, LDAP and
TLS: thirty libraries that Spokelab never calls. What is passed on (bundle, wheels) has this library in their place; it
says, to whoever calls it, that there is no transfer to be had."""
import pathlib
import re
import subprocess
import sys

HDF5 = "libhdf5_serial.so"


def library_of(name):
    """-> the path of the library whose name starts so, or None."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    found = re.search(rf"^\s*{re.escape(name)}\S* .*=> (\S+)$", listed, re.MULTILINE)
    return pathlib.Path(found.group(1)) if found else None


def wanted_of(file, library):
    """-> (function, version) that `file` takes from a library."""
    listed = subprocess.run(["nm", "-D", "--undefined-only", file], capture_output=True, text=True, check=True).stdout
    return re.findall(rf"^\s+U ({library}_\w+)@(\w+)$", listed, re.MULTILINE)


def make(folder, compiler="cc"):
    """Writes libcurl.so.4 into `folder`. -> its path; None: HDF5 is linked with no libcurl here."""
    hdf5 = library_of(HDF5)
    wanted = wanted_of(hdf5, "curl") if hdf5 else []
    if not wanted:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    source, script, made = folder / "libcurl.c", folder / "libcurl.map", folder / "libcurl.so.4"
    # As pointers they are null, as CURLcode 0 from the set-up; no handle ever exists that they could be called with.
    source.write_text("".join(f"void* {name}(void) {{ return 0; }}\n" for name, _ in sorted(wanted)))
    versions = sorted({version for _, version in wanted})
    script.write_text("".join(f"{version} {{ global: {' '.join(n + ';' for n, v in sorted(wanted) if v == version)} }};\n"
                              for version in versions))
    subprocess.run([compiler, "-shared", "-fPIC", "-Os", "-s", "-Wl,-soname,libcurl.so.4", f"-Wl,--version-script={script}",
                    "-o", made, source], check=True)
    return made


if __name__ == "__main__":
    made = make(pathlib.Path(sys.argv[1]))
    print(made.parent if made else "")
