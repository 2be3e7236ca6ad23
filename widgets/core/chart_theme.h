// Colours of the charts: dark beside images, light on paper.
#pragma once

#include <QColor>

class QCPAxis;
class QCPColorGradient;
class QCustomPlot;

namespace spokelab {

struct ChartTheme {
  QColor background, foreground, muted, grid;
  QColor interpolation, fft, rest, setUp;    // stages, and what comes before them
  QColor limit, chosen, selected, unusable;  // marks
  bool dark = true;

  static ChartTheme onScreen();
  static ChartTheme onPaper();

  // Colour of line `index` of `count` in a family (small to large α or W).
  QColor ofFamily(int index, int count) const;
  // Colour of the marks of a path: 0 the grid's, then the others.
  QColor ofPath(int index) const;
  // Colour of a run, apart from those of the runs before and after it.
  QColor ofRun(int number) const;
};

void applyTheme(QCustomPlot& plot, const ChartTheme& theme);
void applyTheme(QCPAxis& axis, const ChartTheme& theme);

// Perceptually even, readable without colour vision: dark blue to yellow.
QCPColorGradient mapGradient(const ChartTheme& theme);

}  // namespace spokelab
