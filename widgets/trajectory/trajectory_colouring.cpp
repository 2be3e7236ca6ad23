#include "widgets/trajectory/trajectory_colouring.h"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>

#include "engine/scan/look/raw_picture.h"
#include "widgets/core/image_theme.h"
#include "widgets/trajectory/trajectory_text.h"

namespace spokelab {
namespace {

constexpr double magnitudeFloor = 1e-4;  // of the largest magnitude: smaller ones look alike

}  // namespace

TrajectoryColouring::TrajectoryColouring(QWidget* view) : QObject(view), view_(view) {
  box_ = new QComboBox(view);
  box_->setObjectName(QStringLiteral("trajectoryColourBox"));
  box_->setAccessibleName(tr("Colour by"));
  box_->setToolTip(tr("Quantity of the colours"));
  box_->addItem(tr("Shot"), int(TrajectoryColour::shot));
  box_->addItem(tr("Time"), int(TrajectoryColour::time));
  box_->addItem(tr("Weight"), int(TrajectoryColour::weight));
  box_->addItem(tr("Density"), int(TrajectoryColour::density));
  box_->addItem(tr("Load"), int(TrajectoryColour::load));
  box_->setItemData(int(TrajectoryColour::density), tr("Samples in each cell of the Nyquist grid"),
                    Qt::ToolTipRole);
  box_->setItemData(int(TrajectoryColour::load), tr("Samples in each tile of the plan that is shown"),
                    Qt::ToolTipRole);
  box_->addItem(tr("Magnitude"), int(TrajectoryColour::magnitude));
  box_->setItemData(int(TrajectoryColour::magnitude), tr("Root of the sum of |y|² over the coils"),
                    Qt::ToolTipRole);
  box_->setFocusPolicy(Qt::TabFocus);
  note_ = new QLabel(view);
  note_->setObjectName(QStringLiteral("trajectoryLoad"));
  note_->setFont(ImageTheme::smallFont(view->font()));
  note_->setAttribute(Qt::WA_TransparentForMouseEvents);
  note_->hide();
  connect(box_, &QComboBox::activated, this,
          [this](int i) { setColour(TrajectoryColour(box_->itemData(i).toInt())); });
  updateBox();
}

void TrajectoryColouring::setTrajectory(std::shared_ptr<const Trajectory> trajectory, const Index3& matrix) {
  trajectory_ = std::move(trajectory);
  matrix_ = matrix;
  if (trajectory_) range_ = colourRange(*trajectory_, colour_);
  grid_ = tile_ = {0, 0, 0};
  updateBox();
  count();
}

void TrajectoryColouring::updateBox() {
  box_->setVisible(trajectory_ != nullptr);
  const bool times = trajectory_ && hasTimes(*trajectory_);
  box_->setItemText(int(TrajectoryColour::time), times || !trajectory_ ? tr("Time") : tr("Sample"));
  if (auto* model = qobject_cast<QStandardItemModel*>(box_->model()))
    for (const auto colour : {TrajectoryColour::weight, TrajectoryColour::load, TrajectoryColour::magnitude})
      model->item(int(colour))->setEnabled(countable(colour));
  const bool isGone = colour_ == TrajectoryColour::weight || colour_ == TrajectoryColour::magnitude;
  if (isGone && !countable(colour_)) setColour(TrajectoryColour::shot);
  box_->setCurrentIndex(int(colour_));
  box_->adjustSize();
  box_->move(view_->width() - box_->width() - ImageTheme::inset, ImageTheme::inset);
}

// True if the colour has a meaning for the shown samples.
bool TrajectoryColouring::countable(TrajectoryColour colour) const {
  if (!trajectory_) return true;
  if (colour == TrajectoryColour::weight) return hasWeights(*trajectory_);
  if (colour == TrajectoryColour::magnitude) return scan_ != nullptr;
  return colour != TrajectoryColour::load || (grid_[0] > 0 && tile_[0] > 0);
}

void TrajectoryColouring::setTiles(const Index3& grid, const Index3& tile) {
  if (grid == grid_ && tile == tile_) return;
  grid_ = grid;
  tile_ = tile;
  updateBox();
  if (colour_ == TrajectoryColour::load) count();
}

void TrajectoryColouring::setScan(std::shared_ptr<const Scan> scan, int frame) {
  scan_ = std::move(scan);
  frame_ = frame;
}

void TrajectoryColouring::count() {
  loadJob_.drop();
  load_ = {};
  note_->hide();
  if (colour_ == TrajectoryColour::magnitude && trajectory_ && scan_) {
    loadJob_.start(
        [scan = scan_, frame = frame_](std::stop_token stop) {
          SampleLoad magnitude;
          magnitude.of = coilMagnitude(*scan, frame, 0, Progress(stop));
          for (const float value : magnitude.of) magnitude.most = std::max(magnitude.most, double(value));
          return magnitude;
        },
        [this](SampleLoad magnitude) {
          load_ = std::move(magnitude);
          const double maxLoad = load_.most > 0 ? load_.most : 1;
          range_ = {magnitudeFloor * maxLoad, maxLoad, true};
          Q_EMIT changed();
          Q_EMIT loadCounted();
        });
    return;
  }
  const bool counts = colour_ == TrajectoryColour::density || colour_ == TrajectoryColour::load;
  if (!counts || !trajectory_ || !countable(colour_)) return;
  const bool byTile = colour_ == TrajectoryColour::load;
  const auto work = [trajectory = trajectory_, matrix = matrix_, grid = byTile ? grid_ : matrix_,
                     cell = byTile ? tile_ : Index3{1, 1, 1}](std::stop_token stop) {
    return sampleLoad(*trajectory, matrix, grid, cell, Progress(stop));
  };
  // The work throws if it cannot count all cells, and the colours then remain flat.
  loadJob_.start(work, [this](SampleLoad load) {
    load_ = std::move(load);
    range_ = colourRange(load_.of);
    note_->setText(loadText());
    place();
    note_->show();
    Q_EMIT changed();
    Q_EMIT loadCounted();
  });
}

QString TrajectoryColouring::loadText() const {
  return load_.of.empty() || colour_ == TrajectoryColour::magnitude
             ? QString()
             : spokelab::loadText(load_, colour_, tile_);
}

void TrajectoryColouring::setColour(TrajectoryColour colour) {
  if (!countable(colour)) return;
  box_->setCurrentIndex(int(colour));
  if (colour == colour_) return;
  colour_ = colour;
  if (trajectory_) range_ = colourRange(*trajectory_, colour_);
  count();
  Q_EMIT changed();
  Q_EMIT colourChanged(colour);
}

void TrajectoryColouring::place() {
  box_->move(view_->width() - box_->width() - ImageTheme::inset, ImageTheme::inset);
  note_->adjustSize();
  const int unit = QFontMetrics(ImageTheme::smallFont(view_->font())).height();
  note_->move(ImageTheme::inset,
              std::max(ImageTheme::inset, view_->height() - note_->height() - unit - ImageTheme::inset));
}

QSize TrajectoryColouring::boxSize() const {
  return box_->size();
}

QRect TrajectoryColouring::boxArea() const {
  return box_->geometry();
}

QString TrajectoryColouring::lowText() const {
  QString name = box_->currentText().toLower();
  if (range_.logarithmic) name = tr("%1, logarithmic").arg(name);
  return name + QStringLiteral("  ") + colourValueText(*trajectory_, colour_, range_.low);
}

QString TrajectoryColouring::highText() const {
  return colourValueText(*trajectory_, colour_, range_.high);
}

}  // namespace spokelab
