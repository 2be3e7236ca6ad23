#include "widgets/profile/job_bar.h"

#include <QPainter>

#include <algorithm>
#include <array>

#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/core/tip_at.h"

namespace spokelab {
namespace {

constexpr int barInset = 10, barGap = 4, jobBarHeight = 26, expectedHeight = 8,
              lastStage = int(jobStageCount);
constexpr double minPartPixels = 1;

QColor colourOf(int stage) {
  const ChartTheme theme = ChartTheme::onScreen();
  if (stage == int(JobStage::transforms)) return theme.interpolation;
  if (stage == int(JobStage::iterations)) return theme.fft;
  if (stage == lastStage) return theme.grid;
  static const std::array<QColor, jobStageCount> others = {QColor(132, 132, 132),
                                                           QColor(104, 150, 120),
                                                           QColor(150, 128, 180),
                                                           QColor(128, 112, 160),
                                                           QColor(120, 160, 176),
                                                           QColor(196, 164, 92),
                                                           QColor(176, 120, 128),
                                                           QColor(150, 100, 110),
                                                           QColor(112, 118, 128),
                                                           QColor(),
                                                           QColor(),
                                                           QColor(140, 150, 110),
                                                           QColor(90, 130, 104)};
  return others[std::size_t(stage)];
}

}  // namespace

JobBar::JobBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("jobBar"));
  setAccessibleName(tr("Stages of the job"));
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setRetainSizeWhenHidden(true);  // a result that is shown must not lay the window out anew
  setSizePolicy(policy);
  setMouseTracking(true);
  hide();
}

void JobBar::setAccount(const JobAccount& account, const JobAccount& forecast) {
  account_ = account;
  forecast_ = forecast;
  setVisible(account.total > 0);
  setAccessibleDescription(heading());
  update();
}

QString JobBar::titleOf(int stage) {
  static const std::array<const char*, jobStageCount + 1> titles = {
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Start up"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Read"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Whiten"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Compress coils"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Density"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Maps"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Tune"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Make plans"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Set points"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Transforms"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Iterations"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Combine"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Write"),
      QT_TRANSLATE_NOOP("spokelab::JobBar", "Not accounted for")};
  return tr(titles[std::size_t(stage)]);
}

double JobBar::secondsOf(int stage) const {
  return stage < lastStage ? account_.seconds[std::size_t(stage)] : account_.unaccounted();
}

QString JobBar::heading() const {
  const QString totalText = tr("The whole job: %1").arg(secondsLabel(account_.total));
  if (!(forecast_.total > 0)) return totalText;
  return tr("%1 (expected, as the narrow bar shows: %2)").arg(totalText, secondsLabel(forecast_.total));
}

QString JobBar::tipOf(int stage) const {
  const QString tip = tr("%1: %2, %3 %")
                          .arg(titleOf(stage), secondsLabel(secondsOf(stage)),
                               fixedLabel(100 * secondsOf(stage) / account_.total, 1));
  if (stage >= lastStage || !(forecast_.seconds[std::size_t(stage)] > 0)) return tip;
  return tr("%1 (expected: %2)").arg(tip, secondsLabel(forecast_.seconds[std::size_t(stage)]));
}

double JobBar::expectedSecondsOf(int stage) const {
  return stage < lastStage ? forecast_.seconds[std::size_t(stage)] : 0;
}

// Both bars are drawn to one scale: the longer one fills the room.
QRectF JobBar::part(int stage, double (JobBar::*seconds)(int) const, double top, double height) const {
  double measured = 0, expected = 0, before = 0;
  for (int s = 0; s <= lastStage; ++s) {
    measured += secondsOf(s);
    expected += expectedSecondsOf(s);
    if (s < stage) before += (this->*seconds)(s);
  }
  if (!(measured > 0) || stage < 0 || stage > lastStage) return {};
  const double scale = (width() - 2 * barInset) / std::max(measured, expected);
  const double wide = scale * (this->*seconds)(stage);
  return wide < minPartPixels ? QRectF() : QRectF(barInset + scale * before, top, wide, height);
}

QRectF JobBar::segment(int stage) const {
  return part(stage, &JobBar::secondsOf, fontMetrics().height() + 2 * barGap, jobBarHeight);
}

QRectF JobBar::expectedSegment(int stage) const {
  return part(stage, &JobBar::expectedSecondsOf, fontMetrics().height() + 2 * barGap + jobBarHeight + 1,
              expectedHeight);
}

int JobBar::stageAt(const QPoint& position) const {
  for (int s = 0; s <= lastStage; ++s)
    if (segment(s).contains(position) || expectedSegment(s).contains(position)) return s;
  return -1;
}

QSize JobBar::sizeHint() const {
  return {0, fontMetrics().height() + jobBarHeight + 1 + expectedHeight + 3 * barGap};
}

void JobBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ChartTheme theme = ChartTheme::onScreen();
  painter.fillRect(rect(), theme.background);
  painter.setPen(theme.foreground);
  painter.drawText(QPointF(barInset, barGap + fontMetrics().ascent()), heading());
  for (int s = 0; s <= lastStage; ++s) {
    const QRectF area = segment(s), expected = expectedSegment(s);
    if (!expected.isEmpty()) painter.fillRect(expected, colourOf(s));
    if (area.isEmpty()) continue;
    painter.fillRect(area, colourOf(s));
    const QString text = titleOf(s);
    if (fontMetrics().horizontalAdvance(text) + barInset > area.width()) continue;
    painter.setPen(ChartTheme::textOn(colourOf(s)));
    painter.drawText(area, Qt::AlignCenter, text);
  }
}

bool JobBar::event(QEvent* event) {
  const auto tip = [this](const QPoint& place) {
    const int stage = stageAt(place);
    return stage < 0 ? QString() : tipOf(stage);
  };
  return showTipAt(*this, *event, tip) || QWidget::event(event);
}

}  // namespace spokelab
