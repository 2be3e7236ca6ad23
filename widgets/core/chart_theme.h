// Colours of the charts: those of the screen's theme, and light on paper.
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

  static ChartTheme onScreen();  // of screenTheme()
  static ChartTheme onPaper();

  // Readable on `ground`, which is one of these colours: dark or light.
  static QColor textOn(const QColor& ground);
  // Colour of line `index` of `count` in a family (small to large α or W).
  QColor ofFamily(int index, int count) const;
  // Colour of the marks of a path: 0 the grid's, then the others.
  QColor ofPath(int index) const;
  // Colour of a run, apart from those of the runs before and after it.
  QColor ofRun(int number) const;

 private:
  static ChartTheme highContrast();
};

void applyTheme(QCustomPlot& plot, const ChartTheme& theme);
void applyTheme(QCPAxis& axis, const ChartTheme& theme);

// Of mapColours().
QCPColorGradient mapGradient(const ChartTheme& theme);

}  // namespace spokelab
