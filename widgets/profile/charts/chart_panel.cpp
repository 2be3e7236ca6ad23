#include "widgets/profile/charts/chart_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"
#include "widgets/profile/runs/run_list.h"

namespace spokelab {
namespace {

constexpr int repaintIntervalMs = 100;
constexpr int headerMargin = 8;

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
  scatter_ = new ScatterChart;
  map_ = new PlanMap;
  auto* splitter = new QSplitter(Qt::Horizontal);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);

  runs_ = new RunList;
  runs_->hide();  // until there is one
  splitter->addWidget(runs_);
  splitter->setCollapsible(0, true);
  addPane(splitter, time_, ChartKind::time);
  auto* along =
      makeSwitch({tr("automatic"), tr("over α"), tr("over W")}, tr("The horizontal axis of this chart"));
  addPane(splitter, error_, ChartKind::error)->insertWidget(2, along);
  connect(along, &QComboBox::currentIndexChanged, this, [this](int index) {
    error_->setAlong(index == 0   ? std::nullopt
                     : index == 1 ? std::optional(Along::alpha)
                                  : std::optional(Along::width));
  });
  addPane(splitter, scatter_, ChartKind::scatter);
  auto* quantity =
      makeSwitch({tr("time"), tr("error"), tr("memory"), tr("Pareto front")}, tr("What the colours show"));
  addPane(splitter, map_, ChartKind::map)->insertWidget(2, quantity);
  connect(quantity, &QComboBox::currentIndexChanged, this,
          [this](int index) { map_->setQuantity(PlanQuantity(index)); });
  for (Chart* chart : charts()) {
    connect(chart, &Chart::candidateSelected, this, &ChartPanel::candidateSelected);
    connect(chart, &Chart::pointed, this, &ChartPanel::setPointed);
    connect(chart, &Chart::pointed, this, &ChartPanel::pointed);
  }
  timer_.setSingleShot(true);
  timer_.setInterval(repaintIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &ChartPanel::refresh);
}

QHBoxLayout* ChartPanel::addPane(QSplitter* splitter, QWidget* chart, ChartKind kind) {
  auto* pane = new QWidget;
  auto* title = new QLabel(chartTitle(kind));
  title->setProperty("role", "chart-title");
  title->setMinimumWidth(1);  // four charts fit a small screen
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

void ChartPanel::setTraces(std::vector<std::shared_ptr<const RunTrace>> traces) {
  data_.traces = std::move(traces);
  schedule();
}

void ChartPanel::clear(double accuracy) {
  ++generation_;
  ProfileData empty;
  empty.accuracy = accuracy;
  empty.traces = std::move(data_.traces);
  data_ = std::move(empty);
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

std::array<Chart*, chartKinds.size()> ChartPanel::charts() const {
  return {time_, error_, scatter_, map_};
}

void ChartPanel::setPointed(int candidate) {
  for (Chart* chart : charts()) chart->setPointed(candidate);
}

void ChartPanel::schedule() {
  if (!timer_.isActive()) timer_.start();
}

void ChartPanel::refresh() {
  ++repaints_;
  for (Chart* chart : charts()) chart->setData(data_);
  Q_EMIT refreshed(data_);
}

}  // namespace spokelab
