#include "widgets/recon/row_delegate.h"

#include <QImage>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace spokelab {
namespace {

constexpr int sideMargin = 8, verticalMargin = 5, markWidth = 3, gap = 6, barHeight = 4, lineGap = 2;
constexpr double smallFontRatio = 0.9;
constexpr double maxValueShare = 0.6;   // of the row
constexpr double unknownBarPart = 0.3;  // of the bar, where the length is unknown

}  // namespace

RowDelegate::RowDelegate(QListView* view) : QStyledItemDelegate(view), view_(view) {
}

QFont RowDelegate::smallFont() const {
  QFont font = view_->font();
  font.setPointSizeF(font.pointSizeF() * smallFontRatio);
  return font;
}

QRect RowDelegate::pictureRect(const QRect& row, const QModelIndex& index) {
  const auto picture = index.data(Qt::DecorationRole).value<QImage>();
  if (picture.isNull()) return {};
  const QRect frame(row.left() + sideMargin + markWidth, row.top() + verticalMargin, rowPicturePixels,
                    rowPicturePixels);
  QRect drawn({}, picture.size().scaled(frame.size(), Qt::KeepAspectRatio));
  drawn.moveCenter(frame.center());
  return drawn;
}

QRect RowDelegate::textRect(const QRect& row, const QModelIndex& index) const {
  QRect rect = row.adjusted(sideMargin + markWidth, verticalMargin, -sideMargin, -verticalMargin);
  if (!index.data(Qt::DecorationRole).isNull()) rect.setLeft(rect.left() + rowPicturePixels + gap);
  const QRect button = buttonRect(row, index);
  if (!button.isEmpty()) rect.setRight(button.left() - gap);
  return rect;
}

QRect RowDelegate::buttonRect(const QRect& row, const QModelIndex& index) const {
  const QString text = index.data(ButtonRole).toString();
  if (text.isEmpty()) return {};
  const QFontMetrics metrics(smallFont());
  const QSize size(metrics.horizontalAdvance(text) + 2 * gap, metrics.height() + gap);
  return {row.right() - sideMargin - size.width() + 1, row.top() + verticalMargin, size.width(),
          size.height()};
}

QRect RowDelegate::valueRect(const QRect& row, const QModelIndex& index) const {
  const QString value = index.data(ValueRole).toString();
  const QRect text = textRect(row, index);
  QFont font = view_->font();
  font.setBold(true);
  const QFontMetrics metrics(font);
  const int arrow = index.data(EditableRole).toBool() ? metrics.height() : 0;
  const int width = std::min(metrics.horizontalAdvance(value) + arrow + 2, int(text.width() * maxValueShare));
  return {text.right() - width + 1, text.top(), width, metrics.height()};
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  painter->save();
  const QPalette& palette = option.palette;
  const bool selected = option.state & QStyle::State_Selected;
  if (selected) painter->fillRect(option.rect, palette.alternateBase());
  const QColor line = palette.color(QPalette::Mid);
  painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), line);
  const QColor mark = index.data(MarkRole).value<QColor>();
  if (mark.isValid()) {
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), markWidth, option.rect.height() - 1),
                      mark);
  }
  if (const QRect picture = pictureRect(option.rect, index); !picture.isEmpty()) {
    painter->setRenderHint(QPainter::SmoothPixmapTransform);
    painter->drawImage(picture, index.data(Qt::DecorationRole).value<QImage>());
  }
  const QRect text = textRect(option.rect, index);
  const QRect value = valueRect(option.rect, index);
  const QFontMetrics metrics(view_->font());
  const QString valueText = index.data(ValueRole).toString();

  painter->setFont(view_->font());
  const QVariant colour = index.data(Qt::ForegroundRole);
  painter->setPen(colour.isValid() ? colour.value<QBrush>().color() : palette.color(QPalette::Text));
  const int titleWidth = valueText.isEmpty() ? text.width() : std::max(0, value.left() - gap - text.left());
  painter->drawText(QRect(text.left(), text.top(), titleWidth, metrics.height()),
                    Qt::AlignLeft | Qt::AlignVCenter,
                    metrics.elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, titleWidth));
  if (!valueText.isEmpty()) {
    QFont bold = view_->font();
    bold.setBold(true);
    painter->setFont(bold);
    const bool editable = index.data(EditableRole).toBool();
    const int arrow = editable ? metrics.height() : 0;
    painter->drawText(value.adjusted(0, 0, -arrow, 0), Qt::AlignRight | Qt::AlignVCenter,
                      QFontMetrics(bold).elidedText(valueText, Qt::ElideRight, value.width() - arrow));
    if (editable) {
      painter->setPen(palette.color(QPalette::PlaceholderText));
      painter->drawText(value, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("▾"));
    }
  }
  int y = text.top() + metrics.height() + lineGap;
  const QString small = index.data(SmallPrintRole).toString();
  if (!small.isEmpty()) {
    painter->setFont(smallFont());
    painter->setPen(palette.color(QPalette::PlaceholderText));
    const QRect area(text.left(), y, text.width(), text.bottom() - y + 1);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, small);
  }
  const QVariant progress = index.data(ProgressRole);
  if (progress.isValid()) {
    const QRect bar(text.left(), text.bottom() - barHeight + 1, text.width(), barHeight);
    painter->fillRect(bar, palette.color(QPalette::Mid));
    const double fraction = progress.toDouble();
    const double part = fraction < 0 ? unknownBarPart : std::clamp(fraction, 0.0, 1.0);
    painter->fillRect(QRect(bar.left(), bar.top(), int(std::lround(part * bar.width())), bar.height()),
                      palette.color(QPalette::Highlight));
  }
  const QRect button = buttonRect(option.rect, index);
  if (!button.isEmpty()) {
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(palette.color(QPalette::Mid).lighter());
    painter->setBrush(palette.button());
    painter->drawRoundedRect(QRectF(button).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter->setFont(smallFont());
    painter->setPen(palette.color(QPalette::ButtonText));
    painter->drawText(button, Qt::AlignCenter, index.data(ButtonRole).toString());
  }
  painter->restore();
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  const int width = view_->viewport()->width();
  const QRect text = textRect(QRect(0, 0, width, 0), index);
  int height = 2 * verticalMargin + QFontMetrics(view_->font()).height();
  const QString small = index.data(SmallPrintRole).toString();
  if (!small.isEmpty()) {
    constexpr int unlimited = 10000;
    height += lineGap + QFontMetrics(smallFont())
                            .boundingRect(QRect(0, 0, std::max(1, text.width()), unlimited),
                                          Qt::AlignLeft | Qt::TextWordWrap, small)
                            .height();
  }
  if (index.data(ProgressRole).isValid()) height += barHeight + gap;
  if (!index.data(Qt::DecorationRole).isNull())
    height = std::max(height, rowPicturePixels + 2 * verticalMargin);
  return {width, height + 1};
}

bool RowDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                              const QModelIndex& index) {
  if (event->type() == QEvent::MouseButtonRelease) {
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (mouse->button() == Qt::LeftButton && buttonRect(option.rect, index).contains(mouse->pos())) {
      Q_EMIT buttonPressed(index);
      return true;
    }
  }
  return QStyledItemDelegate::editorEvent(event, model, option, index);
}

void RowDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex& index) const {
  QRect rect = textRect(option.rect, index);
  rect.setTop(option.rect.top());
  rect.setHeight(editor->sizeHint().height());
  editor->setGeometry(rect);
}

QListView* makeRowList(QWidget* parent) {
  auto* list = new QListView(parent);
  list->setFrameShape(QFrame::NoFrame);
  list->setResizeMode(QListView::Adjust);
  list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list->setUniformItemSizes(false);
  list->setWordWrap(true);
  return list;
}

}  // namespace spokelab
