// Several sets of points in one call through the C interface.
#include <QtTest>
#include <cmath>
#include <limits>
#include <string>

#include "app/api/spokelab.h"
#include "engine/nufft/exact/nudft.h"
#include "tests/test_main.h"

namespace test_c_point_sets {

using namespace spokelab;

class CPointSetsTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { QCOMPARE(spokelab_context_create(nullptr, &context_), SPOKELAB_OK); }
  void cleanupTestCase() { spokelab_context_destroy(context_); }

  void everySetIsItsExactSum() {
    const int64_t size[] = {20, 17}, offsets[] = {0, 30, 30, 95, 300}, sets = 4, pixels = 20 * 17;
    std::vector<double> points;
    for (int i = 0; i < 600; ++i) points.push_back(std::remainder(0.7548776662 * i + 0.1, 1.0));
    spokelab_plan* plan = nullptr;
    QCOMPARE(spokelab_plan_create_sets(context_, 2, size, -1, SPOKELAB_DOUBLE, 1, sets, nullptr, &plan),
             SPOKELAB_OK);
    QCOMPARE(spokelab_plan_set_points(plan, 300, points.data()), SPOKELAB_FAILED);
    QCOMPARE(spokelab_plan_set_point_sets(plan, nullptr, points.data()), SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_plan_set_point_sets(plan, offsets, points.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_plan_points(plan), int64_t(300));
    std::vector<cdouble> images(std::size_t(sets * pixels)), samples(300), back(images.size());
    for (std::size_t i = 0; i < images.size(); ++i)
      images[i] = {std::sin(double(i)), std::cos(3.0 * double(i))};
    QCOMPARE(spokelab_plan_forward(plan, images.data(), samples.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_plan_adjoint(plan, samples.data(), back.data()), SPOKELAB_OK);
    NufftProblem problem;
    problem.size = {20, 17, 1};
    for (std::size_t s = 0; s < 4; ++s) {
      const auto first = std::size_t(offsets[s]), count = std::size_t(offsets[s + 1]) - first;
      const auto own = std::span(points).subspan(2 * first, 2 * count);
      const std::vector<cdouble> image(images.begin() + std::ptrdiff_t(s) * pixels,
                                       images.begin() + std::ptrdiff_t(s + 1) * pixels),
          data(samples.begin() + std::ptrdiff_t(first), samples.begin() + std::ptrdiff_t(first + count));
      const auto forward = nudftForward(problem, own, image);
      for (std::size_t j = 0; j < count; ++j)
        QVERIFY(std::abs(forward[j] - data[j]) < 1e-2 * std::sqrt(2.0 * pixels));
      const auto adjoint = nudftAdjoint(problem, own, data);
      for (std::size_t n = 0; n < std::size_t(pixels); ++n)
        QVERIFY(std::abs(adjoint[n] - back[s * std::size_t(pixels) + n]) <=
                1e-2 * (1 + std::sqrt(2.0 * double(count) * pixels)));
    }
    points[2 * 90] = std::numeric_limits<double>::infinity();
    QCOMPARE(spokelab_plan_set_point_sets(plan, offsets, points.data()), SPOKELAB_FAILED);
    QVERIFY(std::string(spokelab_error_text()).find("point 60 of set 2") != std::string::npos);
    std::vector<cdouble> again(300);
    QCOMPARE(spokelab_plan_forward(plan, images.data(), again.data()), SPOKELAB_OK);
    QCOMPARE(again, samples);
    spokelab_plan_destroy(plan);
    QCOMPARE(spokelab_plan_create_sets(context_, 2, size, -1, SPOKELAB_DOUBLE, 1, 0, nullptr, &plan),
             SPOKELAB_BAD_ARGUMENT);
  }

 private:
  spokelab_context* context_ = nullptr;
};

SPOKELAB_TEST(CPointSetsTest)

}  // namespace test_c_point_sets

#include "test_c_point_sets.moc"
