// `info` tells what the samples look like: coils, shots, noise, for people and as JSON.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/look/raw_summary.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_info_samples {

using namespace spokelab;
using namespace spokelab::test;

class TestInfoSamples : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

 private slots:
  void coilsShotsAndNoiseAreTold() {
    SimulateOptions options;
    options.trajectory.matrix = {32, 32, 1};
    options.coils = 4;
    options.noise = 0.01;
    auto scan = std::make_shared<Scan>(*simulate(options, {}));
    const std::int64_t silent = 5;  // a shot without signal
    const Trajectory& t = scan->trajectories.front();
    for (int c = 0; c < scan->coils; ++c)
      std::fill(scan->data(0, 0, c) + t.shotOffsets[silent], scan->data(0, 0, c) + t.shotOffsets[silent + 1],
                cfloat(0, 0));
    writeScan(*scan, folder_.filePath("scan.h5").toStdString(), {});
    const CliResult told = runCli(folder_.path(), {"info", "scan.h5", "--json", "told.json"});
    QCOMPARE(told.code, 0);
    QVERIFY2(told.out.contains("energy of coils") && told.out.contains("1 shot with zeros only"), told.out);
    QFile file(folder_.filePath("told.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto samples = nlohmann::json::parse(file.readAll().toStdString())["samples"];
    const RawSummary known = rawSummary(*scan, {});
    for (std::size_t c = 0; c < 4; ++c)
      QVERIFY(std::abs(samples["coilEnergy"][c].get<double>() / known.energy[c] - 1) < 1e-5);
    QCOMPARE(samples["shots"]["empty"].get<int>(), 1);
    QCOMPARE(samples["shots"]["weakest"]["shot"].get<int>(), int(silent));
    QVERIFY(!scan->noise.empty());
    QVERIFY(told.out.contains("correlation of coils"));
    const double stored = samples["noise"]["covariance"][1][1][0].get<double>();
    QVERIFY(std::abs(stored / known.noise[5].real() - 1) < 1e-5);
  }
};

SPOKELAB_CORE_TEST(TestInfoSamples)

}  // namespace test_info_samples

#include "test_info_samples.moc"
