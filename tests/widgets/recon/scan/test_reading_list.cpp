// Other readings are shown with their pictures; choosing one asks for it, and only what is possible
// can be chosen.
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/recon/scan/reading_list.h"

namespace test_reading_list {

using namespace spokelab;

namespace {

std::vector<Reading> someReadings() {
  auto image = std::make_shared<Image>();
  image->size = {8, 8, 3};
  image->geometry.matrix = image->size;
  image->geometry.fov = {8, 8, 3};
  image->data.resize(192);
  for (std::size_t i = 0; i < image->data.size(); ++i)
    image->data[i] = cfloat(i >= 64 && i < 128 ? 1.0F : 0.0F, 0);
  return {{"", "", "as it is read now", image, ""},
          {"axes", "yx", "instead of xy", image, ""},
          {"k-unit", "1/mm", "instead of cycles/FOV", nullptr, "only 3 of its points lie within the matrix"}};
}

}  // namespace

class TestReadingList : public QObject {
  Q_OBJECT

 private slots:
  void picturesAndCaptions() {
    ReadingList list;
    list.setReadings(someReadings());
    QCOMPARE(list.count(), 3);
    QVERIFY(list.item(1)->text().contains("yx"));
    QCOMPARE(list.item(1)->toolTip(), QString("instead of xy"));
    const QImage picture = list.item(1)->icon().pixmap(list.iconSize()).toImage();
    QVERIFY(picture.width() > 8);
    QVERIFY(qGray(picture.pixel(picture.width() / 2, picture.height() / 2)) >
            200);  // the middle slice is bright
    QVERIFY(list.item(2)->toolTip().contains("3 of its points"));
    QVERIFY(!(list.item(2)->flags() & Qt::ItemIsEnabled));
    list.setReadings({});
    QCOMPARE(list.count(), 0);
  }
  void choosing() {
    ReadingList list;
    list.setReadings(someReadings());
    QSignalSpy chosen(&list, &ReadingList::chosen);
    Q_EMIT list.itemActivated(list.item(0));  // the present one
    QCOMPARE(chosen.count(), 0);
    Q_EMIT list.itemActivated(list.item(1));
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen.front().at(0).toString(), QString("axes"));
    QCOMPARE(chosen.front().at(1).toString(), QString("yx"));
    list.item(0)->setSelected(true);
    QVERIFY(list.selectedTopic().isEmpty());
    list.item(1)->setSelected(true);
    QCOMPARE(list.selectedTopic(), QString("axes"));
    QCOMPARE(list.selectedChoice(), QString("yx"));
  }
};

SPOKELAB_GUI_TEST(TestReadingList)

}  // namespace test_reading_list

#include "test_reading_list.moc"
