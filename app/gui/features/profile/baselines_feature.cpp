#include "app/gui/features/profile/baselines_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>

#include "app/gui/features/profile/baseline_dialog.h"
#include "app/gui/features/profile/verdicts.h"
#include "app/gui/session/command_text.h"
#include "engine/core/output/job_files.h"
#include "engine/core/text.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/profile/baseline/baseline.h"
#include "engine/profile/baseline/baseline_compare.h"
#include "engine/profile/baseline/baseline_json.h"
#include "engine/profile/baseline/baseline_measure.h"
#include "engine/scan/read/read_scan.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind measureJob{.name = "baseline"}, compareJob{.name = "compare baselines"},
    writeJob{.name = "write baseline"};
constexpr double readShare = 0.05;  // of the progress bar
const QString json = QStringLiteral("json");

QString baselineFilter() {
  return BaselinesFeature::tr("Baselines (*.json)");
}

// The parameters may have changed since the plans were timed: plans of a normal operator, and ways
// through a field, are timed with options that ask for them.
ReconOptions optionsOfPlans(ReconOptions options, const std::vector<Candidate>& plans, Direction direction) {
  if (direction == Direction::normal && options.iterative.method == ReconMethod::gridding)
    options.iterative.method = ReconMethod::sense;
  const bool fields = std::any_of(plans.begin(), plans.end(), isThroughField);
  if (fields && !knowsField(options.iterative.transform))
    options.iterative.transform = TransformKind::automatic;
  return options;
}

// "56 plans, about 7 min 30 s": each round makes every plan anew, warms it up, and executes it.
QString lengthText(const std::vector<Candidate>& plans) {
  const BaselineSettings settings;
  double round = 0;
  for (const Candidate& plan : plans)
    round += plan.planSeconds + plan.setPointsSeconds +
             (settings.executions + 1) * (plan.timings.total + plan.transferSeconds);
  return BaselinesFeature::tr("%1, about %2")
      .arg(QString::fromStdString(countText(std::int64_t(plans.size()), "plan")),
           secondsLabel((settings.rounds + 1) * round));
}

}  // namespace

BaselinesFeature::BaselinesFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  save_ =
      makeAction(this, tr("Measure a &baseline…"), "action-save-baseline", {},
                 tr("Time the plans of the charts again, many times, and keep that for later comparisons"));
  compare_ = makeAction(this, tr("Compare with a b&aseline…"), "action-compare-baseline");
  connect(save_, &QAction::triggered, this, [this] {
    auto* dialog = dialogToSave(views_.window, tr("Measure a baseline: %1").arg(lengthText(timedPlans())),
                                "save-baseline", QString(), baselineFilter(), json);
    dialog->setLabelText(QFileDialog::Accept, tr("Measure"));
    connect(dialog, &QFileDialog::fileSelected, this, &BaselinesFeature::save);
    dialog->open();
  });
  connect(compare_, &QAction::triggered, this, [this] {
    auto* dialog = dialogToOpen(views_.window, tr("Compare with a baseline"), "open-baseline", QString(),
                                baselineFilter());
    connect(dialog, &QFileDialog::fileSelected, this, &BaselinesFeature::compareWith);
    dialog->open();
  });
}

std::vector<Candidate> BaselinesFeature::timedPlans() const {
  std::vector<Candidate> plans;
  for (const Candidate& candidate : views_.charts->data().candidates)
    if (candidate.timed()) plans.push_back(candidate);
  return plans;
}

void BaselinesFeature::save(const QString& file) {
  const auto scan = session_.scan();
  const std::vector<Candidate> plans = timedPlans();
  if (!scan || plans.empty()) {
    Q_EMIT session_.failed(
        {tr("Cannot take a baseline"), tr("no plan has been timed"), tr("Open a scan and sweep first")});
    return;
  }
  const ReadOptions reading = session_.reading();
  const auto& workload = views_.charts->data().workload;
  const Direction direction = workload ? workload->direction : Direction::adjoint;
  const ReconOptions options = optionsOfPlans(views_.parameters->options(), plans, direction);
  const std::string command = session_.withSimulation(
      commandFor("baseline", *scan, reading, options,
                 {"--plans", file.toStdString(), "--direction", std::string(directionName(direction)),
                  "--save", file.toStdString()}));
  const QString name = QFileInfo(file).completeBaseName();
  session_.jobs().submit(
      measureJob, tr("Baseline %1, %2").arg(name, lengthText(plans)),
      [this, &session = session_, scan, plans, reading, options, direction, command, file,
       name](const JobContext& context) -> JobQueue::Delivery {
        requireTarget(file.toStdString());
        writeBaseline(measureBaseline(name.toStdString(), *scan, reading, options, direction, plans,
                                      session.backends(), {}, command, context.progress),
                      file.toStdString());
        return [this, file] { Q_EMIT session_.saved(file); };
      },
      QString::fromStdString(command));
}

void BaselinesFeature::compareWith(const QString& file) {
  const std::string command = "spokelab baseline --against " + shellWord(file.toStdString());
  session_.jobs().submit(
      compareJob, tr("Compare with %1").arg(QFileInfo(file).completeBaseName()),
      [this, &session = session_, open = session_.scan(), command,
       file](const JobContext& context) -> JobQueue::Delivery {
        const Baseline before = readBaseline(file.toStdString(), context.progress);
        auto scan = open;
        if (!scan || transformFingerprint(*scan, before.options) != before.fingerprint)
          scan = readScan(before.scan, before.reading, context.progress.part(0, readShare));
        auto after = std::make_shared<Baseline>(measureAgain(before, *scan, session.backends(), {}, command,
                                                             context.progress.part(readShare, 1)));
        after->name = tr("this run").toStdString();
        const auto comparison = std::make_shared<const BaselineComparison>(compareBaselines(before, *after));
        return [this, comparison, after] { showVerdicts(comparison, after); };
      },
      QString::fromStdString(command));
}

void BaselinesFeature::showVerdicts(const std::shared_ptr<const BaselineComparison>& comparison,
                                    const std::shared_ptr<const Baseline>& after) {
  auto* dialog = new BaselineDialog(comparison, after, views_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &BaselineDialog::keepRequested, this, [this, after] { keep(after); });
  connect(dialog, &BaselineDialog::tableRequested, this,
          [this, comparison] { saveVerdicts(this, session_, views_, comparison); });
  dialog->show();
}

void BaselinesFeature::keep(const std::shared_ptr<const Baseline>& timings) {
  auto* place = dialogToSave(views_.window, tr("Keep these timings"), "keep-baseline", QString(),
                             baselineFilter(), json);
  connect(place, &QFileDialog::fileSelected, this, [this, timings](const QString& file) {
    session_.jobs().submit(writeJob, tr("Save %1").arg(QFileInfo(file).fileName()),
                           [this, timings, file](const JobContext&) -> JobQueue::Delivery {
                             Baseline named = *timings;
                             named.name = QFileInfo(file).completeBaseName().toStdString();
                             writeBaseline(named, file.toStdString());
                             return [this, file] { Q_EMIT session_.saved(file); };
                           });
  });
  place->open();
}

}  // namespace spokelab
