// The window that all features work in, one after the other, with a scan that is large enough to tell.
#pragma once

#include <QAction>
#include <QDialog>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTimer>

#include "tests/app/gui/workbench.h"
#include "tests/event_probe.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice_player.h"

namespace spokelab {

inline constexpr int longPatience = 280'000;  // ms
inline constexpr int autosaveMs = 120;        // so often that each case has one
inline constexpr int quietMs = 80;            // longer than the timers that the window does not own
inline constexpr int maxSettleMs = 700;       // frames that play never end

// The scan that a case works on. The whole one and the light one have images of one size, so views
// and files have the same to do; a job takes a tenth of the time on the light one. The small one is
// for jobs whose images nobody sees. Any: the case opens its own.
enum class DeskScan { whole, light, small, any };

inline ReconOptions quickOptions() {
  ReconOptions options;
  options.nufft.threads = 1;
  options.nufft.accuracy = 1e-2;
  return options;
}

// Ends when views and autosave have followed: an autosave is over, nothing but timers came to
// the program for a while, and no timer of the window is to fire once.
inline void settle(const QWidget& window) {
  constexpr int stepMs = 20;  // between two looks
  QElapsedTimer since;
  since.start();
  const auto isQuiet = [&window] {
    const QList<QTimer*> timers = window.findChildren<QTimer*>();
    return ProbeApplication::instance().idleMs() > quietMs &&
           std::none_of(timers.begin(), timers.end(),
                        [](const QTimer* timer) { return timer->isSingleShot() && timer->isActive(); });
  };
  do QTest::qWait(stepMs);
  while (since.elapsed() < maxSettleMs && (since.elapsed() < autosaveMs + stepMs || !isQuiet()));
}

// The window that all features work in, with a scan and two results.
struct Desk : Workbench {
  const QTemporaryDir folder;
  QSignalSpy saved{&session, &Session::saved}, failed{&session, &Session::failed};

  Desk() { features().workspace->keepIn(file("autosave").toStdString(), autosaveMs); }
  QString file(const char* name) const { return folder.filePath(QString::fromUtf8(name)); }
  const Features& features() { return window.features(); }
  const Views& views() { return window.views(); }
  bool idle() { return !session.jobs().busy(); }
  void trigger(const char* action) {
    auto* found = window.findChild<QAction*>(QString::fromUtf8(action));
    if (!found) qFatal("there is no %s", action);
    found->trigger();
  }
  template <class Widget>
  Widget* child(const char* name) {
    auto* found = window.findChild<Widget*>(QString::fromUtf8(name));
    if (!found) qFatal("there is no %s", name);
    return found;
  }
  // The newest that was made of the scan that is open; null: none. The list holds a dozen.
  const HistoryEntry* ownResult() {
    const HistoryEntry* newest = nullptr;
    for (const HistoryEntry& entry : session.results().entries())
      if (entry.source.lock() == session.scan() && (!newest || entry.id > newest->id)) newest = &entry;
    return newest;
  }
  void settle() { spokelab::settle(window); }
  // The dialogs that a case left open go before the next one.
  void clear() {
    session.jobs().cancelAll();
    for (auto* dialog : window.findChildren<QDialog*>())
      if (dialog->isVisible()) dialog->close();
    features().compare->setComparing(false);
    views().image->slicePlayer()->stop();
    views().parameters->setOptions(quickOptions());
    failed.clear();
    saved.clear();
  }
  void makeReady(DeskScan which = DeskScan::whole) {
    clear();
    if (which == DeskScan::any) return;
    const bool whole = which == DeskScan::whole, small = which == DeskScan::small;
    const QString path = file(whole ? "scan.h5" : small ? "small.h5" : "light.h5");
    if (!QFile::exists(path)) {
      const int side = small ? 48 : 96, coils = whole ? 8 : 2, shots = whole ? 1200 : 300;
      writeScan(*radialScan(side, coils, shots), path.toStdString(), {});
    }
    if (session.scan() && results().rowCount() >= 2 && session.file() == path) return;
    window.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(session.file() == path && ownResult() && idle(), longPatience);
    const int before = ownResult()->id;
    features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(ownResult()->id > before && idle(), longPatience);
    settle();
  }
};

}  // namespace spokelab
