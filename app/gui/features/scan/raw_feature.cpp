#include "app/gui/features/scan/raw_feature.h"

#include <QCryptographicHash>
#include <QDir>
#include <QSaveFile>
#include <QStandardPaths>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/recon/prepare/sample_selection.h"
#include "widgets/raw/bins_view.h"
#include "widgets/raw/raw_plot.h"
#include "widgets/raw/raw_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {

RawFeature::RawFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new RawView) {
  addTab(views_, "data", tr("Data"), view_);
  connect(&session_, &Session::scanOpened, this, [this](const std::shared_ptr<const Scan>& scan) {
    view_->setScan(scan);
    showSelection();
  });
  connect(views_.trajectory, &TrajectoryView::sampleLookedAt, view_, &RawView::lookAt);
  connect(view_, &RawView::placed, this, &RawFeature::showInTrajectory);
  connect(view_, &RawView::shotToggled, this,
          [this](qint64 shot) { views_.trajectory->toggleShot(int(shot)); });
  connect(views_.parameters, &ParameterPanel::optionsChanged, this, &RawFeature::showSelection);
  const BinsView* bins = view_->plot()->bins();
  connect(bins, &BinsView::divisionRequested, this,
          [this](int count) { Q_EMIT binsChosen(QString::number(count), false); });
  connect(bins, &BinsView::binsEdited, this, &RawFeature::writeBins);
}

// The file stays, as scripts and sessions read the scan with it; equal bins have one file.
void RawFeature::writeBins(const std::vector<int>& bins) {
  QByteArray text;
  for (const int bin : bins) text += QByteArray::number(bin) + '\n';
  const QString folder =
      QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/bins");
  const QByteArray hash = QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex();
  QSaveFile file(QStringLiteral("%1/%2.txt").arg(folder, QString::fromLatin1(hash)));
  if (!QDir().mkpath(folder) || !file.open(QIODevice::WriteOnly) || file.write(text) != text.size() ||
      !file.commit()) {
    Q_EMIT session_.failed({tr("Cannot keep the bins"), file.errorString(),
                            tr("Make room in %1, or write the file of bins by hand").arg(folder)});
    return;
  }
  Q_EMIT binsChosen(file.fileName(), true);
}

// Frames may have different trajectories, and the trajectory view shows one of them.
void RawFeature::showInTrajectory(int frame, qint64 shot, qint64 sample) {
  const auto scan = session_.scan();
  const auto& shown = views_.trajectory->trajectory();
  if (!scan || !shown || shown.get() != &scan->trajectory(frame)) return views_.trajectory->lookAt(-1);
  const auto& offsets = shown->shotOffsets;
  const std::int64_t first = offsets[std::size_t(shot)], last = offsets[std::size_t(shot) + 1] - 1;
  views_.trajectory->lookAt(last < first ? -1 : std::min<std::int64_t>(first + sample, last));
}

void RawFeature::showSelection() {
  const auto scan = session_.scan();
  const std::string shots = views_.parameters->options().shots;
  if (!scan) return;
  try {
    view_->setSelectedShots(shots.empty() ? std::vector<int>()
                                          : selection(shots, int(scan->trajectory(0).shots()), "shots"));
  } catch (const Error&) {
    view_->setSelectedShots({});  // of another scan; SelectionFeature tells why
  }
}

}  // namespace spokelab
