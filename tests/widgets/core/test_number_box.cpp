// A box for numbers shows small ones in a few digits and takes what it shows.
#include <QSignalSpy>
#include <QTest>

#include "tests/test_main.h"
#include "widgets/core/number_box.h"

namespace test_number_box {

using namespace spokelab;

class TestNumberBox : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void smallNumbersAreShort() {
    NumberBox box;
    box.setDecimals(12);
    box.setRange(0, 1);
    box.setValue(2.809e-8);
    QCOMPARE(box.text(), QStringLiteral("2.809e-08"));
    box.setValue(0.5);
    QCOMPARE(box.text(), QStringLiteral("0.5"));
  }

  void whatIsTypedIsTaken() {
    NumberBox box;
    box.setDecimals(12);
    box.setRange(0, 1);
    box.setKeyboardTracking(false);
    box.show();
    QSignalSpy changed(&box, &QDoubleSpinBox::valueChanged);
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("3.5e-7"));
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(box.value(), 3.5e-7);
    QCOMPARE(changed.size(), 1);
    box.selectAll();
    QTest::keyClicks(&box, QStringLiteral("x0.25"));  // letters do not go in
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(box.value(), 0.25);
  }
};

SPOKELAB_GUI_TEST(TestNumberBox)

}  // namespace test_number_box

#include "test_number_box.moc"
