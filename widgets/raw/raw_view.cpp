#include "widgets/raw/raw_view.h"

#include <cmath>
#include <utility>

#include <QComboBox>
#include <QSplitter>
#include <QVBoxLayout>

#include "widgets/core/elided_label.h"
#include "widgets/core/flow_layout.h"
#include "widgets/core/number_text.h"
#include "widgets/raw/raw_picture_view.h"
#include "widgets/raw/raw_place_bar.h"
#include "widgets/raw/raw_plot.h"

namespace spokelab {
namespace {

constexpr int viewInset = 6, viewGap = 4;
constexpr int pictureShare = 3, plotShare = 2;

struct AxisPair {
  RawAxis x, y;
};
constexpr AxisPair axisPairs[] = {
    {RawAxis::sample, RawAxis::shot}, {RawAxis::sample, RawAxis::coil}, {RawAxis::shot, RawAxis::coil}};

QString nameOf(RawAxis axis) {
  return axis == RawAxis::sample ? RawView::tr("sample")
         : axis == RawAxis::shot ? RawView::tr("shot")
                                 : RawView::tr("coil");
}

}  // namespace

RawView::RawView(QWidget* parent)
    : QWidget(parent),
      axes_(new QComboBox),
      scale_(new QComboBox),
      places_(new RawPlaceBar),
      readout_(new ElidedLabel({})),
      picture_(new RawPictureView),
      plot_(new RawPlot) {
  setObjectName(QStringLiteral("rawView"));
  axes_->setObjectName(QStringLiteral("rawAxes"));
  axes_->setAccessibleName(tr("Axes of the picture"));
  axes_->setToolTip(tr("Axes of the picture, across and down"));
  for (const AxisPair& pair : axisPairs) axes_->addItem(tr("%1 × %2").arg(nameOf(pair.x), nameOf(pair.y)));
  scale_->setObjectName(QStringLiteral("rawScale"));
  scale_->setAccessibleName(tr("Quantity of the colours"));
  scale_->setToolTip(tr("Quantity of the colours"));
  scale_->addItems({tr("log |y|"), tr("|y|"), tr("Phase")});
  picture_->setObjectName(QStringLiteral("rawPicture"));
  picture_->setAccessibleName(tr("Samples"));
  picture_->setHint(tr("No samples yet"));
  picture_->setWhatsThis(
      tr("Click: look at a sample, here and in the trajectory. Ctrl and click: take its shot in or out of "
         "the reconstruction. Arrow keys: from sample to sample; Page up and down: by a tenth."));
  auto* bar = new FlowLayout;
  bar->setContentsMargins(viewInset, viewGap, viewInset, 0);
  bar->setSpacing(2 * viewGap);
  bar->addWidget(axes_);
  bar->addWidget(scale_);
  bar->addWidget(places_);
  auto* both = new QSplitter(Qt::Horizontal);
  both->setChildrenCollapsible(false);
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(viewGap);
  readout_->setObjectName(QStringLiteral("rawReadout"));
  readout_->setContentsMargins(viewInset, 0, viewInset, 0);
  column->addWidget(readout_);
  column->addWidget(picture_, 1);
  both->addWidget(left);
  both->addWidget(plot_);
  both->setStretchFactor(0, pictureShare);
  both->setStretchFactor(1, plotShare);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(viewGap);
  layout->addLayout(bar);
  layout->addWidget(both, 1);
  connect(axes_, &QComboBox::currentIndexChanged, this, [this] {
    picture_->setAxes(nameOf(xAxis()), nameOf(yAxis()));
    showPlace();
    showSelection();
    picture_->invalidate();
  });
  connect(scale_, &QComboBox::currentIndexChanged, this,
          [this](int scale) { picture_->setScale(RawScale(scale)); });
  connect(places_, &RawPlaceBar::placeChanged, this, [this](const RawPlace& place) { take(place, true); });
  connect(picture_, &RawPictureView::wanted, this, &RawView::makePicture);
  connect(picture_, &RawPictureView::placed, this, [this](qint64 x, qint64 y) { take(placeOf(x, y), true); });
  connect(picture_, &RawPictureView::toggled, this, [this](qint64 x, qint64 y) {
    if (scan_) Q_EMIT shotToggled(placeOf(x, y).shot);
  });
  connect(picture_, &RawPictureView::hovered, this,
          [this](qint64 x, qint64 y) { tell(x < 0 ? place() : placeOf(x, y)); });
  connect(plot_, &RawPlot::shotChosen, this, [this](qint64 shot) {
    RawPlace next = place();
    next.shot = shot;
    take(next, true);
  });
  connect(plot_, &RawPlot::coilChosen, this, [this](qint64 coil) {
    RawPlace next = place();
    next.coil = coil;
    take(next, true);
  });
  picture_->setAxes(nameOf(xAxis()), nameOf(yAxis()));
  setScan(nullptr);
}

RawAxis RawView::xAxis() const {
  return axisPairs[axes_->currentIndex()].x;
}

RawAxis RawView::yAxis() const {
  return axisPairs[axes_->currentIndex()].y;
}

const RawPlace& RawView::place() const {
  return places_->place();
}

QString RawView::readout() const {
  return readout_->whole();
}

void RawView::setScan(const std::shared_ptr<const Scan>& scan) {
  scan_ = scan;
  selected_.clear();
  pictureJob_.drop();
  places_->setScan(scan);
  plot_->setScan(scan);
  picture_->setPicture({});
  picture_->setEnabled(scan != nullptr);
  showPlace();
  showSelection();
  if (scan) picture_->invalidate();
}

void RawView::lookAt(std::int64_t shot, std::int64_t sample) {
  if (!scan_) return;
  RawPlace next = place();
  next.shot = shot;
  if (sample >= 0) next.sample = sample;
  take(next, false);
}

RawPlace RawView::placeOf(std::int64_t column, std::int64_t row) const {
  RawPlace there = place();
  there.along(xAxis()) = column;
  there.along(yAxis()) = row;
  return there;
}

void RawView::take(const RawPlace& asked, bool byUser) {
  if (!scan_) return;
  const RawPlace next = insideScan(*scan_, asked);
  places_->setPlace(next);
  // The picture is kept while only the place in it moves.
  RawPlace there = next;
  for (const RawAxis axis : {xAxis(), yAxis()}) there.along(axis) = drawn_.along(axis);
  if (!(there == drawn_)) picture_->invalidate();
  showPlace();
  plot_->setPlace(next);
  if (byUser) Q_EMIT placed(next.frame, next.shot, next.sample);
}

void RawView::makePicture(const QSize& cells) {
  if (!scan_) return;
  drawn_ = place();
  pictureJob_.start(
      [scan = scan_, x = xAxis(), y = yAxis(), place = drawn_, cells](std::stop_token stop) {
        return rawPicture(*scan, x, y, place, cells.width(), cells.height(), Progress(stop));
      },
      [this](RawPicture picture) {
        picture_->setPicture(std::move(picture));
        Q_EMIT pictureReady();
      });
}

void RawView::showPlace() {
  if (!scan_) {
    picture_->setPlace(std::nullopt);
    readout_->setWhole({});
    return;
  }
  picture_->setPlace(RawPictureView::Cell{place().along(xAxis()), place().along(yAxis())});
  tell(place());
}

void RawView::tell(const RawPlace& at) {
  if (!scan_) return;
  const Trajectory& t = scan_->trajectory(at.frame);
  QString text = tr("shot %1   sample %2   coil %3").arg(at.shot).arg(at.sample).arg(at.coil);
  const std::int64_t begin = t.shots() > 0 ? t.shotOffsets[std::size_t(at.shot)] : 0;
  if (t.shots() > 0 && begin + at.sample < t.shotOffsets[std::size_t(at.shot) + 1]) {
    const cdouble y = scan_->data(at.frame, at.slice, int(at.coil))[begin + at.sample];
    text += tr("   |y| %1   phase %2 rad").arg(valueText(std::abs(y)), fixedLabel(std::arg(y), 2));
  } else {
    text += tr("   no sample");
  }
  readout_->setWhole(text);
}

void RawView::setSelectedShots(const std::vector<int>& shots) {
  selected_ = shots;
  showSelection();
}

void RawView::showSelection() {
  std::vector<char> chosen;
  if (scan_ && !selected_.empty()) {
    chosen.assign(std::size_t(axisLength(*scan_, place().frame, RawAxis::shot)), 0);
    for (const int shot : selected_)
      if (shot >= 0 && std::size_t(shot) < chosen.size()) chosen[std::size_t(shot)] = 1;
  }
  picture_->setChosen(xAxis() == RawAxis::shot ? chosen : std::vector<char>(),
                      yAxis() == RawAxis::shot ? chosen : std::vector<char>());
}

}  // namespace spokelab
