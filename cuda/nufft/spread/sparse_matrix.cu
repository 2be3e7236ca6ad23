// Full precomputation: all weights of all points in a sparse matrix (stored_matrix.h), and our own
// product with it. Samples are gathered and scattered through the points' order. The values are
// real and the vectors complex: a group of lanes takes a row and reads each entry once for both
// parts, and for several images of a batch. The library's product is the method "cusparse"
// (library_matrix.cu). Source: [gnufftw] IV.B.3.
#include <variant>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/spread/interleave.cuh"
#include "cuda/nufft/spread/stored_matrix.h"

namespace spokelab::gpu {
namespace {

// Images that are multiplied at once: imagesBeside in spreading, which gathers samples anyway, and
// imagesApart in interpolation, which reads the grids in their order. The remaining images of a
// batch are multiplied one by one.
constexpr int imagesBeside = 8, imagesApart = 4;

// Lanes that share a row. A point's row has W^d entries, a cell's row one entry for each point that
// reaches it.
constexpr int interpolateLanes = 32;  // a warp
template <int Images>
constexpr int spreadLanes = Images > 1 ? 32 : 8;

// Interpolation. Lanes of a warp share a row of Gamma, W^d entries, and each adds up all images:
//   y[place(row) + b * count] = sum over the row of value * x[column + b * cells]
template <class Real, int Images, class Offset>
__global__ void __launch_bounds__(threadsPerBlock)
    interpolateRows(CsrMatrix<Real, Offset, int> a, const Complex<Real>* __restrict__ x,
                    Complex<Real>* __restrict__ y, const std::uint32_t* place) {
  const std::int64_t row = globalThread() / interpolateLanes;
  const int lane = threadIdx.x % interpolateLanes;
  if (row >= a.rows) return;  // a whole warp
  Complex<Real> sum[Images] = {};
  const Offset end = a.rowStart[row + 1];
  for (Offset i = a.rowStart[row] + lane; i < end; i += interpolateLanes) {
    // Matrix entries are read once: not worth a place in the cache.
    const Real w = __ldcs(a.value + i);
    const Complex<Real>* const at = x + __ldcs(a.column + i);
#pragma unroll
    for (int b = 0; b < Images; ++b) {
      const Complex<Real> v = __ldg(at + b * a.columns);
      sum[b].x += w * v.x;
      sum[b].y += w * v.y;
    }
  }
#pragma unroll
  for (int b = 0; b < Images; ++b) {
#pragma unroll
    for (int step = interpolateLanes / 2; step > 0; step /= 2) {
      sum[b].x += __shfl_xor_sync(~0u, sum[b].x, step);
      sum[b].y += __shfl_xor_sync(~0u, sum[b].y, step);
    }
    if (lane == 0) y[place[row] + b * a.rows] = sum[b];
  }
}

// Spreading. Lanes share a row of the transpose, and neighbouring lanes are the images of a sample,
// which lie side by side:
//   y[row + b * cells] = sum over the row of value * x[column * Images + b]
template <class Real, int Images, class Offset>
__global__ void __launch_bounds__(threadsPerBlock)
    spreadRows(CsrMatrix<Real, Offset, int> a, const Complex<Real>* __restrict__ x,
               Complex<Real>* __restrict__ y) {
  const std::int64_t row = globalThread() / spreadLanes<Images>;
  const int lane = threadIdx.x % spreadLanes<Images>, image = lane % Images;
  Complex<Real> sum{0, 0};
  if (row < a.rows) {
    const Offset end = a.rowStart[row + 1];
#pragma unroll 2
    for (Offset i = a.rowStart[row] + lane / Images; i < end; i += spreadLanes<Images> / Images) {
      const Real w = __ldcs(a.value + i);
      const Complex<Real> v = __ldg(x + std::int64_t(__ldcs(a.column + i)) * Images + image);
      sum.x += w * v.x;
      sum.y += w * v.y;
    }
  }
#pragma unroll
  for (int step = spreadLanes<Images> / 2; step >= Images; step /= 2) {
    sum.x += __shfl_xor_sync(~0u, sum.x, step);
    sum.y += __shfl_xor_sync(~0u, sum.y, step);
  }
  if (lane < Images && row < a.rows) y[row + image * a.rows] = sum;
}

template <class Real, GridDirection Direction>
class SparseMethod : public GridMethod<Real> {
  using Narrow = StoredMatrix<Real, int, int>;
  using Wide = StoredMatrix<Real, std::int64_t, int>;

 public:
  explicit SparseMethod(const MethodSetup<Real>& setup) : setup_(setup) {}

  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    if (points.count > maxNarrowIndex)
      throw Error("The GPU cannot precompute the transform",
                  "more than " + std::to_string(maxNarrowIndex) + " points in one matrix",
                  "Choose another method than \"sparse\", or split the points over several plans");
    points_ = points.orders->order(matrixBins(setup_), stream, true);
    if (points_.count == 0) return;
    if (wide(setup_, points_.count) != std::holds_alternative<Wide>(matrix_)) {
      if (wide(setup_, points_.count))
        matrix_.template emplace<Wide>();
      else
        matrix_.template emplace<Narrow>();
    }
    std::visit([&](auto& matrix) { matrix.fill(setup_, points_, Direction, stream); }, matrix_);
    if (Direction == GridDirection::spread) sorted_.resize(points_.count * gathered(setup_));
  }

  bool accumulates() const override { return false; }

  void execute(const MethodCall<Real>& call) override {
    if (points_.count == 0) return;
    constexpr int together = Direction == GridDirection::spread ? imagesBeside : imagesApart;
    std::int64_t b = 0;
    for (; b + together <= call.batch; b += together) multiply<together>(call, b);
    for (; b < call.batch; ++b) multiply<1>(call, b);
  }

  std::int64_t memory() const override {
    return std::visit([](const auto& matrix) { return matrix.memory(); }, matrix_) + sorted_.bytes();
  }
  std::string description() const override {
    return (Direction == GridDirection::spread ? "transpose, " : "") +
           std::to_string(entriesPerPoint(setup_)) + " entries a point" +
           (std::holds_alternative<Wide>(matrix_) ? ", counted by 64 bits" : "");
  }

  static std::int64_t estimate(const MethodSetup<Real>& s, std::int64_t points) {
    const std::int64_t samples =
        Direction == GridDirection::spread ? points * gathered(s) * std::int64_t(sizeof(Complex<Real>)) : 0;
    return (wide(s, points) ? Wide::estimate(s, Direction, points) : Narrow::estimate(s, Direction, points)) +
           samples + PointOrders<Real>::estimate(s, matrixBins(s), points);
  }

 private:
  static bool wide(const MethodSetup<Real>& s, std::int64_t points) {
    return points * entriesPerPoint(s) > maxNarrowIndex;
  }
  // Images whose samples lie in the points' order.
  static std::int64_t gathered(const MethodSetup<Real>& s) {
    return s.batch >= imagesBeside ? imagesBeside : 1;
  }

  template <int Images>
  void multiply(const MethodCall<Real>& call, std::int64_t first) {
    const std::int64_t count = points_.count, cells = setup_.cells();
    std::visit(
        [&](const auto& stored) {
          const auto& matrix = stored.matrix();
          if constexpr (Direction == GridDirection::spread) {
            interleave<Real>(call.in + first * count, sorted_.data(), points_.permutation, count, Images,
                             Images, call.stream);
            spreadRows<Real, Images>
                <<<blocksFor(cells * spreadLanes<Images>), threadsPerBlock, 0, call.stream>>>(
                    matrix, sorted_.data(), call.out + first * cells);
            checkLaunch("spreading");
          } else {
            interpolateRows<Real, Images>
                <<<blocksFor(count * interpolateLanes), threadsPerBlock, 0, call.stream>>>(
                    matrix, call.in + first * cells, call.out + first * count, points_.permutation);
            checkLaunch("interpolating");
          }
        },
        matrix_);
  }

  MethodSetup<Real> setup_;
  OrderedPoints<Real> points_;
  std::variant<Narrow, Wide> matrix_;
  DeviceBuffer<Complex<Real>> sorted_;
};

template <class Real, GridDirection Direction>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Method::sparse;
  f.direction = Direction;
  if (Direction == GridDirection::spread && sizeof(Real) == sizeof(float))
    f.disorder = "crowded points are summed separately, by atomic additions";
  f.refusal = matrixRefusal<Real>;
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<SparseMethod<Real, Direction>>(s);
  };
  f.bins = [](const MethodSetup<Real>& s) { return matrixBins(s); };
  f.memory = SparseMethod<Real, Direction>::estimate;
  // Every entry is read once, at the memory's rate.
  f.rank = [](const MethodSetup<Real>& s) { return (4 + sizeof(Real)) / 2.0e3 * s.touchedCells(); };
  return f;
}

const bool registered[] = {registerMethod(factory<float, GridDirection::spread>()),
                           registerMethod(factory<float, GridDirection::interpolate>()),
                           registerMethod(factory<double, GridDirection::spread>()),
                           registerMethod(factory<double, GridDirection::interpolate>())};

}  // namespace
}  // namespace spokelab::gpu
