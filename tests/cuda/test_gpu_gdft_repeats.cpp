// GdftProblem::reproducible in single precision: forward and adjoint of every kernel give the same
// bits in every run, and the sums that the kernels give without it.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <numbers>

#include "engine/recon/field/gdft/gdft.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_gdft_repeats {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr int runs = 4;
constexpr double duration = 0.02;  // s, of a readout
constexpr double roundingOfParts = 1e-6;

struct Case {
  const char* name;
  GdftMethod method = GdftMethod::tiled;
  double turns = 1;  // of the largest field over the readout: selects the form
  bool given = false;
  double gradient = 0;  // cycles a voxel at the readout's end: a sinc
  bool decay = false;
  std::int64_t shots = 60;
  int dims = 2;
};
const Case cases[] = {{"one thread an output", GdftMethod::reference},
                      {"narrow", GdftMethod::tiled, 0.3},
                      {"tens of turns", GdftMethod::tiled, 30},
                      {"hundreds of turns", GdftMethod::tiled, 300},
                      {"thousands of turns", GdftMethod::tiled, 5000},
                      {"sinc below 1", GdftMethod::tiled, 5, false, 0.3},
                      {"sinc below 2", GdftMethod::tiled, 5, false, 1.2},
                      {"any sinc", GdftMethod::tiled, 5, false, 3},
                      {"volume", GdftMethod::tiled, 5, false, 0, false, 60, 3},
                      {"volume, sinc", GdftMethod::tiled, 5, false, 0.3, false, 60, 3},
                      {"decay", GdftMethod::tiled, 5, false, 0, true},
                      {"given coordinates", GdftMethod::tiled, 5, true},
                      {"given coordinates, sinc", GdftMethod::tiled, 5, true, 0.3},
                      {"shared times, few shots", GdftMethod::sharedTimes, 5, false, 0, false, 6},
                      {"shared times, many shots", GdftMethod::sharedTimes, 5, false, 0, false, 600}};

// So many samples and pixels that several parts of them meet.
GdftProblem problemOf(const Case& c) {
  constexpr std::int64_t samples = 60'000;
  GdftProblem p;
  p.dims = c.dims;
  p.matrix = c.dims == 3 ? Index3{40, 36, 5} : Index3{70, 90, 1};
  p.method = c.method;
  p.shots = c.shots;
  p.intravoxel = c.gradient > 0;
  p.points = makePoints(c.dims, samples, PointPattern::random, 3);
  for (std::size_t i = 0; i < p.points.size(); ++i) p.points[i] *= double(p.matrix[i % std::size_t(c.dims)]);
  const std::int64_t length = samples / c.shots, pixels = product(p.matrix);
  for (std::int64_t j = 0; j < samples; ++j)
    p.times.push_back(duration * double(j % length) / double(length));
  for (std::int64_t i = 0; i < pixels; ++i)
    p.field.push_back(2 * std::numbers::pi * c.turns / duration * std::sin(0.01 * double(i)));
  if (c.given)
    for (std::int64_t i = 0; i < c.dims * pixels; ++i)
      p.coordinates.push_back(0.5 * std::sin(0.7 * double(i)));
  if (p.intravoxel) p.gradient.assign(std::size_t(c.dims * pixels), c.gradient / duration);
  if (c.decay) p.decay.assign(std::size_t(pixels), 1 / duration);
  return p;
}

struct Results {
  std::vector<cfloat> forward, adjoint;
};

// Results of a new transform.
Results resultsOf(const GdftProblem& problem) {
  const auto image = converted<float>(randomValues(problem.pixels(), 1)),
             samples = converted<float>(randomValues(problem.samples(), 2));
  Results r{std::vector<cfloat>(samples.size()), std::vector<cfloat>(image.size())};
  const auto transform = backend()->gdft<float>(problem);
  transform->forward(image.data(), r.forward.data(), 1);
  transform->adjoint(samples.data(), r.adjoint.data(), 1);
  return r;
}

bool same(const std::vector<cfloat>& a, const std::vector<cfloat>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(cfloat)) == 0;
}

}  // namespace

class TestGpuGdftRepeats : public QObject {
  Q_OBJECT
 private slots:
  void everyKernelRepeatsBitByBit_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < int(std::size(cases)); ++i) QTest::addRow("%s", cases[i].name) << i;
  }
  void everyKernelRepeatsBitByBit() {
    NEEDS_GPU();
    QFETCH(int, which);
    GdftProblem problem = problemOf(cases[which]);
    const Results free = resultsOf(problem);
    problem.reproducible = true;
    const Results first = resultsOf(problem);
    const double forward = relativeDistance<float>(first.forward, free.forward),
                 adjoint = relativeDistance<float>(first.adjoint, free.adjoint);
    QVERIFY2(forward < roundingOfParts && adjoint < roundingOfParts,
             qPrintable(QString("%1 %2").arg(forward).arg(adjoint)));
    for (int run = 1; run < runs; ++run) {
      const Results again = resultsOf(problem);
      QVERIFY(same(first.forward, again.forward));
      QVERIFY(same(first.adjoint, again.adjoint));
    }
  }

  // So many samples and pixels that their parts take several launches.
  void partsBeyondTheRowsRepeat() {
    NEEDS_GPU();
    GdftProblem problem;
    problem.matrix = {1024, 1024, 1};
    problem.method = GdftMethod::tiled;
    problem.points = makePoints(2, 700'000, PointPattern::random, 4);
    for (double& k : problem.points) k *= 1024;
    const auto image = converted<float>(randomValues(problem.pixels(), 1));
    const auto samples = [&](bool reproducible) {
      problem.reproducible = reproducible;
      std::vector<cfloat> out(std::size_t(problem.samples()));
      backend()->gdft<float>(problem)->forward(image.data(), out.data(), 1);
      return out;
    };
    const auto first = samples(true);
    QVERIFY(same(first, samples(true)));
    QVERIFY(relativeDistance<float>(first, samples(false)) < roundingOfParts);
  }
};

SPOKELAB_TEST(TestGpuGdftRepeats)

}  // namespace test_gpu_gdft_repeats

#include "test_gpu_gdft_repeats.moc"
