#include "engine/nufft/points/shared_tile.h"

#include <complex>

#include "engine/nufft/points/grid_layout.h"

namespace spokelab {
namespace {

// Tiles are not alike: some threads take two while others take one.
constexpr double minTilesPerThread = 1.25;

double tilesOfATurn(const GridLayout& layout) {
  return double(layout.tileCount()) / double(1 << layout.dims);
}

}  // namespace

Index3 sharedTile(int dims, const Index3& grid, int reach, int shares) {
  const auto cut = [&](const Index3& tile) {
    return makeGridLayout(dims, grid, reach, reach, tile, sizeof(std::complex<float>));
  };
  GridLayout layout = cut({0, 0, 0});
  if (shares < 2) return layout.tile;  // one thread takes no turns
  while (tilesOfATurn(layout) < minTilesPerThread * shares) {
    Index3 narrower = layout.tile;
    const std::size_t along = dims == 3 && narrower[2] >= narrower[1] ? 2 : 1;
    narrower[along] /= 2;
    const GridLayout next = cut(narrower);
    if (dims == 1 || next.tile == layout.tile) break;
    layout = next;
  }
  return layout.tile;
}

}  // namespace spokelab
