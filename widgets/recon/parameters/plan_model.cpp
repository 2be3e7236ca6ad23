#include "widgets/recon/parameters/plan_model.h"

#include <QFont>

#include <utility>

#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "widgets/core/chart_theme.h"
#include "widgets/core/number_text.h"
#include "widgets/recon/history_model.h"

namespace spokelab {
namespace {

QString utf8(std::string_view s) {
  return QString::fromUtf8(s.data(), qsizetype(s.size()));
}

QString shownName(const std::string& name) {
  const QString text = utf8(name);
  return text.left(1).toUpper() + text.mid(1);
}

const Candidate* winner(const Reconstruction& result) {
  if (!result.tuning || result.tuning->best < 0) return nullptr;
  return &result.tuning->candidates[std::size_t(result.tuning->best)];
}

QColor stageColour(Stage stage, const ChartTheme& theme) {
  if (stage == Stage::spread || stage == Stage::interpolate) return theme.interpolation;
  return stage == Stage::fft ? theme.fft : theme.rest;
}

}  // namespace

void PlanModel::setResult(std::shared_ptr<const Reconstruction> result) {
  if (!result) job_.clear();
  result_ = std::move(result);
  fill();
}

void PlanModel::setJob(JobRows rows) {
  job_ = std::move(rows);
  fill();
}

void PlanModel::fill() {
  beginResetModel();
  rows_.clear();
  if (result_) {
    addPlan(*result_);
    const bool computed = !isImported(*result_);
    if (computed && !result_->options.exact) addErrors(*result_);
    if (computed) addTimes(*result_);
  }
  if (!job_.empty())
    rows_.push_back({.name = tr("Next reconstruction"), .value = {}, .heading = true, .colour = {}});
  for (const auto& [name, text] : job_)
    rows_.push_back({.name = shownName(name), .value = utf8(text), .colour = {}});
  endResetModel();
}

void PlanModel::addPlan(const Reconstruction& result) {
  const NufftOptions& options = result.plan.options;
  rows_.push_back({.name = tr("Plan"), .value = {}, .heading = true, .colour = {}});
  const auto add = [&](const QString& name, const QString& value) {
    if (!value.isEmpty()) rows_.push_back({.name = name, .value = value, .colour = {}});
  };
  if (isImported(result)) {
    // No plan made it.
  } else if (result.options.exact) {
    add(tr("Method"), tr("exact sum in double precision"));
  } else {
    add(tr("Backend"), utf8(result.plan.backend));
    const QString spread = utf8(methodName(options.spread)),
                  interpolate = utf8(methodName(options.interpolate));
    if (!isPlugin(result.plan.backend))
      add(tr("Method"),
          spread == interpolate ? spread : tr("spread %1, interpolate %2").arg(spread, interpolate));
    if (product(result.plan.grid) > 1) {  // exact sums have no grid
      add(tr("Oversampling α"), numberLabel(options.alpha, 4));
      add(tr("Kernel"), tr("%1, W %2").arg(utf8(kernelName(options.kernel)), numberLabel(options.width, 3)));
      add(tr("Grid"), sizeLabel(result.plan.grid));
    }
    if (result.plan.memory > 0) add(tr("Memory"), bytesLabel(result.plan.memory));
  }
  add(tr("Details"), QString::fromStdString(result.plan.description));
  for (const auto& [name, text] : result.model) add(shownName(name), utf8(text));
  add(tr("Density"), QString::fromStdString(result.density));
  if (result.tuning) {
    add(tr("Why"), QString::fromStdString(result.tuning->reason));
    const auto tried = std::int64_t(result.tuning->candidates.size());
    add(tr("Tuning"),
        result.tuning->fromWisdom
            ? tr("from an earlier search")
            : tr("%1 in %2").arg(utf8(countText(tried, "candidate")), secondsLabel(result.tuningSeconds)));
  }
  for (const auto& note : result.notes) add(tr("Note"), QString::fromStdString(note));
}

void PlanModel::addErrors(const Reconstruction& result) {
  rows_.push_back({.name = tr("Relative ℓ₂ error"), .value = {}, .heading = true, .colour = {}});
  const auto add = [&](const QString& name, double error) {
    rows_.push_back({.name = name, .value = predictedLabel(error), .colour = {}});
  };
  add(tr("Requested"), result.options.nufft.accuracy);
  const PredictedError& error = result.plan.error;
  add(tr("Predicted"), error.relativeL2);
  const Candidate* best = winner(result);
  if (best && best->measuredError) add(tr("Measured"), *best->measuredError);
  if (!(error.relativeL2 > 0)) return;
  add(tr("Worst pixel"), error.worstPixel);
  add(tr("Rounding"), error.rounding);
}

void PlanModel::addTimes(const Reconstruction& result) {
  const StageTimings& times = result.timings;
  const ChartTheme theme = ChartTheme::onScreen();
  rows_.push_back({.name = tr("Time"), .value = {}, .heading = true, .colour = {}});
  const auto add = [&](const QString& name, double seconds, double bytes, const QColor& colour) {
    const double fraction = times.total > 0 ? seconds / times.total : -1;
    QString value = secondsLabel(seconds);
    if (fraction >= 0) value += QStringLiteral("  ") + percentLabel(fraction);
    // The bytes that the stage had to move at least, over its time.
    if (bytes > 0 && seconds > 0) value += tr("  %1/s").arg(bytesLabel(std::int64_t(bytes / seconds)));
    rows_.push_back({.name = name, .value = value, .fraction = fraction, .colour = colour});
  };
  for (int i = 0; i < stageCount; ++i) {
    const auto stage = Stage(i);
    const auto at = std::size_t(i);
    if (times[stage] > 0)
      add(utf8(shownName(times, stage)), times[stage], times.bytes[at], stageColour(stage, theme));
  }
  if (times.total > 0) {
    const bool iterates = !result.iterations.empty();
    const QString rest = !iterates               ? tr("unaccounted")
                         : times.accounted() > 0 ? tr("rest of the iterations")
                                                 : tr("iterations");
    add(rest, std::max(0.0, times.unaccounted()), 0, theme.rest);
    rows_.push_back({.name = iterates ? tr("all iterations") : tr("all transforms"),
                     .value = secondsLabel(times.total),
                     .colour = {}});
  }
  addIteration(result);
  rows_.push_back({.name = tr("whole job"), .value = secondsLabel(result.seconds), .colour = {}});
  if (const FrameLatency frames = frameLatency(result); frames.count > 0) {
    rows_.push_back({.name = tr("a frame, median"), .value = secondsLabel(frames.median), .colour = {}});
    rows_.push_back({.name = tr("a frame, 99 %"), .value = secondsLabel(frames.p99), .colour = {}});
  }
  if (result.pausedSeconds > 0)
    rows_.push_back(
        {.name = tr("paused besides"), .value = secondsLabel(result.pausedSeconds), .colour = {}});
}

void PlanModel::addIteration(const Reconstruction& result) {
  const MeanIteration mean = meanIteration(result.iterations);
  if (mean.count == 0) return;
  const double total = mean.parts.total();
  rows_.push_back(
      {.name = tr("an iteration, mean of %1").arg(mean.count), .value = secondsLabel(total), .colour = {}});
  for (std::size_t p = 0; p < iterationPartCount; ++p)
    if (const double seconds = mean.parts.seconds[p]; seconds > 0)
      rows_.push_back({.name = QStringLiteral("    ") + utf8(shownName(mean.parts, IterationPart(p))),
                       .value = secondsLabel(seconds) + QStringLiteral("  ") + percentLabel(seconds / total),
                       .colour = {}});
}

int PlanModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(rows_.size());
}
int PlanModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 2;
}

QVariant PlanModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[std::size_t(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return index.column() == 0 ? row.name : row.value;
    case Qt::ToolTipRole:
      return row.value.isEmpty() ? QVariant() : QVariant(row.value);
    case HeadingRole:
      return row.heading;
    case FractionRole:
      return row.fraction >= 0 ? QVariant(row.fraction) : QVariant();
    case ColourRole:
      return row.colour.isValid() ? QVariant(row.colour) : QVariant();
    default:
      return {};
  }
}

}  // namespace spokelab
