#include "widgets/recon/difference_table.h"

#include <QHeaderView>

#include <cmath>

#include "engine/recon/run/result_text.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/check/resample_image.h"
#include "widgets/core/number_text.h"

namespace spokelab {

DifferenceTable::DifferenceTable(QWidget* parent) : QTreeWidget(parent) {
  setObjectName(QStringLiteral("result-differences"));
  setAccessibleName(tr("Differences between two results"));
  setFrameShape(QFrame::NoFrame);
  setRootIsDecorated(false);
  setAllColumnsShowFocus(true);
  setColumnCount(3);
  constexpr int minRows = 8;
  setMinimumHeight(minRows * fontMetrics().lineSpacing());  // the dock scrolls
  header()->setSectionResizeMode(QHeaderView::Stretch);
  header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
}

void DifferenceTable::addRow(const QString& what, const QString& left, const QString& right) {
  auto* row = new QTreeWidgetItem(this, {what, left, right});
  for (int column = 0; column < columnCount(); ++column) row->setToolTip(column, row->text(column));
}

void DifferenceTable::setResults(const HistoryEntry& left, const HistoryEntry& right) {
  clear();
  const auto title = [](const HistoryEntry& entry) {
    return QStringLiteral("%1  %2").arg(entry.id).arg(titleOf(entry));
  };
  setHeaderLabels({tr("Differs"), tr("Result %1").arg(left.id), tr("Result %1").arg(right.id)});
  headerItem()->setToolTip(1, title(left));
  headerItem()->setToolTip(2, title(right));
  for (const ResultDifference& row : resultDifferences(*left.result, *right.result))
    addRow(QString::fromStdString(row.what), QString::fromStdString(row.left),
           QString::fromStdString(row.right));
  distance_.drop();
  const auto &a = left.result->image, &b = right.result->image;
  if (!a || !b || !gridObstacle(*b, *a).empty()) return;
  distance_.start([a, b](std::stop_token stop) { return nrmse(*a, *onGridOf(*a, b, Progress(stop))); },
                  [this](double distance) {
                    if (std::isfinite(distance)) addRow(tr("Images (NRMSE)"), errorLabel(distance), {});
                  });
}

}  // namespace spokelab
