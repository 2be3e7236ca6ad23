// Documents of --json are as resources/schema describes them, key by key.
#include <QtTest>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_json_schema {

using nlohmann::json;
using spokelab::test::CliResult;
using spokelab::test::runCli;

namespace {

bool isOfType(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

// The first fault of the value, with its place; empty: none. The schema uses these five keywords.
std::string mistake(const json& value, const json& schema, const std::string& place) {
  if (schema.contains("const") && value != schema["const"]) return place + " is " + value.dump();
  if (schema.contains("type")) {
    const json types = schema["type"].is_array() ? schema["type"] : json::array({schema["type"]});
    if (std::none_of(types.begin(), types.end(), [&](const json& type) { return isOfType(value, type); }))
      return place + " is " + value.type_name() + ", not " + types.dump();
  }
  for (const json& key : schema.value("required", json::array()))
    if (!value.contains(key.get<std::string>())) return place + " lacks " + key.get<std::string>();
  const json described = schema.value("properties", json::object());
  for (const auto& [key, own] : described.items())
    if (value.contains(key))
      if (std::string found = mistake(value[key], own, place + '.' + key); !found.empty()) return found;
  if (schema.contains("items"))
    for (std::size_t i = 0; i < value.size(); ++i)
      if (std::string found = mistake(value[i], schema["items"], place + '[' + std::to_string(i) + ']');
          !found.empty())
        return found;
  return {};
}

}  // namespace

class TestJsonSchema : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  json schema_;

 private slots:
  void initTestCase() {
    std::ifstream file(SPOKELAB_SOURCE_DIR "/resources/schema/results-1.schema.json");
    QVERIFY(file.good());
    schema_ = json::parse(file);
    const CliResult made =
        runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "16x16", "--pattern", "radial",
                                "--coils", "4", "--truth", "truth.npy"});
    QVERIFY2(made.code == 0, made.err);
  }

  void documentsAreAsDescribed_data() {
    QTest::addColumn<QStringList>("command");
    QTest::newRow("info") << QStringList{"info", "scan.h5"};
    QTest::newRow("check") << QStringList{"info", "scan.h5", "--check"};
    QTest::newRow("reconstruct") << QStringList{"reconstruct", "scan.h5", "-o", "image.npy"};
    QTest::newRow("sense") << QStringList{"reconstruct", "scan.h5", "-o",           "sense.npy",
                                          "--method",    "sense",   "--iterations", "2"};
    QTest::newRow("dry run") << QStringList{"reconstruct", "scan.h5", "--dry-run"};
    QTest::newRow("compare") << QStringList{"compare", "truth.npy", "truth.npy"};
    QTest::newRow("maps") << QStringList{"maps", "scan.h5"};
    QTest::newRow("density") << QStringList{"density", "scan.h5"};
    QTest::newRow("tune") << QStringList{"tune", "scan.h5", "--effort", "estimate"};
    QTest::newRow("sweep") << QStringList{"sweep",    "scan.h5", "--alphas",     "1.5",
                                          "--trials", "1",       "--time-limit", "0.2"};
    QTest::newRow("wisdom") << QStringList{"wisdom", "show"};
    QTest::newRow("plugins") << QStringList{"plugins"};
  }

  void documentsAreAsDescribed() {
    QFETCH(QStringList, command);
    const CliResult r = runCli(folder_.path(), command + QStringList{"--json", "-"});
    QVERIFY2(r.code == 0, r.err);
    const json document = json::parse(r.out.toStdString());
    QCOMPARE(mistake(document, schema_, ""), std::string());
    for (const auto& [key, value] : document.items())
      QVERIFY2(schema_["properties"].contains(key), ("the schema does not know " + key).c_str());
  }

  void theCheckSeesWhatIsWrong() {
    const CliResult r = runCli(folder_.path(), {"plugins", "--json", "-"});
    const json right = json::parse(r.out.toStdString());
    json other = right;
    other["schema"] = 2;
    QVERIFY(!mistake(other, schema_, "").empty());
    other = right;
    other["provenance"].erase("version");
    QCOMPARE(mistake(other, schema_, ""), std::string(".provenance lacks version"));
    other = right;
    other["nrmse"] = "small";
    QCOMPARE(mistake(other, schema_, ""), std::string(".nrmse is string, not [\"number\"]"));
  }

  void mapsAreWrittenInEveryFormat() {
    for (const QString format : {"nii.gz", "nii", "h5", "cfl", "npy", "png"}) {
      const CliResult r = runCli(folder_.path(), {"maps", "scan.h5", "-o", format, "--format", format});
      QVERIFY2(r.code == 0, r.err);
      QVERIFY2(QFile::exists(folder_.filePath(format + "/coils." + format)), qPrintable(format));
    }
    const CliResult same =
        runCli(folder_.path(), {"compare", "npy/coils.npy", "nii/coils.nii", "--by-pixel", "--json", "-"});
    QVERIFY2(same.code == 0, same.err);
    QVERIFY(json::parse(same.out.toStdString())["nrmse"].get<double>() < 1e-6);
  }
};

SPOKELAB_CORE_TEST(TestJsonSchema)

}  // namespace test_json_schema

#include "test_json_schema.moc"
