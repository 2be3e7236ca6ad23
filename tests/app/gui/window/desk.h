// The window that all features work in, one after the other, with a scan that is large enough to tell.
#pragma once

#include <QAction>
#include <QDialog>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/app/gui/workbench.h"

namespace spokelab {

inline constexpr int longPatience = 280'000;  // ms
inline constexpr int settleMs = 700;          // views and autosave have followed
inline constexpr int autosaveMs = 1000;       // more often than usual

// Eight coils that differ by a factor, so that it is soon made.
inline std::shared_ptr<Scan> radialScan(int side) {
  constexpr int coils = 8, shots = 1200;
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial3d;
  o.trajectory.matrix = {side, side, side};
  o.trajectory.samplesPerShot = side;
  o.trajectory.shots = shots;
  auto scan = std::make_shared<Scan>(*simulate(o, {}));
  const Buffer<cfloat> one = scan->samples[0];
  scan->coils = coils;
  scan->noise.clear();
  scan->samples.assign(1, Buffer<cfloat>(one.size() * std::size_t(coils)));
  for (std::size_t c = 0; c < std::size_t(coils); ++c) {
    const cfloat factor = std::polar(1.0F / float(c + 1), float(c));
    std::transform(one.begin(), one.end(), scan->samples[0].begin() + std::ptrdiff_t(c * one.size()),
                   [&](const cfloat& value) { return factor * value; });
  }
  return scan;
}

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
    if (!QFile::exists(file("scan.h5"))) writeScan(*radialScan(96), file("scan.h5").toStdString(), {});
    if (session.scan() && results().rowCount() >= 2 && session.file() == file("scan.h5")) return;
    const int before = results().rowCount();
    window.open(file("scan.h5"));
    QTRY_VERIFY_WITH_TIMEOUT(results().rowCount() > before && idle(), longPatience);
    features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(results().rowCount() > before + 1 && idle(), longPatience);
    QTest::qWait(settleMs);
  }
};

}  // namespace spokelab
