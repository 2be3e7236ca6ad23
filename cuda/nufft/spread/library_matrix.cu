// Full precomputation with cuSPARSE: the matrices of stored_matrix.h, multiplied by the library
// (sparse_product.h), beside our own product (sparse_matrix.cu). The transpose is stored, and not
// asked of the library: its transposed product adds by atomics, so its sums do not repeat. Indices
// have 32 bits where these reach and 64 where not, for rows and columns alike: the library has no
// kernels for a mixture. Images of a batch are brought side by side, so that an entry is read once
// for all of them.
#include <variant>

#include "cuda/device/launch.cuh"
#include "cuda/device/libraries/sparse_product.h"
#include "cuda/nufft/spread/interleave.cuh"
#include "cuda/nufft/spread/stored_matrix.h"

namespace spokelab::gpu {
namespace {

template <class Real, GridDirection Direction>
class LibraryMethod : public GridMethod<Real> {
  using Narrow = StoredMatrix<Real, int, int>;
  using Wide = StoredMatrix<Real, std::int64_t, std::int64_t>;

 public:
  // Throws Error where the library is missing.
  explicit LibraryMethod(const MethodSetup<Real>& setup) : setup_(setup) {}

  void setPoints(const PointSource<Real>& points, cudaStream_t stream) override {
    points_ = points.orders->order(matrixBins(setup_), stream, true);
    if (points_.count == 0) return;
    const bool needsWide = wide(setup_, points_.count);
    if (needsWide != std::holds_alternative<Wide>(matrix_)) {
      if (needsWide)
        matrix_.template emplace<Wide>();
      else
        matrix_.template emplace<Narrow>();
    }
    const SparseOperand operand = std::visit(
        [&](auto& stored) {
          stored.fill(setup_, points_, Direction, stream);
          const auto& m = stored.matrix();
          return SparseOperand{m.rows,   m.columns, m.entries, m.rowStart,
                               m.column, m.value,   needsWide, std::is_same_v<Real, double>};
        },
        matrix_);
    product_.set(operand, setup_.batch, stream);
    samples_.resize(points_.count * setup_.batch);
    if (setup_.batch > 1) grids_.resize(setup_.cells() * setup_.batch);
  }

  bool accumulates() const override { return false; }

  void execute(const MethodCall<Real>& call) override {
    const std::int64_t count = points_.count, cells = setup_.cells();
    // The product is made for the images of a whole pass; those beyond a last pass's keep what they
    // had.
    const int images = int(call.batch), row = int(setup_.batch);
    if (count == 0) return;
    if constexpr (Direction == GridDirection::spread) {
      interleave<Real>(call.in, samples_.data(), points_.permutation, count, images, row, call.stream);
      product_.apply(samples_.data(), row > 1 ? grids_.data() : call.out, call.stream);
      if (row > 1) separate<Real>(grids_.data(), call.out, nullptr, cells, images, row, call.stream);
    } else {
      if (row > 1) interleave<Real>(call.in, grids_.data(), nullptr, cells, images, row, call.stream);
      product_.apply(row > 1 ? grids_.data() : call.in, samples_.data(), call.stream);
      separate<Real>(samples_.data(), call.out, points_.permutation, count, images, row, call.stream);
    }
  }

  std::int64_t memory() const override {
    return std::visit([](const auto& stored) { return stored.memory(); }, matrix_) + product_.memory() +
           samples_.bytes() + grids_.bytes();
  }
  std::string description() const override {
    return (Direction == GridDirection::spread ? "transpose, " : "") +
           std::to_string(entriesPerPoint(setup_)) + " entries a point" +
           (std::holds_alternative<Wide>(matrix_) ? ", indices of 64 bits" : "");
  }

  static std::int64_t estimate(const MethodSetup<Real>& s, std::int64_t points) {
    const std::int64_t values = points * s.batch + (s.batch > 1 ? s.cells() * s.batch : 0);
    return (wide(s, points) ? Wide::estimate(s, Direction, points) : Narrow::estimate(s, Direction, points)) +
           SparseProduct::estimate(points * entriesPerPoint(s)) +
           values * std::int64_t(sizeof(Complex<Real>)) +
           PointOrders<Real>::estimate(s, matrixBins(s), points);
  }

 private:
  // Counts what the library counts: entries, and real numbers of all vectors.
  static bool wide(const MethodSetup<Real>& s, std::int64_t points) {
    const std::int64_t numbers = 2 * s.batch * std::max(points, s.cells());
    return std::max(points * entriesPerPoint(s), numbers) > maxNarrowIndex;
  }

  MethodSetup<Real> setup_;
  OrderedPoints<Real> points_;
  SparseProduct product_;
  std::variant<Narrow, Wide> matrix_;
  // [point, image] and, of more images than one, [cell, image].
  DeviceBuffer<Complex<Real>> samples_, grids_;
};

template <class Real, GridDirection Direction>
MethodFactory<Real> factory() {
  MethodFactory<Real> f;
  f.method = Method::cusparse;
  f.direction = Direction;
  f.disorder = "cuSPARSE does not keep to one order of its sums";
  // The plan checks later that the library exists: a ranking must not load it.
  f.refusal = matrixRefusal<Real>;
  f.make = [](const MethodSetup<Real>& s) -> std::unique_ptr<GridMethod<Real>> {
    return std::make_unique<LibraryMethod<Real, Direction>>(s);
  };
  f.bins = [](const MethodSetup<Real>& s) { return matrixBins(s); };
  f.memory = LibraryMethod<Real, Direction>::estimate;
  // Far behind our own product, which reads the same entries: loading the library takes 10 ms to
  // half a second, which a search that is not exhaustive should not spend on it.
  f.rank = [](const MethodSetup<Real>& s) { return 4 * (4 + sizeof(Real)) / 2.0e3 * s.touchedCells(); };
  return f;
}

const bool registered[] = {registerMethod(factory<float, GridDirection::spread>()),
                           registerMethod(factory<float, GridDirection::interpolate>()),
                           registerMethod(factory<double, GridDirection::spread>()),
                           registerMethod(factory<double, GridDirection::interpolate>())};

}  // namespace
}  // namespace spokelab::gpu
