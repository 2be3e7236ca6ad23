// A report repeated in the window: the same work, and the same judgement, as `report --replay`.
#include <QFileInfo>

#include "app/gui/report/report.h"
#include "app/gui/session/session.h"
#include "engine/core/text.h"
#include "engine/profile/report/replay.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {
namespace {

constexpr double readShare = 0.1;  // of the progress bar

}  // namespace

void Session::replay(const QString& reportJson, const QString& scanFile) {
  jobs_.submit(
      JobKind::open, tr("Repeat %1").arg(QFileInfo(reportJson).fileName()),
      [this, reportJson, scanFile](const JobContext& context) -> JobQueue::Delivery {
        const Replay replay = readReplay(reportJson.toStdString());
        const QString file = scanFile.isEmpty() ? QString::fromStdString(replay.scan) : scanFile;
        if (file != QStringLiteral("demo") && !QFileInfo::exists(file))
          return [this, reportJson, file] { Q_EMIT replayNeedsScan(reportJson, file); };
        const auto scan = readScan(std::filesystem::path(file.toStdString()), replay.reading,
                                   context.progress.part(0, readShare));
        const auto report = std::make_shared<const Report>(
            repeat(replay, scan, backends_, context.progress.part(readShare, 1)));
        return [this, file, report] {
          scan_ = report->scan;
          file_ = file;
          overrides_ = report->reading.overrides;
          simulation_.clear();
          profiling_ = 0;
          restoring_ = true;
          Q_EMIT scanOpened(scan_);
          restoring_ = false;
          deliver(scan_, report->result);
          Q_EMIT profileStarted(report->result->options.nufft.accuracy);
          Q_EMIT profileReady(report->sweep);
          Q_EMIT replayed(report);
        };
      },
      QString::fromStdString("spokelab report --replay " + shellWord(reportJson.toStdString()) +
                             " -o again"));
}

}  // namespace spokelab
