#include "engine/recon/coils/calibration_operator.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/core/measure/spans.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/coils/eigenspace.h"

namespace spokelab {
namespace {

constexpr std::int64_t blocksAtOnce = 1024;  // of the calibration matrix, while its Gram matrix is summed

// out[o, b, i] = sum over a of phase[b, a] in[o, a, i]: one axis of a separable transform.
std::vector<cdouble> transformAxis(const std::vector<cdouble>& in, std::int64_t outer, std::int64_t from,
                                   std::int64_t to, std::int64_t inner, const std::vector<cdouble>& phases) {
  std::vector<cdouble> out(std::size_t(outer * to * inner));
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t b = 0; b < to; ++b)
      for (std::int64_t a = 0; a < from; ++a) {
        const double c = phases[std::size_t(b * from + a)].real(),
                     s = phases[std::size_t(b * from + a)].imag();
        const cdouble* source = in.data() + (o * from + a) * inner;
        cdouble* target = out.data() + (o * to + b) * inner;
        for (std::int64_t i = 0; i < inner; ++i)
          target[i] += cdouble(c * source[i].real() - s * source[i].imag(),
                               c * source[i].imag() + s * source[i].real());
      }
  return out;
}

// phases[b, a] = scale e^{2 pi i turns(b, a)}
template <class Turns>
std::vector<cdouble> phaseTable(std::int64_t to, std::int64_t from, double scale, const Turns& turns) {
  std::vector<cdouble> phases;
  for (std::int64_t b = 0; b < to; ++b)
    for (std::int64_t a = 0; a < from; ++a)
      phases.push_back(std::polar(scale, 2 * std::numbers::pi * turns(b, a)));
  return phases;
}

// All axes of `values` [z, y, x] of size `from` to size `to`: z first, while rows are long.
std::vector<cdouble> transformAxes(std::vector<cdouble> values, const Index3& from, const Index3& to,
                                   const std::array<std::vector<cdouble>, 3>& phases) {
  std::int64_t outer = 1;
  for (std::size_t d = 3; d-- > 0;) {
    const std::int64_t inner = d == 2 ? from[0] * from[1] : d == 1 ? from[0] : 1;
    values = transformAxis(values, outer, from[d], to[d], inner, phases[d]);
    outer *= to[d];
  }
  return values;
}

// The matrix of all blocks: row p holds the block at place p, [coil, z, y, x].
class CalibrationMatrix {
 public:
  CalibrationMatrix(const CalibrationData& data, const Index3& width)
      : data_(data), width_(width), places_(blockPlaces(data, width)) {}
  std::int64_t rows() const { return product(places_); }
  std::int64_t columns() const { return product(width_) * data_.coils; }

  PanelMatrix part(std::int64_t begin, std::int64_t end) const {
    PanelMatrix m(end - begin, columns());
    parallelTasks(end - begin, 0, [&](std::int64_t r) {
      for (std::int64_t c = 0; c < columns(); ++c) m.set(r, c, at(begin + r, c));
    });
    return m;
  }

  PanelMatrix transposed() const {
    PanelMatrix m(columns(), rows());
    parallelTasks(columns(), 0, [&](std::int64_t c) {
      for (std::int64_t r = 0; r < rows(); ++r) m.set(c, r, at(r, c));
    });
    return m;
  }

 private:
  cfloat at(std::int64_t row, std::int64_t column) const {
    const std::int64_t cells = product(width_), coil = column / cells, cell = column % cells;
    const std::int64_t x = row % places_[0] + cell % width_[0];
    const std::int64_t y = row / places_[0] % places_[1] + cell / width_[0] % width_[1];
    const std::int64_t z = row / places_[0] / places_[1] + cell / width_[0] / width_[1];
    const Index3& n = data_.size;
    return data_.values[std::size_t(((coil * n[2] + z) * n[1] + y) * n[0] + x)];
  }

  const CalibrationData& data_;
  Index3 width_, places_;
};

// The adjoint of a basis of the space of the matrix' rows: [dimension, column].
PanelMatrix rowSpace(const CalibrationMatrix& matrix, double share, const Progress& progress) {
  const std::int64_t rows = matrix.rows(), columns = matrix.columns(), small = std::min(rows, columns);
  requireMemory((double(small) * double(small) * 3 + double(std::min(blocksAtOnce, rows) * columns) * 2) *
                    sizeof(cfloat),
                "Cannot estimate coil maps", "ESPIRiT's calibration matrix",
                "Use a narrower coil-calibration, compress the coils, or coil-maps = walsh");
  PanelMatrix gram(small, small);
  Span summing("calibration matrix");
  const auto leading = [&] {
    summing.end();
    const Span traced("calibration space");
    return leadingEigenspace(gram, share, progress);
  };
  if (rows > columns) {
    for (std::int64_t begin = 0; begin < rows; begin += blocksAtOnce)
      addGram(matrix.part(begin, std::min(rows, begin + blocksAtOnce)), gram, progress);
    return leading().vectors.adjoint();
  }
  addGram(matrix.transposed(), gram, progress);
  const Eigenspace space = leading();
  PanelMatrix left(rows, space.vectors.columns());
  for (std::int64_t v = 0; v < left.columns(); ++v) {
    const double length = std::sqrt(space.values[std::size_t(v)]);
    const auto scale = float(length > 0 ? 1 / length : 0);
    for (std::int64_t r = 0; r < rows; ++r) left.set(r, v, std::conj(space.vectors.at(r, v)) * scale);
  }
  PanelMatrix basis(left.columns(), columns);
  addProduct(left, matrix.part(0, rows), basis, progress);
  return basis;
}

}  // namespace

CalibrationData calibrationData(const cfloat* images, int coils, const Index3& pixels, const Index3& size,
                                const Progress& progress) {
  std::array<std::vector<cdouble>, 3> phases;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t zero = size[d] / 2, middle = pixels[d] / 2;
    phases[d] = phaseTable(size[d], pixels[d], 1, [&](std::int64_t k, std::int64_t x) {
      return -double((k - zero) * (x - middle)) / double(pixels[d]);
    });
  }
  CalibrationData data{coils, size, Buffer<cfloat>(std::size_t(product(size) * coils))};
  parallelTasks(coils, 0, [&](std::int64_t c) {
    progress.checkpoint();
    const cfloat* image = images + c * product(pixels);
    const auto k = transformAxes({image, image + product(pixels)}, pixels, size, phases);
    std::copy(k.begin(), k.end(), data.values.begin() + c * product(size));
  });
  return data;
}

Index3 blockPlaces(const CalibrationData& data, const Index3& width) {
  Index3 places;
  for (std::size_t d = 0; d < 3; ++d) places[d] = data.size[d] - width[d] + 1;
  return places;
}

Index3 operatorShifts(const Index3& width) {
  return {2 * width[0] - 1, 2 * width[1] - 1, 2 * width[2] - 1};
}

PixelOperator pixelOperator(const CalibrationData& data, const Index3& width, double share,
                            const Progress& progress) {
  const std::int64_t coils = data.coils, cells = product(width), columns = coils * cells;
  const PanelMatrix basis = rowSpace(CalibrationMatrix(data, width), share, progress);
  const Span traced("operator");
  PixelOperator result;
  result.coils = data.coils;
  result.rank = basis.rows();
  result.shifts = operatorShifts(width);
  const std::int64_t pairs = coilPairs(data.coils), shifts = product(result.shifts), row = result.shifts[0];
  requireMemory(double(columns) * double(columns) * sizeof(cfloat) + double(pairs * shifts) * sizeof(cfloat),
                "Cannot estimate coil maps", "ESPIRiT's operator",
                "Use a narrower coil-calibration, compress the coils, or coil-maps = walsh");
  // The projection onto the space. With basis rows v^H, [column, column]: sum_r v_r v_r^H.
  PanelMatrix projection(columns, columns);
  addGram(basis, projection, progress);

  // H_bc at shift s: w^-d sum_a of the projection at (coil c, cell a + s) and (coil b, cell a).
  result.re.resize(std::size_t(pairs * shifts));
  result.im.resize(std::size_t(pairs * shifts));
  parallelTasks(shifts, 0, [&](std::int64_t s) {
    progress.checkpoint();
    Index3 shift, begin, end;
    for (std::size_t d = 0; d < 3; ++d) {
      shift[d] = (d == 0   ? s % row
                  : d == 1 ? s / row % result.shifts[1]
                           : s / row / result.shifts[1]) -
                 (width[d] - 1);
      begin[d] = std::max<std::int64_t>(0, -shift[d]);
      end[d] = std::min(width[d], width[d] - shift[d]);
    }
    const std::int64_t step = (shift[2] * width[1] + shift[1]) * width[0] + shift[0];
    for (std::int64_t b = 0, pair = 0; b < coils; ++b)
      for (std::int64_t c = 0; c <= b; ++c, ++pair) {
        cdouble sum = 0;
        for (std::int64_t z = begin[2]; z < end[2]; ++z)
          for (std::int64_t y = begin[1]; y < end[1]; ++y)
            for (std::int64_t x = begin[0]; x < end[0]; ++x) {
              const std::int64_t a = (z * width[1] + y) * width[0] + x;
              sum += cdouble(projection.at(c * cells + a + step, b * cells + a));
            }
        const auto place = std::size_t((s / row * pairs + pair) * row + s % row);
        result.re[place] = float(sum.real() / double(cells));
        result.im[place] = float(sum.imag() / double(cells));
      }
  });
  return result;
}

}  // namespace spokelab
