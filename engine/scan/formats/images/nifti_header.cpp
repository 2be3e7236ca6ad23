#include "engine/scan/formats/images/nifti_header.h"

#include <nifti1.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::int64_t maxVoxels = std::int64_t(1) << 48;
const char* const writeAgain = "Write the image again as NIfTI-1 in one file (.nii or .nii.gz)";

template <class T>
void turn(T& value) {
  std::array<char, sizeof(T)> bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  std::reverse(bytes.begin(), bytes.end());
  std::memcpy(&value, bytes.data(), sizeof value);
}

void turnHeader(nifti_1_header& h) {
  turn(h.sizeof_hdr);
  for (short& n : h.dim) turn(n);
  turn(h.datatype);
  turn(h.bitpix);
  for (float& f : h.pixdim) turn(f);
  for (float* f : {&h.vox_offset, &h.scl_slope, &h.scl_inter, &h.quatern_b, &h.quatern_c, &h.quatern_d,
                   &h.qoffset_x, &h.qoffset_y, &h.qoffset_z})
    turn(*f);
  turn(h.qform_code);
  turn(h.sform_code);
  for (float* row : {h.srow_x, h.srow_y, h.srow_z})
    for (int i = 0; i < 4; ++i) turn(row[i]);
}

int bytesOf(int datatype) {
  switch (datatype) {
    case NIFTI_TYPE_UINT8:
    case NIFTI_TYPE_INT8:
      return 1;
    case NIFTI_TYPE_INT16:
    case NIFTI_TYPE_UINT16:
      return 2;
    case NIFTI_TYPE_INT32:
    case NIFTI_TYPE_UINT32:
    case NIFTI_TYPE_FLOAT32:
      return 4;
    case NIFTI_TYPE_FLOAT64:
    case NIFTI_TYPE_COMPLEX64:
      return 8;
    case NIFTI_TYPE_COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

using Affine = std::array<std::array<double, 4>, 3>;

Affine fromQuaternion(const nifti_1_header& h) {
  const double b = double(h.quatern_b), c = double(h.quatern_c), d = double(h.quatern_d);
  const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
  const double q = h.pixdim[0] < 0 ? -1 : 1;
  const double r[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                          {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
                          {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b}};
  const double offset[3] = {double(h.qoffset_x), double(h.qoffset_y), double(h.qoffset_z)};
  Affine m{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      m[row][axis] = r[row][axis] * double(h.pixdim[axis + 1]) * (axis == 2 ? q : 1);
    m[row][3] = offset[row];
  }
  return m;
}

Affine affineOf(const nifti_1_header& h, bool& known) {
  known = true;
  Affine m{};
  if (h.sform_code > 0) {
    for (std::size_t i = 0; i < 4; ++i) {
      m[0][i] = double(h.srow_x[i]);
      m[1][i] = double(h.srow_y[i]);
      m[2][i] = double(h.srow_z[i]);
    }
    return m;
  }
  if (h.qform_code > 0) return fromQuaternion(h);
  known = false;
  for (std::size_t i = 0; i < 3; ++i) m[i][i] = double(h.pixdim[i + 1]);
  return m;
}

// Affine (RAS) -> directions, sizes and centre (LPS). Nominal if the affine is not a turned box.
Geometry geometryOf(const Affine& affine, const Index3& size, bool known) {
  Geometry g;
  g.matrix = size;
  g.nominal = !known;
  std::array<Vec3, 3> direction{};
  Vec3 centre{};
  for (std::size_t row = 0; row < 3; ++row) {
    const double sign = row < 2 ? -1 : 1;
    centre[row] = sign * affine[row][3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      direction[axis][row] = sign * affine[row][axis];
      centre[row] += direction[axis][row] * double(size[axis] / 2);
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Vec3& v = direction[axis];
    const double length = std::hypot(v[0], v[1], v[2]);
    if (!(length > 0) || !std::isfinite(length) || !std::isfinite(centre[axis])) {
      Geometry plain;
      plain.matrix = size;
      plain.fov = {double(size[0]), double(size[1]), double(size[2])};
      plain.nominal = true;
      return plain;
    }
    g.fov[axis] = length * double(size[axis]);
    for (double& x : direction[axis]) x /= length;
  }
  g.readDirection = direction[0];
  g.phaseDirection = direction[1];
  g.sliceDirection = direction[2];
  g.slicePositions = {centre};
  return g;
}

}  // namespace

NiftiHeader parseNiftiHeader(std::string_view bytes, const std::string& problem) {
  const auto fail = [&](const std::string& reason) { throw Error(problem, reason, writeAgain); };
  if (bytes.size() < niftiHeaderBytes) fail("it ends before its header does");
  nifti_1_header h{};
  static_assert(sizeof h == niftiHeaderBytes);
  std::memcpy(&h, bytes.data(), sizeof h);
  NiftiHeader header;
  if (h.sizeof_hdr != int(niftiHeaderBytes)) {
    turnHeader(h);
    header.swapped = true;
  }
  if (h.sizeof_hdr != int(niftiHeaderBytes)) fail("it is not a NIfTI-1 file (NIfTI-2 is not read)");
  if (std::memcmp(h.magic, "n+1", 4) != 0) fail("its image is in a separate file (.img)");
  constexpr int maxAxes = 7;
  if (h.dim[0] < 1 || h.dim[0] > maxAxes) fail("its number of axes is " + std::to_string(h.dim[0]));
  double voxels = 1;
  for (std::size_t i = 1; i <= std::size_t(h.dim[0]); ++i) {
    const std::int64_t n = h.dim[i];
    if (n < 1) fail("axis " + std::to_string(i) + " has the size " + std::to_string(n));
    voxels *= double(n);
    if (voxels > double(maxVoxels)) fail("it claims more voxels than any file holds");
    if (i <= 3)
      header.size[i - 1] = n;
    else
      header.frames *= n;
  }
  header.datatype = h.datatype;
  header.bytes = bytesOf(h.datatype);
  if (header.bytes == 0) fail("its data type " + std::to_string(h.datatype) + " is not read");
  const double offset = double(h.vox_offset);
  constexpr double maxOffsetBytes = 1e9;
  if (!(offset >= double(niftiHeaderBytes) && offset <= maxOffsetBytes))
    fail("its voxels start at byte " + exactNumberText(offset));
  header.offset = std::int64_t(offset);
  const double slope = double(h.scl_slope), intercept = double(h.scl_inter);
  if (std::isfinite(slope) && slope != 0 && std::isfinite(intercept)) {
    header.slope = slope;
    header.intercept = intercept;
  }
  bool known = false;
  const Affine affine = affineOf(h, known);
  // The identity is what programs write that know no place: the first voxel at the origin, 1 mm.
  constexpr Affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  header.geometry = geometryOf(affine, header.size, known && affine != identity);
  return header;
}

}  // namespace spokelab
