// Copies share numbers until one is changed; others stay as they were.
#include <QtTest>

#include "engine/core/memory/shared_values.h"
#include "tests/test_main.h"

namespace test_shared_values {

using namespace spokelab;

class TestSharedValues : public QObject {
  Q_OBJECT

 private slots:
  void copiesShareTheirMemory() {
    const SharedValues a = {1, 2, 3}, b = a;
    QVERIFY(a.data() == b.data());
    QCOMPARE(b.size(), std::size_t(3));
  }
  void aChangeLeavesOtherCopiesAlone() {
    SharedValues a = {1, 2, 3}, b = a;
    b.own().push_back(4);
    QCOMPARE(a.size(), std::size_t(3));
    QCOMPARE(b.size(), std::size_t(4));
    QCOMPARE(b[3], 4.0);
    const double* const where = b.data();
    b.own()[0] = 9;  // nobody else has it
    QVERIFY(b.data() == where);
    QCOMPARE(b[0], 9.0);
    QCOMPARE(a[0], 1.0);
  }
  void numbersOfSomebodyElseStayThere() {
    const std::vector<double> given = {5, 6};
    SharedValues a = SharedValues::at(given);
    QVERIFY(a.data() == given.data());
    a.own()[1] = 7;
    QCOMPARE(given[1], 6.0);
    QCOMPARE(a[1], 7.0);
    a.clear();
    QVERIFY(a.empty());
  }
};

SPOKELAB_TEST(TestSharedValues)

}  // namespace test_shared_values

#include "test_shared_values.moc"
