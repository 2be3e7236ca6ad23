// A busy machine is one that other programs keep busy: our own work does not count.
#include <QtTest>

#include <cmath>

#include "engine/core/measure/machine_load.h"
#include "engine/core/stage_timer.h"
#include "tests/test_main.h"

using namespace spokelab;

class TestMachineLoad : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void idleTimeIsNoWork() {
    // user nice system idle iowait irq softirq steal guest
    QCOMPARE(busySeconds("cpu  100 20 30 9999 777 4 5 6 70\ncpu0 1 1 1 1\n", 100), 1.65);
    QCOMPARE(busySeconds("cpu  100 20 30 9999\n", 100), 1.5);  // an old kernel
    for (const char* text : {"", "cpu", "cpu  ", "cpu  1 2", "intr 5", "cpu0 1 2 3 4", "cpu  a b c d"})
      QVERIFY2(busySeconds(text, 100) < 0, text);
    QVERIFY(busySeconds("cpu  1 2 3 4", 0) < 0);
  }

  void othersMakeAMachineBusy() {
    MachineLoad load{0.5, 2.5, 0.1, 4};
    QVERIFY(!load.isBusy());
    QCOMPARE(loadText(load), std::string("load average 0.5 at the start, 2.5 at the end"));
    load.others = 1.3;
    QVERIFY(load.isBusy());
    QCOMPARE(loadText(load),
             std::string("the machine was busy: other programs took 1.3 of 4 processors; load "
                         "average 0.5 at the start, 2.5 at the end"));
    QVERIFY(loadText({}).empty() && !MachineLoad().isBusy());
  }

  // This process' work is not others' work: both together fit the machine.
  void ourOwnWorkIsNotCounted() {
    const LoadWatch watch;
    const double start = now(), from = double(clock()) / CLOCKS_PER_SEC;
    volatile double sink = 0;
    double own = 0;
    while ((own = double(clock()) / CLOCKS_PER_SEC - from) < 0.5) sink = std::sqrt(sink + 1);
    const MachineLoad load = watch.load();
    if (load.others < 0) QSKIP("the system does not say what its processors do");
    QVERIFY(load.processors > 0);
    const double sum = load.others + own / (now() - start);
    QVERIFY2(sum <= load.processors + 0.2, QByteArray::number(sum));
    QVERIFY(load.atStart >= 0 && load.atEnd >= 0);
  }
};

SPOKELAB_CORE_TEST(TestMachineLoad)
#include "test_machine_load.moc"
