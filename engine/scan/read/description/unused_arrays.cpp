#include "engine/scan/read/description/unused_arrays.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_name.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/read/description/array_candidates.h"
#include "engine/scan/read/description/array_words.h"
#include "engine/scan/read/description/scan_description.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// A name that two ways of writing the same array share: the file's place, and the variable in it.
std::string placeOfArray(const fs::path& name) {
  const ArrayName parsed = parseArrayName(name);
  std::error_code failed;
  const fs::path place = fs::weakly_canonical(parsed.file, failed);
  return (failed ? parsed.file : place).string() + ':' + parsed.variable;
}

std::set<std::string> usedArrays(const fs::path& file, const SeparateFiles& separate) {
  std::set<std::string> used;
  for (const fs::path& own : {separate.trajectory, separate.weights, separate.noise})
    if (!own.empty()) used.insert(placeOfArray(own));
  used.insert(placeOfArray(file));
  if (fileKind(file) != FileKind::json) return used;
  const ScanDescription d = parseScanDescription(readDocument(file), file.parent_path(), "");
  for (const ArrayPart& part : d.parts()) used.insert(placeOfArray(d.folder / part.file));
  return used;
}

// Empty where it does not look as if it belonged to the scan, or the scan has such numbers already.
std::string meaningOf(const ArrayCandidate& c, const Scan& scan, bool fits) {
  const Trajectory& t = scan.trajectories.front();
  if (isWeights(c.word) && c.onlyReal) return t.weights.empty() ? "density weights" : "";
  if (isTimes(c.word) && fits) return t.times.empty() ? "sample times" : "";
  if (const std::string map = mapName(c.word); !map.empty()) {
    const bool known = std::any_of(scan.arrays.begin(), scan.arrays.end(),
                                   [&](const NamedArray& array) { return array.name == map; });
    return known ? "" : map == "FieldMap" ? "a field map" : map == "SENSEMap" ? "coil maps" : "phase maps";
  }
  return fits && t.weights.empty() ? "density weights, or sample times" : "";
}

std::string remedyFor(const std::string& file, const std::string& meaning, bool described) {
  std::string option;
  if (meaning.starts_with("density")) option = "--sample-weights ";
  if (meaning == "coil maps") option = "reconstruct with --coil-maps ";
  if (meaning == "a field map") option = "reconstruct with --field-map ";
  if (meaning == "phase maps") option = "reconstruct with --phase-maps ";
  const std::string name = described ? "Name it in the description" : "Describe the scan (JSON), and name it";
  return option.empty() ? name : name + "; or " + option + shellWord(file);
}

}  // namespace

std::vector<UnusedArray> unusedArrays(const Scan& scan, const SeparateFiles& separate) {
  std::vector<UnusedArray> unused;
  const fs::path file = parseArrayName(scan.path).file;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return unused;
  try {
    const bool described = fileKind(file) == FileKind::json;
    const std::set<std::string> used = usedArrays(file, separate);
    const std::int64_t samples = scan.trajectories.front().samples();
    for (const ArrayCandidate& c : candidatesBeside(file, true)) {
      if (used.contains(placeOfArray(file.parent_path() / c.file))) continue;
      const bool fits = c.onlyReal && c.header.elements() == samples;
      const std::string meaning = meaningOf(c, scan, fits);
      if (meaning.empty()) continue;
      unused.push_back(
          {c.file.string(), meaning,
           shapeText(c.header.shape) + " " + elementName(c.header.type) +
               (fits ? ": a number for each of the " + std::to_string(samples) + " samples" : ""),
           remedyFor(c.file.string(), meaning, described)});
    }
  } catch (const std::exception&) {  // neighbours are no reason to refuse a scan
  }
  return unused;
}

}  // namespace spokelab
