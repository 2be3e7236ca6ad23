#include "app/gui/features/scan/scan_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMainWindow>
#include <QSettings>

#include "app/gui/features/image/image_file.h"
#include "app/gui/features/scan/describe_feature.h"
#include "app/gui/features/scan/simulated_scan.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/raw_data.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/read/missing_trajectory.h"
#include "engine/scan/read/named/trajectory_name.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/scan/scan_panel.h"
#include "widgets/recon/scan/simulate_dialog.h"

namespace spokelab {
namespace {

constexpr JobKind saveJob{.name = "save scan"};
// First finds out if the file holds a scan. An image is opened between two plans of a sweep.
constexpr JobKind undecidedJob{.name = JobKind::open.name, .urgent = true};
const QString folderKey = QStringLiteral("files/folder");

QString named(std::string_view builtIn) {
  return QString::fromUtf8(builtIn.data(), qsizetype(builtIn.size()));
}

bool isBuiltIn(const QString& file) {
  return spokelab::isBuiltIn(file.toStdString());
}

// An array holds samples or a trajectory alone, and does not say what its axes mean.
bool isArray(const QString& file) {
  if (isBuiltIn(file)) return false;
  return isArrayKind(fileKind(file.toStdString()));
}

bool mayBeTrajectory(const QString& file) {
  if (isBuiltIn(file)) return false;
  const FileKind kind = fileKind(file.toStdString());
  return isArrayKind(kind) || isTrajectoryKind(kind);
}

// For an array, a description is proposed; an HDF5 file may hold only images.
bool replacesScan(const QString& file, const Progress& progress) {
  if (isBuiltIn(file)) return true;
  const std::filesystem::path path = file.toStdString();
  if (isArrayKind(fileKind(path))) return false;
  return !isHdf5File(path) || holdsRawData(path, progress);
}

// Null where the file holds none.
std::shared_ptr<const Reconstruction> imageIn(const QString& file, const Progress& progress) {
  try {
    return readImageResult(file.toStdString(), nullptr, progress);
  } catch (const Error&) {
    return nullptr;
  }
}

QMap<QString, QStringList> decisionChoices() {
  QMap<QString, QStringList> choices;
  for (const DecisionTopic& topic : decisionTopics()) {
    QStringList& known = choices[QString::fromStdString(topic.topic)];
    for (const auto& choice : topic.choices) known << QString::fromStdString(choice);
  }
  return choices;
}

}  // namespace

ScanFeature::ScanFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), describe_(new DescribeFeature(session, views, this)) {
  connect(describe_, &DescribeFeature::described, this, &ScanFeature::fileChosen);
  connect(describe_, &DescribeFeature::imageChosen, this, &ScanFeature::imageChosen);
  open_ = makeAction(this, tr("Open"), "action-open", QKeySequence::Open, tr("Open a scan or an image"));
  demo_ = makeAction(this, tr("Demo"), "action-demo", Qt::CTRL | Qt::Key_D, tr("Open the built-in scan"));
  fieldDemo_ = makeAction(this, tr("Demo with a &field"), "action-demo-field", {},
                          tr("Open the built-in spiral with a field map and shot phases: every transform can "
                             "serve it"));
  simulate_ = makeAction(this, tr("Si&mulate a scan…"), "action-simulate");
  save_ = makeAction(this, tr("Save the s&can…"), "action-save-scan");
  nameTrajectory_ = makeAction(this, tr("&Trajectory by name…"), "");
  connect(nameTrajectory_, &QAction::triggered, this, &ScanFeature::chooseTrajectoryName);
  connect(open_, &QAction::triggered, this, &ScanFeature::chooseFile);
  connect(demo_, &QAction::triggered, this, [this] { open(named(demoName)); });
  connect(fieldDemo_, &QAction::triggered, this, [this] { open(named(fieldDemoName)); });
  connect(simulate_, &QAction::triggered, this, &ScanFeature::showSimulate);
  connect(save_, &QAction::triggered, this, &ScanFeature::chooseToSave);
  views_.scan->setChoices(decisionChoices());
  connect(views_.scan, &ScanPanel::overrideRequested, this, &ScanFeature::overrideDecision);
  connect(&session_, &Session::scanOpened, views_.scan, &ScanPanel::setScan);
  connect(views_.scan, &ScanPanel::doubtfulChanged, this,
          [this](int decisions) { setBadge(views_.scan, decisions); });
}

void ScanFeature::open(const QString& file) {
  openWith(file, {});
}

void ScanFeature::openWith(const QString& file, const std::map<std::string, std::string>& overrides) {
  std::string command = "spokelab info " + shellWord(file.toStdString());
  for (const auto& [topic, choice] : overrides) command += " --set " + shellWord(topic + '=' + choice);
  const SeparateFiles known = file == session_.file() ? session_.separate() : SeparateFiles();
  if (!known.trajectory.empty()) command += " --trajectory " + shellWord(known.trajectory.string());
  session_.jobs().submit(
      undecidedJob, tr("Open %1").arg(QFileInfo(file).fileName()),
      [file](const Progress& progress) { return replacesScan(file, progress); },
      [this, file, overrides, known, samples = waiting_,
       choices = session_.choicesFile()](const JobContext& context) -> JobQueue::Delivery {
        ReadOptions options;
        options.overrides = overrides;
        options.choices = choices;
        options.separate = known;
        if (!known.empty()) return readFile(file, options, context);
        if (!samples.isEmpty() && samples != file && mayBeTrajectory(file))
          if (auto delivery = readWithTrajectory(samples, file, options, context)) return delivery;
        return isArray(file) ? readArray(file, context) : readFile(file, options, context);
      },
      QString::fromStdString(command));
}

JobQueue::Delivery ScanFeature::readWithTrajectory(const QString& samples, const QString& trajectory,
                                                   const ReadOptions& options, const JobContext& context) {
  ReadOptions both = options;
  both.separate.trajectory = trajectory.toStdString();
  try {
    auto scan = readScan(std::filesystem::path(samples.toStdString()), both, context.progress);
    return [this, samples, both, scan] {
      waiting_.clear();
      session_.setScan({scan, samples, both.overrides, {}, both.separate});
    };
  } catch (const Error& error) {
    // An array may be something else; other kinds are nothing but a trajectory.
    if (isTrajectoryName(trajectory.toStdString()) || isTrajectoryKind(fileKind(trajectory.toStdString())))
      throw;
    return {};
  }
}

void ScanFeature::awaitTrajectory(const QString& samples) {
  waiting_ = samples;
  views_.log->append(LogLevel::information,
                     tr("Drop the trajectory of %1, or open it: .npy, .npz, .mat, .cfl, "
                        "Pulseq's .seq or SPARKLING's .bin; or choose Trajectory by name in the menu File")
                         .arg(QFileInfo(samples).fileName()));
}

// An array may be an image if no description or trajectory beside it makes it a scan.
JobQueue::Delivery ScanFeature::readArray(const QString& file, const JobContext& context) {
  try {
    auto proposal = std::make_shared<const DescribeFeature::Proposal>(DescribeFeature::propose(file));
    return [this, file, proposal] { describe_->show(file, *proposal); };
  } catch (const Error& error) {
    const auto image = imageIn(file, context.progress);
    if (!image)
      return [this, file, failure = failureOf(error)] {
        Q_EMIT session_.failed(failure);
        awaitTrajectory(file);
      };
    return [this, file, image, why = QString::fromStdString(error.reason())] {
      waiting_ = file;
      Q_EMIT arrayFound(image, why);
    };
  }
}

// ISMRMRD holds raw data or images.
JobQueue::Delivery ScanFeature::readFile(const QString& file, const ReadOptions& options,
                                         const JobContext& context) {
  try {
    auto scan = readScan(std::filesystem::path(file.toStdString()), options, context.progress);
    return [this, file, options, scan] {
      waiting_.clear();
      session_.setScan({scan, file, options.overrides, {}, options.separate});
    };
  } catch (const MissingTrajectory& error) {
    return [this, file, failure = failureOf(error)] {
      Q_EMIT session_.failed(failure);
      awaitTrajectory(file);
    };
  } catch (const Error&) {
    const bool mayHoldImages = !isBuiltIn(file) && isHdf5File(file.toStdString());
    const auto image = mayHoldImages ? imageIn(file, context.progress) : nullptr;
    if (!image) throw;
    return [this, image, file] { Q_EMIT imageFound(image, file); };
  }
}

void ScanFeature::overrideDecision(const QString& topic, const QString& choice) {
  readWith({{topic.toStdString(), choice.toStdString()}});
}

void ScanFeature::readWithBins(const QString& breathing, bool ofAllMotion) {
  std::map<std::string, std::string> chosen{{"breathing", breathing.toStdString()}};
  if (ofAllMotion && session_.overrides().contains("heart")) chosen["heart"] = "none";
  readWith(chosen);
}

void ScanFeature::readWith(const std::map<std::string, std::string>& chosen) {
  if (!session_.needScan(tr("change a decision"))) return;
  if (session_.file().isEmpty()) {
    Q_EMIT session_.failed({tr("Cannot change a decision"), tr("the scan was simulated, not read"),
                            tr("Simulate another one, or save it and open the file")});
    return;
  }
  auto overrides = session_.overrides();
  for (const auto& [topic, choice] : chosen) overrides[topic] = choice;
  openWith(session_.file(), overrides);
}

void ScanFeature::chooseFile() {
  auto* dialog =
      dialogToOpen(views_.window, tr("Open a scan or an image"), "", lastFolder(),
                   tr("Scans, images and sessions (%1 *.hdf5 *.dat *.seq *.json *.spokelab);;All files (*)")
                       .arg(imageEndings));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    views_.image->takeFocus();  // the next keys are about what was opened
    QSettings().setValue(folderKey, QFileInfo(file).absolutePath());
    Q_EMIT fileChosen(file);
  });
  dialog->open();
}

void ScanFeature::giveTrajectory(const QString& trajectory) {
  const QString samples = waiting_.isEmpty() ? session_.file() : waiting_;
  if (samples.isEmpty() || isBuiltIn(samples)) {
    Q_EMIT session_.failed({tr("Cannot use the trajectory %1").arg(trajectory),
                            tr("no file with samples is open"), tr("Open the samples first")});
    return;
  }
  ReadOptions options;
  if (samples == session_.file()) options.overrides = session_.overrides();
  options.choices = session_.choicesFile();
  session_.jobs().submit(
      JobKind::open, tr("Open %1").arg(QFileInfo(samples).fileName()),
      [this, samples, trajectory, options](const JobContext& context) {
        return readWithTrajectory(samples, trajectory, options, context);
      },
      QString::fromStdString("spokelab info " + shellWord(samples.toStdString()) + " --trajectory " +
                             shellWord(trajectory.toStdString())));
}

void ScanFeature::chooseTrajectoryName() {
  QStringList names;
  for (const TrajectoryFamily& family : trajectoryFamilies()) {
    const QString name = QString::fromStdString(family.name);
    names << name;
    for (const TrajectoryVariant& v : family.variants)
      names << name + ':' + QString::fromStdString(v.name) +
                   (v.takesNumber ? QStringLiteral("=7") : QString());
  }
  auto* dialog = new QInputDialog(views_.window);
  dialog->setObjectName(QStringLiteral("nameTrajectory"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Trajectory by name"));
  dialog->setLabelText(
      tr("The samples' trajectory. Without a variant (behind the colon) the samples tell it:"));
  dialog->setComboBoxItems(names);
  dialog->setComboBoxEditable(true);
  connect(dialog, &QInputDialog::textValueSelected, this, &ScanFeature::giveTrajectory);
  dialog->open();
}

void ScanFeature::showSimulate() {
  const QString name = QStringLiteral("simulate");
  auto* dialog = views_.window->findChild<SimulateDialog*>(name);
  if (!dialog) {
    dialog = new SimulateDialog(views_.window);
    connect(dialog, &SimulateDialog::simulateRequested, this, &ScanFeature::simulate);
  }
  dialog->show();
  dialog->raise();
}

void ScanFeature::simulate(const SimulateOptions& options, bool truth) {
  session_.jobs().submit(
      JobKind::open, tr("Simulate %1").arg(QString::fromStdString(patternName(options.trajectory.pattern))),
      [this, options, truth](const JobContext& context) -> JobQueue::Delivery {
        const SimulatedScan made = simulateScan(options, truth, context.progress);
        return [this, made, options] {
          session_.setScan({made.scan, {}, {}, simulationOf(options)});
          if (made.truth) session_.deliver(made.scan, made.truth);
          if (!made.scan->arrays.empty())
            views_.log->append(LogLevel::information,
                               tr("The scan holds the field map that made it: iterative methods use it"));
        };
      },
      simulateCommand(options));
}

void ScanFeature::chooseToSave() {
  auto* dialog = dialogToSave(views_.window, tr("Save the scan"), "", QStringLiteral("scan.h5"),
                              tr("ISMRMRD (*.h5)"), QStringLiteral("h5"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& file) { save(std::filesystem::path(file.toStdString())); });
  dialog->open();
}

void ScanFeature::save(const std::filesystem::path& file) {
  if (!session_.needScan(tr("save a scan"))) return;
  session_.jobs().submit(
      saveJob, tr("Save %1").arg(QString::fromStdString(file.filename().string())),
      [this, scan = session_.scan(), file](const JobContext& context) -> JobQueue::Delivery {
        writeScan(*scan, file, context.progress);
        return [this, file] { Q_EMIT session_.saved(QString::fromStdString(file.string())); };
      });
}

}  // namespace spokelab
