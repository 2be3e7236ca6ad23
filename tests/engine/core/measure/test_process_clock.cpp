// The time since the process began advances as clocks do.
#include <QtTest>

#include "engine/core/measure/process_clock.h"
#include "engine/core/stage_timer.h"
#include "tests/test_main.h"

using namespace spokelab;

class TestProcessClock : public QObject {
  Q_OBJECT

 private slots:
  void itGoesOn() {
    constexpr double tick = 0.011;  // the system counts in hundredths
    const double first = secondsSinceProcessStart(), start = now();
    QVERIFY(first > 0);
    QTest::qSleep(60);
    const double passed = now() - start, counted = secondsSinceProcessStart() - first;
    QVERIFY2(std::abs(counted - passed) < 2 * tick, qPrintable(QString("%1 %2").arg(counted).arg(passed)));
  }

  void aChildIsYoungerThanItsParent() {
    QProcess shell;
    // The same fields of the same file, by somebody else's arithmetic.
    shell.start("sh", {"-c", "cat /proc/" + QString::number(QCoreApplication::applicationPid()) + "/stat"});
    QVERIFY(shell.waitForFinished());
    const QString line = QString::fromUtf8(shell.readAll());
    const QStringList fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    QFile uptime("/proc/uptime");
    QVERIFY(uptime.open(QIODevice::ReadOnly));
    const double sinceBoot = QString::fromUtf8(uptime.readAll()).split(' ').front().toDouble();
    constexpr int startField = 19;
    constexpr double ticksPerSecond = 100;
    const double age = sinceBoot - fields[startField].toDouble() / ticksPerSecond;
    QVERIFY2(std::abs(age - secondsSinceProcessStart()) < 1,
             qPrintable(QString("%1 %2").arg(age).arg(secondsSinceProcessStart())));
  }
};

SPOKELAB_CORE_TEST(TestProcessClock)
#include "test_process_clock.moc"
