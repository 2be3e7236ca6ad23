#include "app/gui/features/recon/selection_feature.h"

#include "engine/core/error.h"
#include "engine/recon/prepare/sample_selection.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/trajectory/selection_bar.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

ReconOptions cleared(ReconOptions options) {
  for (const std::string& name : selectionOptions()) setOption(options, name, "");
  return options;
}

}  // namespace

SelectionFeature::SelectionFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  connect(views_.trajectory, &TrajectoryView::shotsPicked, this, [this](const QString& list) {
    if (session_.scan()) editOption(QStringLiteral("shots"), list);  // else a sequence is shown
  });
  connect(views_.selection, &SelectionBar::optionEdited, this, &SelectionFeature::editOption);
  connect(views_.selection, &SelectionBar::reconstructRequested, this,
          &SelectionFeature::reconstructRequested);
  connect(views_.selection, &SelectionBar::allRequested, this, [this] {
    views_.parameters->setOptions(cleared(views_.parameters->options()));
    Q_EMIT reconstructRequested();
  });
  connect(views_.selection, &SelectionBar::pointSpreadRequested, this,
          &SelectionFeature::pointSpreadRequested);
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, &SelectionFeature::showSelection);
  connect(&session_, &Session::scanOpened, this, &SelectionFeature::takeScan);
}

SelectionFeature::Selected SelectionFeature::selectedOf(const Scan& scan, const ReconOptions& options) {
  Selected selected;
  try {
    const Trajectory& t = scan.trajectory(0);
    const SampleChoice choice = chooseSamples(scan, 0, options);
    selected.summary = QString::fromStdString(describeSelection(scan, 0, planJob(scan, options), choice));
    if (!options.shots.empty()) selected.shots = selection(options.shots, int(t.shots()), "shots");
    if (std::int64_t(selected.shots.size()) == t.shots()) selected.shots.clear();
    if (choice.empty()) return selected;
    selected.isSampleSelected.assign(std::size_t(t.samples()), 0);
    for (const std::int64_t s : choice.samples) selected.isSampleSelected[std::size_t(s)] = 1;
  } catch (const Error& error) {
    selected = {QString::fromStdString(error.summary() + ": " + error.reason()), true, {}, {}};
  }
  return selected;
}

void SelectionFeature::takeScan(const std::shared_ptr<const Scan>& scan) {
  views_.trajectory->setScan(scan);
  views_.selection->setScan(scan);
  if (scan && !session_.isRestoring()) dropSelectionBeyond(*scan);
  showSelection();
}

void SelectionFeature::editOption(const QString& name, const QString& value) {
  ReconOptions options = views_.parameters->options();
  try {
    setOption(options, name.toStdString(), value.toStdString());
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
    views_.selection->setOptions(views_.parameters->options());
    return;
  }
  views_.parameters->setOptions(options);
}

// Drops the selection, with a warning, if this scan lacks its shots, coils or times.
void SelectionFeature::dropSelectionBeyond(const Scan& scan) {
  const ReconOptions& options = views_.parameters->options();
  try {
    selection(options.shots, int(scan.trajectory(0).shots()), "shots");
    selection(options.coils, scan.coils, "coils");
    if (!options.leaveOutCoils.empty()) selection(options.leaveOutCoils, scan.coils, "leave-out-coils");
    if (!options.scanWindow.empty() && scan.shotTimes.empty())
      throw Error("", "it has no times of shots", "Select shots instead");
    if (!options.readoutWindow.empty() && scan.trajectory(0).times.empty())
      throw Error("", "it has no times of samples", "Select samples instead");
  } catch (const Error& error) {
    views_.log->append(LogLevel::warning, tr("The selection was left out, it does not fit this scan: %1")
                                              .arg(QString::fromStdString(error.reason())));
    views_.parameters->setOptions(cleared(options));
  }
}

// The samples are counted on a worker: there may be many millions.
void SelectionFeature::showSelection() {
  const ReconOptions& options = views_.parameters->options();
  const auto scan = session_.scan();
  views_.selection->setOptions(options);
  const std::string key = selectionText(options);
  if (scan == selectedScan_.lock() && key == selectionKey_) return;
  selectedScan_ = scan;
  selectionKey_ = key;
  if (!scan) {
    counting_.drop();
    return views_.selection->setSummary(QString());
  }
  counting_.start([scan, options](const std::stop_token&) { return selectedOf(*scan, options); },
                  [this](Selected selected) {
                    views_.selection->setSummary(selected.summary, selected.problem);
                    views_.trajectory->setSelection(selected.shots, std::move(selected.isSampleSelected));
                  });
}

}  // namespace spokelab
