// The exact sums of Gdft keep the accuracy of single precision over a million equal terms, by every
// kernel: a sum in float, one term after the other, is off by 5e-3 there.
#include <QtTest>

#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_gdft_sums {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr double accuracy = 1e-5;
constexpr std::int64_t million = 1000000;
constexpr std::int64_t comparedPixels = 47;  // about; of all columns

struct Case {
  const char* name;
  GdftMethod method;
  bool given = false, intravoxel = false;
  std::int64_t shots = 1;
  Index3 matrix{12, 8, 1};  // of the adjoint
};
const Case cases[] = {{"reference", GdftMethod::reference},
                      {"tiled", GdftMethod::tiled},
                      {"tiled, sinc", GdftMethod::tiled, false, true},
                      // So many rows that few parts of the samples fill the device.
                      {"tiled, many rows", GdftMethod::tiled, false, false, 1, {8, 12000, 1}},
                      {"given coordinates", GdftMethod::tiled, true},
                      {"given coordinates, sinc", GdftMethod::tiled, true, true},
                      {"a shot a sample", GdftMethod::sharedTimes, false, false, million},
                      {"1000 shots", GdftMethod::sharedTimes, false, false, 1000},
                      {"8 long shots", GdftMethod::sharedTimes, false, false, 8}};

// One sample at every place; times and field turn it by a few radians.
GdftProblem problemOf(const Case& c, Index3 matrix, std::int64_t samples) {
  GdftProblem p;
  p.matrix = matrix;
  p.method = c.method;
  p.intravoxel = c.intravoxel;
  p.shots = samples > 1 ? c.shots : 1;
  for (std::int64_t j = 0; j < samples; ++j) p.points.insert(p.points.end(), {1.3, -0.7});
  p.times.assign(std::size_t(samples), 0.01);
  const std::int64_t pixels = product(matrix);
  for (std::int64_t i = 0; i < pixels; ++i) p.field.push_back(300 * double(i % 7) / 7);
  if (c.given)
    for (std::int64_t i = 0; i < 2 * pixels; ++i) p.coordinates.push_back(0.4 * double(i % 11) / 11);
  if (c.intravoxel) p.gradient.assign(std::size_t(2 * pixels), 3.0);
  return p;
}

double relativeError(const std::vector<cfloat>& found, const std::vector<cdouble>& exact) {
  double error = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) error += std::norm(cdouble(found[i]) - exact[i]);
  return std::sqrt(error) / norm(exact);
}

}  // namespace

class TestGpuGdftSums : public QObject {
  Q_OBJECT
 private slots:
  void adjointKeepsAccuracy_data() { everyCase(); }
  void adjointKeepsAccuracy() {
    NEEDS_GPU();
    QFETCH(int, which);
    const Case& c = cases[which];
    const cdouble value(0.7F, -0.3F);
    const GdftProblem one = problemOf(c, c.matrix, 1);
    std::vector<cdouble> exact;
    std::vector<cdouble> pixel(std::size_t(one.pixels()));
    const std::int64_t apart = std::max<std::int64_t>(one.pixels() / comparedPixels, 1);
    for (std::int64_t i = 0; i < one.pixels(); i += apart) {
      pixel.assign(pixel.size(), 0);
      pixel[std::size_t(i)] = 1;
      exact.push_back(double(million) * value * std::conj(gdftDirect(one, pixel).front()));
    }
    const auto transform = backend()->gdft<float>(problemOf(c, c.matrix, million));
    const std::vector<cfloat> samples = converted<float>(std::vector<cdouble>(std::size_t(million), value));
    std::vector<cfloat> image(pixel.size()), found;
    transform->adjoint(samples.data(), image.data(), 1);
    for (std::size_t i = 0; i < image.size(); i += std::size_t(apart)) found.push_back(image[i]);
    const double error = relativeError(found, exact);
    QVERIFY2(error < accuracy, qPrintable(QString::number(error)));
  }

  // Pixels that all turn together, and few samples.
  void forwardKeepsAccuracy_data() { everyCase(); }
  void forwardKeepsAccuracy() {
    NEEDS_GPU();
    QFETCH(int, which);
    const Case& c = cases[which];
    constexpr std::int64_t samples = 8;
    GdftProblem p = problemOf(c, {1000, 1000, 1}, samples);
    p.shots = c.method == GdftMethod::sharedTimes ? samples : 1;
    p.field.assign(p.field.size(), 300);
    p.points.assign(p.points.size(), 0);
    const std::vector<cdouble> image(std::size_t(million), cdouble(0.7F, -0.3F));
    const std::int64_t first = 0;
    const std::vector<cdouble> exact(std::size_t(samples),
                                     gdftDirect(p, image, std::span(&first, 1)).front());
    std::vector<cfloat> found(exact.size());
    backend()->gdft<float>(p)->forward(converted<float>(image).data(), found.data(), 1);
    const double error = relativeError(found, exact);
    QVERIFY2(error < accuracy, qPrintable(QString::number(error)));
  }

 private:
  static void everyCase() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < int(std::size(cases)); ++i) QTest::addRow("%s", cases[i].name) << i;
  }
};

SPOKELAB_TEST(TestGpuGdftSums)

}  // namespace test_gpu_gdft_sums

#include "test_gpu_gdft_sums.moc"
