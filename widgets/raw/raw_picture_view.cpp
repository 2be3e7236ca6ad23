#include "widgets/raw/raw_picture_view.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "widgets/core/colour_map.h"
#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/plot_keys.h"

namespace spokelab {
namespace {

constexpr double decades = 4;  // of the logarithmic scale, below the largest magnitude
constexpr int legendLength = 96, legendHeight = 8, ticks = 5, labelGap = 4;

// A round step that puts about five ticks on a span.
std::int64_t tickStep(std::int64_t span) {
  const double raw = double(span) / ticks, power = std::pow(10, std::floor(std::log10(std::max(1.0, raw))));
  for (const double m : {1.0, 2.0, 5.0})
    if (raw <= m * power) return std::int64_t(m * power);
  return std::int64_t(10 * power);
}

double leftOf(const QFontMetrics& metrics) {
  return metrics.horizontalAdvance(QStringLiteral("888888")) + metrics.height() + labelGap;
}

}  // namespace

RawPictureView::RawPictureView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  followScreenTheme(this, [this] {
    image_ = colours();
    update();
  });
}

void RawPictureView::setAxes(const QString& x, const QString& y) {
  x_ = x;
  y_ = y;
  update();
}

void RawPictureView::setHint(const QString& hint) {
  hint_ = hint;
  update();
}

void RawPictureView::setPicture(RawPicture picture) {
  picture_ = std::move(picture);
  stale_ = false;
  measure();
}

void RawPictureView::setScale(RawScale scale) {
  if (scale == scale_) return;
  scale_ = scale;
  measure();
}

void RawPictureView::setSquareCells(bool square) {
  square_ = square;
  update();
}

void RawPictureView::invalidate() {
  stale_ = true;
  update();
}

void RawPictureView::setPlace(const std::optional<Cell>& place) {
  place_ = place;
  update();
}

void RawPictureView::setChosen(std::vector<char> columns, std::vector<char> rows) {
  chosenColumns_ = std::move(columns);
  chosenRows_ = std::move(rows);
  update();
}

void RawPictureView::measure() {
  float largest = 0;
  for (const cfloat& v : picture_.values)
    if (std::isfinite(v.real())) largest = std::max(largest, std::norm(v));
  high_ = largest > 0 ? std::sqrt(double(largest)) : 1;
  low_ = scale_ == RawScale::logarithmic ? high_ * std::pow(10, -decades) : 0;
  image_ = colours();
  update();
}

QImage RawPictureView::colours() const {
  if (picture_.values.empty()) return {};
  QImage image(picture_.width, picture_.height, QImage::Format_RGB32);
  const ColourMap& map = ColourMap::sequential(mapColours());
  const QRgb missing = ImageTheme::background().rgb();
  for (int y = 0; y < picture_.height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < picture_.width; ++x) {
      const cdouble value = picture_.at(x, y);
      const double magnitude = std::abs(value);
      if (!std::isfinite(magnitude))
        line[x] = missing;
      else if (scale_ == RawScale::phase)
        line[x] = ColourMap::phaseColour(std::arg(value));
      else if (scale_ == RawScale::linear)
        line[x] = map.at(magnitude / high_);
      else
        line[x] = map.at(1 + std::log10(std::max(magnitude, low_) / high_) / decades);
    }
  }
  return image;
}

QSizeF RawPictureView::room() const {
  const QFontMetrics metrics(ImageTheme::smallFont(font()));
  const double below = 2.0 * metrics.height() + labelGap;
  return {std::max(1.0, width() - leftOf(metrics) - ImageTheme::inset),
          std::max(1.0, height() - below - ImageTheme::inset)};
}

QRectF RawPictureView::plotArea() const {
  QSizeF size = room();
  if (square_ && picture_.columns > 0 && picture_.rows > 0)
    size = QSizeF(double(picture_.columns), double(picture_.rows)).scaled(size, Qt::KeepAspectRatio);
  return {QPointF(leftOf(QFontMetrics(ImageTheme::smallFont(font()))), ImageTheme::inset), size};
}

QPointF RawPictureView::pointOf(const Cell& cell) const {
  const QRectF area = plotArea();
  return {area.left() + (double(cell.column) + 0.5) * area.width() /
                            double(std::max<std::int64_t>(1, picture_.columns)),
          area.top() +
              (double(cell.row) + 0.5) * area.height() / double(std::max<std::int64_t>(1, picture_.rows))};
}

std::optional<RawPictureView::Cell> RawPictureView::cellAt(const QPointF& point) const {
  const QRectF area = plotArea();
  if (picture_.values.empty() || !area.contains(point)) return std::nullopt;
  const auto place = [](double from, double length, std::int64_t count, double at) {
    return std::clamp<std::int64_t>(std::int64_t((at - from) / length * double(count)), 0, count - 1);
  };
  return Cell{place(area.left(), area.width(), picture_.columns, point.x()),
              place(area.top(), area.height(), picture_.rows, point.y())};
}

void RawPictureView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ImageTheme::background());
  painter.setFont(ImageTheme::smallFont(font()));
  const QRectF area = plotArea();
  if (stale_) {
    stale_ = false;
    const double ratio = devicePixelRatioF();
    Q_EMIT wanted({int(area.width() * ratio), int(area.height() * ratio)});
  }
  if (image_.isNull()) {
    painter.setPen(ImageTheme::hint());
    painter.drawText(rect().adjusted(ImageTheme::inset, 0, -ImageTheme::inset, 0),
                     Qt::AlignCenter | Qt::TextWordWrap, hint_);
    return;
  }
  painter.drawImage(area, image_);
  paintUnchosen(painter, area);
  paintAxes(painter, area);
  paintLegend(painter);
  if (place_) {
    const QPointF at = pointOf(*place_);
    painter.setPen(QPen(ImageTheme::letters(), 1));
    painter.drawLine(QPointF(area.left(), at.y()), QPointF(area.right(), at.y()));
    painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()));
  }
  if (hasFocus()) {
    painter.setPen(ImageTheme::focus());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

// Bands of numbers that are not chosen, each drawn once.
void RawPictureView::paintUnchosen(QPainter& painter, const QRectF& area) const {
  constexpr int shade = 170;
  const auto bands = [](const std::vector<char>& chosen, const auto& draw) {
    for (std::size_t i = 0; i < chosen.size();) {
      std::size_t end = i;
      while (end < chosen.size() && !chosen[end]) ++end;
      if (end > i) draw(double(i) / double(chosen.size()), double(end) / double(chosen.size()));
      i = std::max(end, i + 1);
    }
  };
  const QColor dark(0, 0, 0, shade);
  bands(chosenRows_, [&](double from, double to) {
    painter.fillRect(
        QRectF(area.left(), area.top() + from * area.height(), area.width(), (to - from) * area.height()),
        dark);
  });
  bands(chosenColumns_, [&](double from, double to) {
    painter.fillRect(
        QRectF(area.left() + from * area.width(), area.top(), (to - from) * area.width(), area.height()),
        dark);
  });
}

void RawPictureView::paintAxes(QPainter& painter, const QRectF& area) const {
  const QFontMetrics metrics = painter.fontMetrics();
  painter.setPen(ImageTheme::frame());
  painter.drawRect(area);
  painter.setPen(ImageTheme::hint());
  const double lineHeight = metrics.height();
  for (std::int64_t c = 0; c < picture_.columns; c += tickStep(picture_.columns)) {
    const double x = pointOf({c, 0}).x();
    painter.drawText(QRectF(x - area.width() / 2, area.bottom() + 1, area.width(), lineHeight),
                     Qt::AlignHCenter | Qt::AlignTop, QString::number(c));
  }
  for (std::int64_t r = 0; r < picture_.rows; r += tickStep(picture_.rows)) {
    const double y = pointOf({0, r}).y();
    painter.drawText(QRectF(0, y - lineHeight / 2, area.left() - labelGap, lineHeight),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(r));
  }
  painter.setPen(ImageTheme::text());
  painter.drawText(QRectF(area.left(), area.bottom() + lineHeight, room().width(), lineHeight),
                   Qt::AlignLeft | Qt::AlignTop, x_);
  painter.save();
  painter.translate(0, area.bottom());
  painter.rotate(-90);
  painter.drawText(QRectF(0, 0, area.height(), lineHeight), Qt::AlignHCenter | Qt::AlignTop,
                   metrics.elidedText(y_, Qt::ElideRight, int(area.height())));
  painter.restore();
}

void RawPictureView::paintLegend(QPainter& painter) const {
  const bool phase = scale_ == RawScale::phase;
  const QFontMetrics metrics = painter.fontMetrics();
  const QString high = phase ? QStringLiteral("π") : valueText(high_);
  const QString low = phase ? QStringLiteral("−π") : valueText(low_);
  const double lineHeight = metrics.height(), top = height() - lineHeight - 1;
  const double end = width() - ImageTheme::inset - metrics.horizontalAdvance(high) - labelGap;
  const QRectF bar(end - legendLength, top + (lineHeight - legendHeight) / 2, legendLength, legendHeight);
  for (int x = 0; x < legendLength; ++x) {
    const double fraction = double(x) / (legendLength - 1);
    painter.fillRect(QRectF(bar.left() + x, bar.top(), 1, bar.height()),
                     QColor(phase ? ColourMap::phaseColour((2 * fraction - 1) * std::numbers::pi)
                                  : ColourMap::sequential(mapColours()).at(fraction)));
  }
  painter.setPen(ImageTheme::text());
  painter.drawText(QRectF(end + labelGap, top, width(), lineHeight), Qt::AlignLeft | Qt::AlignVCenter, high);
  painter.drawText(QRectF(0, top, bar.left() - labelGap, lineHeight), Qt::AlignRight | Qt::AlignVCenter, low);
}

void RawPictureView::resizeEvent(QResizeEvent*) {
  if (!image_.isNull()) invalidate();
}

void RawPictureView::mousePressEvent(QMouseEvent* event) {
  const auto cell = cellAt(event->position());
  if (event->button() != Qt::LeftButton || !cell) return;
  if (event->modifiers() & Qt::ControlModifier) {
    Q_EMIT toggled(cell->column, cell->row);
    return;
  }
  place_ = cell;
  update();
  Q_EMIT placed(cell->column, cell->row);
}

void RawPictureView::mouseMoveEvent(QMouseEvent* event) {
  const auto cell = cellAt(event->position());
  if (event->buttons() & Qt::LeftButton && cell && cell != place_ &&
      !(event->modifiers() & Qt::ControlModifier)) {
    place_ = cell;
    update();
    Q_EMIT placed(cell->column, cell->row);
  }
  if (cell == hovered_) return;
  hovered_ = cell;
  Q_EMIT hovered(cell ? cell->column : -1, cell ? cell->row : -1);
}

void RawPictureView::leaveEvent(QEvent*) {
  if (!std::exchange(hovered_, std::nullopt)) return;
  Q_EMIT hovered(-1, -1);
}

void RawPictureView::keyPressEvent(QKeyEvent* event) {
  if (picture_.values.empty()) return QWidget::keyPressEvent(event);
  const PlotKey key = plotKeyOf(*event);
  if (const QPoint arrow = arrowOf(key); !arrow.isNull()) return go(arrow.x(), arrow.y());
  if (key == PlotKey::previous || key == PlotKey::next)
    return go(0, (key == PlotKey::next ? 1 : -1) * std::max<std::int64_t>(1, picture_.rows / 10));
  if (key == PlotKey::pick && place_ && (event->modifiers() & Qt::ControlModifier)) {
    Q_EMIT toggled(place_->column, place_->row);
    return;
  }
  QWidget::keyPressEvent(event);
}

void RawPictureView::go(std::int64_t columns, std::int64_t rows) {
  const Cell from = place_.value_or(Cell{});
  place_ = Cell{std::clamp<std::int64_t>(from.column + columns, 0, picture_.columns - 1),
                std::clamp<std::int64_t>(from.row + rows, 0, picture_.rows - 1)};
  update();
  Q_EMIT placed(place_->column, place_->row);
}

}  // namespace spokelab
