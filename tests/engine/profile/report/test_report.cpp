// A report's page holds everything that it shows, and what a file is called cannot change the page.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/profile/report/report.h"
#include "engine/profile/report/report_html.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/test_main.h"

namespace test_report {

using namespace spokelab;

namespace {

Report someReport(const std::string& name) {
  const auto backend = makeCpuBackend();
  auto scan = std::make_shared<Scan>(*readScan("demo", {}, {}));
  scan->name = name;
  scan->decisions.push_back({"k-unit", "cycles/FOV", "a < b & \"c\"", {}, true, false});
  ReconOptions options;
  options.nufft.alpha = 1.5;
  options.nufft.width = 4;
  options.nufft.accuracy = 1e-2;
  Report report;
  const auto result =
      std::make_shared<Reconstruction>(runJob(*backend, *scan, options, nullptr, nullptr, {}));
  result->account[JobStage::density] = 0.00678;
  result->account[JobStage::write] = 0;
  report.result = result;
  report.scan = scan;
  Candidate c;
  c.backend = "cpu";
  c.options.alpha = 1.625;
  c.options.width = 4.75;
  c.timings.total = 0.01234;
  c.timings[Stage::fft] = 0.01;
  c.predicted.relativeL2 = 3.21e-4;
  c.measuredError = 3.11e-4;
  report.sweep.candidates = {c, Candidate{}};
  report.sweep.candidates[1].refused = "no <width> fits";
  report.sweep.best = 0;
  report.sweep.workload.direction = Direction::adjoint;
  report.charts = {{"time.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"}, {"time.pdf", "%PDF"}};
  report.commandLine = "spokelab report demo -o r";
  return report;
}

}  // namespace

class TestReport : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::filesystem::path place() const { return folder_.filePath("r").toStdString(); }
  QByteArray content(const char* name) const {
    QFile file(folder_.filePath("r/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

 private slots:
  void initTestCase() { writeReport(someReport("a <script>alert(1)</script> & scan"), place(), {}); }

  void thePageFetchesNothingAndRunsNothing() {
    const QByteArray html = content("report.html");
    QVERIFY(html.startsWith("<!DOCTYPE html>") && html.trimmed().endsWith("</html>"));
    QVERIFY(!html.contains("http:") && !html.contains("https:") && !html.contains("<script"));
    QVERIFY(!html.contains("url(") && !html.contains("@import"));
    for (qsizetype at = html.indexOf("src=\""); at >= 0; at = html.indexOf("src=\"", at + 1))
      QVERIFY(html.mid(at, 10) == "src=\"data:");
    QVERIFY(html.contains("a &lt;script&gt;alert(1)&lt;/script&gt; &amp; scan"));
    QVERIFY(html.contains("a &lt; b &amp; &quot;c&quot;"));
    QVERIFY(html.contains("no &lt;width&gt; fits"));
  }

  void thePageShowsTheNumbers() {
    const QByteArray html = content("report.html");
    for (const char* text :
         {"1.625", "4.75", "3.21e&#8209;04", "3.11e&#8209;04", "12.3&nbsp;ms", "spokelab report demo -o r",
          "The whole job: ", "<td>density</td><td class=n>6.78 ms</td>",
          "image/svg+xml;base64,PHN2ZyB4bWxucz0i"})
      QVERIFY2(html.contains(text), text);
    QVERIFY(!html.contains("<td>write</td>"));  // it took no time
  }

  void thePictureInThePageIsTheImage() {
    const QByteArray html = content("report.html");
    const QByteArray mark = "src=\"data:image/png;base64,";
    const qsizetype begin = html.indexOf(mark) + mark.size();
    QVERIFY(begin > mark.size());
    QCOMPARE(QByteArray::fromBase64(html.mid(begin, html.indexOf('"', begin) - begin)), content("image.png"));
  }

  void theFolderHoldsWhatItNames() {
    const auto j = nlohmann::json::parse(content("report.json").toStdString());
    for (const auto& chart : j.at("charts")) QVERIFY(!content(chart.get<std::string>().c_str()).isEmpty());
    QCOMPARE(j.at("sweep").at("workload").at("direction").get<std::string>(), std::string("adjoint"));
    QCOMPARE(j.at("reading").at("overrides").at("k-unit").get<std::string>(), std::string("cycles/FOV"));
    QVERIFY(j.at("provenance").at("machine").contains("cpu"));
    QVERIFY(content("sweep.csv").startsWith("best,"));
  }

  // Maps of the noise are pictures in the page, numbers in the document, and files.
  void mapsOfTheNoiseAreInThePageAndBesideIt() {
    Report report = someReport("noisy");
    auto maps = std::make_shared<NoiseMaps>();
    maps->replicas = 8;
    maps->relativeError = 0.27;
    maps->medianSnr = 12.3;
    maps->medianG = 1.07;
    for (std::shared_ptr<Image> NoiseMaps::*map : {&NoiseMaps::noise, &NoiseMaps::snr, &NoiseMaps::gFactor}) {
      auto image = std::make_shared<Image>(nominalImage({4, 4, 1}, "map"));
      image->data.assign(16, cfloat(2));
      (*maps).*map = image;
    }
    report.noise = maps;
    const QTemporaryDir noisy;  // the cancel below counts what the other folder holds
    const std::filesystem::path folder = noisy.filePath("noisy").toStdString();
    writeReport(report, folder, {});
    QFile page(noisy.filePath("noisy/report.html")), document(noisy.filePath("noisy/report.json"));
    QVERIFY(page.open(QIODevice::ReadOnly) && document.open(QIODevice::ReadOnly));
    const QByteArray html = page.readAll();
    QVERIFY(html.contains("median signal-to-noise ratio is 12.3") && html.contains("g-factor 1.07"));
    QCOMPARE(html.count("data:image/png;base64,"), 4);
    const auto noise = nlohmann::json::parse(document.readAll().toStdString()).at("noise");
    QCOMPARE(noise.at("replicas").get<int>(), 8);
    QCOMPARE(noise.at("files").size(), std::size_t(6));
    for (const auto& file : noise.at("files"))
      QVERIFY(std::filesystem::exists(folder / file.get<std::string>()));
    QVERIFY(!content("report.html").contains("g-factor"));  // a report without maps
  }

  void aCancelLeavesNothing() {
    std::stop_source stop;
    stop.request_stop();
    const std::filesystem::path folder = folder_.filePath("cancelled").toStdString();
    QVERIFY_EXCEPTION_THROWN(writeReport(someReport("x"), folder, Progress(stop.get_token())), Cancelled);
    QVERIFY(!std::filesystem::exists(folder));
    QCOMPARE(QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(),
             1);
  }
};

SPOKELAB_TEST(TestReport)

}  // namespace test_report

#include "test_report.moc"
