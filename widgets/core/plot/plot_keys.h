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
// Step of an arrow key: x +1 right, -1 left; y +1 down, -1 up. (0, 0) for other keys.
QPoint arrowOf(PlotKey key);
// True if the key moves the plot's range, not its framed point.
bool movesRange(const QKeyEvent& event);

inline constexpr double keyZoom = 1.25;   // factor of one press
inline constexpr int keyMovePixels = 40;  // of one press

// Call in paintEvent, after the plot.
void paintFocusFrame(QWidget& plot);

// Sets the description that screen readers say, and notifies them of the change.
void tellReaders(QWidget& plot, const QString& description);

}  // namespace spokelab
