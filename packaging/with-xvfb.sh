#!/bin/sh
# with-xvfb.sh CMD…: runs CMD on a separate X server (Xvfb, software OpenGL) and returns its exit status.
# The server picks a free display number itself (-displayfd), so that tests can start at the same time.
# Exit status 125: the server did not start.
set -u
dir=$(mktemp -d) || exit 125
mkfifo "$dir/display" || exit 125
Xvfb -displayfd 3 -screen 0 "${XVFB_SCREEN:-1600x1000x24}" -nolisten tcp -noreset +extension GLX +render \
  3>"$dir/display" >"$dir/log" 2>&1 &
server=$!
finish() {
  kill "$server" 2>/dev/null
  wait "$server" 2>/dev/null
  rm -rf "$dir"
}
trap finish EXIT
trap 'exit 143' INT TERM
number=$(timeout 30 head -n1 "$dir/display")
if [ -z "$number" ]; then
  echo "with-xvfb.sh: Xvfb did not start:" >&2
  cat "$dir/log" >&2
  exit 125
fi
export DISPLAY=":$number"
export LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe LP_NUM_THREADS="${LP_NUM_THREADS:-2}"
export QT_QPA_PLATFORM=xcb QT_XCB_GL_INTEGRATION=xcb_glx
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$dir}"
unset WAYLAND_DISPLAY XAUTHORITY
"$@"
