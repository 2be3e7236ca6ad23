#include "app/gui/window/restyle.h"

#include <QApplication>
#include <QDialog>
#include <QStyle>

#include <utility>

namespace spokelab {
namespace {

constexpr int stepMs = 12;  // of an event

// Qt restyles what has this attribute, and sets it once, when a widget is first shown.
constexpr Qt::WidgetAttribute styled = Qt::WA_WState_Polished;
constexpr const char* waits = "spokelabUnstyled";

void unstyle(QWidget& widget) {
  if (widget.testAttribute(styled)) widget.setProperty(waits, true);
  widget.style()->unpolish(&widget);
  widget.setAttribute(styled, false);
}

void style(QWidget& widget) {
  if (!widget.property(waits).isValid()) return;  // it will be when it is first shown
  widget.setProperty(waits, QVariant());
  widget.style()->polish(&widget);
  widget.setAttribute(styled);
  QEvent changed(QEvent::StyleChange);
  QCoreApplication::sendEvent(&widget, &changed);
  widget.update();
}

}  // namespace

HeldDialogs::HeldDialogs() {
  for (QWidget* window : QApplication::topLevelWidgets()) {
    QLayout* layout = window->layout();
    if (!qobject_cast<QDialog*>(window) || !window->isVisible() || !layout) continue;
    layout->setEnabled(false);
    layouts_.emplace_back(layout);
  }
}

HeldDialogs::~HeldDialogs() {
  for (const auto& layout : layouts_) {
    if (!layout) continue;
    layout->setEnabled(true);
    layout->invalidate();
    if (layout->parentWidget()->isVisible()) layout->activate();
  }
}

Restyle::Restyle(QApplication& application, std::vector<Change> changes, Change ended)
    : QObject(&application), changes_(std::move(changes)), ended_(std::move(ended)) {
  for (QWidget* window : QApplication::topLevelWidgets()) {
    if (window->updatesEnabled()) {
      window->setUpdatesEnabled(false);
      frozen_.emplace_back(window);
    }
    // Parents before their children, who inherit fonts.
    const std::size_t first = widgets_.size();
    widgets_.emplace_back(window);
    for (std::size_t i = first; i < widgets_.size(); ++i)
      for (QWidget* child : widgets_[i]->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (!child->isWindow()) widgets_.emplace_back(child);
  }
  connect(&timer_, &QTimer::timeout, this, &Restyle::step);
  timer_.start(0);
}

Restyle::~Restyle() {
  for (const auto& window : frozen_)
    if (window) window->setUpdatesEnabled(true);
}

bool Restyle::visit(void (*act)(QWidget&)) {
  QElapsedTimer clock;
  for (clock.start(); at_ < widgets_.size() && clock.elapsed() < stepMs; ++at_)
    if (widgets_[at_]) act(*widgets_[at_]);
  if (at_ < widgets_.size()) return true;
  at_ = 0;
  return false;
}

// A changed style makes widgets measure themselves: those to be styled are told then.
bool Restyle::eventFilter(QObject* object, QEvent* event) {
  return event->type() == QEvent::StyleChange && object->isWidgetType() && object->property(waits).isValid();
}

void Restyle::step() {
  if (!unstyled_) {
    unstyled_ = !visit(&unstyle);
  } else if (change_ < changes_.size()) {
    qApp->installEventFilter(this);
    changes_[change_++]();
    qApp->removeEventFilter(this);
  } else if (!visit(&style)) {
    timer_.stop();
    ended_();
    deleteLater();
  }
}

}  // namespace spokelab
