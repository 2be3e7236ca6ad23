#include "engine/profile/session/session_images.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/output/temporary_name.h"
#include "engine/core/text.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab {

namespace fs = std::filesystem;

fs::path sessionImages(const fs::path& session) {
  return session.parent_path() / (session.stem().string() + ".spokelab-images");
}

std::string imageFingerprint(const Image& image) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](std::uint64_t value) { hash = ((hash ^ value) * prime) ^ (hash >> 29); };
  add(std::uint64_t(image.frames));
  for (const std::int64_t n : image.size) add(std::uint64_t(n));
  const auto addBits = [&](const auto* values) {
    const char* bytes = reinterpret_cast<const char*>(values);
    std::uint64_t bits = 0;
    for (const char* end = bytes + image.data.size() * sizeof *values; bytes < end; bytes += sizeof bits) {
      std::memcpy(&bits, bytes, sizeof bits);
      add(bits);
    }
  };
  std::visit(addBits, image.values());
  return hashText(hash);
}

namespace {

// FINGERPRINT.npy, or the text beside it. Anything else in the folder is the user's.
bool isOwnName(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
  const std::string ending = name.substr(digits);
  return digits == hashText(0).size() && (ending == ".npy" || ending == ".npy.json");
}

}  // namespace

std::uintmax_t freeSpace(const fs::path& folder) {
  std::error_code failed;
  const fs::space_info info = fs::space(fs::exists(folder, failed) ? folder : folder.parent_path(), failed);
  return failed ? 0 : info.available;
}

std::string SessionImages::nameOf(const std::shared_ptr<const Image>& image) const {
  if (!image) return {};
  std::string name;
  {
    const std::lock_guard lock(mutex_);
    const auto known = written_.find(image.get());
    if (known == written_.end() || known->second.image.lock() != image) return {};
    name = known->second.name;
  }
  std::error_code failed;
  return fs::exists(folder_ / name, failed) ? name : std::string();
}

void SessionImages::requireRoom(const Image& image, double share) const {
  const std::uintmax_t available = space_(folder_);
  const double bytes = double(image.data.size()) * (image.isDouble() ? sizeof(cdouble) : sizeof(cfloat));
  if (available == 0 || bytes <= share * double(available)) return;
  std::string reason = "it takes " + bytesText(bytes) + ", and " + bytesText(double(available)) +
                       " are free where " + folder_.string() + " lies";
  if (share < 1) reason += "; what is kept unasked takes no more than half of that";
  throw Error("The image of a result is not kept", reason,
              share < 1
                  ? "Free some space, or set SPOKELAB_AUTOSAVE to a folder on another disk. The result's "
                    "numbers and parameters are kept, and its image can be made again"
                  : "Free some space, or save elsewhere");
}

std::string SessionImages::write(const std::shared_ptr<const Image>& image, double share,
                                 const Progress& progress) {
  if (std::string name = nameOf(image); !name.empty() || !image) return name;
  progress.report(-1, "writing images");
  requireRoom(*image, share);
  std::string name = imageFingerprint(*image) + ".npy";
  {
    const std::lock_guard lock(mutex_);
    unnamed_[name] = image;
  }
  std::error_code failed;
  if (!fs::exists(folder_ / name, failed)) {
    fs::create_directories(folder_, failed);
    writeImage(*image, folder_ / name, {}, progress);
    fs::remove(folder_ / (name + ".json"), failed);  // the session has the image's geometry
  }
  const std::lock_guard lock(mutex_);
  written_[image.get()] = {image, name};
  return name;
}

void SessionImages::removeOthers(const std::vector<std::string>& names) {
  std::set<std::string> wanted(names.begin(), names.end());
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names) unnamed_.erase(name);
    std::erase_if(unnamed_, [](const auto& file) { return file.second.expired(); });
    std::erase_if(written_, [](const auto& file) { return file.second.image.expired(); });
    for (const auto& file : unnamed_) wanted.insert(file.first);
  }
  std::error_code failed;
  std::vector<fs::path> unwanted;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed))
    if (isOwnName(entry->path()) && !wanted.contains(entry->path().filename().string()))
      unwanted.push_back(entry->path());
  for (const fs::path& file : unwanted) fs::remove(file, failed);
  removeAbandoned(folder_);
  if (wanted.empty()) fs::remove(folder_, failed);  // where it is empty
}

}  // namespace spokelab
