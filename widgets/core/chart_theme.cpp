#include "widgets/core/chart_theme.h"

#include <qcustomplot.h>

#include <array>
#include <cmath>

#include "widgets/core/colour_map.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

constexpr int axisFontPoints = 8;
constexpr int gradientStops = 17;

QFont axisFont() {
  QFont font;
  font.setPointSize(axisFontPoints);
  return font;
}

}  // namespace

ChartTheme ChartTheme::onScreen() {
  if (screenTheme() == ScreenTheme::light) return onPaper();
  if (screenTheme() == ScreenTheme::highContrast) return highContrast();
  return {.background = QColor(QRgb(0xff16191d)),
          .foreground = QColor(QRgb(0xffd7dce2)),
          .muted = QColor(QRgb(0xff8e97a3)),
          .grid = QColor(QRgb(0xff2b3138)),
          .interpolation = QColor(QRgb(0xfff0a33e)),
          .fft = QColor(QRgb(0xff4a9eea)),
          .rest = QColor(QRgb(0xff77818d)),
          .setUp = QColor(QRgb(0xffa97fd8)),
          .limit = QColor(QRgb(0xfff06464)),
          .chosen = QColor(QRgb(0xff74d680)),
          .selected = QColor(QRgb(0xffffffff)),
          .unusable = QColor(QRgb(0xff343a42)),
          .dark = true};
}

ChartTheme ChartTheme::highContrast() {
  return {.background = QColor(Qt::black),
          .foreground = QColor(Qt::white),
          .muted = QColor(QRgb(0xffd8d8d8)),
          .grid = QColor(QRgb(0xff5a5a5a)),
          .interpolation = QColor(QRgb(0xffffb000)),
          .fft = QColor(QRgb(0xff5ab4ff)),
          .rest = QColor(QRgb(0xffb0b0b0)),
          .setUp = QColor(QRgb(0xffd7a6ff)),
          .limit = QColor(QRgb(0xffff8080)),
          .chosen = QColor(QRgb(0xff6bff7c)),
          .selected = QColor(Qt::white),
          .unusable = QColor(QRgb(0xff4a4a4a)),
          .dark = true};
}

ChartTheme ChartTheme::onPaper() {
  return {.background = QColor(QRgb(0xffffffff)),
          .foreground = QColor(QRgb(0xff1b1f24)),
          .muted = QColor(QRgb(0xff59626c)),
          .grid = QColor(QRgb(0xffe3e6ea)),
          .interpolation = QColor(QRgb(0xffcf7a22)),
          .fft = QColor(QRgb(0xff2b78c5)),
          .rest = QColor(QRgb(0xff838c96)),
          .setUp = QColor(QRgb(0xff8250b8)),
          .limit = QColor(QRgb(0xffc93c3c)),
          .chosen = QColor(QRgb(0xff2e8b3d)),
          .selected = QColor(Qt::black),
          .unusable = QColor(QRgb(0xffd5d9de)),
          .dark = false};
}

QColor ChartTheme::textOn(const QColor& ground) {
  constexpr int lightGround = 110;
  return ground.lightness() > lightGround ? QColor(20, 20, 20) : QColor(235, 235, 235);
}

QColor ChartTheme::ofFamily(int index, int count) const {
  // The ends of the map are too dark on screen and too light on paper to read as lines.
  const double low = dark ? 0.35 : 0.0, high = dark ? 1.0 : 0.8;
  const double place = count > 1 ? low + (high - low) * index / (count - 1) : (low + high) / 2;
  return QColor(ColourMap::sequential(mapColours()).at(place));
}

QColor ChartTheme::ofPath(int index) const {
  // Apart from the colours of stages and marks.
  constexpr std::array<QRgb, 4> onDark = {0xffff7ac0, 0xff4fd6cf, 0xffe7e06a, 0xffb9a4ff};
  constexpr std::array<QRgb, 4> onWhite = {0xffc2347f, 0xff0c8a84, 0xff8a7d00, 0xff6a4fd0};
  if (index <= 0) return foreground;
  const auto& colours = dark ? onDark : onWhite;
  return QColor(colours[std::size_t(index - 1) % colours.size()]);
}

QColor ChartTheme::ofRun(int number) const {
  constexpr double goldenAngle = 137.508, fullTurn = 360;  // degrees
  const auto hue = float(std::fmod(double(number) * goldenAngle, fullTurn) / fullTurn);
  return dark ? QColor::fromHsvF(hue, 0.55F, 0.95F) : QColor::fromHsvF(hue, 0.85F, 0.65F);
}

void applyTheme(QCPAxis& axis, const ChartTheme& theme) {
  axis.setBasePen(QPen(theme.muted));
  axis.setTickPen(QPen(theme.muted));
  axis.setSubTickPen(QPen(theme.muted));
  axis.setTickLabelColor(theme.foreground);
  axis.setLabelColor(theme.foreground);
  axis.setTickLabelFont(axisFont());
  axis.setLabelFont(axisFont());
  axis.setTickLengthIn(0);
  axis.setTickLengthOut(4);
  axis.setSubTickLengthIn(0);
  axis.setSubTickLengthOut(2);
  axis.setLabelPadding(2);
  axis.grid()->setPen(QPen(theme.grid, 0));
  axis.grid()->setZeroLinePen(QPen(theme.grid, 0));
  axis.grid()->setSubGridVisible(false);
}

void applyTheme(QCustomPlot& plot, const ChartTheme& theme) {
  plot.setBackground(QBrush(theme.background));
  for (QCPAxisRect* rect : plot.axisRects()) {
    for (QCPAxis* axis : rect->axes()) applyTheme(*axis, theme);
  }
  if (!plot.legend) return;  // it went with the layout that it was in
  QColor legendGround = theme.background;
  legendGround.setAlpha(200);
  plot.legend->setBrush(legendGround);
  plot.legend->setBorderPen(Qt::NoPen);
  plot.legend->setTextColor(theme.foreground);
  plot.legend->setFont(axisFont());
  plot.legend->setIconSize(18, 16);  // the ring of the shown plan
  plot.legend->setRowSpacing(0);
  plot.legend->setMargins(QMargins(4, 2, 4, 2));
}

QCPColorGradient mapGradient(const ChartTheme& theme) {
  QCPColorGradient gradient;
  QMap<double, QColor> stops;
  const ColourMap& map = ColourMap::sequential(mapColours());
  for (int i = 0; i < gradientStops; ++i) {
    const double place = double(i) / (gradientStops - 1);
    stops.insert(place, QColor(map.at(place)));
  }
  gradient.setColorStops(stops);
  gradient.setNanHandling(QCPColorGradient::nhNanColor);
  gradient.setNanColor(theme.unusable);
  return gradient;
}

}  // namespace spokelab
