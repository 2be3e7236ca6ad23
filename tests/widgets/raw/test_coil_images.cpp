// The images of coils beside the samples: each coil's point is in its own image and place, a dead
// coil is dark, and a click on an image chooses its coil.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <QSignalSpy>
#include <QTest>

#include "tests/test_main.h"
#include "widgets/raw/coil_images_view.h"
#include "widgets/raw/raw_picture_view.h"
#include "widgets/raw/raw_plot.h"
#include "widgets/raw/raw_view.h"

namespace test_coil_images {

using namespace spokelab;

namespace {

constexpr int size = 32, coils = 5, dead = 3;
constexpr int patience = 60000;  // ms

Index3 pointOfCoil(int coil) {
  return {10 + 3 * coil, 22 - 2 * coil, 0};
}

// Cartesian lines; each coil sees one point, and coil `dead` nothing.
std::shared_ptr<Scan> points() {
  auto scan = std::make_shared<Scan>();
  scan->coils = coils;
  scan->geometry.matrix = {size, size, 1};
  scan->geometry.fov = {200, 200, 5};
  Trajectory t;
  t.dims = 2;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) t.points.insert(t.points.end(), {x - size / 2.0, y - size / 2.0});
    t.shotOffsets.push_back((y + 1) * size);
  }
  scan->samples.resize(1);
  for (int c = 0; c < coils; ++c)
    for (std::size_t j = 0; j < std::size_t(size * size); ++j) {
      const Index3 p = pointOfCoil(c);
      const double turns =
          (t.points[2 * j] * double(p[0] - size / 2) + t.points[2 * j + 1] * double(p[1] - size / 2)) / size;
      scan->samples[0].push_back(c == dead ? cfloat(0)
                                           : cfloat(std::polar(1.0, -2 * std::numbers::pi * turns)));
    }
  scan->trajectories = {std::move(t)};
  return scan;
}

}  // namespace

class TestCoilImages : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachCoilHasItsImage() {
    const CoilImages images = coilImages(*points(), 0, 0, size, Progress());
    QCOMPARE(images.coils, std::int64_t(coils));
    QCOMPARE(images.matrix[0], std::int64_t(size));
    float brightest = 0;
    for (int c = 0; c < coils; ++c) {
      const auto first = images.values.begin() + c * size * size;
      const auto most = std::max_element(first, first + size * size, [](const cfloat& a, const cfloat& b) {
        return std::abs(a) < std::abs(b);
      });
      brightest = std::max(brightest, std::abs(*most));
      const auto at = most - first;
      if (c != dead) QCOMPARE(at, pointOfCoil(c)[1] * size + pointOfCoil(c)[0]);
      if (c == dead) QVERIFY(std::abs(*most) < 1e-6F * brightest);
    }
    constexpr std::int64_t across = 3;
    QCOMPARE(images.coilAt(2 * size + 1, size - 1, across), std::int64_t(2));
    QCOMPARE(images.coilAt(size, size, across), std::int64_t(4));
    QCOMPARE(images.coilAt(2 * size, size, across), std::int64_t(-1));
    const RawPicture mosaic = images.mosaic(across);
    QCOMPARE(mosaic.rows, std::int64_t(2 * size));
    QVERIFY(std::isnan(mosaic.at(2 * size + 3, size + 3).real()));
    QCOMPARE(mosaic.at(size + int(pointOfCoil(4)[0]), size + int(pointOfCoil(4)[1])),
             images.values[std::size_t((4 * size + pointOfCoil(4)[1]) * size + pointOfCoil(4)[0])]);
  }

  void aClickChoosesTheCoil() {
    RawView view;
    view.resize(900, 320);
    view.show();
    view.setScan(points());
    CoilImagesView& shown = *view.plot()->coilImages();
    QSignalSpy drawn(&shown, &CoilImagesView::drawn);
    view.plot()->setShown(RawCurve::coilImages);
    QTRY_VERIFY_WITH_TIMEOUT(drawn.count() > 0, patience);
    QVERIFY2(view.plot()->note().contains(QStringLiteral("the mark is coil 0")),
             qPrintable(view.plot()->note()));
    QTest::mouseClick(shown.picture(), Qt::LeftButton, {}, shown.pointOf(4).toPoint());
    QCOMPARE(view.place().coil, std::int64_t(4));
    QTRY_VERIFY_WITH_TIMEOUT(view.plot()->note().contains(QStringLiteral("the mark is coil 4")), patience);
    QCOMPARE(drawn.count(), 1);  // the same images
  }

  // Seen before, in a low dock: heads three times as wide as high.
  void imagesKeepTheirShapeInALowView() {
    RawView view;
    view.resize(1600, 220);
    view.show();
    view.setScan(points());
    CoilImagesView& shown = *view.plot()->coilImages();
    QSignalSpy drawn(&shown, &CoilImagesView::drawn);
    view.plot()->setShown(RawCurve::coilImages);
    QTRY_VERIFY_WITH_TIMEOUT(drawn.count() > 0, patience);
    const auto verifySquare = [&] {
      const QPointF step = shown.picture()->pointOf({1, 1}) - shown.picture()->pointOf({0, 0});
      QVERIFY2(std::abs(step.x() - step.y()) < 1e-9, qPrintable(QString::number(step.x() / step.y())));
    };
    verifySquare();
    QCOMPARE(shown.picture()->picture().rows, std::int64_t(size));  // beside each other
    view.resize(900, 700);
    QTRY_VERIFY_WITH_TIMEOUT(shown.picture()->picture().rows > size, patience);
    verifySquare();
    QTest::mouseClick(shown.picture(), Qt::LeftButton, {}, shown.pointOf(4).toPoint());
    QCOMPARE(view.place().coil, std::int64_t(4));
  }

  void aScanWithoutSamplesNearTheCentreSaysWhy() {
    const auto scan = points();
    for (double& k : scan->trajectories.front().points) k += 1000;
    RawView view;
    view.resize(900, 320);
    view.show();
    view.setScan(scan);
    view.plot()->setShown(RawCurve::coilImages);
    QTRY_VERIFY_WITH_TIMEOUT(view.plot()->note().contains(QStringLiteral("near the centre")), patience);
    QVERIFY(view.plot()->coilImages()->picture()->picture().values.empty());
  }
};

SPOKELAB_GUI_TEST(TestCoilImages)

}  // namespace test_coil_images

#include "test_coil_images.moc"
