// A session is read as it was saved, wherever its folder has been moved to; what is missing,
// damaged or of a newer version is said, and nothing else is lost.
#include <QtTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/profile/results/results.h"
#include "engine/profile/session/autosave.h"
#include "tests/engine/profile/session/session_samples.h"
#include "tests/killed_writer.h"
#include "tests/test_main.h"

namespace test_saved_session {

using namespace spokelab;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

fs::path inside(const QTemporaryDir& folder, const char* name) {
  return fs::path(folder.path().toStdString()) / name;
}

void touch(const fs::path& file) {
  std::ofstream(file) << "a scan";
}

// The JSON of all that a reconstruction holds, its image's values included.
std::string told(const Reconstruction& r) {
  return toJson(r).dump() + (r.image ? imageFingerprint(*r.image) + r.image->name + r.image->provenance.back()
                                     : std::string("no image"));
}

void compareSessions(const SavedSession& a, const SavedSession& b) {
  QVERIFY(a.scan == b.scan);
  QVERIFY(a.options == b.options);
  QCOMPARE(a.results.size(), b.results.size());
  for (std::size_t i = 0; i < a.results.size(); ++i) {
    QCOMPARE(a.results[i].id, b.results[i].id);
    QCOMPARE(a.results[i].scan, b.results[i].scan);
    QCOMPARE(a.results[i].ofScan, b.results[i].ofScan);
    QCOMPARE(told(*a.results[i].result), told(*b.results[i].result));
  }
  QCOMPARE(a.shown, b.shown);
  QCOMPARE(a.reference, b.reference);
  QCOMPARE(a.pinned, b.pinned);
  QCOMPARE(a.runs.size(), b.runs.size());
  for (std::size_t i = 0; i < a.runs.size(); ++i) {
    QCOMPARE(toJson(*a.runs[i].timed).dump(), toJson(*b.runs[i].timed).dump());
    TimedRun same = b.runs[i];
    same.timed = a.runs[i].timed;
    QVERIFY(same == a.runs[i]);
  }
  QCOMPARE(a.chosenRun, b.chosenRun);
  QVERIFY(a.view == b.view);
}

}  // namespace

class TestSavedSession : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyPropertyComesBack() {
    const QTemporaryDir folder;
    touch(inside(folder, "scan.h5"));
    const SavedSession session = sampleSession(inside(folder, "scan.h5").string());
    SessionWriter writer(inside(folder, "study.spokelab"));
    writer.save(session, {});
    const LoadedSession loaded = loadSession(inside(folder, "study.spokelab"), {});
    QCOMPARE(loaded.problems.size(), std::size_t(0));
    compareSessions(session, loaded.session);
    QVERIFY(isSession(inside(folder, "study.spokelab")));
    QVERIFY(!isSession(inside(folder, "scan.h5")));
  }

  void aFolderThatMovedKeepsItsScan() {
    const QTemporaryDir folder;
    fs::create_directories(inside(folder, "a/data"));
    touch(inside(folder, "a/data/scan.h5"));
    SessionWriter(inside(folder, "a/study.spokelab"))
        .save(sampleSession(inside(folder, "a/data/scan.h5").string()), {});
    fs::rename(inside(folder, "a"), inside(folder, "b"));
    const LoadedSession moved = loadSession(inside(folder, "b/study.spokelab"), {});
    QCOMPARE(moved.session.scan->file, inside(folder, "b/data/scan.h5").string());
    QCOMPARE(moved.problems.size(), std::size_t(0));
    // The session alone somewhere else: the absolute path still leads to the scan.
    fs::create_directories(inside(folder, "c"));
    SessionWriter(inside(folder, "b/study.spokelab"))
        .save(sampleSession(inside(folder, "b/data/scan.h5").string()), {});
    fs::rename(inside(folder, "b/study.spokelab"), inside(folder, "c/study.spokelab"));
    const LoadedSession alone = loadSession(inside(folder, "c/study.spokelab"), {});
    QCOMPARE(alone.session.scan->file, inside(folder, "b/data/scan.h5").string());
    QCOMPARE(alone.problems.size(), std::size_t(2));  // the images stayed behind
    QVERIFY(!alone.session.results[0].result->image);
    QCOMPARE(alone.session.results[0].result->plan.options.alpha, 1.4375);
  }

  void aDamagedImageIsSaidAndTheRestStays() {
    const QTemporaryDir folder;
    const fs::path file = inside(folder, "study.spokelab");
    SessionWriter(file).save(sampleSession("demo"), {});
    const fs::path images = sessionImages(file);
    int count = 0;
    fs::path one;
    for (const auto& entry : fs::directory_iterator(images)) {
      ++count;
      one = entry.path();
    }
    QCOMPARE(count, 2);
    std::string bytes = readDocument(one);
    bytes[bytes.size() - 3] = char(bytes[bytes.size() - 3] ^ 1);
    writeFileAtomically(one, bytes);
    const LoadedSession loaded = loadSession(file, {});
    QCOMPARE(loaded.problems.size(), std::size_t(1));
    QVERIFY2(loaded.problems[0].find("not the image that was saved") != std::string::npos,
             loaded.problems[0].c_str());
    QCOMPARE(int(!loaded.session.results[0].result->image) + int(!loaded.session.results[1].result->image),
             1);
  }

  void aNewerVersionIsRefusedPolitely() {
    const QTemporaryDir folder;
    const fs::path file = inside(folder, "study.spokelab");
    SessionWriter(file).save(sampleSession("demo"), {});
    json j = json::parse(readDocument(file));
    j["formatVersion"] = 2;
    j["version"] = "7.1.0";
    j["results"] = "of another kind";
    writeFileAtomically(file, j.dump());
    try {
      loadSession(file, {});
      QFAIL("a session of format 2 was read");
    } catch (const Error& error) {
      QVERIFY2(error.reason().find("Spokelab 7.1.0 wrote it, in format 2") != std::string::npos,
               error.what());
      QVERIFY(!error.remedy().empty());
    }
    QCOMPARE(json::parse(readDocument(file)), j);
  }

  void whatIsNoSessionIsRefused() {
    const QTemporaryDir folder;
    const fs::path file = inside(folder, "study.spokelab");
    SessionWriter(file).save(sampleSession("demo"), {});
    const std::string whole = readDocument(file);
    for (const std::string& bad : {std::string(), std::string("{}"), std::string("[1]"), whole.substr(0, 900),
                                   std::string(R"({"format":"spokelab-session","formatVersion":1})")}) {
      writeFileAtomically(file, bad);
      QVERIFY_EXCEPTION_THROWN(loadSession(file, {}), Error);
    }
    QVERIFY_EXCEPTION_THROWN(loadSession(inside(folder, "missing.spokelab"), {}), Error);
  }

  void anOptionOfAnotherVersionIsSaidNotFatal() {
    const QTemporaryDir folder;
    const fs::path file = inside(folder, "study.spokelab");
    SessionWriter(file).save(sampleSession("demo"), {});
    json j = json::parse(readDocument(file));
    j["results"][0]["reconstruction"]["options"]["from-the-future"] = "7";
    writeFileAtomically(file, j.dump());
    const LoadedSession loaded = loadSession(file, {});
    QCOMPARE(loaded.problems.size(), std::size_t(1));
    QVERIFY(loaded.problems[0].find("from-the-future") != std::string::npos);
    QCOMPARE(loaded.session.results[0].result->options.nufft.alpha, 1.4375);
  }

  // As versions wrote it that kept what the charts showed and nothing else.
  void theChartsOfAnEarlierVersionAreARun() {
    const QTemporaryDir folder;
    const fs::path file = inside(folder, "study.spokelab");
    const SavedSession session = sampleSession("demo");
    SessionWriter(file).save(session, {});
    json j = json::parse(readDocument(file));
    j.erase("runs");
    j.erase("chosenRun");
    writeFileAtomically(file, j.dump());
    QVERIFY(loadSession(file, {}).session.runs.empty());  // the charts were empty
    j["charts"] = {{"accuracy", 1e-3}, {"tune", toJson(*session.runs[0].timed)}};
    writeFileAtomically(file, j.dump());
    const SavedSession old = loadSession(file, {}).session;
    QCOMPARE(old.runs.size(), std::size_t(1));
    QCOMPARE(old.chosenRun, old.runs[0].number);
    QCOMPARE(old.runs[0].accuracy, 1e-3);
    QCOMPARE(old.runs[0].results, (std::vector<int>{3}));  // of the open scan
    QCOMPARE(toJson(*old.runs[0].timed).dump(), toJson(*session.runs[0].timed).dump());
  }

  void imagesAreWrittenOnceAndRemovedWhenNoLongerNamed() {
    const QTemporaryDir folder;
    const fs::path file = inside(folder, "study.spokelab");
    SessionWriter writer(file);
    SavedSession session = sampleSession("demo");
    writer.save(session, {});
    const auto names = [&] {
      std::map<std::string, fs::file_time_type> found;
      std::error_code failed;
      for (const auto& e : fs::directory_iterator(sessionImages(file), failed))
        found[e.path().filename().string()] = e.last_write_time();
      return found;
    };
    const auto first = names();
    QCOMPARE(first.size(), std::size_t(2));
    std::ofstream(test::leftByKilledWriter(sessionImages(file) / "left.npy")) << "half";
    session.view["image/mode"] = "M";
    writer.save(session, {});
    QVERIFY(names() == first);  // not written again; the temporary is gone
    session.results.pop_back();
    writer.save(session, {});
    QCOMPARE(names().size(), std::size_t(1));
    session.results.clear();
    writer.save(session, {});
    QVERIFY(!fs::exists(sessionImages(file)));
  }

  void anImageThatFindsNoRoomIsNotKeptAndTheNumbersAre() {
    const QTemporaryDir folder;
    const fs::path file = inside(folder, "session.spokelab");
    SessionWriter writer(file, [](const fs::path&) { return std::uintmax_t{2000}; });
    const SavedSession session = sampleSession("demo");  // its images have 1440 and 960 bytes
    const auto reason = [&](int result, double share) {
      try {
        writer.images().write(session.results[std::size_t(result)].result->image, share, {});
        return std::string();
      } catch (const Error& error) {
        return error.reason();
      }
    };
    QVERIFY(reason(0, SessionImages::unasked).find("no more than half") != std::string::npos);
    QCOMPARE(reason(1, SessionImages::unasked), std::string());
    writer.saveNumbers(session, {});
    const LoadedSession loaded = loadSession(file, {});
    QVERIFY(!loaded.session.results[0].result->image);
    QVERIFY(loaded.session.results[1].result->image);
    QCOMPARE(loaded.problems.size(), std::size_t(1));
    QVERIFY(loaded.problems[0].find("was not kept") != std::string::npos);
    writer.save(session, {});  // asked for, it may take all the room there is
    QCOMPARE(loadSession(file, {}).problems.size(), std::size_t(0));
    SessionWriter full(inside(folder, "full.spokelab"), [](const fs::path&) { return std::uintmax_t{100}; });
    QVERIFY_EXCEPTION_THROWN(full.save(session, {}), Error);
    QVERIFY(!fs::exists(inside(folder, "full.spokelab")));
  }

  void slotsOfRunningProgramsAreNotOffered() {
    const QTemporaryDir folder;
    const fs::path root = inside(folder, "autosave");
    AutosaveSlot mine = AutosaveSlot::make(root), empty = AutosaveSlot::make(root);
    SessionWriter(mine.file()).save(sampleSession("demo"), {});
    QVERIFY(AutosaveSlot::abandoned(root).empty());
    const fs::path file = mine.file(), nothing = empty.file().parent_path();
    mine = {};
    empty = {};  // as the end of a process
    {
      auto left = AutosaveSlot::abandoned(root);
      QCOMPARE(left.size(), std::size_t(1));
      QCOMPARE(left[0].file(), file);
      QVERIFY(!fs::exists(nothing));
      QVERIFY(AutosaveSlot::abandoned(root).empty());  // this one has it now
    }
    auto again = AutosaveSlot::abandoned(root);
    QCOMPARE(again.size(), std::size_t(1));
    again[0].keepAsLast();
    QVERIFY(AutosaveSlot::abandoned(root).empty());
    QCOMPARE(loadSession(AutosaveSlot::lastSession(root), {}).session.shown, 3);
  }
};

SPOKELAB_CORE_TEST(TestSavedSession)

}  // namespace test_saved_session

#include "test_saved_session.moc"
