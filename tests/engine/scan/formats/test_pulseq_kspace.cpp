// Pulseq sequences of every version: k at each sample is the integral of the gradients since the
// excitation; pulses, shapes, rotations and labels do what the format says; damaged files are
// refused.
#include <QtTest>

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "engine/core/error.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/pulseq/pulseq_facts.h"
#include "tests/campaign.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/sequence_file.h"
#include "tests/test_main.h"

namespace test_pulseq_kspace {

using namespace spokelab;
using namespace spokelab::test;

namespace {

PulseqSequence parsed(const std::string& text) {
  return parsePulseq(text, "Cannot read a test", Progress());
}

PulseqKspace kspaceOf(const std::string& text) {
  return calculateKspace(parsed(text), "Cannot read a test", Progress());
}

// Largest distance from the spokes of `spec`, over the largest |k|.
double errorOf(const SequenceSpec& spec) {
  const PulseqKspace kspace = kspaceOf(sequenceText(spec));
  if (kspace.readouts.size() != std::size_t(spec.shots)) return 1e9;
  double worst = 0;
  for (int n = 0; n < spec.shots; ++n)
    for (int j = 0; j < spec.samples; ++j) {
      const Vec3& k = kspace.k[std::size_t(kspace.readouts[std::size_t(n)].first + j)];
      const double r = radiusOf(spec, j), angle = n * spec.angle;
      worst = std::max({worst, std::abs(k[0] - r * std::cos(angle)), std::abs(k[1] - r * std::sin(angle)),
                        std::abs(k[2])});
    }
  return worst / (spec.samples / 2 / spec.fov);
}

std::vector<double> doublesOf(const std::string& bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  std::copy_n(bytes.data(), values.size() * sizeof(double), reinterpret_cast<char*>(values.data()));
  return values;
}

}  // namespace

class TestPulseqKspace : public QObject, private ArrayFolder {
  Q_OBJECT

 private slots:
  void init() { renew(); }

  void everyVersionGivesTheSpokes() {
    for (const int minor : {2, 3, 4, 5}) {
      SequenceSpec spec;
      spec.minor = minor;
      QVERIFY2(errorOf(spec) < 1e-9, std::to_string(minor).c_str());
      spec.refocused = true;
      QVERIFY2(errorOf(spec) < 1e-9, std::to_string(minor).c_str());
    }
  }

  void rotationsTurnTheGradients() {
    SequenceSpec spec;
    spec.rotations = true;
    QVERIFY(errorOf(spec) < 1e-9);
  }

  // A turn about any axis, by the formula of Rodrigues: the file has (cos a/2, sin a/2 axis).
  void rotationsAreQuaternions() {
    SequenceSpec spec;
    spec.rotations = true;
    spec.shots = 4;
    std::string text = sequenceText(spec);
    const std::size_t rows = text.find("extension ROTATIONS 1\n") + std::strlen("extension ROTATIONS 1\n");
    std::ostringstream turns;
    turns.precision(17);
    const Vec3 axis{2.0 / 3, -1.0 / 3, 2.0 / 3};
    for (int n = 0; n < spec.shots; ++n) {
      turns << n + 1 << ' ' << std::cos(0.35 * n);
      for (const double part : axis) turns << ' ' << std::sin(0.35 * n) * part;
      turns << '\n';
    }
    text.replace(rows, text.find("\n\n", rows) + 1 - rows, turns.str());
    const PulseqKspace kspace = kspaceOf(text);
    QCOMPARE(kspace.readouts.size(), std::size_t(spec.shots));
    for (int n = 0; n < spec.shots; ++n)
      for (int j = 0; j < spec.samples; ++j) {
        const double r = radiusOf(spec, j), c = std::cos(0.7 * n), s = std::sin(0.7 * n);
        // x turned: x cos + (axis x x) sin + axis (axis . x) (1 - cos)
        const Vec3 turned{c + axis[0] * axis[0] * (1 - c), axis[2] * s + axis[1] * axis[0] * (1 - c),
                          -axis[1] * s + axis[2] * axis[0] * (1 - c)};
        const Vec3& k = kspace.k[std::size_t(kspace.readouts[std::size_t(n)].first + j)];
        for (std::size_t d = 0; d < 3; ++d) QVERIFY(std::abs(k[d] - r * turned[d]) < 1e-7);
      }
  }

  void labelsCountReadouts() {
    SequenceSpec spec;
    spec.labels = true;
    const PulseqKspace kspace = kspaceOf(sequenceText(spec));
    for (int n = 0; n < spec.shots; ++n) {
      QCOMPARE(kspace.readouts[std::size_t(n)].label("LIN"), n);
      QCOMPARE(kspace.readouts[std::size_t(n)].label("REP"), int(2 * n >= spec.shots));
    }
  }

  void shapesAreUnpacked() {
    const auto unpacked = [](const std::vector<double>& packed, std::int64_t n) {
      return decompressShape(packed, n, false, "Cannot read a test");
    };
    QCOMPARE(unpacked({0, 0.1, 0.15, 0.25, 0.5, 0, 0, 1, -0.25, -0.25, 1, 0, 0, 1}, 14).back(), 0.25);
    const std::vector<double> ramp = unpacked({0, 0.25, 0.25, 2}, 5);
    for (std::size_t i = 0; i < 5; ++i) QCOMPARE(ramp[i], 0.25 * double(i));
    QVERIFY_EXCEPTION_THROWN(unpacked({1, 0, 0, 5}, 4), Error);
    QVERIFY_EXCEPTION_THROWN(unpacked({1, 0, 0, -1}, 4), Error);
    QVERIFY_EXCEPTION_THROWN(unpacked({1, 1}, 4), Error);
    QVERIFY_EXCEPTION_THROWN(unpacked({1, 0, 0, 1e18}, 4), Error);
  }

  void factsAreTold() {
    SequenceSpec spec;
    spec.labels = true;
    const PulseqSequence s = parsed(sequenceText(spec));
    const PulseqFacts f = pulseqFacts(s, calculateKspace(s, "", Progress()));
    QCOMPARE(f.readouts, std::int64_t(spec.shots));
    QCOMPARE(f.excitations, std::int64_t(spec.shots));
    QCOMPARE(f.maxSamples, std::int64_t(spec.samples));
    QVERIFY(f.axes == (std::vector<std::size_t>{0, 1}));
    QVERIFY(std::abs(f.fov.front() - 240) < 1e-9 && std::abs(f.fov.back() - 5) < 1e-9);
    QVERIFY(std::abs(f.maxGradient * protonHzPerTesla / readGradient(spec) - 1) < 0.5);
    // 150 us after the pulse's centre begins the dephaser of 1 ms, then half a readout.
    QVERIFY(std::abs(f.echoTime - (150e-6 + 1e-3 + 100e-6 + 16.5 * spec.dwell)) < 1e-9);
    QVERIFY(f.labels.at("LIN") == std::pair(0, spec.shots - 1));
  }

  void theLineIsNamed() {
    std::string text = sequenceText(SequenceSpec());
    text.replace(text.find("[TRAP]\n1 "), 9, "[TRAP]\n1 x");
    try {
      parsed(text);
      QFAIL("a damaged line was read");
    } catch (const Error& e) {
      QVERIFY2(e.reason().starts_with("line ") && e.reason().find("not a number") != std::string::npos,
               e.what());
    }
    QVERIFY_EXCEPTION_THROWN(parsed("[VERSION]\nmajor 1\nminor 1\n[BLOCKS]\n1 0 0 0 0 0 0\n"), Error);
    QVERIFY_EXCEPTION_THROWN(parsed("[VERSION]\nmajor 1\nminor 4\n[BLOCKS]\n1 5 9 0 0 0 0 0\n"), Error);
    QVERIFY_EXCEPTION_THROWN(
        parsed("[VERSION]\nmajor 1\nminor 4\n[BLOCKS]\n1 5 0 0 0 0 0 1\n[EXTENSIONS]\n1 1 1 1\n"), Error);
  }

  // A version number of any size: 1.4.200 is a 1.4, 1.104 and 19999918.4 are unknown.
  void aVersionOfAnySize() {
    SequenceSpec spec;
    spec.minor = 4;
    const std::string text = sequenceText(spec);
    const auto with = [&](const std::string& was, const std::string& is) {
      std::string changed = text;
      changed.replace(changed.find(was), was.size(), is);
      return changed;
    };
    const PulseqSequence s = parsed(with("revision 0", "revision 200"));
    QCOMPARE(s.revision, 200);
    // Columns as in 1.4, not as in 1.6.
    QCOMPARE(s.adcs.at(1).dwell, parsed(text).adcs.at(1).dwell);
    for (const std::string& version : {with("minor 4", "minor 104"), with("major 1", "major 19999918")}) try {
        parsed(version);
        QFAIL("an unknown version was read");
      } catch (const Error& e) {
        QVERIFY2(e.reason().find("1.2 to 1.5") != std::string::npos, e.what());
      }
  }

  // Characters, digits and lines changed at random: an answer or an Error.
  void damagedFilesEndInAnAnswer() {
    SequenceSpec spec;
    spec.shots = 3;
    std::vector<std::string> sound;
    for (const int minor : {2, 4, 5}) {
      spec.minor = minor;
      spec.labels = minor == 5;
      sound.push_back(sequenceText(spec));
    }
    spec.labels = false;
    spec.rotations = true;
    sound.push_back(sequenceText(spec));
    std::mt19937 random(campaignSeed(21));
    int read = 0, refused = 0;
    constexpr int draws = 2000;
    for (int i = 0; i < draws * campaignFactor(); ++i) {
      std::string text = sound[random() % sound.size()];
      for (int n = int(random() % 4); n >= 0; --n) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[at] = char(random());
            break;
          case 1:
            text[at] = "0123456789.-e \n"[random() % 15];
            break;
          case 2:
            text.erase(at, random() % 40);
            break;
          default:
            text.insert(at, text.substr(random() % text.size(), random() % 60));
        }
        if (text.empty()) text = "x";
      }
      try {
        const PulseqSequence s = parsed(text);
        const PulseqKspace k = calculateKspace(s, "Cannot read a test", Progress());
        pulseqFacts(s, k);
        ++read;
      } catch (const Error& e) {
        QVERIFY(!e.reason().empty());
        ++refused;
      }
    }
    QVERIFY(read > draws / 20 && refused > draws / 20);
  }

  void aRealSequenceIsRead() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    const std::filesystem::path file =
        std::filesystem::path(folder.toStdString()) / "cases" / "other" / "kooshball.seq";
    if (!std::filesystem::exists(file)) QSKIP("real scans: cases/other/kooshball.seq is not there");
    QCOMPARE(fileKind(file), FileKind::sequence);
    const PulseqSequence s = readPulseq(file, Progress());
    const PulseqKspace kspace = calculateKspace(s, "", Progress());
    const PulseqFacts f = pulseqFacts(s, kspace);
    QCOMPARE(f.readouts, std::int64_t(560));
    QCOMPARE(f.maxSamples, std::int64_t(256));
    QCOMPARE(f.axes.size(), std::size_t(3));
    // Values of pypulseq 1.5.0 (calculate_kspace).
    const std::vector<std::pair<std::size_t, Vec3>> known = {
        {0, {206.3296448, 455.444128, 5.07816366735e-09}},
        {255, {-204.7177072, -451.882592, 5.07816366735e-09}},
        {71680, {0, 442.496895997, 232.799993905}},
        {100000, {65.4608352009, 91.6638080013, 54.1998997444}},
        {143359, {-477.035455998, 122.4820608, 59.5316871405}}};
    for (const auto& [sample, k] : known)
      for (std::size_t d = 0; d < 3; ++d) QVERIFY(std::abs(kspace.k[sample][d] - k[d]) < 1e-7 * 500);
  }

  void pypulseqCalculatesTheSame() {
    const QString python = qEnvironmentVariable("SPOKELAB_PYTHON", "python3");
    QProcess process;
    process.start(python, {"-c", "import pypulseq"});
    if (!process.waitForFinished(60000) || process.exitCode() != 0)
      QSKIP("there is no python3 with pypulseq (SPOKELAB_PYTHON names another)");
    process.start(python, {SPOKELAB_SOURCE_DIR "/tests/engine/scan/formats/pulseq_oracle.py",
                           QString::fromStdString(path("").string())});
    QVERIFY(process.waitForFinished(240000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
    int compared = 0, labels = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
      if (entry.path().extension() != ".seq") continue;
      const PulseqKspace kspace = calculateKspace(readPulseq(entry.path(), Progress()), "", Progress());
      QFile file(
          QString::fromStdString(std::filesystem::path(entry.path()).replace_extension(".k").string()));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const std::vector<double> known = doublesOf(file.readAll().toStdString());
      QCOMPARE(known.size(), 3 * kspace.k.size());
      double worst = 0, largest = 0;
      for (std::size_t i = 0; i < known.size(); ++i) {
        worst = std::max(worst, std::abs(known[i] - kspace.k[i / 3][i % 3]));
        largest = std::max(largest, std::abs(known[i]));
      }
      QVERIFY2(worst < 1e-7 * largest, entry.path().c_str());
      ++compared;
      std::ifstream counted(std::filesystem::path(entry.path()).replace_extension(".labels"));
      for (std::string line; std::getline(counted, line); ++labels) {
        std::istringstream words(line);
        std::string label;
        words >> label;
        for (const PulseqReadout& readout : kspace.readouts) {
          int value = 0;
          QVERIFY(words >> value);
          QVERIFY2(readout.label(label) == value, (entry.path().string() + ": " + line).c_str());
        }
      }
    }
    QVERIFY(compared >= 20);
    QVERIFY(labels >= 9);  // of one sequence all that count
  }
};

SPOKELAB_CORE_TEST(TestPulseqKspace)

}  // namespace test_pulseq_kspace

#include "test_pulseq_kspace.moc"
