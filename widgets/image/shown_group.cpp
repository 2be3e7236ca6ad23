#include "widgets/image/shown_group.h"

#include <algorithm>

namespace spokelab {
namespace {

bool sameGroups(const std::vector<ImageGroup>& a, const std::vector<ImageGroup>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ImageGroup& x, const ImageGroup& y) {
    return x.name == y.name && x.frames == y.frames && x.parts.size() == y.parts.size();
  });
}

std::vector<ImageGroup> severalGroups(const Image& image) {
  return isOneGroup(image) ? std::vector<ImageGroup>() : imageGroups(image);
}

}  // namespace

void ShownGroup::setImage(const std::shared_ptr<const Image>& image) {
  std::vector<ImageGroup> groups = image ? severalGroups(*image) : std::vector<ImageGroup>();
  if (!sameGroups(groups, groups_)) current_ = 0;
  groups_ = std::move(groups);
  parts_.clear();
}

QStringList ShownGroup::titles() const {
  QStringList titles;
  if (groups_.size() < 2) return titles;
  for (const ImageGroup& group : groups_) titles << QString::fromStdString(groupText(group));
  return titles;
}

bool ShownGroup::choose(int group) {
  if (group == current_ || group < 0 || group >= int(groups_.size())) return false;
  current_ = group;
  parts_.clear();
  return true;
}

std::shared_ptr<const Image> ShownGroup::partOf(const std::shared_ptr<const Image>& image) const {
  if (!image || groups_.empty()) return image;
  std::erase_if(parts_, [](const auto& made) { return made.first.expired(); });
  for (const auto& [whole, part] : parts_)
    if (whole.lock() == image) return part;
  const std::vector<ImageGroup> groups = severalGroups(*image);
  if (!sameGroups(groups, groups_)) return image;
  const auto part = imageOfGroup(*image, groups[std::size_t(current_)]);
  parts_.emplace_back(image, part);
  return part;
}

}  // namespace spokelab
