#include "widgets/recon/lambda_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

#include "engine/core/stage_timer.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/core/elided_label.h"
#include "widgets/core/number_text.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/core/plot/distinct_ticker.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

constexpr int viewInset = 6, lambdaSteps = 1000, valueWidth = 90, equalSplit = 1000;
constexpr double discSize = 5, ringSize = 11, room = 1.2;

CurvePlot* logarithmicPlot(const char* name, const QString& title, const QString& x, const QString& y) {
  auto* plot = new CurvePlot;
  plot->setObjectName(QString::fromLatin1(name));
  plot->setAccessibleName(title);
  for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
    axis->setScaleType(QCPAxis::stLogarithmic);
    axis->setTicker(QSharedPointer<DistinctTicker>::create(true));
    axis->setNumberFormat(QStringLiteral("gb"));
    axis->setNumberPrecision(2);
  }
  plot->xAxis->setLabel(x);
  plot->yAxis->setLabel(y);
  return plot;
}

QCPGraph* graphOf(CurvePlot& plot, const QString& name, const QCPScatterStyle& style,
                  QCPGraph::LineStyle line) {
  QCPGraph* graph = plot.addGraph();
  graph->setName(name);
  graph->setScatterStyle(style);
  graph->setLineStyle(line);
  return graph;
}

// The range of values above 0 with some room.
QCPRange rangeOf(std::initializer_list<QVector<double>> lists) {
  double low = 0, high = 0;
  for (const QVector<double>& list : lists)
    for (const double v : list) {
      if (!(v > 0)) continue;
      low = low > 0 ? std::min(low, v) : v;
      high = std::max(high, v);
    }
  return low > 0 ? QCPRange(low / room, high * room) : QCPRange(1, 10);
}

}  // namespace

LambdaView::LambdaView(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("lambdaView"));
  bend_ = logarithmicPlot("lCurve", tr("L-curve"), tr("misfit of the samples"), tr("length of the image"));
  curves_ = logarithmicPlot("lambdaCurves", tr("Misfits over λ"), QStringLiteral("λ"), tr("misfit / energy"));
  const QCPScatterStyle disc(QCPScatterStyle::ssDisc, discSize), ring(QCPScatterStyle::ssCircle, ringSize);
  bendLine_ = graphOf(*bend_, tr("L-curve"), disc, QCPGraph::lsLine);
  bendPlace_ = graphOf(*bend_, tr("now"), ring, QCPGraph::lsNone);
  misfit_ = graphOf(*curves_, tr("misfit"), disc, QCPGraph::lsLine);
  heldOut_ = graphOf(*curves_, tr("held out"), disc, QCPGraph::lsLine);
  noise_ = graphOf(*curves_, tr("noise"), QCPScatterStyle::ssNone, QCPGraph::lsLine);
  curves_->setNamed({misfit_, heldOut_, noise_});
  const auto goTo = [this](std::size_t point) {
    if (choice_ && point < choice_->range->points.size()) setLambda(choice_->range->points[point].lambda);
  };
  connect(bend_, &CurvePlot::pointPicked, this, [goTo](int point) { goTo(std::size_t(point)); });
  connect(curves_, &CurvePlot::pointPicked, this, [goTo](int point) { goTo(std::size_t(point)); });
  connect(curves_, &CurvePlot::clicked, this, [this](const QPoint& at) {
    if (choice_) setLambda(curves_->xAxis->pixelToCoord(at.x()));
  });
  curves_->setToolTip(tr("Click to take the λ there"));
  auto* splitter = new QSplitter;
  splitter->addWidget(bend_);
  splitter->addWidget(curves_);
  splitter->setSizes({equalSplit, equalSplit});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeControls());
  column->addWidget(splitter, 1);
  takeTheme();
  followScreenTheme(this, [this] { takeTheme(); });
  setChoice(nullptr);
}

QToolButton* LambdaView::makeJump(const QString& name, const QString& text, const QString& help,
                                  std::optional<double> LambdaChoice::*which) {
  auto* button = new QToolButton;
  button->setObjectName(name);
  button->setText(text);
  button->setToolTip(help);
  button->setAccessibleName(help);
  connect(button, &QToolButton::clicked, this, [this, which] {
    if (choice_ && (*choice_).*which) setLambda(*((*choice_).*which));
  });
  return button;
}

QWidget* LambdaView::makeControls() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(viewInset, 2, viewInset, 2);
  find_ = new QToolButton;
  find_->setObjectName(QStringLiteral("findLambdas"));
  find_->setText(tr("Find images for all λ"));
  find_->setToolTip(tr("One run of SENSE makes the images of a whole range of λ"));
  connect(find_, &QToolButton::clicked, this, &LambdaView::rangeRequested);
  row->addWidget(find_);
  status_ = new ElidedLabel({});
  status_->setObjectName(QStringLiteral("lambdaStatus"));
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(status_, 1);
  row->addWidget(new QLabel(QStringLiteral("λ")));
  slider_ = new QSlider(Qt::Horizontal);
  slider_->setObjectName(QStringLiteral("lambdaSlider"));
  slider_->setAccessibleName(tr("Regularization λ of the image that is shown"));
  slider_->setToolTip(tr("The image follows while the slider moves"));
  slider_->setRange(0, lambdaSteps);
  connect(slider_, &QSlider::valueChanged, this, &LambdaView::moved);
  row->addWidget(slider_, 1);
  value_ = new QLabel;
  value_->setObjectName(QStringLiteral("lambdaValue"));
  value_->setMinimumWidth(valueWidth);
  row->addWidget(value_);
  corner_ = makeJump(QStringLiteral("lambdaCorner"), tr("Corner"),
                     tr("The λ at which the L-curve bends most"), &LambdaChoice::corner);
  discrepancy_ = makeJump(QStringLiteral("lambdaNoise"), tr("Noise"),
                          tr("The λ at which the misfit is as large as the noise of the scan"),
                          &LambdaChoice::discrepancy);
  predicted_ = makeJump(QStringLiteral("lambdaHeldOut"), tr("Held out"),
                        tr("The λ that predicts shots that were left out best"), &LambdaChoice::heldOut);
  for (QToolButton* button : {corner_, discrepancy_, predicted_}) row->addWidget(button);
  use_ = new QToolButton;
  use_->setObjectName(QStringLiteral("useLambda"));
  use_->setText(tr("Use it"));
  use_->setToolTip(tr("Make this λ the parameter of the next reconstruction"));
  connect(use_, &QToolButton::clicked, this, [this] { Q_EMIT lambdaChosen(lambda()); });
  row->addWidget(use_);
  row->addWidget(new DragGrip(
      QStringLiteral("dragLambda"), tr("Drag the curves to another program; a click copies them"), [this] {
        return DragContent{
            QStringLiteral("lambda"),
            curves_->toPixmap(curves_->width(), curves_->height(), curves_->devicePixelRatioF()),
            curves_->numbers()};
      }));
  return bar;
}

void LambdaView::takeTheme() {
  const ChartTheme theme = ChartTheme::onScreen();
  for (CurvePlot* plot : {bend_, curves_}) plot->setTheme(theme);
  bendLine_->setPen(QPen(theme.interpolation, 2));
  bendPlace_->setPen(QPen(theme.chosen, 2));
  misfit_->setPen(QPen(theme.interpolation, 2));
  heldOut_->setPen(QPen(theme.fft, 2));
  noise_->setPen(QPen(theme.limit, 1, Qt::DashLine));
  markPlace();
}

void LambdaView::setBusy(bool busy) {
  if (busy != find_->isEnabled()) return;
  find_->setEnabled(!busy);
  if (busy)
    status_->setWhole(tr("One run for all λ…"));
  else
    draw();
}

double LambdaView::lambda() const {
  if (!choice_) return 0;
  const double low = choice_->range->points.front().lambda, high = choice_->range->points.back().lambda;
  return low * std::pow(high / low, double(slider_->value()) / lambdaSteps);
}

void LambdaView::setLambda(double lambda) {
  if (!choice_ || !(lambda > 0)) return;
  const double low = choice_->range->points.front().lambda, high = choice_->range->points.back().lambda;
  slider_->setValue(int(std::lround(lambdaSteps * std::log(lambda / low) / std::log(high / low))));
}

void LambdaView::setChoice(std::shared_ptr<const LambdaChoice> choice) {
  summing_.drop();
  choice_ = std::move(choice);
  seconds_ = 0;
  draw();
  for (QWidget* widget : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(use_)})
    widget->setEnabled(choice_ != nullptr);
  corner_->setEnabled(choice_ && choice_->corner);
  discrepancy_->setEnabled(choice_ && choice_->discrepancy);
  predicted_->setEnabled(choice_ && choice_->heldOut);
  if (!choice_) return;
  const int before = slider_->value();
  if (const auto first = choice_->discrepancy ? choice_->discrepancy
                         : choice_->heldOut   ? choice_->heldOut
                                              : choice_->corner)
    setLambda(*first);
  if (slider_->value() == before) moved();
}

void LambdaView::draw() {
  QVector<double> lambdas, misfits, lengths, heldOut;
  if (choice_) {
    const LambdaRange& range = *choice_->range;
    for (const LambdaPoint& p : range.points) {
      lambdas << p.lambda;
      misfits << p.misfit / range.energy;
      lengths << std::sqrt(p.square);
      if (!range.heldOut.empty()) heldOut << p.heldOut / range.energy;
    }
  }
  bendLine_->setData(misfits, lengths);
  misfit_->setData(lambdas, misfits, true);
  heldOut_->setData(heldOut.isEmpty() ? heldOut : lambdas, heldOut, true);
  QVector<double> noise;
  if (choice_ && choice_->noise > 0) noise.fill(choice_->noise / choice_->range->energy, 2);
  noise_->setData(noise.isEmpty() ? noise : QVector<double>{lambdas.front(), lambdas.back()}, noise, true);
  bend_->setSteps(choice_ ? bendLine_ : nullptr, -1);
  curves_->setSteps(choice_ ? misfit_ : nullptr, -1);
  bend_->setWholeRanges(rangeOf({misfits}), rangeOf({lengths}));
  curves_->setWholeRanges(rangeOf({lambdas}), rangeOf({misfits, heldOut, noise}));
  QString text = tr("SENSE with Tikhonov regularization: what each λ would give");
  if (choice_) {
    text = QString::fromStdString(choice_->range->ending);
    if (!choice_->notes.empty()) text += QStringLiteral("; ") + QString::fromStdString(choice_->notes.back());
  }
  status_->setWhole(text);
  markPlace();
}

void LambdaView::markPlace() {
  const ChartTheme theme = ChartTheme::onScreen();
  std::vector<CurvePlot::Mark> marks;
  QVector<double> across, up;
  value_->setText(choice_ ? shortLabel(lambda(), 3) : QString());
  if (choice_) {
    constexpr double sameLambda = 0.3;  // of the logarithm
    const auto add = [&](const std::optional<double>& at, const QString& text) {
      if (!at) return;
      if (!marks.empty() && std::abs(std::log(*at / marks.back().at)) < sameLambda)
        marks.back().text += QStringLiteral(", ") + text;  // texts at one place cannot be read
      else
        marks.push_back({*at, text, theme.muted});
    };
    add(choice_->corner, tr("corner"));
    add(choice_->heldOut, tr("held out"));
    add(choice_->discrepancy, tr("noise"));
    marks.push_back({lambda(), {}, theme.chosen});
    const std::vector<LambdaPoint>& points = choice_->range->points;
    const auto nearest =
        std::min_element(points.begin(), points.end(), [this](const LambdaPoint& a, const LambdaPoint& b) {
          return std::abs(std::log(a.lambda / lambda())) < std::abs(std::log(b.lambda / lambda()));
        });
    across << nearest->misfit / choice_->range->energy;
    up << std::sqrt(nearest->square);
  }
  bendPlace_->setData(across, up);
  curves_->setMarks(marks);
  for (CurvePlot* plot : {bend_, curves_}) plot->replot(QCustomPlot::rpQueuedReplot);
}

void LambdaView::moved() {
  if (!choice_) return;
  markPlace();
  const double shownLambda = lambda(), start = now();
  summing_.start([choice = choice_, shownLambda](std::stop_token) { return choice->image(shownLambda); },
                 [this, shownLambda, start](const std::shared_ptr<const Image>& image) {
                   seconds_ = now() - start;
                   Q_EMIT imageReady(image, shownLambda);
                 });
}

}  // namespace spokelab
