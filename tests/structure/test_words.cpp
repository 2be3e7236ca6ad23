// Comments, messages and pages keep to plain words: each turn that needs a second reading is rare.
#include <QtTest>

#include "tests/structure/planted.h"
#include "tests/structure/words.h"
#include "tests/test_main.h"

using namespace spokelab::structure;

namespace {

// Rooms that are not rewritten yet. The list only shrinks.
const char* const notYet[] = {"engine/scan/",        "engine/recon/",   "engine/nufft/tune/",
                              "engine/nufft/type3/", "app/cli/remote/", "app/api/spokelab.h"};

std::vector<Source> rewritten() {
  std::vector<Source> sources = readSources(SPOKELAB_SOURCE_DIR);
  std::erase_if(sources, [](const Source& source) {
    return std::any_of(std::begin(notYet), std::end(notYet),
                       [&](const char* room) { return source.path.starts_with(room); });
  });
  return sources;
}

std::vector<ProseLine> repeated(const std::string& text, int count, const std::string& other, int others) {
  std::vector<ProseLine> lines(std::size_t(count), {"a.h:1", text});
  lines.insert(lines.end(), std::size_t(others), {"a.h:2", other});
  return lines;
}

}  // namespace

class TestWords : public QObject {
  Q_OBJECT

 private slots:
  void commentsUsePlainWords() {
    const auto comments = commentsOf(rewritten());
    QVERIFY(comments.size() > 1000);
    const auto messages = checkWords("comments", comments);
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void aTurnThatIsTooFrequentIsFound() {
    const std::string plain = "The grid of a plan.";
    for (const char* line :
         {"Of so few points.", "Whether it is there.", "the plan's, or that of its grid", "it is none",
          "a grid of its own", "the point lies in a cell", "as many as there is room for"}) {
      QVERIFY(!checkWords("comments", repeated(line, 20, plain, 980)).empty());
      QVERIFY(checkWords("comments", repeated(line, 1, plain, 1999)).empty());
    }
    QVERIFY(checkWords("comments", repeated(plain, 1000, plain, 0)).empty());
  }

  void commentsAndMessagesAreToldApart() {
    Source source = planted("engine/a.cpp");
    source.lines = {"  throw Error(\"Cannot read // this\", \"why not\");  // the reason",
                    "}  // namespace spokelab", "  const char quote = '\"';  // one character"};
    const auto comments = commentsOf({source});
    QCOMPARE(comments.size(), std::size_t(2));
    QCOMPARE(comments[0].text, std::string("the reason"));
    QCOMPARE(comments[1].text, std::string("one character"));
    const auto messages = messagesOf({source});
    QCOMPARE(messages.size(), std::size_t(1));
    QCOMPARE(messages[0].text, std::string("Cannot read // this"));
  }

  void aLongLineIsFound() {
    QVERIFY(checkColumns({{"a.md:1", std::string(120, 'x')}}, 120).empty());
    QCOMPARE(checkColumns({{"a.md:1", std::string(121, 'x')}}, 120).size(), std::size_t(1));
    QVERIFY(checkColumns({{"a.md:1", "α"}}, 1).empty());
  }
};

SPOKELAB_TEST(TestWords)
#include "test_words.moc"
