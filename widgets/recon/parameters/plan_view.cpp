#include "widgets/recon/parameters/plan_view.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

#include "widgets/recon/parameters/plan_model.h"

namespace spokelab {
namespace {

constexpr int sideMargin = 8, nameMargin = 2, verticalMargin = 2, headingGap = 6;
constexpr double nameColumnShare = 0.36;  // of the width
constexpr int barOpacity = 110;           // of 255

class PlanDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    const bool heading = index.data(HeadingRole).toBool();
    const QVariant fraction = index.data(FractionRole);
    if (index.column() == 1 && fraction.isValid()) {
      QColor colour = index.data(ColourRole).value<QColor>();
      colour.setAlpha(barOpacity);
      QRect bar = option.rect.adjusted(0, 1, -sideMargin, -1);
      bar.setWidth(int(std::lround(std::clamp(fraction.toDouble(), 0.0, 1.0) * bar.width())));
      painter->fillRect(bar, colour);
    }
    QFont font = option.font;
    font.setBold(heading);
    painter->setFont(font);
    const bool name = index.column() == 0 && !heading;
    painter->setPen(option.palette.color(name ? QPalette::PlaceholderText : QPalette::Text));
    painter->drawText(textRect(option.rect, index), Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop,
                      index.data().toString());
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto* view = static_cast<const QTableView*>(option.widget);
    const int width = view ? view->columnWidth(index.column()) : option.rect.width();
    constexpr int unlimited = 10000;
    const QRect area = textRect(QRect(0, 0, width, unlimited), index);
    const int height = QFontMetrics(option.font)
                           .boundingRect(QRect(0, 0, std::max(1, area.width()), unlimited),
                                         Qt::TextWordWrap | Qt::AlignLeft, index.data().toString())
                           .height();
    const int least = QFontMetrics(option.font).height();
    return {width, std::max(height, least) + 2 * verticalMargin +
                       (index.data(HeadingRole).toBool() ? headingGap : 0)};
  }

 private:
  static QRect textRect(const QRect& cell, const QModelIndex& index) {
    const int above = verticalMargin + (index.data(HeadingRole).toBool() ? headingGap : 0);
    return cell.adjusted(index.column() == 0 ? sideMargin : 4, above,
                         index.column() == 0 ? -nameMargin : -sideMargin, -verticalMargin);
  }
};

}  // namespace

PlanView::PlanView(QWidget* parent) : QTableView(parent) {
  model_ = new PlanModel(this);
  setModel(model_);
  setItemDelegate(new PlanDelegate(this));
  setAccessibleName(tr("Plan of the result"));
  setFrameShape(QFrame::NoFrame);
  setShowGrid(false);
  setSelectionMode(QAbstractItemView::NoSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  horizontalHeader()->hide();
  horizontalHeader()->setMinimumSectionSize(1);
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(1);
}

void PlanView::setResult(std::shared_ptr<const Reconstruction> result) {
  model_->setResult(std::move(result));
  span();
}

void PlanView::setJob(std::vector<std::pair<std::string, std::string>> rows) {
  model_->setJob(std::move(rows));
  span();
}

void PlanView::span() {
  clearSpans();
  for (int row = 0; row < model_->rowCount(); ++row) {
    if (model_->index(row, 0).data(HeadingRole).toBool()) setSpan(row, 0, 1, 2);
  }
  layOut();
}

void PlanView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  layOut();
}

void PlanView::layOut() {
  const int width = viewport()->width();
  int first = int(std::lround(width * nameColumnShare));
  for (int row = 0; row < model_->rowCount(); ++row) {
    const QModelIndex name = model_->index(row, 0);
    if (name.data(HeadingRole).toBool()) continue;
    for (const QString& word : name.data().toString().split(QLatin1Char(' ')))
      first = std::max(first, fontMetrics().horizontalAdvance(word) + sideMargin + nameMargin);
  }
  first = std::min(first, width / 2);
  setColumnWidth(0, first);
  setColumnWidth(1, width - first);
  resizeRowsToContents();
}

}  // namespace spokelab
