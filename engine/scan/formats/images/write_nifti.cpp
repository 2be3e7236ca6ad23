// NIfTI-1 (nifti.nimh.nih.gov), one file: header of 348 bytes, provenance extension, pixels.
#include <nifti1.h>
#include <nifti1_io.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/version.h"
#include "engine/scan/formats/frames/frame_texts.h"
#include "engine/scan/formats/images/byte_sink.h"
#include "engine/scan/formats/images/image_writers.h"
#include "engine/scan/formats/images/nifti_affine.h"
#include "engine/scan/formats/images/nifti_header.h"
#include "engine/scan/formats/images/write_pixels.h"

namespace spokelab {
namespace {

static_assert(sizeof(nifti_1_header) == niftiHeaderBytes);

template <std::size_t N>
void setText(char (&field)[N], const std::string& text) {
  const std::size_t n = text.copy(field, N - 1);
  std::fill(field + n, field + N, '\0');
}

// The flag "no extensions", or an extension that holds the provenance as a comment: its size (a
// multiple of 16), its code, the text.
std::string commentExtension(const Image& image, const Patient& patient) {
  constexpr std::size_t flagBytes = 4, frameBytes = 8, sizeMultiple = 16, maxTextBytes = 60000;
  std::string text;
  for (const std::string& line : patientLines(patient)) text += line + "\n";
  for (const std::string& line : describedLines(image)) text += line + "\n";
  if (text.empty()) return std::string(flagBytes, '\0');
  if (text.size() > maxTextBytes) text.resize(maxTextBytes);
  text.append(sizeMultiple - (text.size() + frameBytes) % sizeMultiple, '\0');
  const std::int32_t size = std::int32_t(text.size() + frameBytes), code = NIFTI_ECODE_COMMENT;
  std::string bytes = {char(1), char(0), char(0), char(0)};
  for (const std::int32_t n : {size, code})
    for (int i = 0; i < 4; ++i) bytes += char((n >> (8 * i)) & 0xff);
  return bytes + text;
}

short shortOf(std::int64_t n, const std::filesystem::path& target) {
  if (n > std::numeric_limits<short>::max())
    throw Error("Cannot write " + target.string(),
                "NIfTI-1 holds at most 32767 pixels or frames along an axis", "Use .npy");
  return short(n);
}

// True if the quaternion, which knows no slanted axes, puts the farthest voxel as the affine does.
bool holds(const nifti_1_header& h, const mat44& affine) {
  constexpr double maxDistanceMm = 0.05;
  const mat44 turned =
      nifti_quatern_to_mat44(h.quatern_b, h.quatern_c, h.quatern_d, h.qoffset_x, h.qoffset_y, h.qoffset_z,
                             h.pixdim[1], h.pixdim[2], h.pixdim[3], h.pixdim[0]);
  double distance = 0;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      distance += std::abs(double(turned.m[r][c]) - double(affine.m[r][c])) * double(h.dim[c + 1]);
  return distance <= maxDistanceMm;
}

}  // namespace

void writeNifti(const Image& image, const ImageFile& file, bool gzip, const WriteOptions& options,
                const Progress& progress) {
  nifti_1_header h{};
  h.sizeof_hdr = int(niftiHeaderBytes);
  h.regular = 'r';
  h.dim[0] = image.frames > 1 ? 4 : 3;
  for (std::size_t d = 0; d < 3; ++d) h.dim[d + 1] = shortOf(image.size[d], file.target);
  h.dim[4] = shortOf(image.frames, file.target);
  std::fill(h.dim + 5, h.dim + 8, short(1));
  const bool complex = options.part == ComplexPart::complex;
  const int doubled = image.isDouble() ? 2 : 1;
  if (complex)
    h.datatype = image.isDouble() ? NIFTI_TYPE_COMPLEX128 : NIFTI_TYPE_COMPLEX64;
  else
    h.datatype = image.isDouble() ? NIFTI_TYPE_FLOAT64 : NIFTI_TYPE_FLOAT32;
  h.bitpix = short((complex ? 64 : 32) * doubled);
  const std::string extension = commentExtension(image, options.patient);
  h.vox_offset = float(niftiHeaderBytes + extension.size());
  h.scl_slope = 1;
  h.xyzt_units = NIFTI_UNITS_MM | NIFTI_UNITS_SEC;

  const auto affine = niftiAffine(image.geometry, image.size);
  mat44 m{};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) m.m[r][c] = float(affine[std::size_t(r)][std::size_t(c)]);
  m.m[3][3] = 1;
  float dx = 1, dy = 1, dz = 1, qfac = 1;
  nifti_mat44_to_quatern(m, &h.quatern_b, &h.quatern_c, &h.quatern_d, &h.qoffset_x, &h.qoffset_y,
                         &h.qoffset_z, &dx, &dy, &dz, &qfac);
  const auto step = evenFrameStep(image.frameAxes);  // s, as xyzt_units says
  if (step) h.toffset = float(step->first);
  const float pixdim[8] = {qfac, dx, dy, dz, step ? float(step->step) : 1, 1, 1, 1};
  std::copy(pixdim, pixdim + 8, h.pixdim);
  std::copy(m.m[0], m.m[0] + 4, h.srow_x);
  std::copy(m.m[1], m.m[1] + 4, h.srow_y);
  std::copy(m.m[2], m.m[2] + 4, h.srow_z);
  h.sform_code = NIFTI_XFORM_SCANNER_ANAT;
  h.qform_code = short(holds(h, m) ? NIFTI_XFORM_SCANNER_ANAT : NIFTI_XFORM_UNKNOWN);
  setText(h.descrip,
          "Spokelab " + std::string(version()) + (image.geometry.nominal ? ", nominal geometry" : "") +
              (image.frames > 1 && !image.frameAxes.empty() ? ", " + image.frameAxes.summary() : ""));
  setText(h.magic, "n+1");

  ByteSink sink(file.temporary, file.target, gzip);
  sink.write(&h, sizeof h);
  sink.write(extension.data(), extension.size());
  writePixels(image, sink, options.part, progress);
  sink.close();
}

}  // namespace spokelab
