#include "widgets/profile/runs/run_table.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "widgets/core/drag/drag_grip.h"
#include "widgets/profile/runs/run_coordinates.h"
#include "widgets/profile/runs/run_table_model.h"

namespace spokelab {
namespace {

constexpr int besideFilter = 6, betweenControls = 8, filterWidth = 220, tableShare = 3, axesShare = 2;

}  // namespace

// Every word has to be in some column; ranges of the parallel axes come after the words.
class RowFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setWords(const QString& text) { words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts); }
  void setAxes(const RunCoordinates* axes) { axes_ = axes; }
  void filterAgain() { invalidateFilter(); }

  bool hasWords(int row) const {
    QString all;
    for (int column = 0; column < sourceModel()->columnCount(); ++column)
      all += sourceModel()->index(row, column).data().toString() + QLatin1Char(' ');
    return std::all_of(words_.begin(), words_.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex&) const override {
    return hasWords(row) && (!axes_ || axes_->passes(row));
  }

 private:
  QStringList words_;
  const RunCoordinates* axes_ = nullptr;
};

RunTable::RunTable(QWidget* parent) : QWidget(parent), model_(new RunTableModel(this)) {
  coordinates_ = new RunCoordinates(*model_);  // it knows of new rows before they are filtered
  shown_ = new RowFilter(this);
  shown_->setSourceModel(model_);
  shown_->setSortRole(RunTableModel::sortRole);
  table_ = new QTableView;
  table_->setObjectName(QStringLiteral("runTable"));
  table_->setAccessibleName(tr("Runs"));
  table_->setModel(shown_);
  table_->setSortingEnabled(true);
  table_->sortByColumn(RunTableModel::runColumn, Qt::AscendingOrder);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setAlternatingRowColors(true);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  filter_ = new QLineEdit;
  filter_->setObjectName(QStringLiteral("runFilter"));
  filter_->setPlaceholderText(tr("Filter: sweep cpu 1.25 …"));
  filter_->setAccessibleName(tr("Filter runs by words"));
  filter_->setClearButtonEnabled(true);
  filter_->setFixedWidth(filterWidth);
  every_ = new QCheckBox(tr("Every plan"));
  every_->setObjectName(QStringLiteral("everyPlan"));
  every_->setToolTip(tr("A row for each plan that was timed, not for the chosen plan of each run alone"));
  count_ = new QLabel;
  axes_ = new QPushButton(tr("Axes"));
  axes_->setObjectName(QStringLiteral("runAxes"));
  axes_->setCheckable(true);
  axes_->setChecked(true);
  axes_->setToolTip(tr("α, W, method, time and error side by side; a drag along one chooses a range"));
  all_ = new QPushButton(tr("All ranges"));
  all_->setObjectName(QStringLiteral("allRanges"));
  all_->setToolTip(tr("Lets the rows outside the chosen ranges through again"));
  all_->hide();
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(besideFilter, 2, besideFilter, 2);
  bar->setSpacing(betweenControls);
  bar->addWidget(filter_);
  bar->addWidget(every_);
  bar->addWidget(axes_);
  bar->addWidget(all_);
  bar->addStretch(1);
  bar->addWidget(count_);
  bar->addWidget(new DragGrip(
      QStringLiteral("dragRuns"), tr("Drag the table to another program, as CSV; a click copies it"), [this] {
        return DragContent{QStringLiteral("runs"), table_->grab(), model_->csv(), false};
      }));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  splitter_ = new QSplitter;
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(table_);
  splitter_->addWidget(coordinates_);
  splitter_->setStretchFactor(0, tableShare);
  splitter_->setStretchFactor(1, axesShare);
  column->addWidget(splitter_, 1);

  const auto add = [this](const QString& text, const char* name, const QKeySequence& key, auto&& act) {
    auto* action = new QAction(text, table_);
    action->setObjectName(QString::fromUtf8(name));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, act);
    table_->addAction(action);
    coordinates_->addAction(action);
  };
  const auto choose = [this] {
    if (const int row = sourceRow(); row >= 0) Q_EMIT runChosen(model_->run(row).number);
  };
  add(tr("Show in the charts"), "run-show", {}, choose);
  add(tr("Compare all with this row"), "run-pin", Qt::Key_P, [this] { pinCurrent(); });
  add(tr("Copy as CSV"), "run-copy", QKeySequence::Copy,
      [this] { QGuiApplication::clipboard()->setText(model_->csv()); });
  connect(table_, &QTableView::activated, this, choose);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    shown_->setWords(text);
    filter();
  });
  connect(every_, &QCheckBox::toggled, this, [this](bool on) {
    model_->setEveryPlan(on);
    filter();
  });
  addCoordinates();
  tellCount();
}

void RunTable::addCoordinates() {
  shown_->setAxes(coordinates_);
  coordinates_->setContextMenuPolicy(Qt::ActionsContextMenu);
  table_->setMouseTracking(true);
  table_->viewport()->installEventFilter(this);
  connect(axes_, &QPushButton::toggled, this, &RunTable::setCoordinatesShown);
  connect(all_, &QPushButton::clicked, coordinates_, &RunCoordinates::clearBrushes);
  connect(coordinates_, &RunCoordinates::brushed, this, [this] {
    shown_->filterAgain();
    tellCount();
  });
  connect(coordinates_, &RunCoordinates::hovered, model_, &RunTableModel::setHovered);
  connect(coordinates_, &RunCoordinates::rowPicked, this, &RunTable::goTo);
  connect(coordinates_, &RunCoordinates::rowChosen, this,
          [this](int row) { Q_EMIT runChosen(model_->run(row).number); });
  connect(table_, &QTableView::entered, this,
          [this](const QModelIndex& index) { model_->setHovered(shown_->mapToSource(index).row()); });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this] { coordinates_->setCurrent(sourceRow()); });
}

void RunTable::setCoordinatesShown(bool shown) {
  if (axes_->isChecked() != shown) return axes_->setChecked(shown);  // which comes back here
  // Else nobody would see why rows are missing.
  if (!shown) coordinates_->clearBrushes();
  coordinates_->setVisible(shown);
  Q_EMIT coordinatesShown(shown);
}

// Beside the table in a wide dock, below it in a tall one.
void RunTable::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  splitter_->setOrientation(width() > height() ? Qt::Horizontal : Qt::Vertical);
}

bool RunTable::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_->viewport() && event->type() == QEvent::Leave) model_->setHovered(-1);
  return QWidget::eventFilter(watched, event);
}

void RunTable::goTo(int row) {
  const QModelIndex index = shown_->mapFromSource(model_->index(row, RunTableModel::runColumn));
  if (!index.isValid()) return;
  table_->setCurrentIndex(index);
  table_->scrollTo(index);
}

// By the words; then the axes know which lines remain, and their ranges filter what is left.
void RunTable::filter() {
  std::vector<bool> rowsWithWords;
  for (int row = 0; row < model_->rowCount(); ++row) rowsWithWords.push_back(shown_->hasWords(row));
  coordinates_->setWanted(std::move(rowsWithWords));
  shown_->filterAgain();
  coordinates_->setCurrent(sourceRow());
  tellCount();
}

void RunTable::setRuns(const std::vector<TimedRun>& runs) {
  const bool first = model_->rowCount() == 0;
  model_->setRuns(runs);
  if (first && model_->rowCount() > 0) table_->resizeColumnsToContents();
  filter();
}

int RunTable::sourceRow() const {
  const QModelIndex current = shown_->mapToSource(table_->currentIndex());
  return current.isValid() ? current.row() : -1;
}

void RunTable::pinCurrent() {
  const int row = sourceRow();
  if (row < 0) return;
  model_->setPinned(row == model_->pinned() ? -1 : row);
  table_->resizeColumnToContents(RunTableModel::ratioColumn);
}

void RunTable::tellCount() {
  QString text = model_->rowCount() == 0
                     ? tr("No runs yet: Sweep times plans")
                     : tr("%1 of %2 rows").arg(shown_->rowCount()).arg(model_->rowCount());
  const int others = coordinates_->ofOthers();
  if (axes_->isChecked() && others > 0) text += tr(" · %1 of other workloads have no line").arg(others);
  count_->setText(text);
  all_->setVisible(coordinates_->isBrushed());
}

}  // namespace spokelab
