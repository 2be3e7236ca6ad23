// Phases of second order (concomitant fields) in the GPU's exact sums: each kernel agrees with the
// sum term by term, both directions are adjoint, and the search of transforms offers the GPU.
#include <QtTest>
#include <cmath>

#include "engine/core/error.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_second_order {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr double floatAccuracy = 1e-5, doubleAccuracy = 1e-12;
constexpr std::int64_t samples = 700;

struct Case {
  const char* name;
  GdftMethod method;
  std::int64_t forms = 4;
  bool given = false, intravoxel = false, decay = false, field = true;
  Index3 matrix{29, 10, 1};  // few pixels: the direct adjoint takes their square
  double turns = 3;          // the largest of a form
};
const Case cases[] = {{"automatic", GdftMethod::automatic},
                      {"one form, no field", GdftMethod::automatic, 1, false, false, false, false},
                      {"many turns", GdftMethod::tiled, 3, false, false, false, true, {29, 10, 1}, 200},
                      {"volume", GdftMethod::tiled, 4, false, false, false, true, {13, 6, 4}},
                      {"sinc", GdftMethod::tiled, 4, false, true},
                      {"decay", GdftMethod::tiled, 2, false, false, true},
                      {"given coordinates", GdftMethod::tiled, 4, true},
                      {"given coordinates, sinc and decay", GdftMethod::tiled, 4, true, true, true},
                      {"reference", GdftMethod::reference, 4, false, true, true}};

std::vector<double> uniform(std::int64_t count, double largest, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> between(-largest, largest);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& v : values) v = between(random);
  return values;
}

GdftProblem problemOf(const Case& c) {
  GdftProblem p;
  p.dims = c.matrix[2] > 1 ? 3 : 2;
  p.matrix = c.matrix;
  p.method = c.method;
  p.intravoxel = c.intravoxel;
  p.shots = 10;
  p.points = uniform(samples * p.dims, double(c.matrix[1]) / 2, 1);
  const std::int64_t pixels = product(c.matrix);
  if (c.given) p.coordinates = uniform(pixels * p.dims, 0.5, 2);
  if (c.field || c.decay || c.intravoxel)
    for (std::int64_t j = 0; j < samples; ++j) p.times.push_back(2e-4 * double(j % (samples / p.shots)));
  if (c.field) p.field = uniform(pixels, 900, 3);
  if (c.intravoxel) p.gradient = uniform(pixels * p.dims, 5, 4);
  if (c.decay)
    for (const double r : uniform(pixels, 30, 5)) p.decay.push_back(std::abs(r));
  p.forms.count = c.forms;
  // Turns per square metre of places within 0.1 m, as scanners have them.
  p.forms.turns = uniform(c.forms * samples, c.turns / 0.01, 6);
  p.forms.places = uniform(c.forms * pixels, 0.01, 7);
  return p;
}

template <class Real>
double distance(const std::vector<std::complex<Real>>& found, const std::vector<cdouble>& exact) {
  double error = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) error += std::norm(cdouble(found[i]) - exact[i]);
  return std::sqrt(error) / norm(exact);
}

// Conjugated rows of gdftDirect, one pixel at a time.
std::vector<cdouble> adjointDirect(const GdftProblem& p, const std::vector<cdouble>& data) {
  std::vector<cdouble> image(std::size_t(p.pixels())), one(image.size());
  for (std::size_t i = 0; i < image.size(); ++i) {
    one[i] = 1;
    const std::vector<cdouble> column = gdftDirect(p, one);
    for (std::size_t j = 0; j < data.size(); ++j) image[i] += std::conj(column[j]) * data[j];
    one[i] = 0;
  }
  return image;
}

template <class Real>
void compare(const GdftProblem& problem, double accuracy) {
  const auto transform = backend()->gdft<Real>(problem);
  const std::vector<cdouble> image = randomValues(problem.pixels(), 8), data = randomValues(samples, 9);
  std::vector<std::complex<Real>> found(data.size()), back(image.size());
  transform->forward(converted<Real>(image).data(), found.data(), 1);
  transform->adjoint(converted<Real>(data).data(), back.data(), 1);
  const double forward = distance(found, gdftDirect(problem, image)),
               adjoint = distance(back, adjointDirect(problem, data));
  QVERIFY2(forward < accuracy && adjoint < accuracy, qPrintable(QString("%1 %2").arg(forward).arg(adjoint)));
  GdftProblem without = problem;
  without.forms = {};
  QVERIFY2(distance(found, gdftDirect(without, image)) > 0.5, "the phases make a clear difference");
}

}  // namespace

class TestGpuSecondOrder : public QObject {
  Q_OBJECT
 private slots:
  void sumsAgreeWithTheDirectOne_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < int(std::size(cases)); ++i) QTest::addRow("%s", cases[i].name) << i;
  }
  void sumsAgreeWithTheDirectOne() {
    NEEDS_GPU();
    QFETCH(int, which);
    const GdftProblem problem = problemOf(cases[which]);
    // The reference kernel does not reduce its phases, of some 600 rad here.
    constexpr double unreduced = 1e-4;
    compare<float>(problem, cases[which].method == GdftMethod::reference ? unreduced : floatAccuracy);
    compare<double>(problem, doubleAccuracy);
  }

  void shotsThatShareTheirTimesDoNotShareThesePhases() {
    NEEDS_GPU();
    GdftProblem problem = problemOf(cases[0]);
    problem.method = GdftMethod::sharedTimes;
    QVERIFY_THROWS_EXCEPTION(Error, backend()->gdft<float>(problem));
  }
};

SPOKELAB_TEST(TestGpuSecondOrder)

}  // namespace test_gpu_second_order

#include "test_gpu_second_order.moc"
