#include "engine/recon/functional/low_rank_sparse.h"

#include <numbers>
#include <vector>

#include "engine/core/thread_pool.h"
#include "engine/recon/functional/singular_shrinkage.h"

namespace spokelab {
namespace {

constexpr std::int64_t rowsTogether = 512;  // rows of a block, all its frames in the cache

// Calls body(block, first pixel, number of pixels).
template <class Body>
void eachBlock(std::int64_t pixels, int threads, const Body& body) {
  parallelFor((pixels + rowsTogether - 1) / rowsTogether, threads, 1,
              [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t b = begin; b < end; ++b)
                  body(b, b * rowsTogether, std::min(rowsTogether, pixels - b * rowsTogether));
              });
}

// Rows of [frame, pixel] from a pixel on: [pixel, frame], column-major.
template <class Real>
auto rowsOf(std::complex<Real>* values, std::int64_t first, std::int64_t count, std::int64_t frames,
            std::int64_t pixels) {
  return Eigen::Map<ComplexMatrix<Real>, 0, Eigen::OuterStride<>>(values + first, count, frames,
                                                                  Eigen::OuterStride<>(pixels));
}

// [frame, frequency], unitary.
template <class Real>
ComplexMatrix<Real> fourierMatrix(std::int64_t frames) {
  ComplexMatrix<Real> matrix(frames, frames);
  for (std::int64_t t = 0; t < frames; ++t)
    for (std::int64_t f = 0; f < frames; ++f)
      matrix(t, f) = std::complex<Real>(std::polar(
          1 / std::sqrt(double(frames)), -2 * std::numbers::pi * double(t * f % frames) / double(frames)));
  return matrix;
}

template <class Values>
double sumOf(const Values& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum;
}

}  // namespace

template <class Real>
double shrinkSingularValues(double threshold, std::int64_t frames, std::int64_t pixels, int threads,
                            std::complex<Real>* values) {
  std::vector<ComplexMatrix<double>> grams(std::size_t((pixels + rowsTogether - 1) / rowsTogether));
  eachBlock(pixels, threads, [&](std::int64_t block, std::int64_t first, std::int64_t count) {
    const ComplexMatrix<double> rows = rowsOf(values, first, count, frames, pixels).template cast<cdouble>();
    grams[std::size_t(block)] = rows.adjoint() * rows;
  });
  ComplexMatrix<double> gram = ComplexMatrix<double>::Zero(frames, frames);
  for (const ComplexMatrix<double>& part : grams) gram += part;  // in order: the same sum each time
  const SingularShrinkage shrinkage = singularShrinkage(gram, threshold);
  const ComplexMatrix<Real> matrix = shrinkage.matrix.template cast<std::complex<Real>>();
  eachBlock(pixels, threads, [&](std::int64_t, std::int64_t first, std::int64_t count) {
    auto rows = rowsOf(values, first, count, frames, pixels);
    rows = (rows * matrix).eval();
  });
  return shrinkage.sum;
}

template <class Real>
double shrinkFrequencies(double threshold, const FrameTrains& trains, std::int64_t pixels, int threads,
                         std::complex<Real>* values) {
  std::vector<ComplexMatrix<Real>> transforms;
  for (const std::int64_t frames : trains.lengths()) transforms.push_back(fourierMatrix<Real>(frames));
  std::vector<double> sums(std::size_t((pixels + rowsTogether - 1) / rowsTogether));
  eachBlock(pixels, threads, [&](std::int64_t block, std::int64_t first, std::int64_t count) {
    double sum = 0;
    std::int64_t frame = 0;
    for (const ComplexMatrix<Real>& fourier : transforms) {
      auto rows = rowsOf(values + frame * pixels, first, count, fourier.rows(), pixels);
      ComplexMatrix<Real> spectrum = rows * fourier;
      for (Eigen::Index i = 0; i < spectrum.size(); ++i) {
        std::complex<Real>& value = spectrum.data()[i];
        const double length = std::abs(value), left = std::max(0.0, length - threshold);
        value *= length > 0 ? Real(left / length) : Real(0);
        sum += left;
      }
      rows = spectrum * fourier.adjoint();
      frame += fourier.rows();
    }
    sums[std::size_t(block)] = sum;
  });
  return sumOf(sums);
}

template double shrinkSingularValues(double, std::int64_t, std::int64_t, int, cfloat*);
template double shrinkSingularValues(double, std::int64_t, std::int64_t, int, cdouble*);
template double shrinkFrequencies(double, const FrameTrains&, std::int64_t, int, cfloat*);
template double shrinkFrequencies(double, const FrameTrains&, std::int64_t, int, cdouble*);

}  // namespace spokelab
