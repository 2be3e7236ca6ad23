// Samples that lack a trajectory are told of by `info`: what they are, and the way on. Commands that
// need an image fail with the same words.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "tests/app/cli/run_cli.h"
#include "tests/engine/scan/twix_file.h"
#include "tests/test_main.h"

namespace test_info_without_trajectory {

using namespace spokelab::test;

class TestInfoWithoutTrajectory : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

 private slots:
  void theFileAndTheWayOnAreShown() {
    constexpr int base = 16, lines = 12, samples = 32;
    constexpr double fov = 240, thickness = 4;
    TestMeasurement spokes{twixProtocol(base, lines, fov, thickness, "sKSpace.ucTrajectory = 0x2\n"),
                           twixNested,
                           "spokes",
                           {},
                           true};
    for (int l = 0; l < lines; ++l) {
      TestLine line;
      line.counters[0] = std::uint16_t(l);
      line.centreSample = samples / 2;
      line.coils.assign(2, std::vector<spokelab::cfloat>(samples, {1, 0.5f}));
      spokes.lines.push_back(line);
    }
    QFile file(folder_.filePath("spokes.dat"));
    const std::string bytes = TwixWriter(TwixStyle::vd).file({spokes});
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes.data(), qint64(bytes.size())) > 0);
    file.close();

    const CliResult told = runCli(folder_.path(), {"info", "spokes.dat", "--json", "told.json"});
    QVERIFY2(told.code == 0, told.err);
    for (const char* text : {"none: it has no trajectory", "protocol", "spokes", "--trajectory FILE"})
      QVERIFY2(told.out.contains(text), text);
    QFile json(folder_.filePath("told.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const auto document = nlohmann::json::parse(json.readAll().toStdString());
    QVERIFY(document["missing"]["what"] == "trajectory" && document["decisions"].size() > 1);

    const CliResult refused = runCli(folder_.path(), {"reconstruct", "spokes.dat", "-o", "image.npy"});
    QVERIFY(refused.code == 1 && refused.err.contains("it has no trajectory"));
    QVERIFY(!QFile::exists(folder_.filePath("image.npy")));
  }
};

SPOKELAB_CORE_TEST(TestInfoWithoutTrajectory)

}  // namespace test_info_without_trajectory

#include "test_info_without_trajectory.moc"
