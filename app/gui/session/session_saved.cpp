// A saved session opened again: its numbers and images, and the scan that they came from.
#include <QFileInfo>

#include <algorithm>

#include "app/gui/report/report.h"
#include "app/gui/session/session.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/session/saved_session.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/read/remembered_choices.h"
#include "engine/scan/simulate/simulate_options.h"

namespace spokelab {
namespace {

constexpr double imagesShare = 0.5;  // of the progress bar; the scan takes the rest

// Why the scan cannot be taken as the session's; empty: it can.
QString obstacle(const SavedScan& scan, const SessionReading& how) {
  const QString file = QString::fromStdString(scan.file);
  if (!QFileInfo::exists(file)) return Session::tr("it is not there");
  if (how.anyScan || scan.fingerprint.empty() || QFileInfo(file).isDir()) return {};
  if (fileFingerprint(scan.file) == scan.fingerprint) return {};
  return Session::tr("its content is not that of the scan that the session was made with");
}

std::shared_ptr<const Scan> scanAgain(const SavedScan& saved, const std::filesystem::path& choices,
                                      const Progress& progress) {
  if (!saved.file.empty()) {
    ReadOptions options;
    options.overrides = saved.overrides;
    options.choices = choices;
    return readScan(saved.file, options, progress);
  }
  SimulateOptions options;
  for (const auto& [name, value] : saved.simulation) setOption(options, name, value);
  return simulate(options, progress);
}

}  // namespace

void Session::openSaved(const QString& file, const SessionReading& how) {
  jobs_.submit(
      JobKind::open, tr("Open %1").arg(QFileInfo(file).fileName()),
      [this, file, how, choices = choicesFile_](const JobContext& context) -> JobQueue::Delivery {
        auto loaded = std::make_shared<LoadedSession>(
            loadSession(file.toStdString(), context.progress.part(0, imagesShare)));
        std::optional<SavedScan>& saved = loaded->session.scan;
        if (saved && how.withoutScan) saved.reset();
        if (saved && !how.scanFile.isEmpty()) saved->file = how.scanFile.toStdString();
        std::shared_ptr<const Scan> scan;
        if (saved) {
          const bool onDisk = !saved->file.empty() && saved->file != "demo";
          if (const QString why = onDisk ? obstacle(*saved, how) : QString(); !why.isEmpty())
            return [this, file, name = QString::fromStdString(saved->file), why] {
              Q_EMIT scanMissing(file, name, why);
            };
          scan = scanAgain(*saved, choices, context.progress.part(imagesShare, 1));
        }
        return [this, file, loaded, scan] {
          const auto& from = loaded->session.scan;
          scan_ = scan;
          file_ = from ? QString::fromStdString(from->file) : QString();
          overrides_ = from ? from->overrides : std::map<std::string, std::string>();
          simulation_ = from ? from->simulation : std::map<std::string, std::string>();
          profiling_ = 0;
          for (const SavedResult& result : loaded->session.results) results_ = std::max(results_, result.id);
          restoring_ = true;
          Q_EMIT scanOpened(scan);
          Q_EMIT sessionOpened(file, loaded);
          restoring_ = false;
        };
      },
      QString::fromStdString("spokelab " + shellWord(file.toStdString())));
}

}  // namespace spokelab
