// The image that a command writes, and the words about its reconstruction.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "engine/core/memory/memory_ceiling.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab::cli {

using WrittenFiles = std::vector<std::filesystem::path>;
// A row for each file, and "output" ("outputs" where there are several) of a command's document.
void sayWritten(CommandContext& context, const WrittenFiles& files);
nlohmann::json outputDocument(const std::string& asked, const WrittenFiles& files);

// -o, --part, --window, --level, --keep-patient.
class ImageOutput {
 public:
  // unlessDryRun: the command asks for a file itself.
  enum class Needed { yes, unlessDryRun };
  void addTo(CLI::App& app, Needed needed = Needed::yes);
  void declare(JobFiles& files) const;
  // Returns the files: one, or one for each group of slices that an affine describes. With a
  // context, it warns where the format cannot hold the image's double precision.
  WrittenFiles write(CommandContext& context, const Image& image, const Progress& progress) const;
  WrittenFiles write(const Image& image, const Progress& progress) const;
  // Writes the patient of the scan's header into the image's file if --keep-patient asks for it.
  void keepPatientOf(const Scan& scan);
  const std::string& file() const { return file_; }

 private:
  std::string file_, part_ = "complex";
  WriteOptions options_;
  bool keepPatient_ = false;
};

// ceiling: where given, each stage's share of it is said.
void sayReconstruction(CommandContext& context, const Reconstruction& result,
                       const std::optional<MemoryCeiling>& ceiling = {});

}  // namespace spokelab::cli
