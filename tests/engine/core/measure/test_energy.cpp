// The machine's energy: counters of processors are summed, begin again at their range, and a
// machine without any says why.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "engine/core/measure/energy.h"
#include "tests/test_main.h"

namespace test_energy {

using namespace spokelab;

namespace {

void write(const std::filesystem::path& file, double value) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << std::int64_t(value) << '\n';
}

}  // namespace

class TestEnergy : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void processorsAreSummed() {
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    write(folder / "intel-rapl:0/energy_uj", 5e6);
    write(folder / "intel-rapl:0/max_energy_range_uj", 2.6e11);
    write(folder / "intel-rapl:1/energy_uj", 2.6e11 - 1e6);
    write(folder / "intel-rapl:1/max_energy_range_uj", 2.6e11);
    write(folder / "intel-rapl:0:0/energy_uj", 1e6);  // a part of the first
    const EnergyWatch watch(false, folder);
    QVERIFY(!watch.use().isKnown());  // nothing was used yet
    write(folder / "intel-rapl:0/energy_uj", 7.5e6);
    write(folder / "intel-rapl:1/energy_uj", 3e6);  // it began again
    write(folder / "intel-rapl:0:0/energy_uj", 9e6);
    const EnergyUse use = watch.use();
    QVERIFY2(std::abs(use.joules - 6.5) < 1e-6, qPrintable(QString::number(use.joules)));
    QCOMPARE(energyText(use), std::string("6.5 J of 2 processors (RAPL)"));
  }

  void aMachineWithoutCountersSaysSo() {
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    const EnergyUse none = EnergyWatch(false, folder / "no").use();
    QVERIFY(!none.isKnown() && energyText(none).starts_with("not told: this machine has no counters"));
    std::filesystem::create_directories(folder / "intel-rapl:0");  // without a counter that can be read
    const EnergyUse closed = EnergyWatch(false, folder).use();
    QVERIFY(!closed.isKnown() && energyText(closed).find("root alone") != std::string::npos);
    QVERIFY(energyText(EnergyUse{}).empty());
  }

  // Here, whatever this machine has.
  void thisMachineTellsOrSaysWhyNot() {
    const EnergyWatch watch(true);
    double sum = 0;
    for (int i = 1; i < 20'000'000; ++i) sum += 1.0 / i;
    QVERIFY(sum > 1);
    const EnergyUse use = watch.use();
    QVERIFY(use.isKnown() || !use.absent.empty());
    if (!use.isKnown()) QSKIP(use.absent.c_str());
    QVERIFY(use.joules < 1e5);
  }
};

SPOKELAB_TEST(TestEnergy)

}  // namespace test_energy

#include "test_energy.moc"
