#include "engine/scan/formats/acquisitions/raw_data.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "engine/core/child/child_process.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/scan/formats/acquisitions/hdf5_acquisitions.h"
#include "engine/scan/formats/arrays/described_arrays.h"
#include "engine/scan/formats/file_kind.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

enum class Contents : std::uint64_t { noRawData, ownRawData, rawData };

// --- The child's side

// Groups at any depth that hold acquisitions.
herr_t takeGroup(hid_t root, const char* name, const H5L_info_t*, void* out) {
  constexpr std::string_view last = "/data";
  const std::string_view path = name;
  if (!path.ends_with(last)) return 0;
  std::string group(path.substr(0, path.size() - last.size()));
  if (holdsAcquisitions(root, group))
    static_cast<std::vector<std::string>*>(out)->push_back(std::move(group));
  return 0;
}

Contents contentsOf(const std::string& file) {
  std::vector<std::string> groups;
  {
    const Hdf5Handle h5 = openToRead(file);
    if (H5Lvisit(h5.get(), H5_INDEX_NAME, H5_ITER_NATIVE, takeGroup, static_cast<void*>(&groups)) < 0)
      throw Error("", "the HDF5 file is damaged", "");
  }
  std::string mark("<systemVendor>");
  mark.append(ownVendor).append("</systemVendor>");
  for (const std::string& group : groups)
    if (Hdf5Acquisitions(file, group).xml().find(mark) == std::string::npos) return Contents::rawData;
  return groups.empty() ? Contents::noRawData : Contents::ownRawData;
}

void tellContents(ChildArguments& arguments, int socket, int) {
  const Hdf5Lock lock;
  std::string file;
  arguments.take(file);
  FrameSender sender(socket);
  sender.send(ChildMessage::done, std::uint64_t(contentsOf(file)), nullptr, 0);
  sender.flush();
}

// --- The parent's side

Contents askChild(const fs::path& file, const Progress& progress) {
  constexpr std::uint64_t maxCpuSeconds = 10;  // a sound file takes milliseconds
  ChildArguments arguments;
  arguments.put(file.string());
  ChildProcess child("", "", maxCpuSeconds, tellContents, arguments);
  return Contents(child.next(progress).position);
}

void refuseRawData(const fs::path& target, OutputKind kind) {
  std::error_code gone;
  const fs::path file = fs::canonical(target, gone);
  if (gone) return;
  // Commands that make raw data may make them again: arrays do not say who made them.
  const std::optional<fs::path> description =
      kind == OutputKind::rawData ? std::nullopt : descriptionNaming(file);
  if (description)
    throw Error("Cannot write " + target.string(),
                "it holds raw data: " + description->filename().string() + " describes a scan with it",
                "Choose another name, or delete it yourself first");
  if (!isHdf5File(file)) return;
  std::string reason;
  try {
    const Contents contents = askChild(file, {});
    if (contents == Contents::noRawData) return;
    if (contents == Contents::ownRawData && kind == OutputKind::rawData) return;
    reason = kind == OutputKind::rawData ? "holds raw data that Spokelab did not make" : "holds raw data";
  } catch (const Error& error) {
    reason = "may hold raw data: it is an HDF5 file that cannot be read (" + error.reason() + ")";
  }
  const bool named = fs::absolute(target).lexically_normal() == file;
  throw Error("Cannot write " + target.string(),
              (named ? "it " : "it leads to " + file.string() + ", which ") + reason,
              "Choose another name, or delete it yourself first");
}

}  // namespace

bool holdsRawData(const fs::path& file, const Progress& progress) {
  try {
    return askChild(file, progress) != Contents::noRawData;
  } catch (const Error&) {
    return true;
  }
}

void protectRawData() {
  setRawDataRule(refuseRawData);
}

}  // namespace spokelab
