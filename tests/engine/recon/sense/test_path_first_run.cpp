// A GPU loads the code of a path when it first runs: that is no part of the path's time.
#include <QtTest>

#include <thread>

#include "engine/recon/sense/paths/path_timing.h"
#include "tests/engine/recon/forwarding_backend.h"
#include "tests/engine/recon/sense/field_case.h"
#include "tests/test_main.h"

namespace test_path_first_run {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double loadingSeconds = 0.03;

// Exact sums whose normal operator takes no time, but for the first of all.
class LoadedSums final : public SampleTransform<float> {
 public:
  LoadedSums(std::unique_ptr<SampleTransform<float>> sums, int& runs) : sums_(std::move(sums)), runs_(runs) {}
  std::int64_t pixels() const override { return sums_->pixels(); }
  std::int64_t samples() const override { return sums_->samples(); }
  std::string description() const override { return sums_->description(); }
  void forward(const cfloat* images, cfloat* samples, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    sums_->forward(images, samples, count, execution, progress);
  }
  void adjoint(const cfloat* samples, cfloat* images, std::int64_t count, const Execution& execution,
               const Progress& progress) override {
    sums_->adjoint(samples, images, count, execution, progress);
  }
  void setWeights(std::span<const double> weights) override { sums_->setWeights(weights); }
  void normal(const cfloat* in, cfloat* out, std::int64_t count, const Execution&, const Progress&) override {
    if (runs_++ == 0) std::this_thread::sleep_for(std::chrono::duration<double>(loadingSeconds));
    std::copy_n(in, count * pixels(), out);
  }

 private:
  std::unique_ptr<SampleTransform<float>> sums_;
  int& runs_;
};

// The CPU's NUFFTs, and such sums.
class LoadingBackend final : public ForwardingBackend<TransformBackend> {
 public:
  AnyGdft makeGdft(Precision precision, const GdftProblem& problem, int threads) override {
    if (precision == Precision::double64) return makeCpuGdft<double>(problem, threads);
    return std::make_unique<LoadedSums>(makeCpuGdft<float>(problem, threads), runs);
  }

  int runs = 0;
};

}  // namespace

class TestPathFirstRun : public QObject {
  Q_OBJECT

 private slots:
  void aSlowFirstRunAloneDoesNotEndACandidate() {
    std::mt19937 random(4);
    FieldCase c = fieldCase(random, 15, 1e-3);
    LoadingBackend backend;
    const PathSearchRequest& asked = c.ask();
    const PathRequest request = makePathRequest(asked.problem, firstExact(asked.problem), asked.nufft, {});
    Candidate sums;
    sums.backend = backend.name();
    sums.path.transform = TransformKind::gdft;
    sums.options = asked.nufft.options;
    TimingPolicy policy;
    policy.abandonAbove = loadingSeconds / 3;
    backend.timePath(request, sums, policy, {});
    QVERIFY2(sums.refused.empty(), sums.refused.c_str());
    QVERIFY(sums.repeats >= 3);
    QVERIFY2(sums.timings.total < policy.abandonAbove, QByteArray::number(sums.timings.total));
  }

  void theSearchTakesThePathThatIsFastOnceItsCodeIsThere() {
    std::mt19937 random(4);
    FieldCase c = fieldCase(random, 15, 1e-3);
    c.request.nufft.mustTime = true;
    LoadingBackend backend;
    TransformBackend* one = &backend;
    const TuneResult result = searchPaths(std::span<TransformBackend* const>(&one, 1), c.ask(), nullptr, {});
    QVERIFY(result.best >= 0);
    QVERIFY2(result.candidates[std::size_t(result.best)].path.transform == TransformKind::gdft,
             result.reason.c_str());
  }
};

SPOKELAB_TEST(TestPathFirstRun)

}  // namespace test_path_first_run

#include "test_path_first_run.moc"
