// Transforms and reconstructions in slabs on the GPU: plans of slabs against exact sums, and images
// against undivided ones.
#include <QtTest>

#include "engine/nufft/plan/slab_nufft.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_slabs {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr double accuracy = 1e-3;

double difference(const Buffer<cfloat>& a, const Buffer<cfloat>& b) {
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    apart += std::norm(cdouble(a[i]) - cdouble(b[i]));
    all += std::norm(cdouble(b[i]));
  }
  return std::sqrt(apart / all);
}

}  // namespace

class TestGpuSlabs : public QObject {
  Q_OBJECT
 private slots:
  void slabsEqualExactSums_data() {
    QTest::addColumn<int>("planes");
    QTest::addColumn<int>("slabs");
    for (const int planes : {20, 21})
      for (const int slabs : {2, 3, 4})
        QTest::addRow("%d planes, %d slabs", planes, slabs) << planes << slabs;
  }

  void slabsEqualExactSums() {
    NEEDS_GPU();
    QFETCH(const int, planes);
    QFETCH(const int, slabs);
    NufftProblem whole;
    whole.dims = 3;
    whole.size = {18, 17, planes};
    whole.batch = 2;
    NufftOptions options;
    options.accuracy = accuracy;
    constexpr std::int64_t count = 3000;
    const auto points = makePoints(3, count, gputest::PointPattern::random, 11);
    const auto plan = planInSlabs<float>(*backend(), whole, options, slabs);
    plan->setPoints(points);
    const std::vector<cdouble> image = randomValues(2 * whole.pixels(), 12),
                               samples = randomValues(2 * count, 13);
    const auto in = converted<float>(image), out = converted<float>(samples);
    std::vector<cfloat> forward(out.size()), adjoint(in.size());
    plan->forward(in.data(), forward.data());
    plan->adjoint(out.data(), adjoint.data());
    NufftProblem one = whole;
    one.batch = 1;
    const std::int64_t pixels = whole.pixels();
    for (std::int64_t b = 0; b < 2; ++b) {
      const std::vector<cdouble> f(image.begin() + b * pixels, image.begin() + (b + 1) * pixels),
          c(samples.begin() + b * count, samples.begin() + (b + 1) * count);
      const std::vector<cdouble> exactForward = nudftForward(one, points, f),
                                 exactAdjoint = nudftAdjoint(one, points, c);
      const std::span<const cfloat> ownForward(forward.data() + b * count, count),
          ownAdjoint(adjoint.data() + b * pixels, std::size_t(pixels));
      QVERIFY(contractError<float>(ownForward, exactForward, f) <= accuracy);
      QVERIFY(contractError<float>(ownAdjoint, exactAdjoint, c) <= accuracy);
    }
  }

  void imagesInSlabsAreThoseOfWholeVolumes_data() {
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("virtualCoils");
    for (const char* method : {"gridding", "sense"})
      for (const char* coils : {"auto", "2"})
        QTest::addRow("%s, virtual coils %s", method, coils) << method << coils;
  }

  void imagesInSlabsAreThoseOfWholeVolumes() {
    NEEDS_GPU();
    QFETCH(const QString, method);
    QFETCH(const QString, virtualCoils);
    SimulateOptions simulated;
    simulated.trajectory.pattern = spokelab::Pattern::radial3d;
    simulated.trajectory.matrix = {32, 32, 34};
    simulated.coils = 4;
    const auto scan = simulate(simulated, {});
    ReconOptions options;
    options.backend = "cuda";
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    setOption(options, "method", method.toStdString());
    setOption(options, "compress-coils", virtualCoils.toStdString());
    setOption(options, "iterations", "4");
    setOption(options, "transform", "nufft");
    setOption(options, "normal", "gridded");
    const Reconstruction whole = reconstruct({backend()}, *scan, options, nullptr, {});
    options.slabs = 3;
    const Reconstruction slabs = reconstruct({backend()}, *scan, options, nullptr, {});
    QVERIFY2(slabs.plan.description.find("in 3 slabs of 12 planes") != std::string::npos,
             slabs.plan.description.c_str());
    QCOMPARE(slabs.plan.backend, std::string("cuda"));
    const double apart = difference(slabs.image->data, whole.image->data);
    QVERIFY2(apart > 0 && apart < 3 * accuracy, std::to_string(apart).c_str());
  }

  // A limit under which the whole grid does not fit.
  void memoryLimitDividesTheVolume() {
    NEEDS_GPU();
    SimulateOptions simulated;
    simulated.trajectory.pattern = spokelab::Pattern::radial3d;
    simulated.trajectory.matrix = {64, 64, 64};
    const auto scan = simulate(simulated, {});
    ReconOptions options;
    options.backend = "cuda";
    options.nufft.alpha = 2;
    options.effort = TuneEffort::estimate;
    const Reconstruction whole = reconstruct({backend()}, *scan, options, nullptr, {});
    NufftProblem problem;
    problem.dims = 3;
    problem.size = {64, 64, 22};
    NufftOptions plan = options.nufft;
    plan.normal = NormalMethod::later;
    options.nufft.memoryLimit =
        std::int64_t(1.25 * double(backend()->estimateMemory(problem, plan, scan->trajectory(0).samples())));
    const Reconstruction slabs = reconstruct({backend()}, *scan, options, nullptr, {});
    QVERIFY(std::any_of(slabs.notes.begin(), slabs.notes.end(),
                        [](const std::string& note) { return note.starts_with("transformed in "); }));
    QVERIFY(slabs.plan.memory <= options.nufft.memoryLimit);
    QVERIFY(difference(slabs.image->data, whole.image->data) < 3 * accuracy);
  }
};

SPOKELAB_TEST(TestGpuSlabs)

}  // namespace test_gpu_slabs

#include "test_gpu_slabs.moc"
