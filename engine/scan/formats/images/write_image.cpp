#include "engine/scan/formats/images/write_image.h"

#include <memory>
#include <optional>

#include "engine/core/atomic_file.h"
#include "engine/core/text.h"
#include "engine/scan/formats/images/byte_sink.h"
#include "engine/scan/formats/images/dicom/write_dicom.h"
#include "engine/scan/formats/images/image_writers.h"
#include "engine/scan/formats/images/sidecar.h"
#include "engine/scan/place/image_groups.h"

namespace spokelab {
namespace {

bool endsWithExtension(const std::filesystem::path& file, const std::string& extension) {
  const std::string name = lowerCase(file.filename().string());
  return name.size() > extension.size() && name.ends_with(extension);
}

// An affine holds for all slices and frames of a group, so each group is a file.
std::vector<std::filesystem::path> writeNiftiGroups(const Image& image, const std::filesystem::path& file,
                                                    const WriteOptions& options, const Progress& progress) {
  const bool gzip = endsWithExtension(file, ".nii.gz");
  const std::vector<ImageGroup> groups = imageGroups(image);
  const bool whole = isOneGroup(image);
  std::vector<std::unique_ptr<AtomicFile>> atomic;
  std::vector<std::filesystem::path> written;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto count = double(groups.size());
    const Progress part = progress.part(double(g) / count, double(g + 1) / count);
    written.push_back(groups.size() == 1 ? file : groupFile(file, groups[g].name));
    atomic.push_back(std::make_unique<AtomicFile>(written.back()));
    const ImageFile target{atomic.back()->path(), written.back()};
    if (whole)
      writeNifti(image, target, gzip, options, part);
    else
      writeNifti(*imageOfGroup(image, groups[g]), target, gzip, options, part);
  }
  progress.report(1, "Wrote " + file.filename().string());  // the last chance to cancel
  for (const auto& one : atomic) one->commit(progress);
  return written;
}

}  // namespace

std::filesystem::path groupFile(const std::filesystem::path& file, const std::string& group) {
  const std::string name = file.filename().string();
  const std::size_t end = lowerCase(name).rfind(".nii");
  std::filesystem::path result = file;
  result.replace_filename(name.substr(0, end) + "_" + group +
                          (end == std::string::npos ? "" : name.substr(end)));
  return result;
}

ImageFormat imageFormat(const std::filesystem::path& file) {
  if (file.filename().empty()) {
    if (file.empty()) return ImageFormat::unknown;
    return endsWithExtension(file.parent_path(), ".dcm") ? ImageFormat::dicomSeries : ImageFormat::pictures;
  }
  if (endsWithExtension(file, ".dcm")) return ImageFormat::dicom;
  if (endsWithExtension(file, ".nii.gz") || endsWithExtension(file, ".nii")) return ImageFormat::nifti;
  if (endsWithExtension(file, ".h5") || endsWithExtension(file, ".mrd") || endsWithExtension(file, ".hdf5"))
    return ImageFormat::mrd;
  if (endsWithExtension(file, ".cfl")) return ImageFormat::cfl;
  if (endsWithExtension(file, ".npy")) return ImageFormat::npy;
  return endsWithExtension(file, ".png") ? ImageFormat::png : ImageFormat::unknown;
}

std::vector<std::filesystem::path> filesOfImage(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> files;
  const ImageFormat format = imageFormat(file);
  if (format == ImageFormat::pictures || format == ImageFormat::dicomSeries) return files;
  files.push_back(file);
  if (format == ImageFormat::cfl) files.push_back(std::filesystem::path(file).replace_extension(".hdr"));
  if (format == ImageFormat::cfl || format == ImageFormat::npy) files.push_back(sidecarOf(file));
  return files;
}

std::string precisionLost(const Image& image, const std::filesystem::path& file) {
  if (!image.isDouble()) return {};
  switch (imageFormat(file)) {
    case ImageFormat::cfl:
      return file.filename().string() + " holds single precision: 7 of 16 digits are kept; .npy keeps all";
    case ImageFormat::png:
    case ImageFormat::pictures:
      return "pictures hold 8 bits a pixel; .npy, .nii.gz and .h5 keep the double precision";
    case ImageFormat::dicom:
    case ImageFormat::dicomSeries:
      return "DICOM holds 16 bits a pixel; .npy, .nii.gz and .h5 keep the double precision";
    default:
      return {};
  }
}

std::vector<std::filesystem::path> writeImage(const Image& image, const std::filesystem::path& file,
                                              const WriteOptions& options, const Progress& progress) {
  const std::string problem = "Cannot write " + file.string();
  for (std::int64_t n : image.size)
    if (n < 1) throw Error(problem, "the image is empty", "Reconstruct first");
  if (image.frames < 1 || std::int64_t(image.data.size()) != image.frames * image.volume())
    throw Error(problem, "the image's data do not fit its size",
                "Give size × frames values, or correct the size");

  const ImageFormat format = imageFormat(file);
  if (format == ImageFormat::unknown)
    throw Error(
        problem, "its extension belongs to no known format",
        "Use .nii.gz, .nii, .h5 (ISMRMRD), .dcm (DICOM), .cfl, .npy or .png, or a folder (ending in /) for "
        "pictures, or in .dcm/ for a DICOM series");
  progress.report(0, "Writing " + file.filename().string());
  if (format == ImageFormat::pictures) {
    writePngSequence(image, file.parent_path(), options, progress);
    return {file};
  }
  if (format == ImageFormat::dicomSeries) {
    writeDicomSeries(image, file.parent_path(), options, progress);
    return {file};
  }
  if (format == ImageFormat::nifti) return writeNiftiGroups(image, file, options, progress);
  if (format == ImageFormat::cfl && options.part != ComplexPart::complex)
    throw Error(problem, ".cfl holds complex numbers only",
                "Write the complex image, or use .npy or .nii.gz");
  // These formats hold no geometry.
  const bool needsSidecar = format == ImageFormat::npy || format == ImageFormat::cfl;
  std::optional<AtomicFile> sidecar;
  if (needsSidecar) {
    sidecar.emplace(sidecarOf(file));
    ByteSink sink(sidecar->path(), sidecarOf(file), false);
    const std::string text =
        sidecarText(image, format == ImageFormat::npy ? "[frame, z or slice, y, x], x fastest"
                                                      : "BART: x, y, z at 0 to 2, frame at 10, slice at 13");
    sink.write(text.data(), text.size());
    sink.close();
  }
  if (format == ImageFormat::cfl) {
    writeCfl(image, file, progress);
  } else {
    AtomicFile atomic(file);
    const ImageFile target{atomic.path(), file};
    if (format == ImageFormat::mrd)
      writeMrdImage(image, target, options, progress);
    else if (format == ImageFormat::npy)
      writeNpy(image, target, options, progress);
    else if (format == ImageFormat::dicom)
      writeDicomFile(image, target, options, progress);
    else
      writePng(image, target, options, progress);
    progress.report(1, "Wrote " + file.filename().string());  // the last chance to cancel
    atomic.commit(progress);
  }
  if (sidecar) sidecar->commit(progress);
  return {file};
}

}  // namespace spokelab
