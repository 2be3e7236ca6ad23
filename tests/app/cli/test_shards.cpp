// A sweep in shares, run and merged as users do: the same cases in the same order with the same
// errors as the whole one; what is missing is named with the commands that run it.
#include <QtTest>

#include <QFile>
#include <nlohmann/json.hpp>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_shards {

using nlohmann::json;
using spokelab::test::cliEnvironment;
using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;

namespace {

const QStringList sweep = {"sweep",    "demo",   "--backend", "cpu",   "--alphas",       "1.25,1.5,2",
                           "--widths", "3,4,5",  "--trials",  "1",     "--threads",      "1",
                           "--json",   "s.json", "--csv",     "s.csv", "--measure-error"};

}  // namespace

class TestShards : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  json read(const char* name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
  }

 private Q_SLOTS:
  void aSweepInSharesIsTheWholeOne() {
    const CliResult whole = run(sweep);
    QVERIFY2(whole.code == 0, whole.err);
    const json alone = read("s.json").at("sweep").at("candidates");
    QStringList merge = {"merge"};
    for (int i = 1; i <= 4; ++i) {
      const CliResult part = run(sweep + QStringList{"--shard", QString("%1/4").arg(i)});
      QVERIFY2(part.code == 0, part.err);
      merge << QString("s.%1-of-4.json").arg(i);
      QVERIFY(filesIn(folder_.path()).contains(QString("s.%1-of-4.csv").arg(i)));
    }
    const CliResult merged = run(merge + QStringList{"-o", "all.json", "--csv", "all.csv"});
    QVERIFY2(merged.code == 0, merged.err + merged.out);
    const json document = read("all.json"), cases = document.at("sweep").at("candidates");
    QVERIFY(alone.size() >= 9);
    QCOMPARE(cases.size(), alone.size());
    int measured = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      QCOMPARE(cases[i].at("shard").get<std::size_t>(), i % 4 + 1);
      for (const char* key : {"backend", "options", "grid", "predicted", "measuredError", "refused", "path"})
        QCOMPARE(cases[i].value(key, json()).dump(), alone[i].value(key, json()).dump());
      measured += cases[i].contains("measuredError") && cases[i]["measuredError"].is_number();
    }
    QVERIFY(measured >= 9);
    // The best of the merged one is the best of what its own clock said.
    const int best = document.at("sweep").at("best").get<int>();
    QVERIFY(best < 0 || cases[std::size_t(best)].contains("timings"));
    QCOMPARE(document.at("shards").size(), std::size_t{4});
    QVERIFY(!document.at("shards")[0]["provenance"]["machine"]["host"].get<std::string>().empty());
    for (const char* key : {"scan", "options", "provenance"}) QVERIFY(document.contains(key));
  }

  void missingSharesAreNamedAndRunAlone() {
    const CliResult partly =
        run({"merge", "s.1-of-4.json", "s.3-of-4.json", "s.4-of-4.json", "-o", "some.json"});
    QCOMPARE(partly.code, 1);
    QVERIFY2(partly.out.contains("missing") && partly.out.contains("--shard 2/4") &&
                 !partly.out.contains("--shard 3/4") && partly.err.contains("missing"),
             partly.out + partly.err);
    QVERIFY(!filesIn(folder_.path()).contains("some.json"));
    const CliResult some =
        run({"merge", "s.1-of-4.json", "s.3-of-4.json", "-o", "some.json", "--incomplete"});
    QCOMPARE(some.code, 1);
    QVERIFY(read("some.json").at("sweep").at("candidates").size() >= 4);
    const CliResult twice = run({"merge", "s.1-of-4.json", "s.1-of-4.json", "-o", "twice.json"});
    QVERIFY2(twice.code == 1 && twice.err.contains("are the same shard, 1/4"), twice.err);
    QStringList other = sweep;
    other.replaceInStrings("3,4,5", "3,4");
    QCOMPARE(run(other + QStringList{"--shard", "2/4", "--json", "o.json"}).code, 2);  // --json twice
    other.replaceInStrings("s.json", "o.json");
    QCOMPARE(run(other + QStringList{"--shard", "2/4"}).code, 0);
    const CliResult mixed = run({"merge", "s.1-of-4.json", "o.2-of-4.json", "-o", "mixed.json"});
    QVERIFY2(mixed.code == 1 && mixed.err.contains("other jobs"), mixed.err);
    QCOMPARE(run({"merge", "s.json", "-o", "none.json"}).code, 1);
    QCOMPARE(run({"merge", "s.1-of-4.json", "-o", "s.1-of-4.json"}).code, 1);
  }

  void sharesWithoutCasesAndWrongShares() {
    const CliResult empty = run(sweep + QStringList{"--shard", "40/40"});
    QVERIFY2(empty.code == 0, empty.err);
    QCOMPARE(read("s.40-of-40.json").at("sweep").at("candidates").size(), std::size_t{0});
    const CliResult wrong = run(sweep + QStringList{"--shard", "5/4"});
    QVERIFY2(wrong.code == 1 && wrong.err.contains("3/16"), wrong.err);
    QVERIFY(run(sweep + QStringList{"--shard", "slurm"}).err.contains("SLURM_ARRAY_TASK_ID is not set"));
  }

  // The script is run as Slurm would: by a shell, with the task's variable.
  void theSlurmScriptRunsItsShare() {
    const CliResult made = run(sweep + QStringList{"--slurm", "job.sh", "--shards", "3"});
    QVERIFY2(made.code == 0 && made.out.contains("sbatch job.sh"), made.err + made.out);
    QProcess shell;
    QProcessEnvironment environment = cliEnvironment(folder_.path());
    environment.insert("SLURM_ARRAY_TASK_ID", "2");
    environment.insert("PATH", QFileInfo(SPOKELAB_CLI).path() + ":" + environment.value("PATH"));
    shell.setProcessEnvironment(environment);
    shell.setWorkingDirectory(folder_.path());
    shell.start("/bin/sh", {"job.sh"});
    QVERIFY(shell.waitForFinished(120000));
    QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError());
    QCOMPARE(read("s.2-of-3.json").at("shard").at("index").get<int>(), 2);
    QCOMPARE(run(sweep + QStringList{"--slurm", "job.sh"}).code, 2);
  }

  void studiesAndSuitesTakeShares() {
    const QStringList study = {"study",  "aliasing", "--sizes",   "16,32,48",
                               "--json", "a.json",   "--backend", "cpu"};
    QCOMPARE(run(study).code, 0);
    for (const char* share : {"1/2", "2/2"}) QCOMPARE(run(study + QStringList{"--shard", share}).code, 0);
    QCOMPARE(run({"merge", "a.1-of-2.json", "a.2-of-2.json", "-o", "b.json", "--csv", "b.csv"}).code, 0);
    const json alone = read("a.json").at("study"), merged = read("b.json").at("study");
    QCOMPARE(merged.at("rows").size(), alone.at("rows").size());
    for (std::size_t i = 0; i < alone.at("rows").size(); ++i)
      QCOMPARE(merged["rows"][i]["y"].dump(), alone["rows"][i]["y"].dump());
    QFile file(folder_.filePath("u.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "spokelab-suite", "formatVersion": 1, "cases": [
      {"study": "aliasing", "sizes": [16, 24, 32]}, {"study": "row-deviations", "sizes": [8], "accelerations": [4]}]})");
    file.close();
    for (const char* share : {"1/2", "2/2"}) {
      const CliResult r = run({"suite", "u.json", "-o", "u", "--backend", "cpu", "--shard", share});
      QVERIFY2(r.code == 0, r.err + r.out);
    }
    const CliResult r = run({"merge", "u/results.1-of-2.json", "u/results.2-of-2.json", "-o", "u.all.json"});
    QVERIFY2(r.code == 0, r.err + r.out);
    QCOMPARE(read("u.all.json").at("cases").size(), std::size_t{7});
    const CliResult script = run({"suite", "u.json", "-o", "v", "--shards", "4", "--slurm", "u.sh"});
    QVERIFY2(script.code == 0 && !filesIn(folder_.path()).contains("v"), script.err);
  }
};

SPOKELAB_CORE_TEST(TestShards)

}  // namespace test_shards

#include "test_shards.moc"
