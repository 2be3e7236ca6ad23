// Samples appear where the projection says, know their shot, and a million of them draw quickly.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <QComboBox>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "engine/recon/prepare/sample_load.h"
#include "tests/patience.h"
#include "tests/test_main.h"
#include "widgets/trajectory/trajectory_view.h"

namespace test_trajectory_view {

using namespace spokelab;

namespace {

// Spokes of different lengths through the centre.
std::shared_ptr<Trajectory> spokes(int dims, int shots, int samples, double radius, bool ragged = false) {
  auto t = std::make_shared<Trajectory>();
  t->dims = dims;
  constexpr double goldenAngle = 2.399963;
  for (int s = 0; s < shots; ++s) {
    const double angle = goldenAngle * s, z = dims == 3 ? 1 - 2 * (s + 0.5) / shots : 0;
    const double flat = std::sqrt(1 - z * z);
    const int length = ragged ? samples - s % 3 : samples;
    for (int i = 0; i < length; ++i) {
      const double k = radius * (2.0 * i / (samples - 1) - 1);
      t->points.push_back(k * flat * std::cos(angle));
      t->points.push_back(k * flat * std::sin(angle));
      if (dims == 3) t->points.push_back(k * z);
    }
    t->shotOffsets.push_back(t->shotOffsets.back() + length);
  }
  return t;
}

void move(QWidget& w, QEvent::Type type, const QPointF& at, Qt::MouseButton button, Qt::MouseButtons held) {
  QMouseEvent event(type, at, w.mapToGlobal(at), button, held, Qt::NoModifier);
  QCoreApplication::sendEvent(&w, &event);
}

double distance(const QPointF& a, const QPointF& b) {
  return std::hypot(a.x() - b.x(), a.y() - b.y());
}

// A trajectory of one sample, so that it can be found in the picture.
std::shared_ptr<Trajectory> single(std::vector<double> k) {
  auto t = std::make_shared<Trajectory>();
  t->dims = int(k.size());
  t->points = std::move(k);
  t->shotOffsets = {0, 1};
  return t;
}

}  // namespace

class TestTrajectoryView : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void flatViewsHaveKxRightAndKyUp() {
    TrajectoryView view;
    view.resize(400, 400);
    view.setTrajectory(single({20, 30}), {64, 64, 1});
    const QPointF centre = view.project({0, 0, 0}), right = view.project({10, 0, 0}),
                  up = view.project({0, 10, 0});
    QVERIFY(right.x() > centre.x() + 20 && std::abs(right.y() - centre.y()) < 1e-9);
    QVERIFY(up.y() < centre.y() - 20 && std::abs(up.x() - centre.x()) < 1e-9);
    QCOMPARE(right.x() - centre.x(), centre.y() - up.y());  // one scale
    view.grab();
    QCOMPARE(view.sampleAt(view.project({20, 30, 0})).value_or(-1), 0);
    QVERIFY(!view.sampleAt(view.project({-20, 30, 0})));
    QVERIFY(!view.sampleAt(view.project({20, -30, 0})));
  }

  void axisNamesHideNoSampleAndNotEachOther() {
    TrajectoryView view;
    view.resize(300, 210);  // as in its dock
    const auto cloud = spokes(3, 400, 64, 32);
    view.setTrajectory(cloud, {64, 64, 64});
    const auto& box = *view.findChild<QComboBox*>(QStringLiteral("trajectoryColourBox"));
    for (int azimuth = 0; azimuth < 360; azimuth += 25) {
      for (const double elevation : {-90.0, -40.0, -10.0, 0.0, 20.0, 55.0, 90.0}) {
        view.resetView();
        view.turn(azimuth, elevation - 22);
        const auto labels = view.axisLabels();
        for (std::size_t a = 0; a < 3; ++a) {
          const QRectF area = labels[a].area;
          bool clear = QRectF(view.rect()).contains(area) && !area.intersects(box.geometry());
          for (std::size_t b = 0; b < a; ++b) clear = clear && !area.intersects(labels[b].area);
          for (std::int64_t i = 0; clear && i < cloud->samples(); ++i)
            clear = !area.contains(view.project(kspacePoint(*cloud, i)));
          QVERIFY2(clear, qPrintable(QStringLiteral("%1 at azimuth %2, elevation %3")
                                         .arg(labels[a].text)
                                         .arg(azimuth)
                                         .arg(elevation)));
        }
      }
    }
  }

  void theMatrixEdgeLiesInsideTheView() {
    for (int dims : {2, 3}) {
      TrajectoryView view;
      view.resize(360, 300);
      view.setTrajectory(spokes(dims, 10, 32, 16), {32, 32, 32});
      for (double x : {-16, 16})
        for (double y : {-16, 16})
          QVERIFY(QRectF(view.rect()).contains(view.project({x, y, dims == 3 ? 16.0 : 0})));
    }
  }

  void solidViewsTurnAboutKz() {
    TrajectoryView view;
    view.resize(400, 400);
    view.setTrajectory(single({0, 0, 12}), {32, 32, 32});
    const QPointF before = view.project({0, 0, 12});
    QVERIFY(before.y() < view.project({0, 0, 0}).y());  // kz up
    view.turn(77, 0);
    QVERIFY(distance(view.project({0, 0, 12}), before) < 1e-9);
    view.turn(0, 500);  // from above, held there
    view.turn(-30 - 77, 0);
    const QPointF centre = view.project({0, 0, 0});
    QVERIFY(distance(view.project({0, 0, 12}), centre) < 1e-6);
    QVERIFY(view.project({10, 0, 0}).x() > centre.x());
    QVERIFY(view.project({0, 10, 0}).y() < centre.y());
  }

  void viewAxesAreARightHandedFrame() {
    for (double azimuth : {-120.0, 0.0, 33.0})
      for (double elevation : {-90.0, -20.0, 0.0, 60.0, 90.0}) {
        const auto [r, u, v] = viewAxes(azimuth, elevation);
        const auto dot = [](const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
        for (const Vec3& a : {r, u, v}) QVERIFY(std::abs(dot(a, a) - 1) < 1e-12);
        const Vec3 cross{r[1] * u[2] - r[2] * u[1], r[2] * u[0] - r[0] * u[2], r[0] * u[1] - r[1] * u[0]};
        QVERIFY(dot(cross, v) > 1 - 1e-12);
      }
  }

  void everySampleIsFoundUnderItsProjection() {
    TrajectoryView view;
    view.resize(500, 500);
    auto t = spokes(2, 3, 20, 16, true);
    view.setTrajectory(t, {32, 32, 1});
    for (std::int64_t i = 0; i < t->samples(); ++i) {
      const Vec3 k = kspacePoint(*t, i);
      if (std::hypot(k[0], k[1]) < 3) continue;  // spokes meet at the centre
      QCOMPARE(view.sampleAt(view.project(k)).value_or(-1), i);
    }
  }

  void hoverTellsShotAndSample() {
    TrajectoryView view;
    view.resize(500, 500);
    auto t = spokes(2, 5, 33, 16, true);
    t->times.assign(std::size_t(t->samples()), 0.004);
    t->weights.assign(std::size_t(t->samples()), 0.5);
    view.setTrajectory(t, {32, 32, 1});
    QSignalSpy hovered(&view, &TrajectoryView::sampleHovered);
    const std::int64_t sample = t->shotOffsets[3] + 4;
    move(view, QEvent::MouseMove, view.project(kspacePoint(*t, sample)), Qt::NoButton, Qt::NoButton);
    QCOMPARE(hovered.count(), 1);
    QCOMPARE(hovered.last().at(0).toLongLong(), 3);
    QCOMPARE(hovered.last().at(1).toLongLong(), 4);
    const QString text = view.describe(sample);
    QVERIFY2(text.contains("shot 3 / 4") && text.contains("sample 4 / 32") && text.contains("4 ms"),
             qPrintable(text));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&view, &leave);
    QCOMPARE(hovered.last().at(0).toLongLong(), -1);
  }

  void nearerSamplesHideFartherOnes() {
    auto t = std::make_shared<Trajectory>();
    t->dims = 3;
    t->points = {0, -10, 0, 0, 10, 0};  // seen from -ky, the first is nearer
    t->shotOffsets = {0, 1, 2};
    TrajectoryDrawing drawing;
    drawing.size = {50, 50};
    drawing.range = colourRange(*t, TrajectoryColour::shot);
    drawing.projection.axes = viewAxes(0, 0);
    drawing.projection.centre = {25.5, 25.5};
    drawing.depthRadius = 10;
    const TrajectoryPicture front = drawTrajectory(*t, drawing);
    QCOMPARE(front.sample[25 * 50 + 25], 0);
    drawing.projection.axes = viewAxes(180, 0);
    QCOMPARE(drawTrajectory(*t, drawing).sample[25 * 50 + 25], 1);
  }

  void coloursFollowShotTimeAndWeight() {
    auto t = spokes(2, 4, 16, 8);
    QCOMPARE(colourRange(*t, TrajectoryColour::shot).high, 3.0);
    // without times: the sample in its shot
    QCOMPARE(colourRange(*t, TrajectoryColour::time).high, 15.0);
    for (std::int64_t i = 0; i < t->samples(); ++i) {
      t->times.push_back(1e-3 * double(i % 16));
      t->weights.push_back(i % 16 == 8 ? 0 : std::pow(10, double(i % 5)));
    }
    QVERIFY(std::abs(colourRange(*t, TrajectoryColour::time).high - 0.015) < 1e-12);
    const ColourRange weights = colourRange(*t, TrajectoryColour::weight);
    QVERIFY(weights.logarithmic);
    QVERIFY(std::abs(weights.fraction(100) - 0.5) < 1e-9);
    QCOMPARE(weights.fraction(0), 0.0);

    TrajectoryView view;
    view.resize(300, 300);
    view.setTrajectory(t, {16, 16, 1});
    const QImage byShot = view.grab().toImage();
    QSignalSpy changed(&view, &TrajectoryView::colourByChanged);
    view.setColourBy(TrajectoryColour::weight);
    QCOMPARE(changed.count(), 1);
    QVERIFY(view.grab().toImage() != byShot);
    t = spokes(2, 4, 16, 8);
    view.setTrajectory(t, {16, 16, 1});  // has no weights
    QCOMPARE(view.colourBy(), TrajectoryColour::shot);
    view.setColourBy(TrajectoryColour::weight);
    QCOMPARE(view.colourBy(), TrajectoryColour::shot);
  }

  void densityAndLoadAreCountedAndSaid() {
    const auto t = spokes(2, 24, 32, 16);
    TrajectoryView view;
    view.resize(360, 320);
    view.show();
    view.setTrajectory(t, {32, 32, 1});
    auto* box = view.findChild<QComboBox*>(QStringLiteral("trajectoryColourBox"));
    view.setColourBy(TrajectoryColour::load);  // no plan: nothing to count in
    QCOMPARE(view.colourBy(), TrajectoryColour::shot);
    const QImage byShot = view.grab().toImage();
    QSignalSpy counted(&view, &TrajectoryView::loadCounted);
    box->setFocus();
    for (int i = 0; i < 3; ++i) QTest::keyClick(box, Qt::Key_Down);
    Q_EMIT box->activated(box->currentIndex());
    QCOMPARE(view.colourBy(), TrajectoryColour::density);
    QVERIFY(counted.wait(5000));
    QVERIFY(view.grab().toImage() != byShot);
    const SampleLoad cells = sampleLoad(*t, {32, 32, 1}, {32, 32, 1}, {1, 1, 1}, {});
    QVERIFY(view.loadText().contains(QStringLiteral("most %1").arg(cells.most)));
    QVERIFY(view.loadText().contains(QString::number(100 * cells.holes, 'f', 1)));
    QVERIFY(view.describe(5).contains(QStringLiteral("%1 samples in its cell").arg(cells.of[5])));
    view.setTiles({48, 48, 1}, {16, 16, 1});
    view.setColourBy(TrajectoryColour::load);
    QVERIFY(counted.wait(5000));
    const SampleLoad tiles = sampleLoad(*t, {32, 32, 1}, {48, 48, 1}, {16, 16, 1}, {});
    QVERIFY(view.describe(5).contains(QStringLiteral("%1 samples in its tile").arg(tiles.of[5])));
    view.setColourBy(TrajectoryColour::shot);
    QVERIFY(view.loadText().isEmpty());
    QVERIFY(!view.describe(5).contains(QStringLiteral("samples in its")));
  }

  void dragWheelAndDoubleClick() {
    TrajectoryView view;
    view.resize(400, 400);
    view.setTrajectory(spokes(3, 50, 16, 8), {16, 16, 16});
    const QPointF first = view.project({8, 0, 0}), centre = view.project({0, 0, 0});
    move(view, QEvent::MouseButtonPress, {100, 100}, Qt::LeftButton, Qt::LeftButton);
    move(view, QEvent::MouseMove, {160, 120}, Qt::NoButton, Qt::LeftButton);
    move(view, QEvent::MouseButtonRelease, {160, 120}, Qt::LeftButton, Qt::NoButton);
    QVERIFY(distance(view.project({8, 0, 0}), first) > 10);
    QVERIFY(distance(view.project({0, 0, 0}), centre) < 1e-9);
    move(view, QEvent::MouseButtonPress, {100, 100}, Qt::RightButton, Qt::RightButton);
    move(view, QEvent::MouseMove, {120, 90}, Qt::NoButton, Qt::RightButton);
    move(view, QEvent::MouseButtonRelease, {120, 90}, Qt::RightButton, Qt::NoButton);
    QVERIFY(distance(view.project({0, 0, 0}), centre + QPointF(20, -10)) < 1e-9);
    const QPointF anchor = view.project({3, -2, 1});
    QWheelEvent wheel(anchor, view.mapToGlobal(anchor), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &wheel);
    QVERIFY(distance(view.project({3, -2, 1}), anchor) < 1e-6);
    move(view, QEvent::MouseButtonDblClick, {100, 100}, Qt::LeftButton, Qt::LeftButton);
    QVERIFY(distance(view.project({8, 0, 0}), first) < 1e-9);
  }

  void keysTurnMoveZoomAndFit() {
    for (const bool solid : {true, false}) {
      TrajectoryView view;
      view.resize(400, 400);
      view.setTrajectory(spokes(solid ? 3 : 2, 20, 16, 8), {16, 16, solid ? 16 : 1});
      const QPointF first = view.project({8, 0, 0}), centre = view.project({0, 0, 0});
      QTest::keyClick(&view, Qt::Key_Right);  // flat ones have no side to turn to
      QVERIFY(distance(view.project({8, 0, 0}), first) > 1);
      QCOMPARE(distance(view.project({0, 0, 0}), centre) < 1e-9, solid);
      QTest::keyClick(&view, Qt::Key_0);
      QVERIFY(distance(view.project({8, 0, 0}), first) < 1e-9);
      QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
      QVERIFY(view.project({0, 0, 0}).y() > centre.y() + 20);
      QTest::keyClick(&view, Qt::Key_Home);
      QTest::keyClick(&view, Qt::Key_Plus);
      QVERIFY(distance(view.project({8, 0, 0}), view.project({0, 0, 0})) > 1.1 * distance(first, centre));
      QTest::keyClick(&view, Qt::Key_Minus);
      QVERIFY(distance(view.project({8, 0, 0}), first) < 1e-6);
    }
  }

  void aMillionPointsDrawQuickly() {
    TrajectoryView view;
    view.resize(400, 400);
    view.setTrajectory(spokes(3, 10000, 100, 50), {100, 100, 100});
    QImage screen(view.size(), QImage::Format_RGB32);
    double first = 1e9;
    for (int i = 0; i < 5; ++i) {
      QElapsedTimer timer;
      timer.start();
      view.turn(3, 1);
      view.render(&screen);
      first = std::min(first, double(timer.nsecsElapsed()) / 1e6);
    }
    // Some of them at once, the others follow in pieces.
    QVERIFY(!view.isComplete());
    const QImage some = screen;
    QTRY_VERIFY_WITH_TIMEOUT(view.isComplete(), patience);
    view.render(&screen);
    QVERIFY(screen != some);
    move(view, QEvent::MouseButtonPress, {100, 100}, Qt::LeftButton, Qt::LeftButton);
    double moving = 1e9;
    for (int i = 0; i < 5; ++i) {
      QElapsedTimer timer;
      timer.start();
      move(view, QEvent::MouseMove, {110.0 + i, 100}, Qt::NoButton, Qt::LeftButton);
      view.render(&screen);
      moving = std::min(moving, double(timer.nsecsElapsed()) / 1e6);
    }
    qInfo("at first %.1f ms, while moving %.1f ms", first, moving);
#if !defined(__SANITIZE_ADDRESS__)
    QVERIFY2(std::max(first, moving) < 50, qPrintable(QStringLiteral("%1, %2").arg(first).arg(moving)));
#endif
  }

  void piecesMakeTheSamePicture() {
    const auto t = spokes(3, 300, 40, 20);
    TrajectoryDrawing drawing;
    drawing.size = {120, 120};
    drawing.projection.axes = viewAxes(20, 30);
    drawing.projection.scale = 2.5;
    drawing.projection.centre = {60, 60};
    drawing.range = colourRange(*t, TrajectoryColour::shot);
    drawing.depthRadius = 20;
    const TrajectoryPicture whole = drawTrajectory(*t, drawing);
    TrajectoryPicture pieces;
    for (std::int64_t from = 0; from < t->samples(); from += 777)  // not where shots begin
      drawSamples(*t, drawing, from, std::min(from + 777, t->samples()), pieces);
    QVERIFY(whole.image == pieces.image);
    QVERIFY(whole.sample == pieces.sample);
    QVERIFY(whole.image != QImage(whole.image.size(), whole.image.format()));
  }

  void oddTrajectoriesDoNoHarm() {
    TrajectoryView view;
    view.resize(300, 300);
    QVERIFY(!view.grab().isNull());
    view.setTrajectory(std::make_shared<Trajectory>(), {8, 8, 1});
    QVERIFY(!view.trajectory());
    auto t = spokes(3, 3, 8, 4);
    t->points[4] = std::numeric_limits<double>::quiet_NaN();
    t->points[7] = std::numeric_limits<double>::infinity();
    t->points[9] = 1e300;
    t->shotOffsets.push_back(t->samples());  // an empty shot
    t->weights.assign(std::size_t(t->samples()), std::numeric_limits<double>::quiet_NaN());
    view.setTrajectory(t, {8, 8, 8});
    for (auto colour : {TrajectoryColour::shot, TrajectoryColour::time, TrajectoryColour::weight}) {
      view.setColourBy(colour);
      QVERIFY(!view.grab().isNull());
    }
    auto shortened = spokes(2, 3, 8, 4);
    shortened->points.resize(5);  // fewer points than shots say
    view.setTrajectory(shortened, {8, 8, 1});
    QVERIFY(!view.trajectory());
    auto line = std::make_shared<Trajectory>();
    line->dims = 1;
    line->points = {-2, -1, 0, 1};
    line->shotOffsets = {0, 4};
    view.setTrajectory(line, {4, 1, 1});
    QVERIFY(!view.grab().isNull());
    view.setScan(nullptr);
    QVERIFY(!view.trajectory());
  }

  void aScanGivesItsTrajectoryByFrame() {
    auto scan = std::make_shared<Scan>();
    scan->geometry.matrix = {8, 8, 1};
    scan->trajectories = {*spokes(2, 3, 8, 4), *spokes(2, 5, 8, 4)};
    TrajectoryView view;
    view.setScan(scan, 1);
    QCOMPARE(view.trajectory()->shots(), 5);
    view.setScan(scan, 0);
    QCOMPARE(view.trajectory()->shots(), 3);
    QVERIFY(!view.objectName().isEmpty() && !view.accessibleName().isEmpty());
  }

  void aSecondClickTakesTheFirstOneBack() {
    TrajectoryView view;
    view.resize(300, 300);
    const auto t = spokes(2, 9, 32, 16);
    view.setTrajectory(t, {32, 32, 1});
    view.show();
    QSignalSpy picked(&view, &TrajectoryView::shotsPicked);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, view.project(kspacePoint(*t, 63)).toPoint());
    QVERIFY(picked.isEmpty() || picked.back().front().toString().isEmpty());
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.project(kspacePoint(*t, 63)).toPoint());
    QCOMPARE(picked.back().front().toString(), QStringLiteral("1"));
  }
};

SPOKELAB_GUI_TEST(TestTrajectoryView)

}  // namespace test_trajectory_view

#include "test_trajectory_view.moc"
