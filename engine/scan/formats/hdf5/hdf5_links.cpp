#include "engine/scan/formats/hdf5/hdf5_links.h"

#include <algorithm>
#include <system_error>

#include "engine/core/error.h"
#include "engine/scan/formats/file_kind.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

struct ExternalLink {
  std::string name, file, object;
};

herr_t takeExternal(hid_t root, const char* name, const H5L_info_t* link, void* out) {
  if (link->type != H5L_TYPE_EXTERNAL) return 0;
  std::vector<char> value(link->u.val_size);
  const char *file = nullptr, *object = nullptr;
  unsigned flags = 0;
  if (H5Lget_val(root, name, value.data(), value.size(), H5P_DEFAULT) < 0 ||
      H5Lunpack_elink_val(value.data(), value.size(), &flags, &file, &object) < 0)
    return -1;
  static_cast<std::vector<ExternalLink>*>(out)->push_back({name, file, object});
  return 0;
}

Hdf5Handle openWithoutLock(const fs::path& file) {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.get(), false, true);  // some file systems have no locks
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose};
}

bool isBelow(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

// The linked file, beside the file with the link or where the library looks next; empty: not there.
fs::path placeOf(const fs::path& link, const fs::path& folder, LinkReach reach) {
  std::error_code missing;
  fs::path place = fs::canonical(folder / link, missing);
  if (!missing) return place;
  if (reach != LinkReach::anywhere) return {};
  for (const fs::path& next : {folder / link.filename(), link})
    if (place = fs::canonical(next, missing); !missing) return place;
  return {};
}

class Links {
 public:
  Links(const fs::path& file, LinkReach reach)
      : problem_("Cannot read " + file.string()), home_(fs::canonical(file).parent_path()), reach_(reach) {}

  void check(hid_t h5, const fs::path& file) {
    std::vector<ExternalLink> links;
    if (H5Lvisit(h5, H5_INDEX_NAME, H5_ITER_NATIVE, takeExternal, &links) < 0) return;  // its reader says so
    for (const ExternalLink& link : links) {
      linkedFiles_.links.push_back(link.name + " in " + link.file);
      const fs::path place = placeOf(link.file, file.parent_path(), reach_);
      if (reach_ != LinkReach::anywhere && (place.empty() || !isBelow(place, home_)))
        throw Error(problem_,
                    link.name + " is in another file, " + link.file +
                        (place.empty() ? ", which is not there" : ", outside its folder"),
                    std::string("Put that file beside this one and link to it there") +
                        (reach_ == LinkReach::folder
                             ? "; or, if you trust both, read it with --set external-links=anywhere"
                             : ""));
      if (place.empty() ||
          std::find(visitedFiles_.begin(), visitedFiles_.end(), place) != visitedFiles_.end())
        continue;
      visitedFiles_.push_back(place);
      std::error_code unknown;
      if (const auto bytes = fs::file_size(place, unknown); !unknown) linkedFiles_.bytes += bytes;
      const Hdf5Handle other = openWithoutLock(place);
      if (other.valid()) check(other.get(), place);
    }
  }

  LinkedFiles& found() { return linkedFiles_; }

 private:
  const std::string problem_;
  const fs::path home_;
  const LinkReach reach_;
  std::vector<fs::path> visitedFiles_;
  LinkedFiles linkedFiles_;
};

}  // namespace

LinkedFiles checkedLinks(hid_t h5, const fs::path& file, LinkReach reach) {
  Links links(file, reach);
  links.check(h5, fs::canonical(file));
  return std::move(links.found());
}

void checkLinksOf(const fs::path& file) {
  if (!isHdf5File(file)) return;
  const Hdf5Handle h5 = openWithoutLock(file);
  if (h5.valid()) checkedLinks(h5.get(), file, LinkReach::onlyFolder);
}

}  // namespace spokelab
