#include "engine/recon/coils/espirit_maps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/core/measure/spans.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/coils/keep_vectors.h"
#include "engine/recon/coils/local_covariance.h"

namespace spokelab {
namespace {

constexpr std::int64_t rowsPerTask2d = 4, rowsPerTask3d = 16;

// matrices -= value v v^H for the pixels of a tile: the next vector becomes the dominant one.
void deflate(int coils, const float* v, const std::array<float, pixelTile>& values, float* matrices) {
  for (int a = 0; a < coils; ++a)
    for (int b = 0; b <= a; ++b, matrices += std::ptrdiff_t(2) * pixelTile) {
      const float *x = v + std::ptrdiff_t(2) * a * pixelTile, *y = v + std::ptrdiff_t(2) * b * pixelTile;
      for (std::size_t i = 0; i < pixelTile; ++i) {
        const float p = x[i], q = x[i + pixelTile], r = y[i], s = y[i + pixelTile];
        matrices[i] -= values[i] * (p * r + q * s);
        matrices[i + pixelTile] -= values[i] * (q * r - p * s);
      }
    }
}

// The operator's matrices along an image's rows, and their dominant eigenvectors by reference.
class EspiritRows {
 public:
  EspiritRows(const PixelOperator& op, const Index3& matrix,
              const std::vector<std::vector<cdouble>>& references, double crop)
      : op_(op),
        matrix_(matrix),
        references_(references),
        crop_(float(crop)),
        pairs_(coilPairs(op.coils)),
        line_(pairs_ * op.shifts[0]) {
    const std::int64_t padded = (matrix[0] + pixelTile - 1) / pixelTile * pixelTile, n = op.shifts[0];
    phases_.resize(std::size_t(padded * n * 2));
    for (std::int64_t x = 0; x < padded; ++x) {
      const std::vector<cfloat> phases = shiftPhases(x, matrix[0], n);
      float* tile = phases_.data() + x / pixelTile * n * 2 * pixelTile + x % pixelTile;
      for (std::int64_t s = 0; s < n; ++s) {
        tile[2 * s * pixelTile] = phases[std::size_t(s)].real();
        tile[(2 * s + 1) * pixelTile] = phases[std::size_t(s)].imag();
      }
    }
  }

  // Bytes that rows() takes on each thread.
  double scratchBytes() const {
    return double(2 * line_ * (op_.shifts[1] + 1) + 2 * pairs_ * pixelTile) * sizeof(float);
  }

  void rows(std::int64_t z, std::int64_t begin, std::int64_t end, cfloat* maps,
            const Progress& progress) const {
    const std::int64_t planeLines = op_.shifts[1], coils = op_.coils;
    Buffer<float> planeRe, planeIm, re(static_cast<std::size_t>(line_)), im(re.size());
    const bool deep = op_.shifts[2] > 1;
    if (deep)
      sumLines(op_.re, op_.im, planeLines * line_, shiftPhases(z, matrix_[2], op_.shifts[2]), planeRe,
               planeIm);
    Buffer<float> matrices(std::size_t(2 * pairs_ * pixelTile)), vectors(std::size_t(2 * coils * pixelTile)),
        work(vectors.size());
    for (std::int64_t y = begin; y < end; ++y) {
      progress.checkpoint();
      sumLines(deep ? planeRe : op_.re, deep ? planeIm : op_.im, line_,
               shiftPhases(y, matrix_[1], planeLines), re, im);
      for (std::int64_t x = 0; x < matrix_[0]; x += pixelTile)
        tile(x, (z * matrix_[1] + y) * matrix_[0] + x, re, im, matrices, vectors, work, maps);
    }
  }

 private:
  // out[i] = sum over lines of phase[line] * in[line][i]
  static void sumLines(const Buffer<float>& inRe, const Buffer<float>& inIm, std::int64_t length,
                       const std::vector<cfloat>& phases, Buffer<float>& re, Buffer<float>& im) {
    re.assign(std::size_t(length), 0.0F);
    im.assign(std::size_t(length), 0.0F);
    for (std::size_t s = 0; s < phases.size(); ++s)
      coilLoops<float>().addScaled(length, phases[s].real(), phases[s].imag(),
                                   inRe.data() + std::ptrdiff_t(s) * length,
                                   inIm.data() + std::ptrdiff_t(s) * length, re.data(), im.data());
  }

  void tile(std::int64_t x, std::int64_t first, const Buffer<float>& re, const Buffer<float>& im,
            Buffer<float>& matrices, Buffer<float>& vectors, Buffer<float>& work, cfloat* maps) const {
    const CoilLoops<float>& loops = coilLoops<float>();
    const auto terms = int(op_.shifts[0]);
    loops.evaluate(int(pairs_), terms, re.data(), im.data(),
                   phases_.data() + x / pixelTile * terms * 2 * pixelTile, matrices.data());
    std::array<float, pixelTile> values{};
    for (std::size_t set = 0; set < references_.size(); ++set) {
      const std::vector<cdouble>& reference = references_[set];
      if (set > 0) deflate(op_.coils, vectors.data(), values, matrices.data());
      for (std::size_t c = 0; c < std::size_t(op_.coils); ++c) {
        std::fill_n(vectors.begin() + std::ptrdiff_t(2 * c * pixelTile), pixelTile,
                    float(reference[c].real()));
        std::fill_n(vectors.begin() + std::ptrdiff_t((2 * c + 1) * pixelTile), pixelTile,
                    float(reference[c].imag()));
      }
      loops.leading(op_.coils, espiritPower, matrices.data(), vectors.data(), values.data(), work.data());
      std::array<bool, pixelTile> kept{};
      for (std::size_t i = 0; i < pixelTile; ++i) kept[i] = values[i] >= crop_ && values[i] > 0;
      keepVectors(vectors.data(), op_.coils, int(std::min<std::int64_t>(pixelTile, matrix_[0] - x)),
                  reference, kept, product(matrix_),
                  maps + std::int64_t(set) * op_.coils * product(matrix_) + first);
    }
  }

  const PixelOperator& op_;
  Index3 matrix_;
  const std::vector<std::vector<cdouble>>& references_;
  float crop_;
  std::int64_t pairs_, line_;
  Buffer<float> phases_;  // [tile][shift][plane][pixel]
};

}  // namespace

std::vector<cfloat> shiftPhases(std::int64_t pixel, std::int64_t size, std::int64_t shifts) {
  std::vector<cfloat> phases;
  const std::int64_t middle = size / 2, most = (shifts - 1) / 2;
  const double place = double(pixel - middle) / double(size);
  for (std::int64_t s = 0; s < shifts; ++s)
    phases.emplace_back(std::polar(1.0, -2 * std::numbers::pi * double(s - most) * place));
  return phases;
}

EspiritPixels espiritPixels(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                            const CoilMapOptions& options, const CoilDivision* division,
                            const Progress& progress) {
  const Span traced("calibration");
  progress.report(0, "Coil maps");
  requireSignal(centre, division ? division->ranks : nullptr, progress);
  requireSets(options, coils);
  Index3 size{1, 1, 1}, width{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    // The window halves the amplitude at half the radius: that part carries the signal.
    size[d] = std::min<std::int64_t>(matrix[d], std::max(options.calibration * 3 / 4, 8));
    width[d] = std::min<std::int64_t>(dims == 3 ? 4 : 6, size[d]);
  }
  EspiritPixels pixels;
  pixels.dims = dims;
  pixels.matrix = matrix;
  pixels.crop = options.crop;
  pixels.width = width;
  const int own = division ? int(division->own().size()) : coils;
  pixels.data = calibrationData(centre.images.data(), own, centre.size, size, progress);
  const std::int64_t all = product(centre.size);
  Buffer<cfloat> some = somePixels(centre.images.data(), own, all);
  std::vector<double> energies = coilEnergies(centre, own);
  if (division) {
    pixels.data.coils = coils;
    pixels.data.values = ofAllCoils(pixels.data.values, *division, progress);
    some = ofAllCoils(some, *division, progress);
    energies = ofAllCoils(energies, *division, progress);
  }
  pixels.references =
      dominantCombinations(some.data(), coils, std::int64_t(some.size()) / coils, options.sets);
  pixels.emptyCoils = emptyCoils(energies);
  return pixels;
}

std::vector<cfloat> espiritMaps(const EspiritPixels& pixels, const Progress& progress) {
  const PixelOperator op =
      pixelOperator(pixels.data, pixels.width, minKeptSquareShare, progress.part(0, 0.3));
  const Span traced("maps of pixels");
  const Index3& matrix = pixels.matrix;
  const EspiritRows rows(op, matrix, pixels.references, pixels.crop);
  const auto sets = std::int64_t(pixels.references.size());
  const std::int64_t coils = op.coils, numbers = sets * coils * product(matrix);
  requireMemory(double(numbers) * sizeof(cfloat) + hardwareThreads() * rows.scratchBytes(),
                "Cannot estimate coil maps", sets > 1 ? "two maps a coil" : "one map a coil",
                "Compress the coils, or use a smaller matrix");
  std::vector<cfloat> maps(static_cast<std::size_t>(numbers));
  const std::int64_t step = pixels.dims == 3 ? rowsPerTask3d : rowsPerTask2d,
                     steps = (matrix[1] + step - 1) / step;
  parallelTasks(steps * matrix[2], 0, [&](std::int64_t task) {
    const std::int64_t begin = task % steps * step;
    rows.rows(task / steps, begin, std::min(matrix[1], begin + step), maps.data(), progress);
  });
  for (std::int64_t s = 0; s < sets; ++s)
    for (const int c : pixels.emptyCoils)
      std::fill_n(maps.begin() + (s * coils + c) * product(matrix), product(matrix), cfloat(0));
  progress.report(1, "Coil maps");
  return maps;
}

}  // namespace spokelab
