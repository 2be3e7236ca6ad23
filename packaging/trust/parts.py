"""Compiles sources of one folder again, with other flags or other text, and links a test program of build/release with them.
The rest is not compiled: the new objects come first, and the linker takes the first definition of a function. That holds as
the engine is compiled as position-independent code, where the compiler does not inline functions of other names' space."""
import json
import pathlib
import re
import shlex
import subprocess

# Test programs by the folder that they test (tests/CMakeLists.txt).
GROUPS = {"engine/core": "test_engine_core", "engine/nufft": "test_engine_nufft", "engine/scan": "test_engine_scan",
          "engine/recon": "test_engine_recon", "engine/profile": "test_engine_profile"}


class NotBuilt(Exception):
    pass


def group_of(folder):
    """-> name of the test program for a folder."""
    for room, program in GROUPS.items():
        if folder == room or folder.startswith(room + "/"):
            return program
    raise NotBuilt(f"{folder} is in no room of the engine: {', '.join(GROUPS)}")


def compile_command(build, root, source, extra, made):
    """-> words that compile `source` of the engine into `made`, with `extra` flags."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    target = "engine/CMakeFiles/spokelab_engine.dir"
    own = [e for e in entries if pathlib.Path(e["file"]) == root / source]
    # A source that is compiled together with others has no command: that of its folder's step, or of any, is the same.
    others = [e for e in entries if target in e["command"] and "/Unity/" in e["file"]]
    entry = (own or others or [None])[0]
    if entry is None:
        raise NotBuilt(f"{build} has no command for {source}")
    words = shlex.split(entry["command"])
    words = words[next(i for i, w in enumerate(words) if w.endswith(("c++", "g++", "clang++"))):]  # not ccache
    kept, skip = [], False
    for number, word in enumerate(words):
        if skip:
            skip = False
        elif word in ("-o", "-MT", "-MF"):
            skip = True
        elif word == "-include" and words[number + 1].endswith("cmake_pch.hxx"):
            skip = True
        elif word not in ("-c", "-MD", "-Winvalid-pch", "-fpch-preprocess", "-Werror", entry["file"]):
            kept.append(word)
    return [*kept, *extra, "-I", str((root / source).parent), "-o", str(made)]


def link_command(build, program, objects, made, extra=()):
    """-> a shell command that links a test program with `objects` first."""
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", f"tests/bin/{program}"], capture_output=True, text=True)
    lines = [line for line in listed.stdout.splitlines() if f" -o tests/bin/{program} " in line]
    if not lines:
        raise NotBuilt(f"{build} does not build tests/bin/{program}")
    first = " ".join(shlex.quote(str(o)) for o in objects)
    line = lines[-1].split("&&", 1)[1].rsplit("&&", 1)[0]
    return re.sub(rf" -o tests/bin/{program} ",
                  f" -Wl,--allow-multiple-definition {' '.join(extra)} -o {shlex.quote(str(made))} {first} ", line)


def sources_of(root, names):
    """-> sources, relative to the root, of folders and files; of a whole room those of its folders, too, but for a module
    that is a library by itself."""
    found = []
    for name in names:
        path = root / name
        sources = path.rglob("*.cpp") if name in GROUPS else path.glob("*.cpp")
        found += sorted(p.relative_to(root).as_posix() for p in sources if p.parent.name != "module") if path.is_dir() else [name]
    return found


def tests_of(root, folder):
    """-> properties that the tests of a folder show: `test_engine_nufft PROPERTY` runs one."""
    place = root / "tests" / folder
    place = place if place.is_dir() else place.parent
    tests = place.rglob("test_*.cpp") if folder in GROUPS else place.glob("test_*.cpp")
    return [p.stem.removeprefix("test_") for p in sorted(tests)]
