#include "widgets/profile/stage_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>

#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/core/tip_at.h"

namespace spokelab {
namespace {

constexpr int stageInset = 10, barTop = 4, stageBarHeight = 30, tick = 5;
// Narrower bars are left out.
constexpr double minStagePixels = 0.5;
constexpr double giga = 1e9, mega = 1e6;

// About five round steps up to the whole.
double roundStep(double whole) {
  const double raw = whole / 5, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double step : {1.0, 2.0, 5.0})
    if (raw <= step * power) return step * power;
  return 10 * power;
}

QString bandwidthText(double bytesPerSecond) {
  return StageView::tr("%1 GB/s").arg(fixedLabel(bytesPerSecond / giga, bytesPerSecond < giga ? 2 : 1));
}

// A stage faster than the memory works in the caches: its rate does not tell the memory.
QString shareText(double share) {
  constexpr double cached = 1.1;
  if (share > cached) return StageView::tr("> 100 % (caches)");
  return QStringLiteral("%1 %").arg(fixedLabel(100 * share, 0));
}

}  // namespace

double stageSeconds(const StageTimings& timings, int stage) {
  if (stage < stageCount) return timings.seconds[std::size_t(stage)];
  return std::max(0.0, timings.unaccounted());
}

QString stageTitle(int stage) {
  static const char* const titles[] = {QT_TRANSLATE_NOOP("spokelab::StageView", "Sort"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "Zero"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "Spread"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "FFT"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "Deapodize"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "Interpolate"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "Multiply"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "Transfer"),
                                       QT_TRANSLATE_NOOP("spokelab::StageView", "Not accounted for")};
  return StageView::tr(titles[stage]);
}

QColor stageColour(int stage) {
  const ChartTheme theme = ChartTheme::onScreen();
  if (stage == int(Stage::fft)) return theme.fft;
  if (stage == int(Stage::spread)) return theme.interpolation;
  if (stage == int(Stage::interpolate)) return theme.interpolation.lighter(125);
  if (stage >= stageCount) return theme.grid;
  static const QColor others[] = {{104, 150, 120}, {112, 118, 128}, {}, {}, {150, 128, 180}, {},
                                  {120, 160, 176}, {176, 120, 128}};
  return others[stage];
}

// --- the bar

StageBar::StageBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("stageBar"));
  setAccessibleName(tr("Stages on a time line"));
  setMouseTracking(true);
}

void StageBar::setTimings(const StageTimings& timings, const QString& rest) {
  timings_ = timings;
  restTitle_ = rest;
  update();
}

QString StageBar::titleOf(int stage) const {
  if (stage == int(Stage::fft) && timings_.multiplyInFft) return tr("FFT and multiply");
  return stage == stageCount && !restTitle_.isEmpty() ? restTitle_ : stageTitle(stage);
}

QRectF StageBar::segment(int stage) const {
  double whole = 0, before = 0;
  for (int s = 0; s <= stageCount; ++s) {
    const double seconds = stageSeconds(timings_, s);
    whole += seconds;
    if (s < stage) before += seconds;
  }
  if (!(whole > 0) || stage < 0 || stage > stageCount) return {};
  const double room = width() - 2 * stageInset;
  const double wide = room * stageSeconds(timings_, stage) / whole;
  if (wide < minStagePixels) return {};
  return {stageInset + room * before / whole, double(barTop), wide, double(stageBarHeight)};
}

int StageBar::stageAt(const QPoint& position) const {
  for (int s = 0; s <= stageCount; ++s)
    if (segment(s).contains(position)) return s;
  return -1;
}

void StageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ChartTheme theme = ChartTheme::onScreen();
  painter.fillRect(rect(), theme.background);
  double totalSeconds = 0;
  for (int s = 0; s <= stageCount; ++s) totalSeconds += stageSeconds(timings_, s);
  if (!(totalSeconds > 0)) return;
  for (int s = 0; s <= stageCount; ++s) {
    const QRectF area = segment(s);
    if (area.isEmpty()) continue;
    painter.fillRect(area, stageColour(s));
    const QString text = titleOf(s);
    if (painter.fontMetrics().horizontalAdvance(text) + stageInset > area.width()) continue;
    painter.setPen(ChartTheme::textOn(stageColour(s)));
    painter.drawText(area, Qt::AlignCenter, text);
  }
  const double y = barTop + stageBarHeight, room = width() - 2 * stageInset, step = roundStep(totalSeconds);
  painter.setPen(theme.muted);
  painter.drawLine(QPointF(stageInset, y + 1), QPointF(stageInset + room, y + 1));
  for (int i = 0; i * step <= totalSeconds * (1 + 1e-9); ++i) {
    const double x = stageInset + room * i * step / totalSeconds;
    painter.drawLine(QPointF(x, y + 1), QPointF(x, y + 1 + tick));
    const QString text = i == 0 ? QStringLiteral("0") : secondsLabel(i * step);
    const double half = painter.fontMetrics().horizontalAdvance(text) / 2.0;
    const double at = std::clamp(x - half, 0.0, std::max(0.0, width() - 2 * half));
    painter.drawText(QPointF(at, y + tick + painter.fontMetrics().height()), text);
  }
}

bool StageBar::event(QEvent* event) {
  const auto tip = [this](const QPoint& place) {
    const int stage = stageAt(place);
    if (stage < 0) return QString();
    return titleOf(stage) + QStringLiteral(": ") + secondsLabel(stageSeconds(timings_, stage));
  };
  return showTipAt(*this, *event, tip) || QWidget::event(event);
}

// --- with its table

StageView::StageView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("stageView"));
  title_ = new QLabel;
  title_->setObjectName(QStringLiteral("stageTitle"));
  title_->setProperty("role", "heading");
  bar_ = new StageBar;
  table_ = new QTableWidget(0, 6);
  table_->setObjectName(QStringLiteral("stageTable"));
  table_->setAccessibleName(tr("Stages"));
  table_->setHorizontalHeaderLabels(
      {tr("Stage"), tr("Time"), tr("Share"), tr("Moved"), tr("Bandwidth"), tr("% of the ceiling")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  hint_ = new QLabel;
  hint_->setObjectName(QStringLiteral("stageHint"));
  hint_->setWordWrap(true);
  measure_ = new QPushButton(tr("Measure the memory's ceiling"));
  measure_->setObjectName(QStringLiteral("measureCeiling"));
  measure_->setToolTip(tr("Copies a large array in the memory of the plan's backend, for a second at most"));
  connect(measure_, &QPushButton::clicked, this, [this] { Q_EMIT ceilingRequested(backend_); });
  hint_->setContentsMargins(stageInset, 2, stageInset, 2);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(stageInset, 2, stageInset, 0);
  head->addWidget(title_, 1);
  head->addWidget(measure_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(head);
  column->addWidget(bar_);
  column->addWidget(table_, 1);
  column->addWidget(hint_);
  fill();
}

void StageView::setTimings(const QString& title, const QString& backend, const StageTimings& timings,
                           const QString& rest) {
  title_->setText(timings.total > 0 ? title
                  : title.isEmpty() ? tr("Nothing has been timed yet")
                                    : tr("%1: not timed").arg(title));
  backend_ = backend;
  timings_ = timings;
  partsOfRest_.clear();
  bar_->setTimings(timings, rest);
  fill();
}

void StageView::setPartsOfRest(const std::vector<std::pair<QString, double>>& parts) {
  partsOfRest_ = parts;
  fill();
}

void StageView::setCeiling(const QString& backend, double bytesPerSecond, const QString& source) {
  ceilings_[backend] = {bytesPerSecond, source};
  fill();
}

void StageView::setBusy(bool measuring) {
  measuring_ = measuring;
  fill();
}

void StageView::setEnergy(const QString& text) {
  energy_ = text;
  fill();
}

void StageView::fill() {
  const Ceiling ceiling = ceilings_.value(backend_);
  const QString roof =
      ceiling.bytesPerSecond > 0
          ? tr("Ceiling of %1: %2 (%3)").arg(backend_, bandwidthText(ceiling.bytesPerSecond), ceiling.source)
          : tr("Moved: what the stage has to read and write at least. The ceiling is not known yet.");
  hint_->setText(energy_.isEmpty() ? roof : roof + QStringLiteral("  ·  ") + energy_);
  measure_->setEnabled(!measuring_);
  table_->setRowCount(0);
  if (!(timings_.total > 0)) return;
  for (int s = 0; s <= stageCount; ++s) {
    const double seconds = stageSeconds(timings_, s);
    if (!(seconds > 0)) continue;
    const double bytes = s < stageCount ? timings_.bytes[std::size_t(s)] : 0;
    const bool known = ceiling.bytesPerSecond > 0 && bytes > 0;
    const QString cells[] = {bar_->titleOf(s),
                             secondsLabel(seconds),
                             QStringLiteral("%1 %").arg(fixedLabel(100 * seconds / timings_.total, 1)),
                             bytes > 0 ? tr("%1 MB").arg(fixedLabel(bytes / mega, 1)) : tr("not counted"),
                             bytes > 0 ? bandwidthText(bytes / seconds) : QString(),
                             known ? shareText(bytes / seconds / ceiling.bytesPerSecond) : QString()};
    const int row = table_->rowCount();
    table_->insertRow(row);
    for (int column = 0; column < 6; ++column) {
      auto* item = new QTableWidgetItem(cells[column]);
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(row, column, item);
    }
    table_->item(row, 0)->setData(Qt::DecorationRole, stageColour(s));
  }
  for (const auto& [name, seconds] : partsOfRest_) {
    const int row = table_->rowCount();
    table_->insertRow(row);
    const QString cells[] = {tr("  of it: %1").arg(name), secondsLabel(seconds),
                             QStringLiteral("%1 %").arg(fixedLabel(100 * seconds / timings_.total, 1))};
    for (int column = 0; column < 3; ++column) {
      auto* item = new QTableWidgetItem(cells[column]);
      if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(row, column, item);
    }
  }
}

}  // namespace spokelab
