#include "widgets/profile/charts/chart_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/time_chart.h"

namespace spokelab {
namespace {

constexpr int repaintIntervalMs = 100;
constexpr int headerMargin = 8, minRunLetters = 8;

QComboBox* makeSwitch(const QStringList& names, const QString& help) {
  auto* box = new QComboBox;
  box->addItems(names);
  box->setToolTip(help);
  box->setProperty("flat", true);
  return box;
}

}  // namespace

ChartPanel::ChartPanel(QWidget* parent) : QWidget(parent) {
  time_ = new TimeChart;
  error_ = new ErrorChart;
  map_ = new PlanMap;
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);

  runs_ = makeSwitch({}, tr("What was timed for this scan"));
  runs_->setObjectName(QStringLiteral("chartRuns"));
  runs_->setAccessibleName(tr("Run"));
  runs_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  runs_->setMinimumContentsLength(minRunLetters);
  runs_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  addPane(splitter, time_, ChartKind::time)->insertWidget(1, runs_);
  connect(runs_, &QComboBox::activated, this, [this](int index) {
    const int number = runs_->itemData(index).toInt();
    if (number == 0)
      Q_EMIT clearRequested();
    else
      Q_EMIT runChosen(number);
  });
  setRuns({}, 0);
  auto* along =
      makeSwitch({tr("automatic"), tr("over α"), tr("over W")}, tr("The horizontal axis of this chart"));
  addPane(splitter, error_, ChartKind::error)->insertWidget(2, along);
  connect(along, &QComboBox::currentIndexChanged, this, [this](int index) {
    error_->setAlong(index == 0   ? std::nullopt
                     : index == 1 ? std::optional(Along::alpha)
                                  : std::optional(Along::width));
  });
  auto* quantity =
      makeSwitch({tr("time"), tr("error"), tr("memory"), tr("Pareto front")}, tr("What the colours show"));
  addPane(splitter, map_, ChartKind::map)->insertWidget(2, quantity);
  connect(quantity, &QComboBox::currentIndexChanged, this,
          [this](int index) { map_->setQuantity(PlanQuantity(index)); });
  for (Chart* chart : {static_cast<Chart*>(time_), static_cast<Chart*>(error_), static_cast<Chart*>(map_)}) {
    connect(chart, &Chart::candidateSelected, this, &ChartPanel::candidateSelected);
  }
  timer_.setSingleShot(true);
  timer_.setInterval(repaintIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &ChartPanel::refresh);
}

QHBoxLayout* ChartPanel::addPane(QSplitter* splitter, QWidget* chart, ChartKind kind) {
  auto* pane = new QWidget;
  auto* title = new QLabel(chartTitle(kind));
  title->setProperty("role", "chart-title");
  auto* save = new QToolButton;
  save->setText(tr("Save"));
  save->setToolTip(tr("Save this chart as a picture"));
  save->setPopupMode(QToolButton::InstantPopup);
  save->setAutoRaise(true);
  auto* menu = new QMenu(save);
  for (ChartFormat format : {ChartFormat::svg, ChartFormat::pdf, ChartFormat::png}) {
    menu->addAction(chartSuffix(format).toUpper(), this,
                    [this, kind, format] { Q_EMIT exportRequested(kind, format); });
  }
  save->setMenu(menu);
  auto* header = new QHBoxLayout;
  header->setContentsMargins(headerMargin, 2, 2, 0);
  header->addWidget(title);
  header->addStretch(1);
  header->addWidget(save);
  auto* layout = new QVBoxLayout(pane);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(header);
  layout->addWidget(chart, 1);
  splitter->addWidget(pane);
  splitter->setStretchFactor(splitter->count() - 1, 1);
  return header;
}

void ChartPanel::setRuns(const std::vector<Run>& runs, int shown) {
  runs_->clear();
  for (const Run& run : runs) runs_->addItem(run.title, run.number);
  if (shown != 0) runs_->addItem(tr("Clear the charts"), 0);
  runs_->setCurrentIndex(shown != 0 ? runs_->findData(shown) : -1);
  runs_->setVisible(!runs.empty());
}

void ChartPanel::clear(double accuracy) {
  ++generation_;
  data_ = {};
  data_.accuracy = accuracy;
  schedule();
}

void ChartPanel::addCandidates(const std::vector<Candidate>& candidates) {
  ++generation_;
  data_.candidates.insert(data_.candidates.end(), candidates.begin(), candidates.end());
  schedule();
}

void ChartPanel::setWorkload(const Workload& workload) {
  data_.workload = workload;
  schedule();
}

void ChartPanel::setResult(const TuneResult& result) {
  ++generation_;
  data_.candidates = result.candidates;
  data_.best = result.best;
  data_.reason = QString::fromStdString(result.reason);
  data_.workload = result.workload;
  data_.selected = -1;
  schedule();
}

void ChartPanel::setSelected(int index) {
  data_.selected = index;
  schedule();
}

void ChartPanel::schedule() {
  if (!timer_.isActive()) timer_.start();
}

void ChartPanel::refresh() {
  ++repaints_;
  time_->setData(data_);
  error_->setData(data_);
  map_->setData(data_);
  Q_EMIT refreshed(data_);
}

}  // namespace spokelab
