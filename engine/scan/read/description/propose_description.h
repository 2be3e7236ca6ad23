// A description for a lone array: looks for its partners in its folder, and names the axes by their
// sizes. The trajectory tells the number of points; the samples' file is the complex array whose
// axes hold that many.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/scan/read/description/array_candidates.h"
#include "engine/scan/read/description/scan_description.h"

namespace spokelab {

// `notes` says what was guessed and why, for the user to check.
struct ProposedDescription {
  ScanDescription description;
  std::vector<std::string> notes;
};
// Throws Error where no partner fits.
ProposedDescription proposeScanDescription(const std::filesystem::path& file);
// The same for named samples and trajectory; nothing if no axes have the trajectory's sizes.
std::optional<ScanDescription> describePair(const ArrayCandidate& samples, const ArrayCandidate& trajectory);

}  // namespace spokelab
