#include "widgets/image/readout_label.h"

namespace spokelab {

ReadoutLabel::ReadoutLabel(QWidget* parent) : QLabel(parent) {
  setObjectName(QStringLiteral("imageReadout"));
  setAccessibleName(tr("Value under the cursor"));
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ReadoutLabel::setReadout(const QString& text) {
  readout_ = text;
  fit();
}

void ReadoutLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  fit();
}

void ReadoutLabel::fit() {
  const QStringList parts = readout_.split(QStringLiteral("    "), Qt::SkipEmptyParts);
  const QString close = readout_.simplified();
  const QString brief =
      parts.isEmpty() ? QString() : (parts.front() + QLatin1Char(' ') + parts.back()).simplified();
  QString text = readout_;
  for (const QString& shorter : {close, brief})
    if (fontMetrics().horizontalAdvance(text) > width()) text = shorter;
  setText(fontMetrics().elidedText(text, Qt::ElideRight, width()));
  setToolTip(text == readout_ ? QString() : readout_);
}

}  // namespace spokelab
