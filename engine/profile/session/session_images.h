// The images of a session: one .npy file each, named after its content, in a folder beside the
// session's file. Each is written once, whole or not at all. One thread may look names up and
// remove files while another one writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/scan/scan.h"

namespace spokelab {

std::filesystem::path sessionImages(const std::filesystem::path& session);  // the folder of its images

// 64 bits over size and values: the name of an image's file.
std::string imageFingerprint(const Image& image);

// Free bytes of a folder's file system (its parent's, if it does not exist); 0 if unknown. Does not
// throw.
using FreeSpace = std::function<std::uintmax_t(const std::filesystem::path&)>;
std::uintmax_t freeSpace(const std::filesystem::path& folder);

class SessionImages {
 public:
  explicit SessionImages(std::filesystem::path folder, FreeSpace space = freeSpace)
      : folder_(std::move(folder)), space_(std::move(space)) {}

  // The share of the free space that an image may take. Images that the user did not ask to keep
  // leave half of the space.
  static constexpr double asked = 1, unasked = 0.5;

  // The name of the image's file, or "" where it is not (yet) kept.
  std::string nameOf(const std::shared_ptr<const Image>& image) const;
  // The same; writes it first where it is not there. Throws Error (no room: how much it takes, how
  // much there is), Cancelled.
  std::string write(const std::shared_ptr<const Image>& image, double share, const Progress& progress);
  // Removes all files but these and those that are being written or were written since `names` was
  // made up.
  void removeOthers(const std::vector<std::string>& names);

  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Written {
    std::weak_ptr<const Image> image;
    std::string name;
  };
  void requireRoom(const Image& image, double share) const;

  std::filesystem::path folder_;
  FreeSpace space_;
  mutable std::mutex mutex_;
  std::map<const Image*, Written> written_;
  std::map<std::string, std::weak_ptr<const Image>> unnamed_;  // files that no session names yet
};

}  // namespace spokelab
