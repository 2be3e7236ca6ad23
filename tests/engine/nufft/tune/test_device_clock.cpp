// Plans on a device are timed by its clock: a call's time on the host beside its transfers does not
// count.
#include <QtTest>

#include <chrono>
#include <functional>
#include <thread>

#include "engine/nufft/tune/timing.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_device_clock {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double deviceSeconds = 2e-5, hostSeconds = 2e-3, sortSeconds = 3e-5;

struct Calls {
  int host = 0, repeated = 0, single = 0, points = 0;
  std::function<void()> onPoints;
};

// Calls with the host's arrays take much longer than the device works.
class PlanOnDevice : public Nufft<float> {
 public:
  PlanOnDevice(std::unique_ptr<Nufft<float>> plan, Calls& calls)
      : plan_(std::move(plan)), info_(plan_->info()), calls_(calls) {
    info_.onDevice = true;
  }
  const NufftProblem& problem() const override { return plan_->problem(); }
  const PlanInfo& info() const override { return info_; }
  std::int64_t points() const override { return plan_->points(); }
  void setPoints(const PlanPoints& points) override {
    ++calls_.points;
    if (calls_.onPoints) calls_.onPoints();
    {
      const SpanScope unbooked(SpanCut::stages);
      plan_->setPoints(points);
    }
    StageTimings timings;
    timings[Stage::transfer] = hostSeconds;
    timings[Stage::sort] = sortSeconds;
    tellStages(timings);
  }
  void forward(const Complex*, Complex*, const Execution&) override { wait(); }
  void adjoint(const Complex*, Complex*, const Execution&) override { wait(); }
  void setWeights(std::span<const double>) override {}
  void normal(const Complex*, Complex*, const Execution&) override { wait(); }
  DeviceRuns deviceRuns(Direction, int runs, bool repeated) override {
    ++(repeated ? calls_.repeated : calls_.single);
    DeviceRuns result;
    result.stages[Stage::fft] = 3e-5;
    result.stages[Stage::spread] = 1e-5;
    result.seconds.assign(std::size_t(runs), deviceSeconds);
    return result;
  }

 private:
  void wait() {
    ++calls_.host;
    std::this_thread::sleep_for(std::chrono::duration<double>(hostSeconds));
    StageTimings timings;
    timings[Stage::transfer] = 1e-3;
    tellStages(timings);
  }
  std::unique_ptr<Nufft<float>> plan_;
  PlanInfo info_;
  Calls& calls_;
};

class Device : public CountingCpuBackend {
 public:
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    return wrapped(p, o, [&](auto plan) { return std::make_unique<PlanOnDevice>(std::move(plan), calls); });
  }
  Calls calls;
};

// predicted: what takes over twice as long is taken for code that is loaded; as a rule nothing but
// the plan.
Candidate timed(Device& device, bool onDevice, double executions, const CostParts& predicted = {.points = 1},
                double pointSets = 1, std::int64_t* hostBytes = nullptr) {
  TuneFixture f;
  f.request.workload.direction = Direction::adjoint;
  f.request.workload.onDevice = onDevice;
  f.request.workload.executions = executions;
  f.request.workload.pointSets = pointSets;
  Candidate c;
  c.options = f.request.options;
  c.predictedParts = predicted;
  TimingData data(f.request);
  timeCandidate(device, f.request, c, data, {}, {});
  if (hostBytes) *hostBytes = data.bytes();
  return c;
}

}  // namespace

class TestDeviceClock : public QObject {
  Q_OBJECT
 private slots:
  void stagesAreInProportion() {
    Device device;
    const Candidate c = timed(device, true, 20);
    QCOMPARE(c.timings.total, deviceSeconds);
    QVERIFY(qAbs(c.timings[Stage::fft] - 0.75 * deviceSeconds) < 1e-12);
    QVERIFY(qAbs(c.timings[Stage::spread] - 0.25 * deviceSeconds) < 1e-12);
    QVERIFY(c.repeats > 1);
  }
  void nothingMovesWhereDataLieOnTheDevice() {
    Device device;
    const Candidate c = timed(device, true, 20);
    QCOMPARE(device.calls.host, 0);
    QCOMPARE(c.transferSeconds, 0.0);
  }
  // Filling arrays of millions of pixels would take a good part of a search of half a second.
  void dataOfTheHostAreMadeWhereTheyMove() {
    Device device;
    std::int64_t still = -1, moved = -1;
    timed(device, true, 20, {.points = 1}, 1, &still);
    timed(device, false, 20, {.points = 1}, 1, &moved);
    QCOMPARE(still, 0);
    QVERIFY(moved > 0);
  }
  void arraysOfTheHostSayWhatHasToMove() {
    Device device;
    const Candidate c = timed(device, false, 20);
    QCOMPARE(device.calls.host, 1);
    QCOMPARE(c.transferSeconds, 1e-3);
    QCOMPARE(c.timings.total, deviceSeconds);
  }
  // 5 ms: the first plan of a program.
  void codeThatLibrariesLoadIsNoPartOfAPlan_data() {
    QTest::addColumn<int>("milliseconds");
    QTest::addColumn<double>("most");
    QTest::newRow("5 ms") << 5 << 0.005;
    QTest::newRow("60 ms") << 60 << 0.03;
  }
  void codeThatLibrariesLoadIsNoPartOfAPlan() {
    QFETCH(int, milliseconds);
    QFETCH(double, most);
    Device device;
    device.onPlan = [&] {
      if (device.plans == 1) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    };
    const Candidate c = timed(device, true, 20);
    QCOMPARE(device.plans, 2);
    QVERIFY2(c.planSeconds < most, qPrintable(QString::number(c.planSeconds)));
  }
  // A new plan takes memory for its points as the first one did.
  void codeThatTheFirstPointsLoadIsNoPartOfTheNext() {
    Device device;
    device.calls.onPoints = [&] {
      if (device.calls.points == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    };
    const Candidate c = timed(device, true, 20, {.plan = 1});
    QCOMPARE(device.calls.points, 2);
    QCOMPARE(device.plans, 2);
    QVERIFY2(c.setPointsSeconds < 5e-3, qPrintable(QString::number(c.setPointsSeconds)));
  }
  // Copies of the host's points take sixty times as long here.
  void pointsThatLieOnTheDeviceAreSetByItsClock() {
    Device onDevice, fromHost, once;
    const CostParts predicted{.points = 1};
    QCOMPARE(timed(onDevice, true, 1, predicted, Workload::unlimited).setPointsSeconds, sortSeconds);
    QCOMPARE(onDevice.calls.points, 2);
    const auto slowly = [] { std::this_thread::sleep_for(std::chrono::duration<double>(hostSeconds)); };
    fromHost.calls.onPoints = once.calls.onPoints = slowly;
    QVERIFY(timed(fromHost, false, 1, predicted, Workload::unlimited).setPointsSeconds >= hostSeconds);
    QVERIFY(timed(once, true, 1, predicted).setPointsSeconds >= hostSeconds);
  }
  void whatHasToMoveIsTimedOnce() {
    Device device;
    TuneFixture f;
    f.backends = {&device};
    f.request.workload.direction = Direction::adjoint;
    f.request.workload.onDevice = false;
    const TuneResult r = f.run();
    int timedPlans = 0;
    for (const Candidate& c : r.candidates) timedPlans += c.timed() ? 1 : 0;
    QVERIFY(timedPlans > 1);
    QCOMPARE(device.calls.host, 1);
    QCOMPARE(r.candidates[std::size_t(r.best)].transferSeconds, 1e-3);
  }
  void onlyIterationsOnTheDeviceRepeatACall() {
    Device iterations, once, fromHost;
    timed(iterations, true, 20);
    QVERIFY(iterations.calls.repeated > 0 && iterations.calls.single == 0);
    timed(once, true, 1);
    QVERIFY(once.calls.repeated == 0 && once.calls.single > 0);
    timed(fromHost, false, 20);
    QVERIFY(fromHost.calls.repeated == 0 && fromHost.calls.single > 0);
  }
};

SPOKELAB_TEST(TestDeviceClock)

}  // namespace test_device_clock

#include "test_device_clock.moc"
