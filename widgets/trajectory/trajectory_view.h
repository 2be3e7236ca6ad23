// The sampling pattern in k-space, coloured by shot, time, weight, density or load: flat for 2-D, a turnable projection
// for 3-D.
//   left drag   turn (3-D) or move (2-D)    middle or right drag   move
//   wheel       zoom                        double click           fit again
//   click       pick the shot, with Control take it in or out, with Shift all from the last one picked
//   Shift drag  pick the shots that cross the rectangle, with Control too add them
//   PgUp, PgDn  go from shot to shot        Return, Space          pick it, take it in or out     Ctrl+A  all
// Samples that are not selected are drawn faded.
// The box marks the matrix edge, +-N/2 cycles/FOV. Resting the mouse on a sample tells its shot and number.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <QImage>
#include <QRectF>
#include <QWidget>

#include "engine/recon/prepare/sample_load.h"
#include "engine/scan/scan.h"
#include "widgets/core/latest_job.h"
#include "widgets/trajectory/trajectory_renderer.h"

class QComboBox;
class QLabel;
class QTimer;

namespace spokelab {

class TrajectoryView : public QWidget {
  Q_OBJECT

 public:
  explicit TrajectoryView(QWidget* parent = nullptr);

  // matrix: pixels along x, y, z; draws the box. Null: the view says that there is nothing.
  void setTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix);
  void setScan(std::shared_ptr<const Scan> scan, int frame = 0);  // the same, from a scan
  const std::shared_ptr<const Trajectory>& trajectory() const { return trajectory_; }

  TrajectoryColour colourBy() const { return colour_; }
  void setColourBy(TrajectoryColour colour);
  // The tiles of the plan that is shown, in cells of its grid: what `load` counts in. Zeros: there is no plan.
  void setTiles(const Index3& grid, const Index3& tile);
  // Of the colours density and load, in words; empty while they are counted, and for other colours.
  QString loadText() const;
  // Whether all samples are drawn, not only some of them.
  bool isComplete() const { return drawn_ && picture_.step == 1; }
  void resetView();
  void turn(double azimuth, double elevation);  // degrees; 3-D only

  // What is selected: the shots (empty: all), and for each sample whether it is (empty: all). Until the trajectory changes.
  void setSelection(const std::vector<int>& shots, std::vector<char> chosen);
  bool isChosen(std::int64_t sample) const { return chosen_.empty() || chosen_[std::size_t(sample)]; }

  // Where a point of k-space (cycles/FOV) appears, in widget coordinates.
  QPointF project(const Vec3& k) const;
  // The sample drawn within a few pixels of a point: its number in the trajectory.
  std::optional<std::int64_t> sampleAt(const QPointF& point) const;
  QString describe(std::int64_t sample) const;  // shot, sample, k, time and weight, in words

  // The names of a 3-D view's axes, beside the box; empty in a flat view.
  struct AxisLabel {
    QString text;
    QRectF area;
  };
  std::array<AxisLabel, 3> axisLabels() const;

  QSize sizeHint() const override { return {320, 320}; }
  QSize minimumSizeHint() const override { return {120, 120}; }

 Q_SIGNALS:
  void sampleHovered(qint64 shot, qint64 sample);  // -1, -1 when the mouse leaves
  void shotsPicked(const QString& list);           // as options.shots takes it; empty: all
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
  void updateColourBox();
  bool countable(TrajectoryColour colour) const;
  void placeNotes();
  void count();  // density or load, on a worker
  void invalidate();
  TrajectoryDrawing drawing() const;
  void ensureDrawn() const;
  void drawMore();  // of a large trajectory
  void measureExtent();
  void widen(const Vec3& extent);
  void hover(const QPointF& point);
  void stepShot(int by, Qt::KeyboardModifiers modifiers);
  void pick(int shot, Qt::KeyboardModifiers modifiers);
  void pickInside(const QRectF& band, bool adds);
  std::vector<char> picks() const;
  void take(const std::vector<char>& in);
  void tellPicked(const std::vector<int>& shots);
  bool solid() const { return trajectory_ && trajectory_->dims == 3; }
  KspaceProjection projection() const;
  QRectF plotArea() const;
  void paintFlatAxes(QPainter& painter) const;
  void paintSolidAxes(QPainter& painter) const;
  void paintBox(QPainter& painter, bool front) const;
  void paintHovered(QPainter& painter) const;
  struct Legend {
    QString low, high;  // texts at its ends
    QRect bar;
    int left = 0;  // where its text begins
  };
  Legend legend() const;
  void paintLegend(QPainter& painter) const;
  QString legendText(double value) const;
  void startMoving();

  std::shared_ptr<const Trajectory> trajectory_;
  Index3 matrix_{1, 1, 1};
  Vec3 halfSize_{1, 1, 1};  // cycles/FOV: matrix edge or farthest sample, whichever is larger
  ColourRange range_;
  TrajectoryColour colour_ = TrajectoryColour::shot;
  double azimuth_ = 0, elevation_ = 0, zoom_ = 1;
  QPointF pan_, last_, pressed_;
  Qt::MouseButton dragging_ = Qt::NoButton;
  bool coarse_ = false;  // fewer points while the view moves
  std::int64_t hovered_ = -1;
  std::vector<int> picked_;                       // shots; empty: all
  std::optional<std::vector<int>> pickedBefore_;  // before the last click
  std::vector<char> chosen_;                      // for each sample; empty: all
  int anchor_ = -1;                               // the shot picked last, where a range begins
  std::optional<QRectF> band_;
  static constexpr std::int64_t movingPoints = 200000;  // drawn while the view moves
  SampleLoad load_;
  LatestJob<SampleLoad> loadJob_;
  LatestJob<Vec3> extentJob_;
  Index3 grid_{0, 0, 0}, tile_{0, 0, 0};
  QComboBox* colourBox_ = nullptr;
  QLabel* loadNote_ = nullptr;
  QTimer* settle_ = nullptr;
  mutable TrajectoryPicture picture_;
  mutable bool drawn_ = false;
  static constexpr std::int64_t eventPoints = 500000;  // drawn or looked at without a pause
  // A large trajectory's picture of all its samples comes in pieces, each as much as an event may take.
  QTimer* pieces_ = nullptr;
  TrajectoryPicture coming_;
  std::int64_t came_ = 0;  // samples
};

}  // namespace spokelab
