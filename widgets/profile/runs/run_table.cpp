#include "widgets/profile/runs/run_table.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include "widgets/core/drag/drag_grip.h"
#include "widgets/profile/runs/run_table_model.h"

namespace spokelab {
namespace {

constexpr int besideFilter = 6, filterWidth = 220;

// Every word has to be in some column.
class WordFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setWords(const QString& text) {
    words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    QString all;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
      all += sourceModel()->index(row, column, parent).data().toString() + QLatin1Char(' ');
    for (const QString& word : words_)
      if (!all.contains(word, Qt::CaseInsensitive)) return false;
    return true;
  }

 private:
  QStringList words_;
};

}  // namespace

RunTable::RunTable(QWidget* parent) : QWidget(parent), model_(new RunTableModel(this)) {
  auto* filtered = new WordFilter(this);
  shown_ = filtered;
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
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(besideFilter, 2, besideFilter, 2);
  bar->addWidget(filter_);
  bar->addWidget(every_);
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
  column->addWidget(table_, 1);

  const auto add = [this](const QString& text, const char* name, const QKeySequence& key, auto&& act) {
    auto* action = new QAction(text, table_);
    action->setObjectName(QString::fromUtf8(name));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, act);
    table_->addAction(action);
  };
  const auto choose = [this] {
    if (const int row = sourceRow(); row >= 0) Q_EMIT runChosen(model_->run(row).number);
  };
  add(tr("Show in the charts"), "run-show", {}, choose);
  add(tr("Compare all with this row"), "run-pin", Qt::Key_P, [this] { pinCurrent(); });
  add(tr("Copy as CSV"), "run-copy", QKeySequence::Copy,
      [this] { QGuiApplication::clipboard()->setText(model_->csv()); });
  connect(table_, &QTableView::activated, this, choose);
  connect(filter_, &QLineEdit::textChanged, this, [this, filtered](const QString& text) {
    filtered->setWords(text);
    tellCount();
  });
  connect(every_, &QCheckBox::toggled, this, [this](bool on) {
    model_->setEveryPlan(on);
    tellCount();
  });
  tellCount();
}

void RunTable::setRuns(const std::vector<TimedRun>& runs) {
  const bool first = model_->rowCount() == 0;
  model_->setRuns(runs);
  if (first && model_->rowCount() > 0) table_->resizeColumnsToContents();
  tellCount();
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
  count_->setText(model_->rowCount() == 0
                      ? tr("No runs yet: Sweep times plans")
                      : tr("%1 of %2 rows").arg(shown_->rowCount()).arg(model_->rowCount()));
}

}  // namespace spokelab
