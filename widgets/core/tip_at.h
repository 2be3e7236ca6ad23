// The tool tip of the part under the pointer, in a view that paints its parts itself.
#pragma once

#include <QHelpEvent>
#include <QToolTip>

namespace spokelab {

// tipAt(place): the text there, or empty. False: the event asks for no tip.
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
