// The kernels of gdft_given.h: field-corrected transforms, summed term by term, for pixels at given
// coordinates. Coordinates, times and field values come as pairs of floats (high and low halves),
// because a phase of many turns needs more digits than a float has (gdft_arrays.h).
#include "cuda/recon/field/gdft_given.h"

#include "cuda/device/check.h"
#include "cuda/recon/field/gdft_math.cuh"
#include "cuda/recon/field/gdft_parts.h"

namespace spokelab::gpu {
namespace {

constexpr int threads = 256;
constexpr int tile = 128;  // inputs in shared memory

// One output a thread: a sample (forward) or a pixel. a, aLow and c belong to the output; b, bLow
// and v to an input of the tile. modulated: each term is multiplied by B (gdft_arrays.h);
// bent: phases of second order are added. Threads
// beyond the last output work, too, because all threads of a block fill the tile; they write
// nothing.
template <bool forward, bool modulated, bool bent>
__global__ void __launch_bounds__(threads)
    givenKernel(GdftSampleArrays s, GdftPixelArrays p, const float2* __restrict__ in, GdftTarget out,
                int inputsPerBlock) {
  __shared__ float4 place[tile], placeLow[tile], value[tile], extra[modulated ? tile : 1];
  __shared__ float4 bend[bent ? tile : 1], bendLow[bent ? tile : 1];
  const std::int64_t outputs = forward ? s.count : p.count, inputs = forward ? p.count : s.count;
  const std::int64_t o = std::int64_t(blockIdx.x) * threads + threadIdx.x;
  const std::int64_t own = min(o, outputs - 1);
  const float4 a = forward ? s.k[own] : p.r[own], aLow = forward ? s.kLow[own] : p.rLow[own];
  const float2 c = forward ? s.time[own] : p.field[own];
  float4 gradient = make_float4(0, 0, 0, 0);
  float3 voxel = make_float3(0, 0, 0);
  if constexpr (modulated) {
    if (forward)
      voxel = voxelOf(s, p, own);
    else
      gradient = p.gradient[own];
  }
  float4 ownBend = make_float4(0, 0, 0, 0), ownBendLow = ownBend;
  if constexpr (bent) {
    ownBend = forward ? s.bend[own] : p.bend[own];
    ownBendLow = forward ? s.bendLow[own] : p.bendLow[own];
  }
  float re = 0, im = 0;
  const std::int64_t begin = std::int64_t(partOf(out)) * inputsPerBlock,
                     end = min(begin + inputsPerBlock, inputs);
  for (std::int64_t i0 = begin; i0 < end; i0 += tile) {
    __syncthreads();
    for (int i = threadIdx.x; i < tile; i += threads) {
      // The last tile is filled up with inputs whose value is 0.
      const bool inside = i0 + i < end;
      const std::int64_t at = inside ? i0 + i : i0;
      place[i] = forward ? p.r[at] : s.k[at];
      placeLow[i] = forward ? p.rLow[at] : s.kLow[at];
      const float2 f = forward ? p.field[at] : s.time[at], v = inside ? in[at] : make_float2(0, 0);
      value[i] = make_float4(f.x, f.y, v.x, v.y);
      if constexpr (bent) {
        bend[i] = forward ? p.bend[at] : s.bend[at];
        bendLow[i] = forward ? p.bendLow[at] : s.bendLow[at];
      }
      if constexpr (modulated) {
        if (forward) {
          extra[i] = p.gradient[at];
        } else {
          const float3 w = voxelOf(s, p, at);
          extra[i] = make_float4(w.x, w.y, w.z, 0);
        }
      }
    }
    __syncthreads();
    float tileRe = 0, tileIm = 0;
    for (int i = 0; i < tile; ++i) {
      const float4 b = place[i], bLow = placeLow[i], v = value[i];
      float turns = reducedTurns(a.x, aLow.x, b.x, bLow.x) + reducedTurns(a.y, aLow.y, b.y, bLow.y);
      turns += reducedTurns(a.z, aLow.z, b.z, bLow.z);
      turns += forward ? reducedTurns(v.x, v.y, c.x, c.y) : reducedTurns(c.x, c.y, v.x, v.y);
      float phase = turns * gdftTwoPi;
      if constexpr (bent) phase += bentPhase(ownBend, ownBendLow, bend[i], bendLow[i]);
      float sine, cosine;
      __sincosf(phase, &sine, &cosine);
      if constexpr (modulated) {
        const float4 e = extra[i];
        const float factor =
            forward ? modulation<GdftForm::sincAny, true>(voxel, e, c.x)
                    : modulation<GdftForm::sincAny, true>(make_float3(e.x, e.y, e.z), gradient, v.x);
        sine *= factor;
        cosine *= factor;
      }
      if (forward) sine = -sine;
      tileRe = fmaf(-v.w, sine, fmaf(v.z, cosine, tileRe));
      tileIm = fmaf(v.z, sine, fmaf(v.w, cosine, tileIm));
    }
    re += tileRe;
    im += tileIm;
  }
  if (o < outputs) addTo(out, o, re, im);
}

template <bool forward>
void givenOn(GdftForm form, const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in,
             GdftSums& out, cudaStream_t stream) {
  const std::int64_t outputs = forward ? s.count : p.count, inputs = forward ? p.count : s.count;
  const std::int64_t blocks = (outputs + threads - 1) / threads;
  const std::int64_t length = partLength(inputs, tile, blocks);
  const auto kernel =
      isBent(form) ? isModulated(form) ? givenKernel<forward, true, true> : givenKernel<forward, false, true>
      : isModulated(form) ? givenKernel<forward, true, false>
                          : givenKernel<forward, false, false>;
  out.add(partsOf(inputs, length), stream, [&](const GdftTarget& to, unsigned rows) {
    kernel<<<dim3(unsigned(blocks), rows), threads, 0, stream>>>(s, p, in, to, int(length));
  });
}

}  // namespace

void launchGivenForward(GdftForm form, const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in,
                        GdftSums& out, cudaStream_t stream) {
  givenOn<true>(form, s, p, in, out, stream);
  checkLaunch("summing a field-corrected transform");
}

void launchGivenAdjoint(GdftForm form, const GdftSampleArrays& s, const GdftPixelArrays& p, const float2* in,
                        GdftSums& out, cudaStream_t stream) {
  givenOn<false>(form, s, p, in, out, stream);
  checkLaunch("summing a field-corrected transform");
}

}  // namespace spokelab::gpu
