#include "cuda/recon/coils/walsh_maps.h"

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/recon/coils/block_vector.cuh"
#include "cuda/recon/coils/device_maps.h"
#include "engine/core/measure/spans.h"
#include "engine/recon/coils/local_covariance.h"

namespace spokelab::gpu {
namespace {

// vectors [pixel, coil]: the leading eigenvectors of blocks, 0 where a block holds less than
// minTrace.
template <int Lanes>
__global__ void __launch_bounds__(blockVectorThreads)
    blockVectors(Blocks p, float minTrace, const float2* values, const float2* references, float2* vectors) {
  const std::int64_t pixels = std::int64_t(p.size[0]) * p.size[1] * p.size[2], own = globalThread() / Lanes,
                     pixel = own < pixels ? own : pixels - 1;
  const int coil = int(threadIdx.x) % Lanes;
  float trace = 0;
  const float2 vector =
      blockVector<Lanes>(p, values, pixel, coil, coil < p.coils ? references[coil] : float2{0, 0}, trace);
  if (own < pixels && coil < p.coils)
    vectors[pixel * p.coils + coil] = trace >= minTrace ? vector : float2{0, 0};
}

struct Place {
  int low, high;
  float part;
};

struct Axes {
  const Place* places[3];
  int size[3];    // of the maps
  int coarse[2];  // of the vectors, x and y
};

// Interpolates linearly between the vectors of the surrounding pixels, with unit root of the sum of
// squares; 0 if more than half of the surrounding weight is 0. maps [coil, pixel].
__global__ void interpolate(Axes p, const float2* vectors, int coils, unsigned emptyCoils, float2* maps) {
  const std::int64_t pixels = std::int64_t(p.size[0]) * p.size[1] * p.size[2], pixel = globalThread();
  if (pixel >= pixels) return;
  const Place x = p.places[0][pixel % p.size[0]], y = p.places[1][pixel / p.size[0] % p.size[1]],
              z = p.places[2][pixel / p.size[0] / p.size[1]];
  std::int64_t at[8];
  float weight[8];
#pragma unroll
  for (int corner = 0; corner < 8; ++corner) {
    const bool right = corner & 1, up = corner & 2, deep = corner & 4;
    weight[corner] =
        (right ? x.part : 1 - x.part) * (up ? y.part : 1 - y.part) * (deep ? z.part : 1 - z.part);
    at[corner] = ((std::int64_t(deep ? z.high : z.low) * p.coarse[1] + (up ? y.high : y.low)) * p.coarse[0] +
                  (right ? x.high : x.low)) *
                 coils;
  }
  float share = 0, square = 0;
  for (int c = 0; c < coils; ++c) {
    float2 sum{0, 0};
#pragma unroll
    for (int corner = 0; corner < 8; ++corner) {
      const float2 v = vectors[at[corner] + c];
      share += weight[corner] * (v.x * v.x + v.y * v.y);
      sum = plus(sum, scaled(v, weight[corner]));
    }
    square += sum.x * sum.x + sum.y * sum.y;
    maps[c * pixels + pixel] = sum;
  }
  const float factor = share < minKnownShare || square < minMapSquare ? 0.0F : rsqrtf(square);
  for (int c = 0; c < coils; ++c)
    maps[c * pixels + pixel] =
        emptyCoils >> unsigned(c) & 1U ? float2{0, 0} : scaled(maps[c * pixels + pixel], factor);
}

}  // namespace

std::shared_ptr<const BackendMaps> walshMapsOnDevice(const WalshPixels& pixels, const Progress& progress) {
  const int coils = pixels.coils;
  if (coils > maxMapCoils) return nullptr;
  const Span range("coil maps", SpanKind::range);
  const Span traced("maps of pixels");
  progress.report(0, "Coil maps");
  Stream stream;
  const Index3 &size = pixels.centre->size, &matrix = pixels.matrix;
  const std::int64_t coarse = product(size);
  auto maps = std::make_shared<DeviceMaps>(coils * product(matrix));
  DeviceBuffer<float2> images, values(coarse * coils), references, vectors(coarse * coils);
  images.upload(reinterpret_cast<const float2*>(pixels.centre->images.data()), coarse * coils, stream.get());
  std::vector<float2> start;
  for (const cdouble& v : pixels.reference) start.push_back({float(v.real()), float(v.imag())});
  references.upload(start.data(), coils, stream.get());
  interleaveCoils<<<blocksFor(coarse * coils), threadsPerBlock, 0, stream.get()>>>(
      images.data(), 0, coils, coils, coarse, values.data());
  checkLaunch("estimating coil maps");

  Blocks blocks{};
  blocks.coils = coils;
  blocks.scale = float(pixels.scale);
  blocks.tolerance = float(walshPower.tolerance * walshPower.tolerance);
  blocks.maxSteps = walshPower.maxSteps;
  unsigned emptyCoils = 0;  // a bit a coil
  for (const int c : pixels.emptyCoils) emptyCoils |= 1U << unsigned(c);
  Axes axes{};
  std::array<DeviceBuffer<Place>, 3> places;
  std::array<std::vector<Place>, 3> hostPlaces;
  for (std::size_t d = 0; d < 3; ++d) {
    blocks.size[d] = int(size[d]);
    blocks.half[d] = int(pixels.half[d]);
    axes.size[d] = int(matrix[d]);
    for (const PixelsAround& p : pixelsAround(matrix[d], size[d]))
      hostPlaces[d].push_back({int(p.low), int(p.high), p.part});
    places[d].upload(hostPlaces[d].data(), matrix[d], stream.get());
    axes.places[d] = places[d].data();
  }
  axes.coarse[0] = int(size[0]);
  axes.coarse[1] = int(size[1]);
  progress.checkpoint();
  dispatchLanes(coils, [&]<int Lanes>() {
    blockVectors<Lanes>
        <<<blocksFor(coarse * Lanes, blockVectorThreads), blockVectorThreads, 0, stream.get()>>>(
            blocks, float(pixels.minTrace), values.data(), references.data(), vectors.data());
  });
  checkLaunch("estimating coil maps");
  interpolate<<<blocksFor(product(matrix)), threadsPerBlock, 0, stream.get()>>>(
      axes, vectors.data(), coils, emptyCoils, reinterpret_cast<float2*>(maps->data()));
  checkLaunch("estimating coil maps");
  synchronize(stream.get());
  progress.report(1, "Coil maps");
  return maps;
}

}  // namespace spokelab::gpu
