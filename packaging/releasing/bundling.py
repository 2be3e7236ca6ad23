"""A folder that holds the programs and all libraries that they need, and that can be moved."""
import os
import pathlib
import re
import shutil
import stat
import subprocess

# What the system has to bring: glibc and GCC's runtime libraries, and what belongs to its display: drivers of OpenGL need
# these in the version that they were built with.
OF_THE_SYSTEM = re.compile(
    r"^(linux-vdso|ld-linux[-\w]*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libnsl|libanl|libmvec|libstdc\+\+|libgcc_s|"
    r"libGL|libGLX|libEGL|libGLdispatch|libOpenGL|libGLESv2|libgbm|libdrm|libX11|libX11-xcb|libxcb|libXau|libXdmcp|libbsd|"
    r"libmd)\.so")
# Qt's plug-ins that a desktop program may ask for: no framebuffers, no remote displays.
QT_PLUGINS = ["platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqminimal.so",
              "platforms/libqwayland-generic.so", "platforms/libqwayland-egl.so", "wayland-shell-integration/*.so",
              "xcbglintegrations/*.so", "iconengines/libqsvgicon.so", "imageformats/libqsvg.so", "imageformats/libqjpeg.so",
              "platforminputcontexts/*.so", "platformthemes/libqxdgdesktopportal.so"]


def run(*words, **more):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True, **more).stdout


def is_elf(file):
    with open(file, "rb") as content:
        return content.read(4) == b"\x7fELF"


def libraries_of(file, first):
    """-> {name: path} of all libraries that a file loads, those in the folder `first` before others."""
    listed = run("ldd", file, env={**os.environ, "LD_LIBRARY_PATH": str(first)})
    missing = re.findall(r"(\S+) => not found", listed)
    if missing:
        raise SystemExit(f"packaging/bundle: {file} needs {', '.join(missing)}, which is not installed")
    return {name: pathlib.Path(path) for name, path in re.findall(r"^\s*(\S+) => (/\S+) \(", listed, re.MULTILINE)}


def package_of(file):
    """-> the Debian package that a library is from, or None."""
    for path in (file, file.resolve(), pathlib.Path(str(file.resolve()).removeprefix("/usr"))):
        done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(":")[0]
    return None


def qt_plugins():
    for tool in ("qmake6", "/usr/lib/qt6/bin/qmake6", "/usr/lib/qt6/bin/qmake"):
        if shutil.which(tool):
            return pathlib.Path(run(tool, "-query", "QT_INSTALL_PLUGINS").strip())
    found = sorted(pathlib.Path("/usr/lib").glob("*/qt6/plugins"))
    return found[0] if found else None


# Modules that start a script beside them.
SCRIPTS = {"libspokelab_python_plugins.so": "spokelab_plugin_host.py"}


def collect(build, root, folder, without_network):
    """Fills `folder`: programs and modules as `cmake --install` places them, then libraries, plug-ins, licences."""
    shutil.rmtree(folder, ignore_errors=True)
    stage = folder.with_name(folder.name + ".stage")
    shutil.rmtree(stage, ignore_errors=True)
    # Modules are loaded from lib/spokelab beside bin, wherever the distribution has its libraries.
    run("cmake", "--install", build, "--prefix", stage, "--component", "Unspecified")
    (folder / "lib/spokelab").mkdir(parents=True)
    shutil.move(stage / "bin", folder / "bin")
    shutil.move(stage / "share", folder / "share")
    shutil.rmtree(folder / "share/doc/spokelab/resources", ignore_errors=True)  # the window holds the guide
    for module in sorted(stage.glob("lib/**/spokelab/*")):  # and the scripts that modules start
        shutil.move(module, folder / "lib/spokelab" / module.name)
    shutil.rmtree(stage)

    window = (folder / "bin/spokelab").exists()
    plugins = folder / "lib/qt6/plugins"
    source = qt_plugins() if window else None
    origins = {}
    for pattern in QT_PLUGINS if source else []:
        for file in sorted(source.glob(pattern)):
            target = plugins / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
            origins[target] = file
    if window:
        (folder / "bin/qt.conf").write_text("[Paths]\nPrefix = ..\nPlugins = lib/qt6/plugins\n")

    held = {file: origins.get(file, file) for file in folder.rglob("*") if file.is_file() and is_elf(file)}
    packages = {package_of(file) for file in origins.values()}
    for file in list(held):
        for name, path in libraries_of(held[file], without_network).items():
            target = folder / "lib" / name
            if OF_THE_SYSTEM.match(name) or target in held:
                continue
            shutil.copy(path, target)
            held[target] = path
            packages.add(package_of(path))
    for file in sorted(held):
        file.chmod(0o755)
        run("strip", "--strip-unneeded", file)
        to_libraries = os.path.relpath(folder / "lib", file.parent)
        run("patchelf", "--set-rpath", "$ORIGIN" if to_libraries == "." else f"$ORIGIN/{to_libraries}", file)
    licences = folder / "share/doc/spokelab/licences"
    licences.mkdir(parents=True)
    for package in sorted(packages - {None}):
        text = pathlib.Path("/usr/share/doc") / package / "copyright"
        if text.exists():
            shutil.copy(text, licences / package)
    for licence in sorted({line for p in licences.iterdir() for line in
                           re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", p.read_text(errors="replace"))}):
        full = pathlib.Path("/usr/share/common-licenses") / licence
        if full.exists():
            shutil.copy(full, licences / f"common-{licence}")
    shutil.copy(root / "packaging/desktop/install-desktop", folder / "install-desktop")
    (folder / "install-desktop").chmod(0o755)
    return held


def check(folder):
    """-> sentences about libraries that only this machine has, and about a module whose script is missing."""
    wrong = []
    modules = folder / "lib/spokelab"
    for module, script in SCRIPTS.items():
        if (modules / module).exists() and not (modules / script).exists():
            wrong.append(f"{module} starts {script}, which is not inside")
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or not is_elf(file):
            continue
        needed = re.findall(r"NEEDED\).*\[(.*)\]", run("readelf", "-d", file))
        for name in needed:
            if not OF_THE_SYSTEM.match(name) and not (folder / "lib" / name).exists():
                wrong.append(f"{file.relative_to(folder)} needs {name}, which is not inside")
    return wrong


def mode_of(file):
    return 0o755 if file.stat().st_mode & stat.S_IXUSR else 0o644
