// A scan's frames say what they are: axes with names and values, from a file's counters and header
// and back, also where only some frames are read.
#include <QtTest>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "tests/engine/scan/read/variant_reader.h"
#include "tests/test_main.h"

namespace test_frame_axes {

using namespace spokelab;
using namespace spokelab::test;

namespace {

const std::vector<double> fiveEchoes = {1.2e-3, 4.9e-3, 8.6e-3, 12.3e-3, 16e-3};

// Two times of three echoes.
std::shared_ptr<const Scan> echoScan() {
  const auto scan = describedAs(*radialScan(32, 1, 6));
  const auto whole = radialScan(32, 1, 6);
  scan->trajectories = whole->trajectories;
  scan->samples = whole->samples;
  for (int f = 0; f < 6; ++f) scan->samples[std::size_t(f)][0] = cfloat(float(f + 1), 0);
  scan->frameAxes =
      FrameAxes::grid({{FrameMeaning::time, 2, {}}, {FrameMeaning::echo, 3, {2e-3, 4.5e-3, 7e-3}}});
  return scan;
}

class TestFrameAxes : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  std::shared_ptr<const Scan> writtenAndRead(const Scan& scan,
                                             const std::map<std::string, std::string>& overrides = {}) {
    const std::filesystem::path file = folder_.filePath("scan.h5").toStdString();
    writeScan(scan, file, Progress());
    ReadOptions options;
    options.overrides = overrides;
    return readScan(file, options, Progress());
  }

 private slots:
  void framesAreTold() {
    const FrameAxes one = FrameAxes::grid({{FrameMeaning::echo, 5, fiveEchoes}});
    QCOMPARE(one.frames(), 5);
    QCOMPARE(one.text(1), std::string("echo 2 of 5, TE 4.9 ms"));
    QCOMPARE(one.word(1), std::string("echo2"));
    QCOMPARE(one.text(5), std::string());
    QCOMPARE(one.summary(), std::string("5 echoes (TE 1.2 ms ... 16 ms)"));
    const FrameAxes two =
        FrameAxes::grid({{FrameMeaning::time, 20, {}}, {FrameMeaning::echo, 2, {0.001, 0.002}}});
    QCOMPARE(two.text(5), std::string("time 3 of 20; echo 2 of 2, TE 2 ms"));
    QCOMPARE(two.word(5), std::string("time03_echo2"));
    QVERIFY(two.isGrid());
    QCOMPARE(two.value(5, FrameMeaning::echo).value(), 0.002);
    QVERIFY(!two.value(5, FrameMeaning::time).has_value());
    QVERIFY(!two.find(FrameMeaning::phase).has_value());
  }
  void aPartRemembersTheWhole() {
    const FrameAxes part = FrameAxes::grid({{FrameMeaning::echo, 5, fiveEchoes}}).select({1, 3});
    QCOMPARE(part.frames(), 2);
    QCOMPARE(part.text(0), std::string("echo 2 of 5, TE 4.9 ms"));
    QCOMPARE(part.text(1), std::string("echo 4 of 5, TE 12.3 ms"));
    QVERIFY(!part.isGrid());
    FrameAxes all = part;
    all.append(part.select({0}));
    QCOMPARE(all.text(2), part.text(0));
    all.append(FrameAxes::grid({{FrameMeaning::phase, 5, {}}}));
    QVERIFY(all.empty());
  }
  void aSingleFrameKeepsItsValueWithoutWords() {
    const FrameAxes one = FrameAxes::grid({{FrameMeaning::echo, 1, {0.004}}});
    QCOMPARE(one.text(0), std::string());
    QCOMPARE(one.value(0, FrameMeaning::echo).value(), 0.004);
  }
  void everyMeaningHasAName() {
    for (const FrameMeaning m :
         {FrameMeaning::frame, FrameMeaning::time, FrameMeaning::echo, FrameMeaning::phase,
          FrameMeaning::average, FrameMeaning::set, FrameMeaning::segment, FrameMeaning::slice})
      QVERIFY(frameMeaningOf(frameMeaningName(m)) == m);
    QVERIFY(!frameMeaningOf("coil").has_value());
  }

  void countersOfAFileNameTheFrames() {
    const auto scan = echoScan();
    const auto back = writtenAndRead(*scan);
    QCOMPARE(back->frames, 6);
    QCOMPARE(back->frameAxes.axes.size(), std::size_t(2));
    QCOMPARE(back->frameAxes.places, scan->frameAxes.places);
    QCOMPARE(back->frameAxes.text(4), std::string("time 2 of 2; echo 2 of 3, TE 4.5 ms"));
    for (int f = 0; f < 6; ++f) QCOMPARE(back->data(f, 0, 0)[0], cfloat(float(f + 1), 0));
    QCOMPARE(choiceOn(*back, "frame-axes"), std::string("2 times, 3 echoes (TE 2 ms ... 7 ms)"));
  }
  void readFramesRememberTheirPlaces() {
    const auto back = writtenAndRead(*echoScan(), {{"read-frames", "1,5"}});
    QCOMPARE(back->frames, 2);
    QCOMPARE(back->frameAxes.text(0), std::string("time 1 of 2; echo 2 of 3, TE 4.5 ms"));
    QCOMPARE(back->frameAxes.text(1), std::string("time 2 of 2; echo 3 of 3, TE 7 ms"));
  }
  void chosenCountersNameTheFrames() {
    const auto back = writtenAndRead(*echoScan(), {{"frames", "contrast"}});
    QCOMPARE(back->frames, 3);
    QCOMPARE(back->frameAxes.text(2), std::string("echo 3 of 3, TE 7 ms"));
  }
  void stampsGiveTheTimes() {
    const auto scan = describedAs(*radialScan(32, 1, 2));
    const auto whole = radialScan(32, 1, 2);
    scan->trajectories = whole->trajectories;
    scan->samples = whole->samples;
    for (int f = 0; f < 2; ++f) scan->shotTimes.emplace_back(20, 0.5 * f);
    const auto back = writtenAndRead(*scan);
    QCOMPARE(back->frameAxes.text(1), std::string("time 2 of 2, 0.5 s"));
  }
  void timesOfTheFramesAreStamped() {
    const auto scan = describedAs(*radialScan(32, 1, 3));
    const auto whole = radialScan(32, 1, 3);
    scan->trajectories = whole->trajectories;
    scan->samples = whole->samples;
    scan->frameAxes = FrameAxes::grid({{FrameMeaning::time, 3, {0, 0.0125, 0.025}}});
    const auto back = writtenAndRead(*scan, {{"frames", "repetition"}});
    QVERIFY(back->frameAxes == scan->frameAxes);
  }
  void windowsAreTimes() {
    const auto scan = describedAs(*radialScan(32, 1));
    const auto whole = radialScan(32, 1);
    scan->trajectories = whole->trajectories;
    scan->samples = whole->samples;
    scan->shotTimes.emplace_back();
    for (int s = 0; s < 20; ++s) scan->shotTimes.front().push_back(0.1 * s);
    const auto back = writtenAndRead(*scan, {{"sliding-window", "11,3"}, {"read-frames", "1-3"}});
    QCOMPARE(back->frames, 3);
    QCOMPARE(back->frameAxes.text(0), std::string("time 2 of 4, 0.8 s"));
  }
  void imagesKnowTheirFrames() {
    const auto image = makeImage(*echoScan(), 6, {0});
    QCOMPARE(image->frameAxes.text(4), std::string("time 2 of 2; echo 2 of 3, TE 4.5 ms"));
    image->keepFrames(2);
    QCOMPARE(image->frameAxes.frames(), 2);
    QVERIFY(makeImage(*echoScan(), 5, {0})->frameAxes.empty());
  }
  void axesThatDoNotFitAreRefused() {
    const auto scan = std::const_pointer_cast<Scan>(echoScan());
    validate(*scan);
    scan->frameAxes.places.pop_back();
    QVERIFY_THROWS_EXCEPTION(Error, validate(*scan));
    scan->frameAxes.places.push_back(3);
    QVERIFY_THROWS_EXCEPTION(Error, validate(*scan));
    scan->frameAxes.places.back() = 2;
    scan->frameAxes.axes.back().values.pop_back();
    QVERIFY_THROWS_EXCEPTION(Error, validate(*scan));
  }
};

}  // namespace

SPOKELAB_TEST(TestFrameAxes)

}  // namespace test_frame_axes

#include "test_frame_axes.moc"
