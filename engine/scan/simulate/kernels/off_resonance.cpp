// The sum of off_resonance.h for several coils at once. A coil's sensitivity is a sum of
// exponentials e^{2 pi i s . r}, s a shift of k-space in cycles/FOV, and the caller adds up the
// sums of its shifts:
//   out[f] = sum_n m_n e^{2 pi i shifts[f] . r_n} e^{-2 pi i (k . r_n + nu(r_n) t)} e^{-R(r_n) t}
//            / ((2N)^d mean(k - shifts[f])),
// nu = w / (2 pi) in cycles/s, and mean(k) the spectrum of the mean over a cell, which m_n
// contains.
#include "engine/scan/simulate/kernels/off_resonance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/simulate/kernels/sines.h"

namespace spokelab {
namespace {

constexpr double pi = std::numbers::pi;
constexpr std::size_t block = 256;  // cells whose phases are kept in cache at a time

// The spectrum of the mean over `subsamples` points of a cell, at k cycles per grid of `cells`.
double meanOverCell(double k, std::int64_t cells, std::int64_t subsamples) {
  const double x = pi * k / double(cells);
  constexpr double tiny = 1e-9;
  if (subsamples == 1 || std::abs(x) < tiny) return 1;
  return std::sin(x) / (double(subsamples) * std::sin(x / double(subsamples)));
}

cdouble valueAt(const Phantom& phantom, const Vec3& r) {
  cdouble sum = 0;
  for (const PhantomShape& shape : phantom.shapes)
    if (isInside(shape, phantom.dims, r)) sum += shape.value;
  return sum;
}

}  // namespace

const std::vector<std::pair<std::string, FieldShape>>& fieldNames() {
  static const std::vector<std::pair<std::string, FieldShape>> names = {{"none", FieldShape::none},
                                                                        {"linear", FieldShape::linear},
                                                                        {"quadratic", FieldShape::quadratic},
                                                                        {"head", FieldShape::head}};
  return names;
}

double fieldAt(const OffResonance& field, const Vec3& r, int dims) {
  const double peak = 2 * pi * field.peakHz;
  const double z = dims == 3 ? r[2] : 0;
  switch (field.shape) {
    case FieldShape::none:
      return 0;
    case FieldShape::linear:
      return peak * 2 * r[0];
    case FieldShape::quadratic:
      return peak * 4 * (r[0] * r[0] + r[1] * r[1] + z * z);
    case FieldShape::head: {
      // Chosen to look like a field map of a head: in fields of view, y from front to back.
      constexpr Vec3 centre{0, -0.3, -0.1};
      constexpr double width = 0.13, slope = 0.1;
      const double dz = dims == 3 ? z - centre[2] : 0;
      const double distance2 = r[0] * r[0] + (r[1] - centre[1]) * (r[1] - centre[1]) + dz * dz;
      return peak * ((1 - slope) * std::exp(-distance2 / (2 * width * width)) + slope * (r[0] - 2 * r[1]));
    }
  }
  return 0;
}

double decayAt(const OffResonance& field, const Vec3& r) {
  constexpr double middle = 0.75, slope = 0.5;  // 1 at the front (y = -1/2), 1/2 at the back
  return field.decay * (middle - slope * r[1]);
}

Image fieldImage(const OffResonance& field, const Index3& matrix) {
  Image image = nominalImage(matrix, "field map");
  image.data.reserve(std::size_t(product(matrix)));
  const auto at = [&](std::size_t d, std::int64_t n) {
    return double(n - matrix[d] / 2) / double(matrix[d]);
  };
  for (std::int64_t z = 0; z < matrix[2]; ++z)
    for (std::int64_t y = 0; y < matrix[1]; ++y)
      for (std::int64_t x = 0; x < matrix[0]; ++x)
        image.data.push_back(
            cfloat(float(fieldAt(field, {at(0, x), at(1, y), at(2, z)}, matrix[2] > 1 ? 3 : 2))));
  return image;
}

OffResonantSums::OffResonantSums(const Phantom& phantom, const Index3& matrix, const OffResonance& field,
                                 std::vector<Vec3> shifts)
    : dims_(phantom.dims), shifts_(std::move(shifts)) {
  for (std::size_t d = 0; d < std::size_t(dims_); ++d) fine_[d] = 2 * matrix[d];
  subsamples_ = dims_ == 3 ? 2 : 4;
  // Of a cell: x, y, z, cycles/s, and a complex value for each shift.
  const double numbers = 4 + 2 * double(shifts_.size());
  requireMemory(double(product(fine_)) * numbers * sizeof(double), "Cannot simulate the scan",
                "a grid twice as fine as the image", "Use a smaller matrix, or no field map");
  // Means over the cells, a row of the grid a task.
  std::vector<cdouble> means(std::size_t(product(fine_)));
  const auto place = [&](std::size_t d, std::int64_t n, std::int64_t sub) {
    if (d >= std::size_t(dims_)) return 0.0;
    const double offset = (double(sub) + 0.5) / double(subsamples_) - 0.5;
    return (double(n - fine_[d] / 2) + offset) / double(fine_[d]);
  };
  const std::int64_t subsZ = dims_ == 3 ? subsamples_ : 1;
  parallelTasks(fine_[1] * fine_[2], 0, [&](std::int64_t row) {
    const std::int64_t y = row % fine_[1], z = row / fine_[1];
    for (std::int64_t x = 0; x < fine_[0]; ++x) {
      cdouble sum = 0;
      for (std::int64_t c = 0; c < subsZ; ++c)
        for (std::int64_t b = 0; b < subsamples_; ++b)
          for (std::int64_t a = 0; a < subsamples_; ++a)
            sum += valueAt(phantom, {place(0, x, a), place(1, y, b), place(2, z, c)});
      means[std::size_t(row * fine_[0] + x)] = sum / double(subsamples_ * subsamples_ * subsZ);
    }
  });
  const double cellVolume = 1 / double(product(fine_));  // of a field of view
  real_.resize(shifts_.size());
  imaginary_.resize(shifts_.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (means[i] == 0.0) continue;
    const auto n = std::int64_t(i);
    const auto centre = [&](std::size_t d, std::int64_t m) {
      return d < std::size_t(dims_) ? double(m - fine_[d] / 2) / double(fine_[d]) : 0.0;
    };
    const Vec3 r{centre(0, n % fine_[0]), centre(1, n / fine_[0] % fine_[1]),
                 centre(2, n / (fine_[0] * fine_[1]))};
    x_.push_back(r[0]);
    y_.push_back(r[1]);
    z_.push_back(r[2]);
    cyclesPerSecond_.push_back(fieldAt(field, r, dims_) / (2 * pi));
    if (field.decay != 0) decay_.push_back(decayAt(field, r));
    for (std::size_t f = 0; f < shifts_.size(); ++f) {
      const double turn = shifts_[f][0] * r[0] + shifts_[f][1] * r[1] + shifts_[f][2] * r[2];
      const cdouble value = cellVolume * means[i] * std::polar(1.0, 2 * pi * turn);
      real_[f].push_back(value.real());
      imaginary_[f].push_back(value.imag());
    }
  }
}

void OffResonantSums::evaluate(const double* k, double seconds, cdouble* out,
                               const Progress& progress) const {
  const double kx = k[0], ky = k[1], kz = dims_ == 3 ? k[2] : 0;
  std::fill_n(out, shifts_.size(), cdouble(0));
  double turns[block], sines[block], cosines[block];
  progress.checkpoint();
  for (std::size_t first = 0; first < x_.size(); first += block) {
    const std::size_t count = std::min(block, x_.size() - first);
    const double *x = x_.data() + first, *y = y_.data() + first, *z = z_.data() + first;
    const double* rate = cyclesPerSecond_.data() + first;
    for (std::size_t i = 0; i < count; ++i) turns[i] = kx * x[i] + ky * y[i] + kz * z[i] + seconds * rate[i];
    sinesAndCosines(turns, sines, cosines, count);
    for (std::size_t i = 0; !decay_.empty() && i < count; ++i) {
      const double decayed = std::exp(-decay_[first + i] * seconds);
      sines[i] *= decayed;
      cosines[i] *= decayed;
    }
    for (std::size_t f = 0; f < shifts_.size(); ++f) {
      const double *re = real_[f].data() + first, *im = imaginary_[f].data() + first;
      double sumRe = 0, sumIm = 0;
      for (std::size_t i = 0; i < count; ++i) {
        sumRe += re[i] * cosines[i] + im[i] * sines[i];
        sumIm += im[i] * cosines[i] - re[i] * sines[i];
      }
      out[f] += cdouble(sumRe, sumIm);
    }
  }
  for (std::size_t f = 0; f < shifts_.size(); ++f)
    for (std::size_t d = 0; d < std::size_t(dims_); ++d)
      out[f] /= meanOverCell(k[d] - shifts_[f][d], fine_[d], subsamples_);
}

}  // namespace spokelab
