// Studies against their papers: figures, sizes, accelerations, accuracies and patterns as printed,
// and a page that says of each study what the study says of itself.
#include <QtTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "engine/profile/study/claims/claims.h"
#include "engine/profile/study/study.h"
#include "tests/test_main.h"

namespace test_study_papers {

using namespace spokelab;

namespace {

// As the papers print them; empty accelerations follow from the size.
struct Printed {
  const char* figures;
  std::vector<int> sizes;
  std::vector<double> accelerations, accuracies;
  std::vector<std::string> patterns;
  std::vector<double> alphas{2};
};

std::map<std::string, Printed> printed() {
  const std::vector<int> all = {62, 94, 126, 158, 190, 222, 254}, from126 = {126, 158, 190, 222, 254},
                         table = {128, 256, 320}, cubes = {16, 32, 64, 128, 256},
                         squares = {32, 64, 128, 256, 512, 1024, 2048};
  const std::vector<double> r = {1, 4, 16}, both = {1e-2, 1e-3}, none = {};
  const std::vector<std::string> random = {"random"}, radial = {"radial3d"}, two = {"random", "clustered"},
                                 three = {"radial3d", "gaussian", "stack-of-spirals"},
                                 four = {"radial3d", "stack-of-stars", "cones", "random"};
  return {
      {"window-error", {"nfft-jl Fig. 1", {64}, none, none, {}}},
      {"library-errors", {"nfft-jl Fig. 2", {64}, none, none, {}}},
      {"blocks", {"nfft-jl Fig. 3", {64}, none, none, {}}},
      {"single-thread", {"nfft-jl Fig. 4", {64}, none, none, {}}},
      {"threads", {"nfft-jl Fig. 5", {64}, none, none, {}}},
      {"sequential-stages", {"multicore-nufft Fig. 3", {256}, none, none, three}},
      {"convolution-parts", {"multicore-nufft Fig. 7", {256}, none, none, radial}},
      {"parallel-stages", {"multicore-nufft Fig. 8", {256}, none, none, three}},
      {"gains", {"multicore-nufft Fig. 9", {256}, none, none, three}},
      {"scaling", {"multicore-nufft Fig. 10", table, none, none, three}},
      {"partitions", {"multicore-nufft Fig. 11", table, none, none, radial}},
      {"privatisation", {"multicore-nufft Fig. 12", table, none, none, radial}},
      {"vectors", {"multicore-nufft Fig. 13", {256}, none, none, {"radial3d", "gaussian"}}},
      {"preprocessing", {"multicore-nufft Fig. 14", {256}, none, none, three}},
      {"overall", {"multicore-nufft Table II", table, none, none, three}},
      {"rates", {"multicore-nufft Table III", {256}, none, none, three}},
      {"against-cpus", {"multicore-nufft Table IV", {240}, none, none, {}, {1.25}}},
      {"against-gpu", {"multicore-nufft Table V", {344}, none, none, {}}},
      {"aliasing", {"gnufftw Fig. 3", {128}, none, none, {}, {1.125, 1.25, 1.375, 1.5, 1.75, 2}}},
      {"pruned-fft", {"gnufftw Fig. 5", {64, 96, 128, 192, 256, 320, 384, 512}, none, none, {}}},
      {"alpha", {"gnufftw Figs 6 and 14", {158}, r, {1e-2}, {"stack-of-stars"}, none}},
      {"best-alpha", {"gnufftw Fig. 7", all, r, both, four, none}},
      {"fixed-alpha", {"gnufftw Fig. 8", from126, r, {1e-2}, four, {1.125, 2}}},
      {"implementations", {"gnufftw Figs 9, 10 and 15 to 22", all, r, both, four, none}},
      {"row-lengths", {"gnufftw Fig. 11", {64}, {1}, {1e-2}, four, {1.5}}},
      {"row-deviations", {"gnufftw Table III", {64}, {1}, {1e-2}, four, {1.5}}},
      {"entries", {"gnufftw Figs 12 and 13", all, r, both, four, none}},
      {"entry-slopes", {"gnufftw Table IV", all, r, both, four, none}},
      {"spreading", {"cufinufft Fig. 2, 3-D", cubes, {0.125}, none, two}},
      {"spreading-2d", {"cufinufft Fig. 2, 2-D", squares, {0.25}, none, two}},
      {"interpolation", {"cufinufft Fig. 3, 3-D", cubes, {0.125}, none, random}},
      {"interpolation-2d", {"cufinufft Fig. 3, 2-D", squares, {0.25}, none, random}},
      {"errors", {"cufinufft Figs 4 and 5", {100}, {0.125}, {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}, {}}},
      {"modes", {"cufinufft Fig. 6", squares, {0.25}, {1e-2}, two}},
      {"weak-scaling", {"cufinufft Fig. 9 and Table II", {41, 81}, none, {1e-12}, {}}},
      {"memory", {"cufinufft Table I", {32, 256}, {0.125}, {1e-2, 1e-5}, {}}},
      {"errors-double", {"cufinufft Fig. 7", {100}, {0.125}, {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}, {}}},
  };
}

std::string page(const char* name = "guide/studies.md") {
  std::ifstream file(std::string(SPOKELAB_SOURCE_DIR "/resources/") + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

class TestStudyPapers : public QObject {
  Q_OBJECT

 private slots:
  void everyStudyIsAsPrinted() {
    const auto papers = printed();
    QCOMPARE(studies().size(), papers.size());
    for (const StudyInfo& info : studies()) {
      const char* name = info.name.c_str();
      const auto found = papers.find(info.name);
      QVERIFY2(found != papers.end(), name);
      const Printed& paper = found->second;
      const StudyRequest own = studyDefaults(info.name);
      QVERIFY2(info.source == paper.figures && own.sizes == paper.sizes &&
                   own.accelerations == paper.accelerations && own.accuracies == paper.accuracies &&
                   own.patterns == paper.patterns && own.alphas == paper.alphas,
               name);
    }
  }

  // Its sizes, and what is not as in the paper, are in every study's own words.
  void everyStudySaysWhatDiffers() {
    for (const StudyInfo& info : studies()) {
      QVERIFY2(!info.same.empty() && !info.differs.empty() && !info.methods.empty(), info.name.c_str());
      for (const std::string& text : {info.same, info.differs})
        QVERIFY2(!text.ends_with('.') && text.find('|') == std::string::npos, info.name.c_str());
      for (const int size : studyDefaults(info.name).sizes)
        QVERIFY2((info.same + info.differs).find(std::to_string(size)) != std::string::npos,
                 (info.name + ": " + std::to_string(size)).c_str());
    }
  }

  void thePageSaysWhatTheStudiesSay() {
    const std::string text = page();
    QVERIFY(!text.empty());
    std::size_t rows = 0;
    for (const StudyInfo& info : studies()) {
      const std::string compared = "\n| `" + info.name + "` | " + info.same + " | " + info.differs + " |\n";
      QVERIFY2(text.find(compared) != std::string::npos, info.name.c_str());
      const std::size_t listed = text.find("\n| `" + info.name + "` | ");
      const std::string line = text.substr(listed + 1, text.find('\n', listed + 1) - listed - 1);
      QVERIFY2(line.ends_with("| " + info.source + " |"), line.c_str());
      ++rows;
    }
    // No study on the page that there is not.
    std::size_t lines = 0;
    for (std::size_t at = text.find("\n| `"); at != std::string::npos; at = text.find("\n| `", at + 1)) {
      const std::size_t end = text.find('`', at + 4);
      if (text.compare(end, 4, "` | ") == 0) ++lines;
    }
    QCOMPARE(lines, 2 * rows);
  }

  // The developers' table has a command for each study, and none of a study that there is not.
  void theTableOfThePapersNamesEveryStudy() {
    const std::string text = page("developer/papers.md"), start = "| `study ";
    std::set<std::string> named, known;
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
      const std::size_t from = at + start.size();
      named.insert(text.substr(from, text.find_first_of("` ", from) - from));
    }
    for (const StudyInfo& info : studies()) known.insert(info.name);
    QVERIFY(named == known);
  }

  // A claim belongs to a study, and says what it is about.
  void everyClaimIsOfAStudy() {
    QVERIFY(claims().size() > 30);
    for (const Claim& claim : claims()) {
      QVERIFY2(std::any_of(studies().begin(), studies().end(),
                           [&](const StudyInfo& info) { return info.name == claim.study; }),
               claim.study.c_str());
      QVERIFY(!claim.sentence.empty() && !claim.sentence.ends_with('.'));
      // Nothing was run: nothing is claimed.
      QCOMPARE(claim.check({}).verdict, ClaimVerdict::unclear);
    }
  }
};

SPOKELAB_TEST(TestStudyPapers)

}  // namespace test_study_papers

#include "test_study_papers.moc"
