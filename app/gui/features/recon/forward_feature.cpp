#include "app/gui/features/recon/forward_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>

#include "engine/core/output/job_files.h"
#include "engine/recon/explore/forward_image.h"
#include "engine/scan/formats/acquisitions/write_samples.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind forwardJob{.name = "samples"};

}  // namespace

ForwardFeature::ForwardFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("Save the samples of this &image…"), "action-forward")) {
  connect(action_, &QAction::triggered, this, &ForwardFeature::choose);
}

void ForwardFeature::choose() {
  if (!session_.needScan(tr("compute samples on its trajectory"))) return;
  const HistoryEntry* entry = session_.shown();
  if (!entry || !entry->result->image) {
    Q_EMIT session_.failed({tr("Cannot compute samples"), tr("no result is shown"),
                            tr("Reconstruct first, or choose a result")});
    return;
  }
  auto* dialog = dialogToSave(views_.window, tr("Save the samples of the image"), "save-samples",
                              tr("samples"), tr("NumPy (*.npy);;BART (*.cfl);;ISMRMRD (*.h5)"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, dialog, kept = HistoryEntry(*entry)](QString file) {
            const QString filter = dialog->selectedNameFilter();
            if (QFileInfo(file).suffix().isEmpty())
              file += filter.contains(QLatin1String(".cfl"))  ? QStringLiteral(".cfl")
                      : filter.contains(QLatin1String(".h5")) ? QStringLiteral(".h5")
                                                              : QStringLiteral(".npy");
            save(kept, views_.parameters->options(), std::filesystem::path(file.toStdString()));
          });
  dialog->open();
}

void ForwardFeature::save(const HistoryEntry& entry, const ReconOptions& options,
                          const std::filesystem::path& file) {
  session_.jobs().submit(
      forwardJob, tr("Samples of %1").arg(entry.scan),
      [this, &session = session_, scan = session_.scan(), result = entry.result, options,
       file](const JobContext& context) -> JobQueue::Delivery {
        constexpr double writeShare = 0.9;
        requireSamplesFormat(file);
        requireTarget(file, OutputKind::rawData);
        const ForwardResult forward =
            forwardImage(session.backends(), *result->image, *scan, nullptr, options, session.wisdom(),
                         context.progress.part(0, writeShare));
        writeSamples(*forward.scan, file, context.progress.part(writeShare, 1));
        const std::string lost = precisionLost(*forward.scan, file);
        return [this, file, lost] {
          Q_EMIT session_.saved(QString::fromStdString(file.string()));
          if (!lost.empty()) views_.log->append(LogLevel::warning, QString::fromStdString(lost));
        };
      },
      QString());
}

}  // namespace spokelab
