#include "widgets/raw/sequence_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/scan/formats/pulseq/pulseq_facts.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/plot_keys.h"
#include "widgets/core/screen_theme.h"
#include "widgets/raw/sequence_plot.h"

namespace spokelab {
namespace {

constexpr int headerInset = 6, headerGap = 4, leastHeight = 190;
constexpr double lastRowShare = 1.7;  // height of the last row, with the axis of time, over others
constexpr double milli = 1e-3;
constexpr double margin = 0.12;     // room on each side of a shot, in lengths of the shot
constexpr double beside = 0.25;     // curves ready on each side of the window, in its lengths
constexpr double headroom = 1.1;    // height of a row over its largest value
constexpr double minWindow = 2e-6;  // s

QVector<double> scaledList(const std::vector<double>& values, double factor) {
  QVector<double> list;
  list.reserve(qsizetype(values.size()));
  for (const double v : values) list << v * factor;
  return list;
}

std::array<QColor, 3> axisColours(const ChartTheme& theme) {
  return {theme.fft, theme.interpolation, theme.setUp};
}

}  // namespace

SequenceView::SequenceView(QWidget* parent)
    : QWidget(parent), plot_(new SequencePlot), note_(new ElidedLabel({})), axes_(new QLabel) {
  setObjectName(QStringLiteral("sequenceView"));
  plot_->setObjectName(QStringLiteral("sequencePlot"));
  plot_->setAccessibleName(tr("Sequence"));
  plot_->setFocusPolicy(Qt::StrongFocus);
  plot_->setPlottingHint(QCP::phImmediateRefresh, false);
  plot_->setMinimumSize(1, leastHeight);  // a lower dock scrolls
  plot_->setWhatsThis(tr(
      "Click: look at that time, here and in the trajectory. Drag, left and right: move. Wheel, + −: zoom. "
      "Page up and down: readout before and after. Home: the shot. 0: the whole sequence."));
  plot_->plotLayout()->clear();
  plot_->plotLayout()->setRowSpacing(0);
  auto* const margins = new QCPMarginGroup(plot_);
  for (int row = 0; row < rows; ++row) {
    auto* const area = new QCPAxisRect(plot_);
    areas_[std::size_t(row)] = area;
    plot_->plotLayout()->addElement(row, 0, area);
    area->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    area->setMinimumMargins(QMargins(0, 1, headerInset, 1));
    const bool last = row == k;
    area->axis(QCPAxis::atBottom)->setTickLabels(last);
    area->axis(QCPAxis::atBottom)->setTicks(last);
    area->axis(QCPAxis::atLeft)->ticker()->setTickCount(3);
    area->axis(QCPAxis::atLeft)->setSubTicks(false);
    if (last) area->axis(QCPAxis::atBottom)->setLabel(tr("time (ms)"));
  }
  const auto graphIn = [this](Row row) {
    QCPAxisRect* const area = areas_[std::size_t(row)];
    return plot_->addGraph(area->axis(QCPAxis::atBottom), area->axis(QCPAxis::atLeft));
  };
  plot_->plotLayout()->setRowStretchFactor(k, lastRowShare);
  adc_ = graphIn(rf);
  pulses_ = graphIn(rf);
  for (const Row row : {gradient, slew, k})
    for (QCPGraph*& line : lines_[std::size_t(row)]) line = graphIn(row);
  for (int row = 0; row < rows; ++row) {
    QCPAxisRect* const area = areas_[std::size_t(row)];
    auto* const line = new QCPItemStraightLine(plot_);
    line->setClipAxisRect(area);
    for (QCPItemPosition* position : line->positions())
      position->setAxes(area->axis(QCPAxis::atBottom), area->axis(QCPAxis::atLeft));
    cursors_[std::size_t(row)] = line;
  }
  const std::array<QString, rows> titles{tr("RF\nHz"), tr("G\nmT/m"), tr("slew\nT/m/s"), tr("k\n1/m")};
  for (int row = 0; row < rows; ++row)
    areas_[std::size_t(row)]->axis(QCPAxis::atLeft)->setLabel(titles[std::size_t(row)]);
  auto* const shot = new QPushButton(tr("One shot"));
  shot->setObjectName(QStringLiteral("sequenceShot"));
  shot->setToolTip(tr("From an excitation to the next one"));
  auto* const wholeButton = new QPushButton(tr("Whole sequence"));
  wholeButton->setObjectName(QStringLiteral("sequenceAll"));
  connect(shot, &QPushButton::clicked, this, &SequenceView::showShot);
  connect(wholeButton, &QPushButton::clicked, this, [this] {
    if (sequence_) setWindow(0, sequence_->duration);
  });
  auto* header = new QHBoxLayout;
  header->setContentsMargins(headerInset, headerGap, headerInset, 0);
  header->setSpacing(2 * headerGap);
  header->addWidget(shot);
  header->addWidget(wholeButton);
  header->addWidget(note_, 1);
  header->addWidget(axes_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(header);
  column->addWidget(plot_, 1);
  const auto timeAt = [this](int x) {
    return areas_[gradient]->axis(QCPAxis::atBottom)->pixelToCoord(x) * milli;
  };
  plot_->clicked = [this, timeAt](int x) { choose(timeAt(x)); };
  plot_->moved = [this, timeAt](int pixels) {
    const double by = timeAt(pixels) - timeAt(0);
    setWindow(from_ - by, to_ - by);
  };
  plot_->zoomed = [this, timeAt](double factor, int x) { zoom(factor, timeAt(x)); };
  plot_->keyed = [this](const QKeyEvent& event) {
    const PlotKey key = plotKeyOf(event);
    const double by = (to_ - from_) / 10;
    if (key == PlotKey::left)
      setWindow(from_ - by, to_ - by);
    else if (key == PlotKey::right)
      setWindow(from_ + by, to_ + by);
    else if (key == PlotKey::previous)
      step(-1);
    else if (key == PlotKey::next)
      step(1);
    else if (key == PlotKey::zoomIn)
      zoom(keyZoom, cursor_);
    else if (key == PlotKey::zoomOut)
      zoom(1 / keyZoom, cursor_);
    else if (key == PlotKey::home)
      showShot();
    else if (key == PlotKey::showAll && sequence_)
      setWindow(0, sequence_->duration);
    else
      return false;
    return true;
  };
  takeTheme();
  followScreenTheme(this, [this] { takeTheme(); });
  setSequence(nullptr);
}

void SequenceView::takeTheme() {
  const ChartTheme theme = ChartTheme::onScreen();
  const std::array<QColor, 3> colours = axisColours(theme);
  plot_->setBackground(theme.background);  // without the legend, which went with the layout
  for (QCPAxisRect* area : areas_)
    for (QCPAxis* axis : area->axes()) applyTheme(*axis, theme);
  constexpr int shade = 70;
  QColor sampled = theme.chosen;
  adc_->setPen(QPen(sampled, 1));
  sampled.setAlpha(shade);
  adc_->setBrush(sampled);
  pulses_->setPen(QPen(theme.foreground, 1));
  for (const Row row : {gradient, slew, k})
    for (std::size_t d = 0; d < 3; ++d) lines_[std::size_t(row)][d]->setPen(QPen(colours[d], 1));
  for (QCPItemStraightLine* line : cursors_) line->setPen(QPen(theme.limit, 1));
  QString names;
  for (std::size_t d = 0; d < 3; ++d)
    names += QStringLiteral("<b style='color:%1'>%2</b> ")
                 .arg(colours[d].name(), QStringLiteral("xyz").at(qsizetype(d)));
  axes_->setText(names + QStringLiteral("<b style='color:%1'>%2</b>").arg(theme.chosen.name(), tr("ADC")));
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void SequenceView::setSequence(std::shared_ptr<const PlayedSequence> sequence) {
  sequence_ = std::move(sequence);
  job_.drop();
  setEnabled(sequence_ != nullptr);
  cursor_ = 0;
  for (QCPItemStraightLine* line : cursors_) line->setVisible(sequence_ != nullptr);
  if (!sequence_) {
    draw({});
    note_->setWhole(tr("No sequence: open a Pulseq file (.seq)"));
    return;
  }
  const PulseqKspace& kspace = sequence_->kspace;
  constexpr double unit = 1 / (protonHzPerTesla * milli);  // mT/m of Hz/m
  const auto range = [this](Row row, double low, double high) {
    areas_[std::size_t(row)]
        ->axis(QCPAxis::atLeft)
        ->setRange(low * headroom, high > low ? high * headroom : low + 1);
  };
  range(rf, 0, sequence_->largestRf);
  range(gradient, -kspace.maxGradient * unit, kspace.maxGradient * unit);
  range(slew, -kspace.maxSlew / protonHzPerTesla, kspace.maxSlew / protonHzPerTesla);
  range(k, -sequence_->largestK, sequence_->largestK);
  if (!sequence_->imaging.empty())
    setCursorTime(timeOf(kspace, {std::int64_t(sequence_->imaging.front()), 0}));
  else
    setCursorTime(0);
  showShot();
}

PulseqMoment SequenceView::moment() const {
  return sequence_ ? momentAt(sequence_->kspace, cursor_) : PulseqMoment();
}

QString SequenceView::note() const {
  return note_->whole();
}

QPoint SequenceView::pointOf(double time) const {
  const QCPAxisRect& area = *areas_[gradient];
  return {int(std::lround(area.axis(QCPAxis::atBottom)->coordToPixel(time / milli))),
          area.rect().center().y()};
}

void SequenceView::setWindow(double from, double to) {
  const double whole = sequence_ ? sequence_->duration : 1;
  const double span = std::clamp(to - from, minWindow, std::max(minWindow, whole));
  from_ = std::clamp(from, 0.0, std::max(0.0, whole - span));
  to_ = from_ + span;
  for (QCPAxisRect* area : areas_) area->axis(QCPAxis::atBottom)->setRange(from_ / milli, to_ / milli);
  plot_->replot(QCustomPlot::rpQueuedReplot);
  refresh();
}

void SequenceView::zoom(double factor, double about) {
  const double share = (about - from_) / (to_ - from_), span = (to_ - from_) / factor;
  setWindow(about - share * span, about + (1 - share) * span);
}

// Shows the shot whose readout is at the cursor, else the one before it.
void SequenceView::showShot() {
  if (!sequence_) return;
  const auto& all = sequence_->kspace.readouts;
  if (all.empty()) return setWindow(0, sequence_->duration);
  const auto after = std::upper_bound(all.begin(), all.end(), cursor_,
                                      [](double t, const PulseqReadout& r) { return t < r.time - r.dwell; });
  const std::int64_t readout = std::max<std::int64_t>(0, after - all.begin() - 1);
  const auto [begin, end] = shotWindow(sequence_->kspace, readout);
  const double room = margin * (end - begin);
  setWindow(begin - room, end + room);
}

void SequenceView::setCursorTime(double time) {
  cursor_ = time;
  for (QCPItemStraightLine* line : cursors_) {
    line->point1->setCoords(time / milli, 0);
    line->point2->setCoords(time / milli, 1);
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
  const PulseqMoment at = moment();
  QString text = tr("%1 ms").arg(fixedLabel(time / milli, 3));
  if (at.readout >= 0) {
    const PulseqReadout& r = sequence_->kspace.readouts[std::size_t(at.readout)];
    const Vec3& where = sequence_->kspace.k[std::size_t(r.first + at.sample)];
    text += tr("   readout %1, sample %2   k %3, %4, %5 1/m")
                .arg(at.readout)
                .arg(at.sample)
                .arg(valueText(where[0]), valueText(where[1]), valueText(where[2]));
  } else {
    text += tr("   no sample");
  }
  note_->setWhole(text);
}

void SequenceView::lookAt(const PulseqMoment& moment) {
  if (!sequence_ || moment.readout < 0 || std::size_t(moment.readout) >= sequence_->kspace.readouts.size())
    return;
  const double time = timeOf(sequence_->kspace, moment);
  setCursorTime(time);
  if (time < from_ || time > to_) {
    const double half = (to_ - from_) / 2;
    setWindow(time - half, time + half);
  }
}

void SequenceView::choose(double time) {
  if (!sequence_) return;
  setCursorTime(std::clamp(time, 0.0, sequence_->duration));
  if (const PulseqMoment at = moment(); at.readout >= 0) Q_EMIT momentChosen(at.readout, at.sample);
}

void SequenceView::step(int readouts) {
  if (!sequence_ || sequence_->kspace.readouts.empty()) return;
  const auto& all = sequence_->kspace.readouts;
  const auto after = std::upper_bound(all.begin(), all.end(), cursor_, [](double t, const PulseqReadout& r) {
    return t < r.time - r.dwell / 2;
  });
  const auto now = after - all.begin() - 1;
  const PulseqMoment next{std::clamp<std::int64_t>(now + readouts, 0, std::int64_t(all.size()) - 1), 0};
  lookAt(next);
  Q_EMIT momentChosen(next.readout, next.sample);
}

// Marks the curves stale: the next paint event computes them on a worker.
void SequenceView::refresh() {
  stale_ = true;
  update();
}

void SequenceView::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (!std::exchange(stale_, false) || !sequence_) return;
  const double more = beside * (to_ - from_);
  const int pixels = int((1 + 2 * beside) * std::max(1.0, plot_->width() * devicePixelRatioF()));
  job_.start(
      [sequence = sequence_, from = from_ - more, to = to_ + more, pixels](std::stop_token stop) {
        return pulseqCurves(sequence->sequence, sequence->kspace, from, to, pixels, Progress(stop));
      },
      [this](PulseqCurves curves) { draw(std::move(curves)); });
}

void SequenceView::draw(PulseqCurves curves) {
  curves_ = std::move(curves);
  constexpr double ms = 1 / milli, unit = 1 / (protonHzPerTesla * milli);
  const auto set = [](QCPGraph& graph, const PulseqCurve& curve, double factor) {
    graph.setData(scaledList(curve.times, ms), scaledList(curve.values, factor), true);
  };
  set(*pulses_, curves_.rf, 1);
  PulseqCurve sampled;
  const double height = sequence_ && sequence_->largestRf > 0 ? sequence_->largestRf / 3 : 0.3;
  for (const auto& [begin, end] : curves_.readouts)
    for (const auto& [t, v] : {std::pair{begin, 0.0}, {begin, height}, {end, height}, {end, 0.0}}) {
      sampled.times.push_back(t);
      sampled.values.push_back(v);
    }
  set(*adc_, sampled, 1);
  for (std::size_t d = 0; d < 3; ++d) {
    set(*lines_[gradient][d], curves_.gradients[d], unit);
    set(*lines_[slew][d], curves_.slew[d], 1 / protonHzPerTesla);
    set(*lines_[k][d], curves_.k[d], 1);
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
  Q_EMIT drawn();
}

}  // namespace spokelab
