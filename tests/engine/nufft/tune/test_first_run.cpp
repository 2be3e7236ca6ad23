// A GPU loads a kernel's code when it first runs: that does not count as time of the plans that use
// it.
#include <QtTest>

#include <chrono>
#include <thread>

#include "engine/nufft/tune/cost_model.h"
#include "tests/engine/nufft/forwarding_nufft.h"
#include "tests/engine/nufft/tune/tune_test.h"
#include "tests/test_main.h"

namespace test_first_run {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double usual = 2e-3, fast = 5e-4, loading = 0.01;  // seconds of an adjoint

// Sparse matrices are fast, but for the first one of all.
class TimedAdjoint : public ForwardingNufft {
 public:
  TimedAdjoint(std::unique_ptr<Nufft<float>> plan, bool& loaded)
      : ForwardingNufft(std::move(plan)), loaded_(loaded) {}
  void forward(const Complex*, Complex*, const Execution&) override {}
  void adjoint(const Complex*, Complex*, const Execution&) override {
    double seconds = usual;
    if (plan_->info().options.spread == Method::sparse)
      seconds = std::exchange(loaded_, true) ? fast : loading;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    StageTimings timings;
    timings[Stage::spread] = seconds;
    tellStages(timings);
  }
  void setWeights(std::span<const double>) override {}
  void normal(const Complex*, Complex*, const Execution&) override {}

 private:
  bool& loaded_;
};

class LoadingGpu : public CountingCpuBackend {
 public:
  std::string name() const override { return "cuda"; }
  std::vector<Method> spreadMethods(const NufftProblem& p, const NufftOptions& o) const override {
    return allSpreadMethods(p, o);
  }
  AnyNufft makePlan(const NufftProblem& p, const NufftOptions& o) override {
    return wrapped(p, o, [&](auto plan) { return std::make_unique<TimedAdjoint>(std::move(plan), loaded); });
  }
  bool loaded = false;
};

}  // namespace

class TestFirstRun : public QObject {
  Q_OBJECT

 private slots:
  void whatLoadsItsCodeIsTimedAgain() {
    CostModel::shared().forget();
    TuneFixture f;
    LoadingGpu gpu;
    f.backends = {&gpu};
    f.request.workload.direction = Direction::adjoint;
    f.request.options.kernel = KernelType::kaiserBessel;
    f.request.maxSearchSeconds = 30;  // for a busy machine
    const TuneResult r = f.run();
    CostModel::shared().forget();
    QVERIFY(gpu.loaded && r.best >= 0);
    const Candidate& best = r.candidates[std::size_t(r.best)];
    QCOMPARE(best.options.spread, Method::sparse);
    QVERIFY2(best.timings.total < usual, QByteArray::number(best.timings.total));
  }
};

SPOKELAB_TEST(TestFirstRun)

}  // namespace test_first_run

#include "test_first_run.moc"
