#include "engine/scan/read/description/array_candidates.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxNeighbours = 500;  // files that are looked at

double medianOf(std::vector<double>& values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Coordinates of a readout change their step little and fill k-space; samples jump and are small.
bool followPath(const cdouble* values, std::int64_t count) {
  constexpr std::int64_t minCount = 16, maxCount = 1 << 16;
  constexpr double minFill = 0.15, maxBend = 0.1;
  if (count < minCount) return false;
  std::vector<double> sizes, bends;
  for (std::int64_t i = 1; i + 1 < std::min(count, maxCount); ++i) {
    sizes.push_back(std::abs(values[i]));
    bends.push_back(std::abs(values[i + 1] - 2.0 * values[i] + values[i - 1]));
    if (!std::isfinite(bends.back())) return false;
  }
  const double largest = *std::max_element(sizes.begin(), sizes.end()), size = medianOf(sizes);
  return size > minFill * largest && medianOf(bends) < maxBend * size;
}

void lookInto(const ArrayFile& file, ArrayCandidate& c) {
  c.onlyReal = true;
  if (!isComplex(file.header().type)) return;
  struct Enough {};
  try {
    file.read(Progress(), "", [&](std::int64_t, const cdouble* values, std::int64_t count) {
      c.onlyReal = std::all_of(values, values + count, [](const cdouble& v) { return v.imag() == 0; });
      c.onPath = !c.onlyReal && followPath(values, count);
      throw Enough{};
    });
  } catch (const Enough&) {
  }
}

ArrayCandidate candidateOf(const fs::path& name, const std::string& word, const ArrayFile& file) {
  ArrayCandidate c;
  c.file = name;
  c.word = lowerCase(word);
  c.header = file.header();
  lookInto(file, c);
  return c;
}

// A lone array of BART's: a trajectory, which is real, has three columns; coordinates kx + i ky are
// a list; of anything else the shape is open.
ArrayCandidate bareCandidate(const fs::path& file) {
  constexpr std::int64_t columns = 3;
  const auto elements = std::int64_t(fs::file_size(file) / sizeof(cfloat));
  ArrayCandidate c = candidateOf(file.filename(), file.stem().string(), ArrayFile(file, {elements}));
  c.bare = true;
  if (c.onlyReal && elements % columns == 0) c.header.shape = {columns, elements / columns};
  return c;
}

}  // namespace

ArrayCandidate candidateOf(const fs::path& name) {
  const ArrayFile file(name);
  const ArrayName& nameInFile = file.name();
  if (nameInFile.variable.empty()) return candidateOf(nameInFile.file, nameInFile.file.stem().string(), file);
  return candidateOf(arrayName(nameInFile.file, nameInFile.variable),
                     ownName(nameInFile.file, nameInFile.variable), file);
}

std::vector<ArrayCandidate> candidatesInside(const fs::path& file) {
  std::vector<ArrayCandidate> all;
  for (const ArrayVariable& v : arrayVariables(file)) {
    if (!v.unreadable.empty()) continue;
    all.push_back(candidateOf(arrayName(file.filename(), v.name), ownName(file, v.name),
                              ArrayFile(arrayName(file, v.name))));
  }
  return all;
}

std::vector<ArrayCandidate> candidatesBeside(const fs::path& file, bool all) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::set<fs::path> names;
  for (const auto& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    const std::string extension = lowerCase(entry.path().extension().string());
    if (extension == ".npy" || extension == ".cfl" || (all && holdsSeveralArrays(entry.path())))
      names.insert(entry.path().filename());
    if (names.size() >= maxNeighbours) break;
  }
  std::vector<ArrayCandidate> found;
  for (const fs::path& name : names) try {
      if (holdsSeveralArrays(name)) {
        for (ArrayCandidate& c : candidatesInside(folder / name)) found.push_back(std::move(c));
        continue;
      }
      if (lacksHeader(folder / name)) {
        found.push_back(bareCandidate(folder / name));
        continue;
      }
      found.push_back(candidateOf(name, name.stem().string(), ArrayFile(folder / name)));
    } catch (const Error&) {
      continue;  // an unreadable neighbour cannot be a partner
    }
  return found;
}

}  // namespace spokelab
