// mpirun spokelab-cli reconstruct: the image of one process, written and told once; a rank that
// cannot read or write ends all with its reason.
#include <QtTest>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/cli/ranks/joined_ranks.h"
#include "tests/app/cli/ranks/mpi_run.h"
#include "tests/test_main.h"

namespace test_mpi_ranks {

using nlohmann::json;
using namespace spokelab;
using namespace spokelab::test;

namespace {

// One thread a rank: sums over threads round by their number.
const QStringList plan = {"--alpha",   "2", "--width",      "6", "--transform", "nufft",
                          "--threads", "1", "--iterations", "5"};

}  // namespace

class TestMpiRanks : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString script_;

  json read(const char* name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
  }
  CliResult run(int ranks, const QStringList& arguments, const QProcessEnvironment& environment,
                const QString& program = SPOKELAB_CLI) const {
    QFETCH(const int, launcher);
    return runMpi(mpiLaunchers()[std::size_t(launcher)], ranks, folder_.path(), arguments, environment,
                  program);
  }
  QProcessEnvironment environment() const { return mpiEnvironment(folder_.path()); }

 private Q_SLOTS:
  void initTestCase() {
    if (mpiLaunchers().empty()) QSKIP("no MPI: neither Open MPI nor MPICH was found with its module");
    script_ = writeRankScript(folder_.path());
    const CliResult made =
        runCli(folder_.path(), {"simulate", "--pattern", "golden-radial", "--matrix", "64", "--shots", "50",
                                "--coils", "6", "--frames", "4", "--noise", "0.002", "-o", "s.h5"});
    QVERIFY2(made.code == 0, made.err);
    const CliResult volume =
        runCli(folder_.path(), {"simulate", "--pattern", "radial3d", "--matrix", "16", "-o", "o.h5"});
    QVERIFY2(volume.code == 0, volume.err);
    QVERIFY(QDir(folder_.path()).mkdir("empty"));
  }

  void imagesAreThoseOfOneProcess_data() { addLauncherRows(); }
  void imagesAreThoseOfOneProcess() {
    struct Case {
      QStringList arguments;
      const char* divided;
      double tolerance = 1e-6;
    };
    // Iterations in single precision amplify the other order of sums over coils.
    constexpr double amplified = 3e-6, inDouble = 1e-10;
    const Case cases[] = {
        {{"s.h5", "--method", "sense"}, "frames"},
        {{"s.h5", "--method", "sense", "--frames", "2"}, "coils", amplified},
        {{"s.h5", "--method", "sense", "--frames", "2", "--precision", "double"}, "coils", inDouble},
        {{"s.h5", "--frames", "1"}, "coils"},
        {{"o.h5", "--slabs", "4"}, "slabs"},
        {{"s.h5", "--precision", "double"}, "frames"}};
    for (const Case& c : cases) {
      const QStringList whole = QStringList{"reconstruct"} + c.arguments + plan;
      const CliResult alone = runCli(folder_.path(), whole + QStringList{"-o", "one.npy"});
      QVERIFY2(alone.code == 0, alone.err);
      for (const int ranks : {1, 2, 4}) {
        if (ranks == 1 && &c != cases) continue;  // a process like any other
        const CliResult r =
            run(ranks, whole + QStringList{"-o", "many.npy", "--reference", "one.npy", "--json", "many.json"},
                environment());
        QVERIFY2(r.code == 0, r.err + r.out);
        QCOMPARE(r.out.count("written"), 1);
        const json document = read("many.json");
        QVERIFY2(document.at("reference").at("nrmse").get<double>() <= c.tolerance,
                 document.at("reference").dump().c_str());
        if (ranks == 1) continue;
        QCOMPARE(document.at("reconstruction").at("ranks").at("divided").get<std::string>(),
                 std::string(c.divided));
        QCOMPARE(document.at("reconstruction").at("ranks").at("ranks").size(), std::size_t(ranks));
        QFile::remove(folder_.filePath("many.npy"));
      }
    }
  }

  // Each of the ranks transforms as many points; one rank alone is the measure.
  void weakScalingIsStudiedOverRanks_data() { addLauncherRows(); }
  void weakScalingIsStudiedOverRanks() {
    const CliResult r = run(2,
                            {"study", "weak-scaling", "--sizes", "12", "--backend", "cpu", "--trials", "1",
                             "--json", "weak.json"},
                            environment());
    QVERIFY2(r.code == 0, r.err + r.out);
    std::map<double, double> seconds, efficiencies;  // of type 1, by the number of ranks
    const json document = read("weak.json");
    for (const json& one : document.at("study").at("rows")) {
      const std::string panel = one.value("panel", ""), series = one.value("series", "");
      if (panel == "type 1, N 12, time" && series == "cpu, total") seconds[one.at("x")] = one.at("y");
      if (panel == "type 1, N 12, efficiency") efficiencies[one.at("x")] = one.at("y");
    }
    QCOMPARE(seconds.size(), std::size_t(2));
    QVERIFY(seconds.at(1) > 0 && seconds.at(2) > 0);
    QCOMPARE(efficiencies.at(1), 1.0);
    QVERIFY(std::abs(efficiencies.at(2) * seconds.at(2) / seconds.at(1) - 1) < 1e-6);
  }

  // A plan that rank 0 tunes serves all.
  void tunedPlansAreShared_data() { addLauncherRows(); }
  void tunedPlansAreShared() {
    const CliResult r = run(2, {"reconstruct", "s.h5", "-o", "t.npy", "--json", "t.json"}, environment());
    QVERIFY2(r.code == 0, r.err);
    const json document = read("t.json").at("reconstruction");
    QVERIFY(document.contains("tuning"));
    QCOMPARE(document.at("image").at("frames").get<int>(), 4);
  }

  // Each processor's own wisdom, in rank 0's file.
  void wisdomOfAllProcessorsIsKept_data() { addLauncherRows(); }
  void wisdomOfAllProcessorsIsKept() {
    QProcessEnvironment mixed = environment();
    mixed.insert("PORTABLERANK", "1");
    QFile::remove(folder_.filePath("wisdom.json"));
    const CliResult r = run(2, {"reconstruct", "s.h5", "-o", "w.npy", "--accuracy", "1e-2"}, mixed, script_);
    QVERIFY2(r.code == 0, r.err);
    const json entries = read("wisdom.json").at("entries");
    std::set<std::string> processors;
    for (const auto& entry : entries.items())
      processors.insert(json::parse(entry.key()).at("backends").at(0).get<std::string>());
    QCOMPARE(entries.size(), std::size_t(2));
    QCOMPARE(processors.size(), std::size_t(2));
  }

  // Measured, not told: a rank that is slower without vector instructions gets fewer frames, and
  // the image is the same.
  void aSlowerProcessorGetsLess_data() { addLauncherRows(); }
  void aSlowerProcessorGetsLess() {
    const CliResult made = runCli(folder_.path(), {"simulate", "--pattern", "golden-radial", "--matrix", "64",
                                                   "--shots", "50", "--frames", "12", "-o", "f.h5"});
    QVERIFY2(made.code == 0, made.err);
    const QStringList whole = QStringList{"reconstruct", "f.h5"} + plan;
    QVERIFY(runCli(folder_.path(), whole + QStringList{"-o", "one.npy"}).code == 0);
    QProcessEnvironment mixed = environment();
    mixed.insert("PORTABLERANK", "1");
    const CliResult r = run(
        2, whole + QStringList{"-o", "m.npy", "--reference", "one.npy", "--json", "m.json"}, mixed, script_);
    QVERIFY2(r.code == 0, r.err);
    const json document = read("m.json"), ranks = document.at("reconstruction").at("ranks").at("ranks");
    const auto fast = ranks.at(0), slow = ranks.at(1);
    QVERIFY2(document.at("reference").at("nrmse").get<double>() <= 1e-6,
             document.at("reference").dump().c_str());
    qInfo("speed %.3f: frames %s and %s", slow.at("speed").get<double>(),
          fast.at("share").get<std::string>().c_str(), slow.at("share").get<std::string>().c_str());
    // Beside other programs the one with vector instructions may be the slower one.
    const double fastest = std::max(fast.at("speed").get<double>(), slow.at("speed").get<double>());
    QCOMPARE(fastest, 1.0);
    const bool fewer = slow.at("share").get<std::string>() != "6-11";
    QCOMPARE(fewer, fast.at("speed").get<double>() != slow.at("speed").get<double>());
  }

  void aRankThatCannotReadEndsAll_data() { addLauncherRows(); }
  void aRankThatCannotReadEndsAll() {
    const QStringList command = QStringList{"reconstruct", "s.h5", "-o", "none.npy"} + plan;
    QProcessEnvironment only2 = environment(), all2 = environment();
    only2.insert("CDTO", "empty");
    only2.insert("CDRANK", "2");  // cannot
    all2.insert("CDTO", "empty");
    all2.insert("CDRANK", "0 1 3");  // rank 2 alone can
    const CliResult cannot = run(4, command, only2, script_), can = run(4, command, all2, script_);
    for (const CliResult& r : {cannot, can}) {
      QVERIFY2(r.code != 0, r.out);
      QVERIFY2(r.err.count("there is no such file") == 1 && !r.out.contains("written"), r.err);
    }
    QVERIFY2(cannot.err.contains("Cannot read s.h5 (rank 2 of 4)"), cannot.err);
    QVERIFY(filesIn(folder_.path()).filter("none").isEmpty());
    QVERIFY(filesIn(folder_.filePath("empty")).isEmpty());
  }

  void aFullDiskOnRank0EndsAll_data() { addLauncherRows(); }
  void aFullDiskOnRank0EndsAll() {
    QFile::link("/dev/full", folder_.filePath("full.npy"));
    const CliResult r = run(4, QStringList{"reconstruct", "s.h5", "-o", "full.npy"} + plan, environment());
    QVERIFY2(r.code != 0 && r.err.count("No space left on device") == 1, r.err);
    QFile::remove(folder_.filePath("full.npy"));
  }

  void aRankWithoutMemoryEndsAll_data() { addLauncherRows(); }
  void aRankWithoutMemoryEndsAll() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("sanitizers need more addresses than a limit leaves");
#endif
    const CliResult made = runCli(folder_.path(), {"simulate", "--pattern", "radial3d", "--matrix", "96",
                                                   "--acceleration", "8", "--coils", "8", "-o", "v.h5"});
    QVERIFY2(made.code == 0, made.err);
    QProcessEnvironment limited = environment();
    limited.insert("LIMITRANK", "2");
    limited.insert("LIMIT", "330000");
    const CliResult r =
        run(4, QStringList{"reconstruct", "v.h5", "-o", "none.npy", "--method", "sense"} + plan, limited,
            script_);
    QVERIFY2(r.code != 0 && r.err.contains("(rank 2 of 4)") && r.err.contains("memory"), r.err);
    QVERIFY(filesIn(folder_.path()).filter("none").isEmpty());
  }

  void whatRanksCannotDoIsSaidOnce_data() {
    addLauncherRows();
  }
  void whatRanksCannotDoIsSaidOnce() {
    QProcessEnvironment none = environment();
    none.insert("SPOKELAB_MPI_MODULE", "none");
    const QStringList command = QStringList{"reconstruct", "s.h5", "-o", "none.npy"} + plan;
    const CliResult switchedOff = run(2, command, none);
    QVERIFY2(switchedOff.code != 0 && switchedOff.err.count("Cannot work as one of 2 ranks") == 1,
             switchedOff.err);
    const CliResult many = run(7, command, environment());
    QVERIFY2(many.code != 0 && many.err.count("Start at most 6") == 1, many.err);
    const CliResult traced = run(2, command + QStringList{"--trace", "t.json"}, environment());
    QVERIFY2(traced.code != 0 && traced.err.contains("--trace and --ceiling"), traced.err);
    QVERIFY(filesIn(folder_.path()).filter("none").isEmpty());
  }

  // Variables of launchers in the environment identify them; no MPI is loaded for it.
  void launchersAreKnownByTheirVariables() {
    using Variables = std::map<std::string, const char*>;
    const auto launched = [](const Variables& variables) {
      return launchedRanks([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second;
      });
    };
    QCOMPARE(launched({}).size, 1);
    QCOMPARE(launched({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}).size, 1);
    const LaunchedRanks open = launched({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}});
    QVERIFY(open.size == 4 && open.rank == 3 && open.module == "openmpi");
    const LaunchedRanks mpich = launched({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}});
    QVERIFY(mpich.size == 2 && mpich.rank == 1 && mpich.module == "mpich");
    const LaunchedRanks srun = launched({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "5"}});
    QVERIFY(srun.size == 8 && srun.rank == 5);
  }
};

SPOKELAB_CORE_TEST(TestMpiRanks)

}  // namespace test_mpi_ranks

#include "test_mpi_ranks.moc"
