#include "widgets/core/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace spokelab {
namespace {

bool isSeen(QLayoutItem& item) {
  return item.spacerItem() || !item.isEmpty();
}

}  // namespace

FlowLayout::FlowLayout(QWidget* parent) : QLayout(parent) {
}

FlowLayout::~FlowLayout() {
  for (QLayoutItem* item : items_) delete item;
}

void FlowLayout::addSpacing(int pixels) {
  addItem(new QSpacerItem(pixels, 0, QSizePolicy::Fixed, QSizePolicy::Minimum));
}

void FlowLayout::addStretch() {
  addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding, QSizePolicy::Minimum));
}

void FlowLayout::addItem(QLayoutItem* item) {
  items_.push_back(item);
  invalidate();
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[std::size_t(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  QLayoutItem* item = itemAt(index);
  if (item) items_.erase(items_.begin() + index);
  invalidate();
  return item;
}

std::vector<FlowLayout::Line> FlowLayout::lines(int width) const {
  std::vector<Line> all(1);
  for (QLayoutItem* item : items_) {
    if (!isSeen(*item)) continue;
    all.back().push_back(item);
    if (item->spacerItem() || all.back().size() == 1 || widthOf(all.back()) <= width) continue;
    all.back().pop_back();
    all.push_back({item});
  }
  for (Line& line : all) {
    while (!line.empty() && line.front()->spacerItem()) line.erase(line.begin());
    while (!line.empty() && line.back()->spacerItem()) line.pop_back();
  }
  std::erase_if(all, [](const Line& line) { return line.empty(); });
  return all;
}

int FlowLayout::widthOf(const Line& line) const {
  int width = line.empty() ? 0 : (int(line.size()) - 1) * spacing();
  for (const QLayoutItem* item : line) width += item->sizeHint().width();
  return width;
}

int FlowLayout::heightOf(const Line& line) const {
  int height = 0;
  for (const QLayoutItem* item : line) height = std::max(height, item->sizeHint().height());
  return height;
}

int FlowLayout::heightForWidth(int width) const {
  const QMargins around = contentsMargins();
  const auto rows = lines(width - around.left() - around.right());
  int height = around.top() + around.bottom() + std::max(0, int(rows.size()) - 1) * spacing();
  for (const Line& line : rows) height += heightOf(line);
  return height;
}

QSize FlowLayout::minimumSize() const {
  QSize least;
  for (QLayoutItem* item : items_)
    if (!item->spacerItem() && isSeen(*item)) least = least.expandedTo(item->minimumSize());
  return least.grownBy(contentsMargins());
}

QSize FlowLayout::sizeHint() const {
  const auto all = lines(QWIDGETSIZE_MAX);
  if (all.empty()) return QSize(0, 0).grownBy(contentsMargins());
  return QSize(widthOf(all.front()), heightOf(all.front())).grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  const QRect inside = rect.marginsRemoved(contentsMargins());
  int top = inside.top();
  for (const Line& line : lines(inside.width())) {
    const int height = heightOf(line);
    place(line, {inside.left(), top, inside.width(), height});
    top += height + spacing();
  }
}

void FlowLayout::place(const Line& line, const QRect& rect) const {
  const auto expands = [](const QLayoutItem* item) {
    return item->expandingDirections().testFlag(Qt::Horizontal);
  };
  int left = rect.left(), spare = rect.width() - widthOf(line);
  auto takers = int(std::count_if(line.begin(), line.end(), expands));
  for (QLayoutItem* item : line) {
    QSize size = item->sizeHint();
    if (expands(item) && spare > 0) {
      const int share = spare / takers--;
      size.rwidth() += share;
      spare -= share;
    }
    size = size.boundedTo({rect.width(), rect.height()});
    item->setGeometry({QPoint(left, rect.top() + (rect.height() - size.height()) / 2), size});
    left += size.width() + spacing();
  }
}

}  // namespace spokelab
