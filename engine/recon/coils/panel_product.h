// Products A^H B of tall complex matrices in single precision, on all cores. A matrix is kept as
// panels of panelWidth columns, [panel][row][plane][column], padded with zeros: the form that the
// loop (kernels/coil_loops.h) reads without gaps.
#pragma once

#include <span>

#include "engine/core/array.h"
#include "engine/core/progress.h"
#include "engine/recon/coils/kernels/coil_loops.h"

namespace spokelab {

class PanelMatrix {
 public:
  PanelMatrix(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), values_(std::size_t(panels() * panelFloats()), 0.0F) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t panels() const { return (columns_ + panelWidth - 1) / panelWidth; }
  const float* panel(std::int64_t p) const { return values_.data() + p * panelFloats(); }
  cfloat at(std::int64_t row, std::int64_t column) const {
    const float* p = values_.data() + place(row, column);
    return {p[0], p[panelWidth]};
  }
  void set(std::int64_t row, std::int64_t column, cfloat value) {
    float* p = values_.data() + place(row, column);
    p[0] = value.real();
    p[panelWidth] = value.imag();
  }
  PanelMatrix adjoint() const;

 private:
  std::int64_t panelFloats() const { return rows_ * 2 * panelWidth; }
  std::int64_t place(std::int64_t row, std::int64_t column) const {
    return column / panelWidth * panelFloats() + row * 2 * panelWidth + column % panelWidth;
  }

  std::int64_t rows_, columns_;
  Buffer<float> values_;
};

// out += A^H B; out has A's columns as rows, and B's columns. Throws Cancelled.
void addProduct(const PanelMatrix& a, const PanelMatrix& b, PanelMatrix& out, const Progress& progress);

// out += A^H A: the same, for half the work.
void addGram(const PanelMatrix& a, PanelMatrix& out, const Progress& progress);

}  // namespace spokelab
