// A job's plan: what it says of a scan and the options, and the table of recipes that it takes one from.
#include <QtTest>

#include <set>

#include "engine/core/error.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/job/job_text.h"
#include "engine/recon/options/options.h"
#include "engine/recon/options/recipe_table.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_job_plan {

using namespace spokelab;

namespace {

std::shared_ptr<const Scan> frames(int count) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {32, 32, 1};
  o.trajectory.shots = 20;
  o.coils = 5;
  o.frames = count;
  return simulate(o, {});
}

ReconOptions with(const std::vector<std::pair<std::string, std::string>>& values) {
  ReconOptions options;
  for (const auto& [name, value] : values) setOption(options, name, value);
  return options;
}

}  // namespace

class TestJobPlan : public QObject {
  Q_OBJECT

 private slots:
  void framesCoilsAndUnknownsAreThoseOfTheOptions() {
    const auto scan = frames(4);
    const JobPlan all = planJob(*scan, {});
    QCOMPARE(all.frames, (std::vector<int>{0, 1, 2, 3}));
    QCOMPARE(all.slices, std::vector<int>{0});
    QCOMPARE(all.coils, 5);
    QCOMPARE(all.unknowns(), std::size_t(4));
    QCOMPARE(all.samples, std::vector<std::int64_t>(4, scan->trajectory(0).samples()));
    const JobPlan some =
        planJob(*scan, with({{"frames", "1-2"}, {"leave-out-coils", "0"}, {"compress-coils", "3"}}));
    QCOMPARE(some.frames, (std::vector<int>{1, 2}));
    QCOMPARE(some.coilsKept, (std::vector<int>{1, 2, 3, 4}));
    QCOMPARE(some.coils, 3);
    QCOMPARE(some.coilsMeasured, 5);
    QCOMPARE(some.unknowns(), std::size_t(2));
    QCOMPARE(some.parts.frames, 2);
    QCOMPARE(some.parts.coils, 3);
    QCOMPARE(planJob(*scan, with({{"combine", "none"}})).unknowns(), std::size_t(1));
    QCOMPARE(planJob(*scan, with({{"combine", "adaptive"}})).parts.coils, 1);
  }

  void numbersThatAreNotThereAreRefused() {
    const auto scan = frames(2);
    for (const char* option : {"frames", "slices", "coils", "leave-out-coils"})
      QVERIFY_EXCEPTION_THROWN(planJob(*scan, with({{option, "7"}})), Error);
    QVERIFY_EXCEPTION_THROWN(planJob(*scan, with({{"leave-out-coils", "0-4"}})), Error);
  }

  void theJobAfterPreparationHasNothingLeftToPrepare() {
    const auto scan = frames(2);
    const JobPlan job = planJob(*scan, with({{"coils", "1-3"}, {"compress-coils", "2"}, {"frames", "1"}}));
    const JobPlan after = afterPreparation(job);
    const ScanPreparation prepared = prepareScan(*scan, job, {});
    QCOMPARE(prepared.scan->coils, job.coils);
    QCOMPARE(after.coilsKept, (std::vector<int>{0, 1}));
    QCOMPARE(after.coilsMeasured, 2);
    QCOMPARE(planJob(*prepared.scan, after.options).coils, 2);
    QCOMPARE(after.frames, job.frames);
  }

  void oneFrameStandsForThoseThatAreInTheFileAlone() {
    const JobPlan job = planJob(*frames(1), with({{"frames", "2-5"}}), {}, 8);
    QCOMPARE(job.frames, (std::vector<int>{2, 3, 4, 5}));
    QCOMPARE(job.parts.frames, 4);
    QCOMPARE(job.framesHeld, 1);
    QVERIFY_EXCEPTION_THROWN(planJob(*frames(1), with({{"frames", "2-5"}})), Error);
  }

  void rowsSayIt() {
    std::string text;
    const auto scan = frames(3);
    for (const auto& [name, value] :
         jobRows(planJob(*scan, with({{"method", "sense"}, {"compress-coils", "4"}}))))
      text += name + ": " + value + '\n';
    for (const char* part : {"recipe: SENSE\n", "unknowns: 3, each 1 frame and 1 slice of 32 x 32\n",
                             "frames: 0-2", "coils: 4 coils, of 5 measured (compressed)\n"})
      QVERIFY2(text.find(part) != std::string::npos, text.c_str());
  }

  void recipesServeTheOptionsOfTheirMethod() {
    QCOMPARE(recipeOf(ReconOptions{}).words, std::string_view("gridding"));
    QCOMPARE(recipeOf(with({{"exact", "true"}})).words, std::string_view("gridding by exact sums"));
    QCOMPARE(recipeOf(with({{"method", "sense"}, {"coil-map-sets", "2"}})).words,
             std::string_view("soft SENSE"));
    QCOMPARE(recipeOf(with({{"method", "sense"}, {"regularization", "tv"}})).words,
             std::string_view("SENSE with total variation"));
    QCOMPARE(recipeOf(with({{"method", "pcsense"}})).title, std::string_view("pcSENSE"));
  }

  void eachMethodHasOneNameAndItsFirstRowHasIt() {
    std::set<std::string_view> names;
    std::set<ReconMethod> seen;
    for (const Recipe& recipe : recipeTable()) {
      QCOMPARE(seen.insert(recipe.method).second, !recipe.name.empty());
      if (recipe.name.empty()) continue;
      QVERIFY(names.insert(recipe.name).second);
      QCOMPARE(reconMethodName(recipe.method), recipe.name);
      QVERIFY(!recipe.title.empty() && !recipe.help.empty());
      ReconOptions options;
      setOption(options, "method", std::string(recipe.name));
      QVERIFY(options.iterative.method == recipe.method);
    }
  }

  void recipesSetOnlyWhatIsLeftAtItsDefault() {
    for (const Recipe& recipe : recipeTable()) {
      ReconOptions options;
      options.iterative.method = recipe.method;
      const ReconOptions set = withRecipeDefaults(options);
      for (const RecipeDefault& one : recipeOf(options).defaults)
        QCOMPARE(optionValue(set, std::string(one.option)), std::string(one.value));
      if (!recipe.iterates) QCOMPARE(optionValue(set, "iterations"), optionValue(options, "iterations"));
    }
  }

  // Also a value that another method has as its own.
  void aGivenValueIsUsedWhateverTheMethodsOwnIs() {
    for (const Recipe& recipe : recipeTable()) {
      if (!recipe.iterates || recipe.name.empty()) continue;
      ReconOptions options = with({{"method", std::string(recipe.name)},
                                   {"iterations", "10"},
                                   {"lambda", "0.001"},
                                   {"subspace-images", "frames"}});
      const auto check = [&options](const char* name, const char* value) {
        QCOMPARE(optionValue(withRecipeDefaults(options), name), std::string(value));
        QCOMPARE(optionValue(withRecipeDefaults(withRecipeDefaults(options)), name), std::string(value));
      };
      check("iterations", "10");
      check("lambda", "0.001");
      check("subspace-images", "frames");
      setOption(options, "lambda", "0");
      check("lambda", "0");
    }
  }

  void aMethodsOwnValueIsTakenForAuto() {
    const auto own = [](const char* method, const char* name) {
      return optionValue(withRecipeDefaults(with({{"method", method}})), name);
    };
    QCOMPARE(own("sense", "iterations"), std::string("10"));
    QCOMPARE(own("wavelet", "iterations"), std::string("60"));
    QCOMPARE(own("sense", "lambda"), std::string("0.001"));
    QCOMPARE(own("pnp", "lambda"), std::string("0.01"));
    QCOMPARE(own("subspace", "subspace-images"), std::string("frames"));
    QCOMPARE(own("mrf", "subspace-images"), std::string("maps"));
    QCOMPARE(own("gridding", "iterations"), std::string("auto"));
    // λ decides whether SENSE is the method with total variation.
    QCOMPARE(recipeOf(with({{"method", "sense"}, {"regularization", "tv"}, {"lambda", "0"}})).words,
             std::string_view("SENSE"));
  }

  void twoSetsOfMapsAreEstimatedWhereTheFileHasOne() {
    SimulateOptions o;
    o.trajectory.matrix = {8, 8, 1};
    o.trajectory.shots = 8;
    o.coils = 2;
    const auto scan = std::make_shared<Scan>(*simulate(o, {}));
    const auto estimates = [&scan](const char* method) {
      return planJob(*scan, with({{"method", method}})).estimatesMaps;
    };
    NamedArray maps{"SENSEMap", {2, 8, 8}, {}, true};
    maps.values.assign(2 * 64, cfloat(1));
    scan->arrays = {maps};
    QVERIFY(!estimates("sense") && estimates("soft-sense"));
    scan->arrays.front().shape = {4, 8, 8};
    scan->arrays.front().values.assign(4 * 64, cfloat(1));
    QVERIFY(!estimates("soft-sense"));
  }

  // Whatever the recipe, memory beyond the machine's is told by the plan, before anything runs.
  void memoryBeyondTheMachineIsTold() {
    SimulateOptions o;
    o.trajectory.pattern = Pattern::radial3d;
    o.trajectory.matrix = {2048, 2048, 2048};
    o.trajectory.shots = 2;
    o.coils = 4;
    const auto scan = simulate(o, {});
    for (const char* method : {"sense", "tv", "tgv", "wavelet", "nlinv"}) {
      std::string told;
      for (const auto& [name, text] : jobRows(planJob(*scan, with({{"method", method}}))))
        if (name == "memory") told = text;
      QVERIFY2(told.find("refuses the job") != std::string::npos, method);
      try {
        requireMemoryFor(planJob(*scan, with({{"method", method}})), "it");
        QFAIL(method);
      } catch (const Error& error) {
        QVERIFY(error.reason().find("of memory") != std::string::npos);
      }
    }
    for (const auto& row : jobRows(planJob(*frames(1), {})))
      QVERIFY(row.second.find("refuses") == std::string::npos);
  }

  // 1024 x 1024 numbers of 8 bytes.
  void anImageBeyondTheMemoryLimitIsRefusedByThePlan() {
    SimulateOptions o;
    o.trajectory.matrix = {1024, 1024, 1};
    o.trajectory.shots = 2;
    const auto scan = simulate(o, {});
    for (const char* method : {"gridding", "sense", "tgv"}) {
      QVERIFY(planJob(*scan, with({{"method", method}, {"memory-limit", "0.1"}})).coils == 1);
      try {
        planJob(*scan, with({{"method", method}, {"memory-limit", "0.004"}}));
        QFAIL(method);
      } catch (const Error& error) {
        QVERIFY2(error.reason().find("8.4 MB") != std::string::npos, error.reason().c_str());
        QVERIFY2(error.reason().find("4.0 MB") != std::string::npos, error.reason().c_str());
      }
    }
    planJob(*scan, with({{"exact", "true"}, {"memory-limit", "0.004"}}));
  }

  // The image fits, and its grid with the points and samples of a plan does not.
  void aPlanSomewhatBeyondTheMemoryLimitIsRefusedByThePlan() {
    SimulateOptions o;
    o.trajectory.matrix = {256, 256, 1};
    o.trajectory.shots = 100;
    const auto scan = simulate(o, {});
    const auto cpu = makeCpuBackend();
    JobMachine machine;
    machine.places = {{.backend = cpu.get()}};
    const auto reason = [&](const char* method, const char* transform, const char* limit) {
      ReconOptions options = with({{"method", method}, {"memory-limit", limit}});
      setOption(options, "transform", transform);
      try {
        planJob(*scan, options, machine);
      } catch (const Error& error) {
        return error.reason();
      }
      return std::string();
    };
    for (const char* method : {"gridding", "sense"}) {
      const std::string why = reason(method, "auto", "0.001");
      QVERIFY2(why.find("the smallest plan takes") != std::string::npos, why.c_str());
      QCOMPARE(reason(method, "auto", "0.01"), std::string());
    }
    // A convolution has a grid of twice the image along each axis.
    QVERIFY(reason("sense", "toeplitz", "0.0025").find("the smallest plan takes") != std::string::npos);
    QCOMPARE(reason("sense", "nufft", "0.0025"), std::string());
  }

  void framesWithoutAnOrderAreNotComparedAlongTime() {
    Scan scan = *frames(4);
    const auto named = [&](const char* method, FrameMeaning meaning) {
      scan.frameAxes = FrameAxes::grid({{meaning, 4, {}}});
      try {
        planJob(scan, with({{"method", method}}));
      } catch (const Error& error) {
        return error.reason();
      }
      return std::string();
    };
    for (const char* method : {"grasp", "l+s"}) {
      for (const auto meaning : {FrameMeaning::set, FrameMeaning::segment, FrameMeaning::slice})
        QVERIFY(named(method, meaning).find("follow each other") != std::string::npos);
      for (const auto meaning : {FrameMeaning::time, FrameMeaning::echo, FrameMeaning::phase,
                                 FrameMeaning::average, FrameMeaning::frame})
        QCOMPARE(named(method, meaning), std::string());
    }
    QCOMPARE(named("llr", FrameMeaning::set), std::string());
    for (const char* method : {"grasp", "xd-grasp", "l+s", "llr", "low-rank", "joint-wavelet", "joint-pnp",
                               "subspace", "t2-shuffling", "mrf"})
      QVERIFY_EXCEPTION_THROWN(planJob(*frames(1), with({{"method", method}})), Error);
  }
};

SPOKELAB_TEST(TestJobPlan)

}  // namespace test_job_plan

#include "test_job_plan.moc"
