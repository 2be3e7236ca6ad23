#include "widgets/core/plot/plot_keys.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QWidget>

namespace spokelab {

PlotKey plotKeyOf(const QKeyEvent& event) {
  if (event.matches(QKeySequence::Copy)) return PlotKey::copy;
  switch (event.key()) {
    case Qt::Key_Left:
      return PlotKey::left;
    case Qt::Key_Right:
      return PlotKey::right;
    case Qt::Key_Up:
      return PlotKey::up;
    case Qt::Key_Down:
      return PlotKey::down;
    case Qt::Key_PageUp:
      return PlotKey::previous;
    case Qt::Key_PageDown:
      return PlotKey::next;
    case Qt::Key_Home:
      return PlotKey::home;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return PlotKey::zoomIn;
    case Qt::Key_Minus:
      return PlotKey::zoomOut;
    case Qt::Key_0:
      return PlotKey::showAll;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return PlotKey::pick;
    default:
      return PlotKey::none;
  }
}

QPoint arrowOf(PlotKey key) {
  switch (key) {
    case PlotKey::left:
      return {-1, 0};
    case PlotKey::right:
      return {1, 0};
    case PlotKey::up:
      return {0, -1};
    case PlotKey::down:
      return {0, 1};
    default:
      return {};
  }
}

bool movesRange(const QKeyEvent& event) {
  return event.modifiers().testFlag(Qt::ShiftModifier);
}

void paintFocusFrame(QWidget& plot) {
  if (!plot.hasFocus()) return;
  constexpr int framePixels = 2;
  QPainter painter(&plot);
  painter.setPen(QPen(plot.palette().color(QPalette::Highlight), framePixels));
  painter.drawRect(plot.rect().adjusted(1, 1, -1, -1));
}

void tellReaders(QWidget& plot, const QString& description) {
  plot.setAccessibleDescription(description);
  QAccessibleEvent told(&plot, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&told);
}

}  // namespace spokelab
