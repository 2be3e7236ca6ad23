#include "widgets/core/colour_map.h"

#include <cmath>
#include <map>
#include <numbers>

#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

struct Rgb {
  double red, green, blue;  // linear light, 0 ... 1 inside the gamut
};

// OKLab to linear sRGB (Ottosson 2020).
Rgb linearFromOklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool inGamut(const Rgb& c) {
  constexpr double slack = 1e-4;
  const auto inside = [](double v) { return v >= -slack && v <= 1 + slack; };
  return inside(c.red) && inside(c.green) && inside(c.blue);
}

// The sRGB transfer function (IEC 61966-2-1), to 8 bits.
int encode(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  const double encoded = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  return int(std::lround(255 * encoded));
}

// A colour by lightness, chroma and hue (degrees); chroma is lowered until the screen can show it.
QRgb fromLch(double lightness, double chroma, double hueDegrees) {
  const double hue = hueDegrees * std::numbers::pi / 180;
  const auto colour = [&](double c) {
    return linearFromOklab(lightness, c * std::cos(hue), c * std::sin(hue));
  };
  double inside = chroma;
  if (!inGamut(colour(chroma))) {
    double outside = chroma;
    inside = 0;
    constexpr int halvings = 30;
    for (int i = 0; i < halvings; ++i) {
      const double middle = (inside + outside) / 2;
      (inGamut(colour(middle)) ? inside : outside) = middle;
    }
  }
  const Rgb c = colour(inside);
  return qRgb(encode(c.red), encode(c.green), encode(c.blue));
}

// A way through OKLCh: lightness rises linearly, hue turns linearly, chroma swells in the middle.
struct Path {
  double lightnessLow, lightnessHigh, hueLow, hueHigh, chromaEnds, chromaMiddle;
};

std::vector<QRgb> follow(const Path& path) {
  std::vector<QRgb> colours;
  for (int i = 0; i < ColourMap::sequentialSize; ++i) {
    const double t = double(i) / (ColourMap::sequentialSize - 1);
    const double swell = std::sin(std::numbers::pi * t);
    colours.push_back(fromLch(std::lerp(path.lightnessLow, path.lightnessHigh, t),
                              std::lerp(path.chromaEnds, path.chromaMiddle, swell),
                              std::lerp(path.hueLow, path.hueHigh, t)));
  }
  return colours;
}

// Along blue and yellow, which colour-blind people see as others do.
std::vector<QRgb> blueToYellow() {
  constexpr double lightnessLow = 0.22, lightnessHigh = 0.95, blue = -0.12, yellow = 0.14;
  constexpr double blueHue = 270, yellowHue = 90;
  std::vector<QRgb> colours;
  for (int i = 0; i < ColourMap::sequentialSize; ++i) {
    const double t = double(i) / (ColourMap::sequentialSize - 1), b = std::lerp(blue, yellow, t);
    colours.push_back(
        fromLch(std::lerp(lightnessLow, lightnessHigh, t), std::abs(b), b < 0 ? blueHue : yellowHue));
  }
  return colours;
}

std::vector<QRgb> greys(bool inverted) {
  static_assert(ColourMap::sequentialSize == 256, "an entry's number is its grey level");
  std::vector<QRgb> colours;
  for (int i = 0; i < ColourMap::sequentialSize; ++i) {
    const int v = inverted ? ColourMap::sequentialSize - 1 - i : i;
    colours.push_back(qRgb(v, v, v));
  }
  return colours;
}

constexpr Path lagoonPath{0.20, 0.94, 300, 108, 0.11, 0.13};  // violet, blue, green, pale yellow
constexpr Path emberPath{0.0, 0.98, 8, 104, 0.02, 0.19};      // black, red, orange, near white

// Bright enough to read, with the largest chroma that the screen shows at every hue.
constexpr double phaseLightness = 0.76, phaseChroma = 0.12;
constexpr double phaseZeroHue = 30;  // phase 0 is a warm red

// A circle of lightness and of blue against yellow: dark, yellow, bright, blue, and dark again.
std::vector<QRgb> phaseWithoutRedAndGreen() {
  constexpr double middle = 0.62, lightnessReach = 0.16, chroma = 0.11, blueHue = 270, yellowHue = 90;
  std::vector<QRgb> colours;
  for (int i = 0; i < ColourMap::phaseSize; ++i) {
    const double angle = 2 * std::numbers::pi * i / ColourMap::phaseSize, b = chroma * std::sin(angle);
    colours.push_back(
        fromLch(middle - lightnessReach * std::cos(angle), std::abs(b), b < 0 ? blueHue : yellowHue));
  }
  return colours;
}

std::vector<QRgb> phaseByHue() {
  std::vector<QRgb> colours;
  for (int i = 0; i < ColourMap::phaseSize; ++i) {
    const double turn = double(i) / ColourMap::phaseSize - 0.5;
    colours.push_back(fromLch(phaseLightness, phaseChroma, phaseZeroHue + 360 * turn));
  }
  return colours;
}

}  // namespace

QStringList ColourMap::sequentialNames() {
  return {QStringLiteral("grey"), QStringLiteral("grey-inverted"), QStringLiteral("lagoon"),
          QStringLiteral("ember"), QStringLiteral("dusk")};
}

QString ColourMap::title(const QString& name) {
  if (name == QLatin1String("grey-inverted")) return tr("Grey, inverted");
  if (name == QLatin1String("lagoon")) return tr("Lagoon");
  if (name == QLatin1String("ember")) return tr("Ember");
  if (name == QLatin1String("dusk")) return tr("Dusk (blue to yellow)");
  return tr("Grey");
}

const ColourMap& ColourMap::sequential(const QString& name) {
  static const std::map<QString, ColourMap> maps = [] {
    std::map<QString, ColourMap> made;
    const auto add = [&](const QString& key, std::vector<QRgb> colours) {
      made.emplace(key, ColourMap(key, std::move(colours)));
    };
    add(QStringLiteral("grey"), greys(false));
    add(QStringLiteral("grey-inverted"), greys(true));
    add(QStringLiteral("lagoon"), follow(lagoonPath));
    add(QStringLiteral("ember"), follow(emberPath));
    add(QStringLiteral("dusk"), blueToYellow());
    return made;
  }();
  const auto found = maps.find(name);
  return found != maps.end() ? found->second : maps.at(QStringLiteral("grey"));
}

const ColourMap& ColourMap::phase() {
  static const ColourMap hues(QStringLiteral("phase"), phaseByHue());
  static const ColourMap readable(QStringLiteral("phase-dusk"), phaseWithoutRedAndGreen());
  return phaseAvoidsRedAndGreen() ? readable : hues;
}

QRgb ColourMap::at(double fraction) const {
  const double last = double(colours_.size()) - 1;
  return colours_[std::size_t(std::lround(std::clamp(fraction, 0.0, 1.0) * last))];
}

QRgb ColourMap::phaseColour(double radians) {
  const double turn = radians / (2 * std::numbers::pi) + 0.5;
  const double inside = turn - std::floor(turn);
  const int entry = int(std::lround(inside * phaseSize)) % phaseSize;
  return phase().entry(entry);
}

QRgb ColourMap::scaled(QRgb colour, int level) {
  const auto part = [level](int v) { return (v * level + 127) / 255; };
  return qRgb(part(qRed(colour)), part(qGreen(colour)), part(qBlue(colour)));
}

QRgb ColourMap::complexColour(double radians, double brightness) {
  return scaled(phaseColour(radians), int(std::lround(std::clamp(brightness, 0.0, 1.0) * 255)));
}

QRgb ColourMap::invalidColour(DisplayMode mode) {
  const bool cyclic = mode == DisplayMode::phase || mode == DisplayMode::complex;
  return cyclic ? qRgb(255, 255, 255) : qRgb(205, 0, 205);
}

QImage ColourMap::legend(DisplayMode mode, const ColourMap& map, const QSize& size) {
  QImage bar(size, QImage::Format_RGB32);
  for (int y = 0; y < size.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(bar.scanLine(y));
    const double up = size.height() > 1 ? 1 - double(y) / (size.height() - 1) : 1;
    for (int x = 0; x < size.width(); ++x) {
      const double right = size.width() > 1 ? double(x) / (size.width() - 1) : 0;
      const double radians = (2 * right - 1) * std::numbers::pi;
      if (mode == DisplayMode::phase)
        line[x] = phaseColour(radians);
      else if (mode == DisplayMode::complex)
        line[x] = complexColour(radians, up);
      else
        line[x] = map.at(right);
    }
  }
  return bar;
}

}  // namespace spokelab
