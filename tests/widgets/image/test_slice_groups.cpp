// Slices that lie in several directions or at uneven steps are shown a group at a time, as frames
// are: each group by itself, in its plane, with its frames and its part of the reference.
#include <QSignalSpy>
#include <QSlider>

#include "tests/patience.h"
#include "tests/widgets/image/sample_images.h"
#include "tests/widgets/image/view_test.h"
#include "widgets/image/compare/compare_bar.h"
#include "widgets/image/display/group_box.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"

namespace test_slice_groups {

using namespace spokelab;

namespace {

const Directions axial{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, coronal{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
    sagittal{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}};

// Every slice of every frame holds another value: 10 frame + slice + 1.
std::shared_ptr<Image> slices(const std::vector<Directions>& directions, const std::vector<Vec3>& positions,
                              int frames = 1) {
  const auto count = std::int64_t(positions.size());
  auto image = samples::blank({16, 12, count}, {1, 1, 1}, frames);
  image->geometry.matrix[2] = 1;
  image->geometry.fov[2] = 5;
  image->geometry.sliceDirections = directions;
  image->geometry.slicePositions = positions;
  for (int f = 0; f < frames; ++f)
    for (std::int64_t z = 0; z < count; ++z)
      samples::fillBox(*image, {0, 0, z}, {15, 11, z}, float(10 * f + int(z) + 1), f);
  return image;
}

std::shared_ptr<Image> localizer(int frames = 1) {
  return slices({axial, coronal, sagittal}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, frames);
}

struct Shown {
  ImagePanel panel;
  GroupBox& box = *panel.findChild<GroupBox*>(QStringLiteral("groupBox"));
  explicit Shown(const std::shared_ptr<const Image>& image) {
    panel.resize(900, 700);
    panel.show();
    panel.setImage(image);
  }
  void choose(int group) {
    box.setCurrentIndex(group);
    Q_EMIT box.activated(group);  // as the user's click
  }
  std::vector<Plane> planes() const {
    std::vector<Plane> found;
    for (const Plane plane : imagePlanes)
      if (panel.sliceView(plane)->isVisible()) found.push_back(plane);
    return found;
  }
  float value() const {
    return panel.image()->data[std::size_t(panel.frame() * panel.image()->volume())].real();
  }
};

}  // namespace

class TestSliceGroups : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachPlaneOfALocalizerIsShownByItself() {
    Shown s(localizer());
    QVERIFY(s.box.isVisible());
    QCOMPARE(s.box.count(), 3);
    QCOMPARE(s.box.itemText(1), QStringLiteral("coronal, 1 slice"));
    const Plane expected[] = {Plane::axial, Plane::coronal, Plane::sagittal};
    QSignalSpy changed(&s.panel, &ImagePanel::groupChanged);
    for (const int group : {0, 1, 2, 0}) {
      s.choose(group);
      QCOMPARE(s.panel.image()->size, (Index3{16, 12, 1}));
      QCOMPARE(s.value(), float(group + 1));
      QCOMPARE(s.planes(), std::vector<Plane>{expected[group]});
    }
    QCOMPARE(changed.count(), 3);  // the first was shown already
  }

  void unevenGapsMakeGroups() {
    Shown s(slices({}, {{0, 0, 0}, {0, 0, 5}, {0, 0, 40}}));
    QCOMPARE(s.box.count(), 2);
    QCOMPARE(s.box.itemText(0), QStringLiteral("axial-1, 2 slices"));
    QCOMPARE(s.panel.image()->size[2], std::int64_t(2));
    s.choose(1);
    QCOMPARE(s.panel.image()->size[2], std::int64_t(1));
    QCOMPARE(s.value(), 3.0F);
  }

  void oneGeometryNeedsNoChoice() {
    const auto image = slices({}, {{0, 0, 0}, {0, 0, 5}, {0, 0, 10}});
    Shown s(image);
    QVERIFY(!s.box.isVisible());
    QCOMPARE(s.panel.image(), std::shared_ptr<const Image>(image));
    s.panel.setImage(localizer());
    QVERIFY(s.box.isVisible());
    s.panel.setImage(nullptr);
    QVERIFY(!s.box.isVisible());
  }

  void framesAreThoseOfTheGroup() {
    auto image = localizer(3);
    image->frameAxes = FrameAxes::grid({{FrameMeaning::echo, 3, {0.002, 0.004, 0.006}}});
    Shown s(image);
    auto* slider = s.panel.findChild<QSlider*>(QStringLiteral("frameSlider"));
    QCOMPARE(slider->maximum(), 2);
    s.panel.setFrame(2);
    s.choose(1);
    QCOMPARE(s.value(), float(10 * s.panel.frame() + 2));
    s.panel.setFrame(1);
    QCOMPARE(s.value(), 12.0F);
    QCOMPARE(s.panel.image()->frameAxes.text(1), image->frameAxes.text(1));
    QVERIFY(!s.panel.image()->frameAxes.text(1).empty());
  }

  void theReferenceIsComparedGroupByGroup() {
    auto image = localizer();
    auto reference = std::make_shared<Image>(*image);
    samples::at(*image, {3, 4, 2}) += 1;  // only the sagittal slice differs
    Shown s(image);
    s.panel.setReference(reference);
    QSignalSpy ready(&s.panel, &ImagePanel::differenceReady);
    s.panel.setShowsDifference(true);
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 1, patience);
    QVERIFY(ready.back().front().toDouble() < 1e-6);
    s.choose(2);
    QVERIFY(s.panel.showsDifference());
    QTRY_COMPARE_WITH_TIMEOUT(ready.count(), 2, patience);
    QVERIFY(ready.back().front().toDouble() > 1e-3);
    QCOMPARE(s.panel.reference(), std::shared_ptr<const Image>(reference));
  }

  void theChoiceIsKeptForTheNextImageAndInASession() {
    Shown s(localizer());
    s.choose(2);
    s.panel.setImage(localizer());
    QCOMPARE(s.panel.group().current(), 2);
    QCOMPARE(s.value(), 3.0F);
    const ViewState state = s.panel.viewState();
    Shown other(localizer());
    other.panel.setViewState(state);
    QCOMPARE(other.panel.group().current(), 2);
    QCOMPARE(other.box.currentIndex(), 2);
    s.panel.setImage(slices({}, {{0, 0, 0}, {0, 0, 5}, {0, 0, 40}}));
    QCOMPARE(s.panel.group().current(), 0);
  }
};

SPOKELAB_VIEW_TEST(TestSliceGroups)

}  // namespace test_slice_groups

#include "test_slice_groups.moc"
