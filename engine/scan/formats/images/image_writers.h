// The formats behind writeImage. Each fills the file at `temporary`; messages speak of `target`.
#pragma once

#include <filesystem>

#include "engine/scan/formats/images/write_image.h"

namespace spokelab {

struct ImageFile {
  std::filesystem::path temporary, target;
};

void writeNifti(const Image& image, const ImageFile& file, bool gzip, const WriteOptions& options,
                const Progress& progress);
void writeNpy(const Image& image, const ImageFile& file, const WriteOptions& options,
              const Progress& progress);
void writePng(const Image& image, const ImageFile& file, const WriteOptions& options,
              const Progress& progress);

void writeMrdImage(const Image& image, const ImageFile& file, const WriteOptions& options,
                   const Progress& progress);
// Writes and commits the pair itself.
void writeCfl(const Image& image, const std::filesystem::path& target, const Progress& progress);
// One picture a frame and slice, all with one window; the folder appears whole or not at all.
void writePngSequence(const Image& image, const std::filesystem::path& folder, const WriteOptions& options,
                      const Progress& progress);

}  // namespace spokelab
