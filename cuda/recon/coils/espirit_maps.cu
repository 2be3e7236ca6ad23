#include "cuda/recon/coils/espirit_maps.h"

#include "cuda/device/buffer.h"
#include "cuda/device/complex.cuh"
#include "cuda/device/device_scope.h"
#include "cuda/device/launch.cuh"
#include "cuda/device/stream.h"
#include "cuda/recon/coils/device_maps.h"
#include "cuda/recon/coils/leading_vector.cuh"
#include "engine/core/error.h"
#include "engine/core/jobs/rank_values.h"
#include "engine/core/measure/spans.h"

namespace spokelab::gpu {
namespace {

constexpr int threads = 256;
// Pixels of a row that a block works on: enough that summing the row's coefficients, which each of
// its blocks does, costs little beside them.
constexpr int pixelsPerBlock = 64;

// Coefficients [sz, sy, pair, sx] summed over sz for each of some planes: out [z, sy, pair, sx];
// phases: from the first one's on.
__global__ void sumPlanes(const float2* coefficients, const float2* phases, int shifts, std::int64_t plane,
                          float2* out) {
  const std::int64_t i = globalThread();
  if (i >= plane) return;
  const float2* const phase = phases + std::int64_t(blockIdx.y) * shifts;
  float2 sum{0, 0};
  for (int s = 0; s < shifts; ++s) sum = plus(sum, times(coefficients[s * plane + i], phase[s]));
  out[blockIdx.y * plane + i] = sum;
}

struct PixelSums {
  const float2* planes;             // [z, sy, pair, sx]
  const float2 *xPhases, *yPhases;  // [pixel, shift]
  const float2* references;         // [set, coil]
  int coils, sets, xShifts, yShifts;
  int width, height;      // pixels of a row, rows of a plane
  int firstPlane;         // of a map, that planes begins with
  std::int64_t pixels;    // of a map
  float crop, tolerance;  // tolerance: of the square of a step's change
  int maxSteps;
  unsigned emptyCoils;  // a bit a coil
};

// A block: pixelsPerBlock pixels of row y of plane z. A pixel: `Lanes` threads, each of which holds
// a row of the pixel's Hermitian matrix.
template <int Lanes>
__global__ void __launch_bounds__(threads) mapPixels(PixelSums p, float2* maps) {
  extern __shared__ float2 line[];  // [pair, sx]
  const int pairs = coilPairs(p.coils), terms = pairs * p.xShifts;
  const int y = int(blockIdx.y), z = int(blockIdx.z);
  const float2* const lines = p.planes + std::int64_t(z) * p.yShifts * terms;
  for (int i = int(threadIdx.x); i < terms; i += threads) {
    float2 sum{0, 0};
    for (int s = 0; s < p.yShifts; ++s)
      sum = plus(sum, times(lines[s * terms + i], p.yPhases[y * p.yShifts + s]));
    line[i] = sum;
  }
  __syncthreads();
  const int coil = int(threadIdx.x) % Lanes, first = int(blockIdx.x) * pixelsPerBlock;
  const int end = min(first + pixelsPerBlock, p.width);
  // All threads of a warp go through the loop as often, as they exchange numbers in it.
  for (int base = first; base < end; base += threads / Lanes) {
    const int pixel = base + int(threadIdx.x) / Lanes, x = min(pixel, end - 1);
    const float2* const phases = p.xPhases + x * p.xShifts;
    float2 matrix[Lanes];
#pragma unroll
    for (int b = 0; b < Lanes; ++b) {
      matrix[b] = {0, 0};
      if (coil >= p.coils || b >= p.coils) continue;
      const int high = max(coil, b), low = min(coil, b);
      const float2* const coefficients = line + (high * (high + 1) / 2 + low) * p.xShifts;
      float2 sum{0, 0};
      for (int s = 0; s < p.xShifts; ++s) sum = plus(sum, times(coefficients[s], phases[s]));
      matrix[b] = {sum.x, coil >= b ? sum.y : -sum.y};
    }
    float2 vector{0, 0};
    float value = 0;
    for (int set = 0; set < p.sets; ++set) {
      if (set > 0) {  // without the vector that was found, the next one is the dominant one
#pragma unroll
        for (int b = 0; b < Lanes; ++b) {
          const float2 other{__shfl_sync(wholeWarp, vector.x, b, Lanes),
                             -__shfl_sync(wholeWarp, vector.y, b, Lanes)};
          const float2 found = times(vector, other);
          matrix[b] = {matrix[b].x - value * found.x, matrix[b].y - value * found.y};
        }
      }
      const float2 reference = coil < p.coils ? p.references[set * p.coils + coil] : float2{0, 0};
      vector = reference;
      value = leadingVector<Lanes>(matrix, vector, p.maxSteps, p.tolerance);
      const float2 turned = turnedTo<Lanes>(reference, vector);
      if (coil >= p.coils || pixel >= end) continue;
      const bool kept = value >= p.crop && value > 0 && (p.emptyCoils >> coil & 1U) == 0;
      maps[(std::int64_t(set) * p.coils + coil) * p.pixels +
           (std::int64_t(p.firstPlane + z) * p.height + y) * p.width + x] = kept ? turned : float2{0, 0};
    }
  }
}

// [pixel, shift]
std::vector<float2> axisPhases(std::int64_t size, std::int64_t shifts) {
  std::vector<float2> phases;
  phases.reserve(std::size_t(size * shifts));
  for (std::int64_t n = 0; n < size; ++n)
    for (const cfloat& phase : shiftPhases(n, size, shifts)) phases.push_back({phase.real(), phase.imag()});
  return phases;
}

template <int Lanes>
void launch(const PixelSums& sums, std::int64_t planes, float2* maps, cudaStream_t stream) {
  const std::size_t shared = std::size_t(coilPairs(sums.coils)) * std::size_t(sums.xShifts) * sizeof(float2);
  allowShared(mapPixels<Lanes>, shared);
  const dim3 blocks((sums.width + pixelsPerBlock - 1) / pixelsPerBlock, sums.height, unsigned(planes));
  mapPixels<Lanes><<<blocks, threads, shared, stream>>>(sums, maps);
  checkLaunch("estimating coil maps");
}

// A rank's of a volume whose maps several make.
struct Planes {
  std::int64_t first = 0, count = 0;
};

Planes planesOf(int rank, int ranks, std::int64_t all) {
  const EvenPart part = evenPart(rank, ranks, all);
  return {part.begin, part.end - part.begin};
}

// Own planes of the others' coils go out, the others' planes of own coils come in. maps: [set,
// coil, pixel].
void exchangePlanes(Collective& others, const CoilDivision& division, const Index3& size, std::int64_t sets,
                    std::int64_t coils, cfloat* maps, cudaStream_t stream, const Progress& progress) {
  Ranks& ranks = *division.ranks;
  const std::int64_t plane = size[0] * size[1];
  const auto piece = [&](int rank, std::int64_t set, int coil, const Planes& planes) {
    cfloat* const map = maps + (set * coils + coil) * plane * size[2];
    return DevicePiece{rank, map + planes.first * plane, std::size_t(planes.count * plane) * sizeof(cfloat)};
  };
  const Planes own = planesOf(ranks.rank(), ranks.size(), size[2]);
  std::vector<DevicePiece> out, in;
  for (int r = 0; r < ranks.size(); ++r) {
    if (r == ranks.rank()) continue;
    for (std::int64_t set = 0; set < sets; ++set) {
      for (const int coil : division.coils[std::size_t(r)]) out.push_back(piece(r, set, coil, own));
      for (const int coil : division.coils[std::size_t(ranks.rank())])
        in.push_back(piece(r, set, coil, planesOf(r, ranks.size(), size[2])));
    }
  }
  others.exchange(out, in, ranks, stream, progress);
}

DeviceBuffer<float2> hostOperator(const EspiritPixels& pixels, const Progress& progress,
                                  cudaStream_t stream) {
  const PixelOperator op = pixelOperator(pixels.data, pixels.width, minKeptSquareShare, progress);
  std::vector<float2> values(op.re.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {op.re[i], op.im[i]};
  DeviceBuffer<float2> coefficients;
  coefficients.upload(values.data(), std::int64_t(values.size()), stream);
  synchronize(stream);
  return coefficients;
}

// The calls of deviceOperator() with the smallest matrix that it gets, the unit matrix.
void warmUp(DenseAlgebra& algebra) {
  constexpr std::int64_t n = minDeviceCalibration;
  std::vector<float2> unit(std::size_t(n * n), float2{0, 0});
  for (std::int64_t i = 0; i < n; ++i) unit[std::size_t(i * (n + 1))] = {1, 0};
  Stream stream;
  DeviceBuffer<float2> a, c(n * n);
  DeviceBuffer<float> values(n);
  a.upload(unit.data(), n * n, stream.get());
  algebra.gram(false, n, n, a.data(), c.data(), stream.get());
  algebra.eigenvectors(n, c.data(), values.data(), stream.get());
}

}  // namespace

DeviceBuffer<float2> CalibrationTools::operatorOf(const EspiritPixels& pixels, const Progress& progress,
                                                  cudaStream_t stream) {
  DeviceBuffer<float2> found;
  use([&](DenseAlgebra& algebra) {
    found = deviceOperator(algebra, pixels.data, pixels.width, minKeptSquareShare, progress, stream);
  });
  return found;
}

void CalibrationTools::loadAhead(int device) {
  const std::lock_guard lock(one_);
  if (algebra_ || loading_.valid()) return;
  loading_ = std::async(std::launch::async, [device] {
    useDevice(device);
    auto algebra = DenseAlgebra::load();
    try {
      if (algebra) warmUp(*algebra);
    } catch (const Error&) {  // the host makes the maps
      algebra.reset();
    }
    return algebra;
  });
}

DenseAlgebra* CalibrationTools::loaded() {
  if (!algebra_) {
    const Span traced("cuSOLVER loaded");
    algebra_ = loading_.valid() ? loading_.get() : DenseAlgebra::load();
  }
  return algebra_.get();
}

std::shared_ptr<const BackendMaps> espiritMapsOnDevice(CalibrationTools& tools, CollectiveKeeper& keeper,
                                                       const EspiritPixels& pixels,
                                                       const Progress& progress) {
  const int coils = pixels.data.coils;
  if (coils > maxMapCoils) return nullptr;
  const Span range("coil maps", SpanKind::range);
  progress.report(0, "Coil maps");
  Stream stream;
  DeviceBuffer<float2> coefficients;
  if (calibrationRows(pixels.data, pixels.width) >= minDeviceCalibration)
    coefficients = tools.operatorOf(pixels, progress, stream.get());
  if (coefficients.size() == 0) coefficients = hostOperator(pixels, progress, stream.get());

  const Span traced("maps of pixels");
  const Index3& size = pixels.matrix;
  const Index3 shifts = operatorShifts(pixels.width);
  const auto sets = std::int64_t(pixels.references.size());
  auto maps = std::make_shared<DeviceMaps>(sets * coils * product(size));
  std::vector<float2> references;
  for (const std::vector<cdouble>& reference : pixels.references)
    for (const cdouble& v : reference) references.push_back({float(v.real()), float(v.imag())});
  const std::array<std::vector<float2>, 3> phases = {
      axisPhases(size[0], shifts[0]), axisPhases(size[1], shifts[1]), axisPhases(size[2], shifts[2])};
  DeviceBuffer<float2> start, planes;
  std::array<DeviceBuffer<float2>, 3> turns;
  start.upload(references.data(), std::int64_t(references.size()), stream.get());
  for (std::size_t d = 0; d < 3; ++d)
    turns[d].upload(phases[d].data(), std::int64_t(phases[d].size()), stream.get());
  const std::int64_t plane = coefficients.size() / shifts[2];
  const CoilDivision* const division = pixels.division;
  const bool divides = division && size[2] >= division->ranks->size();
  const std::shared_ptr<Collective> others = divides ? keeper.of(*division->ranks, progress) : nullptr;
  const Planes own =
      others ? planesOf(division->ranks->rank(), division->ranks->size(), size[2]) : Planes{0, size[2]};
  planes.resize(plane * own.count);
  sumPlanes<<<dim3(blocksFor(plane, threads), unsigned(own.count)), threads, 0, stream.get()>>>(
      coefficients.data(), turns[2].data() + own.first * shifts[2], int(shifts[2]), plane, planes.data());
  checkLaunch("estimating coil maps");

  PixelSums sums{};
  sums.planes = planes.data();
  sums.xPhases = turns[0].data();
  sums.yPhases = turns[1].data();
  sums.references = start.data();
  sums.coils = coils;
  sums.sets = int(sets);
  sums.xShifts = int(shifts[0]);
  sums.yShifts = int(shifts[1]);
  sums.width = int(size[0]);
  sums.height = int(size[1]);
  sums.firstPlane = int(own.first);
  sums.pixels = product(size);
  sums.crop = float(pixels.crop);
  sums.tolerance = float(espiritPower.tolerance * espiritPower.tolerance);
  sums.maxSteps = espiritPower.maxSteps;
  for (const int c : pixels.emptyCoils) sums.emptyCoils |= 1U << unsigned(c);
  auto* const out = reinterpret_cast<float2*>(maps->data());
  progress.checkpoint();
  if (coils <= 4)
    launch<4>(sums, own.count, out, stream.get());
  else if (coils <= 8)
    launch<8>(sums, own.count, out, stream.get());
  else if (coils <= 16)
    launch<16>(sums, own.count, out, stream.get());
  else
    launch<32>(sums, own.count, out, stream.get());
  if (others) exchangePlanes(*others, *division, size, sets, coils, maps->data(), stream.get(), progress);
  synchronize(stream.get());
  progress.report(1, "Coil maps");
  return maps;
}

}  // namespace spokelab::gpu
