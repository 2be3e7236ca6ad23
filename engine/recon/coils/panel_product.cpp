#include "engine/recon/coils/panel_product.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/core/thread_pool.h"

namespace spokelab {
namespace {

constexpr std::int64_t rowsAtOnce = 256;  // of two panels: they stay in the second-level cache
constexpr std::int64_t tileFloats = 2 * panelWidth * panelWidth;

using Tile = std::array<float, std::size_t(tileFloats)>;

void multiplyPanels(const PanelMatrix& a, std::int64_t i, const PanelMatrix& b, std::int64_t j, Tile& tile,
                    const Progress& progress) {
  const CoilLoops<float>& loops = coilLoops<float>();
  tile.fill(0);
  for (std::int64_t row = 0; row < a.rows(); row += rowsAtOnce) {
    progress.checkpoint();
    loops.panelProduct(std::min(rowsAtOnce, a.rows() - row), a.panel(i) + row * 2 * panelWidth,
                       b.panel(j) + row * 2 * panelWidth, tile.data());
  }
}

// Adds a tile to `out` at rows of panel i and columns of panel j; turned: its adjoint, at (j, i).
void addTile(const Tile& tile, std::int64_t i, std::int64_t j, bool turned, PanelMatrix& out) {
  const std::int64_t row0 = i * panelWidth, column0 = j * panelWidth;
  const std::int64_t rows = turned ? out.columns() : out.rows(),
                     columns = turned ? out.rows() : out.columns();
  const std::int64_t height = std::min<std::int64_t>(panelWidth, rows - row0),
                     width = std::min<std::int64_t>(panelWidth, columns - column0);
  for (std::int64_t r = 0; r < height; ++r)
    for (std::int64_t c = 0; c < width; ++c) {
      const float *re = tile.data() + 2 * r * panelWidth + c, *im = re + panelWidth;
      if (turned)
        out.set(column0 + c, row0 + r, out.at(column0 + c, row0 + r) + cfloat(*re, -*im));
      else
        out.set(row0 + r, column0 + c, out.at(row0 + r, column0 + c) + cfloat(*re, *im));
    }
}

}  // namespace

PanelMatrix PanelMatrix::adjoint() const {
  PanelMatrix turned(columns_, rows_);
  parallelTasks(turned.panels(), 0, [&](std::int64_t panel) {
    const std::int64_t end = std::min(rows_, (panel + 1) * panelWidth);
    for (std::int64_t r = panel * panelWidth; r < end; ++r)
      for (std::int64_t c = 0; c < columns_; ++c) turned.set(c, r, std::conj(at(r, c)));
  });
  return turned;
}

void addProduct(const PanelMatrix& a, const PanelMatrix& b, PanelMatrix& out, const Progress& progress) {
  parallelTasks(a.panels() * b.panels(), 0, [&](std::int64_t task) {
    const std::int64_t i = task / b.panels(), j = task % b.panels();
    alignas(64) Tile tile;
    multiplyPanels(a, i, b, j, tile, progress);
    addTile(tile, i, j, false, out);
  });
}

void addGram(const PanelMatrix& a, PanelMatrix& out, const Progress& progress) {
  std::vector<std::array<std::int64_t, 2>> tiles;
  for (std::int64_t i = 0; i < a.panels(); ++i)
    for (std::int64_t j = 0; j <= i; ++j) tiles.push_back({i, j});
  parallelTasks(std::int64_t(tiles.size()), 0, [&](std::int64_t task) {
    const auto [i, j] = tiles[std::size_t(task)];
    alignas(64) Tile tile;
    multiplyPanels(a, i, a, j, tile, progress);
    addTile(tile, i, j, false, out);
    if (i != j) addTile(tile, i, j, true, out);
  });
}

}  // namespace spokelab
