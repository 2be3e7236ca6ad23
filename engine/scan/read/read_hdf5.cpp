#include "engine/scan/read/read_hdf5.h"

#include <algorithm>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/raw_data.h"
#include "engine/scan/formats/arrays/hdf5_datasets.h"
#include "engine/scan/formats/foreign/foreign_file.h"
#include "engine/scan/read/layouts/hdf5_layout.h"
#include "engine/scan/read/read_ismrmrd.h"
#include "engine/scan/read/separate/separate_arrays.h"

namespace spokelab {
namespace {

// "kspace 16 x 640 x 320 complex64, mask 320 float32"
std::string contentsText(const Hdf5Contents& contents) {
  constexpr std::size_t shown = 8;
  std::string text;
  std::size_t count = 0;
  for (const ArrayVariable& v : contents.arrays) {
    if (++count > shown) break;
    text += (text.empty() ? "" : ", ") + v.name +
            (v.unreadable.empty() ? " " + shapeText(v.header.shape) + " " + elementName(v.header.type) : "");
  }
  if (contents.arrays.size() > shown)
    text += " and " + std::to_string(contents.arrays.size() - shown) + " more";
  return text.empty() ? "nothing" : text;
}

[[noreturn]] void refuse(const std::filesystem::path& file, const Hdf5Contents& contents,
                         const Decisions& d) {
  std::string paths;
  for (const ArrayVariable& v : contents.arrays) paths += v.name + '\n';
  if (const auto foreign = foreignHdf5(file, paths)) throw Error(d.problem(), foreign->what, foreign->wayOn);
  const std::string reason =
      "it is an HDF5 file without ISMRMRD acquisitions, of no known layout (it holds: " +
      contentsText(contents) + ")";
  const bool arrays = std::any_of(contents.arrays.begin(), contents.arrays.end(),
                                  [](const ArrayVariable& v) { return v.unreadable.empty(); });
  if (!arrays) throw Error(d.problem(), reason, "Open the file that holds the raw data");
  const std::string name = file.filename().string();
  throw Error(d.problem(), reason,
              "Describe it: 'spokelab info " + name +
                  ":DATASET' on its samples proposes a description (JSON), in "
                  "which each array is named " +
                  name + ":DATASET; open that instead");
}

}  // namespace

std::shared_ptr<Scan> readHdf5(const std::filesystem::path& file, const ReadOptions& options, Decisions& d,
                               const Progress& progress) {
  if (holdsRawData(file, progress)) return readIsmrmrd(file, options.dataset, options.separate, d, progress);
  const Hdf5Contents contents = hdf5Contents(file, progress);
  const std::optional<KnownLayout> known = knownLayout(file, contents, d.problem());
  if (!known) refuse(file, contents, d);
  d.note("layout", known->name, "its data sets: " + contentsText(contents));
  if (options.separate.trajectory.empty())
    for (const std::string& sentence : known->assumed) d.warn(sentence);
  return readWithSeparate(known->description, file, options.separate, d, progress);
}

}  // namespace spokelab
