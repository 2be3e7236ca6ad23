// The memory that a process may use is the least of what the machine, its containers and the user
// allow; a request for more is refused with what it needs and what there is.
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "engine/core/error.h"
#include "engine/core/memory/address_space.h"
#include "engine/core/memory/machine_memory.h"
#include "engine/core/memory/memory_check.h"
#include "tests/test_main.h"

namespace test_machine_memory {

using namespace spokelab;

namespace {

constexpr std::int64_t mebibyte = 1 << 20, gibibyte = std::int64_t{1} << 30;

class FakeRoot {
 public:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = root() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::filesystem::path root() const { return folder_.path().toStdString(); }
  MemoryBounds bounds() const { return memoryBoundsBelow(root()); }

 private:
  QTemporaryDir folder_;
};

void writeMachine(const FakeRoot& fake) {
  fake.write("proc/meminfo",
             "MemTotal:       16777216 kB\nMemFree:  1 kB\nMemAvailable:    8388608 kB\n"
             "SwapFree: 1048576 kB\n");
}

class MachineMemoryTest : public QObject {
  Q_OBJECT

 private slots:
  void machineWithoutLimits() {
    const FakeRoot fake;
    writeMachine(fake);
    fake.write("proc/self/cgroup", "0::/user.slice\n");
    fake.write("sys/fs/cgroup/user.slice/memory.max", "max\n");
    QCOMPARE(fake.bounds().most, 16 * gibibyte);
    QCOMPARE(fake.bounds().left, 9 * gibibyte);  // swap counts
  }
  void theTightestGroupHolds() {
    const FakeRoot fake;
    writeMachine(fake);
    fake.write("proc/self/cgroup", "0::/box/job\n");
    fake.write("sys/fs/cgroup/box/memory.max", "2147483648\n");
    fake.write("sys/fs/cgroup/box/memory.current", "1610612736\n");
    // pages of files that nobody needs are given back
    fake.write("sys/fs/cgroup/box/memory.stat", "anon 5\ninactive_file 536870912\nactive_file 1\n");
    fake.write("sys/fs/cgroup/box/job/memory.max", "4294967296\n");
    fake.write("sys/fs/cgroup/box/job/memory.current", "1048576\n");
    QCOMPARE(fake.bounds().most, 2 * gibibyte);
    QCOMPARE(fake.bounds().left, gibibyte);
  }
  void groupsOfVersionOne() {
    const FakeRoot fake;
    writeMachine(fake);
    fake.write("proc/self/cgroup", "7:cpu,cpuacct:/\n4:memory:/docker/abc\n");
    // a container sees its own group as the mount's root
    fake.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n");
    fake.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "1074790400\n");
    QCOMPARE(fake.bounds().most, gibibyte);
    QCOMPARE(fake.bounds().left, std::int64_t{0});
  }
  void systemsThatSayNothingBoundNothing() { QVERIFY(FakeRoot().bounds().left > (gibibyte << 20)); }

  void thisProcessHasSomeMemory() {
    const MemoryBounds bounds = memoryBounds();
    QVERIFY(bounds.left > 16 * mebibyte);
    QVERIFY(bounds.most >= bounds.left / 2);  // swap may add to what is left
    QCOMPARE(memoryCapacity(), bounds.most);
  }
  void whatIsTooMuchIsRefusedWithNumbersAndARemedy() {
    requireMemory(double(mebibyte), "Cannot test", "a little", "-");
    try {
      requireMemory(1e15, "Cannot test", "a matrix of 100000x100000x100000", "Use a smaller matrix");
      QFAIL("a petabyte was found");
    } catch (const Error& e) {
      QCOMPARE(e.summary(), std::string("Cannot test"));
      QVERIFY(e.reason().find("a matrix of 100000x100000x100000 needs 1") != std::string::npos);
      QVERIFY(e.reason().find("are free") != std::string::npos);
      QCOMPARE(e.remedy(), std::string("Use a smaller matrix"));
    }
  }
  void someThreadsAlwaysFit() {
    QCOMPARE(threadsThatFit(1), 1);
    QVERIFY(threadsThatFit(4) >= 1 && threadsThatFit(4) <= 4);
  }
};

}  // namespace

SPOKELAB_TEST(MachineMemoryTest)

}  // namespace test_machine_memory

#include "test_machine_memory.moc"
