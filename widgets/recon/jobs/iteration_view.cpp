#include "widgets/recon/jobs/iteration_view.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "engine/recon/options/recipe_table.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/core/screen_theme.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/display/orientation.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

constexpr int inset = 6, lambdaWidth = 90, evenSplit = 1000;
constexpr double pointSize = 5, ringSize = 9, bestSize = 11;
// The smallest value that a logarithmic axis shows.
constexpr double minResidual = 1e-12;
constexpr double room = 1.6;  // above and below the curve

constexpr std::size_t maxImageBytes = std::size_t(256) << 20;
constexpr double maxPickPixels = 12;  // pixels

}  // namespace

void IterationView::takeTheme() {
  const ChartTheme theme = ChartTheme::onScreen();
  plot_->setTheme(theme);
  curve_->setPen(QPen(theme.interpolation, 2));
  kept_->setPen(QPen(theme.foreground, 1));
  best_->setPen(QPen(theme.chosen, 2));
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

IterationView::IterationView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("iterationView"));
  plot_ = new CurvePlot;
  plot_->setObjectName(QStringLiteral("residuals"));
  plot_->setAccessibleName(tr("Residual over iterations"));
  plot_->xAxis->setLabel(tr("iteration"));
  const auto whole = QSharedPointer<QCPAxisTickerFixed>::create();  // iterations have no halves
  whole->setTickStep(1);
  whole->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
  plot_->xAxis->setTicker(whole);
  plot_->xAxis->setSubTicks(false);
  plot_->yAxis->setLabel(tr("residual"));
  plot_->yAxis->setScaleType(QCPAxis::stLogarithmic);
  plot_->yAxis->setTicker(QSharedPointer<DistinctTicker>::create(true));
  plot_->yAxis->setNumberFormat(QStringLiteral("eb"));
  plot_->yAxis->setNumberPrecision(0);
  const auto graph = [this](const QCPScatterStyle& style, QCPGraph::LineStyle line) {
    QCPGraph* g = plot_->addGraph();
    g->setLineStyle(line);
    g->setScatterStyle(style);
    return g;
  };
  curve_ = graph(QCPScatterStyle(QCPScatterStyle::ssDisc, pointSize), QCPGraph::lsLine);
  kept_ = graph(QCPScatterStyle(QCPScatterStyle::ssCircle, ringSize), QCPGraph::lsNone);
  best_ = graph(QCPScatterStyle(QCPScatterStyle::ssCircle, bestSize), QCPGraph::lsNone);
  takeTheme();
  followScreenTheme(this, [this] { takeTheme(); });
  connect(plot_, &CurvePlot::clicked, this, &IterationView::pick);
  connect(plot_, &CurvePlot::pointPicked, this, [this](int point) { goBack(std::size_t(point)); });
  plot_->setToolTip(
      tr("Click a point to look at the image of that iteration; Enter on a ringed one returns to it while "
         "iterations run"));

  image_ = new SliceView;
  image_->setCursorVisible(false);
  image_->setReadoutVisible(false);
  image_->setEmptyText(tr("The last iteration's image appears here"));
  caption_ = new QLabel;
  caption_->setObjectName(QStringLiteral("iterationCaption"));
  caption_->setMargin(inset / 2);
  auto* right = new QWidget;
  auto* rightColumn = new QVBoxLayout(right);
  rightColumn->setContentsMargins(0, 0, 0, 0);
  rightColumn->setSpacing(0);
  rightColumn->addWidget(image_, 1);
  slider_ = new QSlider(Qt::Horizontal);
  slider_->setObjectName(QStringLiteral("iterationSlider"));
  slider_->setAccessibleName(tr("Iteration that is shown"));
  slider_->setToolTip(tr("The images of the iterations; at its right end it shows each new one"));
  slider_->setTickPosition(QSlider::NoTicks);
  slider_->setPageStep(1);
  connect(slider_, &QSlider::valueChanged, this, [this](int place) {
    follows_ = place == slider_->maximum();
    showIteration(std::next(images_.begin(), place)->first);
  });
  back_ = makeButton(QStringLiteral("iterationBack"), tr("Go back to it"),
                     tr("The iterations continue from the image that is shown"));
  connect(back_, &QToolButton::clicked, this, [this] {
    if (const IterationPoint* point = pointOf(shown_)) goBack(std::size_t(point - points_.data()));
  });
  auto* below = new QHBoxLayout;
  below->setContentsMargins(inset, 0, inset, 0);
  below->addWidget(caption_);
  below->addWidget(slider_, 1);
  below->addWidget(back_);
  rightColumn->addLayout(below);
  auto* splitter = new QSplitter;
  splitter->addWidget(plot_);
  splitter->addWidget(right);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({evenSplit, evenSplit});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeControls());
  column->addWidget(splitter, 1);
  drawCurve();
  updateControls();
}

QToolButton* IterationView::makeButton(const QString& name, const QString& text, const QString& help) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  return button;
}

QWidget* IterationView::makeControls() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(inset, 2, inset, 2);
  status_ = new ElidedLabel(nothingYet());
  status_->setObjectName(QStringLiteral("iterationStatus"));
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(status_, 1);
  live_ = new QCheckBox(tr("Live image"));
  live_->setObjectName(QStringLiteral("iterationLive"));
  live_->setToolTip(tr("Fetch the image of the iterations; without it none leaves the device"));
  live_->setChecked(true);
  connect(live_, &QCheckBox::toggled, this, &IterationView::liveRequested);
  row->addWidget(live_);
  large_ = new QCheckBox(tr("In the main views"));
  large_->setObjectName(QStringLiteral("iterationLarge"));
  large_->setToolTip(tr("Show the live image as slices and volume, too"));
  connect(large_, &QCheckBox::toggled, this, [this](bool on) {
    if (on && running_ && image_->image()) Q_EMIT largeImageReady(image_->image());
  });
  row->addWidget(large_);
  row->addWidget(new QLabel(QStringLiteral("λ")));
  lambda_ = new QLineEdit;
  lambda_->setObjectName(QStringLiteral("iterationLambda"));
  lambda_->setAccessibleName(tr("Regularization of the running iterations"));
  lambda_->setFixedWidth(lambdaWidth);
  row->addWidget(lambda_);
  apply_ = makeButton(QStringLiteral("iterationApply"), tr("Apply"), tr("Continue with this λ"));
  const auto apply = [this] {
    bool fine = false;
    const double value = lambda_->text().toDouble(&fine);
    if (fine && value >= 0 && std::isfinite(value) && running_) Q_EMIT lambdaRequested(value);
  };
  connect(apply_, &QToolButton::clicked, this, apply);
  connect(lambda_, &QLineEdit::returnPressed, this, apply);
  row->addWidget(apply_);
  pause_ =
      makeButton(QStringLiteral("iterationPause"), tr("Pause"), tr("Hold after this iteration, or resume"));
  connect(pause_, &QToolButton::clicked, this, [this] {
    setPaused(!paused_);
    Q_EMIT pauseRequested(paused_);
  });
  row->addWidget(pause_);
  stop_ = makeButton(QStringLiteral("iterationStop"), tr("Stop"), tr("Stop and keep the image of now"));
  connect(stop_, &QToolButton::clicked, this, [this] { Q_EMIT stopRequested(false); });
  row->addWidget(stop_);
  keep_ = makeButton(QStringLiteral("iterationKeepBest"), tr("Keep best"),
                     tr("Stop and keep the image of the smallest residual"));
  connect(keep_, &QToolButton::clicked, this, [this] { Q_EMIT stopRequested(true); });
  row->addWidget(keep_);
  row->addWidget(new DragGrip(
      QStringLiteral("dragResiduals"), tr("Drag the curve to another program; a click copies it"), [this] {
        return DragContent{QStringLiteral("residuals"),
                           plot_->toPixmap(plot_->width(), plot_->height(), plot_->devicePixelRatioF()),
                           plot_->numbers()};
      }));
  return bar;
}

QString IterationView::nothingYet() {
  return tr("No iterations yet: choose a method that iterates (%1)")
      .arg(QString::fromStdString(iteratingMethods()));
}

void IterationView::clear() {
  if (running_) return;  // of this scan already
  title_.clear();
  points_.clear();
  images_.clear();
  image_->setImage(nullptr);
  caption_->clear();
  shown_ = 0;
  follows_ = true;
  updateSlider();
  status_->setWhole(nothingYet());
  plot_->showAll();
  drawCurve();
  updateControls();
}

bool IterationView::live() const {
  return live_->isChecked();
}

QString IterationView::status() const {
  return status_->whole();
}

void IterationView::start(const QString& title) {
  title_ = title;
  running_ = true;
  paused_ = false;
  points_.clear();
  images_.clear();
  image_->setImage(nullptr);
  caption_->clear();
  shown_ = 0;
  follows_ = true;
  updateSlider();
  status_->setWhole(tr("%1: maps and plan").arg(title_));
  plot_->showAll();  // the last job's zoom does not fit this job
  drawCurve();
  updateControls();
}

void IterationView::addPoints(const std::vector<IterationPoint>& points) {
  if (points.empty()) return;
  for (const IterationPoint& point : points) {
    const bool another =
        !points_.empty() && (points_.back().frame != point.frame || points_.back().slice != point.slice);
    if (another) {
      points_.clear();
      images_.clear();
      follows_ = true;
      updateSlider();
    }
    points_.push_back(point);
  }
  const IterationPoint& last = points_.back();
  status_->setWhole(tr("%1: frame %2, slice %3, iteration %4, residual %5, %6")
                        .arg(title_)
                        .arg(last.frame + 1)
                        .arg(last.slice + 1)
                        .arg(last.iteration)
                        .arg(errorLabel(last.residual), secondsLabel(last.seconds)));
  if (!lambda_->hasFocus()) lambda_->setText(shortLabel(last.lambda, 4));
  drawCurve();
  updateControls();
}

void IterationView::dropImages(const std::vector<int>& iterations) {
  if (iterations.empty()) return;
  for (IterationPoint& point : points_)
    if (std::find(iterations.begin(), iterations.end(), point.iteration) != iterations.end())
      point.kept = false;
  drawCurve();
  updateSlider();
}

void IterationView::finish(const QString& ending) {
  running_ = false;
  paused_ = false;
  for (IterationPoint& point : points_) point.kept = images_.contains(point.iteration);
  status_->setWhole(tr("%1: %2").arg(title_, ending));
  drawCurve();
  updateControls();
}

void IterationView::setPaused(bool paused) {
  paused_ = paused && running_;
  updateControls();
}

bool IterationView::isSteerable() const {
  return points_.empty() || points_.back().steerable;
}

void IterationView::updateControls() {
  for (QToolButton* const button : {pause_, stop_, keep_}) button->setEnabled(running_);
  const bool steerable = running_ && isSteerable();
  apply_->setEnabled(steerable);
  lambda_->setEnabled(steerable);
  const QString noLambda = tr("This method takes no other λ while it runs: each step has its penalty");
  lambda_->setToolTip(isSteerable() ? QString() : noLambda);
  apply_->setToolTip(isSteerable() ? apply_->accessibleName() : noLambda);
  updateSlider();
  pause_->setText(paused_ ? tr("Resume") : tr("Pause"));
}

void IterationView::drawCurve() {
  QVector<double> x, y, keptX, keptY;
  double low = 1, high = minResidual;
  const IterationPoint* best = nullptr;
  for (const IterationPoint& point : points_) {
    const double residual = std::max(point.residual, minResidual);
    x << double(x.size() + 1);
    y << residual;
    if (point.kept) keptX << x.back(), keptY << residual;
    low = std::min(low, residual);
    high = std::max(high, residual);
    if (!best || point.residual < best->residual) best = &point;
  }
  curve_->setData(x, y, true);
  kept_->setData(keptX, keptY, true);
  if (best)
    best_->setData({double(best - points_.data() + 1)}, {std::max(best->residual, minResidual)}, true);
  else
    best_->setData({}, {});
  markLambdas();
  plot_->setSteps(curve_, best ? int(best - points_.data()) : -1);
  plot_->setWholeRanges({0.5, std::max<double>(double(x.size()) + 0.5, 10.5)},
                        {low / room, std::max(high, low) * room});
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

// A line where another λ took over, with its value.
void IterationView::markLambdas() {
  constexpr double half = 0.5;  // between two iterations
  std::vector<CurvePlot::Mark> marks;
  for (std::size_t i = 1; i < points_.size(); ++i)
    if (points_[i].lambda != points_[i - 1].lambda)
      marks.push_back(
          {double(i) + half, tr("λ %1").arg(shortLabel(points_[i].lambda, 4)), ChartTheme::onScreen().limit});
  plot_->setMarks(marks);
}

QPoint IterationView::positionOf(std::size_t point) const {
  return {int(plot_->xAxis->coordToPixel(double(point + 1))),
          int(plot_->yAxis->coordToPixel(std::max(points_[point].residual, minResidual)))};
}

void IterationView::keepImages(const std::map<int, std::shared_ptr<const Image>>& images) {
  for (const auto& [iteration, image] : images)
    if (pointOf(iteration)) images_[iteration] = image;
  if (images_.empty()) return;
  const std::size_t bytes = images_.rbegin()->second->data.size() * sizeof(cfloat);
  while (images_.size() > 1 && images_.size() * bytes > maxImageBytes) images_.erase(images_.begin());
  updateSlider();
}

void IterationView::setImage(std::shared_ptr<const Image> image) {
  if (image && large_->isChecked()) Q_EMIT largeImageReady(image);
  if (image && !points_.empty()) keepImages({{points_.back().iteration, image}});
  const bool fit = !image_->image() || !image || image_->image()->size != image->size;
  if (!follows_ && !fit && images_.contains(shown_)) return updateSlider();
  follows_ = true;
  image_->setImage(image, 0, fit);
  if (image && fit) image_->setPlane(nativePlane(pixelAxes(*image)));
  if (!fit && points_.size() <= 2) image_->setWindows(fittingWindows(*image, 0));
  shown_ = image && !points_.empty() ? points_.back().iteration : 0;
  caption_->setText(shown_ == 0 ? QString() : tr("image of iteration %1").arg(shown_));
  updateSlider();
}

void IterationView::pick(const QPoint& position) {
  std::optional<std::size_t> nearest;
  double least = maxPickPixels;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const QPoint away = positionOf(i) - position;
    const double distance = std::hypot(away.x(), away.y());
    if (!images_.contains(points_[i].iteration) || distance > least) continue;
    least = distance;
    nearest = i;
  }
  if (!nearest) return;
  follows_ = false;
  showIteration(points_[*nearest].iteration);
}

const IterationPoint* IterationView::pointOf(int iteration) const {
  const auto found = std::find_if(points_.rbegin(), points_.rend(), [iteration](const IterationPoint& point) {
    return point.iteration == iteration;
  });
  return found == points_.rend() ? nullptr : &*found;
}

void IterationView::showIteration(int iteration) {
  const auto found = images_.find(iteration);
  if (found == images_.end()) return;
  shown_ = iteration;
  image_->setImage(found->second, 0, false);
  const IterationPoint* point = pointOf(iteration);
  caption_->setText(
      point ? tr("image of iteration %1, residual %2").arg(iteration).arg(errorLabel(point->residual))
            : tr("image of iteration %1").arg(iteration));
  updateSlider();
}

void IterationView::updateSlider() {
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, std::max<int>(int(images_.size()) - 1, 0));
  slider_->setValue(int(std::distance(images_.begin(), images_.find(shown_))));
  slider_->setVisible(images_.size() > 1);
  const IterationPoint* point = pointOf(shown_);
  back_->setVisible(running_);
  back_->setEnabled(running_ && point && point->kept);
  back_->setToolTip(isSteerable()
                        ? back_->accessibleName()
                        : tr("This method cannot go back: its image alone does not determine the coil "
                             "maps that it finds with it"));
}

void IterationView::goBack(std::size_t point) {
  if (point >= points_.size()) return;
  if (!running_) {
    follows_ = false;
    return showIteration(points_[point].iteration);
  }
  if (!points_[point].kept) return;
  follows_ = true;
  Q_EMIT backRequested(points_[point].iteration);
}

}  // namespace spokelab
