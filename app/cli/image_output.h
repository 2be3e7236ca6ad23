// The image that a command writes, and the words about its reconstruction.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {

// -o, --part, --window, --level.
class ImageOutput {
 public:
  void addTo(CLI::App& app);
  void declare(JobFiles& files) const;
  // Says so where the format cannot hold the image's double precision.
  void write(CommandContext& context, const Image& image, const Progress& progress) const;
  void write(const Image& image, const Progress& progress) const;
  const std::string& file() const { return file_; }

 private:
  std::string file_, part_ = "complex";
  WriteOptions options_;
};

// ceiling: where given, each stage's share of it is said.
void sayReconstruction(CommandContext& context, const Reconstruction& result,
                       const std::optional<MemoryCeiling>& ceiling = {});

}  // namespace spokelab::cli
