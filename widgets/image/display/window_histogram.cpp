#include "widgets/image/display/window_histogram.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QMenu>
#include <QPainter>

#include "widgets/core/image_theme.h"
#include "widgets/core/number_box.h"
#include "widgets/core/number_text.h"
#include "widgets/core/screen_theme.h"
#include "widgets/image/display/measurement.h"

namespace spokelab {
namespace {

constexpr int bins = 512, sidePixels = 6;
constexpr double grabPixels = 7;
constexpr double keyStep = 0.02;        // of the window's width
constexpr double minWidthShare = 1e-4;  // of the shown range
constexpr std::int64_t maxLooks = std::int64_t{1} << 20;

double valueOf(cfloat v, DisplayMode mode) {
  if (mode == DisplayMode::real) return v.real();
  if (mode == DisplayMode::imaginary) return v.imag();
  return std::abs(cdouble(v));
}

// A line for each pixel between `from` and `to`; its height is the root of the count.
void paintCounts(QPainter& painter, const ValueHistogram& histogram, const QRectF& area, double from,
                 double to, const QColor& colour) {
  std::int64_t largestCount = 0;
  for (const std::int64_t count : histogram.counts) largestCount = std::max(largestCount, count);
  if (largestCount == 0) return;
  painter.setPen(colour);
  const auto columns = std::max(1, int(to - from));
  const double size = double(histogram.counts.size());
  for (int column = 0; column <= columns; ++column) {
    const auto begin = std::size_t(double(column) / (columns + 1) * size);
    const auto end = std::max(begin + 1, std::size_t(double(column + 1) / (columns + 1) * size));
    std::int64_t count = 0;
    for (std::size_t i = begin; i < std::min(end, histogram.counts.size()); ++i)
      count = std::max(count, histogram.counts[i]);
    if (count == 0) continue;
    const double tall = area.height() * std::sqrt(double(count) / double(largestCount));
    painter.drawLine(QPointF(from + column, area.bottom()), QPointF(from + column, area.bottom() - tall));
  }
}

}  // namespace

double ValueHistogram::quantile(double share) const {
  const double targetCount = std::clamp(share, 0.0, 1.0) * double(total);
  double below = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double count = double(counts[i]);
    if (count > 0 && below + count >= targetCount)
      return low + (high - low) * (double(i) + (targetCount - below) / count) / double(counts.size());
    below += count;
  }
  return high;
}

ValueHistogram valueHistogram(const Image& image, int frame, DisplayMode mode) {
  ValueHistogram histogram;
  const cfloat* data = image.frame(frame);
  const std::int64_t count = image.volume();
  const std::int64_t step = (count / maxLooks + 1) | 1;  // odd: does not follow the rows of even matrices
  bool first = true;
  const auto each = [&](auto&& see) {
    for (std::int64_t i = 0; i < count; i += step)
      if (const double value = valueOf(data[i], mode); std::isfinite(value)) see(value);
  };
  each([&](double value) {
    histogram.low = first ? value : std::min(histogram.low, value);
    histogram.high = first ? value : std::max(histogram.high, value);
    first = false;
  });
  if (first) return histogram;
  histogram.counts.assign(bins, 0);
  const double range = histogram.high - histogram.low, scale = range > 0 ? bins / range : 0;
  each([&](double value) {
    const auto bin = std::min<std::size_t>(std::size_t((value - histogram.low) * scale), bins - 1);
    ++histogram.counts[bin];
    ++histogram.total;
  });
  return histogram;
}

ValueHistogram regionHistogram(const Image& image, int frame, DisplayMode mode, const ImageRegion& region,
                               const ValueHistogram& whole) {
  ValueHistogram histogram;
  histogram.low = whole.low;
  histogram.high = whole.high;
  histogram.counts.assign(bins, 0);
  const double range = whole.high - whole.low, scale = range > 0 ? bins / range : 0;
  const cfloat* data = image.frame(frame);
  Index3 from{}, to{};
  for (std::size_t d = 0; d < 3; ++d) {
    from[d] = std::max<std::int64_t>(0, region.low[d]);
    to[d] = std::min(image.size[d] - 1, region.high[d]);
  }
  for (std::int64_t z = from[2]; z <= to[2]; ++z)
    for (std::int64_t y = from[1]; y <= to[1]; ++y)
      for (std::int64_t x = from[0]; x <= to[0]; ++x) {
        if (!region.contains({x, y, z})) continue;
        const double value = valueOf(data[(z * image.size[1] + y) * image.size[0] + x], mode);
        if (!std::isfinite(value)) continue;
        const double place = std::clamp((value - whole.low) * scale, 0.0, double(bins - 1));
        ++histogram.counts[std::size_t(place)];
        ++histogram.total;
      }
  return histogram;
}

WindowHistogram::WindowHistogram(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("windowHistogram"));
  setAccessibleName(tr("Histogram of the values"));
  setToolTip(tr("Drag an end of the window, or the level between them; right click: percentiles, numbers"));
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  setFocusPolicy(Qt::StrongFocus);
  followScreenTheme(this, [this] { update(); });
}

void WindowHistogram::setImage(std::shared_ptr<const Image> image, int frame, DisplayMode mode) {
  setVisible(image != nullptr && mode != DisplayMode::phase);
  if (image == image_ && frame == frame_ && mode == mode_) return;
  image_ = std::move(image);
  frame_ = frame;
  mode_ = mode;
  counting_.drop();
  if (!image_ || mode_ == DisplayMode::phase) return;
  counting_.start(
      [image = image_, frame, mode](std::stop_token) { return valueHistogram(*image, frame, mode); },
      [this](ValueHistogram histogram) {
        histogram_ = std::move(histogram);
        countRegions();
        update();
        Q_EMIT histogramReady();
      });
}

void WindowHistogram::setMeasurement(Measurement* measurement) {
  if (!measurement) return;
  connect(measurement, &Measurement::changed, this, [this, measurement] {
    const MeasuredRegions& regions = measurement->regions();
    const NamedRegion* current = measurement->find(regions.current);
    setRegion(measurement->region(), current ? current->colour : 0);
    std::vector<std::pair<ImageRegion, int>> others;
    for (const NamedRegion& one : regions.all)
      if (one.region && one.id != regions.current) others.emplace_back(*one.region, one.colour);
    setOthers(others);
  });
}

void WindowHistogram::setRegion(const std::optional<ImageRegion>& region, int colour) {
  if (region == region_ && colour == colour_) return;
  region_ = region;
  colour_ = colour;
  ofRegion_ = region_ ? counted(*region_) : ValueHistogram();
  update();
}

void WindowHistogram::setOthers(const std::vector<std::pair<ImageRegion, int>>& regions) {
  if (regions == otherRegions_) return;
  otherRegions_ = regions;
  countRegions();
  update();
}

// A region is one slice: it is counted at once.
ValueHistogram WindowHistogram::counted(const ImageRegion& region) const {
  if (!image_ || counting_.isRunning() || histogram_.total == 0 || frame_ >= image_->frames) return {};
  return regionHistogram(*image_, frame_, mode_, region, histogram_);
}

void WindowHistogram::countRegions() {
  ofRegion_ = region_ ? counted(*region_) : ValueHistogram();
  otherHistograms_.clear();
  for (const auto& [region, colour] : otherRegions_) otherHistograms_.push_back(counted(region));
}

void WindowHistogram::setWindow(const DisplayWindow& window) {
  window_ = window;
  setAccessibleDescription(tr("Window from %1 to %2").arg(valueText(window.low()), valueText(window.high())));
  update();
}

// The values and the window, whichever reaches further.
double WindowHistogram::shownLow() const {
  return std::min(histogram_.low, window_.low());
}

double WindowHistogram::shownHigh() const {
  return std::max({histogram_.high, window_.high(), shownLow() + 1e-30});
}

double WindowHistogram::placeOf(double value) const {
  const double share = (value - shownLow()) / (shownHigh() - shownLow());
  return sidePixels + share * (width() - 2 * sidePixels);
}

double WindowHistogram::valueAt(double x) const {
  const double share = (x - sidePixels) / std::max(1, width() - 2 * sidePixels);
  return shownLow() + share * (shownHigh() - shownLow());
}

void WindowHistogram::choose(double low, double high) {
  const double least = minWidthShare * (shownHigh() - shownLow());
  if (high - low < least) high = low + least;
  Q_EMIT windowChosen(DisplayWindow::fromRange(low, high));
}

void WindowHistogram::takePercentiles(double low, double high) {
  if (histogram_.total > 0) choose(histogram_.quantile(low), histogram_.quantile(high));
}

void WindowHistogram::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const double x = event->position().x();
  const double toLow = std::abs(x - placeOf(window_.low())), toHigh = std::abs(x - placeOf(window_.high()));
  if (std::min(toLow, toHigh) <= grabPixels)
    drag_ = toLow < toHigh ? Drag::low : Drag::high;
  else
    drag_ = Drag::level;
  grabbed_ = valueAt(x);
}

void WindowHistogram::mouseMoveEvent(QMouseEvent* event) {
  const double value = valueAt(event->position().x());
  switch (drag_) {
    case Drag::low:
      return choose(std::min(value, window_.high()), window_.high());
    case Drag::high:
      return choose(window_.low(), std::max(value, window_.low()));
    case Drag::level: {
      const double by = value - grabbed_;
      grabbed_ = value;
      return choose(window_.low() + by, window_.high() + by);
    }
    case Drag::none:
      break;
  }
  const double x = event->position().x();
  const bool atHandle =
      std::min(std::abs(x - placeOf(window_.low())), std::abs(x - placeOf(window_.high()))) <= grabPixels;
  setCursor(atHandle ? Qt::SizeHorCursor : Qt::ArrowCursor);
}

void WindowHistogram::mouseReleaseEvent(QMouseEvent*) {
  drag_ = Drag::none;
}

void WindowHistogram::keyPressEvent(QKeyEvent* event) {
  const double step = keyStep * window_.width;
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(window_.low() - step, window_.high() - step);
    case Qt::Key_Right:
      return choose(window_.low() + step, window_.high() + step);
    case Qt::Key_Up:
      return choose(window_.low() - step, window_.high() + step);
    case Qt::Key_Down:
      return choose(window_.low() + step, window_.high() - step);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return askForNumbers();
    default:
      QWidget::keyPressEvent(event);
  }
}

void WindowHistogram::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  constexpr double narrow = 0.01, wide = 0.001;
  menu->addAction(tr("1 % to 99 % of the values"), this, [this] { takePercentiles(narrow, 1 - narrow); });
  menu->addAction(tr("0.1 % to 99.9 % of the values"), this, [this] { takePercentiles(wide, 1 - wide); });
  menu->addAction(tr("The whole range"), this, [this] { takePercentiles(0, 1); });
  menu->addSeparator();
  menu->addAction(tr("Level and width…"), this, &WindowHistogram::askForNumbers);
  menu->popup(event->globalPos());
}

void WindowHistogram::askForNumbers() {
  auto* dialog = new QDialog(this);
  dialog->setObjectName(QStringLiteral("windowNumbers"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Level and width"));
  constexpr double largest = 1e30;
  constexpr int decimals = 12;
  const auto box = [&](double value, double least) {
    auto* made = new NumberBox;
    made->setDecimals(decimals);
    made->setRange(least, largest);
    made->setValue(value);
    return made;
  };
  auto* level = box(window_.level, -largest);
  auto* width = box(window_.width, 0);
  level->setObjectName(QStringLiteral("windowLevel"));
  width->setObjectName(QStringLiteral("windowWidth"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  auto* form = new QFormLayout(dialog);
  form->addRow(tr("Level"), level);
  form->addRow(tr("Width"), width);
  form->addRow(buttons);
  connect(buttons, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  connect(dialog, &QDialog::accepted, this, [this, level, width] {
    if (width->value() > 0) Q_EMIT windowChosen({level->value(), width->value()});
  });
  dialog->open();
}

// Heights are roots of counts: an image's background would hide all else.
void WindowHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QPalette& colours = palette();
  const QRectF area(sidePixels, 2, width() - 2 * sidePixels, height() - 4);
  painter.fillRect(area, colours.color(QPalette::Base));
  const double low = placeOf(window_.low()), high = placeOf(window_.high());
  QColor inside = colours.color(QPalette::Highlight);
  constexpr int insideOpacity = 60;  // of 255
  inside.setAlpha(insideOpacity);
  painter.fillRect(QRectF(QPointF(low, area.top()), QPointF(high, area.bottom())), inside);
  const double from = placeOf(histogram_.low), to = placeOf(histogram_.high);
  paintCounts(painter, histogram_, area, from, to, colours.color(QPalette::WindowText));
  for (std::size_t i = 0; i < otherHistograms_.size(); ++i) {
    constexpr int shade = 150;  // opacity
    QColor colour = ImageTheme::measured(otherRegions_[i].second);
    colour.setAlpha(shade);
    paintCounts(painter, otherHistograms_[i], area, from, to, colour);
  }
  paintCounts(painter, ofRegion_, area, from, to, ImageTheme::measured(colour_));
  constexpr double handlePen = 2;
  painter.setPen(QPen(colours.color(QPalette::Highlight), handlePen));
  for (const double x : {low, high}) painter.drawLine(QPointF(x, 0), QPointF(x, height()));
  if (!hasFocus()) return;
  painter.setPen(colours.color(QPalette::Highlight));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace spokelab
