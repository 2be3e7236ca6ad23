// Colour tables: sequential maps for windowed values, one cyclic map for phase, and hue x
// brightness for complex values. The sequential maps rise linearly in OKLab lightness. The phase
// map is a circle of constant lightness and chroma in OKLCh. For colour-blind people
// (phaseAvoidsRedAndGreen() in screen_theme.h) it is a circle of lightness and of blue against
// yellow. Equal steps of the value look equally large, and phase has no seam at +-pi. Source of
// OKLab: B. Ottosson, "A perceptual color space for image processing", 2020.
#pragma once

#include <vector>

#include <QCoreApplication>
#include <QImage>
#include <QRgb>
#include <QStringList>

#include "widgets/core/display_mode.h"

namespace spokelab {

class ColourMap {
  Q_DECLARE_TR_FUNCTIONS(spokelab::ColourMap)

 public:
  static constexpr int sequentialSize = 256;
  static constexpr int phaseSize = 1024;

  // Keys, stable over sessions: "grey" (the default), "grey-inverted", "lagoon", "ember", "dusk".
  static QStringList sequentialNames();
  static QString title(const QString& name);
  static const ColourMap& sequential(const QString& name);  // an unknown name gives grey
  // -pi ... +pi, cyclic: entry 0 and entry size() are the same colour.
  static const ColourMap& phase();

  const QString& name() const { return name_; }
  int size() const { return int(colours_.size()); }
  const QRgb* data() const { return colours_.data(); }
  QRgb entry(int i) const { return colours_[std::size_t(i)]; }

  // fraction 0 ... 1, clamped.
  QRgb at(double fraction) const;
  // phase in radians, any number of turns.
  static QRgb phaseColour(double radians);
  // hue by phase, brightness 0 ... 1.
  static QRgb complexColour(double radians, double brightness);
  // Shown for NaN and infinity: a colour that the map of that mode does not hold.
  static QRgb invalidColour(DisplayMode mode);
  // A colour of the table, darkened: level 0 is black, 255 the colour itself.
  static QRgb scaled(QRgb colour, int level);

  // The legend of a mode: a bar from the lowest value (left) to the highest, or for `complex` phase
  // to the right and brightness up.
  static QImage legend(DisplayMode mode, const ColourMap& map, const QSize& size);

 private:
  ColourMap(QString name, std::vector<QRgb> colours) : name_(std::move(name)), colours_(std::move(colours)) {}

  QString name_;
  std::vector<QRgb> colours_;
};

}  // namespace spokelab
