// Noise, SNR and g-factor in the window: made for the open scan, laid over the image, gone with the
// scan, in the report of the result; a scan without noise lines says why there are none.
#include <QToolButton>

#include "app/gui/features/image/overlay_feature.h"
#include "app/gui/features/recon/noise_feature.h"
#include "app/gui/report/report_feature.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/over_bar.h"
#include "widgets/recon/noise_view.h"

namespace test_noise_window {

using namespace spokelab;

class TestNoiseWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void mapsAreMadeAndLieOverTheImage() {
    const QTemporaryDir folder;
    SimulateOptions options;
    options.trajectory.matrix = {24, 24, 1};
    options.trajectory.samplesPerShot = 48;
    options.coils = 2;
    options.noise = 0.05;
    const QString file = folder.filePath(QStringLiteral("noisy.h5"));
    writeScan(*simulate(options, {}), file.toStdString(), {});
    Workbench bench;
    bench.window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    NoiseFeature& feature = *bench.window.features().noise;
    QSignalSpy mapped(&feature, &NoiseFeature::mapped);
    feature.map(bench.window.views().parameters->options(), 8);
    QTRY_COMPARE_WITH_TIMEOUT(mapped.count(), 1, patience);
    const NoiseMaps* maps = feature.view()->maps();
    QVERIFY(maps && maps->replicas == 8 && maps->medianSnr > 1);
    for (const char* name : {"noiseOver", "snrOver", "gFactorOver"}) {
      auto* over = feature.view()->findChild<QToolButton*>(QString::fromLatin1(name));
      QVERIFY(over && over->isEnabled());
    }
    feature.view()->findChild<QToolButton*>(QStringLiteral("gFactorOver"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.features().overlay->bar()->over(), patience);
    // A report of the same parameters holds the maps.
    const QString report = folder.filePath(QStringLiteral("report"));
    QSignalSpy saved(&bench.window.session(), &Session::saved);
    bench.window.features().report->write(*bench.results().newest(), report.toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    for (const char* name : {"noise", "snr", "g-factor"})
      QVERIFY(QFile::exists(report + QStringLiteral("/%1.nii.gz").arg(QLatin1String(name))));
    QFile pages(report + QStringLiteral("/report.pdf"));
    QVERIFY(pages.open(QIODevice::ReadOnly));
    QVERIFY(pages.readAll().count("/Subtype /Image") >= 4);
    bench.window.open(QStringLiteral("demo"));
    QTRY_VERIFY_WITH_TIMEOUT(!feature.view()->maps(), patience);
  }

  void aScanWithoutNoiseLinesSaysSo() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QSignalSpy failed(&bench.window.session(), &Session::failed);
    bench.window.features().noise->map(bench.window.views().parameters->options(), 4);
    QTRY_VERIFY_WITH_TIMEOUT(failed.count() > 0, patience);
    QVERIFY(!bench.window.features().noise->view()->maps());
  }
};

SPOKELAB_WINDOW_TEST(TestNoiseWindow)

}  // namespace test_noise_window

#include "test_noise_window.moc"
