#include "app/gui/features/recon/parameters_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QSettings>

#include <utility>

#include "engine/scan/simulate/built_in_scans.h"
#include "widgets/recon/parameters/kept_bar.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

const QString openGroupsKey = QStringLiteral("window/parameterGroups");

}  // namespace

ParametersFeature::ParametersFeature(Session& session, const Views& views, bool remember, QObject* parent)
    : Feature(session, views, parent) {
  find_ = makeAction(this, tr("&Find a parameter"), "action-find-parameter", QKeySequence::Find,
                     tr("Search the parameters by name and help"));
  connect(find_, &QAction::triggered, this, [this] {
    bringUp(views_.parameters);
    views_.parameters->searchLine()->setFocus(Qt::ShortcutFocusReason);
    views_.parameters->searchLine()->selectAll();
  });
  connect(views_.parameters, &ParameterPanel::browseRequested, this, &ParametersFeature::browse);
  connect(&session_, &Session::scanOpened, this, &ParametersFeature::takeScan);
  KeptBar* kept = views_.parameters->kept();
  connect(kept, &KeptBar::keepRequested, this, [this] {
    ReconOptions options = views_.parameters->options();
    options.nufft.alpha = lastScans_.nufft.alpha;
    options.nufft.width = lastScans_.nufft.width;
    options.exact = lastScans_.exact;
    options.iterative = lastScans_.iterative;
    views_.parameters->setOptions(options);
  });
  if (remember) rememberFolds();
}

void ParametersFeature::rememberFolds() {
  const QSettings settings;
  if (settings.contains(openGroupsKey))
    views_.parameters->setUnfolded(settings.value(openGroupsKey).toStringList());
  connect(views_.parameters, &ParameterPanel::foldsChanged, this,
          [this] { QSettings().setValue(openGroupsKey, views_.parameters->unfolded()); });
}

// A plan, a method and its iterations were chosen for one scan: on the next they would cost time,
// or say something wrong, in silence. The same file that is read otherwise is the same scan.
void ParametersFeature::takeScan() {
  const bool same = session_.file() == file_ && !file_.isEmpty();
  const bool first = !std::exchange(hadScan_, session_.scan() != nullptr || hadScan_);
  file_ = session_.file();
  if (same || session_.isRestoring() || !session_.scan()) return;
  lastScans_ = views_.parameters->options();
  // Gridding knows neither the field nor the shots' phases of this scan.
  const bool needsPhases = file_ == QString::fromUtf8(fieldDemoName.data(), qsizetype(fieldDemoName.size()));
  if (first) {
    if (!needsPhases || lastScans_.iterative.method != ReconMethod::gridding) return;
    ReconOptions options = lastScans_;
    options.iterative.method = ReconMethod::pcSense;
    views_.parameters->setOptions(options);
    return;
  }
  ReconOptions fresh = lastScans_;
  fresh.nufft.alpha = fresh.nufft.width = 0;
  fresh.exact = false;
  fresh.iterative = {};
  QStringList changes;
  for (const OptionSpec& spec : reconOptionTable()) {
    const std::string value = optionValue(lastScans_, spec.name);
    if (value == optionValue(fresh, spec.name)) continue;
    const QString label = QString::fromStdString(spec.label);
    changes << (spec.type == OptionType::flag ? label
                                              : label + QLatin1Char(' ') + QString::fromStdString(value));
  }
  views_.parameters->kept()->offer(changes);
  if (needsPhases) fresh.iterative.method = ReconMethod::pcSense;
  if (needsPhases || !changes.isEmpty()) views_.parameters->setOptions(fresh);
}

void ParametersFeature::browse(const QString& name) {
  auto* dialog = dialogToOpen(views_.window, tr("Choose the file of %1").arg(name), "map-file", lastFolder(),
                              tr("Maps (*.nii *.nii.gz *.dcm *.h5 *.npy *.cfl);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, name](const QString& file) { Q_EMIT optionEdited(name, file); });
  dialog->open();
}

}  // namespace spokelab
