// The interface of GPU methods to plans. A method spreads (samples -> oversampled grid) or
// interpolates (grid -> samples). It is a class that prepares the points as it needs them. Its file
// registers a factory, and plan, estimate and tuner find the factory by its Method. The grid is
// complex, x fastest, periodic, [batch, z, y, x].
//
//   spread:       b_l += sum_j c_j phi(l_x - x_j) phi(l_y - y_j) phi(l_z - z_j)
//   interpolate:  c_j  = sum_l b_l phi(l_x - x_j) phi(l_y - y_j) phi(l_z - z_j)
//   x_j = k_j G in grid cells
//
// Sources: [cufinufft] III (GM, GM-sort, SM), [gnufftw] IV.B (sectors, full precomputation).
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cuda/device/complex.h"
#include "cuda/device/device.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/nufft/problem/options.h"
#include "engine/nufft/problem/problem.h"

namespace spokelab::gpu {

// engine's KernelPolynomial in a form that kernels take by value (uniform reads go to the constant
// bank). coefficient[p * cells + j]: row p multiplies t^(degree - p), piece j; see
// engine/nufft/kernel/kernel.h for t, f, edge.
template <class Real>
struct KernelTable {
  static constexpr int maxDegree = 25, maxCells = 16;
  static constexpr int maxCoefficients = (maxDegree + 1) * maxCells;
  // Enough for 1e-3 and most of 1e-5: shorter polynomials are filled up to this degree, and their
  // loop is unrolled.
  static constexpr int shortDegree = 6;
  int cells = 0;  // ceil(W)
  int degree = 0;
  // The last piece is zero for f >= edge.
  Real edge = 1;
  Real coefficient[maxCoefficients] = {};
  // Precomputation "linear": values on the device, [density + 1][cells], row s at f = s / density,
  // interpolated linearly (engine/nufft/spread/kernels/kernel_source.h). Null: the polynomials are
  // evaluated.
  const Real* lines = nullptr;
  int density = 0;
};

// Several sets of points of one plan (points/point_sets.h), one after the other, as kernels see
// them. start null: there is one set, which has all points.
struct SetView {
  std::int64_t count = 1;
  const std::int64_t* start = nullptr;     // [count + 1]: the first point of each set
  const std::uint32_t* ofPoint = nullptr;  // [points]: the set of each point, in every order
};

// Sets [first, first + count) of a pass, and their points [begin, end).
struct SetRange {
  std::int64_t first = 0, count = 1;
  std::int64_t begin = 0, end = 0;
  constexpr std::int64_t points() const { return end - begin; }
};

// Everything that is known before the points are.
template <class Real>
struct MethodSetup {
  int dims = 0;
  std::array<int, 3> grid{1, 1, 1};  // cells (x, y, z)
  double width = 0;                  // W, any real number
  double accuracy = 0;               // relative l2 error asked for
  double predicted = 0;              // relative l2 error that the error model expects
  double rounding = 0;               // what rounding adds where few terms meet in a cell
  double noiseGain = 1;              // as in PredictedError
  std::shared_ptr<const Kernel> kernel;
  KernelTable<Real> table;
  bool linear = false;     // kernel values from table.lines
  Index3 bins{0, 0, 0};    // cells a bin; 0: the method's choice
  int maxSubproblem = 0;   // points a task; 0: the method's choice
  std::int64_t batch = 1;  // images a call and set of points, at most
  std::int64_t sets = 1;   // of points (point_sets.h)
  // Sums are made in an order that every run repeats (NufftOptions::reproducible).
  bool reproducible = false;
  bool splitsCrowds = true;  // crowded points are summed apart (NufftOptions::crowdedSums)
  bool limited = false;      // to NufftOptions::memoryLimit: no memory for speed alone
  DeviceLimits device;

  std::int64_t cells() const { return std::int64_t(grid[0]) * grid[1] * grid[2]; }
  int kernelCells() const { return table.cells; }  // ceil(W)
  double touchedCells() const { return std::pow(double(table.cells), dims); }
  int3 gridSize() const { return make_int3(grid[0], grid[1], grid[2]); }
};

// Bin-sorted copies of the points, shared by the methods of a plan (points/bin_sort.h).
template <class Real>
class PointOrders;

// The points as setPoints hands them over; coordinates are valid during that call only.
template <class Real>
struct PointSource {
  // Device, [M, dims] interleaved, cycles per pixel, any finite value.
  const double* coordinates = nullptr;
  std::int64_t count = 0;
  // Sorts by bins or by a method's own keys, with scratch that is used again.
  PointOrders<Real>* orders = nullptr;
  SetView sets{};
  std::int64_t largest = 0;  // points of the largest of several sets

  std::int64_t largestSet() const { return sets.start ? largest : count; }
};

// One execution, all device pointers, work in stream order on `stream`.
template <class Real>
struct MethodCall {
  // Spreading: samples [batch, M] in the caller's order to grids [batch, z, y, x]; interpolation:
  // grids to samples. With several sets of points: the data of the sets in `range` (set_place.cuh).
  const Complex<Real>* in = nullptr;
  Complex<Real>* out = nullptr;
  std::int64_t batch = 1;  // images of a set
  SetRange range{};
  // Interpolation: device scalar, sum of |.|^2 over what the FFT turned into the grids of the
  // batch.
  const double* energy = nullptr;
  // Device flag: a method that notices NaN or infinity sets it to 1 (deapodization looks, too).
  int* notFinite = nullptr;
  cudaStream_t stream = nullptr;
};

// The way a method adds points into one cell: it first sums `together` points by `chain` successive
// additions, then adds the sum to the grid. The default adds each point by itself.
struct Summation {
  std::int64_t together = 1, chain = 1;
};

// One direction of one plan. setPoints may be called again and again; it allocates only where it
// has to grow.
template <class Real>
class GridMethod {
 public:
  virtual ~GridMethod() = default;
  virtual void setPoints(const PointSource<Real>& points, cudaStream_t stream) = 0;
  virtual void execute(const MethodCall<Real>& call) = 0;
  // Spreading: true where it adds to the grid (the plan clears it first), false where it writes
  // every cell.
  virtual bool accumulates() const { return true; }
  // The summation for this number of points.
  virtual Summation summation(std::int64_t /*points*/) const { return {}; }
  // Interpolation: true where it wants MethodCall::energy.
  virtual bool needsEnergy() const { return false; }
  // Device bytes held now, shared sorts not counted.
  virtual std::int64_t memory() const = 0;
  // "bins 16x16x2, 1024 points a subproblem".
  virtual std::string description() const = 0;
};

enum class GridDirection { spread, interpolate };

// The entry of a method in the table. `refusal` says why the method cannot serve a setup, or is
// empty. `memory` estimates the device bytes for M points, shared sorts included, without
// allocating. `rank` orders the methods for the tuner: expected nanoseconds per point and image for
// this setup (rough; timing decides).
template <class Real>
struct MethodFactory {
  Method method = Method::automatic;
  GridDirection direction = GridDirection::spread;
  std::string (*refusal)(const MethodSetup<Real>&) = nullptr;
  std::unique_ptr<GridMethod<Real>> (*make)(const MethodSetup<Real>&) = nullptr;
  std::int64_t (*memory)(const MethodSetup<Real>&, std::int64_t points) = nullptr;
  double (*rank)(const MethodSetup<Real>&) = nullptr;
  // The reason why the order of a cell's sums varies, in words; null: every run gives the same
  // bits.
  const char* disorder = nullptr;
  // Bytes that a transform reads for each point beside its samples; null:
  // PointOrders::pointBytes().
  std::int64_t (*pointBytes)(const MethodSetup<Real>&) = nullptr;
  // The bins of its order of points (points/bin_sort.h), which another method may share; null if it
  // has no bins, or an order that only this method uses.
  std::array<int, 3> (*bins)(const MethodSetup<Real>&) = nullptr;
  // True if it takes several sets of points together.
  bool takesSets = false;

  // `refusal`, or the refusal of a method whose results do not repeat though they must, or of a
  // method that takes only one set of points.
  std::string refusalOf(const MethodSetup<Real>& setup) const {
    const std::string why = refusal(setup);
    if (why.empty() && setup.sets > 1 && !takesSets)
      return "it orders the points of one set, and several sets of points are set together";
    if (!why.empty() || !setup.reproducible || !disorder) return why;
    return std::string("its results are not reproducible: ") + disorder;
  }
};

// All factories that registered themselves: `const bool registered = registerMethod<float>({...});`
// at file scope.
template <class Real>
const std::vector<MethodFactory<Real>>& methodFactories();
template <class Real>
bool registerMethod(const MethodFactory<Real>& factory);

// The factory for (method, direction), or null.
template <class Real>
const MethodFactory<Real>* findMethod(Method method, GridDirection direction);

template <class Real>
KernelTable<Real> kernelTable(const KernelPolynomial& polynomial);

}  // namespace spokelab::gpu
