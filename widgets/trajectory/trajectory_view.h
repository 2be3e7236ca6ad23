// The sampling pattern in k-space, coloured by shot, time, weight, density, load or magnitude: flat
// for 2-D, a turnable projection for 3-D.
//   left drag   turn (3-D) or move (2-D)    middle or right drag   move
//   wheel       zoom                        double click           fit again
//   click       pick the shot; with Control take it in or out; with Shift all from the last picked
//   Shift drag  pick the shots that cross the rectangle, with Control too add them
//   PgUp, PgDn  go from shot to shot        Return, Space          pick it, take it in or out
//   Ctrl+A      pick all
// "Load" counts the samples in each tile of the shown plan's grid (setTiles). The box marks the
// matrix edge, +-N/2 cycles/FOV. Resting the mouse on a sample tells its shot and number.
//
// Picking and selecting: a pick changes the list of shots and emits shotsPicked. Its owner puts the
// list into the options, which may select by time as well, and calls setSelection with the outcome.
// Samples that are not selected are drawn faded.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <QRectF>
#include <QWidget>

#include "engine/scan/scan.h"
#include "widgets/core/latest_job.h"
#include "widgets/trajectory/shot_picks.h"
#include "widgets/trajectory/trajectory_axes.h"
#include "widgets/trajectory/trajectory_camera.h"
#include "widgets/trajectory/trajectory_renderer.h"

namespace spokelab {

class TrajectoryColouring;
class TrajectoryPictures;

class TrajectoryView : public QWidget {
  Q_OBJECT

 public:
  explicit TrajectoryView(QWidget* parent = nullptr);

  // matrix: pixels along x, y, z; draws the box. Null: the view says that there is nothing.
  void setTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix);
  void setScan(std::shared_ptr<const Scan> scan, int frame = 0);  // the same, from a scan
  const std::shared_ptr<const Trajectory>& trajectory() const { return trajectory_; }

  TrajectoryColour colourBy() const;
  void setColourBy(TrajectoryColour colour);
  // The shown plan's tiles, in cells of its grid, for `load`. Zeros: no plan.
  void setTiles(const Index3& grid, const Index3& tile);
  // Describes density or load in words; empty while they are counted, and for other colours.
  QString loadText() const;
  // True if all samples are drawn, not only a part.
  bool isComplete() const;
  void resetView();
  void turn(double azimuth, double elevation);  // degrees; 3-D only

  // The selection: the shots (empty: all), and for each sample whether it is selected (empty: all).
  // It holds until the trajectory changes.
  void setSelection(const std::vector<int>& shots, std::vector<char> isSampleSelected);
  bool isChosen(std::int64_t sample) const {
    return isSampleSelected_.empty() || isSampleSelected_[std::size_t(sample)];
  }

  // The sample that is looked at, here or elsewhere: its shot is drawn on top. -1: none.
  void lookAt(std::int64_t sample);
  std::int64_t lookedAt() const { return lookedAt_; }
  // Takes a shot into the picked ones or out, as a click with Control does.
  void toggleShot(int shot);

  // The place of a point of k-space (cycles/FOV), in widget coordinates.
  QPointF project(const Vec3& k) const;
  // The sample drawn within a few pixels of a point: its number in the trajectory.
  std::optional<std::int64_t> sampleAt(const QPointF& point) const;
  QString describe(std::int64_t sample) const;  // shot, sample, k, time and weight, in words

  // The names of a 3-D view's axes, beside the box; empty in a flat view.
  std::array<TrajectoryAxisLabel, 3> axisLabels() const;

  QSize sizeHint() const override { return {320, 320}; }
  QSize minimumSizeHint() const override { return {120, 120}; }

 Q_SIGNALS:
  void sampleHovered(qint64 shot, qint64 sample);   // -1, -1 when the mouse leaves
  void sampleLookedAt(qint64 shot, qint64 sample);  // by a click or a key
  void shotsPicked(const QString& list);            // as options.shots takes it; empty: all
  void colourByChanged(spokelab::TrajectoryColour colour);
  void loadCounted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void invalidate();
  void moveBy(const QPointF& pixels);
  void zoomAbout(const QPointF& point, double factor);
  TrajectoryDrawing drawing() const;
  void measureExtent();
  void widen(const Vec3& extent);
  void showTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix);
  void look(std::int64_t sample);
  void hover(const QPointF& point);
  // The next shot, or the one before; with Shift it is picked along with those since the last pick.
  void stepShot(int by, Qt::KeyboardModifiers modifiers);
  void pick(int shot, Qt::KeyboardModifiers modifiers);
  // Picks the requested shots; no request: nothing changes.
  void applyPick(const ShotPicks::Request& request);
  void tellPicked(const std::vector<int>& shots);
  bool solid() const { return trajectory_ && trajectory_->dims == 3; }
  KspaceProjection projection() const;
  QRectF plotArea() const;
  // The frame painted round the samples; requires a trajectory.
  TrajectoryFrame frame() const;

  std::shared_ptr<const Trajectory> trajectory_;
  Index3 matrix_{1, 1, 1};
  TrajectoryCamera camera_;
  QPointF last_, pressed_;
  Qt::MouseButton dragging_ = Qt::NoButton;
  std::int64_t hovered_ = -1, lookedAt_ = -1;
  ShotPicks picks_;
  // The shots picked before the last pick, so that a double click can undo its first click. Cleared
  // by the next press of the mouse and by a new trajectory.
  std::optional<std::vector<int>> pickedBefore_;
  std::vector<char> isSampleSelected_;  // [sample]; empty: all are
  std::optional<QRectF> band_;          // rectangle of a Shift drag in progress
  LatestJob<Vec3> extentJob_;
  TrajectoryColouring* colouring_ = nullptr;
  TrajectoryPictures* pictures_ = nullptr;
};

}  // namespace spokelab
