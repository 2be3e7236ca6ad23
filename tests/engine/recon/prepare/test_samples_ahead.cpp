// Samples go to a backend while the rest of their file is read: each block once, with the values that the scan has in
// the end; samples that a reader changes afterwards are taken back before anybody else sees them.
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/recon/prepare/samples_ahead.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/instrumented.h"
#include "tests/patience.h"
#include "tests/test_main.h"

namespace test_samples_ahead {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// More than one block (4 MB) a frame.
std::shared_ptr<const Scan> largeScan() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {64, 64, 1};
  o.trajectory.shots = 300;
  o.trajectory.samplesPerShot = 500;
  o.coils = 5;
  o.frames = 2;
  o.noise = 0.01;
  return simulate(o, {});
}

// What a receiver was told, and the samples it then found.
struct Received {
  std::shared_ptr<const Scan> scan;
  std::vector<Buffer<cfloat>> samples;  // [frame][coil, sample]
  std::vector<std::vector<int>> times;  // [frame][sample]
  int blocks = 0;
  std::atomic<bool> opened = false, finished = false, dropped = false, ended = false;
};

class Copying final : public SampleReceiver {
 public:
  Copying(Received& received, bool takes, double delay) : to_(received), takes_(takes), delay_(delay) {}
  ~Copying() override { to_.ended = true; }
  bool open(const std::shared_ptr<const Scan>& scan) override {
    to_.scan = scan;
    for (int f = 0; f < scan->frames; ++f) {
      to_.samples.emplace_back(scan->samples[std::size_t(f)].size(), cfloat(0));
      to_.times.emplace_back(std::size_t(scan->trajectory(f).samples()), 0);
    }
    to_.opened = true;
    return takes_;
  }
  void receive(int frame, int slice, std::int64_t first, std::int64_t count) override {
    std::this_thread::sleep_for(std::chrono::duration<double>(delay_));
    ++to_.blocks;
    const std::int64_t samples = to_.scan->trajectory(frame).samples();
    for (std::int64_t j = first; j < first + count; ++j) {
      ++to_.times[std::size_t(frame)][std::size_t(j)];
      for (int c = 0; c < to_.scan->coils; ++c)
        to_.samples[std::size_t(frame)][std::size_t(c * samples + j)] = to_.scan->data(frame, slice, c)[j];
    }
  }
  void finish() override { to_.finished = true; }
  void drop() override { to_.dropped = true; }

 private:
  Received& to_;
  bool takes_;
  double delay_;
};

std::function<std::unique_ptr<SampleReceiver>()> copyingTo(Received& received, bool takes = true,
                                                           double delay = 0, double wait = 0) {
  return [&received, takes, delay, wait] {
    std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    return std::make_unique<Copying>(received, takes, delay);
  };
}

}  // namespace

class TestSamplesAhead : public QObject, private ArrayFolder {
  Q_OBJECT

  std::shared_ptr<const Scan> read(SamplesAhead& ahead, const std::string& name,
                                   const std::map<std::string, std::string>& overrides = {}) {
    ReadOptions options;
    options.overrides = overrides;
    const SampleFollowScope followed(&ahead);
    auto scan = readScan(path(name), options, {});
    ahead.finish();
    return scan;
  }
  // Of a scan with all values.
  static void verifyWhole(const Received& received, const Scan& scan) {
    QVERIFY(received.finished && !received.dropped);
    QVERIFY(received.scan.get() == &scan);
    for (int f = 0; f < scan.frames; ++f) {
      QVERIFY(received.samples[std::size_t(f)] == scan.samples[std::size_t(f)]);
      for (const int times : received.times[std::size_t(f)]) QCOMPARE(times, 1);
    }
  }

 private slots:
  void init() { renew(); }

  void acquisitionsArriveWhole_data() {
    QTest::addColumn<double>("delay");
    QTest::addColumn<double>("wait");
    QTest::newRow("at once") << 0.0 << 0.0;
    QTest::newRow("slowly") << 0.03 << 0.0;
    QTest::newRow("to a backend that starts late") << 0.0 << 0.4;
  }
  void acquisitionsArriveWhole() {
    QFETCH(const double, delay);
    QFETCH(const double, wait);
    writeScan(*largeScan(), path("scan.h5"), {});
    Received received;
    std::shared_ptr<const Scan> scan;
    {
      SamplesAhead ahead(copyingTo(received, true, delay, wait));
      scan = read(ahead, "scan.h5");
      QTRY_VERIFY_WITH_TIMEOUT(received.ended, patience);
    }
    verifyWhole(received, *scan);
    QCOMPARE(received.blocks, 4);
  }

  // Whichever axis is the fastest; of runs over shots nothing is told, and nothing goes.
  void arraysArriveWhole_data() {
    QTest::addColumn<QString>("order");
    QTest::addColumn<bool>("told");
    QTest::newRow("samples") << "csn" << true;
    QTest::newRow("coils") << "snc" << true;
    QTest::newRow("shots") << "ncs" << false;
  }
  void arraysArriveWhole() {
    QFETCH(const QString, order);
    QFETCH(const bool, told);
    const auto scan = largeScan();
    const std::int64_t shots = 300, samples = 500;
    const auto sizeOf = [&](char axis) { return axis == 'c' ? 5 : axis == 's' ? shots : samples; };
    std::vector<std::int64_t> shape;
    std::vector<std::string> names;
    for (const char axis : order.toStdString()) {
      shape.push_back(sizeOf(axis));
      names.push_back(axis == 'c' ? "coil" : axis == 's' ? "shot" : "sample");
    }
    std::vector<cfloat> values;
    std::array<std::int64_t, 3> n{};
    for (n[0] = 0; n[0] < shape[0]; ++n[0])
      for (n[1] = 0; n[1] < shape[1]; ++n[1])
        for (n[2] = 0; n[2] < shape[2]; ++n[2]) {
          const auto at = [&](char axis) { return n[std::size_t(order.indexOf(axis))]; };
          values.push_back(scan->data(0, 0, int(at('c')))[at('s') * samples + at('n')]);
        }
    writeNpy("ksp.npy", shape, values);
    write("traj.npy", npyHeader("<f8", {shots, samples, 2}) + bytesOf(scan->trajectory(0).points));
    const nlohmann::json j = {
        {"spokelab-scan", 1},
        {"samples", {{"file", "ksp.npy"}, {"axes", names}}},
        {"trajectory",
         {{"file", "traj.npy"}, {"axes", {"shot", "sample", "column"}}, {"unit", "cycles/FOV"}}},
        {"matrix", {64, 64}}};
    write("scan.json", j.dump());
    Received received;
    std::shared_ptr<const Scan> back;
    {
      SamplesAhead ahead(copyingTo(received));
      back = read(ahead, "scan.json");
      QTRY_VERIFY_WITH_TIMEOUT(received.ended, patience);
    }
    QVERIFY(back->samples[0] == scan->samples[0]);
    if (told) return verifyWhole(received, *back);
    QCOMPARE(received.blocks, 0);
    QVERIFY(received.finished);
  }

  // The offset is taken out of samples that have gone already: the receiver knows when readScan() returns.
  void changedSamplesAreTakenBack() {
    writeScan(*largeScan(), path("scan.h5"), {});
    for (const double delay : {0.0, 0.05}) {
      Received received;
      SamplesAhead ahead(copyingTo(received, true, delay));
      const auto scan = read(ahead, "scan.h5", {{"fov-shift", "10,-5"}});
      QVERIFY(received.dropped);
      QTRY_VERIFY_WITH_TIMEOUT(received.ended, patience);
      QVERIFY(!received.finished);
    }
  }

  // A receiver that takes nothing, none at all, and one that is still busy when the file's reader gives up.
  void othersAreNotKeptWaiting() {
    writeScan(*largeScan(), path("scan.h5"), {});
    Received refusing;
    {
      SamplesAhead ahead(copyingTo(refusing, false)),
          none([]() -> std::unique_ptr<SampleReceiver> { return nullptr; });
      QVERIFY(read(ahead, "scan.h5"));
      QVERIFY(read(none, "scan.h5", {{"fov-shift", "10,-5"}}));
      SamplesAhead unused(copyingTo(refusing));
    }
    QCOMPARE(refusing.blocks, 0);
    Received slow;
    std::chrono::steady_clock::time_point begun;
    {
      SamplesAhead ahead(copyingTo(slow, true, 0.3));
      const auto scan = largeScan();
      ahead.begin(scan);
      for (int f = 0; f < 2; ++f) ahead.arrived(f, 0, 0, scan->trajectory(f).samples(), scan->coils);
      QTRY_VERIFY_WITH_TIMEOUT(slow.opened, patience);
      begun = std::chrono::steady_clock::now();
    }
    QVERIFY(slow.dropped && slow.blocks <= 2);
    QVERIFY(std::chrono::steady_clock::now() - begun < std::chrono::seconds(instrumented ? 60 : 2));
  }

  void aSecondFileIsNotFollowed() {
    writeScan(*largeScan(), path("scan.h5"), {});
    Received received;
    std::shared_ptr<const Scan> first;
    {
      SamplesAhead ahead(copyingTo(received));
      const SampleFollowScope followed(&ahead);
      first = readScan(path("scan.h5"), {}, {});
      QVERIFY(readScan(path("scan.h5"), {}, {}));
      ahead.finish();
      QTRY_VERIFY_WITH_TIMEOUT(received.ended, patience);
    }
    verifyWhole(received, *first);
  }

  // Of a scan that is cut into windows the rest is not kept.
  void theScanGoesWithItsReader() {
    writeScan(*largeScan(), path("scan.h5"), {});
    Received refusing, received;
    SamplesAhead ahead(copyingTo(refusing, false)), taking(copyingTo(received));
    std::weak_ptr<const Scan> refused = read(ahead, "scan.h5"), taken = read(taking, "scan.h5");
    QTRY_VERIFY_WITH_TIMEOUT(refusing.ended && received.ended, patience);
    refusing.scan.reset();
    received.scan.reset();
    QVERIFY(refused.expired() && taken.expired());
  }

  void theyHaveATrackOfATrace() {
    writeScan(*largeScan(), path("scan.h5"), {});
    TraceRecorder recorder;
    Received received;
    {
      const SpanScope traced(&recorder);
      SamplesAhead ahead(copyingTo(received));
      QVERIFY(read(ahead, "scan.h5"));
      QTRY_VERIFY_WITH_TIMEOUT(received.ended, patience);
    }
    int sent = 0;
    const Trace trace = recorder.take();
    for (const TraceSpan& span : trace.spans) sent += span.name == "samples sent" && span.track == sendTrack;
    QCOMPARE(sent, 4);
    QCOMPARE(trace.names.at(sendTrack), std::string("samples, while they are read"));
  }
};

SPOKELAB_TEST(TestSamplesAhead)

}  // namespace test_samples_ahead

#include "test_samples_ahead.moc"
