#include "widgets/profile/timeline_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/core/screen_theme.h"
#include "widgets/profile/charts/timeline_chart.h"

namespace spokelab {
namespace {

constexpr int headerMargin = 8;

QString patch(WorkKind kind, const QString& text) {
  return QStringLiteral("<span style='color:%1'>■</span> %2")
      .arg(TimelineChart::colourOf(kind, ChartTheme::onScreen()).name(), text);
}

}  // namespace

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent),
      record_(new QPushButton(tr("Record"))),
      summary_(new QLabel),
      chart_(new TimelineChart) {
  record_->setToolTip(tr(
      "Spread once with the plan for the parameters, and show which thread worked on which partition when"));
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setMinimumWidth(1);  // a long sentence must not widen the dock
  auto* legend = new QLabel;
  const auto fillLegend = [legend] {
    legend->setText(patch(WorkKind::spread, tr("into the grid")) + QStringLiteral("&nbsp;&nbsp;") +
                    patch(WorkKind::spreadIntoCopy, tr("into a private copy")) +
                    QStringLiteral("&nbsp;&nbsp;") + patch(WorkKind::reduction, tr("copies added")));
  };
  fillLegend();
  followScreenTheme(legend, fillLegend);
  auto* header = new QHBoxLayout;
  header->setContentsMargins(headerMargin, 2, headerMargin, 2);
  header->setSpacing(headerMargin);
  header->addWidget(record_);
  header->addWidget(summary_, 1);
  header->addWidget(legend);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(header);
  layout->addWidget(chart_, 1);
  connect(record_, &QPushButton::clicked, this, &TimelineView::recordRequested);
}

void TimelineView::setTimeline(std::shared_ptr<const Timeline> timeline) {
  summary_->setText(timeline ? QString::fromStdString(timelineText(*timeline)) : QString());
  summary_->setToolTip(timeline ? QString::fromStdString(timeline->plan) : QString());
  chart_->setTimeline(std::move(timeline));
}

void TimelineView::setBusy(bool busy) {
  record_->setEnabled(!busy);
  record_->setText(busy ? tr("Recording…") : tr("Record"));
}

QString TimelineView::summary() const {
  return summary_->text();
}

}  // namespace spokelab
