#include "app/gui/features/profile/sweep_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include <array>
#include <utility>

#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/nufft/tune/sweep/rounds.h"
#include "widgets/core/number_box.h"

namespace spokelab {
namespace {

constexpr int settleMs = 250;  // after the last change, before the estimate
constexpr double minAlpha = 1.01, minWidth = 1, maxAccuracy = 0.5;
constexpr double minStep = 0.01;
constexpr int maxRepeats = 1000;
constexpr double maxSeconds = 1e6, maxReuse = 1e9;
constexpr std::array<const char*, 5> directions = {"auto", "forward", "adjoint", "both", "normal"};

enum Alphas { fastAlphasOnly, alphaRange };
enum Widths { smallestWidths, wholeWidths, widthRange };

NumberBox* makeNumber(const QString& name, const QString& label, double low, double high, double value) {
  auto* box = new NumberBox;
  box->setObjectName(name);
  box->setAccessibleName(label);
  box->setDecimals(12);  // shown are a few digits
  box->setRange(low, high);
  box->setValue(value);
  return box;
}

std::vector<double> valuesOf(const QDoubleSpinBox& from, const QDoubleSpinBox& to,
                             const QDoubleSpinBox& step) {
  return realNumberList(
      exactNumberText(from.value()) + ':' + exactNumberText(to.value()) + ':' + exactNumberText(step.value()),
      SweepDialog::tr("Cannot sweep").toStdString());
}

}  // namespace

SweepDialog::SweepDialog(std::vector<Backend*> backends, std::shared_ptr<const Scan> scan,
                         const ReconOptions& options, const SweepBreadth& breadth, QWidget* parent)
    : QDialog(parent), backends_(std::move(backends)), scan_(std::move(scan)), options_(options) {
  setObjectName(QStringLiteral("sweepDialog"));
  setWindowTitle(tr("Sweep %1").arg(QString::fromStdString(scan_->name)));
  auto* form = new QFormLayout;
  alphas_ = makeChoice("sweepAlphas", tr("&Oversampling α"),
                       {tr("fast ratios from 1 to 2"), tr("from, to, step")}, form);
  alphaRange_ = makeRange(QStringLiteral("sweepAlpha"), 1.25, 2, 0.125);
  for (NumberBox* box : {alphaRange_.from, alphaRange_.to}) box->setRange(minAlpha, maxAlpha);
  form->addRow(QString(), alphaRange_.row);
  widths_ = makeChoice(
      "sweepWidths", tr("Kernel &width W"),
      {tr("the smallest for the accuracy"), tr("and whole widths around it"), tr("from, to, step")}, form);
  widths_->setCurrentIndex(wholeWidths);
  widthRange_ = makeRange(QStringLiteral("sweepWidth"), 3, 7, 1);
  for (NumberBox* box : {widthRange_.from, widthRange_.to}) box->setRange(minWidth, maxKernelWidth);
  form->addRow(QString(), widthRange_.row);
  accuracy_ =
      makeNumber(QStringLiteral("sweepAccuracy"), tr("Accuracy"), 1e-14, maxAccuracy, options.nufft.accuracy);
  form->addRow(tr("&Accuracy"), accuracy_);
  addWorkload(form);
  repeats_ = new QSpinBox;
  repeats_->setObjectName(QStringLiteral("sweepRepeats"));
  repeats_->setRange(0, maxRepeats);
  repeats_->setSpecialValueText(tr("automatic: %1 or more").arg(RoundLimits::minRepeats));
  repeats_->setValue(options.tuning.trials);
  form->addRow(tr("&Repeats"), repeats_);
  timeLimit_ =
      makeNumber(QStringLiteral("sweepTimeLimit"), tr("Time limit"), 0, maxSeconds, options.tuning.timeLimit);
  timeLimit_->setSpecialValueText(tr("automatic"));
  timeLimit_->setSuffix(tr(" s"));
  form->addRow(tr("&Time limit"), timeLimit_);
  addBreadth(form, breadth);
  estimate_ = new QLabel;
  estimate_->setObjectName(QStringLiteral("sweepEstimate"));
  estimate_->setWordWrap(true);
  estimate_->setAccessibleName(tr("Expected duration"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  sweep_ = buttons->addButton(tr("Sweep"), QDialogButtonBox::AcceptRole);
  sweep_->setObjectName(QStringLiteral("sweepRun"));
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(estimate_);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    Q_EMIT sweepRequested(plan());
    close();
  });
  for (QComboBox* box : findChildren<QComboBox*>())
    connect(box, &QComboBox::currentIndexChanged, this, &SweepDialog::changed);
  for (NumberBox* box : findChildren<NumberBox*>())
    connect(box, &QDoubleSpinBox::valueChanged, this, &SweepDialog::changed);
  for (QCheckBox* box : findChildren<QCheckBox*>())
    connect(box, &QCheckBox::toggled, this, &SweepDialog::changed);
  connect(repeats_, &QSpinBox::valueChanged, this, &SweepDialog::changed);
  settle_.setSingleShot(true);
  settle_.setInterval(settleMs);
  connect(&settle_, &QTimer::timeout, this, &SweepDialog::estimate);
  changed();
}

QComboBox* SweepDialog::makeChoice(const char* name, const QString& label, const QStringList& texts,
                                   QFormLayout* form) {
  auto* box = new QComboBox;
  box->setObjectName(QString::fromLatin1(name));
  box->addItems(texts);
  form->addRow(label, box);
  return box;
}

SweepDialog::Range SweepDialog::makeRange(const QString& name, double from, double to, double step) {
  Range range;
  range.row = new QWidget;
  auto* row = new QHBoxLayout(range.row);
  row->setContentsMargins(0, 0, 0, 0);
  const auto add = [&](const char* part, const QString& label, double value) {
    NumberBox* box = makeNumber(name + QString::fromLatin1(part), label, minStep, maxKernelWidth, value);
    box->setSingleStep(step);
    row->addWidget(new QLabel(label));
    row->addWidget(box, 1);
    return box;
  };
  range.from = add("From", tr("from"), from);
  range.to = add("To", tr("to"), to);
  range.step = add("Step", tr("step"), step);
  return range;
}

void SweepDialog::addWorkload(QFormLayout* form) {
  direction_ =
      makeChoice("sweepDirection", tr("&Direction"),
                 {tr("as the reconstruction"), tr("forward"), tr("adjoint"), tr("both"), tr("normal")}, form);
  if (options_.tuning.direction)
    for (std::size_t i = 1; i < directions.size(); ++i)
      if (directionName(*options_.tuning.direction) == directions.at(i)) direction_->setCurrentIndex(int(i));
  reuse_ = makeNumber(QStringLiteral("sweepReuse"), tr("Executions a set of points"), 0, maxReuse,
                      options_.tuning.reuse);
  reuse_->setSpecialValueText(tr("as the reconstruction"));
  form->addRow(tr("&Executions a set of points"), reuse_);
  QStringList names{tr("all")};
  for (const Backend* backend : backends_) names << QString::fromStdString(backend->name());
  backend_ = makeChoice("sweepBackend", tr("&Backends"), names, form);
  backend_->setCurrentIndex(std::max(0, int(names.indexOf(QString::fromStdString(options_.backend)))));
}

void SweepDialog::addBreadth(QFormLayout* form, const SweepBreadth& breadth) {
  const auto add = [&](const char* name, const QString& text, bool checked) {
    auto* box = new QCheckBox(text);
    box->setObjectName(QString::fromLatin1(name));
    box->setChecked(checked);
    form->addRow(QString(), box);
    return box;
  };
  errors_ = add("sweepErrors", tr("Measure each plan's error"), true);
  kernels_ = add("sweepKernels", tr("Also other kernels"), breadth.kernels);
  precomputations_ = add("sweepPrecomputations", tr("Also other precomputations"), breadth.precomputations);
  implementations_ = add("sweepImplementations", tr("Also other implementations"), breadth.implementations);
  paths_ = add("sweepPaths", tr("All paths of a normal operator"), breadth.paths);
}

SweepPlan SweepDialog::plan() const {
  SweepPlan plan;
  plan.options = options_;
  setAccuracy(plan.options, accuracy_->value());
  plan.options.tuning.trials = repeats_->value();
  plan.options.tuning.timeLimit = timeLimit_->value();
  plan.options.tuning.reuse = reuse_->value();
  plan.options.tuning.direction.reset();
  if (const int i = direction_->currentIndex(); i > 0)
    plan.options.tuning.direction = directionFromName(directions.at(std::size_t(i)));
  plan.options.backend = backend_->currentIndex() > 0 ? backend_->currentText().toStdString() : "auto";
  if (alphas_->currentIndex() == alphaRange)
    plan.policy.alphas = valuesOf(*alphaRange_.from, *alphaRange_.to, *alphaRange_.step);
  if (widths_->currentIndex() == widthRange)
    plan.policy.widths = valuesOf(*widthRange_.from, *widthRange_.to, *widthRange_.step);
  plan.policy.wholeWidths = widths_->currentIndex() == wholeWidths;
  plan.policy.breadth = {kernels_->isChecked(), precomputations_->isChecked(), implementations_->isChecked(),
                         paths_->isChecked()};
  plan.measureErrors = errors_->isChecked();
  return plan;
}

void SweepDialog::changed() {
  alphaRange_.row->setVisible(alphas_->currentIndex() == alphaRange);
  widthRange_.row->setVisible(widths_->currentIndex() == widthRange);
  estimate_->setText(tr("Estimating how long it takes…"));
  sweep_->setEnabled(true);
  job_.drop();
  settle_.start();
}

// An impossible sweep shows its reason and cannot be started.
void SweepDialog::estimate() {
  const auto refuse = [this](const QString& why) {
    estimate_->setText(why);
    sweep_->setEnabled(false);
    Q_EMIT estimated();
  };
  SweepPlan asked;
  try {
    asked = plan();
  } catch (const Error& error) {
    return refuse(QString::fromUtf8(error.what()));
  }
  job_.start(
      [backends = backends_, scan = scan_, asked](std::stop_token stop) {
        return estimateSweep(backends, *scan, asked, Progress(std::move(stop)));
      },
      [this](const std::optional<SweepEstimate>& found) {
        estimate_->setText(
            found ? tr("%1, by the cost model.").arg(QString::fromStdString(estimateText(*found)))
                  : tr("The duration cannot be predicted, because the sweep covers all paths through the "
                       "field."));
        Q_EMIT estimated();
      },
      refuse);
}

}  // namespace spokelab
