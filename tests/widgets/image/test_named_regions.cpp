// Several named regions: which one is drawn, chosen, named, coloured and removed, and the numbers,
// the course and the histogram of each.
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include "tests/test_main.h"
#include "widgets/image/display/window_histogram.h"
#include "widgets/image/region_list.h"

namespace test_named_regions {

using namespace spokelab;

namespace {

ImageRegion box(std::int64_t x, std::int64_t y) {
  return {{x, y, 0}, {x + 1, y + 1, 0}, false, 2};
}

// Frame f has the value f + 1 + x + 10 y; pixels of 2 mm x 3 mm.
std::shared_ptr<Image> series() {
  auto image = std::make_shared<Image>(nominalImage({8, 6, 1}, "series"));
  image->frames = 3;
  image->geometry.fov = {16, 18, 5};
  image->geometry.nominal = false;
  for (int frame = 0; frame < 3; ++frame)
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 8; ++x) image->data.push_back({float(frame + 1 + x + 10 * y), 0});
  return image;
}

}  // namespace

class TestNamedRegions : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void anotherRegionIsDrawnBesideTheFirst() {
    Measurement m;
    m.setRegion(box(0, 0));
    m.setRegion(box(1, 0));  // the same one, drawn again
    QCOMPARE(m.regions().all.size(), std::size_t(1));
    m.choose(0);
    QVERIFY(!m.region());
    m.setRegion(box(4, 4));
    QCOMPARE(m.regions().all.size(), std::size_t(2));
    QCOMPARE(m.regions().all[0].name, QStringLiteral("Region 1"));
    QCOMPARE(m.regions().all[1].name, QStringLiteral("Region 2"));
    QVERIFY(m.regions().all[0].colour != m.regions().all[1].colour);
    QCOMPARE(*m.region(), box(4, 4));
    m.choose(1);
    QCOMPARE(*m.region(), box(1, 0));
    m.setRegion(std::nullopt);  // the current one goes, the other one is current
    QCOMPARE(m.regions().all.size(), std::size_t(1));
    QCOMPARE(*m.region(), box(4, 4));
    // A region outside of the shown image is not drawn over.
    m.place({{2, std::nullopt}});
    QVERIFY(!m.region());
    m.setRegion(box(0, 0));
    QCOMPARE(m.regions().all.size(), std::size_t(2));
    QCOMPARE(m.find(2)->drawn, box(4, 4));
  }

  void eachHasNumbersAndACourse() {
    const auto image = series();
    const Measured m = measure({image, nullptr, 1, {{3, box(0, 0)}, {7, box(4, 2)}}, 7, {}, {}});
    QCOMPARE(m.regions.size(), std::size_t(2));
    QCOMPARE(m.regions[0].id, 3);
    QCOMPARE(m.regions[0].shown.magnitudeMean, 2 + 0.5 + 5);
    QCOMPARE(m.regions[1].shown.magnitudeMean, 2 + 4.5 + 25);
    QCOMPARE(m.regions[1].course, (std::vector<double>{30.5, 31.5, 32.5}));
    QVERIFY(std::abs(m.regions[0].area - 4 * 2 * 3) < 1e-9);
    QCOMPARE(m.shown->magnitudeMean, m.regions[1].shown.magnitudeMean);
    QCOMPARE(m.shownCourse, m.regions[1].course);
  }

  void theListNamesColoursAndRemoves() {
    Measurement m;
    RegionList list;
    list.resize(500, 200);
    list.setMeasurement(&m);
    QVERIFY(list.isHidden());  // nothing is measured
    m.setRegion(box(0, 0));
    m.choose(0);
    m.setRegion(box(4, 2));
    QVERIFY(list.isVisible());
    QTreeWidget& rows = *list.list();
    QCOMPARE(rows.topLevelItemCount(), 2);
    QVERIFY(rows.topLevelItem(1)->isSelected());
    rows.setCurrentItem(rows.topLevelItem(0));
    QCOMPARE(m.regions().current, 1);
    rows.topLevelItem(0)->setText(0, QStringLiteral("liver"));
    QCOMPARE(m.find(1)->name, QStringLiteral("liver"));
    rows.topLevelItem(0)->setText(0, QStringLiteral("  "));  // no name
    QCOMPARE(m.find(1)->name, QStringLiteral("liver"));
    QCOMPARE(rows.topLevelItem(0)->text(0), QStringLiteral("liver"));
    m.paint(1, 5);
    QCOMPARE(m.find(1)->colour, 5);
    const auto image = series();
    list.setNumbers(measure({image, nullptr, 0, {{1, box(0, 0)}, {2, box(4, 2)}}, 1, {}, {}}).regions);
    QVERIFY2(list.text().startsWith(QStringLiteral("Region\t")) && list.text().contains("liver\t24"),
             qPrintable(list.text()));
    QTest::mouseClick(list.findChild<QPushButton*>(QStringLiteral("regionAdd")), Qt::LeftButton);
    QCOMPARE(m.regions().current, 0);
    QCOMPARE(m.tool(), SliceTool::ellipse);
    rows.setCurrentItem(rows.topLevelItem(0));
    QTest::keyClick(&rows, Qt::Key_Delete);
    QCOMPARE(rows.topLevelItemCount(), 1);
    QVERIFY(!m.find(1));
  }

  void eachHasAHistogram() {
    Measurement m;
    WindowHistogram histogram;
    QSignalSpy ready(&histogram, &WindowHistogram::histogramReady);
    histogram.setMeasurement(&m);
    histogram.setImage(series(), 0, DisplayMode::magnitude);
    QVERIFY(ready.wait());
    m.setRegion(box(0, 0));
    m.choose(0);
    m.setRegion({{{0, 0, 0}, {2, 2, 0}, false, 2}});
    QCOMPARE(histogram.ofRegion().total, std::int64_t(9));
    QCOMPARE(histogram.ofOthers().size(), std::size_t(1));
    QCOMPARE(histogram.ofOthers().front().total, std::int64_t(4));
  }
};

SPOKELAB_GUI_TEST(TestNamedRegions)

}  // namespace test_named_regions

#include "test_named_regions.moc"
