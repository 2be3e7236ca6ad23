// Documents that were not written by this program: too deep, too long, endless, or not there yet.
#include <QtTest>

#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "tests/test_main.h"

namespace test_document {

using namespace spokelab;

namespace {

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

// Why the text is refused; empty where it is not.
std::string refusal(const std::string& text) {
  try {
    parseDocument(text, "Cannot read it", "Name another");
  } catch (const Error& e) {
    return e.reason();
  }
  return {};
}

}  // namespace

class TestDocument : public QObject {
  Q_OBJECT
 private slots:
  void nestingIsLimited() {
    QCOMPARE(refusal(nested(maxDocumentDepth)), std::string());
    for (const std::size_t depth : {maxDocumentDepth + 1, 20'000, 3'000'000}) {
      QVERIFY(refusal(nested(depth)).find("nested") != std::string::npos);
      QVERIFY(refusal(std::string(depth, '[')).find("nested") != std::string::npos);
    }
    std::string objects;
    for (int i = 0; i < 1000; ++i) objects += R"({"a":)";
    QVERIFY(refusal(objects).find("nested") != std::string::npos);
  }

  // Brackets in texts do not count, and quotes may be escaped.
  void bracketsInTextsAreNoNesting() {
    QCOMPARE(refusal("[\"" + std::string(1000, '[') + "\"]"), std::string());
    QCOMPARE(refusal("[\"\\\"" + std::string(1000, '{') + "\\\\\"]"), std::string());
    QVERIFY(refusal("[\"\\\\\", " + nested(1000) + "]").find("nested") != std::string::npos);
  }

  void thePlaceOfAFaultIsTold() {
    QVERIFY2(refusal("{\n  \"a\": 1,\n  \"b\" 2}").find("line 3, column 7") != std::string::npos,
             refusal("{\n  \"a\": 1,\n  \"b\" 2}").c_str());
    QVERIFY(!refusal("").empty() && !refusal("\xff").empty() && !refusal("[1e999]").empty());
  }

  void theSizeIsLimited() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("long.json").toStdString();
    std::ofstream(file) << std::string(1000, ' ');
    QCOMPARE(readDocument(file, {}, 1000).size(), std::size_t(1000));
    QVERIFY_EXCEPTION_THROWN(readDocument(file, {}, 999), Error);
    QVERIFY_EXCEPTION_THROWN(readDocument("/dev/zero"), Error);
    QVERIFY_EXCEPTION_THROWN(readDocument(folder.path().toStdString()), Error);
    QVERIFY_EXCEPTION_THROWN(readDocument(file + ".none"), Error);
    QCOMPARE(readDocument("/dev/null"), std::string());
  }

  void aPipeIsReadToItsEnd() {
    const QTemporaryDir folder;
    const std::string pipe = folder.filePath("pipe").toStdString(), text = "[1, 2, 3]";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    std::jthread writer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(120));
      std::ofstream out(pipe);
      out << text.substr(0, 4) << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(120));
      out << text.substr(4);
    });
    QCOMPARE(readDocument(pipe), text);
  }

  void aPipeThatNobodyWritesToIsCancelled() {
    const QTemporaryDir folder;
    const std::string pipe = folder.filePath("pipe").toStdString();
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    std::stop_source stop;
    std::jthread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop.request_stop();
    });
    QVERIFY_EXCEPTION_THROWN(readDocument(pipe, Progress(stop.get_token())), Cancelled);
  }
};

SPOKELAB_TEST(TestDocument)

}  // namespace test_document

#include "test_document.moc"
