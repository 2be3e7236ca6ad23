#include "engine/recon/coils/coil_maps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/coils/calibration_operator.h"
#include "engine/recon/coils/local_covariance.h"

namespace spokelab {
namespace {

constexpr PowerLimits powerLimits{60, 1e-5};
constexpr double minKeptSingularValue = 1e-3;  // of the calibration matrix, relative, squared
constexpr double minPixelCovariance = 1e-6;    // of a pixel's neighbourhood, over the mean
constexpr std::int64_t rowsPerTask2d = 4, rowsPerTask3d = 16;

// The vectors of a tile, turned so that their product with `reference` is real, to `out` [coil, pixel]
// at `first`.
void keepVectors(const float* vectors, int coils, int count, const std::vector<cdouble>& reference,
                 const std::array<bool, pixelTile>& kept, std::int64_t pixels, cfloat* out) {
  std::array<float, pixelTile> re{}, im{};
  for (int c = 0; c < coils; ++c) {
    const float *a = vectors + 2 * std::ptrdiff_t(c) * pixelTile, *b = a + pixelTile;
    const auto p = float(reference[std::size_t(c)].real()), q = float(reference[std::size_t(c)].imag());
    for (std::size_t i = 0; i < pixelTile; ++i) {
      re[i] += p * a[i] + q * b[i];
      im[i] += p * b[i] - q * a[i];
    }
  }
  for (std::size_t i = 0; i < pixelTile; ++i) {
    const float size = std::sqrt(re[i] * re[i] + im[i] * im[i]), turn = size > 0 ? 1 / size : 0;
    re[i] = !kept[i] ? 0 : size > 0 ? re[i] * turn : 1;
    im[i] = !kept[i] ? 0 : -im[i] * turn;
  }
  for (int c = 0; c < coils; ++c) {
    const float *a = vectors + 2 * std::ptrdiff_t(c) * pixelTile, *b = a + pixelTile;
    cfloat* to = out + c * pixels;
    for (int j = 0; j < count; ++j) {
      const auto i = std::size_t(j);
      to[j] = {a[i] * re[i] - b[i] * im[i], a[i] * im[i] + b[i] * re[i]};
    }
  }
}

// The pixel's phases e^{-2 pi i s (n - floor(N/2)) / N} of all shifts s, along one axis.
std::vector<cfloat> phasesOf(std::int64_t pixel, std::int64_t size, std::int64_t shifts) {
  std::vector<cfloat> phases;
  const std::int64_t middle = size / 2, most = (shifts - 1) / 2;
  const double place = double(pixel - middle) / double(size);
  for (std::int64_t s = 0; s < shifts; ++s)
    phases.emplace_back(std::polar(1.0, -2 * std::numbers::pi * double(s - most) * place));
  return phases;
}

// matrices -= value v v^H, for the pixels of a tile, so that the next vector becomes the dominant one.
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

// The operator's matrices along the rows of an image, and their dominant eigenvectors: one for each of
// the references, from which iterations start.
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
      const std::vector<cfloat> phases = phasesOf(x, matrix[0], n);
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
      sumLines(op_.re, op_.im, planeLines * line_, phasesOf(z, matrix_[2], op_.shifts[2]), planeRe, planeIm);
    Buffer<float> matrices(std::size_t(2 * pairs_ * pixelTile)), vectors(std::size_t(2 * coils * pixelTile)),
        work(vectors.size());
    for (std::int64_t y = begin; y < end; ++y) {
      progress.checkpoint();
      sumLines(deep ? planeRe : op_.re, deep ? planeIm : op_.im, line_, phasesOf(y, matrix_[1], planeLines),
               re, im);
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
      loops.leading(op_.coils, powerLimits, matrices.data(), vectors.data(), values.data(), work.data());
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

std::vector<cfloat> espiritMaps(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                                const CoilMapOptions& options, const Progress& progress) {
  Index3 size{1, 1, 1}, width{1, 1, 1};
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    // The window halves the amplitude at half the radius: that part carries the signal.
    size[d] = std::min<std::int64_t>(matrix[d], std::max(options.calibration * 3 / 4, 8));
    width[d] = std::min<std::int64_t>(dims == 3 ? 4 : 6, size[d]);
  }
  const PixelOperator op =
      pixelOperator(calibrationData(centre.images.data(), coils, centre.size, size, progress), width,
                    minKeptSingularValue, progress);
  progress.report(0.3, "Coil maps");
  const auto references =
      dominantCombinations(centre.images.data(), coils, product(centre.size), options.sets);
  const EspiritRows rows(op, matrix, references, options.crop);
  const std::int64_t numbers = options.sets * coils * product(matrix);
  requireMemory(double(numbers) * sizeof(cfloat) + hardwareThreads() * rows.scratchBytes(),
                "Cannot estimate coil maps", options.sets > 1 ? "two maps a coil" : "one map a coil",
                "Compress the coils, or use a smaller matrix");
  std::vector<cfloat> maps(static_cast<std::size_t>(numbers));
  const std::int64_t step = dims == 3 ? rowsPerTask3d : rowsPerTask2d, steps = (matrix[1] + step - 1) / step;
  parallelTasks(steps * matrix[2], 0, [&](std::int64_t task) {
    const std::int64_t begin = task % steps * step;
    rows.rows(task / steps, begin, std::min(matrix[1], begin + step), maps.data(), progress);
  });
  return maps;
}

// Where a pixel of `matrix` lies among those of `size`, which have the same field of view: the pixel
// before, and the share of the next one.
struct Between {
  std::int64_t low = 0, high = 0;
  float part = 0;
};

std::vector<Between> placesBetween(std::int64_t matrix, std::int64_t size) {
  const std::int64_t middle = matrix / 2, coarseMiddle = size / 2;
  std::vector<Between> places;
  for (std::int64_t n = 0; n < matrix; ++n) {
    const double at = std::clamp(double(n - middle) * double(size) / double(matrix) + double(coarseMiddle),
                                 0.0, double(size - 1));
    const auto low = std::min(std::int64_t(at), std::max<std::int64_t>(size - 2, 0));
    places.push_back({low, std::min(low + 1, size - 1), float(at - double(low))});
  }
  return places;
}

// vectors [coil, pixel of `size`] -> [coil, pixel of `matrix`], linearly, with unit root of sum of
// squares, and 0 where more than half of what lies around is 0.
std::vector<cfloat> interpolate(const Buffer<cfloat>& vectors, int coils, const Index3& size,
                                const Index3& matrix, const Progress& progress) {
  const std::int64_t pixels = product(matrix), coarse = product(size);
  requireMemory(double(pixels) * coils * sizeof(cfloat), "Cannot estimate coil maps", "one map a coil",
                "Compress the coils, or use a smaller matrix");
  std::vector<cfloat> maps(std::size_t(pixels * coils));
  const std::vector<Between> xs = placesBetween(matrix[0], size[0]), ys = placesBetween(matrix[1], size[1]),
                             zs = placesBetween(matrix[2], size[2]);
  parallelTasks(matrix[1] * matrix[2], 0, [&](std::int64_t row) {
    progress.checkpoint();
    const Between y = ys[std::size_t(row % matrix[1])], z = zs[std::size_t(row / matrix[1])];
    std::vector<float> squares(xs.size(), 0.0F), share(xs.size(), 0.0F);
    std::vector<cfloat> line(static_cast<std::size_t>(size[0]));
    std::vector<float> known(line.size(), 0.0F);
    for (int c = 0; c < coils; ++c) {
      std::fill(line.begin(), line.end(), cfloat(0));
      for (int corner = 0; corner < 4; ++corner) {
        const float weight =
            ((corner & 1) != 0 ? y.part : 1 - y.part) * ((corner & 2) != 0 ? z.part : 1 - z.part);
        const std::int64_t j = (corner & 1) != 0 ? y.high : y.low, k = (corner & 2) != 0 ? z.high : z.low;
        const cfloat* in = vectors.data() + c * coarse + (k * size[1] + j) * size[0];
        for (std::size_t i = 0; i < line.size(); ++i) {
          line[i] += weight * in[i];
          known[i] += weight * std::norm(in[i]);
        }
      }
      cfloat* out = maps.data() + c * pixels + row * matrix[0];
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const Between x = xs[i];
        out[i] = (1 - x.part) * line[std::size_t(x.low)] + x.part * line[std::size_t(x.high)];
        squares[i] += std::norm(out[i]);
      }
    }
    constexpr float minShare = 0.5F, minSquare = 1e-12F;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      share[i] =
          (1 - xs[i].part) * known[std::size_t(xs[i].low)] + xs[i].part * known[std::size_t(xs[i].high)];
      squares[i] = share[i] < minShare || squares[i] < minSquare ? 0 : 1 / std::sqrt(squares[i]);
    }
    for (int c = 0; c < coils; ++c) {
      cfloat* out = maps.data() + c * pixels + row * matrix[0];
      for (std::size_t i = 0; i < xs.size(); ++i) out[i] *= squares[i];
    }
  });
  return maps;
}

std::vector<cfloat> walshMaps(const CentreImages& centre, int coils, const Index3& matrix,
                              const CoilMapOptions& options, double scale, double meanSquare,
                              const Progress& progress) {
  Index3 half{};  // half a resolution cell of the centre, to either side
  double block = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    half[d] = centre.size[d] > 1 ? std::max<std::int64_t>(1, centre.size[d] / (2 * options.calibration)) : 0;
    block *= double(2 * half[d] + 1);
  }
  const std::int64_t pixels = product(centre.size);
  const std::vector<cdouble> reference = dominantCombination(centre.images.data(), coils, pixels);
  Buffer<cfloat> vectors(std::size_t(pixels * coils));
  const double least = minPixelCovariance * block * meanSquare * scale * scale;
  forCovarianceTiles<float>(
      centre.images.data(), coils, centre.size, half, scale, reference, 0, progress,
      [&](const CovarianceTile<float>& tile) {
        std::array<bool, pixelTile> kept{};
        for (std::size_t i = 0; i < pixelTile; ++i) kept[i] = double(tile.traces[i]) >= least;
        const std::int64_t first = (tile.z * centre.size[1] + tile.y) * centre.size[0] + tile.x;
        keepVectors(tile.vectors, coils, tile.pixels, reference, kept, pixels, vectors.data() + first);
      });
  return interpolate(vectors, coils, centre.size, matrix, progress);
}

}  // namespace

int centreOversampling(CoilMapMethod method) {
  return method == CoilMapMethod::walsh ? 4 : 2;
}

std::vector<cfloat> estimateCoilMaps(const CentreImages& centre, int coils, const Index3& matrix, int dims,
                                     const CoilMapOptions& options, const Progress& progress) {
  const std::int64_t pixels = product(centre.size);
  progress.report(0, "Coil maps");
  const double scale = scaleToOne(centre.images.data(), pixels * coils, 0);
  double energy = 0;
  for (const cfloat& v : centre.images) energy += std::norm(cdouble(v) * scale);
  if (!(energy > 0))
    throw Error("Cannot estimate coil maps", "the centre of k-space holds no signal",
                "Give maps from a file");
  if (options.sets < 1 || options.sets > 2)
    throw Error("Cannot estimate coil maps", std::to_string(options.sets) + " sets are asked for",
                "Ask for 1 or 2");
  if (options.sets > 1 && (coils == 1 || options.method == CoilMapMethod::walsh))
    throw Error("Cannot estimate two sets of coil maps",
                coils == 1 ? "one coil cannot tell two places of a pixel apart"
                           : "Walsh's method finds one map a coil",
                coils == 1 ? "Use coil-map-sets = 1" : "Use coil-maps = espirit, or coil-map-sets = 1");
  std::vector<cfloat> maps;
  if (coils == 1)
    maps.assign(std::size_t(product(matrix)), cfloat(1));
  else if (options.method == CoilMapMethod::walsh)
    maps =
        walshMaps(centre, coils, matrix, options, scale, energy / (scale * scale) / double(pixels), progress);
  else
    maps = espiritMaps(centre, coils, matrix, dims, options, progress);
  progress.report(1, "Coil maps");
  return maps;
}

}  // namespace spokelab
