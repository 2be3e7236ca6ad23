#include "engine/nufft/exact/nudft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/core/thread_pool.h"
#include "engine/nufft/exact/nudft_sums.h"

namespace spokelab {
namespace {

constexpr int lanes = nudftLanes;

const NudftSums& sumsHere() {
#ifdef SPOKELAB_X86_64
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2) return nudftSumsAvx2();
#endif
  return nudftSumsPortable();
}

void check(const NufftProblem& p, std::span<const double> points, std::size_t values, std::int64_t expected,
           const char* what) {
  auto refuse = [](const std::string& reason) {
    throw Error("The exact sum is not defined", reason, "Check the sizes of points and data");
  };
  if (p.dims < 1 || p.dims > 3) refuse("there are " + std::to_string(p.dims) + " dimensions");
  if (points.size() % std::size_t(p.dims) != 0) refuse("the list of points ends inside a point");
  if (std::int64_t(values) != expected)
    refuse("there are " + std::to_string(values) + " " + what + ", not " + std::to_string(expected));
  for (const double k : points)
    if (!std::isfinite(k)) refuse("a coordinate is not finite");
}

// A coordinate folded to [-1/2, 1/2], exactly, with the sign of the exponent.
double folded(double k, double sign) {
  return sign * (k - std::nearbyint(k));
}

// The coordinates of a flat index, x fastest, from the image's centre.
std::array<double, 3> pixelAt(const Index3& size, std::int64_t i) {
  return {double(i % size[0] - size[0] / 2), double(i / size[0] % size[1] - size[1] / 2),
          double(i / (size[0] * size[1]) - size[2] / 2)};
}

struct LanePhases {
  std::vector<double> re[3], im[3];

  explicit LanePhases(const NufftProblem& p) {
    for (std::size_t d = 0; d < 3; ++d) {
      re[d].assign(std::size_t(p.size[d] * lanes), 1);
      im[d].assign(std::size_t(p.size[d] * lanes), 0);
    }
  }

  // chosen [lanes]: indices of the points, or -1.
  void set(const NudftSums& s, const NufftProblem& p, std::span<const double> points,
           const std::int64_t* chosen, double sign, const Index3& low, const Index3& high) {
    for (std::size_t d = 0; d < std::size_t(p.dims); ++d) {
      double k[lanes];
      for (int l = 0; l < lanes; ++l)
        k[l] = chosen[l] < 0 ? 0 : folded(points[std::size_t(chosen[l] * p.dims) + d], sign);
      s.phases(k, low[d] - p.size[d] / 2, high[d] - low[d], re[d].data() + low[d] * lanes,
               im[d].data() + low[d] * lanes);
    }
  }
};

}  // namespace

std::vector<cdouble> nudftForward(const NufftProblem& problem, std::span<const double> points,
                                  std::span<const cdouble> image, std::span<const std::int64_t> selection,
                                  int threads, const Progress& progress) {
  check(problem, points, image.size(), problem.pixels(), "pixels");
  const std::int64_t all = std::int64_t(points.size()) / problem.dims;
  const std::int64_t count = selection.empty() ? all : std::int64_t(selection.size());
  std::vector<cdouble> out(static_cast<std::size_t>(count));
  const NudftSums& s = sumsHere();
  const Index3 n = problem.size;
  const auto* data = reinterpret_cast<const double*>(image.data());
  parallelTasks((count + lanes - 1) / lanes, threads, [&](std::int64_t task) {
    LanePhases phases(problem);
    std::int64_t chosen[lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::int64_t i = task * lanes + l;
      chosen[l] = i >= count ? -1 : selection.empty() ? i : selection[std::size_t(i)];
    }
    phases.set(s, problem, points, chosen, problem.sign, {0, 0, 0}, n);
    double sumRe[lanes] = {}, sumIm[lanes] = {};
    for (std::int64_t z = 0; z < n[2]; ++z) {
      progress.checkpoint();
      double planeRe[lanes] = {}, planeIm[lanes] = {};
      for (std::int64_t y = 0; y < n[1]; ++y) {
        double re[lanes], im[lanes];
        s.dot(data + 2 * (z * n[1] + y) * n[0], phases.re[0].data(), phases.im[0].data(), n[0], re, im);
        for (int l = 0; l < lanes; ++l) {
          const double er = phases.re[1][std::size_t(y * lanes + l)],
                       ei = phases.im[1][std::size_t(y * lanes + l)];
          planeRe[l] += re[l] * er - im[l] * ei;
          planeIm[l] += re[l] * ei + im[l] * er;
        }
      }
      for (int l = 0; l < lanes; ++l) {
        const double er = phases.re[2][std::size_t(z * lanes + l)],
                     ei = phases.im[2][std::size_t(z * lanes + l)];
        sumRe[l] += planeRe[l] * er - planeIm[l] * ei;
        sumIm[l] += planeRe[l] * ei + planeIm[l] * er;
      }
    }
    for (int l = 0; l < lanes && task * lanes + l < count; ++l)
      out[std::size_t(task * lanes + l)] = {sumRe[l], sumIm[l]};
  });
  return out;
}

std::vector<cdouble> nudftForwardOf(const NufftProblem& problem, std::span<const double> points,
                                    std::span<const std::int64_t> pixels, std::span<const cdouble> values,
                                    int threads, const Progress& progress) {
  check(problem, points, values.size(), std::int64_t(pixels.size()), "values");
  constexpr std::int64_t pointsPerTask = 1 << 12;
  const auto dims = std::size_t(problem.dims);
  const Index3& size = problem.size;
  std::vector<std::array<double, 3>> n;
  for (const std::int64_t i : pixels) n.push_back(pixelAt(size, i));
  std::vector<cdouble> out(points.size() / dims);
  parallelFor(std::int64_t(out.size()), threads, pointsPerTask, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (auto j = std::size_t(begin); j < std::size_t(end); ++j) {
      cdouble sum = 0;
      for (std::size_t i = 0; i < n.size(); ++i) {
        double turns = 0;
        for (std::size_t d = 0; d < dims; ++d) turns += n[i][d] * folded(points[j * dims + d], problem.sign);
        sum += values[i] * phaseOfTurns(turns);
      }
      out[j] = sum;
    }
  });
  return out;
}

namespace {

// Few pixels: one sum over all points for each.
std::vector<cdouble> adjointAt(const NufftProblem& problem, std::span<const double> points,
                               std::span<const cdouble> samples, std::span<const std::int64_t> selection,
                               int threads, const Progress& progress) {
  std::vector<cdouble> out(selection.size());
  const std::int64_t count = std::int64_t(samples.size());
  const std::size_t padded = std::size_t((count + lanes - 1) / lanes * lanes);  // with zero samples
  std::vector<double> k[3], re(padded, 0), im(padded, 0);
  for (auto& v : k) v.assign(padded, 0);
  for (std::size_t j = 0; j < std::size_t(count); ++j) {
    for (std::size_t d = 0; d < std::size_t(problem.dims); ++d)
      k[d][j] = folded(points[j * std::size_t(problem.dims) + d], -problem.sign);
    re[j] = samples[j].real();
    im[j] = samples[j].imag();
  }
  const Index3 size = problem.size;
  constexpr std::size_t pointsPerCheck = 1 << 16;  // for a cancel
  parallelTasks(std::int64_t(selection.size()), threads, [&](std::int64_t task) {
    const std::int64_t i = selection[std::size_t(task)];
    const std::array<double, 3> n = pixelAt(size, i);
    double sum[2] = {0, 0};
    for (std::size_t j = 0; j < padded; j += pointsPerCheck) {
      progress.checkpoint();
      const double* const at[3] = {k[0].data() + j, k[1].data() + j, k[2].data() + j};
      double part[2] = {0, 0};
      sumsHere().pixel(at, n.data(), re.data() + j, im.data() + j,
                       std::int64_t(std::min(pointsPerCheck, padded - j)), part);
      sum[0] += part[0];
      sum[1] += part[1];
    }
    out[std::size_t(task)] = {sum[0], sum[1]};
  });
  return out;
}

}  // namespace

std::vector<cdouble> nudftAdjoint(const NufftProblem& problem, std::span<const double> points,
                                  std::span<const cdouble> samples, std::span<const std::int64_t> selection,
                                  int threads, const Progress& progress) {
  const std::int64_t count = std::int64_t(points.size()) / std::max(1, problem.dims);
  check(problem, points, samples.size(), count, "samples");
  if (!selection.empty()) return adjointAt(problem, points, samples, selection, threads, progress);

  // Each task sums all points into a separate part of the image.
  constexpr std::int64_t rowPiece = 256, rowsPiece = 32;
  const Index3 n = problem.size;
  std::vector<cdouble> out(std::size_t(problem.pixels()), cdouble(0, 0));
  const std::int64_t piecesX = (n[0] + rowPiece - 1) / rowPiece, rows = n[1] * n[2];
  const std::int64_t piecesRows = (rows + rowsPiece - 1) / rowsPiece;
  auto* data = reinterpret_cast<double*>(out.data());
  const NudftSums& s = sumsHere();
  parallelTasks(piecesX * piecesRows, threads, [&](std::int64_t task) {
    LanePhases phases(problem);
    const std::int64_t x0 = task % piecesX * rowPiece, x1 = std::min(n[0], x0 + rowPiece);
    const std::int64_t row0 = task / piecesX * rowsPiece, row1 = std::min(rows, row0 + rowsPiece);
    const std::int64_t z0 = row0 / n[1], z1 = (row1 - 1) / n[1] + 1;
    const bool onePlane = z1 - z0 == 1;
    const Index3 low{x0, onePlane ? row0 % n[1] : 0, z0};
    const Index3 high{x1, onePlane ? (row1 - 1) % n[1] + 1 : n[1], z1};
    for (std::int64_t j = 0; j < count; j += lanes) {
      progress.checkpoint();
      std::int64_t chosen[lanes];
      for (int l = 0; l < lanes; ++l) chosen[l] = j + l < count ? j + l : -1;
      phases.set(s, problem, points, chosen, -problem.sign, low, high);
      for (std::int64_t row = row0; row < row1; ++row) {
        const std::int64_t y = row % n[1], z = row / n[1];
        double re[lanes], im[lanes];
        for (int l = 0; l < lanes; ++l) {
          const cdouble c = chosen[l] < 0 ? 0 : samples[std::size_t(chosen[l])];
          const double yr = phases.re[1][std::size_t(y * lanes + l)],
                       yi = phases.im[1][std::size_t(y * lanes + l)];
          const double zr = phases.re[2][std::size_t(z * lanes + l)],
                       zi = phases.im[2][std::size_t(z * lanes + l)];
          const double er = yr * zr - yi * zi, ei = yr * zi + yi * zr;
          re[l] = c.real() * er - c.imag() * ei;
          im[l] = c.real() * ei + c.imag() * er;
        }
        s.add(re, im, phases.re[0].data() + x0 * lanes, phases.im[0].data() + x0 * lanes, x1 - x0,
              data + 2 * (row * n[0] + x0));
      }
    }
  });
  return out;
}

}  // namespace spokelab
