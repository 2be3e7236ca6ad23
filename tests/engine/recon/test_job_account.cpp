// The account of a job: every stage that runs has its time, and together they are the job.
#include <QtTest>

#include <algorithm>
#include <numeric>

#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_job_account {

using namespace spokelab;

namespace {

using S = JobStage;

std::shared_ptr<const Scan> noisyScan() {
  SimulateOptions o;
  o.trajectory.matrix = {128, 128, 1};
  o.trajectory.samplesPerShot = 256;
  o.coils = 8;
  o.noise = 0.1;
  o.noiseCorrelation = 0.3;
  return simulate(o, {});
}

}  // namespace

class TestJobAccount : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
  std::shared_ptr<const Scan> scan_ = noisyScan();

  Reconstruction run(const ReconOptions& options) {
    return reconstruct({cpu_.get()}, *scan_, options, nullptr, {});
  }

  void check(const ReconOptions& options, const std::vector<S>& there, const std::vector<S>& absent) {
    // Others may take the processor between two stages: the best of some runs counts.
    double unaccounted = 1;
    for (int attempt = 0; attempt < 4; ++attempt) {
      const Reconstruction result = run(options);
      const JobAccount& account = result.account;
      QCOMPARE(account.total, result.seconds);
      QVERIFY(account.accounted() <= account.total * (1 + 1e-9));
      for (const S s : there) QVERIFY2(account[s] > 0, jobStageNames[std::size_t(s)].data());
      for (const S s : absent) QVERIFY2(account[s] == 0, jobStageNames[std::size_t(s)].data());
      unaccounted = std::min(unaccounted, account.unaccounted() / account.total);
    }
    QVERIFY2(unaccounted < 0.03, QByteArray::number(unaccounted));
  }

 private slots:
  void stagesOfGriddingAddUpToTheJob() {
    ReconOptions options;
    options.virtualCoils = 5;
    options.combination = Combination::adaptive;
    check(options,
          {S::whiten, S::compress, S::density, S::tune, S::plan, S::points, S::transforms, S::combine},
          {S::read, S::maps, S::iterations, S::write});
  }

  void stagesOfSenseAddUpToTheJob() {
    ReconOptions options;
    options.iterative.method = ReconMethod::sense;
    options.virtualCoils = 6;
    check(options,
          {S::whiten, S::compress, S::density, S::maps, S::tune, S::plan, S::transforms, S::iterations,
           S::combine},
          {S::read, S::points, S::write});
  }

  void aPlanThatIsGivenIsNotTuned() {
    ReconOptions options;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    const Reconstruction result = run(options);
    QCOMPARE(result.account[S::tune], 0.0);
    QCOMPARE(result.account[S::compress], 0.0);
    QVERIFY(result.account[S::transforms] >= 0.9 * result.timings[Stage::spread]);
  }

  void textNamesWhatTookTime() {
    JobAccount account;
    account[S::maps] = 0.25;
    account[S::write] = 0.5;
    account.total = 1;
    const std::string text = accountText(account);
    QCOMPARE(text, std::string("maps 250 ms, write 500 ms, unaccounted 250 ms (25.00%)"));
    QCOMPARE(account.accounted(), 0.75);
    JobAccount twice = account;
    twice += account;
    QCOMPARE(twice.total, 2.0);
    QCOMPARE(twice.unaccounted(), 0.5);
  }
};

SPOKELAB_TEST(TestJobAccount)

}  // namespace test_job_account

#include "test_job_account.moc"
