// The window that all features work in, one after the other, with a scan that is large enough to tell.
#pragma once

#include <QAction>
#include <QDialog>
#include <QSignalSpy>

#include "tests/app/gui/workbench.h"

namespace spokelab {

inline constexpr int longPatience = 280'000;  // ms
inline constexpr int settleMs = 700;          // views and autosave have followed
inline constexpr int autosaveMs = 1000;       // more often than usual

inline ReconOptions quickOptions() {
  ReconOptions options;
  options.nufft.threads = 1;
  options.nufft.accuracy = 1e-2;
  return options;
}

// The window that all features work in, with a scan and two results.
struct Desk : Workbench {
  const QTemporaryDir folder;
  QSignalSpy saved{&session, &Session::saved}, failed{&session, &Session::failed};

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
  // The dialogs that a case left open go before the next one.
  void clear() {
    session.jobs().cancelAll();
    for (auto* dialog : window.findChildren<QDialog*>())
      if (dialog->isVisible()) dialog->close();
    features().compare->setComparing(false);
    views().parameters->setOptions(quickOptions());
    failed.clear();
    saved.clear();
  }
  void makeReady() {
    features().workspace->keepIn(file("autosave").toStdString(), autosaveMs);
    clear();
    if (!QFile::exists(file("scan.h5")))
      writeScan(*radialScan(96, 8, 1200), file("scan.h5").toStdString(), {});
    if (session.scan() && results().rowCount() >= 2 && session.file() == file("scan.h5")) return;
    window.open(file("scan.h5"));
    QTRY_VERIFY_WITH_TIMEOUT(session.file() == file("scan.h5") && ownResult() && idle(), longPatience);
    const int before = ownResult()->id;
    features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(ownResult()->id > before && idle(), longPatience);
    QTest::qWait(settleMs);
  }
};

}  // namespace spokelab
