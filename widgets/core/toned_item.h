// A cell of a table whose text has a meaning's colour. It asks for the colour while it is painted,
// so that an open dialog follows the screen's theme.
#pragma once

#include <QTableWidgetItem>

#include "widgets/core/chart_theme.h"

namespace spokelab {

enum class Tone { plain, muted, good, bad };

class TonedItem : public QTableWidgetItem {
 public:
  TonedItem(const QString& text, Tone tone) : QTableWidgetItem(text), tone_(tone) { setToolTip(text); }

  QTableWidgetItem* clone() const override { return new TonedItem(*this); }

  QVariant data(int role) const override {
    if (role != Qt::ForegroundRole || tone_ == Tone::plain) return QTableWidgetItem::data(role);
    const ChartTheme theme = ChartTheme::onScreen();
    if (tone_ == Tone::muted) return QBrush(theme.muted);
    return QBrush(tone_ == Tone::good ? theme.chosen : theme.limit);
  }

 private:
  Tone tone_;
};

}  // namespace spokelab
