// Comments, messages and pages keep to plain words: each turn that needs a second reading is rare.
#include <QProcess>
#include <QtTest>

#include "tests/structure/planted.h"
#include "tests/structure/words.h"
#include "tests/test_main.h"

namespace test_words {

using namespace spokelab::structure;

namespace {

const std::filesystem::path pages = std::filesystem::path(SPOKELAB_SOURCE_DIR) / "resources";
constexpr std::size_t maxPageColumns = 120, maxCommentColumns = 100;

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
    const auto comments = commentsOf(readSources(SPOKELAB_SOURCE_DIR));
    QVERIFY(comments.size() > 1000);
    const auto messages = checkWords("comments", comments);
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void commentsHaveShortLines() {
    const auto lines = commentLinesOf(readSources(SPOKELAB_SOURCE_DIR));
    QVERIFY(lines.size() > 1000);
    const auto messages = checkColumns(lines, maxCommentColumns);
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void messagesUsePlainWords() {
    const auto prose = messagesOf(readSources(SPOKELAB_SOURCE_DIR));
    QVERIFY(prose.size() > 1000);
    const auto messages = checkWords("messages", prose);
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void errorsSayWhatToDo() {
    const auto messages = checkRemedies(readSources(SPOKELAB_SOURCE_DIR));
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void pagesUsePlainWords_data() {
    QTest::addColumn<QString>("folder");
    for (const char* folder : {"guide", "developer"}) QTest::newRow(folder) << QString::fromLatin1(folder);
  }
  void pagesUsePlainWords() {
    QFETCH(QString, folder);
    const auto prose = pagesOf(pages / folder.toStdString());
    QVERIFY(prose.size() > 100);
    const auto messages = checkWords(folder.toStdString() + "'s pages", prose);
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void pagesHaveShortLines() {
    const auto lines = pageLinesOf(pages);
    QVERIFY(lines.size() > 1000);
    const auto messages = checkColumns(lines, maxPageColumns);
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void subjectsOfCommitsUsePlainWords() {
    constexpr int commits = 50, maxSubjects = 3;
    QProcess git;
    git.setWorkingDirectory(QStringLiteral(SPOKELAB_SOURCE_DIR));
    git.start(QStringLiteral("git"),
              {QStringLiteral("log"), QStringLiteral("-%1").arg(commits), QStringLiteral("--format=%s")});
    if (!git.waitForFinished() || git.exitCode() != 0) QSKIP("no history of commits here");
    QByteArrayList found;
    for (const QByteArray& subject : git.readAllStandardOutput().split('\n'))
      if (!checkWords("subjects", {{"git log", subject.toStdString()}}).empty()) found << subject;
    QVERIFY2(found.size() <= maxSubjects, found.join('\n'));
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

  void anErrorWithoutRemedyIsFound() {
    Source source = planted("engine/a.cpp");
    source.lines = {"  throw Error(problem, \"it is damaged\", \"Copy it again\");",
                    "  log(\"\", \"\");",
                    "  throw Error(problem, \"it is damaged\", \"\");  // why",
                    "  throw Error(problem,",
                    "              \"it is damaged\",",
                    "              \"\");"};
    const auto messages = checkRemedies({source});
    QCOMPARE(messages.size(), std::size_t(2));
    QVERIFY(messages[0].starts_with("engine/a.cpp:3"));
    QVERIFY(messages[1].starts_with("engine/a.cpp:6"));
  }

  void aLongLineIsFound() {
    QVERIFY(checkColumns({{"a.md:1", std::string(120, 'x')}}, 120).empty());
    QCOMPARE(checkColumns({{"a.md:1", std::string(121, 'x')}}, 120).size(), std::size_t(1));
    QVERIFY(checkColumns({{"a.md:1", "α"}}, 1).empty());
  }
};

SPOKELAB_TEST(TestWords)

}  // namespace test_words

#include "test_words.moc"
