#include "widgets/raw/raw_place_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <limits>

#include "widgets/core/flow_layout.h"

namespace spokelab {
namespace {

constexpr int placeGap = 4, sliderWidth = 90;

}  // namespace

RawPlaceBar::RawPlaceBar(QWidget* parent) : QWidget(parent) {
  auto* layout = new FlowLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2 * placeGap);
  const std::array<std::pair<const char*, QString>, parts> names{{{"raw-frame", tr("frame")},
                                                                  {"raw-slice", tr("slice")},
                                                                  {"raw-shot", tr("shot")},
                                                                  {"raw-sample", tr("sample")},
                                                                  {"raw-coil", tr("coil")}}};
  for (int part = 0; part < parts; ++part) {
    Row& row = rows_[std::size_t(part)];
    const auto& [name, text] = names[std::size_t(part)];
    row.whole = new QWidget;
    auto* line = new QHBoxLayout(row.whole);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(placeGap);
    row.slider = new QSlider(Qt::Horizontal);
    row.slider->setObjectName(QString::fromLatin1(name));
    row.slider->setAccessibleName(text);
    row.slider->setFixedWidth(sliderWidth);
    row.value = new QLabel;
    row.whole->setToolTip(
        firstNumber(Part(part)) == 1
            ? tr("Counted from 1")
            : tr("Counted from 0, as in the trajectory, and in Shots and Coils of the parameters"));
    line->addWidget(new QLabel(text));
    line->addWidget(row.slider);
    line->addWidget(row.value);
    layout->addWidget(row.whole);
    connect(row.slider, &QSlider::valueChanged, this, [this, part](int value) { take(Part(part), value); });
  }
  setScan(nullptr);
}

// Frames and slices count from 1, as in the images. Shots, samples and coils count from 0, as in
// the trajectory and in the parameters that choose them.
int RawPlaceBar::firstNumber(Part part) {
  return part == frame || part == slice ? 1 : 0;
}

std::int64_t RawPlaceBar::valueOf(const RawPlace& place, Part part) {
  switch (part) {
    case frame:
      return place.frame;
    case slice:
      return place.slice;
    case shot:
      return place.shot;
    case sample:
      return place.sample;
    default:
      return place.coil;
  }
}

void RawPlaceBar::setScan(const std::shared_ptr<const Scan>& scan) {
  scan_ = scan;
  place_ = {};
  setLengths();
}

// Shots and samples may differ from frame to frame.
void RawPlaceBar::setLengths() {
  const auto length = [this](int part) -> std::int64_t {
    if (!scan_) return 0;
    if (part == frame) return scan_->frames;
    if (part == slice) return scan_->slices;
    return axisLength(*scan_, place_.frame,
                      part == shot     ? RawAxis::shot
                      : part == sample ? RawAxis::sample
                                       : RawAxis::coil);
  };
  for (int part = 0; part < parts; ++part) {
    Row& row = rows_[std::size_t(part)];
    const std::int64_t last = std::min<std::int64_t>(length(part), std::numeric_limits<int>::max()) - 1;
    const QSignalBlocker quiet(row.slider);
    row.whole->setVisible(last > 0);
    row.slider->setRange(0, std::max(0, int(last)));
    const qint64 largest = last + firstNumber(Part(part));
    const QString widest = tr("%1 / %2").arg(largest).arg(largest);
    row.value->setMinimumWidth(row.value->fontMetrics().horizontalAdvance(widest));
  }
  setPlace(place_);
}

void RawPlaceBar::setPlace(const RawPlace& place) {
  const bool otherFrame = place.frame != place_.frame;
  place_ = place;
  if (otherFrame) return setLengths();
  for (int part = 0; part < parts; ++part) {
    Row& row = rows_[std::size_t(part)];
    const QSignalBlocker quiet(row.slider);
    row.slider->setValue(int(valueOf(place_, Part(part))));
    const int first = firstNumber(Part(part));
    row.value->setText(
        tr("%1 / %2").arg(valueOf(place_, Part(part)) + first).arg(row.slider->maximum() + first));
  }
}

void RawPlaceBar::take(Part part, int value) {
  RawPlace next = place_;
  switch (part) {
    case frame:
      next.frame = value;
      break;
    case slice:
      next.slice = value;
      break;
    case shot:
      next.shot = value;
      break;
    case sample:
      next.sample = value;
      break;
    default:
      next.coil = value;
  }
  setPlace(scan_ ? insideScan(*scan_, next) : next);
  Q_EMIT placeChanged(place_);
}

}  // namespace spokelab
