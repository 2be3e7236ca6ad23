// Keeps the picture of a trajectory's samples without holding up an event: while the view moves
// only some samples are drawn, and a large trajectory's other samples follow in pieces, each as
// much as an event may take.
#pragma once

#include <functional>
#include <memory>

#include <QObject>

#include "widgets/trajectory/trajectory_renderer.h"

class QTimer;

namespace spokelab {

class TrajectoryPictures : public QObject {
  Q_OBJECT

 public:
  // Samples that are drawn or looked at without a pause.
  static constexpr std::int64_t maxSamplesAnEvent = 500'000;

  // `drawing` says how the samples are drawn now.
  TrajectoryPictures(std::function<TrajectoryDrawing()> drawing, QObject* parent);

  void setTrajectory(std::shared_ptr<const Trajectory> trajectory);
  // The present picture, in device pixels (`ratio` for each pixel of the widget); drawn now if it
  // is missing. Needs a trajectory: call setTrajectory() first.
  const TrajectoryPicture& picture(double ratio);
  // True if all samples are drawn, not only a part.
  bool isComplete() const { return drawn_ && picture_.step == 1; }
  void invalidate();
  // Large trajectories are thinned until the view has been still for a moment.
  void startMoving();

 Q_SIGNALS:
  void changed();

 private:
  void drawMore();

  std::function<TrajectoryDrawing()> drawing_;
  std::shared_ptr<const Trajectory> trajectory_;
  TrajectoryPicture picture_, coming_;
  std::int64_t cameSamples_ = 0;  // drawn so far in `coming_`
  double ratio_ = 1;
  bool drawn_ = false, coarse_ = false;
  QTimer *settle_, *pieces_;
};

}  // namespace spokelab
