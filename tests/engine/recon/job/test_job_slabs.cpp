// Volumes that are reconstructed in slabs: the image of the undivided job to the accuracy, within
// the memory that a user allows, and only where it has to be.
#include <QtTest>

#include "engine/core/error.h"
#include "engine/recon/explore/forward_image.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_job_slabs {

using namespace spokelab;

namespace {

constexpr double accuracy = 1e-3;
constexpr double overEstimate = 1.2;  // room that is kept for a slab's plan

std::shared_ptr<const Scan> volumeScan() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::radial3d;
  o.trajectory.matrix = {24, 24, 26};
  o.coils = 3;
  return simulate(o, {});
}

std::shared_ptr<const Scan> sliceScan() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::radial2d;
  o.trajectory.matrix = {24, 24, 1};
  return simulate(o, {});
}

ReconOptions with(std::initializer_list<std::pair<const char*, const char*>> settings) {
  ReconOptions options;
  options.effort = TuneEffort::estimate;
  options.nufft.threads = 2;  // each takes memory: the limits below are of two
  for (const auto& [name, value] : settings) setOption(options, name, value);
  return options;
}

}  // namespace

class JobSlabsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
  std::shared_ptr<const Scan> volume_ = volumeScan();

  Reconstruction run(const ReconOptions& options) const {
    return reconstruct({cpu_.get()}, *volume_, options, nullptr, {});
  }
  JobMachine roomFor(double bytes) const {
    JobMachine machine;
    machine.places = {{.backend = cpu_.get()}};
    machine.roomForVolume = bytes;
    return machine;
  }
  static bool tellsOfSlabs(const Reconstruction& result) {
    return std::any_of(result.notes.begin(), result.notes.end(),
                       [](const std::string& note) { return note.starts_with("transformed in "); });
  }

 private slots:
  void slabsGiveTheImageOfTheWholeVolume_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("precision");
    QTest::addColumn<QString>("combine");
    for (const char* precision : {"single", "double"}) {
      for (const char* combine : {"rss", "adaptive", "none"})
        QTest::addRow("gridding %s %s", precision, combine) << "gridding" << precision << combine;
      QTest::addRow("sense %s", precision) << "sense" << precision << "rss";
    }
  }

  void slabsGiveTheImageOfTheWholeVolume() {
    QFETCH(const QString, method);
    QFETCH(const QString, precision);
    QFETCH(const QString, combine);
    ReconOptions options = with({{"alpha", "1.5"}, {"iterations", "4"}});
    setOption(options, "method", method.toStdString());
    setOption(options, "precision", precision.toStdString());
    setOption(options, "combine", combine.toStdString());
    options.nufft.accuracy = accuracy;
    const Reconstruction whole = run(options);
    options.slabs = 4;  // of 7 planes, the last of 5
    const Reconstruction slabs = run(options);
    QVERIFY2(slabs.plan.description.find("4 slabs of 7 planes") != std::string::npos,
             slabs.plan.description.c_str());
    QVERIFY(slabs.plan.grid[2] < whole.plan.grid[2]);
    constexpr double twoPlans = 3 * accuracy;
    const double difference = precision == "double"
                                  ? test::relativeDifference(slabs.image->doubleData, whole.image->doubleData)
                                  : test::relativeDifference(slabs.image->data, whole.image->data);
    QVERIFY2(difference > 0 && difference < twoPlans, std::to_string(difference).c_str());
  }

  void reproducibleImagesRepeatWithAnyThreads() {
    ReconOptions options = with({{"reproducible", "true"}, {"slabs", "3"}, {"threads", "1"}});
    const Reconstruction one = run(options);
    options.nufft.threads = 3;
    QVERIFY(run(options).image->data == one.image->data);
  }

  void memoryLimitDecidesOnTheFewestSlabs() {
    for (const char* method : {"gridding", "sense"}) {
      ReconOptions options =
          with({{"method", method}, {"alpha", "2"}, {"iterations", "3"}, {"coil-calibration", "8"}});
      const Reconstruction whole = run(options);
      QVERIFY(!tellsOfSlabs(whole));
      NufftProblem problem;
      problem.dims = 3;
      problem.size = volume_->geometry.matrix;
      NufftOptions plan = options.nufft;
      plan.normal = method == std::string("sense") ? NormalMethod::gridded : NormalMethod::later;
      const auto needed = [&](std::int64_t planes) {
        problem.size[2] = planes;
        return cpu_->estimateMemory(problem, plan, volume_->trajectory(0).samples());
      };
      const std::int64_t third = (26 + 2) / 3;
      options.nufft.memoryLimit = std::int64_t(overEstimate * double(needed(third))) + 1;
      QVERIFY(double(options.nufft.memoryLimit) < overEstimate * double(needed(13)));
      const Reconstruction divided = run(options);
      QCOMPARE(std::count(divided.notes.begin(), divided.notes.end(),
                          "transformed in 3 slabs of 9 planes, each with all samples: the whole volume does "
                          "not fit into memory"),
               1);
      QCOMPARE(divided.options.slabs, 0);  // as asked
      QVERIFY(test::relativeDifference(divided.image->data, whole.image->data) < 3 * accuracy);
      options.slabs = 1;
      QVERIFY_EXCEPTION_THROWN(run(options), Error);
      options.slabs = 0;
      options.nufft.memoryLimit = needed(26);
      const Reconstruction limited = run(options);
      QVERIFY(!tellsOfSlabs(limited));
      QVERIFY(divided.plan.memory < limited.plan.memory);
    }
  }

  void whatSlabsCannotHelpIsRefusedByThePlan() {
    ReconOptions options = with({{"alpha", "2"}});
    options.nufft.memoryLimit = 1000;
    QVERIFY_EXCEPTION_THROWN(run(options), Error);
    QVERIFY_EXCEPTION_THROWN(planJob(*volume_, options, roomFor(1e12)), Error);
  }

  void roomOnTheHostDecidesWithoutALimit() {
    const ReconOptions options = with({{"alpha", "2"}});
    const double beside = hostBytes(planJob(*volume_, options));
    const JobPlan whole = planJob(*volume_, options, roomFor(beside + 1e9));
    QCOMPARE(whole.options.slabs, 0);
    QVERIFY(whole.notes.empty());
    NufftProblem problem;
    problem.dims = 3;
    problem.size = {24, 24, 13};
    const auto half = double(cpu_->estimateMemory(problem, options.nufft, volume_->trajectory(0).samples()));
    const JobPlan divided = planJob(*volume_, options, roomFor(beside + overEstimate * half + 1));
    QCOMPARE(divided.options.slabs, 2);
    QCOMPARE(divided.notes.size(), std::size_t(1));
  }

  void jobsThatHaveNoSlabsSayWhy() {
    QVERIFY(planJob(*volume_, {}).whyNotInSlabs.empty());
    QVERIFY(planJob(*volume_, with({{"method", "sense"}})).whyNotInSlabs.empty());
    QVERIFY(!planJob(*sliceScan(), {}).whyNotInSlabs.empty());
    QVERIFY(!planJob(*volume_, with({{"exact", "true"}})).whyNotInSlabs.empty());
    for (const char* transform : {"toeplitz", "gdft", "segmented"})
      QVERIFY(
          !planJob(*volume_, with({{"method", "sense"}, {"transform", transform}})).whyNotInSlabs.empty());
    QVERIFY(!planJob(*volume_, with({{"method", "sense"}, {"normal", "toeplitz"}})).whyNotInSlabs.empty());
    QVERIFY(!planJob(*volume_, with({{"method", "pcsense"}})).whyNotInSlabs.empty());
    QVERIFY(!planJob(*volume_, with({{"method", "sense"}, {"field-map", "f.npy"}})).whyNotInSlabs.empty());
    const ReconOptions options = with({{"slabs", "2"}, {"alpha", "2"}});
    const Reconstruction slice = reconstruct({cpu_.get()}, *sliceScan(), options, nullptr, {});
    QCOMPARE(std::count(slice.notes.begin(), slice.notes.end(),
                        "not transformed in slabs: the images have two dimensions"),
             1);
    QVERIFY_EXCEPTION_THROWN(run(with({{"slabs", "27"}})), Error);
    QCOMPARE(planJob(*volume_, with({{"slabs", "10"}})).slabs, 9);  // of 3 planes
    QCOMPARE(planJob(*volume_, with({{"slabs", "9"}})).slabs, 9);
    QCOMPARE(planJob(*volume_, {}).slabs, 1);
  }

  // Measured in slabs, samples are those of the whole volume.
  void imagesAreMeasuredInSlabs() {
    ReconOptions options = with({{"alpha", "2"}});
    const auto image = run(options).image;
    const auto measured = [&] {
      const auto scan = forwardImage({cpu_.get()}, *image, *volume_, nullptr, options, nullptr, {}).scan;
      const cfloat* values = std::get<const cfloat*>(scan->values<float>(0, 0, 0));
      return std::vector<cfloat>(values, values + scan->trajectory(0).samples());
    };
    const std::vector<cfloat> whole = measured();
    options.slabs = 3;
    const std::vector<cfloat> slabs = measured();
    const double difference = test::relativeDifference(slabs, whole);
    QVERIFY2(difference > 0 && difference < 3 * accuracy, std::to_string(difference).c_str());
  }
};

SPOKELAB_TEST(JobSlabsTest)

}  // namespace test_job_slabs

#include "test_job_slabs.moc"
