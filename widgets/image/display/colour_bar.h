// The legend beside the image views: what colours mean, with numbers and unit. Phase shows -pi ...
// pi; complex shows hue (phase) and brightness (magnitude).
#pragma once

#include <QWidget>

#include "widgets/core/display_mode.h"

namespace spokelab {

class ColourBar : public QWidget {
  Q_OBJECT

 public:
  explicit ColourBar(QWidget* parent = nullptr);

  void setMode(DisplayMode mode);
  void setWindow(const DisplayWindow& window);
  void setColourMap(const QString& name);
  // Replaces the mode's name in the title, as in "Difference, magnitude"; empty: the mode's name.
  void setQuantity(const QString& quantity);
  // Unit of magnitude, real and imaginary part; "a.u." unless set.
  void setUnit(const QString& unit);

  QString title() const;     // "Magnitude (a.u.)"
  QString lowText() const;   // "0"
  QString highText() const;  // "1.2e-3"

  QSize sizeHint() const override { return {360, 34}; }
  QSize minimumSizeHint() const override { return {150, 34}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString name() const;  // name of the shown quantity, without unit
  void refresh();

  DisplayMode mode_ = DisplayMode::magnitude;
  DisplayWindow window_;
  QString map_, quantity_, unit_;
};

}  // namespace spokelab
