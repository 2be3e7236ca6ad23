#!/bin/bash
# gpu_session.sh OUT KIT [PART...]: what is measured on a borrowed GPU machine, in as little time as it takes. Parts, all in this order
# where none is named:
#   build     the program, the CUDA module and the benches, nothing else; beside it the peer, where the kit holds its source
#   tests     the GPU's tests of points, and what is new
#   draws     bench_gpu_draws in three orders: random beside the peer, after 50 tiny problems, a process each (ours alone)
#   tuner     bench_gpu_tuner
#   commands  whole commands, from exec to exit
# OUT gets session.log, draws-random.json, draws-tiny.json, draws-fresh.json, orders.json, tuner.json, commands.json.
# KIT, a folder, of which all may be missing: kit.tar.xz (libraries, with kit/kit.cmake, a CMake toolchain file that finds them), peer/ with
# build-peer.sh (the peer's source, and what builds its lib/libcufinufft.so), brain/scan.json (a scan). Variables: SEED of the draws,
# DRAWS, MINUTES of the draws beside the peer, JOBS, ARCH.
set -u
out=$(mkdir -p "$1" && cd "$1" && pwd) || exit 2
kit=$(cd "$2" && pwd) || exit 2
shift 2
parts=${*:-build tests draws tuner commands}
root=$(cd "$(dirname "$0")/../.." && pwd)
build="$root/build/gpu"; peer="$root/build/peer"
seed=${SEED:-20261129}; draws=${DRAWS:-40}; minutes=${MINUTES:-3}
jobs=${JOBS:-$(nproc)}; arch=${ARCH:-90}
cuda=$(dirname "$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")
export PATH="$cuda/bin:$PATH"
export LD_LIBRARY_PATH="$peer/lib:$cuda/lib64:$cuda/targets/x86_64-linux/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
bin="$build/tests/bench"; module="$build/libspokelab_cuda.so"
status=0
failed() { echo "FAILED: $*"; status=1; }
step() { printf '\n=== %s (%s)\n' "$*" "$(date +%T)"; }

build_all() {
  step build
  peer_flags=""
  if [ -x "$kit/build-peer.sh" ] && [ -d "$kit/peer" ]; then
    peer_flags="-DCUFINUFFT_LIBRARY=$peer/lib/libcufinufft.so -DCUFINUFFT_INCLUDE_DIR=$kit/peer/include"
    JOBS=$jobs "$kit/build-peer.sh" "$kit/peer" "$peer" >"$peer.log" 2>&1 &
    peer_job=$!
  fi
  toolchain=""
  [ -f "$kit/kit.tar.xz" ] && [ ! -d "$root/build/kit" ] && tar -xf "$kit/kit.tar.xz" -C "$root/build"
  [ -f "$root/build/kit/kit.cmake" ] && toolchain="-DCMAKE_TOOLCHAIN_FILE=$root/build/kit/kit.cmake"
  # shellcheck disable=SC2086
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSPOKELAB_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES="$arch" \
    -DSPOKELAB_GUI=OFF -DSPOKELAB_PYTHON=OFF -DSPOKELAB_MPI=OFF -DSPOKELAB_TESTS=ON -DSPOKELAB_CCACHE=OFF $toolchain $peer_flags >"$build.log" 2>&1 ||
    { tail -20 "$build.log"; failed configure; return 1; }
  ninja -C "$build" -j "$jobs" spokelab_cuda spokelab-cli test_cuda >>"$build.log" 2>&1 || { tail -30 "$build.log"; failed build; return 1; }
  step "peer"
  if [ -n "$peer_flags" ]; then
    wait "$peer_job" || { tail -20 "$peer.log"; failed peer; cmake "$build" -UCUFINUFFT_LIBRARY -UCUFINUFFT_INCLUDE_DIR >/dev/null; }
  fi
  ninja -C "$build" -j "$jobs" bench_bench_gpu_draws bench_bench_gpu_tuner >>"$build.log" 2>&1 || { tail -30 "$build.log"; failed benches; return 1; }
  step "built"
}

run_tests() {
  for test in gpu_bucket_tiles gpu_point_orders gpu_tensor_columns; do
    step "test $test"
    "$build/tests/bin/test_cuda" $test >"$build.test" 2>&1 || { grep -A2 '^FAIL' "$build.test" | head -40; failed $test; }
    grep '^Totals' "$build.test"
  done
}

run_draws() {
  step draws, random order, beside the peer
  "$bin/bench_bench_gpu_draws" "$module" --seed "$seed" --draws "$draws" --minutes "$minutes" --order random --json "$out/draws-random.json" || failed draws
  for order in tiny fresh; do
    step draws, "$order"
    "$bin/bench_bench_gpu_draws" "$module" --seed "$seed" --draws "$draws" --minutes "$minutes" --order $order --ours-only --json "$out/draws-$order.json" |
      tail -40 || failed "draws $order"
  done
  python3 "$root/tests/bench/draws/compare_orders.py" "$out"/draws-random.json "$out"/draws-tiny.json "$out"/draws-fresh.json --json "$out/orders.json" ||
    failed orders
}

run_tuner() {
  step tuner
  "$bin/bench_bench_gpu_tuner" "$module" --seed "$seed" --draws 20 --seconds 2 --minutes 1.5 --json "$out/tuner.json" || failed tuner
}

run_commands() {
  step whole commands
  brain=""
  [ -f "$kit/brain/scan.json" ] && brain="--brain $kit/brain/scan.json"
  # shellcheck disable=SC2086
  SPOKELAB_CUDA_MODULE="$module" python3 "$root/tests/bench/bench_commands.py" $brain --json "$out/commands.json" "$build/spokelab-cli" || failed commands
}

mkdir -p "$root/build"
{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
  for part in $parts; do
    case $part in
      build) build_all || break ;;
      tests) run_tests ;;
      draws) run_draws ;;
      tuner) run_tuner ;;
      commands) run_commands ;;
      *) failed "no part $part" ;;
    esac
  done
  step "end, status $status"
  echo "$status" >"$build.status"
} 2>&1 | tee -a "$out/session.log"
exit "$(cat "$build.status")"
