// Folders, files and classes keep their limits, and comments name only what is in the repository.
#include <QtTest>

#include "tests/structure/planted.h"
#include "tests/structure/tree_limits.h"
#include "tests/test_main.h"

namespace test_tree_limits {

using namespace spokelab::structure;

namespace {

Source withLines(const std::string& path, std::vector<std::string> lines) {
  Source source = planted(path);
  source.lines = std::move(lines);
  return source;
}

}  // namespace

class TestTreeLimits : public QObject {
  Q_OBJECT

 private slots:
  void theTreeKeepsItsLimits() {
    const auto sources = readSources(SPOKELAB_SOURCE_DIR);
    QVERIFY2(!sources.empty(), "no sources were read");
    const auto messages = checkLimits(sources);
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void anAllowanceNamesItsReasonAndIsNeeded() {
    constexpr std::size_t minReason = 40;
    const auto sources = readSources(SPOKELAB_SOURCE_DIR);
    for (const Allowance& allowance : allowances()) {
      QVERIFY2(std::string(allowance.reason).size() >= minReason, allowance.path);
      int lines = 0, files = 0;
      for (const Source& source : sources) {
        if (source.path == allowance.path) lines = int(source.lines.size());
        files += source.path.substr(0, source.path.rfind('/')) == allowance.path;
      }
      QVERIFY2(lines > maxLinesOfFile || files > maxFilesOfFolder, allowance.path);
      if (lines == 0) continue;
      const auto grown = [&](int count) {
        return checkLimits({withLines(allowance.path, std::vector<std::string>(std::size_t(count)))}).size();
      };
      QCOMPARE(grown(allowance.most), std::size_t(0));
      QCOMPARE(grown(allowance.most + 1), std::size_t(1));
    }
  }

  void aCrowdedFolderIsFound() {
    std::vector<Source> sources;
    for (int i = 0; i < maxFilesOfFolder; ++i)
      sources.push_back(planted("engine/core/f" + std::to_string(i) + ".h"));
    QVERIFY(checkLimits(sources).empty());
    sources.push_back(planted("engine/core/one_more.h"));
    QCOMPARE(joined(checkLimits(sources)), QString("engine/core has 31 files, 30 at most"));
  }

  void aLongFileIsFound() {
    QVERIFY(checkLimits({withLines("cuda/a.cu", std::vector<std::string>(maxLinesOfFile))}).empty());
    QCOMPARE(checkLimits({withLines("cuda/a.cu", std::vector<std::string>(maxLinesOfFile + 1))}).size(),
             std::size_t(1));
    const std::vector<std::string> lines(maxLinesOfMainWindow + 1);
    QCOMPARE(checkLimits({withLines("app/gui/window/main_window.cpp", lines)}).size(), std::size_t(1));
  }

  void aClassThatIsSpreadIsFound() {
    const auto part = [](const char* path, const char* line) { return withLines(path, {line}); };
    std::vector<Source> sources = {part("widgets/a.cpp", "View::View(QWidget* parent) : QWidget(parent) {"),
                                   part("widgets/b.cpp", "const std::vector<int>& View::rows() const {"),
                                   part("widgets/c.cpp", "  View::helper(1);"),
                                   part("app/d.cpp", "void View::ofTheSameNameElsewhere() {")};
    QVERIFY2(checkLimits(sources).empty(), qPrintable(joined(checkLimits(sources))));
    sources.push_back(part("widgets/e.cpp", "View::~View() = default"));
    QCOMPARE(joined(checkLimits(sources)),
             QString("widgets: class View is defined in 3 files: a.cpp b.cpp e.cpp"));
  }

  void documentsAndNumbersAreReadInOnePlace() {
    const auto messages = checkCalls(readSources(SPOKELAB_SOURCE_DIR));
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
    for (const char* call : {"  const json j = nlohmann::json::parse(text);",
                             "  if (json::accept(text)) return;", "  x = std::strtod(text, nullptr);",
                             "  x = std::stod(text);", "  return sscanf(text, format, &x);"})
      QCOMPARE(checkCalls({withLines("engine/a.cpp", {call})}).size(), std::size_t(1));
    for (const char* call : {"  const json j = parseDocument(text, problem, remedy);",
                             "  const long n = std::strtol(text, nullptr, 10);"})
      QVERIFY(checkCalls({withLines("engine/a.cpp", {call})}).empty());
  }

  void whoAsksTheOptionsInPlaceOfThePlanIsFound() {
    const auto found = [](const char* path, const char* line) {
      return checkCalls({withLines(path, {line})}).size();
    };
    for (const char* line :
         {"  if (options.slabs > 1) return;", "  n = selection(options_.frames, 3, what).size();",
          "  const int coils = job.options.virtualCoils;", "  if (asked.coilsAtOnce == 0) return;"}) {
      QCOMPARE(found("engine/recon/run/a.cpp", line), std::size_t(1));
      QCOMPARE(found("engine/recon/job/a.cpp", line), std::size_t(0));
    }
    for (const char* line : {"  options.frames = \"\";", "  options.coils.clear();",
                             "  n = job.frames.size();", "  f();  // options.frames"})
      QCOMPARE(found("engine/recon/run/a.cpp", line), std::size_t(0));
  }

  void whoAsksForATypeIsFound() {
    const char* const line = "  auto* const fast = dynamic_cast<FastPlan*>(plan.get());";
    QCOMPARE(checkCalls({withLines("engine/nufft/a.cpp", {line})}).size(), std::size_t(1));
    QCOMPARE(checkCalls({withLines("cuda/nufft/a.cpp", {line})}).size(), std::size_t(1));
    QVERIFY(checkCalls({withLines("app/gui/a.cpp", {line})}).empty());
  }

  void instructionsOfNewerGpusAreFound() {
    for (const char* line :
         {"    sum.add(__reduce_max_sync(wholeWarp, mine));", "#if __CUDA_ARCH__ >= 800"}) {
      QCOMPARE(checkCalls({withLines("cuda/nufft/a.cu", {line})}).size(), std::size_t(1));
      QVERIFY(checkCalls({withLines("cuda/device/instructions.cuh", {line})}).empty());
    }
    QVERIFY(checkCalls({withLines("cuda/nufft/a.cu", {"  largestOfWarp(mine);"})}).empty());
  }

  void aDocumentThatIsNotThereIsFound() {
    for (const char* comment :
         {"// Papers/gnufftw, eq. 9", "int a;  // see design.md", "// the error model (design section 4)"})
      QCOMPARE(checkLimits({withLines("engine/a.h", {comment})}).size(), std::size_t(1));
    for (const char* comment : {"// [gnufftw] eq. 9", "// resources/developer/papers.md has the equation"})
      QVERIFY(checkLimits({withLines("engine/a.h", {comment})}).empty());
  }
};

SPOKELAB_TEST(TestTreeLimits)

}  // namespace test_tree_limits

#include "test_tree_limits.moc"
