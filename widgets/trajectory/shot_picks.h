// The shots of a trajectory that the user has picked, changed by a click, a range or a rectangle.
// An empty list means all shots, because a reconstruction needs some.
#pragma once

#include <optional>
#include <vector>

#include <QRectF>

#include "engine/scan/scan.h"
#include "widgets/trajectory/trajectory_renderer.h"

namespace spokelab {

// alone picks one shot. toggle takes a shot in or out. range picks all shots from the last picked
// one to this one, and drops the others. toggleRange adds this range to the shots picked before.
enum class PickMode { alone, toggle, range, toggleRange };

class ShotPicks {
 public:
  // Picks all shots and forgets the last pick.
  void reset();
  void set(const std::vector<int>& shots) { picked_ = shots; }
  const std::vector<int>& shots() const { return picked_; }

  // The list that the user asks for; nothing where the request leaves no shot.
  using Request = std::optional<std::vector<int>>;
  Request pick(const Trajectory& trajectory, int shot, PickMode mode);
  // The shots that cross a rectangle (pixels of the projection). `adds` keeps the shots picked
  // before. An empty list (all shots) is not kept: the rectangle then picks its shots alone.
  Request pickInside(const Trajectory& trajectory, const KspaceProjection& projection, const QRectF& band,
                     bool adds) const;

 private:
  std::vector<char> flags(const Trajectory& trajectory) const;  // one a shot: whether it is picked
  static Request listed(const std::vector<char>& in);

  std::vector<int> picked_;  // empty: all
  int anchor_ = -1;          // the shot picked last, where a range begins
};

}  // namespace spokelab
