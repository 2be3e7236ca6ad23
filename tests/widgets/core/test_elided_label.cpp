// A label without room for its text shows the beginning, or nothing where that would say nothing.
#include <QtTest>

#include "tests/test_main.h"
#include "widgets/core/elided_label.h"

namespace test_elided_label {

using namespace spokelab;

class TestElidedLabel : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aTextIsCutOffOrLeftOutAndInItsToolTip() {
    QWidget window;
    ElidedLabel label(QStringLiteral("Error over the oversampling ratio"), &window);
    window.show();
    label.resize(label.sizeHint());
    QCOMPARE(label.text(), label.whole());
    QVERIFY(label.toolTip().isEmpty());
    label.resize(label.sizeHint().width() / 2, label.height());
    QVERIFY(label.text().startsWith(QStringLiteral("Error")) && label.text().endsWith(QStringLiteral("…")));
    QCOMPARE(label.toolTip(), label.whole());
    label.resize(label.fontMetrics().horizontalAdvance(QStringLiteral("Er…")), label.height());
    QCOMPARE(label.text(), QString());
    QCOMPARE(label.toolTip(), label.whole());
  }
};

SPOKELAB_GUI_TEST(TestElidedLabel)

}  // namespace test_elided_label

#include "test_elided_label.moc"
