#include "engine/scan/formats/images/nifti_affine.h"

namespace spokelab {
namespace {

Vec3 scaled(const Vec3& v, double s) {
  return {v[0] * s, v[1] * s, v[2] * s};
}

// From one slice to the next, mm. Slice positions decide where there are several and they differ.
Vec3 sliceStep(const Geometry& g, const Index3& size) {
  const auto count = g.slicePositions.size();
  if (g.matrix[2] == 1 && count > 1 && std::int64_t(count) == size[2]) {
    Vec3 step{};
    double length = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      step[d] = (g.slicePositions.back()[d] - g.slicePositions.front()[d]) / double(count - 1);
      length += step[d] * step[d];
    }
    if (length > 0) return step;
  }
  return scaled(g.sliceDirection, g.voxel()[2]);
}

}  // namespace

std::array<std::array<double, 4>, 3> niftiAffine(const Geometry& g, const Index3& size) {
  const Vec3 voxel = g.voxel();
  const std::array<Vec3, 3> columns = {scaled(g.readDirection, voxel[0]), scaled(g.phaseDirection, voxel[1]),
                                       sliceStep(g, size)};
  // The position of a volume is its centre, not its first slice's.
  const bool volume = g.matrix[2] > 1;
  Vec3 origin = g.slicePositions.empty() ? Vec3{0, 0, 0} : g.slicePositions.front();
  for (std::size_t axis = 0; axis < (volume ? 3 : 2); ++axis)
    for (std::size_t d = 0; d < 3; ++d) origin[d] -= columns[axis][d] * double(size[axis] / 2);
  std::array<std::array<double, 4>, 3> affine{};
  for (std::size_t row = 0; row < 3; ++row) {
    const double sign = row < 2 ? -1 : 1;  // LPS to RAS
    for (std::size_t axis = 0; axis < 3; ++axis) affine[row][axis] = sign * columns[axis][row];
    affine[row][3] = sign * origin[row];
  }
  return affine;
}

}  // namespace spokelab
