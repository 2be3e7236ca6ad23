#include "widgets/profile/explorer_view.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "widgets/core/candidate_text.h"
#include "widgets/core/flow_layout.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/charts/plan_map.h"
#include "widgets/profile/plan_strip.h"
#include "widgets/profile/stage_view.h"

namespace spokelab {
namespace {

constexpr int margin = 8, gap = 6, detailsWidth = 300;
constexpr std::size_t maxImages = 6;  // of marked plans: some of the dozen results stay
const QStringList quantityNames = {QStringLiteral("time"), QStringLiteral("error"), QStringLiteral("memory"),
                                   QStringLiteral("pareto")};
const QStringList rowNames = {QStringLiteral("width"), QStringLiteral("implementation"),
                              QStringLiteral("kernel"), QStringLiteral("precomputation"),
                              QStringLiteral("path")};
const QStringList alsoNames = {QStringLiteral("kernels"), QStringLiteral("precomputations"),
                               QStringLiteral("implementations"), QStringLiteral("paths")};

QString dash() {
  return QStringLiteral("–");
}

}  // namespace

ExplorerView::ExplorerView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("explorer"));
  map_ = new PlanMap;
  map_->setObjectName(QStringLiteral("explorerMap"));
  choice_ = new QLabel;
  choice_->setObjectName(QStringLiteral("explorerChoice"));
  choice_->setAccessibleName(tr("Why the tuner chose its plan"));
  choice_->setWordWrap(true);
  choice_->setContentsMargins(margin, 2, margin, 4);
  auto* left = new QVBoxLayout;
  left->setSpacing(0);
  left->addLayout(makeControls());
  left->addWidget(map_, 1);
  left->addWidget(choice_);
  strip_ = new PlanStrip;
  left->addWidget(strip_);
  connect(strip_, &PlanStrip::reconstructRequested, this, [this] { Q_EMIT candidateChosen(data_.selected); });
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(left, 1);
  layout->addWidget(makeDetails());
  connect(map_, &Chart::candidateSelected, this, &ExplorerView::candidateSelected);
  connect(map_, &Chart::candidateChosen, this, &ExplorerView::candidateChosen);
  connect(map_, &Chart::pointed, this, &ExplorerView::describePointed);
  setData({});
}

QComboBox* ExplorerView::makeBox(const char* name, const QString& label, const QString& help,
                                 FlowLayout* row) {
  auto* box = new QComboBox;
  box->setObjectName(QString::fromLatin1(name));
  box->setAccessibleName(label);
  box->setToolTip(help);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  if (label.isEmpty()) {
    row->addWidget(box);
    return box;
  }
  auto* both = new QWidget;  // a line ends before the label or after the box
  auto* pair = new QHBoxLayout(both);
  pair->setContentsMargins(0, 0, 0, 0);
  pair->setSpacing(gap);
  auto* text = new QLabel(label);
  text->setBuddy(box);
  pair->addWidget(text);
  pair->addWidget(box);
  row->addWidget(both);
  return box;
}

FlowLayout* ExplorerView::makeControls() {
  auto* row = new FlowLayout;
  row->setContentsMargins(margin, 2, margin, 2);
  row->setSpacing(gap);
  show_ = makeBox("explorerShow", tr("Show"), tr("Quantity of the colours"), row);
  show_->addItems({tr("time"), tr("error"), tr("memory"), tr("Pareto front")});
  rows_ = makeBox("explorerRows", tr("over α and"), tr("Option of the rows"), row);
  rows_->addItems({tr("W"), tr("implementation"), tr("kernel"), tr("precomputation"), tr("path")});
  path_ = makeBox("explorerPath", QString(),
                  tr("Plans of this path only: gridded, or a Toeplitz form of the normal operator"), row);
  path_->setAccessibleName(tr("Path"));
  implementation_ = makeBox("explorerImplementation", tr("of"), tr("Plans of this implementation only"), row);
  implementation_->setAccessibleName(tr("Implementation"));
  kernel_ = makeBox("explorerKernel", QString(), tr("Plans with this kernel only"), row);
  kernel_->setAccessibleName(tr("Kernel"));
  precomputation_ =
      makeBox("explorerPrecomputation", QString(), tr("Plans whose kernel values come from here only"), row);
  precomputation_->setAccessibleName(tr("Precomputation"));
  predicted_ = new QCheckBox(tr("Predicted"));
  predicted_->setObjectName(QStringLiteral("explorerPredicted"));
  predicted_->setToolTip(
      tr("A square in the middle of each cell, in the colour of what the cost or the error model predicts"));
  row->addWidget(predicted_);
  row->addStretch();
  sweep_ = new QToolButton;
  sweep_->setObjectName(QStringLiteral("explorerSweep"));
  sweep_->setText(tr("Sweep"));
  sweep_->setAccessibleName(tr("Sweep"));
  sweep_->setToolTip(
      tr("Time plans over α and W; the menu adds other kernels, sources of kernel values and "
         "implementations, and the paths of a normal operator (SENSE)"));
  sweep_->setPopupMode(QToolButton::MenuButtonPopup);
  auto* menu = new QMenu(sweep_);
  const QString titles[] = {tr("Also other kernels"), tr("Also other precomputations"),
                            tr("Also other implementations"), tr("All paths of a normal operator")};
  for (std::size_t i = 0; i < also_.size(); ++i) {
    also_[i] = menu->addAction(titles[i]);
    also_[i]->setObjectName(QStringLiteral("explorer-") + alsoNames[qsizetype(i)]);
    also_[i]->setCheckable(true);
  }
  also_.back()->setChecked(SweepBreadth{}.paths);
  menu->addSeparator();
  menu->addAction(tr("Sweep…"), this, &ExplorerView::dialogRequested);
  sweep_->setMenu(menu);
  row->addWidget(sweep_);
  connect(sweep_, &QToolButton::clicked, this, [this] { Q_EMIT sweepRequested(breadth()); });
  connect(show_, &QComboBox::currentIndexChanged, this, [this](int index) {
    map_->setQuantity(PlanQuantity(index));
    predicted_->setEnabled(PlanQuantity(index) != PlanQuantity::memory);
  });
  connect(rows_, &QComboBox::currentIndexChanged, this,
          [this](int index) { map_->setRows(PlanRows(index)); });
  connect(predicted_, &QCheckBox::toggled, map_, &PlanMap::setPredictedOver);
  for (QComboBox* box : {path_, implementation_, kernel_, precomputation_})
    connect(box, &QComboBox::currentIndexChanged, this, &ExplorerView::setFilter);
  return row;
}

QWidget* ExplorerView::makeDetails() {
  title_ = new QLabel;
  title_->setObjectName(QStringLiteral("explorerTitle"));
  title_->setProperty("role", "heading");
  title_->setWordWrap(true);
  auto* form = new QWidget;
  auto* grid = new QGridLayout(form);
  grid->setContentsMargins(margin, 2, margin, 2);
  grid->setVerticalSpacing(2);
  grid->addWidget(title_, 0, 0, 1, 3);
  grid->addWidget(new QLabel(tr("measured")), 1, 1, Qt::AlignRight);
  grid->addWidget(new QLabel(tr("predicted")), 1, 2, Qt::AlignRight);
  const QString titles[] = {tr("Time"), tr("Error"), tr("Memory"), tr("Grid")};
  for (int i = 0; i < 4; ++i) {
    grid->addWidget(new QLabel(titles[i]), 2 + i, 0);
    for (int column = 0; column < 2; ++column) {
      QLabel*& label = values_[i][column];
      label = new QLabel(dash());
      label->setObjectName(QStringLiteral("explorerValue%1%2").arg(i).arg(column));
      label->setTextInteractionFlags(Qt::TextSelectableByMouse);
      grid->addWidget(label, 2 + i, 1 + column, Qt::AlignRight);
    }
  }
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(2, 1);
  stages_ = new StageBar;
  stages_->setObjectName(QStringLiteral("explorerStages"));
  grid->addWidget(stages_, 6, 0, 1, 3);
  note_ = new QLabel;
  note_->setObjectName(QStringLiteral("explorerNote"));
  note_->setWordWrap(true);
  grid->addWidget(note_, 7, 0, 1, 3);
  images_ = new QPushButton(tr("Images of the marked plans"));
  images_->setObjectName(QStringLiteral("explorerImages"));
  images_->hide();
  grid->addWidget(images_, 8, 0, 1, 3);
  grid->setRowStretch(9, 1);
  connect(images_, &QPushButton::clicked, this, [this] { Q_EMIT imagesRequested(markedPlans()); });
  auto* scroll = new QScrollArea;
  scroll->setWidget(form);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFixedWidth(detailsWidth);
  return scroll;
}

void ExplorerView::setData(const ProfileData& data) {
  data_ = data;
  fillFilters();
  map_->setData(data_);
  describePointed(map_->hasFocus() ? map_->framed() : -1);
  choice_->setText(choiceText());
  strip_->setPlan(pickedPlan(data_), data_.workload);
}

QString ExplorerView::choiceText() const {
  if (data_.candidates.empty())
    return tr("Nothing has been timed yet. Sweep times plans over α and W on the open scan.");
  if (data_.best < 0 || data_.best >= int(data_.candidates.size()))
    return data_.reason.isEmpty() ? tr("%1 plans so far.").arg(data_.candidates.size()) : data_.reason;
  const Candidate& best = data_.candidates[std::size_t(data_.best)];
  const QString title = candidateTitle(best);
  if (!data_.reason.isEmpty())
    return tr("◆ The tuner's choice is %1. %2%3")
        .arg(title, data_.reason,
             data_.load.isBusy() ? tr(". Note: %1.").arg(QString::fromStdString(loadText(data_.load)))
                                 : QString());
  return tr("◆ The tuner's choice is %1: %2, predicted error %3 where %4 was asked for.")
      .arg(title, secondsLabel(best.cost()), errorLabel(best.predictedError()), errorLabel(data_.accuracy));
}

// Lists the names that occur, after "all"; keeps the chosen name if it still occurs.
void ExplorerView::fillFilters() {
  const auto fill = [this](QComboBox* box, PlanRows rows, const QString& all, const QString& wanted) {
    QStringList names = planParts(data_, rows);
    names.prepend(all);
    QStringList shown;
    for (int i = 0; i < box->count(); ++i) shown << box->itemText(i);
    if (shown == names) return;
    const QSignalBlocker quiet(box);
    box->clear();
    box->addItems(names);
    box->setCurrentIndex(std::max<int>(0, int(wanted.isEmpty() ? 0 : names.indexOf(wanted))));
  };
  fill(path_, PlanRows::path, tr("all paths"), filter_.path);
  fill(implementation_, PlanRows::implementation, tr("all methods"), filter_.implementation);
  fill(kernel_, PlanRows::kernel, tr("all kernels"), filter_.kernel);
  fill(precomputation_, PlanRows::precomputation, tr("all sources"), filter_.precomputation);
  path_->setVisible(path_->count() > 2);  // "all", and more than one
  const PlanFilter filter = chosenFilter();
  if (!(filter == map_->filter())) map_->setFilter(filter);
}

PlanFilter ExplorerView::chosenFilter() const {
  const auto chosen = [](QComboBox* box) { return box->currentIndex() > 0 ? box->currentText() : QString(); };
  return {chosen(implementation_), chosen(kernel_), chosen(precomputation_), chosen(path_)};
}

void ExplorerView::setFilter() {
  filter_ = chosenFilter();
  map_->setFilter(filter_);
}

void ExplorerView::setPointed(int candidate) {
  map_->setPointed(candidate);
  describePointed(candidate);
}

void ExplorerView::setMarked(const std::vector<int>& candidates) {
  map_->setMarked(candidates);
  describe(described_);
  const std::size_t count = markedPlans().size();
  images_->setVisible(count > 0);
  images_->setEnabled(count <= maxImages);
  images_->setToolTip(count <= maxImages
                          ? tr("Reconstruct with each of them; the images join the results")
                          : tr("%1 plans are marked: mark %2 at most").arg(count).arg(maxImages));
}

std::vector<int> ExplorerView::markedPlans() const {
  std::vector<int> plans;
  for (const int i : map_->marked())
    if (i < int(data_.candidates.size()) && data_.candidates[std::size_t(i)].timed()) plans.push_back(i);
  return plans;
}

// " 7 plans are marked: 1.2 ms to 4.1 ms, errors 1.0e-05 to 3.1e-03."
QString ExplorerView::markedText() const {
  std::vector<double> times, errors;
  for (const int i : markedPlans()) {
    times.push_back(data_.candidates[std::size_t(i)].cost());
    errors.push_back(candidateError(data_.candidates[std::size_t(i)]));
  }
  if (times.empty()) return {};
  const auto [fastest, slowest] = std::minmax_element(times.begin(), times.end());
  const auto [best, worst] = std::minmax_element(errors.begin(), errors.end());
  if (times.size() == 1)
    return tr(" One plan is marked: %1, error %2.").arg(secondsLabel(*fastest), errorLabel(*best));
  return tr(" %1 plans are marked: %2 to %3, errors %4 to %5.")
      .arg(times.size())
      .arg(secondsLabel(*fastest), secondsLabel(*slowest), errorLabel(*best), errorLabel(*worst));
}

void ExplorerView::describePointed(int candidate) {
  if (candidate >= 0)
    describe(candidate);
  else
    describeChosen();
}

void ExplorerView::describeChosen() {
  describe(data_.selected >= 0 ? data_.selected : data_.best);
}

void ExplorerView::describe(int candidate) {
  const bool any = candidate >= 0 && candidate < int(data_.candidates.size());
  described_ = any ? candidate : -1;
  const Candidate plan = any ? data_.candidates[std::size_t(candidate)] : Candidate();
  title_->setText(!any                          ? tr("No plan")
                  : candidate == data_.best     ? tr("◆ %1").arg(candidateTitle(plan))
                  : candidate == data_.selected ? tr("○ %1").arg(candidateTitle(plan))
                                                : candidateTitle(plan));
  const bool can = any && plan.refused.empty();
  const auto set = [this](int row, const QString& measured, const QString& predicted) {
    values_[row][0]->setText(measured);
    values_[row][1]->setText(predicted);
  };
  set(0, can && plan.timed() ? secondsLabel(plan.cost()) : dash(),
      can && plan.predictedSeconds > 0 ? secondsLabel(plan.predictedSeconds) : dash());
  set(1, can && plan.measuredError ? errorLabel(*plan.measuredError) : dash(),
      can ? errorLabel(plan.predictedError()) : dash());
  set(2, can && plan.memory > 0 ? bytesLabel(plan.memory) : dash(), QString());
  set(3, any && pathOf(plan).isGrid() ? sizeLabel(plan.grid) : dash(), QString());
  stages_->setTimings(plan.timings);
  note_->setText(noteOf(any ? &plan : nullptr) + markedText());
}

QString ExplorerView::noteOf(const Candidate* plan) const {
  if (!plan) return tr("A click on a cell, or Enter, shows that plan's image beside the most accurate one.");
  if (!plan->refused.empty()) return tr("Cannot work: %1.").arg(QString::fromStdString(plan->refused));
  QString note = pathOf(*plan).isGrid()
                     ? tr("Kernel %1, values: %2.")
                           .arg(planPart(*plan, PlanRows::kernel), planPart(*plan, PlanRows::precomputation))
                 : isToeplitz(plan->options.normal) ? tr("A convolution with the point spread function.")
                                                    : pathTitle(pathOf(*plan)) + QLatin1Char('.');
  note += QLatin1Char(' ') + (meetsAccuracy(*plan, data_.accuracy) ? tr("Meets the accuracy %1.")
                                                                   : tr("Does not meet the accuracy %1."))
                                 .arg(errorLabel(data_.accuracy));
  if (plan->timed()) {
    QString repeats = repeatsText(*plan);
    note += QLatin1Char(' ') + repeats.replace(0, 1, repeats.at(0).toUpper()) + QLatin1Char('.');
  }
  if (isTie(data_, described_)) note += tr(" A tie with ◆: the repeats show no difference.");
  return note + answerText();
}

// Says how a click is answered, if the answer is not the timed plan.
QString ExplorerView::answerText() const {
  if (!data_.workload || data_.workload->direction != Direction::forward) return {};
  return QLatin1Char(' ') +
         tr("The forward transform makes samples, no image: a click shows the image that the adjoint makes "
            "with the same α, W and kernel.");
}

SweepBreadth ExplorerView::breadth() const {
  return {also_[0]->isChecked(), also_[1]->isChecked(), also_[2]->isChecked(), also_[3]->isChecked()};
}

QMap<QString, QString> ExplorerView::viewState() const {
  QMap<QString, QString> state;
  state[QStringLiteral("show")] = quantityNames[show_->currentIndex()];
  state[QStringLiteral("rows")] = rowNames[rows_->currentIndex()];
  state[QStringLiteral("implementation")] = filter_.implementation;
  state[QStringLiteral("kernel")] = filter_.kernel;
  state[QStringLiteral("precomputation")] = filter_.precomputation;
  state[QStringLiteral("path")] = filter_.path;
  state[QStringLiteral("predicted")] = predicted_->isChecked() ? QStringLiteral("yes") : QStringLiteral("no");
  state[QStringLiteral("also")] = QString::fromStdString(breadthText(breadth()));
  return state;
}

void ExplorerView::setViewState(const QMap<QString, QString>& state) {
  const auto choose = [&](QComboBox* box, const QStringList& names, const char* name) {
    const auto index = names.indexOf(state.value(QString::fromLatin1(name)));
    if (index >= 0) box->setCurrentIndex(int(index));
  };
  choose(show_, quantityNames, "show");
  choose(rows_, rowNames, "rows");
  filter_ = {state.value(QStringLiteral("implementation")), state.value(QStringLiteral("kernel")),
             state.value(QStringLiteral("precomputation")), state.value(QStringLiteral("path"))};
  for (QComboBox* box : {path_, implementation_, kernel_, precomputation_}) {
    const QSignalBlocker quiet(box);
    // Filled again, with the wanted entry chosen.
    box->clear();
  }
  fillFilters();
  predicted_->setChecked(state.value(QStringLiteral("predicted")) == QStringLiteral("yes"));
  const QString also = state.value(QStringLiteral("also"));
  if (also.isEmpty()) return;  // of an earlier version
  for (std::size_t i = 0; i < also_.size(); ++i)
    also_[i]->setChecked(also.split(QLatin1Char(',')).contains(alsoNames[qsizetype(i)]));
}

}  // namespace spokelab
