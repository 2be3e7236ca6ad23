// The group of slices (engine/scan/place/image_groups.h) that views show of an image: one geometry
// that holds for each of its slices. An image with one geometry is its own only group.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <QStringList>

#include "engine/scan/place/image_groups.h"

namespace spokelab {

class ShownGroup {
 public:
  // The choice is kept where the new image has the same groups. Null: none.
  void setImage(const std::shared_ptr<const Image>& image);
  // "axial, 3 slices"; empty where there is nothing to choose.
  QStringList titles() const;
  int current() const { return current_; }
  // False if the group does not exist, or is shown already.
  bool choose(int group);

  // The current group of an image, which need not be the image that was set: the image itself where
  // it has one geometry, or other groups. Null: null. Throws Error where memory does not suffice.
  std::shared_ptr<const Image> partOf(const std::shared_ptr<const Image>& image) const;

 private:
  std::vector<ImageGroup> groups_;  // empty: the image has one geometry
  int current_ = 0;
  // Images and their parts, for the current group.
  mutable std::vector<std::pair<std::weak_ptr<const Image>, std::shared_ptr<const Image>>> parts_;
};

}  // namespace spokelab
