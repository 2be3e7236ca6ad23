#include "widgets/core/drag/drag_grip.h"

#include <QApplication>
#include <QLayout>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace spokelab {
namespace {

constexpr int dotColumns = 2, dotRows = 3, dotPixels = 2, dotStep = 4, besideDots = 5;

}  // namespace

DragGrip::DragGrip(const QString& name, const QString& help, std::function<DragContent()> content,
                   QWidget* parent)
    : QToolButton(parent), content_(std::move(content)) {
  setObjectName(name);
  setToolTip(help);
  setAccessibleName(help);
  setAutoRaise(true);
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::OpenHandCursor);
}

QSize DragGrip::sizeHint() const {
  const int dots = (dotColumns - 1) * dotStep + dotPixels;
  return {dots + 2 * besideDots, fontMetrics().height() + besideDots};
}

void DragGrip::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->pos();
  QToolButton::mousePressEvent(event);
}

void DragGrip::mouseMoveEvent(QMouseEvent* event) {
  const bool far = (event->pos() - pressed_).manhattanLength() >= QApplication::startDragDistance();
  if (!isDown() || !far) return QToolButton::mouseMoveEvent(event);
  setDown(false);  // the drag takes the release
  Q_EMIT dragged();
}

void DragGrip::paintEvent(QPaintEvent* event) {
  QToolButton::paintEvent(event);
  QPainter painter(this);
  painter.setPen(Qt::NoPen);
  painter.setBrush(
      palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::ButtonText));
  const int wide = (dotColumns - 1) * dotStep + dotPixels, high = (dotRows - 1) * dotStep + dotPixels;
  const QPoint corner((width() - wide) / 2, (height() - high) / 2);
  for (int row = 0; row < dotRows; ++row)
    for (int column = 0; column < dotColumns; ++column)
      painter.drawRect(QRect(corner + QPoint(column, row) * dotStep, QSize(dotPixels, dotPixels)));
}

QPixmap pictureBelow(const QWidget& bar) {
  QWidget* dockContent = bar.parentWidget();
  if (!dockContent) return {};
  if (QLayout* rows = dockContent->layout()) rows->activate();  // brings the bar to its height
  const int top = bar.geometry().bottom() + 1;
  int bottom = dockContent->height();
  for (const QWidget* part : dockContent->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
    if (part->isVisible() && part->property(notInPictures).toBool()) bottom = std::min(bottom, part->y());
  return dockContent->grab(QRect(0, top, dockContent->width(), bottom - top));
}

}  // namespace spokelab
