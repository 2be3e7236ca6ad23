// Each of several ranks takes a different GPU, and all compute on the same kind of machine.
#include <QtTest>

#include "app/cli/ranks/rank_backend.h"
#include "engine/core/error.h"
#include "engine/core/jobs/thread_ranks.h"
#include "tests/engine/recon/ranks/numbered_device.h"
#include "tests/test_main.h"

namespace test_rank_devices {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// One of several devices, under the name of GPUs.
class Gpu final : public NumberedDevice {
 public:
  using NumberedDevice::NumberedDevice;
  std::string name() const override { return "cuda"; }
};

struct Machine {
  explicit Machine(int count) {
    for (int d = 0; d < count; ++d) gpus.push_back(std::make_unique<Gpu>(d, gpus));
    backends.push_back(cpu.get());
    if (count > 0) backends.push_back(gpus.front().get());
  }
  std::vector<std::unique_ptr<NumberedDevice>> gpus;
  std::unique_ptr<Backend> cpu = makeCpuBackend();
  std::vector<Backend*> backends;
};

// The backends of `count` ranks on one machine.
std::vector<Backend*> chosenOn(Machine& machine, int count, const ReconOptions& options) {
  std::vector<Backend*> chosen(static_cast<std::size_t>(count));
  runOnThreadRanks(std::vector<std::string>(std::size_t(count), "here"),
                   [&](Ranks& ranks, const Progress& progress) {
                     LaunchedRanks launched;
                     launched.localRank = ranks.rank();
                     launched.localSize = count;
                     chosen[std::size_t(ranks.rank())] =
                         &rankBackend(ranks, launched, options, *machine.cpu, machine.backends, progress);
                   },
                   {});
  return chosen;
}

}  // namespace

class TestRankDevices : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachRankOfAMachineHasAGpu() {
    LaunchedRanks launched;
    launched.localSize = 2;
    launched.localRank = 1;
    QCOMPARE(deviceOfRank(launched, 4, "0"), 1);
    QCOMPARE(deviceOfRank(launched, 4, "all"), 1);
    QCOMPARE(deviceOfRank(launched, 4, "1,3"), 3);
    QCOMPARE(deviceOfRank(launched, 1, "0"), -1);
    QCOMPARE(sharedDeviceOfRank(launched, 1, "0"), 0);
    QCOMPARE(sharedDeviceOfRank(launched, 4, "3"), 3);
    QCOMPARE(sharedDeviceOfRank(launched, 0, "all"), -1);
    QCOMPARE(deviceOfRank(launched, 0, "0"), -1);
    QVERIFY_THROWS_EXCEPTION(Error, deviceOfRank(launched, 2, "5"));
  }

  void allRanksComputeOnTheSameKind() {
    Machine machine(2);
    const std::vector<Backend*> both = {machine.gpus[0].get(), machine.gpus[1].get()};
    QCOMPARE(chosenOn(machine, 2, {}), both);
    QCOMPARE(chosenOn(machine, 3, {}), std::vector<Backend*>(3, machine.cpu.get()));
    ReconOptions options;
    options.backend = "cpu";
    QCOMPARE(chosenOn(machine, 2, options), std::vector<Backend*>(2, machine.cpu.get()));
    options.backend = "cuda";
    QCOMPARE(chosenOn(machine, 2, options), both);
    QVERIFY_THROWS_EXCEPTION(Error, chosenOn(machine, 3, options));
    Machine without(0);
    QVERIFY_THROWS_EXCEPTION(Error, chosenOn(without, 2, options));
  }
};

SPOKELAB_TEST(TestRankDevices)

}  // namespace test_rank_devices

#include "test_rank_devices.moc"
