#include "cuda/recon/coils/walsh_maps.h"

#include "cuda/device/complex.cuh"
#include "cuda/device/launch.cuh"
#include "cuda/device/profiler_range.h"
#include "cuda/recon/coils/device_maps.h"
#include "cuda/recon/coils/leading_vector.cuh"
#include "engine/core/measure/trace_part.h"
#include "engine/recon/coils/local_covariance.h"

namespace spokelab::gpu {
namespace {

constexpr int threads = 256;

struct Blocks {
  int coils;
  int size[3], half[3];  // of the centre's images; of the block around a pixel, to either side
  float minTrace, tolerance;
  int maxSteps;
  unsigned emptyCoils;  // a bit a coil
};

// images [coil, pixel] to [pixel, coil], times the scale: the coils of a pixel are read together.
__global__ void interleave(const float2* images, float scale, int coils, std::int64_t pixels, float2* out) {
  const std::int64_t i = globalThread();
  if (i < pixels * coils) out[i] = scaled(images[i % coils * pixels + i / coils], scale);
}

// A pixel: `Lanes` threads, each of which holds a row of R = sum over the block of c c^H. vectors [pixel, coil]: its
// leading eigenvector, 0 where the block holds next to nothing.
template <int Lanes>
__global__ void __launch_bounds__(threads)
    blockVectors(Blocks p, const float2* values, const float2* references, float2* vectors) {
  const std::int64_t pixels = std::int64_t(p.size[0]) * p.size[1] * p.size[2], own = globalThread() / Lanes,
                     pixel = own < pixels ? own : pixels - 1;
  const int coil = int(threadIdx.x) % Lanes;
  const int x = int(pixel % p.size[0]), y = int(pixel / p.size[0] % p.size[1]),
            z = int(pixel / p.size[0] / p.size[1]);
  float2 matrix[Lanes];
#pragma unroll
  for (int b = 0; b < Lanes; ++b) matrix[b] = {0, 0};
  float square = 0;
  // Blocks are cut at the edges, so that pixels of a warp go through other numbers of neighbours; all of
  // its threads go through the loop as often, as they exchange numbers in it.
  for (int dz = -p.half[2]; dz <= p.half[2]; ++dz)
    for (int dy = -p.half[1]; dy <= p.half[1]; ++dy)
      for (int dx = -p.half[0]; dx <= p.half[0]; ++dx) {
        const int i = x + dx, j = y + dy, k = z + dz;
        const bool inside = i >= 0 && i < p.size[0] && j >= 0 && j < p.size[1] && k >= 0 && k < p.size[2];
        float2 v{0, 0};
        if (inside && coil < p.coils)
          v = values[((std::int64_t(k) * p.size[1] + j) * p.size[0] + i) * p.coils + coil];
        square += v.x * v.x + v.y * v.y;
#pragma unroll
        for (int b = 0; b < Lanes; ++b) {
          const float2 other{__shfl_sync(wholeWarp, v.x, b, Lanes), __shfl_sync(wholeWarp, v.y, b, Lanes)};
          matrix[b] = plus(matrix[b], conjugateTimes(other, v));
        }
      }
  const float trace = groupSum<Lanes>(square);
  const float2 reference = coil < p.coils ? references[coil] : float2{0, 0};
  float2 vector = reference;
  leadingVector<Lanes>(matrix, vector, p.maxSteps, p.tolerance);
  const float2 turned = turnedTo<Lanes>(reference, vector);
  if (own < pixels && coil < p.coils)
    vectors[pixel * p.coils + coil] = trace >= p.minTrace ? turned : float2{0, 0};
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

// Linear between the vectors of the pixels around, with unit root of the sum of squares; 0 where more
// than half of what lies around is 0. maps [coil, pixel].
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

template <int Lanes>
void launch(const Blocks& p, const float2* values, const float2* references, float2* vectors,
            cudaStream_t stream) {
  const std::int64_t pixels = std::int64_t(p.size[0]) * p.size[1] * p.size[2];
  blockVectors<Lanes>
      <<<blocksFor(pixels * Lanes, threads), threads, 0, stream>>>(p, values, references, vectors);
  checkLaunch("estimating coil maps");
}

}  // namespace

std::shared_ptr<const BackendMaps> walshMapsOnDevice(const WalshPixels& pixels, const Progress& progress) {
  const int coils = pixels.coils;
  if (coils > maxMapCoils) return nullptr;
  const ProfilerRange range("coil maps");
  const TracePart traced("maps of pixels");
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
  interleave<<<blocksFor(coarse * coils), threadsPerBlock, 0, stream.get()>>>(
      images.data(), float(pixels.scale), coils, coarse, values.data());
  checkLaunch("estimating coil maps");

  Blocks blocks{};
  blocks.coils = coils;
  blocks.minTrace = float(pixels.minTrace);
  blocks.tolerance = float(walshPower.tolerance * walshPower.tolerance);
  blocks.maxSteps = walshPower.maxSteps;
  for (const int c : pixels.emptyCoils) blocks.emptyCoils |= 1U << unsigned(c);
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
  if (coils <= 4)
    launch<4>(blocks, values.data(), references.data(), vectors.data(), stream.get());
  else if (coils <= 8)
    launch<8>(blocks, values.data(), references.data(), vectors.data(), stream.get());
  else if (coils <= 16)
    launch<16>(blocks, values.data(), references.data(), vectors.data(), stream.get());
  else
    launch<32>(blocks, values.data(), references.data(), vectors.data(), stream.get());
  interpolate<<<blocksFor(product(matrix)), threadsPerBlock, 0, stream.get()>>>(
      axes, vectors.data(), coils, blocks.emptyCoils, reinterpret_cast<float2*>(maps->data()));
  checkLaunch("estimating coil maps");
  synchronize(stream.get());
  progress.report(1, "Coil maps");
  return maps;
}

}  // namespace spokelab::gpu
