// A rigid motion that a file gives for groups of shots is taken out: samples of points that moved
// are those of points at rest at the new places of k, in the plane and in space.
#include <QtTest>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/read/correct/correct_motion.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_shot_motion {

using namespace spokelab;

namespace {

constexpr double pi = std::numbers::pi;

struct Source {
  Vec3 at;  // mm
  cdouble height;
};
const Source sources[] = {
    {{31, -12, 9}, {1, 0.3}}, {{-44, 25, -21}, {0.5, -0.8}}, {{5, 60, 33}, {-0.7, 0.2}}};

// r' = R r + t by hand: turns about x, then y, then z.
Vec3 moved(const Vec3& r, const Vec3& degrees, const Vec3& shift) {
  Vec3 v = r;
  const auto turn = [&](std::size_t a, std::size_t b, double angle) {
    const double c = std::cos(angle * pi / 180), s = std::sin(angle * pi / 180), p = v[a], q = v[b];
    v[a] = c * p - s * q;
    v[b] = s * p + c * q;
  };
  turn(1, 2, degrees[0]);
  turn(2, 0, degrees[1]);
  turn(0, 1, degrees[2]);
  for (std::size_t i = 0; i < 3; ++i) v[i] += shift[i];
  return v;
}

std::shared_ptr<Scan> scanOf(bool volume) {
  SimulateOptions o;
  o.trajectory.pattern = volume ? Pattern::radial3d : Pattern::goldenRadial2d;
  o.trajectory.matrix = {32, 32, volume ? 32 : 1};
  o.trajectory.shots = 30;
  o.coils = 2;
  return std::make_shared<Scan>(*simulate(o, {}));
}

cdouble seen(const Scan& scan, std::int64_t j, const Vec3& degrees, const Vec3& shift) {
  const Trajectory& t = scan.trajectories.front();
  cdouble sum = 0;
  for (const Source& source : sources) {
    Vec3 at = source.at;
    if (t.dims == 2) at[2] = 0;
    at = moved(at, degrees, shift);
    double cycles = 0;
    for (std::size_t i = 0; i < std::size_t(t.dims); ++i)
      cycles += t.points[std::size_t(j * t.dims) + i] * at[i] / scan.geometry.fov[i];
    sum += source.height * std::polar(1.0, -2 * pi * cycles);
  }
  return sum;
}

Decisions decisions(const QString& file, const std::string& other = "") {
  ReadOptions reading;
  reading.overrides["shot-motion"] = file.toStdString();
  if (!other.empty()) reading.overrides[other] = "4";
  return {reading, "Cannot read the test's scan"};
}

}  // namespace

class TestShotMotion : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QString fileOf(const char* text) const {
    const QString name = folder_.filePath("motion.txt");
    QFile file(name);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) qFatal("no room for a test's file");
    return name;
  }

 private slots:
  void sourcesComeToRest_data() {
    QTest::addColumn<bool>("volume");
    QTest::newRow("plane") << false;
    QTest::newRow("space") << true;
  }
  void sourcesComeToRest() {
    QFETCH(const bool, volume);
    const Vec3 still{0, 0, 0};
    const Vec3 turns[] = {volume ? Vec3{3, -8, 12} : Vec3{0, 0, 12},
                          volume ? Vec3{-20, 5, 1} : Vec3{0, 0, -7.5}};
    const Vec3 shifts[] = {volume ? Vec3{4, -6, 2} : Vec3{4, -6, 0}, volume ? Vec3{0, 1, -9} : Vec3{0, 1, 0}};
    const auto scan = scanOf(volume);
    const Trajectory before = scan->trajectories.front();
    const auto groupOf = [](std::int64_t shot) { return shot < 10 ? 0 : shot == 25 ? 1 : -1; };
    for (std::int64_t s = 0; s < before.shots(); ++s)
      for (std::int64_t j = before.shotOffsets[std::size_t(s)]; j < before.shotOffsets[std::size_t(s) + 1];
           ++j)
        for (int c = 0; c < scan->coils; ++c) {
          const int g = groupOf(s);
          const cdouble value = seen(*scan, j, g < 0 ? still : turns[g], g < 0 ? still : shifts[g]);
          scan->change(0, 0, c, [&](auto* to) { to[j] = std::remove_pointer_t<decltype(to)>(value); });
        }
    auto d = decisions(fileOf(volume ? "# turns about x, y, z; mm\n0-9 3 -8 12 4 -6 2\n\n25 -20 5 1 0 1 -9\n"
                                     : "# a turn and mm\n0-9 12 4 -6\n\n25 -7.5 0 1\n"));
    correctMotion(*scan, d);
    QVERIFY(d.made.back().evidence.find("11 of 30 shots") != std::string::npos);
    double farthest = 0;
    for (std::int64_t j = 0; j < before.samples(); ++j) {
      for (int c = 0; c < scan->coils; ++c)
        QVERIFY(std::abs(cdouble(scan->data(0, 0, c)[j]) - seen(*scan, j, still, still)) < 2e-5);
      for (int i = 0; i < before.dims; ++i)
        farthest =
            std::max(farthest, std::abs(scan->trajectories.front().points[std::size_t(j * before.dims + i)] -
                                        before.points[std::size_t(j * before.dims + i)]));
    }
    QVERIFY(farthest > 1);
  }

  void framesCountTheirShotsOn() {
    const auto scan = scanOf(false);
    scan->trajectories.push_back(scan->trajectories.front());
    scan->samples.push_back(scan->samples.front());
    scan->frames = 2;
    const std::vector<double> before = scan->trajectories[0].points;
    auto d = decisions(fileOf("31 10 0 0\n"));  // the second shot of the second frame
    correctMotion(*scan, d);
    QVERIFY(scan->trajectories[0].points == before);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) changed += scan->trajectories[1].points[i] != before[i];
    QVERIFY(changed > 0 && changed <= before.size() / 30);
  }

  void whatIsWrongIsSaid_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("part");
    QTest::newRow("too few numbers") << QByteArray("0-9 3 4\n") << "row 1";
    QTest::newRow("too many") << QByteArray("0-9 3 4 5 6\n") << "3 numbers";
    QTest::newRow("a word") << QByteArray("# turn\n0-9 3 4 left\n") << "row 2";
    QTest::newRow("not finite") << QByteArray("0-9 3 4 nan\n") << "3 numbers";
    QTest::newRow("a shot twice") << QByteArray("0-9 1 0 0\n9 1 0 0\n") << "shot 9 a second time";
    QTest::newRow("no such shot") << QByteArray("30 1 0 0\n") << "30";
  }
  void whatIsWrongIsSaid() {
    QFETCH(const QByteArray, text);
    QFETCH(const QString, part);
    const auto scan = scanOf(false);
    auto d = decisions(fileOf(text.constData()));
    try {
      correctMotion(*scan, d);
      QFAIL("no error");
    } catch (const Error& e) {
      QVERIFY2(QString::fromStdString(e.reason()).contains(part), e.what());
    }
  }

  void binsAndMissingFilesAreRefused() {
    const auto scan = scanOf(false);
    auto missing = decisions(folder_.filePath("nowhere.txt"));
    QVERIFY_THROWS_EXCEPTION(Error, correctMotion(*scan, missing));
    auto bins = decisions(fileOf("0 1 0 0\n"), "breathing");
    QVERIFY_THROWS_EXCEPTION(Error, correctMotion(*scan, bins));
    auto none = decisions("none");
    const std::vector<double> before = scan->trajectories[0].points;
    correctMotion(*scan, none);
    QVERIFY(scan->trajectories[0].points == before);
  }
};

SPOKELAB_CORE_TEST(TestShotMotion)

}  // namespace test_shot_motion

#include "test_shot_motion.moc"
