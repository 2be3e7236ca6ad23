// Layouts of Bruker experiments beyond one plane and one file: stacks of shots, the named jobs of
// ParaVision 360, slice packages that are turned against each other; and folders that the tests
// write, read by brkraw and brukerapi as well.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/read/read_scan.h"
#include "tests/test_main.h"

namespace test_bruker_layouts {

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

constexpr int samples = 16, coilCount = 2, shots = 6, matrixSize = 16;

const std::string jcampHead =
    "##TITLE=Parameter List, ParaVision\n##JCAMPDX=4.24\n##DATATYPE=Parameter Values\n";

// ParaVision 360 (rawdata.*) writes no ACQ_size.
struct Layout {
  std::string data = "fid", version = "PV 6.0.1", program = "UTE3D.ppg";
  int partitions = 4;
  bool together = true;    // ACQ_size counts shots of all partitions
  int columns = 3;         // of traj; 0: no file
  bool doubles = false;    // 64-bit floats
  bool everyShot = false;  // traj has the points of all partitions
  std::string jobs, settings;
  std::vector<int> steps;  // PVM_EncSteps2
};

int valueOf(int readout, int receiver, int number) {
  return (readout * coilCount + receiver) * 2 * samples + number + 1;
}

double angleOf(int shot) {
  return std::numbers::pi * shot / shots;
}

void writeText(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

template <class Number>
void append(std::string& to, Number value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string listOf(const std::vector<int>& values) {
  std::string text = "( " + std::to_string(values.size()) + " )\n";
  for (const int v : values) text += std::to_string(v) + " ";
  return text + "\n";
}

void writeStudy(const fs::path& folder, const Layout& l) {
  fs::remove_all(folder);
  const bool volume = l.partitions > 1, padded = l.data == "fid";
  std::vector<int> size{2 * samples, l.together ? shots * l.partitions : shots};
  if (volume && !l.together) size.push_back(l.partitions);
  writeText(folder / "acqp",
            jcampHead + "##$ACQ_dim=" + std::string(volume ? "3" : "2") + "\n" +
                (padded ? "##$ACQ_size=" + listOf(size) : "") +
                "##$NI=1\n##$NSLICES=1\n##$NR=1\n##$ACQ_phase_factor=1\n##$BYTORDA=little\n"
                "##$ACQ_word_size=_32_BIT\n##$GO_raw_data_format=GO_32BIT_SGN_INT\n"
                "##$ACQ_ReceiverSelect=( 2 )\nYes Yes\n##$ACQ_obj_order=( 1 )\n0\n##$GO_block_size=" +
                (padded ? "Standard_KBlock_Format" : "continuous") + "\n##$PULPROG=( 32 )\n<" + l.program +
                ">\n##$ACQ_sw_version=( 32 )\n<" + l.version + ">\n" + l.jobs + l.settings +
                "##$ACQ_grad_matrix=( 1, 3, 3 )\n1 0 0 0 1 0 0 0 1\n##END=\n");
  std::vector<int> matrix{matrixSize, l.columns ? matrixSize : shots};
  if (volume) matrix.push_back(l.partitions);
  writeText(folder / "method",
            jcampHead + "##$PVM_Matrix=" + listOf(matrix) + "##$PVM_EncMatrix=" + listOf(matrix) +
                "##$PVM_Fov=" + listOf(volume ? std::vector{40, 40, 20} : std::vector{40, 40}) +
                "##$PVM_SliceThick=20\n##$PVM_EncNReceivers=2\n##$PVM_EffSWh=100000\n" +
                (l.columns ? "##$NPro=" + std::to_string(shots) + "\n" : "") +
                (l.steps.empty() ? "" : "##$PVM_EncSteps2=" + listOf(l.steps)) + "##END=\n");
  std::string data, traj;
  for (int r = 0; r < shots * l.partitions; ++r) {
    for (int c = 0; c < coilCount; ++c)
      for (int i = 0; i < 2 * samples; ++i)
        l.doubles ? append(data, double(valueOf(r, c, i))) : append(data, valueOf(r, c, i));
    if (padded) data.resize((data.size() + 1023) / 1024 * 1024);
  }
  writeText(folder / l.data, data);
  for (int r = 0; r < shots * (l.everyShot ? l.partitions : 1); ++r)
    for (int s = 0; s < samples; ++s) {
      const double radius = double(s - samples / 2) / samples;
      const double kz = l.everyShot ? double(r / shots - l.partitions / 2) / l.partitions : 0;
      const double k[3] = {radius * std::cos(angleOf(r % shots)), radius * std::sin(angleOf(r % shots)), kz};
      for (int d = 0; d < l.columns; ++d) append(traj, k[d]);
    }
  if (l.columns) writeText(folder / "traj", traj);
}

// Each shot of the scan holds the numbers of the readout that its points tell.
void compareStack(const Scan& scan, const Layout& l) {
  const Trajectory& t = scan.trajectory(0);
  QCOMPARE(t.dims, 3);
  QCOMPARE(t.shots(), std::int64_t(shots * l.partitions));
  std::vector<int> seen(std::size_t(shots * l.partitions), 0);
  for (std::int64_t n = 0; n < t.shots(); ++n) {
    const double* const first = t.points.data() + 3 * samples * n;  // at radius -samples / 2
    double angle = std::atan2(-first[1], -first[0]);
    if (angle < -1e-3) angle += std::numbers::pi;
    const int shot = int(std::lround(angle * shots / std::numbers::pi)), kz = int(std::lround(first[2]));
    int partition = kz + l.partitions / 2;
    for (std::size_t i = 0; i < l.steps.size(); ++i)
      if (l.steps[i] == kz) partition = int(i);
    QVERIFY(shot >= 0 && shot < shots && partition >= 0 && partition < l.partitions);
    const int readout = shot + shots * partition;
    ++seen[std::size_t(readout)];
    for (int c = 0; c < coilCount; ++c)
      for (int s = 0; s < samples; ++s)
        QCOMPARE(scan.data(0, 0, c)[n * samples + s],
                 cfloat(float(valueOf(readout, c, 2 * s)), float(valueOf(readout, c, 2 * s + 1))));
  }
  for (const int times : seen) QCOMPARE(times, 1);
}

const std::string twoJobs =
    "##$ACQ_jobs=(2)\n(32, 1, 0, 6, 101, 50000, 6, 1, <image>) (8, 1, 0, 6, 101, 50000, 6, 1, "
    "<navigator>)\n";

}  // namespace

class TestBrukerLayouts : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  fs::path study_;

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    study_ = folder_.filePath("study").toStdString();
  }

  void stacks_data() {
    QTest::addColumn<bool>("together");
    QTest::addColumn<int>("columns");
    QTest::addColumn<bool>("everyShot");
    QTest::newRow("shots of all partitions together") << true << 3 << false;
    QTest::newRow("partitions as a third size") << false << 3 << false;
    QTest::newRow("points in the plane") << true << 2 << false;
    QTest::newRow("points of every shot") << true << 3 << true;
  }
  void stacks() {
    Layout l;
    QFETCH(bool, together);
    QFETCH(int, columns);
    QFETCH(bool, everyShot);
    l.together = together;
    l.columns = columns;
    l.everyShot = everyShot;
    for (const bool centreOut : {false, true}) {
      if (centreOut && everyShot) continue;  // its points tell where it lies
      l.steps = centreOut ? std::vector<int>{0, -1, 1, -2} : std::vector<int>{};
      writeStudy(study_ / "1", l);
      const auto scan = readScan(study_ / "1", {}, {});
      QCOMPARE(scan->geometry.matrix, (Index3{matrixSize, matrixSize, 4}));
      compareStack(*scan, l);
    }
  }

  // The image's job has 64-bit floats, and a second job is beside it.
  void namedJobs() {
    Layout l;
    l.partitions = 1;
    l.columns = 2;
    l.version = "PV-360.3.4";
    l.data = "rawdata.image";
    l.doubles = true;
    l.jobs = twoJobs;
    l.settings = "##$ACQ_ScanPipeJobSettings=(2)\n(STORE_64bit_float, a) (STORE_32bit_signed, b)\n";
    writeStudy(study_ / "1", l);
    writeText(study_ / "1" / "rawdata.navigator", std::string(6 * 2 * 8 * 4, '\1'));
    for (const fs::path& name : {study_ / "1", study_ / "1" / "rawdata.image"}) {
      const auto scan = readScan(name, {}, {});
      QVERIFY(scan->warnings.empty());
      QCOMPARE(scan->trajectory(0).shots(), std::int64_t(shots));
      for (int n = 0; n < shots; ++n)
        for (int c = 0; c < coilCount; ++c)
          for (int s = 0; s < samples; ++s)
            QCOMPARE(scan->data(0, 0, c)[n * samples + s],
                     cfloat(float(valueOf(n, c, 2 * s)), float(valueOf(n, c, 2 * s + 1))));
    }
    // The navigator's readouts are shorter than the trajectory's; a remark says so.
    const auto navigator = readScan(study_ / "1" / "rawdata.navigator", {}, {});
    QCOMPARE(navigator->trajectory(0).samples(), std::int64_t(shots * 4));
    QVERIFY(!navigator->warnings.empty());
    l.settings = "##$ACQ_ScanPipeJobSettings=(2)\n(STORE_discard, a) (STORE_32bit_signed, b)\n";
    writeStudy(study_ / "1", l);
    QVERIFY_THROWS_EXCEPTION(Error, readScan(study_ / "1", {}, {}));
    l.settings = "";
    l.data = "rawdata.other";
    writeStudy(study_ / "1", l);
    QVERIFY_THROWS_EXCEPTION(Error, readScan(study_ / "1", {}, {}));
  }

  // Packages of slices that are turned against each other become groups.
  void slicePackages() {
    Layout l;
    l.partitions = 1;
    l.columns = 2;
    writeStudy(study_ / "1", l);
    std::string text;
    {
      std::ifstream in(study_ / "1" / "acqp", std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(in), {});
    }
    const auto replace = [&](const std::string& was, const std::string& is) {
      text.replace(text.find(was), was.size(), is);
    };
    replace("##$NI=1\n##$NSLICES=1", "##$NI=2\n##$NSLICES=2");
    replace("##$ACQ_grad_matrix=( 1, 3, 3 )\n1 0 0 0 1 0 0 0 1",
            "##$ACQ_grad_matrix=( 2, 3, 3 )\n1 0 0 0 1 0 0 0 1 0 1 0 0 0 1 1 0 0");
    replace("##$ACQ_obj_order=( 1 )\n0", "##$ACQ_obj_order=( 2 )\n0 1");
    writeText(study_ / "1" / "acqp", text);
    std::string data;
    for (int r = 0; r < 2 * shots; ++r) {
      for (int c = 0; c < coilCount; ++c)
        for (int i = 0; i < 2 * samples; ++i) append(data, valueOf(r, c, i));
      data.resize((data.size() + 1023) / 1024 * 1024);
    }
    writeText(study_ / "1" / "fid", data);
    const auto scan = readScan(study_ / "1", {}, {});
    QCOMPARE(scan->slices, 2);
    const auto groups = std::find_if(scan->decisions.begin(), scan->decisions.end(),
                                     [](const Decision& d) { return d.topic == "slice-groups"; });
    QVERIFY(groups != scan->decisions.end() && groups->choice == "2");
    QCOMPARE(scan->data(0, 1, 0)[0], cfloat(float(valueOf(1, 0, 0)), float(valueOf(1, 0, 1))));
  }

  void brkrawAndBrukerapiReadTheSame() {
    const QString python = qEnvironmentVariable("SPOKELAB_PYTHON", "python3");
    QProcess process;
    process.start(python, {"-c", "import brkraw, brukerapi"});
    if (!process.waitForFinished(60000) || process.exitCode() != 0)
      QSKIP("there is no python3 with brkraw and brukerapi (SPOKELAB_PYTHON names another)");
    fs::remove_all(study_);
    std::vector<Layout> layouts(3);
    layouts[1].data = "rawdata.job0";  // Cartesian, ParaVision 360
    layouts[1].version = "PV-360.3.4";
    layouts[1].program = "FLASH.ppg";
    layouts[1].partitions = 1;
    layouts[1].columns = 0;
    layouts[1].jobs = "##$ACQ_jobs=(1)\n(32, 1, 0, 6, 101, 50000, 6, 1, <job0>)\n";
    layouts[2].partitions = 1;  // radial, a plane
    layouts[2].columns = 2;
    layouts[2].program = "UTE.ppg";
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      const fs::path folder = study_ / std::to_string(i + 1);
      writeStudy(folder, layouts[i]);
      for (const char* const name : {"visu_pars", "reco"})
        writeText(folder / "pdata" / "1" / name, jcampHead + "##END=\n");
      writeText(folder / "pdata" / "1" / "2dseq", "");
    }
    process.start(python, {SPOKELAB_SOURCE_DIR "/tests/engine/scan/scanner/bruker_oracle.py",
                           QString::fromStdString(study_.string())});
    QVERIFY(process.waitForFinished(240000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      const Layout& l = layouts[i];
      const std::string number = std::to_string(i + 1);
      const auto known = [&](const char* kind, auto example) {
        std::ifstream in(study_ / (number + kind), std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)), {});
        std::vector<decltype(example)> values(bytes.size() / sizeof example);
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof example);
        return values;
      };
      ReadOptions options;
      options.overrides["missing-trajectory"] = "counters";  // the numbers have no strong centre
      if (l.columns) options.overrides.clear();
      const auto scan = readScan(study_ / number, options, {});
      const auto flat = known(".brkraw", float{});
      const auto kspace = known(".brukerapi", cfloat{});
      const std::int64_t readouts = shots * l.partitions;
      QCOMPARE(std::int64_t(kspace.size()), coilCount * readouts * samples);
      const std::size_t block = flat.size() / std::size_t(readouts);  // with its padding
      for (std::int64_t n = 0; n < readouts; ++n)
        for (int c = 0; c < coilCount; ++c)
          for (int s = 0; s < samples; ++s) {
            const cfloat ours = scan->data(0, 0, c)[n * samples + s];
            QCOMPARE(ours, kspace[std::size_t((c * readouts + n) * samples + s)]);
            const std::size_t at = std::size_t(n) * block + std::size_t(2 * (c * samples + s));
            QCOMPARE(ours, cfloat(flat[at], flat[at + 1]));
          }
    }
  }
};

SPOKELAB_CORE_TEST(TestBrukerLayouts)

}  // namespace test_bruker_layouts

#include "test_bruker_layouts.moc"
