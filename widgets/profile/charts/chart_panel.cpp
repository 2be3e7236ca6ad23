#include "widgets/profile/charts/chart_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "engine/nufft/tune/repeats.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/core/elided_label.h"
#include "widgets/profile/charts/error_chart.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/charts/scatter_chart.h"
#include "widgets/profile/charts/time_chart.h"
#include "widgets/profile/plan_strip.h"
#include "widgets/profile/runs/run_list.h"

namespace spokelab {
namespace {

constexpr int repaintIntervalMs = 100;
constexpr int headerMargin = 8;
constexpr int minAbreast = 1060;                  // pixels of a panel with room for three charts
constexpr int listWidth = 240, chartWidth = 360;  // at first; the charts take what there is

// True if both lists have the same plans in the same places, timed again or not.
bool samePlans(const std::vector<Candidate>& before, const std::vector<Candidate>& now) {
  return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                    [](const Candidate& a, const Candidate& b) {
                      return a.backend == b.backend && a.path == b.path && a.options == b.options;
                    });
}

QComboBox* makeSwitch(const QStringList& names, const QString& help) {
  auto* box = new QComboBox;
  box->addItems(names);
  box->setAccessibleName(help);
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
  layout->setSpacing(0);
  tabs_ = new QTabBar(this);
  tabs_->setExpanding(false);
  tabs_->setObjectName(QStringLiteral("chartTabs"));
  tabs_->setAccessibleName(tr("Chart"));
  tabs_->setDrawBase(false);
  tabs_->hide();
  layout->addWidget(splitter, 1);
  strip_ = new PlanStrip;
  layout->addWidget(strip_);
  connect(strip_, &PlanStrip::reconstructRequested, this, [this] { Q_EMIT candidateChosen(data_.selected); });

  runs_ = new RunList;
  runs_->hide();  // until there is one
  splitter->addWidget(runs_);
  splitter->setCollapsible(0, true);
  auto* scale =
      makeSwitch({tr("time"), tr("logarithmic"), tr("share (%)"), tr("points/s"), tr("GB/s")},
                 tr("The vertical axis: seconds, their logarithm, shares of each plan's time, points a "
                    "second, or the memory's bandwidth beside its measured ceiling"));
  scale->setObjectName(QStringLiteral("timeScale"));
  addPane(splitter, time_, ChartKind::time)->insertWidget(2, scale);
  connect(scale, &QComboBox::currentIndexChanged, this,
          [this](int index) { time_->setScale(TimeScale(index)); });
  errors_ = new QStackedWidget;
  errors_->addWidget(error_);
  errors_->addWidget(scatter_);
  auto* along = makeSwitch({tr("automatic"), tr("over α"), tr("over W"), tr("against time")},
                           tr("The horizontal axis of this chart"));
  along->setObjectName(QStringLiteral("errorAxis"));
  QHBoxLayout* header = addPane(splitter, errors_, ChartKind::error);
  header->insertWidget(2, along);
  ElidedLabel* title = panes_.back().title;
  connect(along, &QComboBox::currentIndexChanged, this, [this, title](int index) {
    constexpr int alpha = 1, width = 2, time = 3;
    errors_->setCurrentIndex(index == time ? 1 : 0);
    title->setWhole(chartTitle(index == time ? ChartKind::scatter : ChartKind::error));
    error_->setAlong(index == alpha   ? std::optional(Along::alpha)
                     : index == width ? std::optional(Along::width)
                                      : std::nullopt);
  });
  auto* quantity =
      makeSwitch({tr("time"), tr("error"), tr("memory"), tr("Pareto front")}, tr("Quantity of the colours"));
  addPane(splitter, map_, ChartKind::map)->insertWidget(2, quantity);
  connect(quantity, &QComboBox::currentIndexChanged, this,
          [this](int index) { map_->setQuantity(PlanQuantity(index)); });
  splitter->setSizes({listWidth, chartWidth, chartWidth, chartWidth});
  connect(tabs_, &QTabBar::currentChanged, this, &ChartPanel::showPanes);
  for (Chart* chart : charts()) {
    connect(chart, &Chart::candidateSelected, this, &ChartPanel::pick);
    connect(chart, &Chart::candidateChosen, this, &ChartPanel::candidateChosen);
    connect(chart, &Chart::pointed, this, &ChartPanel::setPointed);
    connect(chart, &Chart::pointed, this, &ChartPanel::pointed);
    connect(chart, &Chart::brushed, this, &ChartPanel::setMarked);
  }
  connect(this, &ChartPanel::candidateChosen, this, [this] {
    data_.picked = false;
    schedule();
  });
  timer_.setSingleShot(true);
  timer_.setInterval(repaintIntervalMs);
  connect(&timer_, &QTimer::timeout, this, &ChartPanel::refresh);
}

QHBoxLayout* ChartPanel::addPane(QSplitter* splitter, QWidget* chart, ChartKind kind) {
  auto* pane = new QWidget;
  auto* title = new ElidedLabel(chartTitle(kind));
  title->setProperty("role", "chart-title");
  auto* save = new QToolButton;
  save->setText(tr("Save"));
  save->setToolTip(tr("Save this chart as a picture"));
  save->setPopupMode(QToolButton::InstantPopup);
  save->setAutoRaise(true);
  auto* menu = new QMenu(save);
  for (ChartFormat format : {ChartFormat::svg, ChartFormat::pdf, ChartFormat::png}) {
    menu->addAction(chartSuffix(format).toUpper(), this,
                    [this, kind, format] { Q_EMIT exportRequested(shownAs(kind), format); });
  }
  save->setMenu(menu);
  auto* header = new QHBoxLayout;
  header->setContentsMargins(headerMargin, 2, 2, 0);
  header->addWidget(title);
  header->addStretch(1);
  header->addWidget(save);
  const auto drawn = [this, kind, chart] {
    Chart& shown = qobject_cast<Chart*>(chart) ? static_cast<Chart&>(*chart)
                                               : static_cast<Chart&>(*errors_->currentWidget());
    return DragContent{chartFileName(shownAs(kind)),
                       shown.toPixmap(shown.width(), shown.height(), shown.devicePixelRatioF()), shown.csv()};
  };
  header->addWidget(new DragGrip(QStringLiteral("drag-") + chartFileName(kind),
                                 tr("Drag the chart to another program, as a picture or as CSV; a click "
                                    "copies it"),
                                 drawn));
  auto* layout = new QVBoxLayout(pane);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(header);
  layout->addWidget(chart, 1);
  splitter->addWidget(pane);
  tabs_->addTab(chartTitle(kind));
  panes_.push_back({pane, title, header});
  splitter->setStretchFactor(splitter->count() - 1, 1);
  return header;
}

void ChartPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showPanes();
}

void ChartPanel::showPanes() {
  const bool abreast = width() >= minAbreast;
  for (int i = 0; i < int(panes_.size()); ++i) {
    const Pane& pane = panes_[std::size_t(i)];
    const bool isCurrent = i == tabs_->currentIndex();
    if (!abreast && isCurrent) pane.header->insertWidget(0, tabs_);  // in the place of the title
    pane.title->setVisible(abreast);
    pane.whole->setVisible(abreast || isCurrent);
  }
  tabs_->setVisible(!abreast);
}

// Two charts share the pane of errors.
ChartKind ChartPanel::shownAs(ChartKind kind) const {
  const bool scatter = kind == ChartKind::error && errors_->currentWidget() == scatter_;
  return scatter ? ChartKind::scatter : kind;
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
  empty.ceilings = std::move(data_.ceilings);
  data_ = std::move(empty);
  setMarked({});
  schedule();
}

void ChartPanel::addCandidates(const std::vector<Candidate>& candidates) {
  ++generation_;
  dropResults();
  for (const Candidate& candidate : candidates) addOrRefine(data_.candidates, candidate);
  schedule();
}

void ChartPanel::setWorkload(const Workload& workload) {
  data_.workload = workload;
  schedule();
}

void ChartPanel::setCeiling(const std::string& backend, double bytesPerSecond) {
  data_.ceilings[backend] = bytesPerSecond;
  schedule();
}

void ChartPanel::setResult(const TuneResult& result) {
  ++generation_;
  dropResults();
  if (!samePlans(data_.candidates, result.candidates)) setMarked({});
  data_.candidates = result.candidates;
  data_.best = result.best;
  data_.reason = QString::fromStdString(result.reason);
  data_.workload = result.workload;
  data_.load = result.load;
  data_.selected = -1;
  data_.picked = false;
  schedule();
}

void ChartPanel::setResults(const std::vector<Candidate>& plans) {
  const int selected = data_.selected;
  dropResults();
  if (!plans.empty()) data_.firstOfResults = int(data_.candidates.size());
  data_.candidates.insert(data_.candidates.end(), plans.begin(), plans.end());
  if (selected < int(data_.candidates.size())) data_.selected = selected;
  schedule();
}

void ChartPanel::dropResults() {
  if (data_.firstOfResults < 0) return;
  data_.candidates.resize(std::size_t(data_.firstOfResults));
  if (data_.selected >= data_.firstOfResults) data_.selected = -1;
  data_.firstOfResults = -1;
}

void ChartPanel::setPlace(const std::optional<PlanPlace>& place) {
  for (Chart* chart : charts()) chart->setPlace(place);
}

void ChartPanel::setSelected(int index) {
  data_.picked = data_.picked && index == data_.selected;
  data_.selected = index;
  schedule();
}

void ChartPanel::pick(int candidate) {
  data_.selected = candidate;
  data_.picked = true;
  schedule();
  Q_EMIT candidateSelected(candidate);
}

std::array<Chart*, chartKinds.size()> ChartPanel::charts() const {
  return {time_, error_, scatter_, map_};
}

void ChartPanel::setPointed(int candidate) {
  for (Chart* chart : charts()) chart->setPointed(candidate);
}

void ChartPanel::setMarked(const std::vector<int>& candidates) {
  for (Chart* chart : charts()) chart->setMarked(candidates);
  Q_EMIT marked(candidates);
}

void ChartPanel::schedule() {
  if (!timer_.isActive()) timer_.start();
}

void ChartPanel::refresh() {
  ++repaints_;
  strip_->setPlan(pickedPlan(data_), data_.workload);
  for (Chart* chart : charts()) chart->setData(data_);
  Q_EMIT refreshed(data_);
}

}  // namespace spokelab
