// Measuring and comparing in the window: regions and lines by mouse and key, wipe, flicker, the
// difference of magnitudes, a reference from a file, frames played.
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTableWidget>
#include <QToolButton>

#include <qcustomplot.h>

#include <cmath>

#include "app/gui/features/banner.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/plot/curve_plot.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/frame_player.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/measure_view.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_measure {

using namespace spokelab;

namespace {

// The reconstruction with its right half turned by 90 degrees and made brighter, as a file.
QString changedCopy(const Image& image, const QTemporaryDir& folder) {
  Image changed = image;
  for (std::int64_t i = 0; i < image.volume(); ++i)
    if (i % image.size[0] >= image.size[0] / 2) changed.data[std::size_t(i)] *= cfloat(0, 1.5F);
  const QString file = folder.filePath(QStringLiteral("changed.nii.gz"));
  writeImage(changed, file.toStdString(), {}, {});
  return file;
}

void drag(SliceView& view, const Index3& from, const Index3& to) {
  const QPoint a = view.voxelToWidget(from).toPoint(), b = view.voxelToWidget(to).toPoint();
  QTest::mousePress(&view, Qt::LeftButton, {}, a);
  QMouseEvent move(QEvent::MouseMove, b, view.mapToGlobal(b), Qt::NoButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&view, &move);
  QTest::mouseRelease(&view, Qt::LeftButton, {}, b);
}

}  // namespace

class TestMeasure : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBoxDrawnByMouseIsMeasured() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    SliceView& view = *bench.window.views().image->sliceView(Plane::axial);
    MeasureView& measure = *bench.window.features().measure->view();
    QTest::mouseClick(bench.window.findChild<QToolButton*>(QStringLiteral("measureBox")), Qt::LeftButton);
    QVERIFY(bench.window.dock(QStringLiteral("measure"))->isVisible());
    const Index3 cursor = bench.window.views().image->cursorIndex();
    drag(view, {10, 20, 0}, {4, 12, 0});
    QCOMPARE(bench.window.views().image->cursorIndex(), cursor);  // the drag drew, it did not move the cursor
    const auto region = bench.window.views().measurement->region();
    QVERIFY(region);
    QCOMPARE(region->low, (Index3{4, 12, 0}));
    QCOMPARE(region->high, (Index3{10, 20, 0}));
    QTRY_VERIFY_WITH_TIMEOUT(measure.measured().shown, patience);
    QCOMPARE(measure.measured().shown->count, 7 * 9);
    const Image& image = *bench.window.views().image->image();
    double sum = 0;
    for (std::int64_t y = 12; y <= 20; ++y)
      for (std::int64_t x = 4; x <= 10; ++x) sum += std::abs(image.data[std::size_t(y * 32 + x)]);
    QVERIFY(std::abs(measure.measured().shown->magnitudeMean / (sum / 63) - 1) < 1e-5);
    const Vec3 voxel = image.geometry.voxel();
    QVERIFY(std::abs(measure.measured().area - 63 * voxel[0] * voxel[1]) < 1e-6);
    QVERIFY(measure.table()->isVisible());
    QVERIFY(measure.table()->isColumnHidden(1));
    QCOMPARE(measure.table()->item(0, 0)->text(), QStringLiteral("63"));
    // A region of two tissues has no signal-to-noise ratio: the number is named for what it is.
    QStringList names;
    for (int row = 0; row < measure.table()->rowCount(); ++row)
      names << measure.table()->verticalHeaderItem(row)->text();
    QVERIFY2(names.contains(QStringLiteral("Mean / SD")), qPrintable(names.join(QLatin1Char('\n'))));
    QVERIFY(names.filter(QStringLiteral("SNR")).isEmpty());
  }

  void keysMakeChangeAndRemoveRegionAndLine() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    SliceView& view = *bench.window.views().image->sliceView(Plane::axial);
    Measurement& m = *bench.window.views().measurement;
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_O);
    QVERIFY(m.region() && m.region()->ellipse);
    const auto width = [&] { return m.region()->high[0] - m.region()->low[0]; };
    const std::int64_t before = width();
    QTest::keyClick(&view, Qt::Key_BracketRight);
    QCOMPARE(width(), before + 2);
    QTest::keyClick(&view, Qt::Key_BracketLeft);
    QTest::keyClick(&view, Qt::Key_BracketLeft);
    QCOMPARE(width(), before - 2);
    QTest::keyClick(&view, Qt::Key_L);
    QVERIFY(m.line());
    MeasureView& measure = *bench.window.features().measure->view();
    QTRY_VERIFY_WITH_TIMEOUT(!measure.measured().shownLine.empty() && measure.measured().shown, patience);
    // Through the cursor, from edge to edge: the values of that row.
    const Image& image = *bench.window.views().image->image();
    const auto& line = measure.measured().shownLine;
    QCOMPARE(line.size(), std::size_t(63));
    for (std::int64_t x = 0; x < 32; ++x)
      QVERIFY(std::abs(line[std::size_t(2 * x)] - image.data[std::size_t(16 * 32 + x)]) < 1e-6F);
    QCOMPARE(measure.plot()->graphCount(), 1);
    QTest::keyClick(&view, Qt::Key_P);
    QCOMPARE(measure.plot()->yAxis->label(), QStringLiteral("Phase"));
    QTest::keyClick(&view, Qt::Key_L);
    QTest::keyClick(&view, Qt::Key_O);
    QTest::keyClick(&view, Qt::Key_O);
    QVERIFY(!m.region() && !m.line());
    QTRY_VERIFY_WITH_TIMEOUT(!measure.measured().shown, patience);
  }

  void aReferenceFromAFileIsComparedInARegion() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const auto image = bench.window.views().image->image();
    bench.window.features().compare->openReference(changedCopy(*image, folder));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().comparing(), patience);
    QCOMPARE(bench.results().shown(), 1);
    QCOMPARE(bench.results().reference(), 2);
    CompareView& view = *bench.window.views().comparison;
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("detailsReference"))->text().contains("changed.nii.gz"));
    bench.window.views().measurement->setRegion(ImageRegion{{3, 3, 0}, {12, 28, 0}, false, 2});
    MeasureView& measure = *bench.window.features().measure->view();
    QTRY_VERIFY_WITH_TIMEOUT(measure.measured().comparison, patience);
    const RegionComparison expected = compareRegion(*image, *bench.results().find(2)->result->image, 0,
                                                    *bench.window.views().measurement->region());
    QVERIFY(expected.nrmse > 0.05 && expected.ssim < 0.999);
    QCOMPARE(measure.measured().comparison->nrmse, expected.nrmse);
    QCOMPARE(measure.measured().comparison->ssim, expected.ssim);
    QVERIFY(!measure.table()->isColumnHidden(1));
    bench.window.resize(1500, 950);
    bench.window.views().measurement->setLine(MeasuredLine{{0, 16, 0}, {31, 16, 0}, 2});
    bench.window.dock(QStringLiteral("measure"))->raise();
    QTRY_VERIFY_WITH_TIMEOUT(view.difference() && !measure.measured().referenceLine.empty(), patience);
    QTest::qWait(100);
    keepPicture(bench.window, "measure");
    // One of another size is refused, and nothing is lost.
    Image other;
    other.size = {5, 5, 1};
    other.data.assign(25, cfloat(1));
    const QString small = folder.filePath(QStringLiteral("five.npy"));
    writeImage(other, small.toStdString(), {}, {});
    bench.window.features().compare->openReference(small);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().banner->isVisible(), patience);
    QVERIFY(bench.window.views().banner->text().contains(QStringLiteral("5 x 5 x 1")));
    QCOMPARE(bench.results().rowCount(), 2);
  }

  void wipeAndFlickerShowBothInOnePlace() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    // The same image with a patch of doubled brightness: which of the two is seen can be told from a
    // pixel of it. Doubled as a whole it would be drawn like the other one.
    Image bright = *bench.window.views().image->image();
    for (std::int64_t y = 12; y <= 16; ++y)
      for (std::int64_t x = 8; x <= 12; ++x) bright.data[std::size_t(y * 32 + x)] *= 2;
    const QString file = folder.filePath(QStringLiteral("bright.nii.gz"));
    writeImage(bright, file.toStdString(), {}, {});
    bench.window.features().compare->openReference(file);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().comparing(), patience);
    CompareView& view = *bench.window.views().comparison;
    SliceView& place = *view.view(CompareView::shownSide);
    place.setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(view.difference(), patience);
    const auto greyAt = [&](std::int64_t x, std::int64_t y) {
      const QImage picture = place.grab().toImage();
      return qGray(picture.pixel((place.voxelToWidget({x, y, 0}) * picture.devicePixelRatio()).toPoint()));
    };
    // Two places of like brightness, left and right of the middle.
    const Image& image = *bench.window.views().image->image();
    const auto value = [&](std::int64_t x, std::int64_t y) {
      return std::abs(image.data[std::size_t(y * 32 + x)]);
    };
    const DisplayWindow window{value(10, 14) * 1.25, value(10, 14) * 2.5};
    DisplayWindows windows = place.windows();
    const DisplayWindows fitting = windows;
    windows.magnitude = window;
    for (const CompareView::Side side : {CompareView::shownSide, CompareView::referenceSide})
      view.view(side)->setWindows(windows);
    const int own = greyAt(10, 14);
    QTest::keyClick(&place, Qt::Key_W);
    QCOMPARE(view.style(), CompareView::Style::wipe);
    QVERIFY(!view.view(CompareView::referenceSide)->isVisible());
    place.setWipe(0.9);
    const int left = greyAt(10, 14);
    place.setWipe(0.1);
    const int right = greyAt(10, 14);
    QVERIFY2(std::abs(left - own) < 12, qPrintable(QStringLiteral("%1 %2").arg(left).arg(own)));
    QVERIFY2(right > left * 3 / 2, qPrintable(QStringLiteral("%1 %2").arg(left).arg(right)));
    place.setWipe(0.5);
    QTest::keyClick(&place, Qt::Key_Period);
    QVERIFY(std::abs(place.wipe() - 0.55) < 1e-9);
    const QRectF picture = place.pictureRect();
    const QPoint line(int(picture.left() + 0.55 * picture.width()), int(picture.center().y()));
    QTest::mousePress(&place, Qt::LeftButton, {}, line);
    const QPoint to(int(picture.left() + 0.25 * picture.width()), line.y());
    QMouseEvent move(QEvent::MouseMove, to, place.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&place, &move);
    QTest::mouseRelease(&place, Qt::LeftButton, {}, to);
    QVERIFY(std::abs(place.wipe() - 0.25) < 0.01);
    place.setWipe(0.5);
    QTest::qWait(50);  // the layout takes its new shape
    QVERIFY(place.width() > view.width() * 9 / 10);
    place.setWindows(fitting);
    keepPicture(view, "wipe");
    place.setWindows(windows);

    QTest::keyClick(&place, Qt::Key_F);
    QCOMPARE(view.style(), CompareView::Style::flicker);
    QTRY_VERIFY_WITH_TIMEOUT(view.referenceIsUp(), 2000);
    QVERIFY(greyAt(10, 14) > own * 3 / 2);
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("captionShown"))->text().contains("result 2"));
    QTRY_VERIFY_WITH_TIMEOUT(!view.referenceIsUp(), 2000);
    QTest::keyClick(&place, Qt::Key_S);
    QVERIFY(view.view(CompareView::differenceSide)->isVisible());
    QVERIFY(!view.referenceIsUp());
  }

  void theDifferenceOfMagnitudesIsSigned() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    bench.window.features().compare->openReference(changedCopy(*bench.window.views().image->image(), folder));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().comparing(), patience);
    CompareView& view = *bench.window.views().comparison;
    QTRY_VERIFY_WITH_TIMEOUT(view.difference(), patience);
    const auto complex = view.difference();
    QTest::keyClick(view.view(CompareView::shownSide), Qt::Key_G);
    QTRY_VERIFY_WITH_TIMEOUT(view.difference() && view.difference() != complex, patience);
    QCOMPARE(view.view(CompareView::differenceSide)->mode(), DisplayMode::real);
    const Image& a = *bench.results().find(1)->result->image;
    const Image& b = *bench.results().find(2)->result->image;
    double cross = 0, power = 0;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      cross += double(std::abs(a.data[i])) * std::abs(b.data[i]);
      power += double(std::norm(a.data[i]));
    }
    bool above = false, below = false;
    for (std::size_t i = 0; i < a.data.size(); ++i) {
      const double d = cross / power * std::abs(a.data[i]) - std::abs(b.data[i]);
      QVERIFY(std::abs(view.difference()->data[i].real() - d) < 1e-5);
      QCOMPARE(view.difference()->data[i].imag(), 0.0F);
      above = above || d > 1e-3;
      below = below || d < -1e-3;
    }
    QVERIFY(above && below);
  }

  void framesArePlayedAtTheirPace() {
    Workbench bench;
    auto image = std::make_shared<Image>();
    image->size = {8, 8, 1};
    image->frames = 5;
    for (int f = 0; f < 5; ++f)
      for (int i = 0; i < 64; ++i) image->data.push_back(cfloat(float(f + 1), float(i)));
    ImagePanel& panel = *bench.window.views().image;
    panel.setImage(image);
    bench.window.views().centre->setCurrentWidget(&panel);  // in place of the first page
    FramePlayer& player = *panel.player();
    QVERIFY(!player.isPlaying());
    player.setFramesPerSecond(20);
    QSignalSpy frames(&panel, &ImagePanel::frameChanged);
    QElapsedTimer clock;
    panel.sliceView(Plane::axial)->setFocus();
    clock.start();
    QTest::keyClick(panel.sliceView(Plane::axial), Qt::Key_Space);
    QVERIFY(player.isPlaying());
    QTRY_VERIFY_WITH_TIMEOUT(frames.count() >= 8, 5000);  // round the end once
    const qint64 took = clock.elapsed();
    QVERIFY2(took >= 8 * 50 - 60, qPrintable(QString::number(took)));
    QTest::keyClick(panel.sliceView(Plane::axial), Qt::Key_Space);
    QVERIFY(!player.isPlaying());
    panel.setImage(nullptr);
    player.setPlaying(true);
    QVERIFY(!player.isPlaying());
  }
};

SPOKELAB_WINDOW_TEST(TestMeasure)

}  // namespace test_measure

#include "test_measure.moc"
