// Large images are autosaved, too: numbers do not wait for them, each is written once, and where
// there is no room for one the window says so, once.
#include <atomic>

#include "app/gui/document/session_saver.h"
#include "app/gui/features/banner.h"
#include "engine/profile/session/saved_session.h"
#include "tests/app/gui/workbench.h"
#include "tests/thread_time.h"

namespace test_autosaved_images {

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

// A session of one result; `megabytes`: of its image. `mark` goes into its options.
SavedSession sessionOf(std::int64_t megabytes) {
  auto image = std::make_shared<Image>();
  image->size = {1 << 10, (1 << 7) * megabytes, 1};
  image->data.assign(std::size_t(image->volume()), cfloat(1, -1));
  image->data[77] = cfloat(float(megabytes), 0);
  image->geometry.matrix = image->size;
  auto result = std::make_shared<Reconstruction>();
  result->image = image;
  SavedSession session;
  session.results = {{1, "scan.h5", false, result}};
  session.shown = 1;
  return session;
}

// Messages of the saver, on this thread.
struct Listener : QObject {
  int saved = 0;
  std::vector<Failure> refused;
  explicit Listener(const SessionSaver& saver) {
    connect(&saver, &SessionSaver::saved, this, [this] { ++saved; });
    connect(&saver, &SessionSaver::imageNotKept, this,
            [this](const Failure& failure) { refused.push_back(failure); });
  }
};

int markOf(const fs::path& file) {
  return std::stoi(loadSession(file, {}, false).session.view.at("mark"));
}

}  // namespace

class TestAutosavedImages : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void numbersDoNotWaitForALargeImage() {
    const QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "slot" / "session.spokelab";
    constexpr std::int64_t megabytes = 384;
    SavedSession session = sessionOf(megabytes);
    SessionSaver saver;
    const Listener heard(saver);
    // Changes come faster than the image can be written.
    int before = 0, mark = 0;
    double slowest = 0;
    QElapsedTimer whole;
    whole.start();
    while (heard.saved == 0 && whole.elapsed() < patience) {
      session.view["mark"] = std::to_string(++mark);
      QElapsedTimer clock;
      clock.start();
      const ThreadTime own;
      saver.autosave(session, file);
      QVERIFY(own.ms() < 50);  // of the main thread
      QTRY_VERIFY_WITH_TIMEOUT(fs::exists(file) && markOf(file) == mark, patience);
      slowest = std::max(slowest, double(clock.elapsed()));
      QCoreApplication::processEvents();
      const bool there = fs::exists(sessionImages(file)) && heard.saved == 0;
      before += there;
    }
    QVERIFY(heard.saved > 0);  // more than once, where changes came between the image and its news
    QVERIFY(heard.refused.empty());
    QVERIFY2(before > 0, "numbers were not written while the image was");
    qInfo("%d changes kept while %lld MB were written in %lld ms; the slowest took %.0f ms", before,
          static_cast<long long>(megabytes), whole.elapsed(), slowest);
    QVERIFY(slowest < 6000);  // beside 4 s between autosaves, within 10 s

    // It is written once.
    const auto image = fs::directory_iterator(sessionImages(file))->path();
    const auto time = fs::last_write_time(image);
    session.view["mark"] = "0";
    saver.autosave(session, file);
    saver.finish();
    QCOMPARE(markOf(file), 0);
    QVERIFY(fs::last_write_time(image) == time);
    const LoadedSession loaded = loadSession(file, {});
    QVERIFY2(loaded.problems.empty(), loaded.problems.empty() ? "" : loaded.problems[0].c_str());
    QVERIFY(loaded.session.results[0].result->image->data == session.results[0].result->image->data);
    // And goes with its result.
    session.results.clear();
    saver.autosave(session, file);
    saver.finish();
    QVERIFY(!fs::exists(sessionImages(file)));
  }

  void whereThereIsNoRoomItIsSaidOnce() {
    const QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "session.spokelab";
    std::atomic<std::uintmax_t> space = 1 << 20;
    SavedSession session = sessionOf(2);
    SessionSaver saver(nullptr, [&](const fs::path&) { return space.load(); });
    const Listener heard(saver);
    for (int mark = 1; mark <= 3; ++mark) {
      session.view["mark"] = std::to_string(mark);
      saver.autosave(session, file);
      saver.finish();
      QCOMPARE(markOf(file), mark);
    }
    QCoreApplication::processEvents();
    QCOMPARE(heard.refused.size(), std::size_t(1));
    QVERIFY(heard.saved == 0);  // what was recovered has to stay where it was
    const Failure& failure = heard.refused[0];
    QVERIFY2(failure.reason.contains(QStringLiteral("it takes 2.1 MB, and 1.0 MB are free")),
             qPrintable(failure.reason));
    QVERIFY(failure.remedy.contains(QStringLiteral("SPOKELAB_AUTOSAVE")));
    space = 1 << 30;  // room was made
    session.view["mark"] = "4";
    saver.autosave(session, file);
    saver.finish();
    QCoreApplication::processEvents();
    QCOMPARE(markOf(file), 4);
    const LoadedSession loaded = loadSession(file, {});
    QVERIFY2(loaded.problems.empty(), loaded.problems.empty() ? "" : loaded.problems[0].c_str());
    QTRY_COMPARE_WITH_TIMEOUT(heard.saved, 1, patience);
  }

  void theWindowClosesBeforeALargeImageIsWritten() {
    const QTemporaryDir folder;
    const fs::path file = fs::path(folder.path().toStdString()) / "session.spokelab";
    SavedSession session = sessionOf(256);
    session.view["mark"] = "1";
    SessionSaver saver;
    saver.autosave(session, file);
    QElapsedTimer clock;
    clock.start();
    saver.finish(1);
    qInfo("closed after %lld ms", clock.elapsed());
    const LoadedSession loaded = loadSession(file, {});
    QCOMPARE(loaded.session.view.at("mark"), std::string("1"));
    QVERIFY(!loaded.session.results[0].result->image);
    QVERIFY(loaded.problems.size() == 1 && loaded.problems[0].ends_with("its image was not kept"));
  }

  void theWindowSaysIt() {
    Workbench bench;
    auto* saver = bench.window.findChild<SessionSaver*>();
    QVERIFY(saver);
    Q_EMIT saver->imageNotKept({QStringLiteral("The image of a result is not kept"),
                                QStringLiteral("it takes 5.0 GB"), QStringLiteral("Free some space")});
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().banner->isVisible(), patience);
    QVERIFY(bench.window.views().banner->text().contains(QStringLiteral("takes 5.0 GB")));
  }
};

SPOKELAB_WINDOW_TEST(TestAutosavedImages)

}  // namespace test_autosaved_images

#include "test_autosaved_images.moc"
