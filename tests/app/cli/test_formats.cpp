// Files in and out on the command line: descriptions of arrays, other readings, the self-check,
// remembered choices.
#include <QtTest>

#include <cmath>

#include <nlohmann/json.hpp>

#include "tests/app/cli/run_cli.h"
#include "tests/engine/scan/array_containers.h"
#include "tests/test_main.h"

using namespace spokelab::test;

class TestFormats : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> folder_;
  CliResult run(const QStringList& arguments) { return runCli(folder_->path(), arguments); }
  nlohmann::json json(const QStringList& arguments) {
    const CliResult r = run(arguments + QStringList{"--json", "-"});
    if (r.code != 0) qWarning("%s", r.err.constData());
    return nlohmann::json::parse(r.out.toStdString(), nullptr, false);
  }
  bool exists(const char* name) const { return QFile::exists(folder_->filePath(name)); }
  static std::string choice(const nlohmann::json& document, const std::string& topic) {
    for (const auto& d : document["scan"]["decisions"])
      if (d["topic"] == topic) return d["choice"];
    return "";
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    const CliResult r = run(
        {"simulate", "-o", "scan.h5", "--matrix", "32", "--coils", "2", "--frames", "3", "--noise", "0.02"});
    QCOMPARE(r.code, 0);
  }

  void choicesAreRememberedAndForgotten() {
    QCOMPARE(choice(json({"info", "scan.h5"}), "axes"), std::string("xy"));
    QCOMPARE(choice(json({"info", "scan.h5", "--set", "axes=yx"}), "axes"), std::string("yx"));
    QCOMPARE(choice(json({"info", "scan.h5"}), "axes"), std::string("xy"));
    QCOMPARE(choice(json({"info", "scan.h5", "--set", "axes=yx", "--remember"}), "axes"), std::string("yx"));
    QVERIFY(QFile::rename(folder_->filePath("scan.h5"), folder_->filePath("moved.h5")));
    QCOMPARE(choice(json({"info", "moved.h5"}), "axes"), std::string("yx"));
    QCOMPARE(choice(json({"info", "moved.h5", "--forget"}), "axes"), std::string("xy"));
    QCOMPARE(choice(json({"info", "moved.h5"}), "axes"), std::string("xy"));
  }
  void checkIsOnePage() {
    const CliResult r = run({"info", "scan.h5", "--check"});
    QCOMPARE(r.code, 0);
    QVERIFY(r.out.startsWith("Self-check of scan.h5"));
    QVERIFY(r.out.count('\n') < 60);
    const auto findings = json({"info", "scan.h5", "--check"})["findings"];
    for (const auto& finding : findings) QCOMPARE(finding["weight"], "note");
    QVERIFY(run({"info", "missing.h5", "--check"}).code == 1);
  }
  void doctorWritesPictures() {
    const auto readings = json({"info", "scan.h5", "--doctor", "readings"})["readings"];
    QVERIFY(readings.size() > 8);
    for (const auto& r : readings) {
      const std::string picture = r["picture"];
      QVERIFY(!picture.empty() || !r["failed"].get<std::string>().empty());
      if (!picture.empty()) QVERIFY2(exists(("readings/" + picture).c_str()), picture.c_str());
    }
  }
  void everyFormatIsWritten() {
    for (const char* name : {"a.nii.gz", "a.h5", "a.mrd", "a.cfl", "a.npy", "a.png", "pictures/"})
      QCOMPARE(run({"reconstruct", "scan.h5", "-o", name, "--effort", "estimate", "--no-wisdom"}).code, 0);
    for (const char* file : {"a.hdr", "a.npy.json", "a.cfl.json"}) QVERIFY2(exists(file), file);
    // The name tells the frame's axis, too: frame2_time3_slice0.png.
    QCOMPARE(QDir(folder_->filePath("pictures")).entryList({"frame2_*slice0.png"}).size(), 1);
    const auto compared = json({"reconstruct", "scan.h5", "-o", "b.nii.gz", "--effort", "estimate",
                                "--no-wisdom", "--reference", "a.nii.gz"});
    QVERIFY(compared["reference"]["nrmse"].get<double>() < 1e-3);
    QCOMPARE(run({"reconstruct", "scan.h5", "-o", "c.xyz"}).code, 1);
    QCOMPARE(run({"reconstruct", "scan.h5", "-o", "c.cfl", "--part", "phase", "--effort", "estimate"}).code,
             1);
    QVERIFY(!exists("c.hdr"));
    QVERIFY(run({"info", "a.nii.gz"}).out.contains("32 x 32"));
  }
  void theAccountCoversFilesToo() {
    const CliResult said =
        run({"reconstruct", "scan.h5", "-o", "job.npy", "--effort", "estimate", "--no-wisdom"});
    QVERIFY2(said.out.contains("  job ") && said.out.contains("unaccounted"), said.out);
    const auto account = json({"reconstruct", "scan.h5", "-o", "job.npy", "--effort", "estimate",
                               "--no-wisdom"})["reconstruction"]["account"];
    double sum = account["unaccounted"];
    for (const auto& [name, seconds] : account["seconds"].items()) sum += seconds.get<double>();
    QVERIFY(std::abs(sum / account["total"].get<double>() - 1) < 1e-6);
    for (const char* stage : {"read", "density", "plan", "points", "transforms", "write"})
      QVERIFY2(account["seconds"][stage].get<double>() > 0, stage);
  }
  void onlyFramesAskedForAreRead() {
    const auto document =
        json({"reconstruct", "scan.h5", "-o", "one.npy", "--frames", "1", "--effort", "estimate"});
    QCOMPARE(document["scan"]["frames"].get<int>(), 1);
    QCOMPARE(choice(document, "read-frames"), std::string("1"));
    QVERIFY(run({"reconstruct", "scan.h5", "-o", "x.npy", "--frames", "7"}).code == 1);
  }
  void arraysProposeTheirDescription() {
    const auto npy = [&](const char* name, const std::string& type, const std::string& shape,
                         const QByteArray& bytes) {
      std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
      text.append(63 - (text.size() + 10) % 64, ' ');
      text += '\n';
      QFile file(folder_->filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray("\x93NUMPY\x01\x00", 8) + char(text.size()) + char(0) +
                 QByteArray::fromStdString(text) + bytes);
    };
    std::vector<float> k, samples;
    for (int s = 0; s < 24; ++s)
      for (int i = 0; i < 16; ++i) {
        const double r = i - 8, a = s * 3.14159265 / 24;
        k.push_back(float(r * std::cos(a)));
        k.push_back(float(r * std::sin(a)));
      }
    for (std::size_t j = 0; j < 4 * 24 * 16; ++j) {
      samples.push_back(float(j % 7));
      samples.push_back(1);
    }
    const auto bytes = [](const std::vector<float>& v) {
      return QByteArray(reinterpret_cast<const char*>(v.data()), qsizetype(v.size() * sizeof(float)));
    };
    npy("traj.npy", "<f4", "(24, 16, 2)", bytes(k));
    npy("ksp.npy", "<c8", "(4, 24, 16)", bytes(samples));
    const CliResult said = run({"info", "ksp.npy"});
    QCOMPARE(said.code, 0);
    QVERIFY(said.out.contains("\"coil\""));
    QCOMPARE(run({"info", "ksp.npy", "--describe", "scan.json"}).code, 0);
    const auto document = json({"info", "scan.json"});
    QCOMPARE(document["scan"]["coils"].get<int>(), 4);
    QCOMPARE(choice(document, "k-unit"), std::string("cycles/FOV"));
    QCOMPARE(run({"reconstruct", "scan.json", "-o", "array.nii.gz", "--effort", "estimate"}).code, 0);
    const CliResult refused = run({"reconstruct", "ksp.npy", "-o", "x.nii.gz"});
    QCOMPARE(refused.code, 1);
    QVERIFY(refused.err.contains("info ksp.npy"));
    // both in one file
    Members members;
    for (const char* name : {"traj.npy", "ksp.npy"}) {
      QFile file(folder_->filePath(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      members.emplace_back(name, file.readAll().toStdString());
      QVERIFY(file.remove());
    }
    QVERIFY(writeZip(folder_->filePath("both.npz").toStdString(), members, true));
    const auto listed = json({"info", "both.npz", "--describe", "both.json"});
    QCOMPARE(listed["arrays"]["traj"]["shape"], nlohmann::json({24, 16, 2}));
    QVERIFY(run({"info", "both.npz"}).out.contains("complex64"));
    QCOMPARE(json({"info", "both.json"})["scan"]["coils"].get<int>(), 4);
    const CliResult unnamed = run({"reconstruct", "both.npz", "-o", "x.nii.gz"});
    QCOMPARE(unnamed.code, 1);
    QVERIFY(unnamed.err.contains("info both.npz"));
  }
};

SPOKELAB_CORE_TEST(TestFormats)
#include "test_formats.moc"
