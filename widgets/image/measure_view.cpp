#include "widgets/image/measure_view.h"

#include <algorithm>
#include <cmath>

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "widgets/core/chart_theme.h"
#include "widgets/core/image_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/core/screen_theme.h"
#include "widgets/image/region_list.h"

namespace spokelab {
namespace {

constexpr int minPlotPixels = 80;   // of the plot
constexpr int gatherMs = 30;        // ms of dragging that make one computation
constexpr double minLength = 1e-6;  // mm, of an axis
constexpr double coursePixels = 4;

double part(cfloat v, DisplayMode mode) {
  switch (mode) {
    case DisplayMode::phase:
      return std::arg(v);
    case DisplayMode::real:
      return v.real();
    case DisplayMode::imaginary:
      return v.imag();
    default:
      return std::abs(cdouble(v));
  }
}

// A colour of the dark image views, on the ground of the charts.
QColor onPaper(const QColor& colour) {
  constexpr int darker = 165;  // per cent
  return screenTheme() == ScreenTheme::light ? colour.darker(darker) : colour;
}

QString complexText(cdouble v) {
  return QStringLiteral("%1 %2 %3i")
      .arg(valueText(v.real()), v.imag() < 0 ? QStringLiteral("−") : QStringLiteral("+"),
           valueText(std::abs(v.imag())));
}

}  // namespace

MeasureView::MeasureView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("measureView"));
  setAccessibleName(tr("Measurements"));
  timer_ = new QTimer(this);
  timer_->setSingleShot(true);
  timer_->setInterval(gatherMs);
  connect(timer_, &QTimer::timeout, this, &MeasureView::compute);
  hint_ = new QLabel(tr("In a slice: O draws an ellipse, B a box, L a line; drag with the left button."));
  hint_->setObjectName(QStringLiteral("measureHint"));
  hint_->setAlignment(Qt::AlignCenter);
  hint_->setWordWrap(true);
  table_ = new QTableWidget;
  table_->setObjectName(QStringLiteral("measureTable"));
  table_->setAccessibleName(tr("Statistics of the region"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setColumnCount(2);
  table_->setHorizontalHeaderLabels({tr("Shown"), tr("Reference")});
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  plot_ = new CurvePlot;
  plot_->setObjectName(QStringLiteral("lineProfile"));
  plot_->setAccessibleName(tr("Values along the line"));
  followScreenTheme(this, [this] {
    plot_->setTheme(ChartTheme::onScreen());
    drawLine();
  });
  plot_->setMinimumSize(minPlotPixels, minPlotPixels);
  regions_ = new RegionList;
  auto* splitter = new QSplitter;
  splitter->setChildrenCollapsible(false);
  for (QWidget* one : std::initializer_list<QWidget*>{regions_, table_, plot_}) splitter->addWidget(one);
  constexpr int regionsPart = 3, tablePart = 2, plotPart = 3, unit = 100;
  splitter->setSizes({regionsPart * unit, tablePart * unit, plotPart * unit});
  splitter->setStretchFactor(0, regionsPart);
  splitter->setStretchFactor(1, tablePart);
  splitter->setStretchFactor(2, plotPart);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(hint_);
  column->addWidget(splitter, 1);
  take({});
}

void MeasureView::setMeasurement(Measurement* measurement) {
  if (measurement_) disconnect(measurement_, nullptr, this, nullptr);
  measurement_ = measurement;
  if (measurement_) connect(measurement_, &Measurement::changed, this, &MeasureView::schedule);
  regions_->setMeasurement(measurement);
  schedule();
}

void MeasureView::setImages(std::shared_ptr<const Image> shown, std::shared_ptr<const Image> reference) {
  if (shown == shown_ && reference == reference_) return;
  shown_ = std::move(shown);
  reference_ = std::move(reference);
  frame_ = shown_ ? std::min(frame_, shown_->frames - 1) : 0;
  schedule();
}

void MeasureView::setFrame(int frame) {
  if (frame == frame_) return;
  frame_ = frame;
  schedule();
}

void MeasureView::setCursor(const Index3& pixel) {
  if (pixel == cursor_) return;
  cursor_ = pixel;
  if (shown_ && shown_->frames > 1) schedule();
}

void MeasureView::setMode(DisplayMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  drawLine();
}

void MeasureView::schedule() {
  changed_ = true;
  if (!timer_->isActive()) timer_->start();
}

void MeasureView::compute() {
  const bool anything = shown_ && measurement_ &&
                        (!measurement_->regions().all.empty() || measurement_->line() || shown_->frames > 1);
  if (!anything) return take({});
  if (job_.isRunning()) return;  // its end computes again
  changed_ = false;
  MeasureRequest request{
      shown_, reference_, frame_, {}, measurement_->regions().current, measurement_->line(), cursor_};
  for (const NamedRegion& region : measurement_->regions().all)
    if (region.region) request.regions.emplace_back(region.id, *region.region);
  const auto end = [this](const Measured& measured) { changed_ ? compute() : take(measured); };
  job_.start([request](std::stop_token) { return measure(request); }, end,
             [end](const QString& failure) {
               Measured measured;
               measured.problem = failure.toStdString();
               end(measured);
             });
}

void MeasureView::take(const Measured& measured) {
  const bool another = measured.lineLength != measured_.lineLength ||
                       measured.shownCourse.size() != measured_.shownCourse.size();
  measured_ = measured;
  const bool nothing = !measured.shown && measured.shownLine.empty() && measured.shownCourse.empty();
  hint_->setVisible(nothing || !measured.problem.empty());
  if (!measured.problem.empty()) hint_->setText(QString::fromStdString(measured.problem));
  regions_->setNumbers(measured.regions);
  table_->setVisible(measured.shown.has_value());
  plot_->setVisible(!measured.shownLine.empty() || !measured.shownCourse.empty());
  fillTable();
  drawLine();
  if (another) plot_->showAll();
  Q_EMIT measuredAgain();
}

void MeasureView::fillTable() {
  struct Row {
    QString title, help;
    QString shown, reference;
  };
  std::vector<Row> rows;
  const auto both = [&](const QString& title, const QString& help, auto value) {
    rows.push_back({title, help, measured_.shown ? value(*measured_.shown) : QString(),
                    measured_.reference ? value(*measured_.reference) : QString()});
  };
  using S = const RegionStatistics&;
  if (measured_.shown) {
    both(tr("Pixels"), tr("Pixels of the region that are finite numbers"),
         [](S s) { return QString::number(s.count); });
    rows.push_back({measured_.solid ? tr("Volume") : tr("Area"),
                    tr("In the patient; mm³ over several slices"),
                    measured_.solid ? tr("%1 mm³").arg(valueText(measured_.area))
                                    : tr("%1 mm²").arg(valueText(measured_.area)),
                    {}});
    both(tr("Mean |m|"), tr("Mean of the magnitudes"), [](S s) { return valueText(s.magnitudeMean); });
    both(tr("SD |m|"), tr("Standard deviation of the magnitudes (n − 1)"),
         [](S s) { return valueText(s.magnitudeDeviation); });
    both(
        tr("Mean / SD"),
        tr("Mean of the magnitudes over their standard deviation: a signal-to-noise ratio only in a region of one tissue"),
        [](S s) { return valueText(s.snr); });
    both(tr("Range |m|"), tr("Smallest and largest magnitude"),
         [](S s) { return valueText(s.smallest) + QStringLiteral(" … ") + valueText(s.largest); });
    both(tr("Mean m"), tr("Mean of the complex values"), [](S s) { return complexText(s.mean); });
    both(tr("Phase"), tr("Phase of the complex mean, rad"),
         [](S s) { return fixedLabel(std::arg(s.mean), 3); });
    both(tr("SD re, im"), tr("Standard deviation of each of real and imaginary part about the complex mean"),
         [](S s) { return valueText(s.deviation); });
    both(tr("|Mean m| / SD"), tr("Magnitude of the complex mean over the deviation of one part"),
         [](S s) { return valueText(s.complexSnr); });
  }
  if (measured_.comparison) {
    rows.push_back({tr("NRMSE"),
                    tr("|s a − b| / |b| over the region, s the scale of the whole frame"),
                    valueText(measured_.comparison->nrmse),
                    {}});
    rows.push_back({tr("SSIM"),
                    tr("Structural similarity of the magnitudes, mean over the region"),
                    fixedLabel(measured_.comparison->ssim, 4),
                    {}});
  }
  table_->setRowCount(int(rows.size()));
  table_->setColumnHidden(1, !measured_.reference);
  for (int i = 0; i < int(rows.size()); ++i) {
    const Row& row = rows[std::size_t(i)];
    auto* header = new QTableWidgetItem(row.title);
    header->setToolTip(row.help);
    table_->setVerticalHeaderItem(i, header);
    table_->setItem(i, 0, new QTableWidgetItem(row.shown));
    table_->setItem(i, 1, new QTableWidgetItem(row.reference));
    for (int column = 0; column < 2; ++column) table_->item(i, column)->setToolTip(row.help);
  }
}

bool MeasureView::showsCourse() const {
  return measured_.shownLine.empty() && !measured_.shownCourse.empty();
}

// At the frames' times if all are known, else at numbers from 1; a line marks the shown frame.
void MeasureView::drawCourse() {
  const ChartTheme theme = ChartTheme::onScreen();
  const FrameAxes& axes = shown_->frameAxes;
  const FrameAxis* axis = axes.axes.size() == 1 ? &axes.axes.front() : nullptr;
  const bool hasValues = axis && axis->values.size() == measured_.shownCourse.size() && axes.isGrid();
  const auto place = [&](std::size_t frame) { return hasValues ? axis->values[frame] : double(frame + 1); };
  const auto add = [&](const std::vector<double>& course, const QString& name, const QColor& colour) {
    if (course.empty()) return;
    QVector<double> x, y;
    for (std::size_t frame = 0; frame < course.size(); ++frame) {
      x << place(frame);
      y << course[frame];
    }
    QCPGraph* graph = plot_->addGraph();
    graph->setName(name);
    graph->setPen(QPen(colour, 1.5));
    graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, coursePixels));
    graph->setData(x, y, true);
  };
  add(measured_.referenceCourse, tr("reference"), theme.interpolation);
  const bool several = measured_.regions.size() > 1;
  for (const RegionNumbers& numbers : measured_.regions) {
    const NamedRegion* region = measurement_->find(numbers.id);
    if (several && region && numbers.id != measurement_->regions().current)
      add(numbers.course, region->name, onPaper(ImageTheme::measured(region->colour)));
  }
  const NamedRegion* current = measurement_->find(measurement_->regions().current);
  if (several && current)
    add(measured_.shownCourse, current->name, onPaper(ImageTheme::measured(current->colour)));
  else
    add(measured_.shownCourse, tr("shown"), theme.fft);
  if (several) plot_->legend->setVisible(true);
  if (frame_ < int(measured_.shownCourse.size()))
    plot_->setMarks({{place(std::size_t(frame_)), QString(), theme.muted}});
  const QString unit = hasValues ? QString::fromLatin1(frameUnit(axis->meaning)) : QString();
  const QString meaning = axis ? QString::fromLatin1(frameMeaningName(axis->meaning)) : tr("frame");
  plot_->xAxis->setLabel(unit.isEmpty() ? meaning : QStringLiteral("%1 (%2)").arg(meaning, unit));
  plot_->yAxis->setLabel(measured_.shown ? tr("mean |m| of the region") : tr("|m| at the cursor"));
}

void MeasureView::drawLine() {
  const ChartTheme theme = ChartTheme::onScreen();
  plot_->setSteps(nullptr, -1);
  plot_->clearGraphs();
  plot_->setMarks({});
  const auto add = [&](const std::vector<cfloat>& line, const QString& name, const QColor& colour) {
    if (line.empty()) return;
    QVector<double> x, y;
    for (std::size_t i = 0; i < line.size(); ++i) {
      x << measured_.lineLength * double(i) / double(std::max<std::size_t>(line.size() - 1, 1));
      y << part(line[i], mode_);
    }
    QCPGraph* graph = plot_->addGraph();
    graph->setName(name);
    graph->setPen(QPen(colour, 1.5));
    graph->setData(x, y, true);
  };
  add(measured_.referenceLine, tr("reference"), theme.interpolation);
  add(measured_.shownLine, tr("shown"), theme.fft);
  plot_->legend->setVisible(!measured_.referenceLine.empty() || !measured_.referenceCourse.empty());
  plot_->xAxis->setLabel(tr("along the line (mm)"));
  plot_->yAxis->setLabel(displayModeTitle(mode_ == DisplayMode::complex ? DisplayMode::magnitude : mode_));
  if (showsCourse()) drawCourse();
  if (plot_->graphCount() > 0) showWhole();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

// Home moves the cursor to the largest value.
void MeasureView::showWhole() {
  QCPRange x(0, std::max(measured_.lineLength, minLength));
  if (showsCourse()) {
    bool any = false;
    x = plot_->graph(plot_->graphCount() - 1)->getKeyRange(any);
  }
  QCPRange y;
  for (int g = 0; g < plot_->graphCount(); ++g) {
    bool any = false;
    const QCPRange range = plot_->graph(g)->getValueRange(any);
    if (any) y = g == 0 ? range : y.expanded(range);
  }
  if (mode_ == DisplayMode::magnitude || mode_ == DisplayMode::complex) y.lower = 0;
  if (!(y.size() > 0)) y = QCPRange(y.lower - 1, y.lower + 1);
  const QCPGraph* shown = plot_->graph(plot_->graphCount() - 1);
  const QSharedPointer<const QCPGraphDataContainer> points = shown->data();
  const auto largest =
      std::max_element(points->constBegin(), points->constEnd(),
                       [](const QCPGraphData& a, const QCPGraphData& b) { return a.value < b.value; });
  plot_->setSteps(shown, int(largest - points->constBegin()));
  plot_->setWholeRanges(x, y);
}

}  // namespace spokelab
