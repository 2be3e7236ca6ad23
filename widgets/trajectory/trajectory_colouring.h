// The meaning of the colours of a trajectory's samples: chosen in a list over the view; density,
// load and magnitude are computed on a worker, and a note over the view tells the counts.
#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "engine/recon/prepare/sample_load.h"
#include "widgets/core/latest_job.h"
#include "widgets/trajectory/trajectory_renderer.h"

class QComboBox;
class QLabel;
class QWidget;

namespace spokelab {

class TrajectoryColouring : public QObject {
  Q_OBJECT

 public:
  explicit TrajectoryColouring(QWidget* view);  // the list and the note lie over it

  // No tiles are known until setTiles.
  void setTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix);
  void setTiles(const Index3& grid, const Index3& tile);
  // The scan whose samples have magnitudes, before setTrajectory; null: none.
  void setScan(std::shared_ptr<const Scan> scan, int frame);
  TrajectoryColour colour() const { return colour_; }
  void setColour(TrajectoryColour colour);

  const ColourRange& range() const { return range_; }
  // Density, load or magnitude of each sample; empty while they are counted, and for other colours.
  const SampleLoad& load() const { return load_; }
  QString loadText() const;
  // The colour's name with its values at both ends of the legend. There must be a trajectory.
  QString lowText() const;
  QString highText() const;

  // Puts the list above to the right, the note below to the left, over the unit.
  void place();
  void updateBox();
  QSize boxSize() const;
  QRect boxArea() const;  // in the view

 Q_SIGNALS:
  void changed();  // the picture is another one
  void colourChanged(spokelab::TrajectoryColour colour);
  void loadCounted();

 private:
  bool countable(TrajectoryColour colour) const;
  void count();

  QWidget* view_;
  QComboBox* box_;
  QLabel* note_;
  std::shared_ptr<const Trajectory> trajectory_;
  std::shared_ptr<const Scan> scan_;
  int frame_ = 0;
  Index3 matrix_{1, 1, 1}, grid_{0, 0, 0}, tile_{0, 0, 0};
  TrajectoryColour colour_ = TrajectoryColour::shot;
  ColourRange range_;
  SampleLoad load_;
  LatestJob<SampleLoad> loadJob_;
};

}  // namespace spokelab
