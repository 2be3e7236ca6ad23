#include "widgets/recon/parameters/plan_sliders.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr int sliderMargin = 8, sliderGap = 6;
constexpr double alphaStep = 0.01, widthStep = 0.1, stepsADecade = 10;
constexpr int minAlphaSteps = 105, maxAlphaSteps = 250;  // steps
constexpr int minWidthSteps = 15, maxWidthSteps = 140;   // steps
// steps below 1
constexpr int minAccuracySteps = 3, maxAccuracyStepsSingle = 60, maxAccuracyStepsDouble = 130;

}  // namespace

double PlanSliders::alphaAt(int place) {
  return alphaStep * place;
}

double PlanSliders::widthAt(int place) {
  return widthStep * place;
}

// Two digits, as they are written.
double PlanSliders::accuracyAt(int place) {
  const double exact = std::pow(10.0, -place / stepsADecade);
  return QString::number(exact, 'e', 1).toDouble();
}

PlanSliders::PlanSliders(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("planSliders"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(sliderMargin, 4, sliderMargin, 2);
  grid->setHorizontalSpacing(sliderGap);
  grid->setVerticalSpacing(2);
  rows_[0] = makeRow("alphaSlider", tr("α"), tr("Oversampling ratio α"), true, minAlphaSteps, maxAlphaSteps);
  rows_[1] =
      makeRow("widthSlider", tr("W"), tr("Kernel width W in grid cells"), true, minWidthSteps, maxWidthSteps);
  rows_[2] =
      makeRow("accuracySlider", tr("ε"), tr("Accuracy ε"), false, minAccuracySteps, maxAccuracyStepsSingle);
  const QString titles[] = {tr("α"), tr("W"), tr("ε")};
  for (int i = 0; i < 3; ++i) {
    auto* title = new QLabel(titles[i]);
    title->setBuddy(rows_[std::size_t(i)].slider);
    grid->addWidget(title, i, 0);
    grid->addWidget(rows_[std::size_t(i)].slider, i, 1);
    grid->addWidget(rows_[std::size_t(i)].value, i, 2);
    if (rows_[std::size_t(i)].automatic) grid->addWidget(rows_[std::size_t(i)].automatic, i, 3);
    connect(rows_[std::size_t(i)].slider, &QSlider::valueChanged, this,
            [this, i](int place) { take(i, place); });
    connect(rows_[std::size_t(i)].slider, &QSlider::sliderReleased, this, [this] {
      if (moving_) rest();
    });
  }
  for (int i = 0; i < 2; ++i)
    connect(rows_[std::size_t(i)].automatic, &QToolButton::clicked, this, [this, i] { free(i); });
  note_ = new QLabel;
  note_->setObjectName(QStringLiteral("sliderNote"));
  note_->setWordWrap(true);
  note_->setProperty("role", "note");
  QSizePolicy place = note_->sizePolicy();  // keeps the layout when it is shown or hidden
  place.setRetainSizeWhenHidden(true);
  note_->setSizePolicy(place);
  note_->hide();
  grid->addWidget(note_, 3, 0, 1, 4);
  grid->setColumnStretch(1, 1);
  rest_.setSingleShot(true);
  rest_.setInterval(restMs);
  connect(&rest_, &QTimer::timeout, this, [this] {
    for (const Row& row : rows_)
      if (row.slider->isSliderDown()) return;  // the release will follow
    rest();
  });
  fill();
}

PlanSliders::Row PlanSliders::makeRow(const char* name, const QString& title, const QString& help,
                                      bool automatic, int low, int high) {
  Row row;
  row.slider = new QSlider(Qt::Horizontal);
  row.slider->setObjectName(QString::fromLatin1(name));
  row.slider->setAccessibleName(help);
  row.slider->setToolTip(tr("%1: the image follows while you drag").arg(help));
  row.slider->setRange(low, high);
  row.value = new QLabel;
  row.value->setObjectName(QString::fromLatin1(name) + QStringLiteral("Value"));
  row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row.value->setMinimumWidth(row.value->fontMetrics().horizontalAdvance(QStringLiteral("0.0e-00")));
  if (!automatic) return row;
  row.automatic = new QToolButton;
  row.automatic->setObjectName(QString::fromLatin1(name) + QStringLiteral("Auto"));
  row.automatic->setText(tr("auto"));
  row.automatic->setAccessibleName(tr("%1 automatic").arg(title));
  row.automatic->setToolTip(tr("Leave it to the tuner"));
  row.automatic->setCheckable(true);
  return row;
}

void PlanSliders::setOptions(const ReconOptions& options) {
  options_ = options;
  fill();
}

void PlanSliders::setSettled(const NufftOptions& settled) {
  settled_ = settled;
  fill();
}

void PlanSliders::setNote(const QString& note) {
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

void PlanSliders::take(int row, int place) {
  if (row == 0) options_.nufft.alpha = alphaAt(place);
  if (row == 1) options_.nufft.width = widthAt(place);
  if (row == 2) setAccuracy(options_, accuracyAt(place));
  moving_ = true;
  fill();
  rest_.start();
  Q_EMIT moved(options_);
}

void PlanSliders::free(int row) {
  if (row == 0) options_.nufft.alpha = 0;
  if (row == 1) options_.nufft.width = 0;
  moving_ = true;
  fill();
  Q_EMIT moved(options_);
  rest();
}

void PlanSliders::rest() {
  rest_.stop();
  if (!std::exchange(moving_, false)) return;
  Q_EMIT rested(options_);
}

void PlanSliders::fill() {
  const NufftOptions& plan = options_.nufft;
  const auto place = [](QSlider* slider, double at) {
    if (slider->isSliderDown()) return;  // it is in the user's hand
    const QSignalBlocker quiet(slider);
    slider->setValue(int(std::lround(at)));
  };
  {
    const QSignalBlocker quiet(accuracy());
    const int finest =
        options_.precision == Precision::double64 ? maxAccuracyStepsDouble : maxAccuracyStepsSingle;
    if (!accuracy()->isSliderDown()) accuracy()->setMaximum(finest);
  }
  const double alphaShown = plan.alpha > 0 ? plan.alpha : settled_.alpha;
  const double widthShown = plan.width > 0 ? plan.width : settled_.width;
  if (alphaShown > 0) place(alpha(), alphaShown / alphaStep);
  if (widthShown > 0) place(width(), widthShown / widthStep);
  place(accuracy(), -stepsADecade * std::log10(std::max(plan.accuracy, 1e-14)));
  rows_[0].value->setText(alphaShown > 0 ? numberLabel(alphaShown, 3) : QStringLiteral("–"));
  rows_[1].value->setText(widthShown > 0 ? numberLabel(widthShown, 2) : QStringLiteral("–"));
  rows_[2].value->setText(errorLabel(plan.accuracy));
  rows_[0].automatic->setChecked(plan.alpha == 0);
  rows_[1].automatic->setChecked(plan.width == 0);
}

}  // namespace spokelab
