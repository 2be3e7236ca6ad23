// The map's keys and focus, and the place of the plan sliders in it. A cell is (column, row).
#include <QKeyEvent>
#include <QTextDocumentFragment>

#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/core/plot/plot_keys.h"
#include "widgets/profile/charts/plan_map.h"

namespace spokelab {

//
// frame() sets framing_, and rebuild() clears it if the map has no cells. Without the focus the
// frame is not drawn, but the cell is remembered, and focusInEvent() returns to it.

// The candidate in the framed cell; -1: no cell is framed, or its plan has gone.
int PlanMap::framed() const {
  if (!framing_) return -1;
  const auto cell = cells_.cells.find(frame_);
  return cell == cells_.cells.end() ? -1 : cell->second;
}

void PlanMap::frame(std::pair<int, int> cell) {
  frame_ = cell;
  framing_ = true;
  refresh();
  const int candidate = framed();
  if (candidate < 0) return;
  tellReaders(*this, QTextDocumentFragment::fromHtml(detailsOf(candidate)).toPlainText());
  tellPointed(candidate);
}

// Moves the frame to the nearest cell with a plan in the direction, if there is one.
void PlanMap::moveFrame(int columns, int rows) {
  const std::pair<int, int>* nearest = nullptr;
  double nearestDistance = 0;
  for (const auto& [place, candidate] : cells_.cells) {
    const int across = place.first - frame_.first, up = place.second - frame_.second;
    const int ahead = columns * across + rows * up, aside = std::abs(columns * up) + std::abs(rows * across);
    if (ahead <= 0) continue;
    constexpr double straightOn = 4;  // a cell aside counts as 4 cells ahead
    const double distance = ahead + straightOn * aside;
    if (nearest && distance >= nearestDistance) continue;
    nearest = &place;
    nearestDistance = distance;
  }
  if (nearest) frame(*nearest);
}

void PlanMap::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier)) return Chart::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return moveFrame(-1, 0);
    case Qt::Key_Right:
      return moveFrame(1, 0);
    case Qt::Key_Up:
      return moveFrame(0, 1);
    case Qt::Key_Down:
      return moveFrame(0, -1);
    case Qt::Key_Home:
      for (const auto& [place, candidate] : cells_.cells)
        if (candidate == data().best) return frame(std::pair(place));
      return;
    case Qt::Key_Space:
      if (const int candidate = framed(); candidate >= 0) Q_EMIT candidateSelected(candidate);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const int candidate = framed(); candidate >= 0) Q_EMIT candidateChosen(candidate);
      return;
    default:
      Chart::keyPressEvent(event);
  }
}

// Between two columns where alpha is between theirs; in the row that has a plan of this width.
PlaceMark::At PlanMap::placeOf(const PlanPlace& place) const {
  PlaceMark::At at;
  if (rows_ == PlanRows::width && place.width > 0)
    at.y = at.level = std::ceil(place.width * cells_.rowsPerCell) * rowHeight();
  const std::vector<CandidatePath>& columns = cells_.columns;
  std::size_t grid = 0, next = 0;  // columns of the grid, which come first; the first that is not below alpha
  while (grid < columns.size() && columns[grid].isGrid()) ++grid;
  if (grid == 0 || !(place.alpha > 0)) return at;
  while (next < grid && columns[next].alpha < place.alpha) ++next;
  at.x = double(std::min(next, grid - 1));
  if (next > 0 && next < grid)
    at.x -= (columns[next].alpha - place.alpha) / (columns[next].alpha - columns[next - 1].alpha);
  return at;
}

void PlanMap::focusInEvent(QFocusEvent* event) {
  Chart::focusInEvent(event);
  if (cells_.cells.empty() || event->reason() == Qt::MouseFocusReason) return;
  auto start = framing_ && framed() >= 0 ? frame_ : cells_.cells.begin()->first;
  if (!framing_)
    for (const auto& [place, candidate] : cells_.cells)
      if (candidate == (data().selected >= 0 ? data().selected : data().best)) start = place;
  frame(start);
}

void PlanMap::focusOutEvent(QFocusEvent* event) {
  Chart::focusOutEvent(event);
  refresh();
  tellPointed(-1);
}

void PlanMap::leaveEvent(QEvent* event) {
  QCustomPlot::leaveEvent(event);
  tellPointed(hasFocus() ? framed() : -1);
}

}  // namespace spokelab
