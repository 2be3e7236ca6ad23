#include "app/gui/features/recon/points_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QMainWindow>

#include "app/gui/features/recon/points_dialog.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/recon/explore/type3_files.h"
#include "engine/recon/explore/type3_tuning.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind pointsJob{.name = "points"};
constexpr double pointsShare = 0.2, tuningShare = 0.6;  // of a job's progress

std::filesystem::path pathOfText(const QString& text) {
  return text.toStdString();
}

struct PointsOfJob {
  PointList sources, targets;
  Type3Tuning tuning;
  std::vector<Backend*> backends;
};

std::shared_ptr<PointsOfJob> readPointsOfJob(const PointsJob& job, const ReconOptions& options,
                                             Session& session, const Progress& progress) {
  auto points = std::make_shared<PointsOfJob>();
  for (const QString& file : {job.sources, job.targets, job.values})
    if (!file.isEmpty()) noteInput(pathOfText(file));
  points->sources = readPointList(pathOfText(job.sources), progress.part(0, 0.5));
  points->targets = readPointList(pathOfText(job.targets), progress.part(0.5, 1));
  if (points->sources.dims != points->targets.dims)
    throw Error("Cannot transform the values",
                "the sources have " + countText(points->sources.dims, "coordinate") + ", the targets " +
                    std::to_string(points->targets.dims),
                "Give both the same number of coordinates");
  Type3Tuning& tuning = points->tuning;
  tuning.problem = {points->sources.dims, options.precision, job.sign, 1};
  tuning.sources = points->sources.coordinates;
  tuning.targets = points->targets.coordinates;
  tuning.options = options.nufft;
  tuning.effort = options.effort;
  tuning.workload.direction = job.adjoint ? Direction::adjoint : Direction::forward;
  if (options.tuning.reuse > 0) tuning.workload.executions = options.tuning.reuse;
  tuning.trials = options.tuning.trials;
  tuning.timeLimit = options.tuning.timeLimit;
  points->backends = backendsFor(session.backends(), options.backend, options.devices);
  return points;
}

template <class Real>
std::string transformInto(const std::filesystem::path& file, const PointsOfJob& points, const Candidate& best,
                          bool adjoint, const PointValues& values) {
  using Complex = std::complex<Real>;
  const auto plan = makeType3<Real>(points.backends, points.tuning, best);
  plan->setPoints(points.sources.coordinates, points.targets.coordinates);
  const std::int64_t outputs = (adjoint ? points.sources : points.targets).count();
  const std::vector<Complex> in(values.all.begin(), values.all.end());
  std::vector<Complex> out(std::size_t(values.batch * outputs));
  const double begin = now();
  if (adjoint)
    plan->adjoint(in.data(), out.data());
  else
    plan->forward(in.data(), out.data());
  const double seconds = now() - begin;
  writePointValues(file, values, outputs, out);
  return plan->info().description + "; error " + numberText(plan->info().error, 2) + " predicted; " +
         secondsText(seconds);
}

// "spokelab type3 ..." with the parameters that differ from their defaults.
QString commandOf(const PointsJob& job, const ReconOptions& options, const std::string& output, bool sweep) {
  std::string line = "spokelab type3 " + shellWord(job.sources.toStdString()) + " --targets " +
                     shellWord(job.targets.toStdString()) + " --values " +
                     shellWord(job.values.isEmpty() ? "values.npy" : job.values.toStdString()) + " -o " +
                     shellWord(output);
  if (job.adjoint) line += " --adjoint";
  if (job.sign > 0) line += " --sign 1";
  if (sweep) line += " --sweep";
  const ReconOptions defaults;
  for (const std::string& name : optionsServing(OptionUse::type3))
    if (const std::string value = optionValue(options, name); value != optionValue(defaults, name))
      line += value == "true" ? " --" + name : " --" + name + ' ' + shellWord(value);
  return QString::fromStdString(line);
}

}  // namespace

PointsFeature::PointsFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("&Points to points…"), "action-points", {},
                         tr("Transform values at points to values at other points (type 3)"))) {
  connect(action_, &QAction::triggered, this, &PointsFeature::show);
}

void PointsFeature::show() {
  auto* dialog = views_.window->findChild<PointsDialog*>(QStringLiteral("points"));
  if (!dialog) {
    dialog = new PointsDialog(views_.window);
    connect(dialog, &PointsDialog::sweepRequested, this, &PointsFeature::sweep);
    connect(dialog, &PointsDialog::transformRequested, this, &PointsFeature::chooseOutput);
  }
  dialog->show();
  dialog->raise();
}

bool PointsFeature::mayRun(const QString& toDo) {
  if (views_.parameters->isValid()) return true;
  Q_EMIT session_.failed(
      {tr("Cannot %1").arg(toDo), views_.parameters->problem(), tr("Correct the parameter marked red")});
  views_.parameters->revealProblem();
  return false;
}

void PointsFeature::sweep(const PointsJob& job) {
  if (!mayRun(tr("sweep"))) return;
  const ReconOptions options = views_.parameters->options();
  const int id = session_.jobs().submit(
      JobKind::sweep, tr("Sweep points to points"),
      [this, &session = session_, job, options](const JobContext& context) -> JobQueue::Delivery {
        const auto points = readPointsOfJob(job, options, session, context.progress.part(0, pointsShare));
        points->tuning.measureError = true;
        const auto result = std::make_shared<const TuneResult>(sweepType3(
            points->backends, points->tuning, context.progress.part(pointsShare, 1), context.seen));
        if (result->cancelled) throw Cancelled{};
        return [this, result] {
          Q_EMIT session_.profileReady(*result);
          views_.log->append(LogLevel::information, QString::fromStdString(result->reason));
        };
      },
      commandOf(job, options, "out.npy", true));
  session_.profile(id, options.nufft.accuracy);
  Q_EMIT swept();
}

void PointsFeature::chooseOutput(const PointsJob& job) {
  auto* dialog = dialogToSave(views_.window, tr("Save the values"), "save-points",
                              QStringLiteral("values.npy"), tr("NumPy (*.npy)"), QStringLiteral("npy"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, job](const QString& file) { transform(job, pathOfText(file)); });
  dialog->open();
}

void PointsFeature::transform(const PointsJob& job, const std::filesystem::path& file) {
  if (!mayRun(tr("transform points"))) return;
  const ReconOptions options = views_.parameters->options();
  session_.jobs().submit(
      pointsJob, tr("Points to points"),
      [this, &session = session_, job, options, file](const JobContext& context) -> JobQueue::Delivery {
        const auto points = readPointsOfJob(job, options, session, context.progress.part(0, pointsShare));
        requireTarget(file);
        const PointValues values =
            readPointValues(pathOfText(job.values), (job.adjoint ? points->targets : points->sources).count(),
                            context.progress);
        points->tuning.problem.batch = values.batch;
        const TuneResult tuned = tuneType3(points->backends, points->tuning, session.wisdom(),
                                           context.progress.part(pointsShare, tuningShare));
        if (tuned.cancelled) throw Cancelled{};
        const Candidate& best = tuned.candidates[std::size_t(tuned.best)];
        context.progress.report(tuningShare, "Transforming");
        const std::string done = points->tuning.problem.precision == Precision::single
                                     ? transformInto<float>(file, *points, best, job.adjoint, values)
                                     : transformInto<double>(file, *points, best, job.adjoint, values);
        return [this, file, done] {
          Q_EMIT session_.saved(QString::fromStdString(file.string()));
          views_.log->append(LogLevel::information, QString::fromStdString(done));
        };
      },
      commandOf(job, options, file.string(), false));
}

}  // namespace spokelab
