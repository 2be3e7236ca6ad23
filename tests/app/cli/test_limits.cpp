// Under any limit that a user or a container sets, a command succeeds with the right image or ends
// with an error in words: no signal, no hang. What works with less memory works with more.
#include <sys/resource.h>

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>
#include <random>
#include <vector>

#include "tests/app/cli/run_cli.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

using namespace spokelab::test;

namespace {

constexpr rlim_t kibibyte = 1024, mebibyte = kibibyte * kibibyte;

#ifdef __SANITIZE_ADDRESS__
constexpr bool reservesAddresses = true;  // terabytes of shadow memory
#elif defined(__SANITIZE_THREAD__)
constexpr bool reservesAddresses = true;
#else
constexpr bool reservesAddresses = false;
#endif

enum class Ending { done, refused };

class LimitsTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QStringList reconstruction(const QString& scan) const {
    return {"reconstruct", scan,          "-o",     "image.npy", "--reference", "reference.npy", "--effort",
            "estimate",    "--no-wisdom", "--json", "-"};
  }

  CliResult under(int resource, rlim_t limit, const QStringList& arguments) const {
    return runCli(folder_.path(), arguments, [=] {
      const rlimit both{limit, limit};
      setrlimit(static_cast<__rlimit_resource>(resource), &both);
    });
  }

  // The command's ending; fails the test for any other than the two.
  Ending endingOf(const CliResult& r, const QString& limit) const {
    if (r.code == 0) {
      const double difference = QJsonDocument::fromJson(r.out)["reference"]["nrmse"].toDouble(1);
      // another plan may have been taken, but of the same accuracy
      constexpr double twoPlans = 2e-3;
      if (!(difference < twoPlans)) qFatal("%s: image off by %g", qPrintable(limit), difference);
      return Ending::done;
    }
    // The system's loader, before the program begins.
    const bool notStarted = r.code == 127 || r.err.contains("error while loading shared libraries");
    if (!notStarted && (r.code != 1 || !r.err.contains("error: ")))
      qFatal("%s: exit code %d\n%s", qPrintable(limit), r.code, r.err.constData());
    return Ending::refused;
  }

 private slots:
  void initTestCase() {
    QCOMPARE(runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "48", "--coils", "3"}).code, 0);
    QCOMPARE(runCli(folder_.path(),
                    {"reconstruct", "scan.h5", "-o", "reference.npy", "--effort", "estimate", "--no-wisdom"})
                 .code,
             0);
  }

  void whatWorksWithLessMemoryWorksWithMore() {
    if (reservesAddresses) QSKIP("A sanitizer reserves more addresses than any limit allows");
    constexpr rlim_t least = 48 * mebibyte, most = 1024 * mebibyte;
    const int steps = 10 * campaignFactor();
    std::vector<rlim_t> limits;
    std::mt19937 random(campaignSeed(13));
    std::uniform_real_distribution<double> within(0, 1);
    for (int i = 0; i < steps; ++i)  // evenly on a logarithmic scale, at random within a step
      limits.push_back(
          rlim_t(double(least) * std::pow(double(most) / double(least), (i + within(random)) / steps)));
    rlim_t worked = 0;
    for (const rlim_t limit : limits) {
      const QString name = QString("ulimit -v %1").arg(limit / kibibyte);
      const CliResult r = under(RLIMIT_AS, limit, reconstruction("scan.h5"));
      const Ending ending = endingOf(r, name);
      if (ending == Ending::done && worked == 0) worked = limit;
      QVERIFY2(ending == Ending::done || worked == 0, qPrintable(QString("%1 fails where %2 works: %3")
                                                                     .arg(name)
                                                                     .arg(worked / kibibyte)
                                                                     .arg(QString::fromUtf8(r.err))));
    }
    QVERIFY(worked > 0);
    countCases("memory limits", steps);
  }

  void everyOtherLimitEndsWellOrInWords_data() {
    QTest::addColumn<int>("resource");
    QTest::addColumn<QList<int>>("limits");
    QTest::newRow("size of files") << int(RLIMIT_FSIZE) << QList<int>{0, 100, 4096, 20000, 10000000};
    QTest::newRow("open files") << int(RLIMIT_NOFILE) << QList<int>{4, 6, 8, 12, 64};
    QTest::newRow("stack") << int(RLIMIT_STACK) << QList<int>{256 << 10, 1 << 20, 64 << 20};
    QTest::newRow("processes") << int(RLIMIT_NPROC) << QList<int>{1, 3, 1000};
    QTest::newRow("data") << int(RLIMIT_DATA) << QList<int>{1 << 20, 16 << 20, 64 << 20, 512 << 20};
  }
  void everyOtherLimitEndsWellOrInWords() {
    QFETCH(int, resource);
    QFETCH(QList<int>, limits);
    if (reservesAddresses && resource == RLIMIT_DATA) QSKIP("A sanitizer needs much more");
    for (const int limit : limits)
      endingOf(under(resource, rlim_t(limit), reconstruction("scan.h5")),
               QString("%1 %2").arg(QTest::currentDataTag()).arg(limit));
    QCOMPARE(endingOf(under(resource, RLIM_INFINITY, reconstruction("scan.h5")), "no limit"), Ending::done);
    countCases("other limits", int(limits.size()) + 1);
  }

  // Far more than any machine has: refused at once, with what is needed, what there is, and what to
  // do.
  void absurdRequestsAreRefusedInWords_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto simulate = [](const QStringList& what) {
      return QStringList{"simulate", "-o", "huge.h5"} + what;
    };
    QTest::newRow("matrix") << simulate({"--matrix", "60000"});
    QTest::newRow("volume") << simulate({"--pattern", "radial3d", "--matrix", "20000"});
    QTest::newRow("shots") << simulate({"--shots", "1000000000"});
    QTest::newRow("coils and frames") << simulate({"--coils", "1024", "--frames", "65536"});
    // One image of it can be had, and so the scan can be read; what the jobs make of it cannot.
    const QStringList plane = {"scan.h5", "--set", "matrix=14000x14000", "--set", "k-unit=cycles/pixel"};
    for (const char* job : {"tune", "sweep", "density", "maps"})
      QTest::newRow(job) << QStringList{job} + plane;
    QTest::newRow("matrix of a scan") << QStringList{"info", "scan.h5", "--set", "matrix=60000x60000"};
    QTest::newRow("psf") << QStringList{"density", "--density", "pipe-menon"} + plane;
    QTest::newRow("report") << QStringList{"report", "-o", "huge"} + plane;
    const QStringList image = QStringList{"reconstruct", "-o", "huge.npy", "--no-wisdom"} + plane;
    QTest::newRow("gridding") << image;
    QTest::newRow("double") << image + QStringList{"--precision", "double"};
    QTest::newRow("given plan") << image + QStringList{"--alpha", "1.5", "--width", "5"};
    QTest::newRow("exact") << image + QStringList{"--exact"};
    QTest::newRow("sense") << image + QStringList{"--method", "sense"};
    QTest::newRow("coils apart") << image + QStringList{"--combine", "none"};
    QTest::newRow("adaptive") << image + QStringList{"--combine", "adaptive"};
    QTest::newRow("study") << QStringList{"study", "alpha", "--sizes", "1024"};
    QTest::newRow("random points") << QStringList{"study", "spreading", "--sizes", "512"};
    QTest::newRow("whole transforms") << QStringList{"study", "pruned-fft", "--sizes", "1024"};
  }
  void absurdRequestsAreRefusedInWords() {
    if (reservesAddresses) QSKIP("A sanitizer reserves more addresses than the limit allows");
    QFETCH(QStringList, arguments);
    // The machines that run tests have between some gigabytes and a terabyte: the limit makes them
    // alike, and keeps a failure of this test from taking them down.
    constexpr rlim_t memory = 2048 * mebibyte;
    const CliResult r = under(RLIMIT_AS, memory, arguments);
    QVERIFY2(r.code == 1, (QByteArray::number(r.code) + r.err).constData());
    QVERIFY2(r.err.contains("error: ") && r.err.contains("what to do: "), r.err.constData());
    QVERIFY2(r.err.contains("of memory; of 2.1 GB"), r.err.constData());
    for (const char* output : {"huge.h5", "huge.npy", "huge"})
      QVERIFY(!QFileInfo::exists(folder_.filePath(output)));
  }
};

}  // namespace

SPOKELAB_TEST(LimitsTest)
#include "test_limits.moc"
