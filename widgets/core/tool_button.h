// A flat button of the image views' bars. `help` is its tool tip and its accessible name.
#pragma once

#include <QToolButton>

namespace spokelab {

inline QToolButton* makeToolButton(const QString& name, const QString& text, const QString& help,
                                   bool checkable) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  button->setCheckable(checkable);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace spokelab
