// Values of acquisitions that are taken from an HDF5 file's heaps are those that HDF5 reads; a file
// whose heaps are damaged is left to HDF5, which says why it cannot read it.
#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/hdf5_acquisitions.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_heap_values {

using namespace spokelab;

namespace {

using Reading = Hdf5Acquisitions::Reading;

struct Values {
  std::vector<std::vector<float>> all;
  std::int64_t taken = 0;
};

Values valuesOf(const std::filesystem::path& file, AcquisitionMember member, Reading reading,
                std::span<char> place = {}) {
  const Hdf5Lock lock;
  const Hdf5Acquisitions source(file, "dataset", LinkReach::folder, reading);
  std::vector<AcquisitionHead> heads(std::size_t(source.count()));
  source.readHeads(0, heads);
  Values values;
  values.all.resize(heads.size());
  source.read(member, 0, heads, place, [&](std::size_t i, const float* from) {
    values.all[i].assign(from, from + floatsOf(heads[i], member));
  });
  values.taken = source.takenFromHeaps();
  return values;
}

std::optional<PlainNumbers> plainOf(const std::filesystem::path& file, AcquisitionMember member,
                                    Reading reading) {
  const Hdf5Lock lock;
  const Hdf5Acquisitions source(file, "dataset", LinkReach::folder, reading);
  std::vector<AcquisitionHead> heads(std::size_t(source.count()));
  source.readHeads(0, heads);
  return source.plainNumbers(member, heads);
}

std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

class TestHeapValues : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    file_ = std::filesystem::path(folder_.filePath("scan.h5").toStdString());
    SimulateOptions options;
    options.trajectory.matrix = {48, 48, 1};
    options.coils = 3;
    options.frames = 2;
    writeScan(*simulate(options, {}), file_, {});
  }

  void areThoseThatHdf5Reads_data() {
    QTest::addColumn<int>("member");
    QTest::addColumn<bool>("inPlace");
    for (const bool inPlace : {false, true}) {
      QTest::addRow("trajectory%s", inPlace ? ", in place" : "")
          << int(AcquisitionMember::trajectory) << inPlace;
      QTest::addRow("data%s", inPlace ? ", in place" : "") << int(AcquisitionMember::data) << inPlace;
    }
  }
  void areThoseThatHdf5Reads() {
    QFETCH(int, member);
    QFETCH(bool, inPlace);
    std::vector<std::max_align_t> room(inPlace ? std::size_t(1) << 20 : 0);
    const std::span<char> place(reinterpret_cast<char*>(room.data()), room.size() * sizeof(room[0]));
    const auto which = AcquisitionMember(member);
    const Values fast = valuesOf(file_, which, Reading::fromHeaps, place),
                 slow = valuesOf(file_, which, Reading::byHdf5);
    QCOMPARE(fast.taken, std::int64_t(fast.all.size()));
    QCOMPARE(slow.taken, 0);
    QVERIFY(!slow.all.empty() && !slow.all.front().empty());
    QVERIFY(fast.all == slow.all);
  }

  // Values that a reader takes from the file itself, at the places that it is told.
  void liePlainlyWhereTheFileSays_data() {
    QTest::addColumn<int>("member");
    QTest::addRow("trajectory") << int(AcquisitionMember::trajectory);
    QTest::addRow("data") << int(AcquisitionMember::data);
  }
  void liePlainlyWhereTheFileSays() {
    QFETCH(int, member);
    const auto which = AcquisitionMember(member);
    const Values expected = valuesOf(file_, which, Reading::byHdf5);
    const std::string bytes = bytesOf(file_);
    const auto plain = plainOf(file_, which, Reading::fromHeaps);
    QVERIFY(plain.has_value());
    QCOMPARE(plain->offsets.size(), expected.all.size());
    for (std::size_t i = 0; i < expected.all.size(); ++i) {
      const std::size_t length = expected.all[i].size() * sizeof(float);
      QVERIFY(length > 0 && plain->offsets[i] + length <= bytes.size());
      QVERIFY(std::memcmp(bytes.data() + plain->offsets[i], expected.all[i].data(), length) == 0);
    }
    QVERIFY(!plainOf(file_, which, Reading::byHdf5).has_value());
  }

  // Signatures and lengths of heaps, one after the other: never a wrong value.
  void damagedHeapsAreLeftToHdf5() {
    const std::string sound = bytesOf(file_);
    const Values expected = valuesOf(file_, AcquisitionMember::data, Reading::fromHeaps);
    const std::filesystem::path damaged = folder_.filePath("damaged.h5").toStdString();
    int seen = 0;
    constexpr std::size_t offsets[] = {0, 14};  // in a heap: its signature, its length
    for (std::size_t heap = sound.find("GCOL"); heap != std::string::npos && seen < 60;
         heap = sound.find("GCOL", heap + 4))
      for (const std::size_t offset : offsets) {
        ++seen;
        std::string bytes = sound;
        bytes[heap + offset] = char(bytes[heap + offset] ^ 0x55);
        std::ofstream(damaged, std::ios::binary) << bytes;
        try {
          const Values found = valuesOf(damaged, AcquisitionMember::data, Reading::fromHeaps);
          QVERIFY(found.all == expected.all);
        } catch (const Error& error) {
          QVERIFY(!std::string(error.what()).empty());
        }
      }
    QVERIFY(seen > 4);
  }

  void aShortenedFileIsLeftToHdf5() {
    const std::string sound = bytesOf(file_);
    const std::filesystem::path cut = folder_.filePath("cut.h5").toStdString();
    std::ofstream(cut, std::ios::binary) << sound.substr(0, sound.size() / 2);
    QVERIFY_THROWS_EXCEPTION(Error, valuesOf(cut, AcquisitionMember::data, Reading::fromHeaps));
  }

 private:
  QTemporaryDir folder_;
  std::filesystem::path file_;
};

SPOKELAB_CORE_TEST(TestHeapValues)

}  // namespace test_heap_values

#include "test_heap_values.moc"
