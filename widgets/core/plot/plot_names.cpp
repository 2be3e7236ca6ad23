#include "widgets/core/plot/plot_names.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace spokelab {
namespace {

constexpr int maxSteps = 8;        // up and down
constexpr double stepShare = 0.5;  // of a name's height

QRectF placeOf(const QCPItemText& text) {
  double left = 0, right = 0, top = 0, bottom = 0;
  bool first = true;
  for (const QCPItemAnchor* corner : {text.topLeft, text.topRight, text.bottomLeft, text.bottomRight}) {
    const QPointF at = corner->pixelPosition();
    left = first ? at.x() : std::min(left, at.x());
    right = first ? at.x() : std::max(right, at.x());
    top = first ? at.y() : std::min(top, at.y());
    bottom = first ? at.y() : std::max(bottom, at.y());
    first = false;
  }
  return {QPointF(left, top), QPointF(right, bottom)};
}

}  // namespace

void PlotNames::add(QCPItemText* text, const QPointF& at) {
  text->position->setCoords(at);
  names_.push_back({text, at});
}

void PlotNames::clear() {
  names_.clear();
  others_.clear();
  bars_.clear();
}

void PlotNames::keepApart(const QRect& area) {
  std::vector<QRectF> takenPlaces;
  for (const QCPItemText* text : others_) takenPlaces.push_back(placeOf(*text));
  const std::vector<QRectF> bars = barPlaces();
  const QRectF room(area);
  for (const auto& [text, at] : names_) {
    text->position->setCoords(at);
    const QPointF home = text->position->pixelPosition();
    const QRectF first = placeOf(*text);
    QPointF inside(std::max(0.0, room.left() - first.left()), std::max(0.0, room.top() - first.top()));
    if (first.right() > room.right()) inside.setX(room.right() - first.right());
    if (first.bottom() > room.bottom()) inside.setY(room.bottom() - first.bottom());
    const auto isFree = [](const std::vector<QRectF>& places, const QRectF& place) {
      return std::none_of(places.begin(), places.end(),
                          [&](const QRectF& other) { return other.intersects(place); });
    };
    const auto placeBeside = [&](bool crossesBars, double aside = 0) -> std::optional<QPointF> {
      const QPointF start = inside + QPointF(aside, 0);
      QPointF by = start;
      // Above tall bars, there may be room far away.
      const int steps = crossesBars ? maxSteps : int(room.height() / (stepShare * first.height())) + 1;
      for (int step = 0; step <= 2 * steps; ++step) {
        const QRectF place = first.translated(by);
        if (room.adjusted(-1, -1, 1, 1).contains(place) && isFree(takenPlaces, place) &&
            (crossesBars || isFree(bars, place)))
          return by;
        const int side = step % 2 == 0 ? 1 : -1;
        by = start + QPointF(0, side * (step / 2 + 1) * stepShare * first.height());
      }
      return std::nullopt;
    };
    std::optional<QPointF> by;
    if (room.contains(home)) by = placeBeside(false);
    // A name of a tall bar that reads upwards has room to its left or right.
    for (const double aside : {-first.width(), first.width()})
      if (!by && room.contains(home) && first.height() > first.width()) by = placeBeside(false, aside);
    if (room.contains(home) && !by) by = placeBeside(true);
    text->setVisible(by.has_value());
    if (!by) continue;
    if (!by->isNull()) text->position->setPixelPosition(home + *by);
    takenPlaces.push_back(first.translated(*by));
  }
}

std::vector<QRectF> PlotNames::barPlaces() const {
  std::vector<QRectF> places;
  if (names_.empty()) return places;
  const QCustomPlot& plot = *names_.front().text->parentPlot();
  const double ground = plot.axisRect()->rect().bottom();
  for (const auto& [x, top, pixels] : bars_) {
    const double at = plot.xAxis->coordToPixel(x), upper = plot.yAxis->coordToPixel(top);
    places.emplace_back(QPointF(at - pixels / 2, std::min(upper, ground)), QPointF(at + pixels / 2, ground));
  }
  return places;
}

std::vector<QRectF> PlotNames::places() const {
  std::vector<QRectF> found;
  for (const auto& [text, at] : names_)
    if (text->visible()) found.push_back(placeOf(*text));
  return found;
}

}  // namespace spokelab
