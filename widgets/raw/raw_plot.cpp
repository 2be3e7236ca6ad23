#include "widgets/raw/raw_plot.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include "engine/core/text.h"
#include "engine/recon/explore/readout_spectrum.h"
#include "engine/scan/read/shots/trace_signal.h"
#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/core/screen_theme.h"
#include "widgets/raw/bins_view.h"
#include "widgets/raw/coil_images_view.h"
#include "widgets/raw/raw_picture_view.h"

namespace spokelab {
namespace {

constexpr int plotGap = 4;
constexpr double room = 1.05;  // above the highest curve
constexpr double lineWidth = 1.5, pointSize = 6;

// Seconds and values of a signal that was recorded beside the scan, as [2, n].
std::vector<const NamedArray*> tracesOf(const Scan& scan) {
  std::vector<const NamedArray*> traces;
  for (const NamedArray& array : scan.arrays)
    if (isTrace(array) && array.shape[1] > 0) traces.push_back(&array);
  return traces;
}

bool needsSummary(RawCurve curve) {
  return curve == RawCurve::coils || curve == RawCurve::shots || curve == RawCurve::noise;
}

}  // namespace

RawPlot::RawPlot(QWidget* parent)
    : QWidget(parent),
      box_(new QComboBox),
      note_(new ElidedLabel({})),
      names_(new QLabel),
      stack_(new QStackedWidget),
      plot_(new CurvePlot),
      covariance_(new RawPictureView),
      coilImages_(new CoilImagesView),
      bins_(new BinsView) {
  setObjectName(QStringLiteral("rawPlot"));
  box_->setObjectName(QStringLiteral("rawCurveBox"));
  box_->setAccessibleName(tr("Curve"));
  const std::pair<QString, QString> curves[] = {
      {tr("Readout"), tr("The samples of the shot and coil that are looked at")},
      {tr("Spectrum"), tr("The frequencies of that readout: a tone of interference is one spike")},
      {tr("Energy of coils"), tr("Mean of |y|² of each coil, over the whole scan")},
      {tr("Largest of shots"), tr("The largest |y| of each shot of the first frame, over coils and slices")},
      {tr("Noise covariance"), tr("Mean of n nᴴ over the noise readouts, coil by coil")},
      {tr("Traces"), tr("ECG, pulse, respiration, as they were recorded beside the scan")},
      {tr("Coil images"), tr("The image of each coil, gridded small. A click chooses the coil")},
      {tr("Bins"), tr("Bins of breathing and heartbeat: the frames of xd-grasp, shown and changed")}};
  for (const auto& [name, help] : curves) {
    box_->addItem(name);
    box_->setItemData(box_->count() - 1, help, Qt::ToolTipRole);
  }
  plot_->setObjectName(QStringLiteral("rawCurves"));
  plot_->setAccessibleName(tr("Curves of samples"));
  covariance_->setObjectName(QStringLiteral("noiseCovariance"));
  covariance_->setAccessibleName(tr("Noise covariance"));
  covariance_->setScale(RawScale::linear);
  covariance_->setSquareCells(true);
  covariance_->setAxes(tr("coil"), tr("coil"));
  stack_->addWidget(plot_);
  stack_->addWidget(covariance_);
  stack_->addWidget(coilImages_);
  stack_->addWidget(bins_);
  auto* header = new QHBoxLayout;
  header->setSpacing(2 * plotGap);
  header->addWidget(box_);
  header->addWidget(note_, 1);
  header->addWidget(names_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(plotGap);
  column->addLayout(header);
  column->addWidget(stack_, 1);
  connect(box_, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
  connect(plot_, &CurvePlot::clicked, this,
          [this](const QPoint& at) { choose(plot_->xAxis->pixelToCoord(at.x())); });
  connect(plot_, &CurvePlot::pointPicked, this, [this](int point) {
    if (plot_->graphCount() > 0) choose(plot_->graph(0)->dataMainKey(point));
  });
  connect(coilImages_, &CoilImagesView::coilChosen, this, &RawPlot::coilChosen);
  connect(coilImages_, &CoilImagesView::told, this,
          [this] { tell(RawCurve::coilImages, coilImages_->note()); });
  connect(bins_, &BinsView::told, this, [this] { tell(RawCurve::bins, bins_->note()); });
  connect(coilImages_, &CoilImagesView::drawn, this, &RawPlot::drawn);
  connect(covariance_, &RawPictureView::placed, this,
          [this](qint64 coil, qint64) { Q_EMIT coilChosen(coil); });
  connect(covariance_, &RawPictureView::hovered, this, [this](qint64 a, qint64 b) {
    if (!summary_ || summary_->noise.empty()) return;
    if (a < 0) return drawNoise();
    const cdouble value = summary_->noise[std::size_t(b) * summary_->energy.size() + std::size_t(a)];
    note_->setWhole(tr("coils %1 and %2: |Ψ| %3, phase %4 rad, correlation %5")
                        .arg(b)
                        .arg(a)
                        .arg(valueText(std::abs(value)), fixedLabel(std::arg(value), 2),
                             fixedLabel(summary_->correlation(int(a), int(b)), 3)));
  });
  followScreenTheme(this, [this] {
    plot_->setTheme(ChartTheme::onScreen());
    refresh();
  });
  setScan(nullptr);
}

void RawPlot::setScan(const std::shared_ptr<const Scan>& scan) {
  scan_ = scan;
  summary_ = nullptr;
  summaryJob_.drop();
  place_ = {};
  coilImages_->setScan(scan);
  bins_->setScan(scan);
  const bool hasTraces = scan && !tracesOf(*scan).empty();
  if (auto* model = qobject_cast<QStandardItemModel*>(box_->model()))
    model->item(int(RawCurve::traces))->setEnabled(hasTraces);
  if (!hasTraces && shown() == RawCurve::traces) return setShown(RawCurve::readout);
  plot_->showAll();
  refresh();
}

void RawPlot::setPlace(const RawPlace& place) {
  place_ = place;
  coilImages_->setPlace(place);
  refresh();
}

void RawPlot::setShown(RawCurve curve) {
  box_->setCurrentIndex(int(curve));
}

RawCurve RawPlot::shown() const {
  return RawCurve(box_->currentIndex());
}

QString RawPlot::note() const {
  return note_->whole();
}

// Curves are computed when they are seen.
void RawPlot::refresh() {
  stale_ = true;
  update();
}

void RawPlot::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (!std::exchange(stale_, false)) return;
  const RawCurve curve = shown();
  stack_->setCurrentWidget(curve == RawCurve::noise        ? static_cast<QWidget*>(covariance_)
                           : curve == RawCurve::coilImages ? coilImages_
                           : curve == RawCurve::bins       ? bins_
                                                           : static_cast<QWidget*>(plot_));
  // Its buttons above a plot need more height than the other curves: they ask for it alone.
  bins_->setSizePolicy(QSizePolicy::Preferred,
                       curve == RawCurve::bins ? QSizePolicy::Preferred : QSizePolicy::Ignored);
  if (curve == RawCurve::coilImages || curve == RawCurve::bins) {
    drawingJob_.drop();
    return tell(curve, curve == RawCurve::bins ? bins_->note() : coilImages_->note());
  }
  if (!scan_) {
    drawingJob_.drop();
    return draw({});
  }
  if (needsSummary(curve) && !summary_) {
    note_->setWhole(tr("Adding up all samples…"));
    if (!summaryJob_.isRunning())
      summaryJob_.start(
          [scan = scan_](std::stop_token stop) {
            return std::make_shared<const RawSummary>(rawSummary(*scan, Progress(stop)));
          },
          [this](const std::shared_ptr<const RawSummary>& summary) {
            summary_ = summary;
            refresh();
          });
    return;
  }
  if (curve == RawCurve::noise) return drawNoise();
  drawingJob_.start([scan = scan_, place = place_, curve,
                     summary = summary_](std::stop_token) { return drawingOf(*scan, place, curve, summary); },
                    [this](const Drawing& drawing) { draw(drawing); });
}

RawPlot::Drawing RawPlot::drawingOf(const Scan& scan, const RawPlace& place, RawCurve curve,
                                    const std::shared_ptr<const RawSummary>& summary) {
  Drawing drawing;
  const auto add = [&drawing](const QString& name, std::size_t count, const auto& x, const auto& y) {
    Curve& added = drawing.curves.emplace_back();
    added.name = name;
    for (std::size_t i = 0; i < count; ++i) {
      added.x << double(x(i));
      added.y << double(y(i));
    }
  };
  const auto number = [](std::size_t i) { return i; };
  const auto mark = [&drawing](double at) {
    drawing.mark = at;
    drawing.marked = true;
  };
  if (curve == RawCurve::readout) {
    const std::vector<cfloat> readout = readoutAt(scan, place);
    add(tr("|y|"), readout.size(), number, [&](std::size_t i) { return std::abs(readout[i]); });
    add(tr("real"), readout.size(), number, [&](std::size_t i) { return readout[i].real(); });
    add(tr("imaginary"), readout.size(), number, [&](std::size_t i) { return readout[i].imag(); });
    drawing.x = tr("sample");
    drawing.y = tr("y");
    drawing.note = tr("Shot %1, coil %2, %3 samples").arg(place.shot).arg(place.coil).arg(readout.size());
    mark(double(place.sample));
  } else if (curve == RawCurve::spectrum) {
    const std::vector<cfloat> readout = readoutAt(scan, place);
    const Trajectory& t = scan.trajectory(place.frame);
    std::vector<double> times;
    if (!t.times.empty() && !readout.empty()) {
      const auto first = t.times.begin() + t.shotOffsets[std::size_t(place.shot)];
      times.assign(first, first + std::ptrdiff_t(readout.size()));
    }
    const ReadoutSpectrum spectrum = readoutSpectrum(readout, times);
    constexpr double kilo = 1e-3;
    const double unit = spectrum.inHertz ? kilo : 1;
    add(
        tr("|S|"), spectrum.values.size(), [&](std::size_t i) { return spectrum.frequencies[i] * unit; },
        [&](std::size_t i) { return std::abs(spectrum.values[i]); });
    drawing.x = spectrum.inHertz ? tr("frequency (kHz)") : tr("frequency (cycles of the readout)");
    drawing.y = tr("|S|");
    if (!spectrum.values.empty()) {
      const auto peak =
          std::max_element(spectrum.values.begin(), spectrum.values.end(),
                           [](const cdouble& a, const cdouble& b) { return std::norm(a) < std::norm(b); });
      const double at = spectrum.frequencies[std::size_t(peak - spectrum.values.begin())] * unit;
      drawing.note = tr("Shot %1, coil %2: most at %3")
                         .arg(place.shot)
                         .arg(place.coil)
                         .arg(valueText(at) + (spectrum.inHertz ? tr(" kHz") : tr(" cycles")));
    }
  } else if (curve == RawCurve::coils) {
    double total = 0;
    for (const double e : summary->energy) total += e;
    add(tr("energy"), summary->energy.size(), number, [&](std::size_t i) { return summary->energy[i]; });
    drawing.x = tr("coil");
    drawing.y = tr("mean |y|²");
    drawing.points = true;
    const double coilEnergy = summary->energy[std::size_t(place.coil)];
    drawing.note = tr("Coil %1 has %2 of the energy, |y| up to %3")
                       .arg(place.coil)
                       .arg(percentLabel(total > 0 ? coilEnergy / total : 0),
                            valueText(summary->largest[std::size_t(place.coil)]));
    mark(double(place.coil));
  } else if (curve == RawCurve::shots) {
    add(tr("largest"), summary->shotMaxima.size(), number,
        [&](std::size_t i) { return summary->shotMaxima[i]; });
    drawing.x = tr("shot");
    drawing.y = tr("largest |y|");
    if (!summary->shotMaxima.empty()) {
      const ShotRange range = shotRange(summary->shotMaxima);
      drawing.note = tr("Weakest shot %1, strongest %2, median %3")
                         .arg(range.weakest)
                         .arg(range.strongest)
                         .arg(valueText(range.median));
      if (range.empty > 0) drawing.note += tr(", %1 with zeros only").arg(range.empty);
    }
    mark(double(place.shot));
  } else if (curve == RawCurve::traces) {
    double base = 0;
    const std::vector<const NamedArray*> traces = tracesOf(scan);
    for (const NamedArray* trace : traces) {
      const auto n = std::size_t(trace->shape[1]);
      const cfloat* const values = trace->values.data() + n;
      const auto [least, most] = std::minmax_element(
          values, values + n, [](const cfloat& a, const cfloat& b) { return a.real() < b.real(); });
      const double low = least->real(), span = std::max(1e-30, double(most->real()) - low);
      add(
          QString::fromStdString(trace->name.substr(4)), n,
          [&](std::size_t i) { return trace->values[i].real(); },
          [&](std::size_t i) { return base + 0.9 * (double(values[i].real()) - low) / span; });
      base += 1;
    }
    drawing.x = tr("seconds since the first readout");
    drawing.y = tr("each in its range");
    drawing.note = tr("%1; the line is the shot")
                       .arg(QString::fromStdString(countText(std::int64_t(traces.size()), "signal")));
    if (std::size_t(place.frame) < scan.shotTimes.size() &&
        std::size_t(place.shot) < scan.shotTimes[std::size_t(place.frame)].size())
      mark(scan.shotTimes[std::size_t(place.frame)][std::size_t(place.shot)]);
  }
  return drawing;
}

void RawPlot::draw(const Drawing& drawing) {
  const ChartTheme theme = ChartTheme::onScreen();
  plot_->setSteps(nullptr, -1);
  plot_->clearGraphs();
  QString names;
  double lowX = 0, highX = 1, low = 0, high = 0;
  for (std::size_t i = 0; i < drawing.curves.size(); ++i) {
    const Curve& curve = drawing.curves[i];
    QCPGraph* const graph = plot_->addGraph();
    const QColor colour = i == 0 ? theme.fft : i == 1 ? theme.interpolation : theme.ofPath(int(i));
    graph->setName(curve.name);
    names += QStringLiteral(" <b style='color:%1'>%2</b>").arg(colour.name(), curve.name.toHtmlEscaped());
    graph->setPen(QPen(colour, i == 0 ? lineWidth : 1));
    if (drawing.points) {
      graph->setLineStyle(QCPGraph::lsImpulse);
      graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, pointSize));
    }
    graph->setData(curve.x, curve.y, true);
    if (curve.x.isEmpty()) continue;
    const auto [leastX, mostX] = std::minmax_element(curve.x.begin(), curve.x.end());
    lowX = i == 0 ? *leastX : std::min(lowX, *leastX);
    highX = i == 0 ? *mostX : std::max(highX, *mostX);
    const auto [least, most] = std::minmax_element(curve.y.begin(), curve.y.end());
    low = std::min(low, *least);
    high = std::max(high, *most);
  }
  names_->setText(drawing.curves.size() > 1 ? names : QString());
  plot_->xAxis->setLabel(drawing.x);
  plot_->yAxis->setLabel(drawing.y);
  if (drawing.points) {
    lowX -= 0.5;
    highX += 0.5;
  }
  plot_->setWholeRanges({lowX, std::max(highX, lowX + 1e-9)},
                        {low * room, high > low ? high * room : low + 1});
  std::vector<CurvePlot::Mark> marks;
  if (drawing.marked) marks.push_back({drawing.mark, {}, theme.chosen});
  plot_->setMarks(marks);
  if (!drawing.curves.empty()) plot_->setSteps(plot_->graph(0), 0);
  note_->setWhole(drawing.note);
  plot_->replot(QCustomPlot::rpQueuedReplot);
  Q_EMIT drawn();
}

void RawPlot::drawNoise() {
  RawPicture picture;
  const bool known = summary_ && !summary_->noise.empty();
  if (known) {
    picture.columns = picture.rows = std::int64_t(summary_->energy.size());
    picture.width = picture.height = int(picture.columns);
    picture.values.assign(summary_->noise.begin(), summary_->noise.end());
  }
  names_->clear();
  covariance_->setHint(tr("This scan has no noise readouts"));
  covariance_->setPicture(std::move(picture));
  if (known) covariance_->setPlace(RawPictureView::Cell{place_.coil, place_.coil});
  note_->setWhole(known ? tr("Deviation %1 of coil %2, from %3 samples")
                              .arg(valueText(summary_->noiseOf(int(place_.coil))))
                              .arg(place_.coil)
                              .arg(summary_->noiseSamples)
                        : QString());
  Q_EMIT drawn();
}

void RawPlot::tell(RawCurve curve, const QString& note) {
  if (shown() != curve) return;
  names_->clear();
  note_->setWhole(note);
}

void RawPlot::choose(double x) {
  if (!scan_) return;
  const auto index = qint64(std::lround(x));
  if (shown() == RawCurve::coils && index >= 0 && index < scan_->coils) Q_EMIT coilChosen(index);
  if (shown() == RawCurve::shots && index >= 0 && index < scan_->trajectory(0).shots())
    Q_EMIT shotChosen(index);
}

}  // namespace spokelab
