// Bruker experiments: folders that the test writes as ParaVision does, with numbers that tell where
// they belong.
#include <QtTest>

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <random>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/bruker/bruker_parameters.h"
#include "engine/scan/read/read_scan.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

namespace test_bruker {

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

constexpr int matrixSize = 32, samples = 32, receivers = 2;

struct Experiment {
  std::string data = "fid", format = "GO_32BIT_SGN_INT", block = "Standard_KBlock_Format", order = "little";
  std::string program = "UTE.ppg";
  int lines = 6, train = 1, slices = 2, repetitions = 2, bytes = 4;
  bool radial = true;
  std::vector<int> steps;  // PVM_EncSteps1
};

// Small enough for 16 bits.
int valueOf(int repetition, int line, int slice, int receiver, int sample, int part) {
  return (((repetition * 8 + line) * 2 + slice) * 2 + receiver) * 2 * samples + 2 * sample + part - 1000;
}

void put(std::string& to, int value, const Experiment& e) {
  for (int i = 0; i < e.bytes; ++i) {
    const int byte = e.order == "big" ? e.bytes - 1 - i : i;
    to += char((value >> (8 * byte)) & 0xff);
  }
}

std::string samplesOf(const Experiment& e) {
  std::string all;
  for (int rep = 0; rep < e.repetitions; ++rep)
    for (int train = 0; train < e.lines / e.train; ++train)
      for (int slice = 0; slice < e.slices; ++slice)
        for (int inTrain = 0; inTrain < e.train; ++inTrain) {
          for (int c = 0; c < receivers; ++c)
            for (int s = 0; s < samples; ++s)
              for (int part = 0; part < 2; ++part)
                put(all, valueOf(rep, train * e.train + inTrain, slice, c, s, part), e);
          if (e.data == "fid" && e.block == "Standard_KBlock_Format")
            all.resize((all.size() + 1023) / 1024 * 1024);
        }
  return all;
}

double angleOf(int line) {
  return std::numbers::pi * line / 6;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void writeExperiment(const fs::path& folder, const Experiment& e) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto number = [](auto n) { return std::to_string(n); };
  write(folder / "acqp",
        "##TITLE=Parameter List, ParaVision 6.0.1\n##$ACQ_dim=2\n##$ACQ_size=( 2 )\n" + number(2 * samples) +
            " " + number(e.lines) + "\n##$ACQ_jobs=(1)\n(" + number(2 * samples) +
            ", 2, 0, 256, <job0>)\n##$NI=" + number(e.slices) + "\n##$NSLICES=" + number(e.slices) +
            "\n##$NR=" + number(e.repetitions) + "\n##$ACQ_phase_factor=" + number(e.train) +
            "\n##$GO_raw_data_format=" + e.format + "\n##$GO_block_size=" + e.block +
            "\n##$BYTORDA=" + e.order + "\n##$PULPROG=( 32 )\n<" + e.program +
            ">\n##$ACQ_obj_order=( 2 )\n0 1\n##$ACQ_slice_offset=( 2 )\n-2 2\n##$BF1=400.13\n"
            "$$ a comment\n##$ACQ_grad_matrix=( 2, 3, 3 )\n1 0 0 0 1 0 0 0 1\n1 0 0 0 1 0 0 0 1\n##END=\n");
  std::string steps;
  for (const int s : e.steps) steps += number(s) + " ";
  write(folder / "method", "##TITLE=Parameter List\n##$PVM_Matrix=( 2 )\n32 32\n##$PVM_EncMatrix=( 2 )\n32 " +
                               number(e.radial ? matrixSize : e.lines) +
                               "\n##$PVM_Fov=( 2 )\n40 40\n##$PVM_SliceThick=1.5\n" +
                               "##$PVM_EncNReceivers=2\n##$PVM_EchoTime=0.25\n##$PVM_EffSWh=100000\n" +
                               (e.radial ? "##$NPro=" + number(e.lines) + "\n" : "") +
                               (steps.empty() ? "" : "##$PVM_EncSteps1=( 8 )\n" + steps + "\n") + "##END=\n");
  write(folder / e.data, samplesOf(e));
  if (!e.radial) return;
  std::string traj;
  for (int line = 0; line < e.lines; ++line)
    for (int s = 0; s < samples; ++s)
      for (const double k : {std::cos(angleOf(line)), std::sin(angleOf(line))}) {
        const double at = k * double(s - samples / 2) / samples;
        traj.append(reinterpret_cast<const char*>(&at), sizeof at);
      }
  write(folder / "traj", traj);
}

void compareSamples(const Scan& scan, const Experiment& e) {
  QCOMPARE(scan.frames, e.repetitions);
  QCOMPARE(scan.slices, e.slices);
  QCOMPARE(scan.coils, receivers);
  QCOMPARE(scan.trajectory(0).shots(), std::int64_t(e.lines));
  for (int rep = 0; rep < e.repetitions; ++rep)
    for (int slice = 0; slice < e.slices; ++slice)
      for (int c = 0; c < receivers; ++c)
        for (int line = 0; line < e.lines; ++line)
          for (int s = 0; s < samples; ++s)
            QCOMPARE(
                scan.data(rep, slice, c)[line * samples + s],
                cfloat(float(valueOf(rep, line, slice, c, s, 0)), float(valueOf(rep, line, slice, c, s, 1))));
}

}  // namespace

class TestBruker : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  fs::path experiment_;

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    experiment_ = folder_.filePath("study/7").toStdString();
  }

  void parametersAreRead() {
    const BrukerParameters p(
        "##TITLE=x\n##$A=2.5\n##$B=( 2, 2 )\n1 @3*(7)\n8\n##$C=( 16 )\n<two words>\n"
        "##$D=(1, <a>, b)\n$$ no\n##$E=( 2 )\n<a> <b>\n##END=\n",
        "");
    QCOMPARE(p.number("A"), std::optional(2.5));
    QCOMPARE(p.words("B"), (std::vector<std::string>{"1", "7", "7", "7", "8"}));
    QCOMPARE(p.word("C"), std::string("two words"));
    QCOMPARE(p.words("D"), (std::vector<std::string>{"1", "a", "b"}));
    QCOMPARE(p.word("E", 1), std::string("b"));
    QVERIFY(!p.number("C") && !p.has("F"));
  }

  void radial_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("format");
    QTest::addColumn<int>("bytes");
    QTest::addColumn<QString>("block");
    QTest::addColumn<QString>("order");
    QTest::newRow("ParaVision 5") << "fid"
                                  << "GO_32BIT_SGN_INT" << 4 << "Standard_KBlock_Format"
                                  << "little";
    QTest::newRow("16 bits, big") << "fid"
                                  << "GO_16BIT_SGN_INT" << 2 << "continuous"
                                  << "big";
    QTest::newRow("ParaVision 6") << "rawdata.job0"
                                  << "GO_32BIT_SGN_INT" << 4 << "Standard_KBlock_Format"
                                  << "little";
  }
  // The folder and its data file mean the same; points reach cycles/FOV.
  void radial() {
    QFETCH(QString, data);
    QFETCH(QString, format);
    QFETCH(int, bytes);
    QFETCH(QString, block);
    QFETCH(QString, order);
    Experiment e;
    e.data = data.toStdString();
    e.format = format.toStdString();
    e.bytes = bytes;
    e.block = block.toStdString();
    e.order = order.toStdString();
    writeExperiment(experiment_, e);
    for (const fs::path& name : {experiment_, experiment_ / e.data, experiment_ / "acqp"}) {
      const auto scan = readScan(name, {}, {});
      compareSamples(*scan, e);
      QCOMPARE(scan->geometry.matrix, (Index3{32, 32, 1}));
      QVERIFY(std::abs(scan->geometry.fov[0] - 40) < 1e-4 && std::abs(scan->geometry.fov[2] - 1.5) < 1e-4);
      QCOMPARE(scan->geometry.slicePositions.size(), std::size_t(2));
      QCOMPARE(scan->geometry.slicePositions[1][2], 2.0);
      for (int line = 0; line < e.lines; ++line)
        for (int s = 0; s < samples; ++s) {
          const double* const k = scan->trajectory(0).points.data() + 2 * (line * samples + s);
          QVERIFY(std::abs(k[0] - std::cos(angleOf(line)) * (s - samples / 2)) < 1e-4);
          QVERIFY(std::abs(k[1] - std::sin(angleOf(line)) * (s - samples / 2)) < 1e-4);
        }
    }
  }

  // Trains of four lines; PVM_EncSteps1 says where each lies.
  void cartesian() {
    Experiment e;
    e.radial = false;
    e.program = "RARE.ppg";
    e.lines = 8;
    e.train = 4;
    e.repetitions = 1;
    e.steps = {0, 1, 2, 3, -4, -3, -2, -1};
    writeExperiment(experiment_, e);
    ReadOptions options;
    options.overrides["missing-trajectory"] = "counters";  // the numbers have no strong centre
    const auto scan = readScan(experiment_, options, {});
    compareSamples(*scan, e);
    for (int line = 0; line < e.lines; ++line) {
      const double* const k = scan->trajectory(0).points.data() + 2 * line * samples;
      QVERIFY(std::abs(std::abs(k[1]) - std::abs(e.steps[std::size_t(line)])) < 1e-6);
    }
  }

  void otherMeasurementsAreRefused() {
    Experiment e;
    e.program = "EPI.ppg";
    writeExperiment(experiment_, e);
    QVERIFY_THROWS_EXCEPTION(Error, readScan(experiment_, {}, {}));
    e.program = "UTE.ppg";
    e.format = "GO_STRANGE";
    writeExperiment(experiment_, e);
    QVERIFY_THROWS_EXCEPTION(Error, readScan(experiment_, {}, {}));
  }

  void brokenOffIsTold() {
    const Experiment e;
    writeExperiment(experiment_, e);
    fs::resize_file(experiment_ / "fid", fs::file_size(experiment_ / "fid") / 2);
    const auto scan = readScan(experiment_, {}, {});
    QCOMPARE(scan->frames, 1);
    const auto says = [](const std::string& w) { return w.find("12 of 24 readouts") != std::string::npos; };
    QVERIFY(std::any_of(scan->warnings.begin(), scan->warnings.end(), says));
    for (const int numbers : {13, 12}) {  // no whole shots; one point a shot
      fs::resize_file(experiment_ / "traj", sizeof(double) * std::uintmax_t(numbers));
      QVERIFY_THROWS_EXCEPTION(Error, readScan(experiment_, {}, {}));
    }
  }

  void damagedFiles() {
    std::mt19937 random(test::campaignSeed(21));
    const Experiment e;
    int read = 0, refused = 0;
    const int rounds = 40 * test::campaignFactor();
    for (int i = 0; i < rounds; ++i) {
      writeExperiment(experiment_, e);
      const fs::path file = experiment_ / (i % 3 == 0 ? "method" : i % 3 == 1 ? "acqp" : "traj");
      std::ifstream in(file, std::ios::binary);
      std::string bytes((std::istreambuf_iterator<char>(in)), {});
      if (i % 4 == 0) bytes.resize(random() % bytes.size());
      for (int n = 0; n < 1 + i % 5 && !bytes.empty(); ++n)
        bytes[random() % bytes.size()] = i % 2 ? char(random()) : char('0' + random() % 10);
      write(file, bytes);
      try {
        validate(*readScan(experiment_, {}, {}));
        ++read;
      } catch (const Error& error) {
        QVERIFY(!error.summary().empty() && !error.reason().empty());
        ++refused;
      }
    }
    qInfo("%d read, %d refused", read, refused);
    QVERIFY(read > 0 && refused > 0);
  }
};

SPOKELAB_TEST(TestBruker)

}  // namespace test_bruker

#include "test_bruker.moc"
