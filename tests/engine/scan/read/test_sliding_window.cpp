// Windows of consecutive shots become frames: their samples and points are those of the shots, and a
// window is reconstructed as the same shots of the whole scan are.
#include <QtTest>

#include "engine/core/error.h"
#include "engine/recon/run/reconstruction.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_sliding_window {

using namespace spokelab;
using namespace spokelab::test;

class TestSlidingWindow : public QObject, private VariantReader {
  Q_OBJECT

  std::shared_ptr<const Scan> golden(int shots) {
    SimulateOptions o;
    o.trajectory.pattern = Pattern::goldenRadial2d;
    o.trajectory.matrix = {32, 32, 1};
    o.trajectory.shots = shots;
    o.coils = 3;
    return simulate(o, {});
  }

  std::string reasonOf(const Scan& scan, const std::string& window, const std::string& frames = {}) {
    std::map<std::string, std::string> choices{{"sliding-window", window}};
    if (!frames.empty()) choices["read-frames"] = frames;
    try {
      read(scan, acquisitionsOf(scan), choices);
    } catch (const Error& e) {
      return e.reason();
    }
    return "no error";
  }

 private Q_SLOTS:
  void windowsAreTheirShots() {
    const auto scan = golden(50);
    const auto windows = read(*scan, acquisitionsOf(*scan), {{"sliding-window", "21,8"}});
    QCOMPARE(windows->frames, 4);  // from shots 0, 8, 16, 24; the last five fill none
    const Trajectory& whole = scan->trajectory(0);
    const std::int64_t readout = whole.shotOffsets[1];
    for (int f = 0; f < windows->frames; ++f) {
      const Trajectory& t = windows->trajectory(f);
      QCOMPARE(t.shots(), std::int64_t(21));
      const std::int64_t first = 8 * f * readout;
      for (std::int64_t i = 0; i < 2 * t.samples(); ++i)
        QVERIFY(std::abs(t.points[std::size_t(i)] - whole.points[std::size_t(2 * first + i)]) < 1e-4);
      for (int c = 0; c < scan->coils; ++c)
        QVERIFY(std::equal(windows->data(f, 0, c), windows->data(f, 0, c) + t.samples(),
                           scan->data(0, 0, c) + first));
    }
    QVERIFY(decisionOn(*windows, "sliding-window")->overridden);
    QCOMPARE(choiceOn(*windows, "windows"), std::string("4 frames"));
    const auto some =
        read(*scan, acquisitionsOf(*scan), {{"sliding-window", "21,8"}, {"read-frames", "1-:2"}});
    QCOMPARE(some->frames, 2);
    QCOMPARE(some->samples[1], windows->samples[3]);
    const auto apart = read(*scan, acquisitionsOf(*scan), {{"sliding-window", "10"}});
    QCOMPARE(apart->frames, 5);
  }

  void aWindowIsReconstructedAsItsShots() {
    const auto scan = golden(60);
    const auto whole = read(*scan, acquisitionsOf(*scan), {});
    const auto windows = read(*scan, acquisitionsOf(*scan), {{"sliding-window", "34,13"}});
    ReconOptions options = senseOptions();
    options.iterative.method = ReconMethod::gridding;
    const Reconstruction moving = run(*windows, options);
    QCOMPARE(moving.image->frames, 3);
    QCOMPARE(moving.frameSeconds.size(), std::size_t(2));
    QVERIFY(frameLatencyText(moving).find("2 frames after the first") != std::string::npos);
    options.shots = "13-46";
    const Reconstruction part = run(*whole, options);
    QVERIFY(part.frameSeconds.empty() && frameLatencyText(part).empty());
    const cfloat* second = moving.image->frame(1);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < part.image->data.size(); ++i) {
      difference += std::norm(second[i] - part.image->data[i]);
      norm += std::norm(part.image->data[i]);
    }
    QVERIFY2(difference < 1e-10 * norm, qPrintable(QString::number(difference / norm)));
  }

  void offeredWhereThereAreShotsEnough() {
    const auto few = golden(40), many = golden(80);
    QVERIFY(!decisionOn(*read(*few, acquisitionsOf(*few), {}), "sliding-window"));
    const auto scan = read(*many, acquisitionsOf(*many), {});
    QCOMPARE(choiceOn(*scan, "sliding-window"), std::string("none"));
    QCOMPARE(scan->frames, 1);
    const auto taken = read(*many, acquisitionsOf(*many),
                            {{"sliding-window", decisionOn(*scan, "sliding-window")->alternatives.back()}});
    QVERIFY(taken->frames > 1);
  }

  void whatIsNoWindowIsRefused() {
    const auto scan = golden(40);
    for (const char* text : {"0", "21,0", "-3", "21,", "21;8", "a", "21,8,3", "99999999999999999999"})
      QVERIFY2(QString::fromStdString(reasonOf(*scan, text)).contains(QLatin1String("is not a window")),
               text);
    QCOMPARE(reasonOf(*scan, "41"),
             std::string("a window of 41 shots is longer than the scan, which has 40"));
    QVERIFY(reasonOf(*scan, "21,8", "3") != "no error");
    Scan frames = *scan;
    frames.frames = 2;
    frames.samples.push_back(frames.samples.front());
    QCOMPARE(reasonOf(frames, "21"),
             std::string("a sliding window needs the shots in one frame, and the scan has 2 frames"));
  }
};

SPOKELAB_TEST(TestSlidingWindow)

}  // namespace test_sliding_window

#include "test_sliding_window.moc"
