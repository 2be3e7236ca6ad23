// A session that is damaged, hostile or endless is an Error in words, or a session whose missing
// parts are said; never another end, and no wait that cannot be cancelled.
#include <sys/stat.h>

#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <fstream>
#include <limits>
#include <stop_token>
#include <thread>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "tests/campaign.h"
#include "tests/document_mutator.h"
#include "tests/engine/profile/session/session_samples.h"
#include "tests/test_main.h"

namespace test_hostile_sessions {

using namespace spokelab;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int mutations = 300;  // times campaignFactor()

}  // namespace

class TestHostileSessions : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  fs::path file_;
  std::string whole_;
  int cases_ = 0;

  // Without waiting for the disk, as thousands are written.
  static void write(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  }
  // True if the text was taken for a session.
  bool opens(const std::string& text) {
    write(file_, text);
    ++cases_;
    try {
      const LoadedSession loaded = loadSession(file_, {});
      for (const std::string& problem : loaded.problems)
        if (problem.empty()) throw std::logic_error("a problem without words");
      for (const SavedResult& result : loaded.session.results)
        if (!result.result) throw std::logic_error("a result without numbers");
      return true;
    } catch (const Error& error) {
      if (error.summary().empty() || error.reason().empty() || error.remedy().empty())
        throw std::logic_error("an Error without words");
      return false;
    }
  }
  json document() const { return json::parse(whole_); }

 private Q_SLOTS:
  void initTestCase() {
    file_ = folder_.filePath("study.spokelab").toStdString();
    SessionWriter(file_).save(sampleSession("demo"), {});
    whole_ = readDocument(file_);
    QVERIFY(opens(whole_));
  }
  void cleanupTestCase() { test::countCases("hostile sessions", cases_); }

  void mutatedSessions() {
    test::DocumentMutator mutate(test::campaignSeed(4));
    const int count = mutations * test::campaignFactor();
    int refused = 0;
    for (int i = 0; i < count; ++i)
      refused += !opens(mutate(QByteArray::fromStdString(whole_)).toStdString());
    QVERIFY(refused > 0 && refused < count);
  }

  void cutSessions() {
    const std::string end = whole_.substr(0, whole_.find_last_of('}'));
    for (std::size_t length = 0; length < end.size(); length += 1 + end.size() / 150)
      QVERIFY(!opens(end.substr(0, length)));
  }

  // Every value of the document, leaf or not, in turn replaced by these.
  void valuesOfAnotherKind() {
    const json whole = document();
    std::vector<json::json_pointer> places = {json::json_pointer()};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const json& value = whole.at(places[i]);
      for (const auto& [key, inner] : value.items())
        if (value.is_structured() && inner.size() > 0)
          places.push_back(value.is_array() ? places[i] / std::stoul(key) : places[i] / key);
    }
    const std::vector<json> values = {nullptr,
                                      true,
                                      -1,
                                      std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::uint64_t>::max(),
                                      1e300,
                                      "",
                                      "/dev/zero",
                                      std::string(100'000, 'x'),
                                      json::array(),
                                      json::object(),
                                      json::array({json::array(), json::object()})};
    // A quarter of them; in a campaign all.
    const std::size_t step = test::campaignFactor() > 1 ? 1 : 4;
    int refused = 0;
    for (std::size_t p = 0; p < places.size(); ++p)
      for (std::size_t v = p % step; v < values.size(); v += step) {
        json changed = whole;
        changed.at(places[p]) = values[v];
        refused += !opens(changed.dump());
      }
    QVERIFY(refused > int(places.size() / 2));
  }

  void deepSessions() {
    constexpr std::size_t depth = 20'000;
    const std::string deep = std::string(depth, '[') + std::string(depth, ']');
    QVERIFY(!opens(deep));
    for (const char* key : {"scan", "options", "results", "view", "charts", "runs"}) {
      json changed = document();
      changed[key] = "DEEP";
      std::string text = changed.dump();
      text.replace(text.find("\"DEEP\""), 6, deep);
      QVERIFY2(!opens(text), key);
    }
  }

  // A few bytes cannot stand for gigabytes of plans, and numbers name one run each.
  void runsThatCannotBe() {
    json changed = document();
    changed["runs"][0]["timed"]["common"]["outlook"] = std::string(1 << 20, 'x');
    changed["runs"][0]["timed"]["candidates"] = std::vector<json>(1000, json::object());
    QVERIFY(!opens(changed.dump()));
    changed = document();
    changed["runs"][1]["number"] = changed["runs"][0]["number"];
    QVERIFY(!opens(changed.dump()));
    changed["runs"][1]["number"] = -1;
    QVERIFY(!opens(changed.dump()));
    changed = document();
    changed["runs"][0]["accuracy"] = nullptr;
    changed["runs"][0]["load"] = nullptr;
    QVERIFY(opens(changed.dump()));  // as a number that is not finite is written
  }

  void missingImagesAreSaid_data() {
    QTest::addColumn<QString>("image");
    for (const char* name : {"missing.npy", "pipe.npy", "folder.npy", "/dev/zero", "/dev/null", "", ".", "..",
                             "study.spokelab", "study.spokelab:x", "empty.npy"})
      QTest::newRow(name) << name;
  }
  void missingImagesAreSaid() {
    QFETCH(QString, image);
    if (const std::string pipe = folder_.filePath("pipe.npy").toStdString(); !fs::exists(pipe)) {
      QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
      QVERIFY(QDir(folder_.path()).mkdir("folder.npy"));
      write(folder_.filePath("empty.npy").toStdString(), "");
    }
    json changed = document();
    changed["results"][0]["image"]["file"] = image.toStdString();
    write(file_, changed.dump());
    ++cases_;
    const LoadedSession loaded = loadSession(file_, {});
    QCOMPARE(loaded.problems.size(), std::size_t(1));
    QVERIFY(!loaded.problems[0].empty());
    QVERIFY(!loaded.session.results[0].result->image);
    QVERIFY(loaded.session.results[1].result->image);
  }

  // A fault in the description of an image costs this image only.
  void imagesOfAnotherKindAreSaid() {
    for (const char* key : {"file", "frames", "size", "geometry", "name", "provenance"})
      for (const json& value : {json(), json(-1), json(1e300), json("x"), json::array({1, 2})}) {
        json changed = document();
        changed["results"][0]["image"][key] = value;
        write(file_, changed.dump());
        ++cases_;
        const LoadedSession loaded = loadSession(file_, {});
        const bool taken = loaded.session.results[0].result->image != nullptr;
        QCOMPARE(loaded.problems.size(), std::size_t(!taken));
        QVERIFY(!taken || std::string(key) == "name");
        QVERIFY(loaded.session.results[1].result->image);
      }
  }

  void aPipeIsWaitedForUntilACancel() {
    const fs::path pipe = folder_.filePath("pipe.spokelab").toStdString();
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    QVERIFY(!isSession(pipe));
    std::stop_source source;
    constexpr auto untilCancel = std::chrono::milliseconds(200);
    const std::jthread canceller([&source, untilCancel] {
      std::this_thread::sleep_for(untilCancel);
      source.request_stop();
    });
    const auto begun = std::chrono::steady_clock::now();
    QVERIFY_EXCEPTION_THROWN(loadSession(pipe, Progress(source.get_token())), Cancelled);
    QVERIFY(std::chrono::steady_clock::now() - begun >= untilCancel / 2);
    ++cases_;
  }
};

SPOKELAB_TEST(TestHostileSessions)

}  // namespace test_hostile_sessions

#include "test_hostile_sessions.moc"
