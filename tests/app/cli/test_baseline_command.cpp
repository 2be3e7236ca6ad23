// baseline: timings are kept, compared, and judged; what is wrong ends with exit code 1.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_baseline_command {

using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;

class TestBaselineCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QJsonObject read(const char* name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
  }
  // before.json with each case changed, as `name`.
  void alter(const char* name, const std::function<void(QJsonObject&)>& change) const {
    QJsonObject baseline = read("before.json");
    QJsonArray cases;
    for (const QJsonValue& value : baseline["cases"].toArray()) {
      QJsonObject one = value.toObject();
      change(one);
      cases.append(one);
    }
    baseline["cases"] = cases;
    baseline["name"] = name;
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(baseline).toJson());
  }
  // Times of `factor` milliseconds that scatter by some percent, as on a quiet machine: those that
  // this machine measured may scatter by any factor.
  static void setTimes(QJsonObject& one, double factor) {
    constexpr double milliseconds = 1e-3, scatter = 0.01;
    constexpr int differentTimes = 5;
    QJsonArray times;
    for (int i = 0; i < one["seconds"].toArray().size(); ++i)
      times.append(factor * milliseconds * (1 + scatter * (i % differentTimes)));
    one["seconds"] = times;
  }

 private slots:
  void initTestCase() {
    const auto scan = run({"simulate", "-o", "scan.h5", "--matrix", "32", "--coils", "1"});
    QVERIFY2(scan.code == 0, scan.err);
    const auto r = run({"baseline", "scan.h5", "--alphas", "1.5,2", "--widths", "4,5", "--rounds", "8",
                        "--executions", "1", "--save", "before.json"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("8 rounds of 1 execution"), r.out);
  }

  void timingsAreKeptWithWhereTheyComeFrom() {
    const QJsonObject b = read("before.json");
    QCOMPARE(b["format"].toString(), QString("spokelab-results"));
    QCOMPARE(b["name"].toString(), QString("before"));
    QCOMPARE(b["cases"].toArray().size(), 4);
    QCOMPARE(b["cases"].toArray()[0].toObject()["seconds"].toArray().size(), 8);
    QVERIFY(b["origin"].toObject()["commandLine"].toString().contains("baseline scan.h5"));
  }

  void optionsThatAComparisonWouldIgnoreAreRefused() {
    for (const QStringList& option :
         {QStringList{"--threads", "1"}, QStringList{"--alphas", "2"}, QStringList{"--plans", "before.json"},
          QStringList{"--accuracy", "1e-2"}}) {
      const auto r =
          run(QStringList{"baseline", "--against", "before.json", "--save", "never.json"} + option);
      QCOMPARE(r.code, 1);
      QVERIFY2(r.err.contains(option[0].toUtf8()), r.err);
    }
    QVERIFY(!filesIn(folder_.path()).contains("never.json"));
  }

  void plansAreTimedAgainAndCompared() {
    const auto r = run({"baseline", "--against", "before.json", "--rounds", "8", "--executions", "1",
                        "--save", "after.json", "--csv", "verdicts.csv", "--json", "verdicts.json"});
    QVERIFY2(r.code == 0, r.err + r.out);
    QVERIFY2(r.out.contains("Of 4 plans"), r.out);
    QCOMPARE(read("after.json")["cases"].toArray().size(), 4);
    const QJsonArray rows = read("verdicts.json")["comparison"].toObject()["rows"].toArray();
    QCOMPARE(rows.size(), 8);  // execution and set-up
    for (const QJsonValue& row : rows) {
      QCOMPARE(row.toObject()["afterRepeats"].toInt(), 8);
      QVERIFY(row.toObject()["low"].toDouble() > 0);
    }
    QFile csv(folder_.filePath("verdicts.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll().count('\n'), 9);
  }

  void nothingIsTimedBetweenTwoFiles() {
    alter("same.json", [](QJsonObject&) {});
    const auto same = run({"baseline", "--against", "before.json", "--with", "same.json"});
    QVERIFY2(same.code == 0, same.err);
    QVERIFY2(same.out.contains("4 without a difference"), same.out);
    alter("quiet.json", [](QJsonObject& one) { setTimes(one, 1); });
    alter("slow.json", [](QJsonObject& one) { setTimes(one, 3); });
    const QStringList slower = {"baseline", "--against", "quiet.json", "--with", "slow.json"};
    const auto slow = run(slower);
    QVERIFY2(slow.code == 0, slow.err);
    QVERIFY2(slow.out.contains("0 are faster, 4 slower"), slow.out);
    const auto judged = run(slower + QStringList{"--fail-if-slower"});
    QCOMPARE(judged.code, 1);
    QVERIFY2(judged.err.contains("Slower than quiet.json: 4 plans"), judged.err);
    const auto fast = run({"baseline", "--against", "slow.json", "--with", "quiet.json", "--fail-if-slower"});
    QVERIFY2(fast.code == 0, fast.err);
    QVERIFY2(fast.out.contains("4 are faster"), fast.out);
  }

  void aWrongAnswerFails() {
    alter("wrong.json", [](QJsonObject& one) {
      QJsonObject plan = one["plan"].toObject();
      plan["measuredError"] = 0.5;
      one["plan"] = plan;
    });
    const auto r = run({"baseline", "--against", "before.json", "--with", "wrong.json"});
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("not as accurate as promised"), r.err);
  }

  void plansOfASweepAreTaken() {
    const auto swept = run({"sweep", "scan.h5", "--alphas", "1.5,1.75,2", "--json", "sweep.json"});
    QVERIFY2(swept.code == 0, swept.err);
    const auto r = run({"baseline", "scan.h5", "--plans", "sweep.json", "--rounds", "4", "--executions", "1",
                        "--save", "swept.json"});
    QVERIFY2(r.code == 0, r.err);
    QCOMPARE(read("swept.json")["cases"].toArray().size(), 3);
  }

  void anotherScanIsRefused() {
    const auto scan = run({"simulate", "-o", "other.h5", "--matrix", "24", "--coils", "1"});
    QVERIFY2(scan.code == 0, scan.err);
    const auto r = run({"baseline", "other.h5", "--against", "before.json", "--save", "never.json"});
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("another transform"), r.err);
    QVERIFY(!filesIn(folder_.path()).contains("never.json"));
    QCOMPARE(run({"baseline", "scan.h5"}).code, 1);
    QCOMPARE(run({"baseline", "scan.h5", "--save", "x.json", "--rounds", "2"}).code, 2);
  }
};

SPOKELAB_CORE_TEST(TestBaselineCommand)

}  // namespace test_baseline_command

#include "test_baseline_command.moc"
