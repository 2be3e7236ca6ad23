// A window on the real CPU backend, without memory of earlier runs, and what a test does with it.
#pragma once

#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QTemporaryDir>

#include <algorithm>
#include <complex>

#include "app/gui/document/undo.h"
#include "app/gui/document/window_state.h"
#include "app/gui/document/workspace.h"
#include "app/gui/features/image/compare_feature.h"
#include "app/gui/features/image/measure_feature.h"
#include "app/gui/features/image/results_feature.h"
#include "app/gui/features/image/volume_feature.h"
#include "app/gui/features/messages_feature.h"
#include "app/gui/features/profile/baselines_feature.h"
#include "app/gui/features/profile/charts_feature.h"
#include "app/gui/features/profile/explorer_feature.h"
#include "app/gui/features/profile/stages_feature.h"
#include "app/gui/features/profile/studies_feature.h"
#include "app/gui/features/profile/suites_feature.h"
#include "app/gui/features/profile/timeline_feature.h"
#include "app/gui/features/profile/wisdom_feature.h"
#include "app/gui/features/recon/density_feature.h"
#include "app/gui/features/recon/iterations_feature.h"
#include "app/gui/features/recon/preview_feature.h"
#include "app/gui/features/recon/reconstruct_feature.h"
#include "app/gui/features/recon/selection_feature.h"
#include "app/gui/features/scan/readings_feature.h"
#include "app/gui/features/scan/scan_feature.h"
#include "app/gui/features/views.h"
#include "app/gui/report/replay_feature.h"
#include "app/gui/report/report_feature.h"
#include "app/gui/window/features.h"
#include "app/gui/window/main_window.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/app/gui/window_test.h"
#include "tests/patience.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {

// A golden-angle 3-D radial scan; its coils differ by a factor, so that it is soon made.
inline std::shared_ptr<Scan> radialScan(int side, int coils, int shots) {
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

inline void drop(QWidget& target, const QString& file) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  const QPoint at = target.rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&target, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&target, &event);
  QVERIFY(event.isAccepted());
}

struct Workbench {
  Backends backends;
  Session session{backends.all()};
  MainWindow window{session, backends.badges(), false};
  Workbench() { window.show(); }
  const HistoryModel& results() const { return *window.views().history->model(); }
};

// The guide's pictures of what only a test can bring about: written where SPOKELAB_PICTURES names a
// folder.
inline void keepPicture(QWidget& widget, const char* name) {
  const QString folder = qEnvironmentVariable("SPOKELAB_PICTURES");
  if (!folder.isEmpty())
    QVERIFY(widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, QString::fromUtf8(name))));
}

inline QString smallScan(const QTemporaryDir& folder) {
  SimulateOptions options;
  options.trajectory.matrix = {32, 32, 1};
  options.coils = 2;
  const QString file = folder.filePath(QStringLiteral("small.h5"));
  if (!QFileInfo::exists(file)) writeScan(*simulate(options, {}), file.toStdString(), {});
  return file;
}

// Opens it with these options, and waits for its reconstruction.
inline void openSmall(Workbench& bench, const QTemporaryDir& folder, const ReconOptions& options) {
  bench.window.views().parameters->setOptions(options);
  bench.window.open(smallScan(folder));
  QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

// The same with an accuracy that is quickly met.
inline void openSmall(Workbench& bench, const QTemporaryDir& folder) {
  ReconOptions options;
  options.nufft.accuracy = 1e-2;
  openSmall(bench, folder, options);
}

}  // namespace spokelab
