#include "widgets/core/wheel_focus.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QPlainTextEdit>
#include <QScrollBar>

namespace spokelab {
namespace {

bool takesWheel(const QObject* object) {
  if (qobject_cast<const QScrollBar*>(object)) return false;
  return qobject_cast<const QComboBox*>(object) || qobject_cast<const QAbstractSpinBox*>(object) ||
         qobject_cast<const QAbstractSlider*>(object);
}

// Tables and editable texts would keep the Tab key; this makes it move the focus.
void letTabGoOn(QObject* object) {
  if (auto* view = qobject_cast<QAbstractItemView*>(object)) view->setTabKeyNavigation(false);
  if (auto* text = qobject_cast<QPlainTextEdit*>(object)) text->setTabChangesFocus(true);
}

class WheelFocus : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish) return false;
    if (event->type() == QEvent::Polish) letTabGoOn(object);
    if (!takesWheel(object)) return false;
    auto* widget = static_cast<QWidget*>(object);
    // Qt gives such a box the focus before it hears of the wheel.
    if (widget->focusPolicy() == Qt::WheelFocus) widget->setFocusPolicy(Qt::StrongFocus);
    if (event->type() == QEvent::Polish || widget->hasFocus()) return false;
    event->ignore();  // Qt then offers it to the parents
    return true;
  }
};

}  // namespace

void useWheelFocus(QApplication& application) {
  application.installEventFilter(new WheelFocus(&application));
}

}  // namespace spokelab
