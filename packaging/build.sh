# shellcheck shell=sh disable=SC2034,SC2154
# Sourced by packaging/run and packaging/test: what they share. POSIX shell.
# After it, $root is the checkout and $build the release build folder.
#
# Environment: SPOKELAB_JOBS (parallel compilers), SPOKELAB_WERROR=ON, SPOKELAB_CUDA=ON|OFF.

build="$root/build/release"

# a|b: the first that the distribution has. a?: where the distribution has it (Debian 13 split the SVG plugins off).
packages="g++ cmake ninja-build ca-certificates \
  qt6-base-dev qt6-base-dev-tools libqt6opengl6-dev|qt6-base-dev qt6-svg-dev|libqt6svg6-dev qt6-svg-plugins? qt6-qpa-plugins \
  libqcustomplot-dev libvtk9-dev libgl-dev libopengl-dev libgl1-mesa-dri fontconfig fonts-dejavu-core xvfb xauth \
  libfftw3-dev libhdf5-dev libismrmrd-dev libpugixml-dev libnifti2-dev libniftiio-dev libznz-dev zlib1g-dev \
  libzip-dev libmatio-dev libdcmtk-dev libtbb-dev libxsimd-dev libeigen3-dev libpng-dev libseccomp-dev nlohmann-json3-dev libcli11-dev locales?"

# For the tests of ranks; libvtk9-dev brings most of it.
mpi_packages="libopenmpi-dev openmpi-bin"

# For the tests of the Python package.
python_packages="python3-dev python3-venv"

say() { printf '%s\n' "spokelab: $*"; }

die() {
  printf '%s\n' "spokelab: $*" >&2
  exit 1
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# known PACKAGE: the package lists have it.
known() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "installing packages needs root or sudo: run this once as root, or install by hand:$missing"
  fi
}

# missing_of 'a|b' …: sets $missing to the entries of which no alternative is installed.
missing_of() {
  missing=""
  for entry in "$@"; do
    found=""
    case $entry in
      *\?)
        if installed "${entry%\?}" || ! known "${entry%\?}"; then found=1; fi
        ;;
    esac
    for name in $(printf '%s' "$entry" | tr '|' ' '); do
      if installed "$name"; then found=1; fi
    done
    [ -n "$found" ] || missing="$missing $entry"
  done
}

# install_packages 'a|b' …: installs what is missing; does not touch the network when nothing is.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system: taking it that these packages' counterparts are installed: $*"
    return
  fi
  missing_of "$@"
  [ -n "$missing" ] || return 0
  say "installing:$missing"
  as_root apt-get update -q || die "the package lists could not be updated: is there a network?"
  missing_of "$@"  # again: the new lists may know more
  chosen=""
  for entry in $missing; do
    pick=""
    for name in $(printf '%s' "${entry%\?}" | tr '|' ' '); do
      if [ -z "$pick" ] && known "$name"; then pick=$name; fi
    done
    [ -n "$pick" ] || die "this distribution has no package $entry (Debian 12 or newer is needed)"
    chosen="$chosen $pick"
  done
  # A machine that lives for one CI job need not wait for each file to reach the disk.
  unsafe=""
  [ -z "${CI:-}" ] || unsafe="-o Dpkg::Options::=--force-unsafe-io"
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $unsafe $chosen ||
    die "the packages could not be installed:$chosen"
}

# One compiler a core, but not more than the memory holds (about 1.5 GB each).
jobs() {
  cores=$(nproc 2>/dev/null || echo 1)
  memory=$(awk '/MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null)
  [ "${memory:-0}" -ge 1 ] || memory=1
  [ "$cores" -le "$memory" ] || cores=$memory
  echo "${SPOKELAB_JOBS:-$cores}"
}

# python_environment: a Python with the packages that the Python package and its tests need, where the package index can
# be reached. Where it cannot, those tests skip and say so.
python_environment() {
  python="$build/python-environment"
  [ ! -f "$python/complete" ] || return 0
  mkdir -p "$build"
  if python3 -m venv "$python" >"$build/python.log" 2>&1 &&
    timeout 300 "$python/bin/pip" install --quiet --disable-pip-version-check --retries 0 --timeout 20 \
      'nanobind>=2.5' 'numpy>=1.22' scipy >>"$build/python.log" 2>&1; then
    touch "$python/complete"
  else
    rm -rf "$python"
    say "Python's package index is out of reach (see $build/python.log): the tests of the Python package skip"
  fi
}

# configure_and_build TARGET…: release, in $build; quiet where there is nothing to do.
configure_and_build() {
  set -- --target "$@"
  options=""
  [ -z "${SPOKELAB_WERROR:-}" ] || options="$options -DSPOKELAB_WERROR=$SPOKELAB_WERROR"
  [ -z "${SPOKELAB_CUDA:-}" ] || options="$options -DSPOKELAB_CUDA=$SPOKELAB_CUDA"
  [ ! -f "$build/python-environment/complete" ] || options="$options -DPython_EXECUTABLE=$build/python-environment/bin/python"
  mkdir -p "$build"
  # shellcheck disable=SC2086
  if ! (cd "$root" && cmake --preset release -DSPOKELAB_GUI=ON -DSPOKELAB_TESTS=ON $options) >"$build/configure.log" 2>&1; then
    cat "$build/configure.log" >&2
    die "CMake could not configure the build (see above)"
  fi
  say "building in $build"
  cmake --build "$build" --parallel "$(jobs)" "$@" || die "the build failed (see above)"
}

# list_sources FOLDER [CMAKE ARGUMENT…]: configures FOLDER file by file and without precompiled headers. Its
# compile_commands.json names each source with its flags.
list_sources() {
  folder=$1
  shift
  mkdir -p "$folder"
  (cd "$root" && cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSPOKELAB_UNITY=OFF -DSPOKELAB_WERROR=ON \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DSPOKELAB_GUI=ON -DSPOKELAB_TESTS=ON -DSPOKELAB_CUDA=OFF -DSPOKELAB_MPI=OFF \
    -DSPOKELAB_PYTHON=OFF "$@") >"$folder/configure.log" 2>&1 ||
    { cat "$folder/configure.log" >&2; die "CMake could not configure $folder (see above)"; }
}
