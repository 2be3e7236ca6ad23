#include "engine/scan/read/description/array_candidates.h"

#include <algorithm>
#include <set>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxNeighbours = 500;  // files that are looked at

bool startsReal(const ArrayFile& file) {
  if (!isComplex(file.header().type)) return true;
  bool real = true;
  struct Enough {};
  try {
    file.read(Progress(), "", [&](std::int64_t, const cdouble* values, std::int64_t count) {
      real = std::all_of(values, values + count, [](const cdouble& v) { return v.imag() == 0; });
      throw Enough{};
    });
  } catch (const Enough&) {
  }
  return real;
}

// A lone array of BART's: a trajectory, which is real, has three columns; of anything else the
// shape is open.
ArrayCandidate bareCandidate(const fs::path& file) {
  constexpr std::int64_t columns = 3;
  const auto elements = std::int64_t(fs::file_size(file) / sizeof(cfloat));
  const ArrayFile flat(file, {elements});
  ArrayCandidate c{file.filename(), lowerCase(file.stem().string()), flat.header(), startsReal(flat), true};
  if (c.onlyReal && elements % columns == 0) c.header.shape = {columns, elements / columns};
  return c;
}

}  // namespace

std::vector<ArrayCandidate> candidatesInside(const fs::path& file) {
  std::vector<ArrayCandidate> all;
  for (const ArrayVariable& v : arrayVariables(file)) {
    if (!v.unreadable.empty()) continue;
    const bool real = startsReal(ArrayFile(arrayName(file, v.name)));
    all.push_back({arrayName(file.filename(), v.name), lowerCase(fs::path(v.name).stem().string()), v.header,
                   real, false});
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
      const ArrayFile array(folder / name);
      found.push_back({name, lowerCase(name.stem().string()), array.header(), startsReal(array), false});
    } catch (const Error&) {
      continue;  // a neighbour that cannot be read is no partner
    }
  return found;
}

}  // namespace spokelab
