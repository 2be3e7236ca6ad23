#include "engine/scan/formats/images/read_image.h"

#include <nifti1.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/images/dicom/read_dicom.h"
#include "engine/scan/formats/images/nifti_header.h"
#include "engine/scan/formats/images/read_mrd_image.h"
#include "engine/scan/formats/images/sidecar.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t voxelsAtOnce = 1 << 18;
constexpr double maxCompressionRatio = 1100;  // of deflate
const char* const copyAgain = "Copy the file again, or write it again with the program that made it";

template <class T, class Real>
void convert(const char* raw, std::int64_t count, std::complex<Real>* out, double slope, double intercept) {
  for (std::int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, raw + i * std::int64_t(sizeof(T)), sizeof(T));
    out[i] = {Real(double(value) * slope + intercept), 0};
  }
}
template <class T, class Real>
void convertPairs(const char* raw, std::int64_t count, std::complex<Real>* out, double slope,
                  double intercept) {
  for (std::int64_t i = 0; i < count; ++i) {
    T parts[2];
    std::memcpy(parts, raw + i * std::int64_t(sizeof parts), sizeof parts);
    out[i] = {Real(double(parts[0]) * slope + intercept), Real(double(parts[1]) * slope)};
  }
}

template <class Real>
void convert(const NiftiHeader& h, char* raw, std::int64_t count, std::complex<Real>* out) {
  const bool pairs = h.datatype == NIFTI_TYPE_COMPLEX64 || h.datatype == NIFTI_TYPE_COMPLEX128;
  const int unit = pairs ? h.bytes / 2 : h.bytes;
  if (h.swapped)
    for (char* at = raw; at < raw + count * h.bytes; at += unit) std::reverse(at, at + unit);
  switch (h.datatype) {
    case NIFTI_TYPE_UINT8:
      return convert<std::uint8_t>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_INT8:
      return convert<std::int8_t>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_INT16:
      return convert<std::int16_t>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_UINT16:
      return convert<std::uint16_t>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_INT32:
      return convert<std::int32_t>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_UINT32:
      return convert<std::uint32_t>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_FLOAT32:
      return convert<float>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_FLOAT64:
      return convert<double>(raw, count, out, h.slope, h.intercept);
    case NIFTI_TYPE_COMPLEX64:
      return convertPairs<float>(raw, count, out, h.slope, h.intercept);
    default:
      return convertPairs<double>(raw, count, out, h.slope, h.intercept);
  }
}

Image readNifti(const fs::path& file, const Progress& progress) {
  const std::string problem = "Cannot read " + file.string();
  // zlib reads plain files too
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
  if (!in) throw Error(problem, std::strerror(errno), "Check the permissions of the file");
  std::array<char, niftiHeaderBytes> head{};
  const int got = gzread(in.get(), head.data(), unsigned(head.size()));
  const NiftiHeader h = parseNiftiHeader({head.data(), std::size_t(std::max(0, got))}, problem);
  const bool compressed = gzdirect(in.get()) == 0;
  const double needed = double(h.offset) + double(product(h.size)) * double(h.frames) * h.bytes;
  const double there = double(fs::file_size(file)) * (compressed ? maxCompressionRatio : 1);
  if (there < needed)
    throw Error(
        problem,
        "its header promises " + bytesText(needed) + ", but it has " + bytesText(double(fs::file_size(file))),
        copyAgain);
  if (h.frames > std::numeric_limits<int>::max())
    throw Error(problem, "it has more frames than can be counted", copyAgain);
  Image image = nominalImage(h.size, file.filename().string());
  image.frames = int(h.frames);
  image.geometry = h.geometry;
  const std::int64_t total = image.volume() * image.frames;
  const bool wide = h.datatype == NIFTI_TYPE_FLOAT64 || h.datatype == NIFTI_TYPE_COMPLEX128 ||
                    h.datatype == NIFTI_TYPE_INT32 || h.datatype == NIFTI_TYPE_UINT32;
  image.makeRoom(wide, problem, "Use a machine with more memory");
  Buffer<char> raw;
  if (gzseek(in.get(), long(h.offset), SEEK_SET) < 0)
    throw Error(problem, "it ends before its voxels", copyAgain);
  for (std::int64_t at = 0; at < total; at += voxelsAtOnce) {
    progress.report(double(at) / double(total), "Reading " + image.name);
    const std::int64_t count = std::min(voxelsAtOnce, total - at);
    raw.resize(std::size_t(count * h.bytes));
    if (gzread(in.get(), raw.data(), unsigned(raw.size())) != int(raw.size()))
      throw Error(problem, "it ends before its voxels do, or its compression is damaged", copyAgain);
    if (wide)
      convert(h, raw.data(), count, image.doubleData.data() + at);
    else
      convert(h, raw.data(), count, image.data.data() + at);
  }
  image.settle();
  return image;
}

// Either half names a pair; its geometry has the name of the .cfl.
fs::path nameOfImage(fs::path file) {
  if (file.extension() == ".hdr") file.replace_extension(".cfl");
  return file;
}

// BART's axes as writeImage() uses them: frames at 10, slices of 2-D scans at 13, to [frame, z or
// slice, y, x]. Other axes stay. True: the file's frames lie within its slices.
bool foldBartAxes(std::vector<std::int64_t>& shape) {
  constexpr std::size_t z = 2, sliceAxis = 13;
  std::vector<std::int64_t> sizes(shape.rbegin(), shape.rend());  // from the fastest on
  const bool slices = sizes.size() > sliceAxis && sizes[z] == 1;
  if (slices) std::swap(sizes[z], sizes[sliceAxis]);
  std::int64_t frames = 1;
  for (std::size_t i = z + 1; i < sizes.size(); ++i) {
    if (sizes[i] > 1 && frames > 1) return false;
    frames *= sizes[i];
  }
  shape = {frames, sizes[z], sizes[1], sizes[0]};
  return slices && frames > 1;
}

// [slice, frame, pixel] to [frame, slice, pixel].
void putFramesFirst(Image& image) {
  const Buffer<cfloat> read = std::move(image.data);
  image.data = Buffer<cfloat>(read.size());
  const std::int64_t pixels = image.size[0] * image.size[1], slices = image.size[2];
  for (std::int64_t slice = 0; slice < slices; ++slice)
    for (std::int64_t frame = 0; frame < image.frames; ++frame)
      std::copy_n(read.begin() + (slice * image.frames + frame) * pixels, pixels,
                  image.data.begin() + (frame * slices + slice) * pixels);
}

Image readArray(const fs::path& file, const Progress& progress) {
  const ArrayFile array(file);
  std::vector<std::int64_t> shape = rowMajorShape(array.header());
  while (shape.size() > 4 && shape.front() == 1) shape.erase(shape.begin());
  constexpr std::size_t axes = 4;
  const bool turned = shape.size() > axes && fileKind(file) == FileKind::cfl && foldBartAxes(shape);
  if (shape.size() > axes)
    throw Error("Cannot read " + file.string(),
                "it has " + std::to_string(shape.size()) + " axes (" + shapeText(shape) + ")",
                "Images have up to four: frame, z, y, x");
  shape.insert(shape.begin(), axes - shape.size(), 1);
  if (shape[0] > std::numeric_limits<int>::max())
    throw Error("Cannot read " + file.string(), "it has more frames than can be counted", copyAgain);
  Image image = nominalImage({shape[3], shape[2], shape[1]}, file.filename().string());
  image.frames = int(shape[0]);
  if (auto geometry = geometryBeside(nameOfImage(file), image.size, progress))
    image.geometry = *std::move(geometry);
  image.frameAxes = framesBeside(nameOfImage(file), image.frames, progress);
  if (!needsDouble(array.header().type)) {
    image.data = array.readAll(progress, "Reading " + image.name);
    if (turned) putFramesFirst(image);
    return image;
  }
  image.doubleData = array.readAll<cdouble>(progress, "Reading " + image.name);
  image.data.resize(image.doubleData.size());
  image.settle();
  return image;
}

}  // namespace

Image readImage(const fs::path& file, const Progress& progress) {
  try {
    if (isDicomFolder(file)) return readDicom(file, progress);
    const FileKind kind = fileKind(file);
    noteInput(file);
    if (kind == FileKind::nifti) return readNifti(file, progress);
    if (isArrayKind(kind)) return readArray(file, progress);
    if (kind == FileKind::dicom) return readDicom(file, progress);
    if (kind == FileKind::hdf5) return readMrdImage(file, progress);
    throw Error("Cannot read " + file.string() + " as an image", "it is " + kindName(kind),
                "Use NIfTI (.nii, .nii.gz), DICOM, an image in ISMRMRD (.h5), .npy, .npz, .mat or .cfl");
  } catch (const fs::filesystem_error& e) {
    throw Error("Cannot read " + file.string(), e.code().message(), "Check that the file is still there");
  }
}

}  // namespace spokelab
