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

  void aReadoutIsTold() {
    SimulateOptions options;
    options.trajectory.matrix = {32, 32, 1};
    options.coils = 2;
    Scan scan = *simulate(options, {});
    Trajectory& t = scan.trajectories.front();
    const std::int64_t shot = 3, first = t.shotOffsets[shot], count = t.shotOffsets[shot + 1] - first;
    constexpr int cycles = 5;  // a tone
    for (std::int64_t j = 0; j < count; ++j)
      scan.data(0, 0, 1)[first + j] =
          std::polar(2.0F, float(2 * 3.14159265 * cycles * double(j) / double(count)));
    NamedArray& trace = scan.arrays.emplace_back();
    trace.name = "PMU RESP";
    trace.shape = {2, 3};
    for (const float v : {0.0F, 0.5F, 1.0F, 7.0F, 8.0F, 9.0F}) trace.values.emplace_back(v);
    writeScan(scan, folder_.filePath("tone.h5").toStdString(), {});
    const CliResult told =
        runCli(folder_.path(), {"info", "tone.h5", "--readout", "3,1", "--json", "tone.json"});
    QVERIFY2(told.code == 0, told.err);
    QVERIFY2(told.out.contains("readout 3,1"), told.out);
    QFile file(folder_.filePath("tone.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto samples = nlohmann::json::parse(file.readAll().toStdString())["samples"];
    const auto& readout = samples["readout"];
    QCOMPARE(readout["magnitude"].size(), std::size_t(count));
    QCOMPARE(readout["coil"].get<int>(), 1);
    QVERIFY(std::abs(readout["magnitude"][7].get<double>() - 2) < 1e-5);
    QVERIFY(std::abs(readout["phase"][1].get<double>() - 2 * 3.14159265 * cycles / double(count)) < 1e-5);
    const auto& tones = readout["spectrum"]["magnitude"];
    QVERIFY(std::abs(tones[std::size_t(count / 2 + cycles)].get<double>() - 2) < 1e-4);
    QVERIFY(tones[std::size_t(count / 2)].get<double>() < 1e-4);
    QCOMPARE(samples["traces"][0]["name"].get<std::string>(), std::string("PMU RESP"));
    QVERIFY(std::abs(samples["traces"][0]["values"][2].get<double>() - 9) < 1e-5);
    for (const char* place : {"99999", "3,2", "3,0,1", "3,0,0,0,0", "x", "-1", "3,"}) {
      const CliResult refused =
          runCli(folder_.path(), {"info", "tone.h5", QString("--readout=%1").arg(place)});
      QVERIFY2(refused.code == 1 && refused.err.contains("Cannot show the readout"), place);
    }
  }
};

SPOKELAB_CORE_TEST(TestInfoSamples)

}  // namespace test_info_samples

#include "test_info_samples.moc"
