#include "app/gui/features/profile/baseline_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>

#include "engine/profile/baseline/baseline.h"
#include "engine/profile/baseline/baseline_compare.h"
#include "widgets/core/screen_size.h"
#include "widgets/core/toned_item.h"

namespace spokelab {
namespace {

constexpr QSize initialBaselineSize(980, 560);

enum Column {
  verdictColumn,
  planColumn,
  quantityColumn,
  beforeColumn,
  afterColumn,
  ratioColumn,
  pColumn,
  columns
};

QString milliseconds(double seconds, double spread) {
  return BaselineDialog::tr("%1 ms ± %2%").arg(seconds * 1e3, 0, 'g', 4).arg(spread * 100, 0, 'f', 1);
}

QString verdictText(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return BaselineDialog::tr("faster");
    case Verdict::slower:
      return BaselineDialog::tr("slower");
    case Verdict::noDifference:
      return BaselineDialog::tr("no difference");
    case Verdict::undecided:
      return BaselineDialog::tr("cannot tell");
    case Verdict::notCompared:
      return BaselineDialog::tr("not compared");
  }
  return {};
}

QStringList cellsOf(const BaselineRow& row) {
  const QString name = QString::fromStdString(row.name);
  if (!row.note.empty())
    return {verdictText(row.verdict),
            name,
            QString::fromStdString(row.note),
            QString(),
            QString(),
            QString(),
            QString()};
  return {verdictText(row.verdict),
          name,
          QString::fromStdString(row.quantity),
          milliseconds(row.before, row.spreadBefore),
          milliseconds(row.after, row.spreadAfter),
          std::isfinite(row.test.high)
              ? BaselineDialog::tr("%1 (%2 to %3)")
                    .arg(row.test.ratio, 0, 'f', 3)
                    .arg(row.test.low, 0, 'f', 3)
                    .arg(row.test.high, 0, 'f', 3)
              : BaselineDialog::tr("%1 (too few repeats)").arg(row.test.ratio, 0, 'f', 3),
          QString::number(row.corrected, 'g', 2)};
}

Tone toneOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::slower:
      return Tone::bad;
    case Verdict::faster:
      return Tone::good;
    case Verdict::noDifference:
      return Tone::plain;
    case Verdict::undecided:
    case Verdict::notCompared:
      break;
  }
  return Tone::muted;
}

}  // namespace

BaselineDialog::BaselineDialog(std::shared_ptr<const BaselineComparison> comparison,
                               std::shared_ptr<const Baseline> after, QWidget* parent)
    : QDialog(parent), comparison_(std::move(comparison)), baseline_(std::move(after)) {
  setObjectName(QStringLiteral("baseline"));
  setWindowTitle(
      tr("%1 beside %2")
          .arg(QString::fromStdString(comparison_->after), QString::fromStdString(comparison_->before)));
  auto* summary = new QLabel(QString::fromStdString(comparison_->summary()));
  summary->setObjectName(QStringLiteral("baselineSummary"));
  summary->setWordWrap(true);
  summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  std::vector<BaselineRow> rows = comparison_->rows;
  if (comparison_->control.repeatsAfter > 0) rows.push_back(comparison_->control);
  table_ = new QTableWidget(int(rows.size()), columns);
  table_->setObjectName(QStringLiteral("baselineTable"));
  table_->setAccessibleName(tr("Verdict for each plan"));
  table_->setHorizontalHeaderLabels({tr("Verdict"), tr("Plan"), tr("What"), tr("Before"), tr("After"),
                                     tr("Ratio, 95% interval"), tr("p (Holm)")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  for (int i = 0; i < int(rows.size()); ++i) {
    const BaselineRow& row = rows[std::size_t(i)];
    const QStringList cells = cellsOf(row);
    for (int column = 0; column < columns; ++column) {
      auto* item = new TonedItem(cells[column], toneOf(row.verdict));
      if (column >= beforeColumn) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(i, column, item);
    }
    if (!row.note.empty()) table_->setSpan(i, quantityColumn, 1, columns - quantityColumn);
  }
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(planColumn, QHeaderView::Stretch);
  QStringList notes;
  for (const std::string& wrong : comparison_->wrong)
    notes << tr("Less accurate than promised: %1").arg(QString::fromStdString(wrong));
  for (const std::string& difference : comparison_->differences) notes << QString::fromStdString(difference);
  if (baseline_ && baseline_->origin.count("load") > 0)
    notes << tr("load: %1").arg(QString::fromStdString(baseline_->origin.at("load")));
  auto* differing = new QLabel(notes.join(QLatin1Char('\n')));
  differing->setObjectName(QStringLiteral("baselineNotes"));
  differing->setWordWrap(true);
  differing->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  if (baseline_) {
    auto* keep = buttons->addButton(tr("Keep these timings…"), QDialogButtonBox::ActionRole);
    keep->setObjectName(QStringLiteral("keep-timings"));
    connect(keep, &QPushButton::clicked, this, &BaselineDialog::keepRequested);
  }
  auto* save = buttons->addButton(tr("Save the table…"), QDialogButtonBox::ActionRole);
  save->setObjectName(QStringLiteral("save-table"));
  connect(save, &QPushButton::clicked, this, &BaselineDialog::tableRequested);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(summary);
  column->addWidget(table_, 1);
  column->addWidget(differing);
  column->addWidget(buttons);
  resize(sizeOnScreen(*this, initialBaselineSize));
}

}  // namespace spokelab
