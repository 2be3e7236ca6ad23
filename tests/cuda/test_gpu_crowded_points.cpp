// Sums of many terms keep the accuracy contract in single precision: points that coincide, that lie
// in a corner, the middle of a radial scan, 1-D, coils in a batch; equal samples and random ones;
// every spreading method; adjoint and normal operator.
#include <cuda_runtime.h>
#include <QtTest>
#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "tests/cuda/gpu_test.h"
#include "tests/cuda/on_device.h"
#include "tests/test_main.h"

namespace test_gpu_crowded_points {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr double accuracy = 1e-5;
constexpr std::int64_t million = 1000000;
// Pixels that are compared with the exact sums.
constexpr std::int64_t comparedPixels = 48;
constexpr const char* inDouble = "crowded points summed in double";

enum class Crowd { onePoint, oneCell, corner, radial, random, halfInOneCell };

struct Case {
  const char* name;
  int dims;
  Index3 size;
  Crowd crowd;
  std::int64_t count;
  bool equal;
  double alpha = 2;
  std::int64_t batch = 1;
};
const Case cases[] = {
    {"equal samples at one point, 1-D", 1, {512, 1, 1}, Crowd::onePoint, million, true},
    {"equal samples at one point, 2-D", 2, {128, 96, 1}, Crowd::onePoint, million, true},
    {"equal samples at one point, 3-D", 3, {32, 31, 30}, Crowd::onePoint, million, true},
    {"a few equal samples at one point", 2, {128, 96, 1}, Crowd::onePoint, 1500, true},
    {"random samples in one cell", 2, {128, 96, 1}, Crowd::oneCell, million, false},
    {"small corner", 2, {64, 64, 1}, Crowd::corner, 3000, false},
    {"small corner, small grid", 2, {64, 64, 1}, Crowd::corner, 3000, false, 1.5},
    {"corner", 2, {64, 64, 1}, Crowd::corner, 100000, false},
    {"corner, small grid", 2, {64, 64, 1}, Crowd::corner, 100000, false, 1.5},
    {"corner in 3-D", 3, {48, 48, 48}, Crowd::corner, 100000, false},
    {"radial, random samples", 3, {32, 32, 32}, Crowd::radial, 50000 * 32, false},
    {"radial, equal samples", 3, {32, 32, 32}, Crowd::radial, 50000 * 32, true},
    {"1-D, everywhere", 1, {500, 1, 1}, Crowd::random, million, false},
    {"half of the points", 2, {128, 96, 1}, Crowd::halfInOneCell, 400000, false},
    {"half of the points, coils", 2, {64, 48, 1}, Crowd::halfInOneCell, 100000, true, 2, 3}};

const Method methods[] = {Method::pointDriven,  Method::pointSorted, Method::subproblem, Method::sector,
                          Method::outputDriven, Method::fixedPoint,  Method::tensor,     Method::sparse,
                          Method::cusparse,     Method::cell};

// [count, dims]
std::vector<double> crowdedPoints(const Case& c) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::normal_distribution<double> normal;
  constexpr double place[] = {0.1, -0.23, 0.37}, cellSize = 1e-4, cornerSize = 1.0 / 64;
  std::vector<double> points;
  points.reserve(std::size_t(c.count * c.dims));
  const std::int64_t shotSamples = c.size[0];
  double direction[3] = {};
  for (std::int64_t j = 0; j < c.count; ++j) {
    if (j % shotSamples == 0) {
      double length = 0;
      for (double& v : direction) {
        v = normal(generator);
        length += v * v;
      }
      for (double& v : direction) v /= std::sqrt(length);
    }
    for (int d = 0; d < c.dims; ++d) switch (c.crowd) {
        case Crowd::onePoint:
          points.push_back(place[d]);
          break;
        case Crowd::oneCell:
          points.push_back(place[d] + cellSize * uniform(generator));
          break;
        case Crowd::corner:
          points.push_back(-0.5 + cornerSize * (0.5 + uniform(generator)));
          break;
        case Crowd::radial:
          points.push_back(direction[d] * (double(j % shotSamples) / double(shotSamples) - 0.5));
          break;
        case Crowd::random:
          points.push_back(uniform(generator));
          break;
        case Crowd::halfInOneCell:
          points.push_back(j % 2 ? place[d] + cellSize * uniform(generator) : uniform(generator));
          break;
      }
  }
  return points;
}

NufftProblem problemOf(const Case& c) {
  NufftProblem problem;
  problem.dims = c.dims;
  problem.size = c.size;
  problem.batch = c.batch;
  problem.precision = Precision::single;
  return problem;
}

NufftOptions optionsOf(const Case& c) {
  NufftOptions options;
  options.accuracy = accuracy;
  options.alpha = c.alpha;
  options.normal = NormalMethod::later;
  return options;
}

std::vector<cdouble> rounded(std::vector<cdouble> values) {
  for (cdouble& v : values) v = cdouble(cfloat(v));
  return values;
}

}  // namespace

class TestGpuCrowdedPoints : public QObject {
  Q_OBJECT
 private slots:
  void everyMethodKeepsContract_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < int(std::size(cases)); ++i) QTest::addRow("%s", cases[i].name) << i;
  }
  void everyMethodKeepsContract() {
    NEEDS_GPU();
    QFETCH(int, which);
    const Case& c = cases[which];
    const NufftProblem problem = problemOf(c);
    NufftProblem single = problem;
    single.batch = 1;
    const auto points = crowdedPoints(c);
    const std::int64_t pixels = problem.pixels();
    std::vector<std::int64_t> compared;
    std::mt19937_64 generator(4);
    for (std::int64_t i = 0; i < comparedPixels; ++i)
      compared.push_back(std::int64_t(generator() % std::uint64_t(pixels)));
    std::vector<cfloat> in;
    std::vector<std::vector<cdouble>> samples, exact;
    for (std::int64_t b = 0; b < c.batch; ++b) {
      samples.push_back(c.equal ? std::vector<cdouble>(std::size_t(c.count), cdouble(0.7f, -0.3f - float(b)))
                                : rounded(randomValues(c.count, unsigned(5 + b))));
      exact.push_back(nudftAdjoint(single, points, samples.back(), compared));
      in.insert(in.end(), samples.back().begin(), samples.back().end());
    }
    for (const Method method : methods) {
      NufftOptions options = optionsOf(c);
      options.spread = method;
      std::unique_ptr<Nufft<float>> plan;
      try {
        plan = backend()->plan<float>(problem, options);
      } catch (const Error&) {
        QVERIFY(method == Method::tensor || (method == Method::cell && problem.dims > 1));
        continue;
      }
      plan->setPoints(points);
      std::vector<cfloat> out(std::size_t(pixels * c.batch));
      plan->adjoint(in.data(), out.data());
      for (std::int64_t b = 0; b < c.batch; ++b) {
        std::vector<cfloat> found;
        for (const std::int64_t i : compared) found.push_back(out[std::size_t(b * pixels + i)]);
        const double error =
            contractError<float>(found, exact[std::size_t(b)], samples[std::size_t(b)]) / accuracy;
        QVERIFY2(error <= 1, qPrintable(QString("%1: %2 of the accuracy asked for (%3)")
                                            .arg(std::string(methodName(method)).c_str())
                                            .arg(error)
                                            .arg(plan->info().description.c_str())));
      }
    }
  }

  // All points at one place k: A^H A f = M e^{2 pi i n.k} sum_m f_m e^{-2 pi i m.k}.
  void normalOperatorKeepsAccuracy_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("normal");
    for (int i = 0; i < 3; ++i)
      for (const NormalMethod m :
           {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted})
        QTest::addRow("%s, %s", cases[i].name, std::string(normalMethodName(m)).c_str()) << i << int(m);
  }
  void normalOperatorKeepsAccuracy() {
    NEEDS_GPU();
    QFETCH(int, which);
    QFETCH(int, normal);
    const Case& c = cases[which];
    const NufftProblem problem = problemOf(c);
    const auto points = crowdedPoints(c);
    for (const double asked : {accuracy, 1e-4}) {
      NufftOptions options = optionsOf(c);
      options.accuracy = asked;
      options.normal = NormalMethod(normal);
      const auto plan = backend()->plan<float>(problem, options);
      plan->setPoints(points);
      const auto image = rounded(randomValues(problem.pixels(), 6));
      const auto in = converted<float>(image);
      std::vector<cfloat> out(in.size());
      plan->normal(in.data(), out.data());
      const std::span<const double> place = std::span(points).first(std::size_t(c.dims));
      auto sample = nudftForward(problem, place, image);
      sample[0] *= double(c.count);
      const auto exact = nudftAdjoint(problem, place, sample);
      double error = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) error += std::norm(cdouble(out[i]) - exact[i]);
      // The image meets the one frequency by chance: what the contract's floor is for.
      const double scale =
          std::max(norm(exact), double(c.count) * std::sqrt(double(exact.size())) * norm(image));
      constexpr double twoTransforms = 2;
      QVERIFY2(std::sqrt(error) <= twoTransforms * asked * scale,
               qPrintable(QString("%1 of %2").arg(std::sqrt(error) / scale).arg(asked)));
    }
  }

  // Only where points crowd is anything summed in double; a plan may get other points at any time.
  void ordinaryPointsAreLeftAlone() {
    NEEDS_GPU();
    const Case& crowded = cases[1];
    NufftOptions options = optionsOf(crowded);
    options.spread = Method::pointSorted;
    const auto plan = backend()->plan<float>(problemOf(crowded), options);
    const auto sums = [&] { return QString(plan->info().description.c_str()).contains(inDouble); };
    plan->setPoints(makePoints(2, 50000, PointPattern::random, 1));
    QVERIFY(!sums());
    plan->setPoints(crowdedPoints(crowded));
    QVERIFY(sums());
    const auto points = makePoints(2, 50000, PointPattern::random, 2);
    plan->setPoints(points);
    QVERIFY(!sums());
    const auto samples = rounded(randomValues(50000, 3));
    const auto in = converted<float>(samples);
    std::vector<cfloat> out(std::size_t(problemOf(crowded).pixels()));
    plan->adjoint(in.data(), out.data());
    QVERIFY(contractError<float>(out, nudftAdjoint(problemOf(crowded), points, samples), samples) <=
            accuracy);
  }

  // A plan that interpolates makes the sums' order when it is first asked to spread, of coordinates
  // that its caller may have overwritten since.
  void planOfInterpolationGathersLater_data() {
    QTest::addColumn<bool>("onDevice");
    QTest::addRow("points of the host") << false;
    QTest::addRow("points of the device") << true;
  }
  void planOfInterpolationGathersLater() {
    NEEDS_GPU();
    QFETCH(bool, onDevice);
    const Case& crowded = cases[1];
    const NufftProblem problem = problemOf(crowded);
    NufftOptions options = optionsOf(crowded);
    options.interpolate = Method::subproblem;
    const auto plan = backend()->plan<float>(problem, options);
    const auto sums = [&] { return QString(plan->info().description.c_str()).contains(inDouble); };
    const auto points = crowdedPoints(crowded);
    for (int turn = 0; turn < 2; ++turn) {
      if (onDevice) {
        OnDevice<double> device(points);
        plan->setPoints(devicePoints({device.get(), points.size()}));
        QCOMPARE(cudaDeviceSynchronize(), cudaSuccess);
        device.write(std::vector<double>(points.size(), std::nan("")));
      } else {
        plan->setPoints(points);
      }
      QVERIFY(!sums());
      const auto image = rounded(randomValues(problem.pixels(), 6));
      std::vector<cfloat> samples(std::size_t(crowded.count));
      plan->forward(converted<float>(image).data(), samples.data());
      const std::span<const double> place = std::span(points).first(std::size_t(crowded.dims));
      const cdouble exact = nudftForward(problem, place, image)[0];
      for (const cfloat& v : samples) QVERIFY(std::abs(cdouble(v) - exact) <= accuracy * norm(image));
      QVERIFY(!sums());
      const std::vector<cdouble> in(std::size_t(crowded.count), cdouble(0.7f, -0.3f));
      const std::vector<std::int64_t> compared{0, 5, 777, problem.pixels() - 1};
      const auto expected = nudftAdjoint(problem, points, in, compared);
      for (int call = 0; call < 3; ++call) {
        std::vector<cfloat> out(std::size_t(problem.pixels())), found;
        plan->adjoint(converted<float>(in).data(), out.data());
        for (const std::int64_t i : compared) found.push_back(out[std::size_t(i)]);
        QCOMPARE_LE(contractError<float>(found, expected, in), accuracy);
        QVERIFY(sums());
      }
    }
  }

  // The memory for crowded points is compared with the limit before it is taken.
  void memoryLimitHolds() {
    NEEDS_GPU();
    const Case& crowded = cases[1];
    NufftOptions options = optionsOf(crowded);
    options.spread = options.interpolate = Method::pointDriven;
    const auto points = crowdedPoints(crowded);
    const auto free = backend()->plan<float>(problemOf(crowded), options);
    free->setPoints(makePoints(2, million, PointPattern::random, 1));
    // Samples in and out, and no more than a little beside.
    constexpr std::int64_t staging = 18 * million;
    options.memoryLimit = free->info().memory + staging;
    const auto plan = backend()->plan<float>(problemOf(crowded), options);
    plan->setPoints(makePoints(2, million, PointPattern::random, 1));
    QVERIFY_EXCEPTION_THROWN(plan->setPoints(points), Error);
  }
};

SPOKELAB_CORE_TEST(TestGpuCrowdedPoints)

}  // namespace test_gpu_crowded_points

#include "test_gpu_crowded_points.moc"
