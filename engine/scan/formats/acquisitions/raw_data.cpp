#include "engine/scan/formats/acquisitions/raw_data.h"

#include <algorithm>
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
#include "engine/scan/formats/own_files.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// `foreign`: no raw data, and not what this program writes.
enum class Contents : std::uint64_t { image, ownRawData, rawData, foreign };

struct Answer {
  Contents contents = Contents::foreign;
  std::string why;  // it is not ours alone: a name in the file
};

// --- The child's side

struct Names {
  std::vector<std::string> all;     // of groups and data sets, as paths
  std::vector<std::string> groups;  // with acquisitions
  std::vector<std::string> links;   // groups that are in another place, or whose data are
  std::string foreign;              // the first one that this program cannot have written
};

herr_t takeName(hid_t root, const char* name, const H5L_info_t* link, void* out) {
  constexpr std::string_view last = "/data";
  auto* const names = static_cast<Names*>(out);
  const std::string_view path = name;
  names->all.emplace_back(path);
  H5O_info_t info{};
  const bool plain =
      link->type == H5L_TYPE_HARD &&
      H5Oget_info_by_name2(root, name, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS, H5P_DEFAULT) >= 0 &&
      info.num_attrs == 0;
  if (!plain && names->foreign.empty()) names->foreign = path;
  const bool isData = path.ends_with(last);
  std::string group(isData ? path.substr(0, path.size() - last.size()) : path);
  if (link->type != H5L_TYPE_HARD)
    names->links.push_back(std::move(group));
  else if (isData && holdsAcquisitions(root, group))
    names->groups.push_back(std::move(group));
  return 0;
}

// GROUP, GROUP/xml, GROUP/IMAGES and its three data sets: as ISMRMRD images lie.
bool isOfImages(const std::vector<std::string>& all, const std::string& name) {
  const auto has = [&](const std::string& other) {
    return std::find(all.begin(), all.end(), other) != all.end();
  };
  const std::size_t first = name.find('/');
  if (first == std::string::npos)  // a group, not an array
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& other) { return other.starts_with(name + '/'); });
  if (name.substr(first) == "/xml") return true;
  const std::size_t second = name.find('/', first + 1);
  const std::string images = name.substr(0, second);
  for (const char* part : {"/data", "/header", "/attributes"}) {
    if (!has(images + part)) return false;
    if (name == images + part) return true;
  }
  return second == std::string::npos;
}

// Adds the groups that links lead to. False where one leads to a file that only the user can allow.
bool followLinks(hid_t root, const std::string& file, Names& names) {
  if (names.links.empty()) return true;
  try {
    checkedLinks(root, file, LinkReach::folder);
  } catch (const Error&) {
    return false;
  }
  for (const std::string& group : names.links)
    if (holdsAcquisitions(root, group)) names.groups.push_back(group);
  return true;
}

Answer contentsOf(const std::string& file) {
  Names names;
  Answer answer;
  const Hdf5Handle h5 = openToRead(file);
  if (H5Lvisit(h5.get(), H5_INDEX_NAME, H5_ITER_NATIVE, takeName, static_cast<void*>(&names)) < 0)
    throw Error("", "the HDF5 file is damaged", "Copy the file again");
  H5O_info_t root{};
  if (H5Oget_info2(h5.get(), &root, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS) >= 0 && root.num_attrs > 0)
    names.foreign = "/";
  answer.why = names.foreign;
  if (!followLinks(h5.get(), file, names)) {  // its reader says where it leads
    answer.contents = Contents::rawData;
    return answer;
  }
  if (names.groups.empty()) {
    for (const std::string& name : names.all)
      if (answer.why.empty() && !isOfImages(names.all, name)) answer.why = name;
    if (names.all.empty()) answer.why = "/";
    answer.contents = answer.why.empty() ? Contents::image : Contents::foreign;
    return answer;
  }
  std::string mark("<systemVendor>");
  mark.append(ownVendor).append("</systemVendor>");
  answer.contents = Contents::ownRawData;
  for (const std::string& group : names.groups) {
    if (Hdf5Acquisitions(file, group).xml().find(mark) == std::string::npos)
      answer.contents = Contents::rawData;
    for (const std::string& name : names.all)
      if (answer.why.empty() && name != group && name != group + "/xml" && name != group + "/data" &&
          name != group + "/waveforms")
        answer.why = name;
  }
  return answer;
}

void tellContents(ChildArguments& arguments, int socket, int) {
  const Hdf5Lock lock;
  std::string file;
  arguments.take(file);
  const Answer answer = contentsOf(file);
  FrameSender sender(socket);
  sender.send(ChildMessage::done, std::uint64_t(answer.contents), answer.why.data(), answer.why.size());
  sender.flush();
}

// --- The parent's side

Answer askChild(const fs::path& file, const Progress& progress) {
  constexpr std::uint64_t maxCpuSeconds = 10;  // a sound file takes milliseconds
  constexpr std::size_t maxNameBytes = 1 << 16;
  ChildArguments arguments;
  arguments.put(file.string());
  ChildProcess child("", "", ChildLimits::ofReader(maxCpuSeconds, file, ReadReach::folder), tellContents,
                     arguments);
  const ChildFrame frame = child.next(progress);
  if (frame.bytes > maxNameBytes) child.fail("a name in it is too long");
  Answer answer{Contents(frame.position), std::string(frame.bytes, '\0')};
  child.receive(answer.why.data(), answer.why.size(), progress);
  return answer;
}

const char* const deleteIt =
    "Choose another name, or delete it yourself first (on the command line --force replaces it)";

[[noreturn]] void refuse(const fs::path& target, const fs::path& file, const std::string& reason) {
  const bool named = fs::absolute(target).lexically_normal() == file;
  throw Error("Cannot write " + target.string(),
              (named ? "it " : "it leads to " + file.string() + ", which ") + reason, deleteIt);
}

// Empty where an HDF5 file may be replaced, else why not.
std::string keepsHdf5(const fs::path& file, OutputKind kind) {
  const bool makesRawData = kind == OutputKind::rawData;
  try {
    const Answer answer = askChild(file, {});
    switch (answer.contents) {
      case Contents::image:
        return {};
      case Contents::ownRawData:
        if (!makesRawData) return "holds raw data";
        return answer.why.empty() ? "" : "holds raw data to which " + answer.why + " was added";
      case Contents::rawData:
        return makesRawData ? "holds raw data that Spokelab did not make" : "holds raw data";
      case Contents::foreign:
        return "holds data that Spokelab did not write (" + answer.why + ")";
    }
    return "holds data of an unknown kind";
  } catch (const Error& error) {
    return "may hold raw data: it is an HDF5 file that cannot be read (" + error.reason() + ")";
  }
}

// The reason for keeping a file: it is raw data, or the program did not write it.
enum class Kept { rawData, foreign };

void refuseIfKept(const fs::path& target, OutputKind kind, Kept kept) {
  std::error_code gone;
  const fs::path file = fs::canonical(target, gone);
  if (gone) return;
  // Commands that make raw data may make them again: arrays do not say who made them.
  const std::optional<fs::path> description =
      kind == OutputKind::rawData ? std::nullopt : descriptionNaming(file);
  if (description)
    refuse(target, file, "holds raw data: " + description->filename().string() + " describes a scan with it");
  if (isHdf5File(file)) {
    const std::string reason = keepsHdf5(file, kind);
    if (!reason.empty()) refuse(target, file, reason);
    return;
  }
  if (kept == Kept::rawData || kind == OutputKind::state || kind == OutputKind::words) return;
  const std::string contents = foreignContents(file);
  if (!contents.empty()) refuse(target, file, "holds " + contents);
}

}  // namespace

bool holdsRawData(const fs::path& file, const Progress& progress) {
  try {
    const Contents contents = askChild(file, progress).contents;
    return contents == Contents::ownRawData || contents == Contents::rawData;
  } catch (const Error&) {
    return true;
  }
}

void protectRawData() {
  setReplaceRule([](const fs::path& target, OutputKind kind) { refuseIfKept(target, kind, Kept::rawData); });
}

void protectFiles() {
  setReplaceRule([](const fs::path& target, OutputKind kind) { refuseIfKept(target, kind, Kept::foreign); });
}

}  // namespace spokelab
