#include "widgets/trajectory/trajectory_view.h"

#include <cmath>

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>
#include <QTimer>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr double startAzimuth = 30, startElevation = 22;
constexpr int settleDelay = 150;             // ms until all are drawn
constexpr std::int64_t finePoints = 200000;  // more samples than this are drawn one pixel large
constexpr int reach = 6;                     // pixels: how near the mouse must come to a sample
constexpr int inset = 8;                     // text from the edge

}  // namespace

TrajectoryView::TrajectoryView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("trajectoryView"));
  setAccessibleName(tr("Trajectory"));
  setWhatsThis(
      tr("Left drag: turn (3-D) or move (2-D). Middle or right drag: move. Wheel: zoom. Double click: fit. "
         "Click: pick a shot; Ctrl: take it in or out; Shift: all from the last one; Shift and drag: those "
         "that cross the rectangle. Page up and down: from shot to shot; Space, Return: pick."));
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  colourBox_ = new QComboBox(this);
  colourBox_->setObjectName(QStringLiteral("trajectoryColourBox"));
  colourBox_->setAccessibleName(tr("Colour by"));
  colourBox_->setToolTip(tr("What the colours stand for"));
  colourBox_->addItem(tr("Shot"), int(TrajectoryColour::shot));
  colourBox_->addItem(tr("Time"), int(TrajectoryColour::time));
  colourBox_->addItem(tr("Weight"), int(TrajectoryColour::weight));
  colourBox_->addItem(tr("Density"), int(TrajectoryColour::density));
  colourBox_->addItem(tr("Load"), int(TrajectoryColour::load));
  colourBox_->setItemData(int(TrajectoryColour::density), tr("Samples in each cell of the Nyquist grid"),
                          Qt::ToolTipRole);
  colourBox_->setItemData(int(TrajectoryColour::load), tr("Samples in each tile of the plan that is shown"),
                          Qt::ToolTipRole);
  colourBox_->setFocusPolicy(Qt::TabFocus);
  loadNote_ = new QLabel(this);
  loadNote_->setObjectName(QStringLiteral("trajectoryLoad"));
  loadNote_->setFont(ImageTheme::smallFont(font()));
  loadNote_->setAttribute(Qt::WA_TransparentForMouseEvents);
  loadNote_->hide();
  connect(colourBox_, &QComboBox::activated, this,
          [this](int i) { setColourBy(TrajectoryColour(colourBox_->itemData(i).toInt())); });
  settle_ = new QTimer(this);
  settle_->setSingleShot(true);
  settle_->setInterval(settleDelay);
  connect(settle_, &QTimer::timeout, this, [this] {
    coarse_ = false;
    invalidate();
  });
  pieces_ = new QTimer(this);
  connect(pieces_, &QTimer::timeout, this, &TrajectoryView::drawMore);
  resetView();
  updateColourBox();
}

void TrajectoryView::setTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix) {
  const bool usable = trajectory && trajectory->samples() > 0 && trajectory->dims >= 1 &&
                      trajectory->dims <= 3 &&
                      std::int64_t(trajectory->points.size()) >= trajectory->samples() * trajectory->dims;
  trajectory_ = usable ? std::move(trajectory) : nullptr;
  matrix_ = matrix;
  hovered_ = -1;
  anchor_ = -1;
  picked_.clear();
  pickedBefore_.reset();
  chosen_.clear();
  band_.reset();
  halfSize_ = {1, 1, 1};
  extentJob_.drop();
  if (trajectory_) {
    for (std::size_t d = 0; d < 3; ++d) halfSize_[d] = double(matrix_[d]) / 2;
    measureExtent();
    range_ = colourRange(*trajectory_, colour_);
  }
  grid_ = tile_ = {0, 0, 0};
  updateColourBox();
  count();
  resetView();
}

void TrajectoryView::setScan(std::shared_ptr<const Scan> scan, int frame) {
  if (!scan || scan->trajectories.empty()) return setTrajectory(nullptr, {1, 1, 1});
  const bool shared = scan->trajectories.size() == 1;
  const int last = int(scan->trajectories.size()) - 1;
  const Trajectory* shown = &scan->trajectories[std::size_t(shared ? 0 : std::clamp(frame, 0, last))];
  setTrajectory(std::shared_ptr<const Trajectory>(scan, shown), scan->geometry.matrix);
}

void TrajectoryView::updateColourBox() {
  colourBox_->setVisible(trajectory_ != nullptr);
  const bool times = trajectory_ && hasTimes(*trajectory_), weights = trajectory_ && hasWeights(*trajectory_);
  colourBox_->setItemText(int(TrajectoryColour::time), times || !trajectory_ ? tr("Time") : tr("Sample"));
  if (auto* model = qobject_cast<QStandardItemModel*>(colourBox_->model()))
    for (const auto colour : {TrajectoryColour::weight, TrajectoryColour::load})
      model->item(int(colour))->setEnabled(countable(colour));
  if (colour_ == TrajectoryColour::weight && trajectory_ && !weights) setColourBy(TrajectoryColour::shot);
  colourBox_->setCurrentIndex(int(colour_));
  colourBox_->adjustSize();
  colourBox_->move(width() - colourBox_->width() - inset, inset);
}

// Whether the colour says something about what is shown.
bool TrajectoryView::countable(TrajectoryColour colour) const {
  if (!trajectory_) return true;
  if (colour == TrajectoryColour::weight) return hasWeights(*trajectory_);
  return colour != TrajectoryColour::load || (grid_[0] > 0 && tile_[0] > 0);
}

void TrajectoryView::setTiles(const Index3& grid, const Index3& tile) {
  if (grid == grid_ && tile == tile_) return;
  grid_ = grid;
  tile_ = tile;
  updateColourBox();
  if (colour_ == TrajectoryColour::load) count();
}

void TrajectoryView::count() {
  loadJob_.drop();
  load_ = {};
  loadNote_->hide();
  const bool counts = colour_ == TrajectoryColour::density || colour_ == TrajectoryColour::load;
  if (!counts || !trajectory_ || !countable(colour_)) return;
  const bool byTile = colour_ == TrajectoryColour::load;
  const auto work = [trajectory = trajectory_, matrix = matrix_, grid = byTile ? grid_ : matrix_,
                     cell = byTile ? tile_ : Index3{1, 1, 1}](std::stop_token stop) {
    return sampleLoad(*trajectory, matrix, grid, cell, Progress(stop));
  };
  // Where there are more cells than can be counted the work throws, and the colours stay flat.
  loadJob_.start(work, [this](SampleLoad load) {
    load_ = std::move(load);
    range_ = colourRange(load_.of);
    loadNote_->setText(loadText());
    placeNotes();
    loadNote_->show();
    invalidate();
    Q_EMIT loadCounted();
  });
}

QString TrajectoryView::loadText() const {
  if (load_.of.empty()) return {};
  const QString what = colour_ == TrajectoryColour::load
                           ? tr("tiles of %1 × %2 × %3").arg(tile_[0]).arg(tile_[1]).arg(tile_[2])
                           : tr("Nyquist cells");
  return tr("%1\nmean %2, most %3\n%4 % empty")
      .arg(what, valueText(load_.mean), valueText(load_.most), fixedLabel(100 * load_.holes, 1));
}

void TrajectoryView::setColourBy(TrajectoryColour colour) {
  if (!countable(colour)) return;
  colourBox_->setCurrentIndex(int(colour));
  if (colour == colour_) return;
  colour_ = colour;
  if (trajectory_) range_ = colourRange(*trajectory_, colour_);
  count();
  invalidate();
  Q_EMIT colourByChanged(colour);
}

void TrajectoryView::resetView() {
  azimuth_ = solid() ? startAzimuth : 0;
  constexpr double fromAbove = 90;
  elevation_ = solid() ? startElevation : fromAbove;
  zoom_ = 1;
  pan_ = {};
  invalidate();
}

void TrajectoryView::turn(double azimuth, double elevation) {
  if (!solid()) return;
  constexpr double upright = 90;
  azimuth_ = std::remainder(azimuth_ + azimuth, 360);
  elevation_ = std::clamp(elevation_ + elevation, -upright, upright);
  invalidate();
}

void TrajectoryView::invalidate() {
  drawn_ = false;
  pieces_->stop();
  coming_ = {};
  update();
}

// --- geometry ---------------------------------------------------------------------------------------

QRectF TrajectoryView::plotArea() const {
  const QFontMetrics metrics(ImageTheme::smallFont(font()));
  if (solid()) return QRectF(rect()).adjusted(0, 0, 0, -std::min(metrics.height() + inset, height() / 2));
  const double left = metrics.horizontalAdvance(QStringLiteral("\u22128888")) + metrics.height() + inset;
  const double below = 2.0 * metrics.height() + inset;
  const double above = std::max(colourBox_->height(), metrics.height()) + 2.0 * inset;
  return {left, above, std::max(1.0, width() - left - inset), std::max(1.0, height() - above - below)};
}

KspaceProjection TrajectoryView::projection() const {
  const QRectF area = plotArea();
  KspaceProjection p;
  p.axes = viewAxes(azimuth_, elevation_);
  constexpr double flatFill = 0.94, solidFill = 0.86;
  const double radius = std::hypot(halfSize_[0], halfSize_[1], halfSize_[2]);
  const double fit =
      solid() ? solidFill * std::min(area.width(), area.height()) / (2 * radius)
              : flatFill * std::min(area.width() / (2 * halfSize_[0]), area.height() / (2 * halfSize_[1]));
  p.scale = zoom_ * fit;
  p.centre = area.center() + pan_;
  return p;
}

QPointF TrajectoryView::project(const Vec3& k) const {
  return projection().point(k);
}

TrajectoryDrawing TrajectoryView::drawing() const {
  const double ratio = devicePixelRatioF();
  TrajectoryDrawing drawing;
  drawing.projection = projection();
  drawing.projection.scale *= ratio;
  drawing.projection.centre *= ratio;
  drawing.size = {int(std::ceil(width() * ratio)), int(std::ceil(height() * ratio))};
  drawing.colour = colour_;
  drawing.range = range_;
  drawing.loads = load_.of.empty() ? nullptr : &load_.of;
  drawing.chosen = chosen_.empty() ? nullptr : &chosen_;
  const double points = trajectory_->samples() > finePoints ? 1 : 2;
  drawing.pointSize = int(std::lround(points * ratio));
  drawing.maximumPoints = coarse_ ? movingPoints : 0;
  drawing.depthRadius = solid() ? std::hypot(halfSize_[0], halfSize_[1], halfSize_[2]) : 0;
  return drawing;
}

void TrajectoryView::ensureDrawn() const {
  if (drawn_ || !trajectory_) return;
  TrajectoryDrawing all = drawing();
  const bool large = !coarse_ && trajectory_->samples() > eventPoints;
  if (large) all.maximumPoints = movingPoints;
  picture_ = drawTrajectory(*trajectory_, all);
  picture_.image.setDevicePixelRatio(devicePixelRatioF());
  drawn_ = true;
  if (large) pieces_->start(0);
}

std::optional<std::int64_t> TrajectoryView::sampleAt(const QPointF& point) const {
  if (!trajectory_ || !plotArea().contains(point)) return std::nullopt;
  ensureDrawn();
  const double ratio = picture_.image.devicePixelRatio();
  const int across = picture_.image.width(), down = picture_.image.height();
  const int x = int(point.x() * ratio), y = int(point.y() * ratio), far = int(reach * ratio);
  std::int64_t best = -1;
  int nearest = far * far + 1;
  for (int row = std::max(0, y - far); row <= std::min(down - 1, y + far); ++row) {
    for (int column = std::max(0, x - far); column <= std::min(across - 1, x + far); ++column) {
      const std::int32_t sample =
          picture_.sample[std::size_t(row) * std::size_t(across) + std::size_t(column)];
      const int distance = (row - y) * (row - y) + (column - x) * (column - x);
      if (sample >= 0 && distance < nearest) {
        nearest = distance;
        best = sample;
      }
    }
  }
  if (best < 0) return std::nullopt;
  return best;
}

QString TrajectoryView::describe(std::int64_t sample) const {
  if (!trajectory_ || sample < 0 || sample >= trajectory_->samples()) return {};
  const Trajectory& t = *trajectory_;
  const std::int64_t shot = shotOf(t, sample), begin = t.shotOffsets[std::size_t(shot)];
  const std::int64_t length = t.shotOffsets[std::size_t(shot) + 1] - begin;
  QString text =
      tr("shot %1 / %2   sample %3 / %4").arg(shot).arg(t.shots() - 1).arg(sample - begin).arg(length - 1);
  static constexpr std::array<const char*, 3> names{"kx", "ky", "kz"};
  const Vec3 k = kspacePoint(t, sample);
  text += QLatin1Char('\n');
  for (int d = 0; d < t.dims; ++d)
    text +=
        QStringLiteral("%1 %2   ").arg(QLatin1String(names[std::size_t(d)]), valueText(k[std::size_t(d)]));
  constexpr double milliseconds = 1e3;
  if (hasTimes(t)) text += tr("t %1 ms   ").arg(valueText(t.times[std::size_t(sample)] * milliseconds));
  if (hasWeights(t)) text += tr("w %1").arg(valueText(t.weights[std::size_t(sample)]));
  if (!load_.of.empty())
    text += QStringLiteral("   ") +
            (colour_ == TrajectoryColour::load ? tr("%1 samples in its tile") : tr("%1 samples in its cell"))
                .arg(load_.of[std::size_t(sample)]);
  return text.trimmed();
}

// --- the user ---------------------------------------------------------------------------------------

// The list of colours above to the right, what was counted below to the left, over the unit.
void TrajectoryView::placeNotes() {
  colourBox_->move(width() - colourBox_->width() - inset, inset);
  loadNote_->adjustSize();
  const int unit = QFontMetrics(ImageTheme::smallFont(font())).height();
  loadNote_->move(inset, std::max(inset, height() - loadNote_->height() - unit - inset));
}

void TrajectoryView::resizeEvent(QResizeEvent*) {
  placeNotes();
  invalidate();
}

void TrajectoryView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) updateColourBox();
  QWidget::changeEvent(event);
}

}  // namespace spokelab
