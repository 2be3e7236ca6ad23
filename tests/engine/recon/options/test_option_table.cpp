// One table feeds command line, panel and JSON: every value that it writes, it reads back.
#include <QtTest>
#include <algorithm>
#include <set>

#include "engine/core/error.h"
#include "engine/recon/options/options.h"
#include "tests/test_main.h"

namespace test_option_table {

using namespace spokelab;

class TestOptionTable : public QObject {
  Q_OBJECT

  static void set(ReconOptions& options, const char* name, const char* value) {
    setOption(options, name, value);
  }
  static bool refuses(const std::string& name, const std::string& value) {
    ReconOptions options;
    try {
      setOption(options, name, value);
    } catch (const Error& error) {
      return !error.reason().empty() && !error.remedy().empty();
    }
    return false;
  }

 private slots:
  void everyDefaultReadsBack() {
    std::set<std::string> names;
    for (const OptionSpec& spec : reconOptionTable()) {
      QVERIFY2(names.insert(spec.name).second, spec.name.c_str());
      QVERIFY2(!spec.help.empty() && !spec.label.empty() && !spec.group.empty(), spec.name.c_str());
      const std::string value = optionValue(ReconOptions{}, spec.name);
      ReconOptions options;
      setOption(options, spec.name, value);
      QCOMPARE(optionValue(options, spec.name), value);
    }
  }

  void whatGriddingDoesNotUseIsNamed() {
    ReconOptions options;
    QCOMPARE(unusedOptions(options), std::string());
    set(options, "regularization", "tv");
    set(options, "lambda", "0.1");
    QCOMPARE(unusedOptions(options), std::string("lambda, regularization"));
    set(options, "method", "sense");
    QCOMPARE(unusedOptions(options), std::string());
  }

  void everyChoiceReadsBack() {
    for (const OptionSpec& spec : reconOptionTable())
      for (const std::string& choice : spec.choices) {
        ReconOptions options;
        setOption(options, spec.name, choice);
        QCOMPARE(optionValue(options, spec.name), choice);
      }
  }

  void bothEndsOfEveryRangeReadBack() {
    for (const OptionSpec& spec : reconOptionTable()) {
      if (spec.type != OptionType::number && spec.type != OptionType::integer) continue;
      for (double end : {spec.minimum, spec.maximum}) {
        ReconOptions options;
        setOption(options, spec.name, QByteArray::number(end, 'g', 17).toStdString());
        const double back = QByteArray::fromStdString(optionValue(options, spec.name)).toDouble();
        QVERIFY2(std::abs(back - end) <= 1e-12 * std::abs(end), spec.name.c_str());
      }
      QVERIFY2(refuses(spec.name, QByteArray::number(spec.maximum * 2 + 1).toStdString()), spec.name.c_str());
      const double below = std::min(-1.0, spec.minimum * 2 - 1);
      QVERIFY2(refuses(spec.name, QByteArray::number(below).toStdString()), spec.name.c_str());
    }
  }

  void valuesArriveWhereTheyBelong() {
    ReconOptions options;
    set(options, "accuracy", "1e-5");
    set(options, "alpha", "1.25");
    set(options, "width", "5.5");
    set(options, "threads", "3");
    set(options, "memory-limit", "1.5");
    set(options, "precision", "double");
    set(options, "density", "pipe-menon");
    set(options, "combine", "none");
    set(options, "exact", "true");
    set(options, "frames", "0-3,7");
    set(options, "bins", "16x8x4");
    QCOMPARE(options.nufft.accuracy, 1e-5);
    QCOMPARE(options.nufft.alpha, 1.25);
    QCOMPARE(options.nufft.width, 5.5);
    QCOMPARE(options.nufft.threads, 3);
    QCOMPARE(options.nufft.memoryLimit, std::int64_t(1500000000));
    QVERIFY(options.precision == Precision::double64);
    QVERIFY(options.density == DensityMethod::pipeMenon);
    QVERIFY(options.combination == Combination::none);
    QVERIFY(options.exact);
    QCOMPARE(options.frames, std::string("0-3,7"));
    QVERIFY(options.nufft.bins == (Index3{16, 8, 4}));
    using Ratios = std::array<double, 3>;
    set(options, "axis-alpha", "1x1.5x2");
    QVERIFY(options.nufft.axisAlpha == (Ratios{1, 1.5, 2}));
    QCOMPARE(optionValue(options, "axis-alpha"), std::string("1x1.5x2"));
    set(options, "axis-alpha", "1.25");
    QVERIFY(options.nufft.axisAlpha == (Ratios{1.25, 1, 1}));
    set(options, "axis-alpha", "auto");
    QVERIFY(options.nufft.axisAlpha == Ratios{});
    set(options, "alpha", "auto");
    QCOMPARE(options.nufft.alpha, 0.0);
    set(options, "bins", "auto");
    QVERIFY(options.nufft.bins == (Index3{0, 0, 0}));
  }

  void nonsenseIsRefusedWithAReason() {
    QVERIFY(refuses("accuracy", "good"));
    QVERIFY(refuses("accuracy", "0"));
    QVERIFY(refuses("accuracy", "nan"));
    QVERIFY(refuses("alpha", "1.25x"));
    QVERIFY(refuses("alpha", "0.9"));
    QVERIFY(refuses("threads", "1.5"));
    QVERIFY(refuses("kernel", "hamming"));
    QVERIFY(refuses("exact", "maybe"));
    QVERIFY(refuses("bins", "16x"));
    QVERIFY(refuses("bins", "1x2x3x4"));
    QVERIFY(refuses("bins", "16x0x8"));
    for (const char* ratios : {"", "x", "1x", "1x1x1x2", "1x0.9", "1xnan", "1xinf", "1x2.6", "1 x 2", "1,2"})
      QVERIFY2(refuses("axis-alpha", ratios), ratios);
    QVERIFY(refuses("frames", "3-1"));
    QVERIFY(refuses("no-such-option", "1"));
  }

  void selectionsAreListsOfNumbers() {
    QCOMPARE(selection("", 3, "frames"), (std::vector<int>{0, 1, 2}));
    QCOMPARE(selection("2,0-1,1", 3, "frames"), (std::vector<int>{0, 1, 2}));
    QCOMPARE(selection("0-1,7", 8, "frames"), (std::vector<int>{0, 1, 7}));
    QCOMPARE(selection("1-", 3, "frames"), (std::vector<int>{1, 2}));
    QCOMPARE(selection("0-:2", 3, "frames"), (std::vector<int>{0, 2}));
    for (const char* bad : {"3", "3-", "1-:0", "a", "0,,1", "-1", "0 1"}) {
      bool refused = false;
      try {
        selection(bad, 3, "frames");
      } catch (const Error&) {
        refused = true;
      }
      QVERIFY2(refused, bad);
    }
  }
};

SPOKELAB_TEST(TestOptionTable)

}  // namespace test_option_table

#include "test_option_table.moc"
