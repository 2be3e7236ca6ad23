// simulate makes every pattern, with its truth, weights and field map; density compares methods on
// it; coils are prepared as asked.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_simulations {

using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;

class TestSimulations : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QJsonObject parsed(const QByteArray& text) { return QJsonDocument::fromJson(text).object(); }

 private slots:
  void everyPatternIsMadeAndRead_data() {
    QTest::addColumn<QString>("pattern");
    for (const char* pattern : {"radial", "golden-radial", "radial3d", "golden-radial3d", "stack-of-stars",
                                "spiral", "stack-of-spirals", "cones", "random", "gaussian", "jittered"})
      QTest::newRow(pattern) << QString(pattern);
  }
  void everyPatternIsMadeAndRead() {
    QFETCH(QString, pattern);
    const auto made =
        run({"simulate", "-o", pattern + ".h5", "--pattern", pattern, "--matrix", "16", "--json", "-"});
    QVERIFY2(made.code == 0, made.err);
    const auto read = run({"info", pattern + ".h5", "--json", "-"});
    QVERIFY2(read.code == 0, read.err);
    const auto a = parsed(made.out)["scan"].toObject(), b = parsed(read.out)["scan"].toObject();
    QCOMPARE(b["geometry"].toObject()["matrix"], a["geometry"].toObject()["matrix"]);
    const auto shots = [](const QJsonObject& scan) {
      return scan["trajectories"].toArray()[0].toObject()["shots"].toInt();
    };
    QCOMPARE(shots(b), shots(a));
  }

  void truthFieldAndWeightsAreWritten() {
    const auto r = run({"simulate",     "-o",        "field.h5",  "--pattern",    "spiral",
                        "--matrix",     "24",        "--field",   "head",         "--field-peak",
                        "80",           "--truth",   "truth.npy", "--truth-kind", "ball",
                        "--field-file", "field.nii", "--weights", "--phantom",    "bars"});
    QVERIFY2(r.code == 0, r.err);
    for (const char* file : {"field.h5", "truth.npy", "field.nii"})
      QVERIFY(filesIn(folder_.path()).contains(file));
    const auto info = run({"info", "field.h5", "--json", "-"});
    const auto t = parsed(info.out)["scan"].toObject()["trajectories"].toArray()[0].toObject();
    QVERIFY(t["hasWeights"].toBool() && t["hasTimes"].toBool());
  }

  // The lines of simulate.md that simulate and compare, run as they are written there, with the
  // number that the page promises.
  void theGuidesFirstExampleIsNearItsTruth() {
    QFile guide(SPOKELAB_SOURCE_DIR "/resources/guide/simulate.md");
    QVERIFY(guide.open(QIODevice::ReadOnly));
    QStringList lines;
    for (const QString& line : QString::fromUtf8(guide.readAll()).split('\n'))
      if (line.startsWith("spokelab-cli ") && lines.size() < 2) lines << line;
    QVERIFY(lines.size() == 2 && lines[1].contains("--reference truth.nii.gz"));
    const auto made = run(lines[0].split(' ').mid(1)), shown = run(lines[1].split(' ').mid(1));
    QVERIFY2(made.code == 0 && shown.code == 0, made.err + shown.err);
    QVERIFY2(shown.out.contains("NRMSE 0.019"), shown.out);
    // and the command that compares says the same
    const auto r = run({"compare", "image.nii.gz", "truth.nii.gz", "--json", "-"});
    const double nrmse = parsed(r.out)["nrmse"].toDouble(1);
    QVERIFY2(nrmse < 0.025, r.out);
  }

  // ISMRMRD outputs serve as an image to compare, a reference and a field map.
  void imagesInIsmrmrdAreReadBack() {
    QVERIFY(run({"simulate", "-o", "mrd.h5", "--pattern", "spiral", "--matrix", "24", "--coils", "2",
                 "--field", "head", "--field-peak", "80", "--truth", "truth.h5", "--field-file", "map.h5"})
                .code == 0);
    const auto made = run({"reconstruct", "mrd.h5", "-o", "image.mrd", "--method", "sense", "--transform",
                           "gdft", "--field-map", "map.h5", "--reference", "truth.h5"});
    QVERIFY2(made.code == 0, made.err);
    QVERIFY2(made.out.contains("Hz (file in rad/s)") && made.out.contains("NRMSE"), made.out);
    const auto r = run({"compare", "image.mrd", "truth.h5", "--json", "-"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(parsed(r.out)["nrmse"].toDouble(1) < 0.3, r.out);
    QCOMPARE(run({"compare", "mrd.h5", "truth.h5"}).code, 1);
  }

  void whatSaysNothingIsRefused() {
    const auto turns = run({"simulate", "-o", "no.h5", "--turns", "3"});
    QCOMPARE(turns.code, 1);
    QVERIFY(turns.err.contains("turns"));
    const auto weights =
        run({"simulate", "-o", "no.h5", "--pattern", "random", "--matrix", "16", "--weights"});
    QCOMPARE(weights.code, 1);
    const auto preset = run({"simulate", "-o", "no.h5", "--preset", "multicore-1"});
    QCOMPARE(preset.code, 1);
    QVERIFY(!filesIn(folder_.path()).contains("no.h5"));
    QCOMPARE(run({"simulate", "-o", "no.h5", "--pattern", "zigzag"}).code, 2);
  }

  void densityComparesMethods() {
    QVERIFY(run({"simulate", "-o", "d.h5", "--matrix", "32", "--samples", "64"}).code == 0);
    const auto r = run({"density", "d.h5", "--psf", "psf.png", "--json", "d.json"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(r.out.contains("FWHM") && r.out.contains("side lobes") && r.out.contains("not possible"));
    for (const char* file : {"psf-analytic.png", "psf-pipe-menon.png", "psf-voronoi.png"})
      QVERIFY2(filesIn(folder_.path()).contains(file), file);
    QFile json(folder_.filePath("d.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const auto list = parsed(json.readAll())["density"].toArray();
    QCOMPARE(list.size(), 4);
    QVERIFY(list[0].toObject().contains("refused"));
    for (int i = 1; i < 4; ++i) {
      const double width = list[i].toObject()["fwhm"].toArray()[0].toDouble();
      QVERIFY(width > 1.2 && width < 1.6);
      QVERIFY(list[i].toObject()["difference"].toDouble() < 0.06);
    }
    QCOMPARE(run({"density", "d.h5", "--methods", "guess"}).code, 2);
  }

  void coilsArePreparedAsAsked() {
    QVERIFY(run({"simulate", "-o", "c.h5", "--matrix", "32", "--coils", "6", "--noise", "0.05"}).code == 0);
    const auto r = run({"reconstruct", "c.h5", "-o", "c.npy", "--effort", "estimate", "--leave-out-coils",
                        "2", "--compress-coils", "3", "--combine", "adaptive", "--prewhiten", "on"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY(r.out.contains("1 of 6 coils left out") && r.out.contains("noise whitened") &&
            r.out.contains("5 coils compressed to 3") && r.out.contains("adaptively"));
    const auto none = run({"reconstruct", "c.h5", "-o", "c.npy", "--leave-out-coils", "0-5"});
    QCOMPARE(none.code, 1);
  }

  // A selection equals the scan without the rest, as simulated; its point spread function is a
  // separate file.
  void selectedShotsAreReconstructedAlone() {
    const QStringList simulate = {"simulate",      "--matrix", "32", "--pattern",
                                  "golden-radial", "--coils",  "2",  "-o"};
    QVERIFY(run(simulate + QStringList{"all.h5", "--shots", "40"}).code == 0);
    QVERIFY(run(simulate + QStringList{"few.h5", "--shots", "13"}).code == 0);
    const QStringList plan = {"--alpha", "2", "--width", "6"};
    const auto part =
        run(QStringList{"reconstruct", "all.h5", "-o", "part.npy", "--shots", "0-12", "--json", "part.json"} +
            plan);
    QVERIFY2(part.code == 0, part.err);
    QVERIFY2(part.out.contains("selected: 13 of 40 shots"), part.out);
    QVERIFY(run(QStringList{"reconstruct", "few.h5", "-o", "few.npy"} + plan).code == 0);
    const auto same = run({"compare", "part.npy", "few.npy", "--json", "-"});
    QVERIFY2(same.code == 0, same.err);
    const double difference = parsed(same.out)["nrmse"].toDouble(1);
    QVERIFY2(difference < 1e-6, same.out);

    QVERIFY(run({"density", "all.h5", "--shots", "0-:4", "--methods", "analytic", "--psf", "psf.npy"}).code ==
            0);
    QVERIFY(QFile::exists(folder_.filePath("psf-analytic.npy")));
    const auto beyond = run({"reconstruct", "all.h5", "-o", "x.npy", "--shots", "30-40"});
    QVERIFY(beyond.code == 1 && beyond.err.contains("the scan has 40 (0 to 39)"));
    QCOMPARE(run({"reconstruct", "all.h5", "-o", "x.npy", "--readout-time", "3"}).code, 2);
    QVERIFY(!QFile::exists(folder_.filePath("x.npy")));
  }

  void shotPhasesAreWrittenAndUsed() {
    QVERIFY(run({"simulate", "-o", "still.h5", "--matrix", "16", "--phase-file", "none.npy"}).code == 1);
    QVERIFY(!QFile::exists(folder_.filePath("still.h5")));
    const auto made = run({"simulate", "-o", "shots.h5", "--pattern", "spiral", "--shots", "2", "--matrix",
                           "16", "--coils", "2", "--shot-phase", "2", "--phase-file", "phases.npy"});
    QVERIFY2(made.code == 0 && made.out.contains("--method pcsense --phase-maps phases.npy"),
             made.out + made.err);
    const auto with = run({"reconstruct", "shots.h5", "-o", "image.npy", "--method", "pcsense",
                           "--phase-maps", "phases.npy", "--iterations", "2", "--effort", "estimate"});
    QVERIFY2(with.code == 0, with.err);
    const auto without = run({"reconstruct", "shots.h5", "-o", "other.npy", "--method", "pcsense"});
    QVERIFY2(without.code == 1 && without.err.contains("no phase maps"), without.err);
  }
};

SPOKELAB_CORE_TEST(TestSimulations)

}  // namespace test_simulations

#include "test_simulations.moc"
