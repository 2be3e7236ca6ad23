#include "widgets/profile/timeline/timeline_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

#include "widgets/core/number_text.h"
#include "widgets/core/screen_theme.h"
#include "widgets/profile/timeline/timeline_chart.h"
#include "widgets/profile/timeline/trace_chart.h"

namespace spokelab {
namespace {

constexpr int headerMargin = 8;
enum Part { wholeJob, spreading };

QString patch(const QColor& colour, const QString& text) {
  return QStringLiteral("<span style='color:%1'>■</span> %2").arg(colour.name(), text);
}

QString legendOf(Part part) {
  const ChartTheme theme = ChartTheme::onScreen();
  const QString between = QStringLiteral("&nbsp;&nbsp;");
  if (part == wholeJob)
    return QStringList{patch(theme.setUp, TimelineView::tr("job")),
                       patch(theme.interpolation, TimelineView::tr("interpolation")),
                       patch(theme.fft, QStringLiteral("FFT")), patch(theme.rest, TimelineView::tr("rest")),
                       patch(theme.limit, TimelineView::tr("transfer"))}
        .join(between);
  const auto of = [&](WorkKind kind, const QString& text) {
    return patch(TimelineChart::colourOf(kind, theme), text);
  };
  return QStringList{of(WorkKind::spread, TimelineView::tr("into the grid")),
                     of(WorkKind::spreadIntoCopy, TimelineView::tr("into a private copy")),
                     of(WorkKind::reduction, TimelineView::tr("copies added"))}
      .join(between);
}

}  // namespace

TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent),
      shown_(new QComboBox),
      record_(new QPushButton(tr("Record"))),
      export_(new QPushButton(tr("Export…"))),
      summary_(new QLabel),
      legend_(new QLabel),
      job_(new TraceChart),
      chart_(new TimelineChart),
      charts_(new QStackedWidget) {
  shown_->setObjectName(QStringLiteral("timelineShown"));
  shown_->setAccessibleName(tr("Time line"));
  shown_->addItems({tr("whole job"), tr("spreading")});
  record_->setToolTip(tr(
      "Spread once with the plan for the parameters, and show which thread worked on which partition when"));
  export_->setToolTip(
      tr("Write when which part of the last reconstruction ran, for Perfetto or chrome://tracing"));
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setMinimumWidth(1);  // a long sentence must not widen the dock
  charts_->addWidget(job_);
  charts_->addWidget(chart_);
  auto* header = new QHBoxLayout;
  header->setContentsMargins(headerMargin, 2, headerMargin, 2);
  header->setSpacing(headerMargin);
  header->addWidget(shown_);
  header->addWidget(record_);
  header->addWidget(export_);
  header->addWidget(summary_, 1);
  header->addWidget(legend_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(header);
  layout->addWidget(charts_, 1);
  connect(shown_, &QComboBox::currentIndexChanged, this, &TimelineView::showPart);
  connect(record_, &QPushButton::clicked, this, &TimelineView::recordRequested);
  connect(export_, &QPushButton::clicked, this, &TimelineView::exportRequested);
  followScreenTheme(this, [this] { showPart(); });
  showPart();
}

void TimelineView::showPart() {
  const Part part = Part(shown_->currentIndex());
  charts_->setCurrentIndex(part);
  record_->setVisible(part == spreading);
  export_->setVisible(part == wholeJob);
  export_->setEnabled(job_->trace() != nullptr);
  legend_->setText(legendOf(part));
  QString text, tip;
  if (const auto& trace = job_->trace(); part == wholeJob && trace) {
    text = tr("%1: %2").arg(jobTitle_, secondsLabel(trace->end - trace->begin));
    if (trace->dropped > 0) text += tr(", %1 pieces of work left out").arg(trace->dropped);
  } else if (const auto& timeline = chart_->timeline(); part == spreading && timeline) {
    text = QString::fromStdString(timelineText(*timeline));
    tip = QString::fromStdString(timeline->plan);
  }
  summary_->setText(text);
  summary_->setToolTip(tip.isEmpty() ? text : tip);
}

void TimelineView::setTrace(const QString& title, std::shared_ptr<const Trace> trace) {
  jobTitle_ = title;
  job_->setTrace(std::move(trace));
  showPart();
}

void TimelineView::setTimeline(std::shared_ptr<const Timeline> timeline) {
  if (timeline) shown_->setCurrentIndex(spreading);
  chart_->setTimeline(std::move(timeline));
  showPart();
}

void TimelineView::setBusy(bool busy) {
  record_->setEnabled(!busy);
  record_->setText(busy ? tr("Recording…") : tr("Record"));
}

QString TimelineView::summary() const {
  return summary_->text();
}

}  // namespace spokelab
