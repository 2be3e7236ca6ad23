#include "app/gui/report/replay_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <utility>

#include "widgets/core/screen_size.h"
#include "widgets/core/toned_item.h"

namespace spokelab {
namespace {

constexpr QSize initialSize(860, 560);

}  // namespace

ReplayDialog::ReplayDialog(ReplayComparison comparison, QWidget* parent)
    : QDialog(parent), comparison_(std::move(comparison)) {
  setObjectName(QStringLiteral("replay"));
  setWindowTitle(tr("A report repeated"));
  const int differences = comparison_.differences();
  auto* summary = new QLabel;
  summary->setObjectName(QStringLiteral("replaySummary"));
  summary->setWordWrap(true);
  summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  const QString of = QString::fromStdString(comparison_.of);
  summary->setText(
      differences == 0   ? tr("%1 was reproduced: every number that has to be the same is.").arg(of)
      : differences == 1 ? tr("%1 was not reproduced: one number differs.").arg(of)
                         : tr("%1 was not reproduced: %2 numbers differ.").arg(of).arg(differences));
  table_ = new QTableWidget(int(comparison_.rows.size()), 4);
  table_->setObjectName(QStringLiteral("replayTable"));
  table_->setAccessibleName(tr("Numbers of the report and of its replay"));
  table_->setHorizontalHeaderLabels({tr("Quantity"), tr("Then"), tr("Now"), tr("Verdict")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  for (int i = 0; i < int(comparison_.rows.size()); ++i) {
    const ReplayRow& row = comparison_.rows[std::size_t(i)];
    const bool differs = row.judged && !row.reproduced;
    const QString verdict = row.reproduced ? tr("the same") : differs ? tr("differs") : tr("may differ");
    const QString cells[] = {QString::fromStdString(row.quantity), QString::fromStdString(row.then),
                             QString::fromStdString(row.now), verdict};
    const Tone tone = differs ? Tone::bad : row.judged ? Tone::plain : Tone::muted;
    for (int column = 0; column < 4; ++column) table_->setItem(i, column, new TonedItem(cells[column], tone));
  }
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  for (int column = 1; column < 3; ++column)
    table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
  table_->horizontalHeader()->setSectionResizeMode(3, QHeaderView::ResizeToContents);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* write = buttons->addButton(tr("Write a report of it…"), QDialogButtonBox::ActionRole);
  write->setObjectName(QStringLiteral("write-replay"));
  connect(write, &QPushButton::clicked, this, &ReplayDialog::writeRequested);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(summary);
  column->addWidget(table_, 1);
  column->addWidget(buttons);
  resize(sizeOnScreen(*this, initialSize));
}

bool ReplayDialog::reproduced() const {
  return comparison_.differences() == 0;
}

}  // namespace spokelab
