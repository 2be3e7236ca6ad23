#include "widgets/core/plot/axis_titles.h"

#include <qcustomplot.h>

#include <array>

namespace spokelab {

AxisTitles::AxisTitles(QCustomPlot* plot) : QObject(plot), plot_(plot) {
  // After the layout the lengths of the axes are known, and every line of text has the same height.
  connect(plot, &QCustomPlot::afterLayout, this, &AxisTitles::fit);
}

void AxisTitles::take() {
  for (const QCPAxis* axis : {plot_->xAxis, plot_->yAxis})
    if (Title& title = titles_[axis]; axis->label() != title.shown)  // else nobody has set it since
      title = {axis->label(), axis->label()};
}

QString AxisTitles::whole(const QCPAxis* axis) const {
  const auto title = titles_.find(axis);
  const bool isShown = title != titles_.end() && title->second.shown == axis->label();
  return isShown ? title->second.whole : axis->label();
}

void AxisTitles::fit() {
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
    const QString title = whole(axis);
    if (title.isEmpty()) continue;
    const QRect area = axis->axisRect()->rect();
    const int room = axis->orientation() == Qt::Horizontal ? area.width() : area.height();
    const QString text = QFontMetrics(axis->labelFont()).elidedText(title, Qt::ElideRight, room);
    titles_[axis].shown = text;
    if (text != axis->label()) axis->setLabel(text);
  }
}

QString AxisTitles::elidedAt(const QPoint& position) const {
  const QRect area = plot_->axisRect()->rect();
  const QCPAxis* axis = nullptr;
  if (position.y() > area.bottom() && position.x() >= area.left()) axis = plot_->xAxis;
  if (position.x() < area.left() && position.y() <= area.bottom()) axis = plot_->yAxis;
  if (!axis || axis->label() == whole(axis)) return {};
  return whole(axis);
}

}  // namespace spokelab
