// Images of another scale or kind are compared as what they share: beside each other, wiped and
// flickering they are equally bright.
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/frame_bar.h"
#include "widgets/image/slice/slice_view.h"

namespace test_compare_scale {

using namespace spokelab;

namespace {

constexpr int patience = 5000;  // ms

std::shared_ptr<Image> pattern() {
  auto image = samples::blank({32, 32, 1});
  for (std::int64_t y = 4; y < 28; ++y)
    for (std::int64_t x = 4; x < 28; ++x)
      samples::at(*image, {x, y, 0}) = std::polar(float(1 + (x + y) % 3), float(x) / 8);
  return image;
}

std::shared_ptr<Image> times(const Image& image, cfloat factor) {
  auto scaled = std::make_shared<Image>(image);
  for (cfloat& v : scaled->data) v *= factor;
  return scaled;
}

std::shared_ptr<Image> magnitude(const Image& image) {
  auto real = std::make_shared<Image>(image);
  for (cfloat& v : real->data) v = std::abs(v);
  return real;
}

struct Compared {
  CompareView view;
  Compared(const std::shared_ptr<Image>& a, const std::shared_ptr<Image>& b) {
    view.resize(900, 420);
    view.show();
    QSignalSpy ready(&view, &CompareView::differenceReady);
    view.setItems({{1, QStringLiteral("a"), QStringLiteral("details of a"), a},
                   {2, QStringLiteral("b"), QStringLiteral("details of b"), b}},
                  1, 2);
    view.view(CompareView::shownSide)->setCursorVisible(false);
    view.view(CompareView::referenceSide)->setCursorVisible(false);
    if (!ready.wait(patience)) qFatal("no difference");
  }
  int brightness(CompareView::Side side, const Index3& voxel) {
    SliceView& seen = *view.view(side);
    seen.setInterpolates(false);
    return qGray(seen.grab().toImage().pixel(seen.voxelToWidget(voxel).toPoint()));
  }
  QString text(const char* name) { return view.findChild<QLabel*>(QString::fromLatin1(name))->text(); }
};

}  // namespace

class TestCompareScale : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aThousandfoldImageIsAsBrightAsItsReference() {
    const auto a = pattern();
    Compared compared(a, times(*a, 1000));
    for (const Index3& voxel : {Index3{9, 9, 0}, Index3{20, 15, 0}}) {
      const int shown = compared.brightness(CompareView::shownSide, voxel);
      QVERIFY2(shown > 40, qPrintable(QString::number(shown)));
      QVERIFY(std::abs(shown - compared.brightness(CompareView::referenceSide, voxel)) <= 2);
    }
    QVERIFY(compared.view.nrmse() < 1e-5);
    QVERIFY2(compared.text("detailsShown").contains(QStringLiteral("drawn times 1e3 to fit the reference")),
             qPrintable(compared.text("detailsShown")));
    // The wipe and the flicker paint the reference into the same view.
    compared.view.setStyle(CompareView::Style::wipe);
    QCoreApplication::processEvents();
    compared.view.view(CompareView::shownSide)->setWipe(0.5);
    const int left = compared.brightness(CompareView::shownSide, {9, 9, 0}),
              right = compared.brightness(CompareView::shownSide, {21, 9, 0});
    QVERIFY2(left > 40 && std::abs(left - right) <= 2,
             qPrintable(QStringLiteral("%1, %2").arg(left).arg(right)));
  }

  // Now the one, now the other, in one place.
  void aFlickerKeepsTheBrightness() {
    const auto a = pattern();
    Compared compared(a, times(*a, 1000));
    compared.view.setStyle(CompareView::Style::flicker);
    QMap<bool, int> seen;  // brightness, by whether the reference is up
    const auto look = [&] {
      seen[compared.view.referenceIsUp()] = compared.brightness(CompareView::shownSide, {9, 9, 0});
      return seen.size() == 2;
    };
    QTRY_VERIFY_WITH_TIMEOUT(look(), patience);
    QVERIFY2(seen[true] > 40 && std::abs(seen[true] - seen[false]) <= 2,
             qPrintable(QStringLiteral("%1, %2").arg(seen[true]).arg(seen[false])));
  }

  // Each frame has a scale: the text is of the frame that is shown.
  void theTextFollowsTheFrame() {
    const auto a = pattern();
    auto both = std::make_shared<Image>(*a), scaled = std::make_shared<Image>(*a);
    both->frames = scaled->frames = 2;
    both->data.clear();
    scaled->data.clear();
    for (const float factor : {1000.0F, 20.0F})
      for (const cfloat v : a->data) {
        both->data.push_back(v);
        scaled->data.push_back(v * factor);
      }
    Compared compared(both, scaled);
    QVERIFY2(compared.text("detailsShown").contains(QStringLiteral("drawn times 1e3 ")),
             qPrintable(compared.text("detailsShown")));
    compared.view.findChild<FrameBar*>()->setFrame(1);
    QVERIFY2(compared.text("detailsShown").contains(QStringLiteral("drawn times 20 ")),
             qPrintable(compared.text("detailsShown")));
    compared.view.findChild<FrameBar*>()->setFrame(0);
    QVERIFY(compared.text("detailsShown").contains(QStringLiteral("drawn times 1e3 ")));
  }

  void imagesOfOneScaleAreShownAsTheyAre() {
    const auto a = pattern();
    Compared compared(a, times(*a, 1.001F));
    QCOMPARE(compared.view.view(CompareView::shownSide)->image(), a);
    QVERIFY(!compared.text("detailsShown").contains(QStringLiteral("drawn times")));
  }

  void aMagnitudeAndAComplexImageAreComparedAsMagnitudesAndItIsSaid() {
    const auto a = pattern();
    Compared compared(a, magnitude(*times(*a, 5)));
    QVERIFY2(compared.view.nrmse() < 1e-5, qPrintable(QString::number(compared.view.nrmse())));
    QVERIFY(compared.text("compareNrmse").contains(QStringLiteral("of magnitudes")));
    QVERIFY(compared.text("detailsDifference").contains(QStringLiteral("magnitudes alone")));
    Compared both(magnitude(*a), magnitude(*times(*a, 5)));
    QVERIFY(both.view.nrmse() < 1e-5 && !both.text("compareNrmse").contains(QStringLiteral("magnitudes")));
    Compared swapped(magnitude(*a), times(*a, 5));
    QVERIFY(swapped.view.nrmse() < 1e-5);
  }
};

SPOKELAB_GUI_TEST(TestCompareScale)

}  // namespace test_compare_scale

#include "test_compare_scale.moc"
