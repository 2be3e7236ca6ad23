// What a session makes beside reconstructions: simulated scans with the truth behind them, comparisons of density weights.
#include "app/gui/report/report.h"
#include "app/gui/session/session.h"
#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/recon/backend.h"
#include "engine/recon/density/density_comparison.h"
#include "engine/recon/density/point_spread.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/simulate/simulate_options.h"
#include "engine/scan/simulate/truth_image.h"
#include "widgets/recon/density_view.h"
#include "widgets/recon/history_model.h"

namespace spokelab {
namespace {

constexpr double simulationShare = 0.8;  // of the progress bar; the truth takes the rest

// The phantom as the pattern's part of k-space resolves it, in the form of a result.
std::shared_ptr<const Reconstruction> truthOf(const SimulateOptions& options, const Scan& scan,
                                              const Progress& progress) {
  const double start = now();
  const Pattern p = options.trajectory.pattern;
  const bool corners = p == Pattern::random || p == Pattern::gaussian || p == Pattern::jittered ||
                       p == Pattern::clustered || p == Pattern::stackOfStars || p == Pattern::stackOfSpirals;
  auto image =
      std::make_shared<Image>(truthImage(makePhantom(options.phantom, scan.dims()), scan.geometry.matrix,
                                         corners ? TruthKind::band : TruthKind::ball, progress));
  image->geometry = scan.geometry;
  image->name = scan.name;
  auto result = std::make_shared<Reconstruction>();
  result->image = image;
  result->origin = ResultOrigin::phantom;
  result->plan.description = "the phantom itself, as this matrix resolves it";
  result->density = "none needed";
  result->seconds = now() - start;
  return result;
}

// What differs from the defaults.
QString simulateCommand(const SimulateOptions& options) {
  std::string line = "spokelab simulate";
  for (const OptionSpec& spec : simulateOptionTable()) {
    const std::string value = optionValue(options, spec.name);
    if (value == optionValue(SimulateOptions(), spec.name)) continue;
    line += " --" + spec.name;
    if (spec.type != OptionType::flag) line += ' ' + shellWord(value);
  }
  return QString::fromStdString(line + " -o scan.h5");
}

}  // namespace

void Session::simulate(const SimulateOptions& options, bool truth) {
  jobs_.submit(
      JobKind::open, tr("Simulate %1").arg(QString::fromStdString(patternName(options.trajectory.pattern))),
      [this, options, truth](const JobContext& context) -> JobQueue::Delivery {
        const auto scan = spokelab::simulate(options, context.progress.part(0, simulationShare));
        std::shared_ptr<const Reconstruction> phantom;
        if (truth) phantom = truthOf(options, *scan, context.progress.part(simulationShare, 1));
        return [this, scan, phantom, options] {
          scan_ = scan;
          file_.clear();
          overrides_.clear();
          simulation_.clear();
          for (const OptionSpec& spec : simulateOptionTable())
            simulation_[spec.name] = optionValue(options, spec.name);
          profiling_ = 0;
          Q_EMIT scanOpened(scan);
          if (phantom) deliver(scan, phantom);
        };
      },
      simulateCommand(options));
}

void Session::measureCeiling(const QString& backend) {
  jobs_.submit(JobKind{.name = "ceiling"}, tr("Memory bandwidth"),
               [this, backend](const JobContext& context) -> JobQueue::Delivery {
                 const Backend* const named = backendNamed(backends_, backend.toStdString());
                 const MemoryCeiling ceiling =
                     (named ? *named : *backends_.front()).memoryCeiling(context.progress);
                 return [this, backend, ceiling] { Q_EMIT ceilingMeasured(backend, ceiling); };
               });
}

void Session::openReference(const QString& file) {
  const std::filesystem::path path = file.toStdString();
  jobs_.submit(
      JobKind{.name = "reference"}, tr("Open %1").arg(QString::fromStdString(path.filename().string())),
      [this, path, scan = scan_](const JobContext& context) -> JobQueue::Delivery {
        auto result = std::make_shared<Reconstruction>();
        auto image = std::make_shared<Image>(readImage(path, context.progress));
        if (image->name.empty()) image->name = path.filename().string();
        if (image->geometry.nominal && scan && scan->geometry.matrix == image->size)
          image->geometry = scan->geometry;  // a file without geometry lies where the scan does
        result->image = image;
        result->origin = ResultOrigin::file;
        result->plan.description = path.filename().string();
        result->density = "of the file";
        result->notes.push_back("read from " + path.string());
        return [this, result, scan] {
          const QString name = scan ? QString::fromStdString(scan->name) : QString();
          Q_EMIT referenceReady({++results_, name, result, scan});
        };
      },
      QString::fromStdString("spokelab compare image.nii.gz " + shellWord(path.string())));
}

void Session::saveScan(const std::filesystem::path& file) {
  if (!needScan(tr("save a scan"))) return;
  jobs_.submit(JobKind{.name = "save scan"},
               tr("Save %1").arg(QString::fromStdString(file.filename().string())),
               [this, scan = scan_, file](const JobContext& context) -> JobQueue::Delivery {
                 writeScan(*scan, file, context.progress);
                 return [this, file] { Q_EMIT saved(QString::fromStdString(file.string())); };
               });
}

void Session::compareDensity(const ReconOptions& options) {
  if (!needScan(tr("compare density weights"))) return;
  const auto scan = scan_;
  jobs_.submit(
      JobKind{.name = "density", .urgent = true},
      tr("Density weights of %1").arg(QString::fromStdString(scan->name)),
      [this, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(backends_, options.backend).front();
        auto trials = std::make_shared<DensityTrials>();
        trials->scan = QString::fromStdString(scan->name);
        trials->dims = scan->dims();
        trials->trials = spokelab::compareDensity(*scan, options, {}, backend, context.progress);
        return [this, trials] { Q_EMIT densityCompared(trials); };
      },
      commandFor("density", options));
}

void Session::pointSpread(const ReconOptions& options) {
  if (!needScan(tr("make a point spread function"))) return;
  jobs_.submit(
      JobKind{.name = "point spread", .urgent = true},
      tr("Point spread function of %1").arg(QString::fromStdString(scan_->name)),
      [this, scan = scan_, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(backends_, options.backend).front();
        auto spread =
            std::make_shared<ScanSpread>(scanPointSpread(*scan, options, backend, context.progress));
        auto result = std::make_shared<Reconstruction>();
        result->image = std::shared_ptr<const Image>(spread, &spread->spread.image);
        result->options = options;
        result->origin = ResultOrigin::pointSpread;
        result->plan.description = "point spread function, " + spread->samples;
        result->density = spread->density;
        result->notes.push_back(describe(spread->spread, scan->dims()));
        return [this, scan, result] {
          const QString of = tr("%1, point spread function").arg(QString::fromStdString(scan->name));
          Q_EMIT pointSpreadReady({++results_, of, result, scan});
        };
      },
      commandFor("density", options, spreadArguments(options)));
}

}  // namespace spokelab
