// Colours of the charts: the screen's theme on the screen, light colours on paper.
#pragma once

#include <QColor>

class QCPAxis;
class QCPColorGradient;
class QCustomPlot;

namespace spokelab {

struct ChartTheme {
  QColor background, foreground, muted, grid;
  QColor interpolation, fft, rest, setUp;    // one for each stage of a transform
  QColor limit, chosen, selected, unusable;  // marks
  bool dark = true;

  static ChartTheme onScreen();  // of screenTheme()
  static ChartTheme onPaper();

  // The text colour, near white or near black, that is readable on `ground`.
  static QColor textOn(const QColor& ground);
  // Colour of line `index` (from 0) of `count` in a family, by rising α or W.
  QColor ofFamily(int index, int count) const;
  // Colour of the marks of a path: 0 is gridding, 1 and up are the other paths.
  QColor ofPath(int index) const;
  // Colour of a run; it differs from the colours of the runs before and after it.
  QColor ofRun(int number) const;

 private:
  static ChartTheme highContrast();
};

void applyTheme(QCustomPlot& plot, const ChartTheme& theme);
void applyTheme(QCPAxis& axis, const ChartTheme& theme);

// The gradient of mapColours().
QCPColorGradient mapGradient(const ChartTheme& theme);

}  // namespace spokelab
