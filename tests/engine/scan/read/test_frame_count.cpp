// How many frames a file holds is known from some of them.
#include <QtTest>

#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/frame_count.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_frame_count {

using namespace spokelab;

class TestFrameCount : public QObject {
  Q_OBJECT

 private slots:
  void someFramesTellOfAll_data() {
    QTest::addColumn<int>("frames");
    QTest::newRow("one") << 1;
    QTest::newRow("twelve") << 12;
  }
  void someFramesTellOfAll() {
    QFETCH(int, frames);
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("scan.h5").toStdString();
    SimulateOptions o;
    o.trajectory.matrix = {16, 16, 1};
    o.frames = frames;
    writeScan(*simulate(o, {}), file, Progress());
    ReadOptions options;
    QCOMPARE(framesInFile(*readScan(file, options, {})), frames);
    options.overrides.emplace("read-frames", "0");
    const auto first = readScan(file, options, {});
    QCOMPARE(first->frames, 1);
    QCOMPARE(framesInFile(*first), frames);
  }
};

SPOKELAB_TEST(TestFrameCount)

}  // namespace test_frame_count

#include "test_frame_count.moc"
