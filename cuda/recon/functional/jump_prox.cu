#include "cuda/recon/functional/jump_prox.h"

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"

namespace spokelab::gpu {
namespace {

// A thread a pixel. Arrays are [frame, pixel], so that neighbouring threads read neighbours.
__global__ void jumpKernel(float2* v, float2* z, float2* u, float2* moves, float2* roots, std::int64_t frames,
                           std::int64_t n, float bound, int maxSteps) {
  const std::int64_t p = globalThread();
  if (p >= n) return;
  const std::int64_t jumps = frames - 1;
  for (std::int64_t t = 0; t < jumps; ++t) u[t * n + p] = z[t * n + p];
  float momentum = 1;
  for (int step = 0; step < maxSteps; ++step) {
    float uphill = 0, farthest = 0;
    float2 before{0, 0}, here = u[p], value = v[p];
    for (std::int64_t t = 0; t < jumps; ++t) {
      const std::int64_t i = t * n + p;
      const float2 after = t + 1 < jumps ? u[i + n] : float2{0, 0}, nextValue = v[i + n];
      float2 next{here.x + 0.25F * (nextValue.x - value.x + before.x - 2 * here.x + after.x),
                  here.y + 0.25F * (nextValue.y - value.y + before.y - 2 * here.y + after.y)};
      const float length = sqrtf(next.x * next.x + next.y * next.y);
      if (length > bound) next = scaled(next, bound / length);
      const float2 move = minus(next, z[i]);
      farthest = fmaxf(farthest, move.x * move.x + move.y * move.y);
      uphill += (here.x - next.x) * move.x + (here.y - next.y) * move.y;
      moves[i] = move;
      before = here;
      here = after;
      value = nextValue;
    }
    if (uphill > 0) momentum = 1;
    const float later = (1 + sqrtf(1 + 4 * momentum * momentum)) / 2, share = (momentum - 1) / later;
    momentum = later;
    for (std::int64_t t = 0; t < jumps; ++t) {
      const std::int64_t i = t * n + p;
      const float2 move = moves[i], reached = plus(z[i], move);
      z[i] = reached;
      u[i] = {reached.x + share * move.x, reached.y + share * move.y};
    }
    if (!(sqrtf(farthest) > float(minJumpStep) * bound)) break;
  }
  float lengths = 0;
  float2 last{0, 0}, earlier{0, 0};
  for (std::int64_t t = 0; t < frames; ++t) {
    const float2 later = t < jumps ? z[t * n + p] : float2{0, 0};
    const float2 x = plus(minus(v[t * n + p], earlier), later);
    if (t > 0) lengths += sqrtf((x.x - last.x) * (x.x - last.x) + (x.y - last.y) * (x.y - last.y));
    v[t * n + p] = last = x;
    earlier = later;
  }
  roots[p] = {sqrtf(lengths), 0};
}

}  // namespace

void jumpProx(const DeviceSpace& space, const JumpProx& prox, cfloat* values, cfloat* dual, cfloat* room,
              cfloat* roots) {
  const auto on = [](cfloat* x) { return reinterpret_cast<float2*>(x); };
  jumpKernel<<<blocksFor(prox.pixels), threadsPerBlock, 0,
               static_cast<cudaStream_t>(space.execution().stream)>>>(
      on(values), on(dual), on(room), on(room + (prox.frames - 1) * prox.pixels), on(roots), prox.frames,
      prox.pixels, float(prox.threshold), prox.maxSteps);
  checkLaunch("shrinking jumps between frames");
}

}  // namespace spokelab::gpu
