// Shares of a job: each case is in exactly one, names and command lines of shares are told apart,
// and a Slurm array that leaves tasks out is refused.
#include <QtTest>

#include <map>

#include "engine/core/error.h"
#include "engine/core/jobs/shard.h"
#include "engine/core/jobs/slurm_script.h"
#include "tests/test_main.h"

namespace test_shard {

using namespace spokelab;

class TestShard : public QObject {
  Q_OBJECT

  using Variables = std::map<std::string, std::string>;
  static Shard slurm(const Variables& variables) {
    return shardFromSlurm([&](const char* name) -> const char* {
      const auto found = variables.find(name);
      return found == variables.end() ? nullptr : found->second.c_str();
    });
  }

 private Q_SLOTS:
  void everyCaseIsInOneShare() {
    constexpr int count = 7, cases = 40;
    for (std::size_t i = 0; i < cases; ++i) {
      int owners = 0;
      for (int index = 1; index <= count; ++index) owners += Shard{index, count}.owns(i);
      QCOMPARE(owners, 1);
    }
    QVERIFY(Shard{}.isAll() && Shard{}.owns(5));
  }

  void textsAreReadAndRefused() {
    QVERIFY((shardFromText("3/16") == Shard{3, 16}));
    QCOMPARE(shardText({3, 16}), std::string("3/16"));
    for (const char* wrong :
         {"", "3", "/", "0/4", "5/4", "-1/4", "1/0", "1/4x", "a/b", "1/999999999999", "1.5/4"})
      QVERIFY_THROWS_EXCEPTION(Error, shardFromText(wrong));
  }

  void slurmArraysAreReadAndHolesRefused() {
    const Variables first = {{"SLURM_ARRAY_TASK_ID", "5"},
                             {"SLURM_ARRAY_TASK_COUNT", "4"},
                             {"SLURM_ARRAY_TASK_MIN", "1"},
                             {"SLURM_ARRAY_TASK_MAX", "7"},
                             {"SLURM_ARRAY_TASK_STEP", "2"}};
    QVERIFY((slurm(first) == Shard{3, 4}));
    QVERIFY((slurm({{"SLURM_ARRAY_TASK_ID", "0"},
                    {"SLURM_ARRAY_TASK_COUNT", "4"},
                    {"SLURM_ARRAY_TASK_MIN", "0"},
                    {"SLURM_ARRAY_TASK_MAX", "3"}}) == Shard{1, 4}));
    // --array=3,7 of a job that was divided by 16.
    const Variables holes = {{"SLURM_ARRAY_TASK_ID", "7"},
                             {"SLURM_ARRAY_TASK_COUNT", "2"},
                             {"SLURM_ARRAY_TASK_MIN", "3"},
                             {"SLURM_ARRAY_TASK_MAX", "7"}};
    QVERIFY_THROWS_EXCEPTION(Error, slurm(holes));
    QVERIFY_THROWS_EXCEPTION(Error, slurm({}));
    QVERIFY_THROWS_EXCEPTION(Error, slurm({{"SLURM_ARRAY_TASK_ID", "x"}, {"SLURM_ARRAY_TASK_COUNT", "2"}}));
  }

  void namesAndCommandsOfShares() {
    QCOMPARE(shardFile("a/sweep.json", {3, 16}).string(), std::string("a/sweep.3-of-16.json"));
    QCOMPARE(shardFile("sweep.json", {}).string(), std::string("sweep.json"));
    QCOMPARE(shardFile("-", {3, 16}).string(), std::string("-"));
    QVERIFY(shardFile("", {3, 16}).empty());
    QCOMPARE(commandOfShard("p sweep s.h5 --shard 3/16 --json a.json", {7, 16}),
             std::string("p sweep s.h5 --shard 7/16 --json a.json"));
    QCOMPARE(commandOfShard("p sweep s.h5 --shard=slurm", {7, 16}), std::string("p sweep s.h5 --shard=7/16"));
  }

  void theScriptRunsEachShareAndNamesTheMerge() {
    const std::string script = slurmArrayScript("p", "p sweep 's 1.h5' --json a.json", {"a.json", ""}, 3);
    QVERIFY(script.starts_with("#!/bin/sh\n") && script.find("#SBATCH --array=1-3\n") != std::string::npos);
    QVERIFY(script.ends_with("exec p sweep 's 1.h5' --json a.json --shard \"$SLURM_ARRAY_TASK_ID/3\"\n"));
    QVERIFY(script.find("p merge a.1-of-3.json a.2-of-3.json a.3-of-3.json -o a.json\n") !=
            std::string::npos);
    QVERIFY_THROWS_EXCEPTION(Error, slurmArrayScript("p", "p", {}, 0));
  }
};

SPOKELAB_CORE_TEST(TestShard)

}  // namespace test_shard

#include "test_shard.moc"
