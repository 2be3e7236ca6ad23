#include "widgets/recon/field_bench_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr int inset = 6, tableWidth = 560, rowHeight = 24;
enum Column {
  nameColumn,
  segmentColumn,
  transformColumn,
  imageColumn,
  normalColumn,
  iterationColumn,
  columns
};

QTableWidgetItem* cell(const QString& text, bool number) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
  if (number) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return item;
}

}  // namespace

FieldBenchView::FieldBenchView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("fieldBenchView"));
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(inset, 2, inset, inset);
  auto* bar = new QHBoxLayout;
  run_ = new QToolButton;
  run_->setObjectName(QStringLiteral("runFieldBench"));
  run_->setText(tr("Compare corrections"));
  run_->setToolTip(tr("Reconstruct with exact sums, each segmented transform and without correction"));
  connect(run_, &QToolButton::clicked, this, &FieldBenchView::runRequested);
  status_ = new QLabel(tr("Needs a field map and the times of the samples"));
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  bar->addWidget(run_);
  bar->addWidget(status_, 1);
  column->addLayout(bar);
  table_ = new QTableWidget(0, columns);
  table_->setObjectName(QStringLiteral("fieldBenchTable"));
  table_->setAccessibleName(tr("Field corrections"));
  table_->setHorizontalHeaderLabels({tr("correction"), tr("segments"), tr("transform error"),
                                     tr("image error"), tr("time per coil"), tr("iterations")});
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(rowHeight);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  connect(table_, &QTableWidget::currentCellChanged, this, [this](int row) { showRow(row); });
  column->addWidget(table_, 1);

  auto* right = new QWidget;
  auto* grid = new QGridLayout(right);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(2);
  for (const View which : {exactView, approximationView, differenceView}) {
    views_[which] = new SliceView;
    views_[which]->setReadoutVisible(false);
    views_[which]->setCursorVisible(false);
    captions_[which] = new ElidedLabel({});
    captions_[which]->setProperty("role", "heading");
    captions_[which]->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    grid->addWidget(captions_[which], 0, which);
    grid->addWidget(views_[which], 1, which);
    connect(views_[which], &SliceView::cursorMoved, this, [this, which](const Index3& index) {
      for (SliceView* view : views_)
        if (view != views_[which]) view->setCursorIndex(index);
    });
  }
  grid->setRowStretch(1, 1);
  auto* splitter = new QSplitter;
  splitter->addWidget(left);
  splitter->addWidget(right);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({tableWidth, 2 * tableWidth});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(splitter);
  showRow(-1);
}

void FieldBenchView::start() {
  rows_.clear();
  table_->setRowCount(0);
  run_->setEnabled(false);
  status_->setText(tr("Exact sums first…"));
  showRow(-1);
}

void FieldBenchView::addRow(const FieldBenchRow& row) {
  const int at = table_->rowCount();
  rows_.push_back(row);
  table_->insertRow(at);
  table_->setItem(at, nameColumn, cell(QString::fromStdString(row.name), false));
  const bool there = row.refused.empty();
  const auto set = [&](Column column, const QString& text) {
    table_->setItem(at, column, cell(there ? text : QStringLiteral("–"), true));
  };
  set(segmentColumn, row.segments > 0 ? QString::number(row.segments) : QString());
  set(transformColumn, errorLabel(row.transformError));
  set(imageColumn, at == 0 ? tr("reference") : errorLabel(row.imageError));
  set(normalColumn, secondsLabel(row.normalSeconds));
  set(iterationColumn, secondsLabel(row.iterationSeconds));
  const QString help = QString::fromStdString(there ? row.transform : row.refused);
  for (int c = 0; c < columns; ++c) table_->item(at, c)->setToolTip(help);
  status_->setText(tr("%1 done").arg(QString::fromStdString(row.name)));
  if (there) select(at);
}

void FieldBenchView::finish() {
  run_->setEnabled(true);
  status_->setText(rows_.empty() ? tr("Nothing was compared") : tr("A row's image beside the exact one"));
}

void FieldBenchView::select(int row) {
  table_->setCurrentCell(row, nameColumn);
  table_->selectRow(row);
}

void FieldBenchView::showRow(int row) {
  const bool there = row >= 0 && row < int(rows_.size()) && rows_[std::size_t(row)].image;
  const FieldBenchRow* chosen = there ? &rows_[std::size_t(row)] : nullptr;
  const auto exact = rows_.empty() ? nullptr : rows_.front().image;
  views_[exactView]->setImage(exact);
  views_[approximationView]->setImage(chosen ? chosen->image : nullptr);
  views_[differenceView]->setImage(chosen ? chosen->difference : nullptr);
  if (exact) {
    const DisplayWindows windows = fittingWindows(*exact, 0);
    for (const View which : {exactView, approximationView}) views_[which]->setWindows(windows);
    for (SliceView* view : views_) view->setPlane(nativePlane(pixelAxes(*exact)));
  }
  captions_[exactView]->setWhole(tr("Exact"));
  captions_[approximationView]->setWhole(chosen ? QString::fromStdString(chosen->name) : QString());
  captions_[differenceView]->setWhole(
      chosen && row > 0 ? tr("Difference, %1").arg(errorLabel(chosen->imageError)) : tr("Difference"));
}

}  // namespace spokelab
