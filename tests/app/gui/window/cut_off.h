// Finds contents that a user would see cut off: words without room, parts outside their place.
#pragma once

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QToolButton>

#include "widgets/core/elided_label.h"

namespace spokelab {

namespace cut {

inline QString nameOf(const QWidget& widget, const QString& what) {
  QString name = widget.objectName();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
    name += QLatin1Char(' ') + button->text();
  if (const auto* label = qobject_cast<const QLabel*>(&widget))
    name += QLatin1Char(' ') + label->text().left(40);
  const QWidget* parent = widget.parentWidget();
  return QStringLiteral("%1 %2 in %3 (%4 × %5): %6")
      .arg(QString::fromLatin1(widget.metaObject()->className()), name,
           parent ? parent->objectName() : QString())
      .arg(widget.width())
      .arg(widget.height())
      .arg(what);
}

inline bool showsWords(const QAbstractButton& button) {
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  return !button.text().isEmpty() && !(tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly);
}

inline bool lacksRoom(const QWidget& widget) {
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
    return showsWords(*button) && button->width() < button->sizeHint().width();
  const auto* label = qobject_cast<const QLabel*>(&widget);
  if (!label || label->text().isEmpty() || dynamic_cast<const ElidedLabel*>(label)) return false;
  if (label->wordWrap()) return label->height() < label->heightForWidth(label->width());
  return label->width() < label->sizeHint().width();
}

// Below it the parts of what scrolls may lie outside.
inline bool isViewport(const QWidget& widget) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
  return area && area->viewport() == &widget;
}

inline bool liesOutside(const QWidget& widget, const QWidget& root) {
  for (const QWidget* place = widget.parentWidget(); place; place = place->parentWidget()) {
    if (isViewport(*place)) return false;
    if (!place->rect().contains(QRect(widget.mapTo(place, QPoint()), widget.size()))) return true;
    if (place == &root) return false;
  }
  return false;
}

inline bool isControl(const QWidget& widget) {
  return qobject_cast<const QAbstractButton*>(&widget) || qobject_cast<const QComboBox*>(&widget) ||
         qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QSlider*>(&widget) ||
         qobject_cast<const QLabel*>(&widget);
}

}  // namespace cut

// Sentences, one for each part of `root` that can be seen.
inline QStringList cutOff(const QWidget& root) {
  QStringList found;
  for (const QWidget* widget : root.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != root.window() || !cut::isControl(*widget)) continue;
    if (widget->size().isEmpty() || widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
    if (cut::lacksRoom(*widget))
      found << cut::nameOf(*widget, QStringLiteral("its words need %1 × %2")
                                        .arg(widget->sizeHint().width())
                                        .arg(widget->sizeHint().height()));
    if (cut::liesOutside(*widget, root)) found << cut::nameOf(*widget, QStringLiteral("lies outside"));
  }
  return found;
}

}  // namespace spokelab
