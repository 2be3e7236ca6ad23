#include "widgets/profile/runs/run_list.h"

#include <QAction>
#include <QDateTime>
#include <QHeaderView>
#include <QPainter>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

enum Column { titleColumn, plansColumn, fastestColumn, columns };
constexpr int swatchPixels = 10;
constexpr std::size_t maxAtOnce = 50;  // rows that are filled within the event that brings them

QIcon swatch(int number) {
  QPixmap picture(swatchPixels, swatchPixels);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(ChartTheme::onScreen().ofRun(number));
  painter.drawEllipse(picture.rect());
  return picture;
}

QString localTime(const std::string& utc) {
  const QDateTime time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate).toLocalTime();
  return time.isValid() ? time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : QString();
}

const Workload* workloadOf(const TimedRun& run) {
  return run.timed ? &run.timed->workload : nullptr;
}

// Known, and different: the two have no axis in common.
bool areApart(const Workload* a, const Workload* b) {
  return a && b && !(*a == *b);
}

QString fastestOf(const TuneResult& timed) {
  double least = 0;
  for (const Candidate& candidate : timed.candidates)
    if (candidate.timed() && (least == 0 || candidate.cost() < least)) least = candidate.cost();
  return least > 0 ? secondsLabel(least) : QString();
}

// A line each, as far as it is known.
QString detailsOf(const TimedRun& run) {
  QStringList lines = {QString::fromStdString(run.title())};
  const auto add = [&lines](const QString& name, const QString& value) {
    if (!value.isEmpty()) lines << QStringLiteral("%1: %2").arg(name, value);
  };
  add(RunList::tr("scan"), QString::fromStdString(run.scan));
  add(RunList::tr("began"), localTime(run.time));
  add(RunList::tr("machine"), QString::fromStdString(run.machine));
  if (run.load) add(RunList::tr("load when it began"), numberLabel(*run.load, 2));
  if (run.accuracy > 0) add(RunList::tr("accuracy"), errorLabel(run.accuracy));
  if (run.seconds > 0) add(RunList::tr("whole job"), secondsLabel(run.seconds));
  if (run.timed) {
    add(RunList::tr("workload"), QString::fromStdString(workloadText(run.timed->workload)));
    if (run.repeats() > 0) add(RunList::tr("repeats of a plan, at most"), QString::number(run.repeats()));
  }
  return lines.join(QLatin1Char('\n'));
}

int numberOf(const QTreeWidgetItem& item) {
  return item.data(titleColumn, Qt::UserRole).toInt();
}

bool isDrawable(const TimedRun& run) {
  return !run.timed || run.plans() > 0;
}

}  // namespace

RunList::RunList(QWidget* parent) : QWidget(parent) {
  tree_ = new QTreeWidget;
  tree_->setObjectName(QStringLiteral("chartRuns"));
  tree_->setAccessibleName(tr("Runs of this scan"));
  tree_->setColumnCount(columns);
  tree_->setHeaderLabels({tr("Run"), tr("plans"), tr("fastest")});
  tree_->setRootIsDecorated(false);
  tree_->setUniformRowHeights(true);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setEditTriggers(QAbstractItemView::EditKeyPressed);
  tree_->setContextMenuPolicy(Qt::ActionsContextMenu);
  tree_->header()->setStretchLastSection(false);
  // As wide as setRuns() makes them: a header that follows contents measures all rows.
  tree_->header()->setSectionResizeMode(QHeaderView::Fixed);
  tree_->header()->setSectionResizeMode(titleColumn, QHeaderView::Stretch);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(tree_);

  show_ = add(tr("Show in the charts"), "run-show", &RunList::showCurrent);
  others_ = add(tr("Hide the others"), "run-hide-others", &RunList::hideOthers);
  pin_ = add(tr("Pin"), "run-pin", &RunList::turnPin);
  pin_->setCheckable(true);
  rename_ = add(tr("Rename"), "run-rename", &RunList::rename);
  compare_ = add(tr("Compare two runs"), "run-compare", &RunList::compareSelected);
  csv_ = add(tr("Export as CSV…"), "run-csv", &RunList::exportCsv);
  json_ = add(tr("Export as JSON…"), "run-json", &RunList::exportJson);
  delete_ = add(tr("Delete"), "run-delete", &RunList::deleteSelected, QKeySequence::Delete);
  connect(tree_, &QTreeWidget::itemChanged, this, &RunList::takeEdit);
  connect(tree_, &QTreeWidget::itemSelectionChanged, this, &RunList::enableActions);
  connect(tree_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
    const bool several = tree_->selectedItems().size() > 1;
    if (!several && item->isSelected()) Q_EMIT runChosen(numberOf(*item));
  });
  connect(tree_, &QTreeWidget::itemActivated, this, &RunList::showCurrent);
  followScreenTheme(this, [this] {
    const QSignalBlocker quiet(tree_);
    for (int i = 0; i < tree_->topLevelItemCount(); ++i) {
      QTreeWidgetItem& item = *tree_->topLevelItem(i);
      item.setIcon(titleColumn, swatch(numberOf(item)));
    }
    tree_->viewport()->update();
  });
  enableActions();
}

QAction* RunList::add(const QString& text, const char* name, void (RunList::*act)(),
                      const QKeySequence& key) {
  auto* action = new QAction(text, this);
  action->setObjectName(QString::fromLatin1(name));
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetShortcut);
  tree_->addAction(action);
  connect(action, &QAction::triggered, this, act);
  return action;
}

// A session brings a long list, and fills all other views in the same event: rows take the next.
void RunList::setRuns(const std::vector<TimedRun>& runs, int chosen) {
  const bool comes = waiting_.has_value();
  waiting_ = Listed{runs, chosen};
  if (runs.size() <= maxAtOnce) return takeWaiting();
  if (!comes) QMetaObject::invokeMethod(this, &RunList::takeWaiting, Qt::QueuedConnection);
}

void RunList::takeWaiting() {
  if (const auto listed = std::exchange(waiting_, {})) list(listed->runs, listed->chosen);
}

void RunList::list(const std::vector<TimedRun>& runs, int chosen) {
  if (runs == runs_ && chosen == chosen_) return;
  const std::vector<int> selection = selected();
  const QSignalBlocker quiet(tree_);
  std::map<int, TimedRun> before;
  for (TimedRun& run : runs_) before.insert_or_assign(run.number, std::move(run));
  const int chosenBefore = std::exchange(chosen_, chosen);
  const std::optional<Workload> axisBefore = std::exchange(axis_, {});
  for (const TimedRun& run : runs)
    if (const Workload* workload = workloadOf(run); workload && run.number == chosen) axis_ = *workload;
  runs_ = runs;
  // Pinned ones first, then the newest.
  std::stable_sort(runs_.begin(), runs_.end(), [](const TimedRun& a, const TimedRun& b) {
    return a.pinned != b.pinned ? a.pinned : a.number > b.number;
  });
  removeOthers();
  // Long lists take time: only changed rows are filled, and new ones before they are shown.
  bool textsChanged = false;
  for (int i = 0; i < int(runs_.size()); ++i) {
    const TimedRun& run = runs_[std::size_t(i)];
    const auto known = before.find(run.number);
    const bool isKnown = known != before.end();
    QTreeWidgetItem* item = isKnown ? takeRow(i, run.number) : new QTreeWidgetItem;
    const bool changed = !isKnown || axis_ != axisBefore || !(known->second == run) ||
                         (run.number == chosen) != (run.number == chosenBefore);
    if (changed) fill(*item, run, run.number == chosen);
    textsChanged |= changed;
    if (!item->treeWidget()) tree_->insertTopLevelItem(i, item);
    const bool isSelected = std::binary_search(selection.begin(), selection.end(), run.number);
    if (item->isSelected() != isSelected) item->setSelected(isSelected);
  }
  if (textsChanged)
    for (const int column : {plansColumn, fastestColumn}) tree_->resizeColumnToContents(column);
  enableActions();
}

void RunList::removeOthers() {
  std::set<int> numbers;
  for (const TimedRun& run : runs_) numbers.insert(run.number);
  for (int row = tree_->topLevelItemCount() - 1; row >= 0; --row)
    if (!numbers.contains(numberOf(*tree_->topLevelItem(row)))) delete tree_->topLevelItem(row);
}

// The row of a known run, in its place or taken out of another.
QTreeWidgetItem* RunList::takeRow(int place, int number) {
  int at = place;
  while (numberOf(*tree_->topLevelItem(at)) != number) ++at;
  return at == place ? tree_->topLevelItem(place) : tree_->takeTopLevelItem(at);
}

void RunList::fill(QTreeWidgetItem& item, const TimedRun& run, bool chosen) const {
  item.setData(titleColumn, Qt::UserRole, run.number);
  item.setText(titleColumn, QString::fromStdString(run.title()));
  const bool isApart = areApart(workloadOf(run), axis_ ? &*axis_ : nullptr);
  QString plans = run.timed ? QString::number(run.plans()) : tr("running");
  if (run.timed && run.timed->cancelled) plans = tr("cancelled, %1").arg(plans);
  item.setText(plansColumn, plans);
  item.setText(fastestColumn, run.timed ? fastestOf(*run.timed) : QString());
  item.setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsUserCheckable);
  if (isDrawable(run))
    item.setCheckState(titleColumn, run.visible && !isApart ? Qt::Checked : Qt::Unchecked);
  else
    item.setData(titleColumn, Qt::CheckStateRole, QVariant());
  item.setIcon(titleColumn, swatch(run.number));
  QString details = detailsOf(run) + (run.pinned ? QLatin1Char('\n') + tr("pinned") : QString());
  if (isApart)
    details +=
        QLatin1Char('\n') + tr("Not drawn: another workload than the charts'. A tick shows it instead.");
  const QBrush ink = isApart ? tree_->palette().brush(QPalette::Disabled, QPalette::Text) : QBrush();
  for (int column = 0; column < columns; ++column) {
    QFont font = tree_->font();
    font.setBold(chosen);
    font.setItalic(run.pinned);
    item.setFont(column, font);
    item.setForeground(column, ink);
    item.setToolTip(column, details);
    if (column != titleColumn) item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  }
}

// The user ticked a box or typed a name.
void RunList::takeEdit(QTreeWidgetItem* item) {
  const int number = numberOf(*item);
  const auto run =
      std::find_if(runs_.begin(), runs_.end(), [&](const TimedRun& r) { return r.number == number; });
  if (run == runs_.end()) return;
  const bool ticked = item->checkState(titleColumn) == Qt::Checked;
  const QString name = item->text(titleColumn).trimmed();
  const bool other = name != QString::fromStdString(run->title());
  const bool isTicked = run->visible && !areApart(workloadOf(*run), axis_ ? &*axis_ : nullptr);
  if (isDrawable(*run) && ticked != isTicked)
    QMetaObject::invokeMethod(
        this, [this, number, ticked] { Q_EMIT visibilityWanted(number, ticked); }, Qt::QueuedConnection);
  if (other)
    QMetaObject::invokeMethod(
        this, [this, number, name] { Q_EMIT renamed(number, name); }, Qt::QueuedConnection);
}

std::vector<int> RunList::selected() const {
  std::vector<int> numbers;
  for (const QTreeWidgetItem* item : tree_->selectedItems()) numbers.push_back(numberOf(*item));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

int RunList::current() const {
  if (const auto numbers = selected(); numbers.size() == 1) return numbers.front();
  const QTreeWidgetItem* item = tree_->currentItem();
  return item ? numberOf(*item) : 0;
}

void RunList::enableActions() {
  const std::vector<int> numbers = selected();
  const bool one = numbers.size() == 1, any = !numbers.empty();
  for (QAction* action : {show_, others_, pin_, rename_}) action->setEnabled(one);
  for (QAction* action : {delete_, csv_, json_}) action->setEnabled(any);
  compare_->setEnabled(numbers.size() == 2);
  const auto run = std::find_if(runs_.begin(), runs_.end(),
                                [&](const TimedRun& r) { return one && r.number == numbers.front(); });
  pin_->setChecked(run != runs_.end() && run->pinned);
}

void RunList::showCurrent() {
  if (const int number = current()) Q_EMIT runChosen(number);
}

void RunList::hideOthers() {
  if (const int number = current()) Q_EMIT othersHidden(number);
}

void RunList::turnPin() {
  if (const int number = current()) Q_EMIT pinWanted(number, pin_->isChecked());
}

void RunList::rename() {
  if (tree_->currentItem()) tree_->editItem(tree_->currentItem(), titleColumn);
}

void RunList::deleteSelected() {
  if (const auto numbers = selected(); !numbers.empty()) Q_EMIT deletionWanted(numbers);
}

void RunList::compareSelected() {
  if (const auto numbers = selected(); numbers.size() == 2)
    Q_EMIT comparisonWanted(numbers.front(), numbers.back());
}

void RunList::exportCsv() {
  Q_EMIT exportWanted(selected(), RunFormat::csv);
}

void RunList::exportJson() {
  Q_EMIT exportWanted(selected(), RunFormat::json);
}

}  // namespace spokelab
