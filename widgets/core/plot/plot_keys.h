// The keys of all plots and views, the frame of the focused view, and the text for screen readers.
//   arrows, Page Up and Down   from point to point     Home     the chosen point
//   Enter, Space               picks                   Ctrl+C   copies the drawn numbers
//   + -   zoom                 0   shows all           Shift, arrows   move
#pragma once

#include <QPoint>

class QKeyEvent;
class QString;
class QWidget;

namespace spokelab {

enum class PlotKey {
  none,
  left,
  right,
  up,
  down,
  previous,
  next,
  home,
  pick,
  zoomIn,
  zoomOut,
  showAll,
  copy
};

PlotKey plotKeyOf(const QKeyEvent& event);
// One step to the right or down (negative: left, up) of an arrow; null of the other keys.
QPoint arrowOf(PlotKey key);
// True if the key moves the plot's range, not its framed point.
bool movesRange(const QKeyEvent& event);

inline constexpr double keyZoom = 1.25;   // of a key
inline constexpr int keyMovePixels = 40;  // pixels of a key

// Call in paintEvent, after the plot.
void paintFocusFrame(QWidget& plot);

// The plot's accessible description, news of it included.
void tellReaders(QWidget& plot, const QString& description);

}  // namespace spokelab
