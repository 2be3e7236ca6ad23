// Groups and rules of the options: each option has one place, and one that is said to do nothing
// leaves the image as it is, bit by bit.
#include <QtTest>

#include <map>
#include <set>

#include "engine/recon/options/option_rules.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_option_rules {

using namespace spokelab;

namespace {

using Settings = std::vector<std::pair<const char*, const char*>>;

ReconOptions with(const Settings& settings) {
  ReconOptions options;
  for (const auto& [name, value] : settings) setOption(options, name, value);
  return options;
}

// Another value than the option has; files are none that exist.
std::string otherValue(const OptionSpec& spec, const ReconOptions& options) {
  const std::string usual = optionValue(options, spec.name);
  switch (spec.type) {
    case OptionType::choice:
      return spec.choices.back() != usual ? spec.choices.back() : spec.choices.front();
    case OptionType::flag:
      return usual == "true" ? "false" : "true";
    case OptionType::integer:
      return std::to_string(int(spec.minimum) + 1);
    case OptionType::number:
      return exactNumberText(spec.minimum + (spec.maximum - spec.minimum) / 4);
    case OptionType::text:
      if (spec.name == "devices") return "1";
      if (spec.name == "echo-times") return "5,10";
      if (spec.name == "t2-range" || spec.name == "t1-range") return "20-500";
      if (spec.name == "flip-angles") return "5,10";
      return spec.name == "scheduler-off" ? "queue" : "/nowhere/map.npy";
  }
  return {};
}

std::shared_ptr<const Scan> fieldScan() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::spiral2d;
  o.trajectory.matrix = {16, 16, 1};
  o.trajectory.shots = 4;
  o.trajectory.dwellSeconds = 4e-5;
  o.coils = 3;
  o.offResonance = {FieldShape::head, 30};
  return simulate(o, {});
}

}  // namespace

class TestOptionRules : public QObject {
  Q_OBJECT

  std::unique_ptr<Backend> cpu_ = makeCpuBackend();
  std::shared_ptr<const Scan> scan_ = fieldScan();

  std::vector<cfloat> image(const ReconOptions& options) {
    const auto image = reconstruct({cpu_.get()}, *scan_, options, nullptr, {}).image;
    return {image->data.begin(), image->data.end()};
  }

 private slots:
  // A command of a result names what its method would not do by itself.
  void changedOptionsAreOtherThanTheMethodsOwn() {
    using Names = std::map<std::string, std::string>;
    const auto namesOf = [](const Settings& settings) {
      Names names;
      for (const auto& [spec, value] : changedOptions(with(settings))) names[spec->name] = value;
      return names;
    };
    QCOMPARE(namesOf({}), Names());
    QCOMPARE(namesOf({{"method", "wavelet"}}), (Names{{"method", "wavelet"}}));
    QCOMPARE(namesOf({{"method", "wavelet"}, {"iterations", "60"}, {"lambda", "0.001"}}),
             (Names{{"method", "wavelet"}}));
    QCOMPARE(namesOf({{"method", "wavelet"}, {"iterations", "10"}}),
             (Names{{"method", "wavelet"}, {"iterations", "10"}}));
    QCOMPARE(namesOf({{"method", "subspace"}, {"regularization", "tv"}, {"iterations", "30"}}),
             (Names{{"method", "subspace"}, {"regularization", "tv"}, {"iterations", "30"}}));
    QCOMPARE(namesOf({{"method", "sense"}, {"lambda", "0"}}), (Names{{"method", "sense"}, {"lambda", "0"}}));
  }

  void everyOptionHasOnePlace() {
    std::multiset<std::string> placed, table;
    for (const OptionGroup& group : optionGroups()) {
      QVERIFY2(!group.options.empty(), group.title.c_str());
      for (const OptionSpec& spec : group.options) placed.insert(spec.name);
    }
    for (const OptionSpec& spec : reconOptionTable()) table.insert(spec.name);
    QVERIFY(placed == table);
  }

  void theEssentialsComeFirst() {
    const OptionGroup& first = optionGroups().front();
    QCOMPARE(first.title, std::string(essentialsGroup));
    std::set<std::string> names;
    for (const OptionSpec& spec : first.options) names.insert(spec.name);
    QVERIFY((names == std::set<std::string>{"method", "accuracy", "regularization", "lambda", "iterations",
                                            "coil-maps", "field-map"}));
  }

  void reasonsFollowTheOtherOptions_data() {
    QTest::addColumn<Settings>("settings");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("part");  // of the reason; empty: the option acts
    const auto row = [](const char* what, const Settings& settings, const char* name, const char* part) {
      QTest::addRow("%s", what) << settings << QString::fromLatin1(name) << QString::fromLatin1(part);
    };
    const std::pair<const char*, const char*> sense{"method", "sense"};
    row("λ of gridding", {}, "lambda", "a method that iterates");
    row("λ of SENSE", {sense}, "lambda", "");
    row("kind without λ", {sense, {"lambda", "0"}}, "regularization", "is 0");
    row("kind with λ", {sense, {"lambda", "0.1"}}, "regularization", "");
    row("kind of wavelets", {{"method", "wavelet"}}, "regularization", "has a regularization already");
    row("kind of GRASP", {{"method", "grasp"}}, "regularization", "has a regularization already");
    row("kind of TV", {{"method", "tv"}, {"lambda", "0.1"}}, "regularization",
        "has a regularization already");
    row("sets of soft SENSE", {{"method", "soft-sense"}}, "coil-map-sets", "two sets");
    row("shifts of wavelets", {{"method", "wavelet"}}, "wavelet-shifts", "");
    row("shifts of GRASP", {{"method", "grasp"}}, "wavelet-shifts", "Only the methods wavelet");
    row("block of GRASP", {{"method", "grasp"}}, "llr-block", "Only the methods llr");
    row("block of T2 shuffling", {{"method", "t2-shuffling"}, {"lambda", "0.1"}}, "llr-block", "");
    row("maps of nlinv", {{"method", "nlinv"}}, "coil-maps", "finds the coil maps itself");
    row("basis of SENSE", {sense}, "basis", "subspace");
    row("basis of subspace", {{"method", "subspace"}}, "basis", "");
    row("T2 of a given basis", {{"method", "subspace"}, {"basis", "a.npy"}}, "t2-range", "file");
    row("denoiser of TV", {{"method", "tv"}}, "denoiser", "Only the methods pnp");
    row("denoiser of plug and play", {{"method", "pnp"}}, "denoiser", "");
    row("maps of coil wavelets", {{"method", "coil-wavelet"}}, "coil-maps", "has no coil maps");
    row("solver of SENSE", {sense}, "solver", "");
    row("solver of TV", {{"method", "tv"}, {"lambda", "0.1"}}, "solver", "has one solver");
    row("solver of NLINV", {{"method", "nlinv"}}, "solver", "has one solver");
    row("solver of gridding", {}, "solver", "a method that iterates");
    row("family of TV", {{"method", "tv"}}, "wavelet-family", "Only the methods wavelet");
    row("spatial jumps of LLR", {{"method", "llr"}}, "spatial-weight", "Only the methods grasp");
    row("spatial jumps of GRASP", {{"method", "grasp"}, {"lambda", "0.1"}}, "spatial-weight", "");
    row("solver of wavelets", {{"method", "wavelet"}}, "solver", "");
    row("weight of LLR", {{"method", "llr"}}, "low-rank-weight", "Only the method l+s");
    row("weight of L+S", {{"method", "l+s"}}, "low-rank-weight", "");
    row("block of LLR", {{"method", "llr"}}, "llr-block", "");
    row("shifts of joint wavelets", {{"method", "joint-wavelet"}}, "wavelet-shifts", "");
    row("Toeplitz of gridding", {}, "toeplitz-alpha", "no normal operator");
    row("Toeplitz, tuned", {{"direction", "normal"}}, "toeplitz-alpha", "");
    row("Toeplitz of a gridded normal", {sense, {"normal", "gridded"}}, "toeplitz-alpha", "padded");
    row("phase maps of SENSE", {sense}, "phase-maps", "pcsense");
    row("phase maps of pcSENSE", {{"method", "pcsense"}}, "phase-maps", "");
    row("a field for nufft", {sense, {"transform", "nufft"}}, "field-map", "do not use a field");
    row("a field for exact sums", {sense, {"transform", "nufft"}, {"exact", "true"}}, "field-map", "");
    row("combination of SENSE", {sense}, "combine", "maps");
    row("calibration of a file", {sense, {"coil-maps", "a.nii"}}, "coil-calibration", "file");
    row("slabs of gridding", {}, "slabs", "");
    row("slabs of SENSE", {sense}, "slabs", "");
    row("slabs of exact sums", {{"exact", "true"}}, "slabs", "no grid");
    row("slabs of a convolution", {sense, {"transform", "toeplitz"}}, "slabs", "divide a volume");
    row("slabs of pcSENSE", {{"method", "pcsense"}}, "slabs", "divide a volume");
    row("block of rss", {}, "walsh-block", "adaptive");
    row("tasks of tiles", {{"scheduler", "tiles"}}, "partitions", "graph");
    row("tasks on the GPU", {{"backend", "cuda"}}, "scheduler", "cuda");
    row("subproblems on the CPU", {{"backend", "cpu"}}, "max-subproblem", "cpu");
    row("repeats of an estimate", {{"effort", "estimate"}}, "trials", "nothing");
    row("Pipe-Menon unused", {{"density", "none"}}, "pipe-menon-iterations", "Pipe-Menon");
  }
  void reasonsFollowTheOtherOptions() {
    QFETCH(const Settings, settings);
    QFETCH(const QString, name);
    QFETCH(const QString, part);
    const QString why = QString::fromStdString(whyIdle(with(settings), name.toStdString()));
    QCOMPARE(why.isEmpty(), part.isEmpty());
    QVERIFY2(why.contains(part), qPrintable(why));
  }

  void whatIsSaidToDoNothingDoesNothing_data() {
    QTest::addColumn<Settings>("settings");
    const std::pair<const char*, const char*> sense{"method", "sense"}, cpu{"backend", "cpu"};
    QTest::addRow("gridding") << Settings{cpu, {"density", "none"}, {"scheduler", "tiles"}};
    QTest::addRow("SENSE") << Settings{sense, cpu, {"transform", "gdft"}, {"lambda", "0"}};
    QTest::addRow("no field") << Settings{
        sense, {"transform", "nufft"}, {"normal", "gridded"}, {"coil-maps", "walsh"}};
    QTest::addRow("wavelets") << Settings{{"method", "wavelet"}, cpu, {"transform", "nufft"}};
    QTest::addRow("no map") << Settings{sense, {"field-map", "none"}, {"normal", "toeplitz-shifted"}};
  }
  void whatIsSaidToDoNothingDoesNothing() {
    QFETCH(const Settings, settings);
    ReconOptions base = with(settings);
    setOption(base, "effort", "estimate");
    setOption(base, "threads", "1");
    setOption(base, "iterations", "3");
    const std::vector<cfloat> before = image(base);
    int idle = 0;
    for (const OptionSpec& spec : reconOptionTable()) {
      if (whyIdle(base, spec.name).empty()) continue;
      ++idle;
      ReconOptions changed = base;
      setOption(changed, spec.name, otherValue(spec, base));
      QVERIFY(optionValue(changed, spec.name) != optionValue(base, spec.name));
      QVERIFY2(image(changed) == before, spec.name.c_str());
    }
    QVERIFY(idle > 5);
  }
};

SPOKELAB_TEST(TestOptionRules)

}  // namespace test_option_rules

#include "test_option_rules.moc"
