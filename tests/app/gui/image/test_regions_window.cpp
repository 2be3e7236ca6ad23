// Named regions in the window: drawn one after the other, with numbers and courses, in a report.
#include <QFile>
#include <QTreeWidget>

#include <nlohmann/json.hpp>

#include "tests/app/gui/workbench.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/measure_view.h"
#include "widgets/image/region_list.h"
#include "widgets/image/slice/slice_view.h"

namespace test_regions_window {

using namespace spokelab;

class TestRegionsWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void regionsOfASeriesAreNamedAndReported() {
    const QTemporaryDir folder;
    SimulateOptions simulation;
    simulation.trajectory.matrix = {64, 64, 1};
    simulation.coils = 2;
    simulation.frames = 4;
    simulation.noise = 0.02;
    const QString file = folder.filePath(QStringLiteral("series.h5"));
    writeScan(*simulate(simulation, {}), file.toStdString(), {});
    Workbench bench;
    bench.window.resize(1500, 950);
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    options.effort = TuneEffort::estimate;
    bench.window.views().parameters->setOptions(options);
    bench.window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    SliceView& view = *bench.window.views().image->sliceView(Plane::axial);
    view.setFocus();
    Measurement& m = *bench.window.views().measurement;
    for (const Index3& at : {Index3{20, 30, 0}, Index3{42, 34, 0}, Index3{31, 16, 0}}) {
      bench.window.views().image->setCursorIndex(at);
      QTest::keyClick(&view, Qt::Key_N);
      QVERIFY(!m.region());
      m.setRegion(ImageRegion{{at[0] - 4, at[1] - 5, 0}, {at[0] + 4, at[1] + 5, 0}, true, 2});
    }
    QCOMPARE(m.regions().all.size(), std::size_t(3));
    m.rename(1, QStringLiteral("left"));
    m.rename(2, QStringLiteral("right"));
    MeasureView& measure = *bench.window.features().measure->view();
    QTRY_COMPARE_WITH_TIMEOUT(measure.measured().regions.size(), std::size_t(3), patience);
    QTRY_COMPARE_WITH_TIMEOUT(measure.plot()->graphCount(), 3, patience);
    QCOMPARE(measure.measured().regions[0].course.size(), std::size_t(4));
    QCOMPARE(measure.regions()->list()->topLevelItem(1)->text(0), QStringLiteral("right"));
    bench.window.dock(QStringLiteral("measure"))->raise();
    QTest::qWait(200);
    keepPicture(bench.window, "regions");
    const std::filesystem::path report = folder.filePath(QStringLiteral("report")).toStdString();
    bench.window.features().report->write(*bench.results().find(1), report);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath(QStringLiteral("report/report.json"))), patience);
    QFile json(folder.filePath(QStringLiteral("report/report.json")));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const auto document = nlohmann::json::parse(json.readAll().toStdString());
    QCOMPARE(document.at("regions").size(), std::size_t(3));
    QCOMPARE(document.at("regions")[0].at("name").get<std::string>(), std::string("left"));
    QCOMPARE(document.at("regions")[0].at("magnitudeMean").get<double>(),
             measure.measured().regions[0].shown.magnitudeMean);
    QFile page(folder.filePath(QStringLiteral("report/report.html")));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY(page.readAll().contains("Measured regions"));
  }
};

SPOKELAB_WINDOW_TEST(TestRegionsWindow)

}  // namespace test_regions_window

#include "test_regions_window.moc"
