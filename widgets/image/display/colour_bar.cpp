#include "widgets/image/display/colour_bar.h"

#include <cmath>

#include <QEvent>
#include <QPainter>

#include "widgets/core/colour_map.h"
#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr int maxBarWidth = 120, minBarWidth = 40, barHeight = 12, gap = 8;
constexpr int partsOfBar = 3;  // stretch factor of the bar

}  // namespace

ColourBar::ColourBar(QWidget* parent)
    : QWidget(parent), map_(QStringLiteral("grey")), unit_(tr("a.u.", "arbitrary units")) {
  setObjectName(QStringLiteral("colourBar"));
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  refresh();
  followScreenTheme(this, [this] { update(); });
}

void ColourBar::setMode(DisplayMode mode) {
  mode_ = mode;
  refresh();
}

void ColourBar::setWindow(const DisplayWindow& window) {
  window_ = window;
  refresh();
}

void ColourBar::setColourMap(const QString& name) {
  map_ = name;
  refresh();
}

void ColourBar::setQuantity(const QString& quantity) {
  quantity_ = quantity;
  refresh();
}

void ColourBar::setUnit(const QString& unit) {
  unit_ = unit;
  refresh();
}

QString ColourBar::name() const {
  const QString mode = displayModeTitle(mode_);
  return quantity_.isEmpty() ? mode : quantity_ + QStringLiteral(", ") + mode.toLower();
}

QString ColourBar::title() const {
  const QString unit = mode_ == DisplayMode::phase ? tr("rad") : unit_;
  return QStringLiteral("%1 (%2)").arg(name(), unit);
}

QString ColourBar::lowText() const {
  if (mode_ == DisplayMode::phase) return QStringLiteral("\u2212\u03c0");
  return valueText(window_.low());
}

QString ColourBar::highText() const {
  if (mode_ == DisplayMode::phase) return QStringLiteral("\u03c0");
  return valueText(window_.high());
}

void ColourBar::refresh() {
  setAccessibleName(tr("Legend"));
  QString meaning = tr("%1: from %2 to %3").arg(title(), lowText(), highText());
  if (mode_ == DisplayMode::complex)
    meaning = tr("Brightness: magnitude from %1 to %2 %3. Hue: phase from \u2212\u03c0 to \u03c0 rad")
                  .arg(lowText(), highText(), unit_);
  setAccessibleDescription(meaning);
  setToolTip(meaning);
  update();
}

void ColourBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetrics metrics = painter.fontMetrics();
  painter.setPen(palette().color(QPalette::WindowText));
  const int barWidth = std::clamp(width() / partsOfBar, minBarWidth, maxBarWidth);
  const int barLeft = width() - barWidth - gap - std::max(metrics.horizontalAdvance(highText()), 4 * gap);
  const bool tall = mode_ == DisplayMode::complex;
  const int barTall = tall ? height() - 4 : barHeight;
  const QRect bar(barLeft, (height() - barTall) / 2, barWidth, barTall);
  const double ratio = devicePixelRatioF();
  QImage legend =
      ColourMap::legend(mode_, ColourMap::sequential(map_),
                        QSize(int(std::lround(bar.width() * ratio)), int(std::lround(bar.height() * ratio))));
  painter.drawImage(bar, legend);

  const QString before = tall ? QStringLiteral("\u00b1\u03c0") : lowText();
  const QRect titleArea(0, 0, barLeft - 2 * gap - metrics.horizontalAdvance(before), height());
  painter.drawText(
      titleArea, Qt::AlignRight | Qt::AlignVCenter,
      metrics.elidedText(metrics.horizontalAdvance(title()) > titleArea.width() ? name() : title(),
                         Qt::ElideRight, titleArea.width()));
  const QRect lowArea(titleArea.right() + 1, 0, barLeft - gap - titleArea.right() - 1, height());
  const QRect highArea(bar.right() + 1 + gap, 0, width() - bar.right() - 1 - gap, height());
  if (tall) {  // magnitude up the bar's right edge
    painter.drawText(highArea, Qt::AlignLeft | Qt::AlignTop, highText());
    painter.drawText(highArea, Qt::AlignLeft | Qt::AlignBottom, lowText());
    painter.drawText(lowArea, Qt::AlignRight | Qt::AlignVCenter, before);
    return;
  }
  painter.drawText(lowArea, Qt::AlignRight | Qt::AlignVCenter, before);
  painter.drawText(highArea, Qt::AlignLeft | Qt::AlignVCenter, highText());
}

}  // namespace spokelab
