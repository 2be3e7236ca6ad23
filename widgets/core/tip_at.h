// The tool tip of the part under the pointer, in a view that paints its parts itself.
#pragma once

#include <QHelpEvent>
#include <QToolTip>

namespace spokelab {

// Call it first in QWidget::event(). tipAt(pixel) returns the text for this pixel; empty hides the
// tip. Returns false where the event is not about a tool tip: handle it as usual then.
template <class TipAt>
bool showTipAt(QWidget& view, const QEvent& event, TipAt tipAt) {
  if (event.type() != QEvent::ToolTip) return false;
  const auto& help = static_cast<const QHelpEvent&>(event);
  const QString text = tipAt(help.pos());
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help.globalPos(), text, &view);
  return true;
}

}  // namespace spokelab
