#include "widgets/profile/runs/run_coordinates.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "widgets/core/candidate_text.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/plot_keys.h"
#include "widgets/core/screen_theme.h"
#include "widgets/profile/runs/profile_data.h"
#include "widgets/profile/runs/run_table_model.h"

namespace spokelab {
namespace {

constexpr int besideAxes = 44, gap = 4, tickPixels = 4, brushHalfWidth = 6, titleWidth = 110;
constexpr int noneRoom = 20;  // below the axes, where lines without a value pass
constexpr double grabPixels = 12, linePixels = 7;
constexpr int fewLines = 24, manyLines = 400, leastOpacity = 70, opaque = 255, fadedOpacity = 60;
constexpr double thin = 1.2, thick = 2.6, markRadius = 3.5;
constexpr int alphaTickDigits = 4, widthTickDigits = 2, errorTickDigits = 2;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

double orNone(double value) {
  return value > 0 ? value : none;
}

// The method of the grid, or the other way to the image.
QString wayOf(const Candidate& plan) {
  const CandidatePath path = pathOf(plan);
  return path.isGrid() ? QString::fromUtf8(methodName(plan.options.spread).data()) : pathTitle(path);
}

double distanceTo(const QPointF& p, const QPointF& a, const QPointF& b) {
  const QPointF along = b - a, to = p - a;
  const double length = QPointF::dotProduct(along, along);
  const double t = length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0;
  const QPointF off = to - t * along;
  return std::sqrt(QPointF::dotProduct(off, off));
}

}  // namespace

RunCoordinates::RunCoordinates(RunTableModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  setObjectName(QStringLiteral("runCoordinates"));
  setAccessibleName(tr("Runs over parallel axes"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  const auto axis = [this](Axis which, const QString& title, AxisScale scale,
                           const std::function<QString(double)>& text) {
    axes_[std::size_t(which)].title = title;
    axes_[std::size_t(which)].scale = scale;
    axes_[std::size_t(which)].text = text;
  };
  axis(alphaAxis, tr("α"), AxisScale::even, [](double v) { return numberLabel(v, alphaTickDigits); });
  axis(widthAxis, tr("W"), AxisScale::even, [](double v) { return numberLabel(v, widthTickDigits); });
  axis(methodAxis, tr("method"), AxisScale::names, {});
  axis(timeAxis, tr("time"), AxisScale::decades, secondsLabel);
  axis(errorAxis, tr("error"), AxisScale::decades, [](double v) { return shortLabel(v, errorTickDigits); });
  followScreenTheme(this, [this] { redraw(); });
  connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
    isRowShown_.clear();
    current_ = -1;
    rebuild();
  });
  connect(&model_, &QAbstractItemModel::dataChanged, this, [this] {
    if (workloadShown() == workload_) return update();  // another row is pinned or under the mouse
    rebuild();
  });
  rebuild();
}

void RunCoordinates::setWanted(std::vector<bool> rows) {
  if (rows == isRowShown_) return;
  isRowShown_ = std::move(rows);
  rebuild();
}

void RunCoordinates::setCurrent(int row) {
  if (row == current_) return;
  current_ = row;
  if (workloadShown() != workload_) return rebuild();
  describe();
  update();
}

std::optional<Workload> RunCoordinates::workloadShown() const {
  if (model_.pinned() >= 0) return model_.workload(model_.pinned());
  if (current_ >= 0 && current_ < model_.rowCount()) return model_.workload(current_);
  std::vector<std::pair<Workload, int>> counts;
  for (int row = 0; row < model_.rowCount(); ++row) {
    const Workload& of = model_.workload(row);
    const auto known =
        std::find_if(counts.begin(), counts.end(), [&](const auto& one) { return one.first == of; });
    if (known == counts.end())
      counts.emplace_back(of, 1);
    else
      ++known->second;
    // The shown one remains where its rows are still there: a brush empties no chart.
    if (workload_ && of == *workload_) return workload_;
  }
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? std::nullopt : std::optional(most->first);
}

void RunCoordinates::rebuild() {
  stale_ = !isVisible();  // a session brings thousands of rows, and other tabs lie above
  if (stale_) return;
  const std::optional<Workload> workload = workloadShown();
  if (workload != workload_)
    for (ParallelAxis& one : axes_) one.brush.reset();
  workload_ = workload;
  lines_.clear();
  ofOthers_ = 0;
  std::map<QString, double> ways;
  for (int row = 0; row < model_.rowCount(); ++row) {
    if (row < int(isRowShown_.size()) && !isRowShown_[std::size_t(row)]) continue;
    if (!(model_.workload(row) == *workload_)) {
      ++ofOthers_;
      continue;
    }
    const Candidate& plan = model_.plan(row);
    ways.emplace(wayOf(plan), 0);
    lines_.push_back({row,
                      {orNone(pathOf(plan).alpha), orNone(plan.options.width), none, orNone(plan.cost()),
                       orNone(candidateError(plan))}});
  }
  QStringList& names = axes_[methodAxis].names;
  const QStringList before = std::exchange(names, {});
  for (auto& [name, number] : ways) {
    number = double(names.size());
    names << name;
  }
  if (names != before) axes_[methodAxis].brush.reset();
  for (Line& line : lines_) line.values[methodAxis] = ways[wayOf(model_.plan(line.row))];
  missing_ = false;
  for (int axis = 0; axis < axes; ++axis) {
    const std::vector<double> values = valuesOf(axis);
    axes_[std::size_t(axis)].cover(values);
    missing_ = missing_ || std::any_of(values.begin(), values.end(), [](double v) { return !(v == v); });
  }
  describe();
  redraw();
}

std::vector<double> RunCoordinates::valuesOf(int axis) const {
  std::vector<double> values;
  for (const Line& line : lines_) values.push_back(line.values[std::size_t(axis)]);
  return values;
}

const RunCoordinates::Line* RunCoordinates::lineOf(int row) const {
  const auto found =
      std::find_if(lines_.begin(), lines_.end(), [row](const Line& l) { return l.row == row; });
  return found == lines_.end() ? nullptr : &*found;
}

void RunCoordinates::setBrush(Axis axis, std::optional<ParallelAxis::Range> range) {
  axes_[std::size_t(axis)].brush = range;
  redraw();
  Q_EMIT brushed();
}

void RunCoordinates::clearBrushes() {
  if (!isBrushed()) return;
  for (ParallelAxis& one : axes_) one.brush.reset();
  redraw();
  Q_EMIT brushed();
}

bool RunCoordinates::isBrushed() const {
  return std::any_of(axes_.begin(), axes_.end(),
                     [](const ParallelAxis& one) { return one.brush.has_value(); });
}

bool RunCoordinates::passes(const Line& line) const {
  for (int axis = 0; axis < axes; ++axis)
    if (!axes_[std::size_t(axis)].passes(line.values[std::size_t(axis)])) return false;
  return true;
}

bool RunCoordinates::passes(int row) const {
  if (!isBrushed()) return true;
  const Line* line = lineOf(row);
  return line && passes(*line);
}

QSize RunCoordinates::minimumSizeHint() const {
  return {axes * 2 * besideAxes, 6 * fontMetrics().height()};
}

double RunCoordinates::xOf(int axis) const {
  return besideAxes + axis * (width() - 2.0 * besideAxes - titleWidth / 4.0) / (axes - 1);
}

double RunCoordinates::placeAt(double y) const {
  const double top = fontMetrics().height() + 3 * gap,
               bottom = height() - 3 * gap - (missing_ ? noneRoom : 0);
  return std::clamp((bottom - y) / std::max(1.0, bottom - top), 0.0, 1.0);
}

double RunCoordinates::yOf(int axis, double value) const {
  const double top = fontMetrics().height() + 3 * gap,
               bottom = height() - 3 * gap - (missing_ ? noneRoom : 0);
  if (!std::isfinite(value)) return bottom + noneRoom - gap;
  return bottom - axes_[std::size_t(axis)].placeOf(value) * (bottom - top);
}

QPointF RunCoordinates::pointOf(int row, Axis axis) const {
  const Line* line = lineOf(row);
  return line ? QPointF(xOf(axis), yOf(axis, line->values[std::size_t(axis)])) : QPointF(-1, -1);
}

int RunCoordinates::axisAt(const QPointF& place) const {
  for (int axis = 0; axis < axes; ++axis)
    if (std::abs(place.x() - xOf(axis)) <= grabPixels) return axis;
  return -1;
}

int RunCoordinates::rowAt(const QPointF& place) const {
  int nearest = -1;
  double least = linePixels;
  for (const Line& line : lines_) {
    if (!passes(line)) continue;
    for (int axis = 0; axis + 1 < axes; ++axis) {
      const QPointF from(xOf(axis), yOf(axis, line.values[std::size_t(axis)]));
      const QPointF to(xOf(axis + 1), yOf(axis + 1, line.values[std::size_t(axis) + 1]));
      if (place.x() < from.x() - linePixels || place.x() > to.x() + linePixels) continue;
      if (const double far = distanceTo(place, from, to); far < least) {
        least = far;
        nearest = line.row;
      }
    }
  }
  return nearest;
}

void RunCoordinates::redraw() {
  drawn_ = QPixmap();
  update();
}

void RunCoordinates::paintLine(QPainter& painter, const Line& line) const {
  QPainterPath path(QPointF(xOf(0), yOf(0, line.values[0])));
  for (int axis = 1; axis < axes; ++axis) path.lineTo(xOf(axis), yOf(axis, line.values[std::size_t(axis)]));
  painter.drawPath(path);
}

void RunCoordinates::paintAxis(QPainter& painter, int axis) const {
  const ChartTheme theme = ChartTheme::onScreen();
  const ParallelAxis& of = axes_[std::size_t(axis)];
  const double x = xOf(axis), top = yOf(axis, of.high), bottom = yOf(axis, of.low);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.muted, 1));
  painter.drawLine(QPointF(x, top), QPointF(x, bottom));
  if (of.brush) {
    QColor fill = theme.selected;
    fill.setAlpha(fadedOpacity);
    const double high = yOf(axis, std::min(of.brush->second, of.high));
    const double low = yOf(axis, std::max(of.brush->first, of.low));
    painter.setPen(QPen(theme.selected, 1));
    painter.setBrush(fill);
    painter.drawRect(QRectF(x - brushHalfWidth, high, 2 * brushHalfWidth, std::max(2.0, low - high)));
  }
  const int high = fontMetrics().height();
  QColor behind = theme.background;
  behind.setAlpha(200);
  const int maxTicks = std::max(2, int((bottom - top) / (1.4 * high)));
  for (const ParallelAxis::Tick& tick : of.ticks(valuesOf(axis), maxTicks)) {
    const double y = bottom - tick.place * (bottom - top);
    painter.setPen(QPen(theme.muted, 1));
    painter.drawLine(QPointF(x, y), QPointF(x + tickPixels, y));
    const QRectF words(x + tickPixels + gap, y - high / 2.0, fontMetrics().horizontalAdvance(tick.text),
                       high);
    painter.fillRect(words, behind);  // lines run below them
    painter.setPen(theme.foreground);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tick.text);
  }
  QFont bold = font();
  bold.setBold(hasFocus() && axis == framed_);
  painter.setFont(bold);
  painter.setPen(theme.foreground);
  painter.drawText(QRectF(x - titleWidth / 2.0, gap, titleWidth, high), Qt::AlignHCenter, of.title);
  painter.setFont(font());
}

// The pinned row, the current one and the one under the mouse, over all others.
void RunCoordinates::paintMarked(QPainter& painter) const {
  const ChartTheme theme = ChartTheme::onScreen();
  const auto mark = [&](int row, const QColor& colour, Qt::PenStyle style) {
    const Line* line = lineOf(row);
    if (!line) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, thick, style));
    paintLine(painter, *line);
    painter.setPen(QPen(theme.background, 1));
    painter.setBrush(colour);
    for (int axis = 0; axis < axes; ++axis)
      painter.drawEllipse(pointOf(row, Axis(axis)), markRadius, markRadius);
  };
  mark(model_.pinned(), theme.foreground, Qt::DashLine);
  mark(current_, theme.selected, Qt::SolidLine);
  if (model_.hovered() >= 0)
    mark(model_.hovered(), theme.ofRun(model_.run(model_.hovered()).number), Qt::SolidLine);
}

void RunCoordinates::paintEvent(QPaintEvent*) {
  const ChartTheme theme = ChartTheme::onScreen();
  if (drawn_.isNull() || drawn_.deviceIndependentSize().toSize() != size()) {
    drawn_ = QPixmap(size() * devicePixelRatio());
    drawn_.setDevicePixelRatio(devicePixelRatio());
    drawn_.fill(theme.background);
    QPainter painter(&drawn_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    const double crowd = std::clamp((double(lines_.size()) - fewLines) / (manyLines - fewLines), 0.0, 1.0);
    for (const bool through : {false, true})
      for (const Line& line : lines_) {
        if (passes(line) != through) continue;
        QColor colour = through ? theme.ofRun(model_.run(line.row).number) : theme.muted;
        colour.setAlpha(through ? int(opaque - crowd * (opaque - leastOpacity)) : fadedOpacity);
        painter.setPen(QPen(colour, thin));
        painter.setBrush(Qt::NoBrush);
        paintLine(painter, line);
      }
    if (!lines_.empty())
      for (int axis = 0; axis < axes; ++axis) paintAxis(painter, axis);
    painter.setPen(theme.muted);
    if (lines_.empty())
      painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                       tr("α, W, method, time and error of each run"));
    else if (missing_)
      painter.drawText(QRectF(gap, height() - noneRoom - gap, besideAxes, noneRoom),
                       Qt::AlignLeft | Qt::AlignVCenter, tr("none"));
  }
  QPainter painter(this);
  painter.drawPixmap(0, 0, drawn_);
  painter.setRenderHint(QPainter::Antialiasing);
  paintMarked(painter);
  painter.end();
  paintFocusFrame(*this);
}

void RunCoordinates::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (stale_) rebuild();
}

void RunCoordinates::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  redraw();
}

}  // namespace spokelab
