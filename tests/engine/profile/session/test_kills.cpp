// A process that is killed at any moment while it saves leaves a session and a wisdom file that can
// be read, and nothing that it had reported as saved is lost.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QtTest>

#include <algorithm>
#include <random>
#include <set>

#include "engine/core/error.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/nufft/tune/wisdom_file.h"
#include "tests/campaign.h"
#include "tests/engine/profile/session/session_samples.h"
#include "tests/test_main.h"

namespace test_kills {

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t wide = 3000;  // pixels: the larger image takes some time to write

SavedSession marked(int mark) {
  SavedSession session = sampleSession("demo", mark);
  session.results[0].result = sampleResult(mark, wide);
  return session;
}

std::string wisdomKey(int mark) {
  return "key " + std::to_string(mark);
}

// Saves session and wisdom of rising marks until it is killed; each mark is told once both are on
// disk.
[[noreturn]] void saveForever(const fs::path& folder, int from, int told) {
  SessionWriter writer(folder / "study.spokelab");
  Wisdom wisdom(folder / "wisdom.json");
  for (int mark = from;; ++mark) {
    const SavedSession session = marked(mark);
    if (mark % 2 == 1) {  // as an autosave: numbers come first
      writer.saveNumbers(session, {});
      for (const SavedResult& entry : session.results)
        writer.images().write(entry.result->image, SessionImages::unasked, {});
    }
    writer.save(session, {});
    wisdom.remember(wisdomKey(mark), sampleResult(mark)->tuning->candidates[0]);
    if (::write(told, &mark, sizeof mark) != sizeof mark) ::_exit(1);
  }
}

}  // namespace

class TestKills : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aKillAtAnyMomentLeavesWholeFiles() {
    const int kills = 20 * test::campaignFactor();
    const QTemporaryDir temporary;
    const fs::path folder = temporary.path().toStdString();
    std::mt19937 random(test::campaignSeed(7));
    int last = 0, inTheMiddle = 0;
    std::set<int> reported;
    // A writer lives for several saves, however slow the machine is; in microseconds.
    QElapsedTimer clock;
    clock.start();
    const QTemporaryDir other;
    SessionWriter(fs::path(other.path().toStdString()) / "study.spokelab").save(marked(1), {});
    const int longestLife = std::max<int>(60'000, int(6 * clock.nsecsElapsed() / 1000));
    for (int kill = 0; kill < kills; ++kill) {
      int ends[2];
      QVERIFY(::pipe2(ends, O_CLOEXEC) == 0);
      const pid_t child = ::fork();
      QVERIFY(child >= 0);
      if (child == 0) saveForever(folder, last + 1, ends[1]);
      ::close(ends[1]);
      ::usleep(useconds_t(std::uniform_int_distribution<int>(0, longestLife)(random)));
      ::kill(child, SIGKILL);
      int status = 0;
      QCOMPARE(::waitpid(child, &status, 0), child);
      QVERIFY(WIFSIGNALED(status));  // it did not end by itself, of an error
      int mark = 0, told = last;
      while (::read(ends[0], &mark, sizeof mark) == sizeof mark) reported.insert(told = mark);
      ::close(ends[0]);

      const fs::path file = folder / "study.spokelab";
      if (fs::exists(file)) {
        const LoadedSession loaded = loadSession(file, {});  // throws, and fails, where it is unreadable
        const int found = std::stoi(loaded.session.view.at("mark"));
        QVERIFY2(found >= told,
                 qPrintable(QStringLiteral("mark %1 after %2 was saved").arg(found).arg(told)));
        QVERIFY(found <= told + 1);
        inTheMiddle += found > told || !loaded.problems.empty();
        QCOMPARE(loaded.session.shown, found + 2);
        QCOMPARE(int(loaded.session.results[0].result->image == nullptr ||
                     loaded.session.results[0].result->image->size[0] == wide),
                 1);
        // Only an autosave's numbers come before their images.
        if (!loaded.problems.empty()) QVERIFY(found % 2 == 1);
        const WisdomContent wisdom = readWisdomFile(folder / "wisdom.json");
        QVERIFY2(wisdom.usable(), wisdom.problem.c_str());
        for (const int m : reported) QVERIFY(wisdom.entries.contains(wisdomKey(m)));
        last = found;
      }
    }
    qInfo("%d kills, %d between the first and the last byte of a save, %d saves", kills, inTheMiddle, last);
    test::countCases("kills of writers in the engine", kills);
    QVERIFY(last > 0);
    // The next save removes half-done files of killed writers.
    SessionWriter(folder / "study.spokelab").save(marked(last + 1), {});
    for (const auto& entry : fs::directory_iterator(folder))
      QVERIFY2(entry.path().extension() != ".spokelab" || entry.path().filename() == "study.spokelab",
               entry.path().c_str());
    int images = 0;
    for ([[maybe_unused]] const auto& entry :
         fs::directory_iterator(sessionImages(folder / "study.spokelab")))
      ++images;
    QCOMPARE(images, 2);
  }
};

SPOKELAB_TEST(TestKills)

}  // namespace test_kills

#include "test_kills.moc"
