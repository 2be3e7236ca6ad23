// An image in colours over the shown one: drawn where it has values, on the same place, and gone with
// the scan.
#include <QAction>
#include <QComboBox>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>

#include "app/gui/features/image/overlay_feature.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/over_bar.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/map_panel.h"

namespace test_overlay {

using namespace spokelab;

namespace {

// Of the shown image's pixels: 1 in a box of the lower half of its indices along x, else 0.
std::shared_ptr<Image> maskOf(const Image& image) {
  auto mask = std::make_shared<Image>();
  mask->size = image.size;
  mask->geometry = image.geometry;
  mask->data = Buffer<cfloat>(std::size_t(image.volume()));
  for (std::int64_t i = 0; i < image.volume(); ++i)
    mask->data[std::size_t(i)] = i % image.size[0] < image.size[0] / 2 ? 1 : 0;
  return mask;
}

SliceView& viewOf(Workbench& bench) {
  return *bench.window.views().image->sliceView(Plane::axial);
}

// Where two pictures of the view differ: counts left and right of the middle of the picture.
std::array<int, 2> changed(const QImage& a, const QImage& b, const QRectF& picture) {
  std::array<int, 2> counts{};
  constexpr int beside = 3;  // pixels that are interpolated
  for (int y = int(picture.top()) + beside; y < int(picture.bottom()) - beside; ++y)
    for (int x = int(picture.left()) + beside; x < int(picture.right()) - beside; ++x) {
      if (std::abs(x - picture.center().x()) < picture.width() / 16) continue;
      counts[x < picture.center().x() ? 0 : 1] += a.pixel(x, y) != b.pixel(x, y);
    }
  return counts;
}

}  // namespace

class TestOverlay : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aMaskOfAFileColoursItsPixelsAlone() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    OverlayFeature& overlay = *bench.window.features().overlay;
    SliceView& view = viewOf(bench);
    QVERIFY(overlay.bar()->isHidden());
    const QImage before = view.grab().toImage();
    const std::string file = folder.filePath(QStringLiteral("mask.nii.gz")).toStdString();
    writeImage(*maskOf(*bench.session.shown()->result->image), file, {}, {});
    overlay.open(QString::fromStdString(file));
    QTRY_VERIFY_WITH_TIMEOUT(overlay.bar()->isVisible(), patience);
    QCoreApplication::processEvents();
    const QRectF picture = view.pictureRect();
    overlay.remove();
    const QImage without = view.grab().toImage();
    overlay.open(QString::fromStdString(file));
    QTRY_VERIFY_WITH_TIMEOUT(overlay.bar()->isVisible(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(view.pictureRect(), picture, patience);  // the bar takes some room
    const QImage half = view.grab().toImage();
    keepPicture(bench.window, "overlay");
    overlay.bar()->findChild<QSlider*>(QStringLiteral("overOpacity"))->setValue(0);
    const QImage none = view.grab().toImage();
    const auto drawn = changed(half, none, picture);
    const int area = int(picture.width() * picture.height());
    // One side of the picture is the mask's, whichever way x is shown.
    QVERIFY2(std::max(drawn[0], drawn[1]) > area / 4, qPrintable(QString::number(drawn[0])));
    QCOMPARE(std::min(drawn[0], drawn[1]), 0);
    overlay.bar()->findChild<QSlider*>(QStringLiteral("overOpacity"))->setValue(100);
    const QImage full = view.grab().toImage();
    auto* maps = overlay.bar()->findChild<QComboBox*>(QStringLiteral("overMap"));
    maps->setCurrentIndex(maps->findData(QStringLiteral("lagoon")));
    QVERIFY(changed(full, view.grab().toImage(), picture)[drawn[0] > 0 ? 0 : 1] > 0);
    overlay.bar()->findChild<QToolButton*>(QStringLiteral("overRemove"))->click();
    QVERIFY(overlay.bar()->isHidden() && !view.over());
    QVERIFY(!before.isNull() && !without.isNull());
  }

  void anImageOfOtherPixelsIsLaidAtItsPlace() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const Image& shown = *bench.session.shown()->result->image;
    // Twice as coarse over the same field of view; -2 everywhere but in the first column.
    auto coarse = std::make_shared<Image>();
    coarse->size = {shown.size[0] / 2, shown.size[1] / 2, 1};
    coarse->geometry = shown.geometry;
    coarse->geometry.matrix = coarse->size;
    coarse->data = Buffer<cfloat>(std::size_t(coarse->volume()));
    for (std::int64_t i = 0; i < coarse->volume(); ++i)
      coarse->data[std::size_t(i)] = i % coarse->size[0] == 0 ? 3.0F : -2.0F;
    OverlayFeature& overlay = *bench.window.features().overlay;
    overlay.layOver(coarse, QStringLiteral("field"));
    QTRY_VERIFY_WITH_TIMEOUT(overlay.bar()->isVisible(), patience);
    const auto over = viewOf(bench).over();
    QCOMPARE(over->image->size, shown.size);
    QCOMPARE(over->mode, DisplayMode::real);  // it has a sign
    QCOMPARE(over->image->data[std::size_t(shown.volume() / 2 + shown.size[0] / 2)], cfloat(-2, 0));
    // Another scan has nothing over its image.
    bench.window.open(QStringLiteral("demo"));
    QTRY_VERIFY_WITH_TIMEOUT(overlay.bar()->isHidden(), patience);
    bench.session.jobs().cancelAll();
  }

  void withoutAnImageThereIsAReason() {
    Workbench bench;
    QSignalSpy failed(&bench.session, &Session::failed);
    auto image = std::make_shared<Image>();
    image->size = {2, 2, 1};
    image->data.assign(4, 1);
    bench.window.features().overlay->layOver(image, QStringLiteral("mask"));
    QCOMPARE(failed.count(), 1);
    QVERIFY(bench.window.features().overlay->bar()->isHidden());
  }
};

SPOKELAB_WINDOW_TEST(TestOverlay)

}  // namespace test_overlay

#include "test_overlay.moc"
