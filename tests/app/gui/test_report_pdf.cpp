// report.pdf: pages with the report's text, its charts as vectors, and the image as it is.
#include <QBuffer>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include "app/gui/report/report.h"
#include "app/gui/report/report_pdf.h"
#include "engine/core/document.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/profile/report/report_html.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/app/gui/window_test.h"

namespace test_report_pdf {

using namespace spokelab;

namespace {

constexpr int plans = 60;  // more than one page of them

Report someReport() {
  Report report;
  SimulateOptions options;
  options.trajectory.matrix = {24, 24, 1};
  report.scan = simulate(options, {});
  auto result = std::make_shared<Reconstruction>();
  auto image = std::make_shared<Image>();
  image->size = {24, 24, 1};
  image->data.assign(24 * 24, {1, 0});
  result->image = image;
  result->timings.total = 1;
  result->timings[Stage::fft] = 0.5;
  report.result = result;
  for (int i = 0; i < plans; ++i) {
    Candidate c;
    c.backend = "cpu";
    c.options.alpha = 1.25 + 0.25 * (i % 4);
    c.options.width = 3 + i / 4;
    c.timings.total = 0.01 * (1 + i % 7);
    c.timings[Stage::fft] = 0.005;
    c.predicted.relativeL2 = 1e-3 / (1 + i);
    report.sweep.candidates.push_back(c);
  }
  report.sweep.best = 0;
  report.sweep.reason = "It is the fastest";
  report.charts = drawReportCharts(report.sweep, 1e-2);
  report.commandLine = "spokelab report demo";
  report.drawPdf = reportPdf;
  return report;
}

int count(const QByteArray& pdf, const char* pattern) {
  int found = 0;
  auto matches = QRegularExpression(QString::fromUtf8(pattern)).globalMatch(QString::fromLatin1(pdf));
  while (matches.hasNext()) {
    matches.next();
    ++found;
  }
  return found;
}

std::string pngOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes.toStdString();
}

// How often the pages draw a picture; their contents are compressed.
int drawnPictures(const std::string& file) {
  const QByteArray pdf = QByteArray::fromStdString(file);
  int drawn = 0;
  for (qsizetype at = pdf.indexOf("stream\n"); at >= 0; at = pdf.indexOf("stream\n", at + 1)) {
    if (pdf.mid(at - 3, 3) == "end") continue;
    const qsizetype begin = at + 7, end = pdf.indexOf("endstream", begin);
    QByteArray packed(4, '\0');  // of its length, which is not known
    packed += pdf.mid(begin, end - begin);
    drawn += count(qUncompress(packed), "/Im\\d+\\s+Do\\b");
  }
  return drawn;
}

}  // namespace

class TestReportPdf : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void pagesHoldTextVectorsAndOnePicture() {
    const QTemporaryDir folder;
    const Report report = someReport();
    QCOMPARE(report.charts.size(), chartKinds.size());
    const std::filesystem::path place = folder.filePath("r").toStdString();
    writeReport(report, place, {});
    const QByteArray pdf = QByteArray::fromStdString(readDocument(place / "report.pdf"));
    QVERIFY(pdf.startsWith("%PDF-") && pdf.trimmed().endsWith("%%EOF"));
    const int pages = count(pdf, "/Type\\s*/Page\\b(?!s)");
    QVERIFY2(pages >= 4 && pages <= 9, qPrintable(QString::number(pages)));
    int pictures = 1;  // the image; and what the charts themselves have as pixels: the map's colours
    for (const ReportFile& chart : report.charts)
      pictures += count(QByteArray::fromStdString(chart.content), "<image\\b");
    QVERIFY(pictures <= 3);
    QCOMPARE(count(pdf, "/Subtype\\s*/Image\\b"), pictures);
    QCOMPARE(count(pdf, "/DCTDecode"), 0);                             // nothing is lost
    QVERIFY(count(pdf, "/FontFile2|/FontFile3|/FontDescriptor") > 0);  // text is text
    QVERIFY(pdf.size() < 2'000'000);
  }

  void withoutChartsThereAreFewerPages() {
    Report report = someReport();
    const nlohmann::json document = toJson(report);
    const auto pagesOf = [&] {
      return count(QByteArray::fromStdString(reportPdf(report, document, "")), "/Type\\s*/Page\\b(?!s)");
    };
    const int all = pagesOf();
    report.charts.clear();
    report.sweep.candidates.resize(1);
    const int few = pagesOf();
    QVERIFY2(few < all && few >= 1, qPrintable(QStringLiteral("%1 %2").arg(few).arg(all)));
  }

  // Seen before: a strip of the map of the SNR at the end of the page before it.
  void noPictureIsCutByAPagesEnd() {
    Report report = someReport();
    report.noise = std::make_shared<const NoiseMaps>();
    report.charts.clear();
    report.sweep.candidates.resize(1);
    QImage map(40, 40, QImage::Format_RGB32);
    for (const char* name : {"noise.png", "snr.png", "g-factor.png"}) {
      map.fill(QColor(name[0], name[1], name[2]));
      report.noisePictures.push_back({name, pngOf(map)});
    }
    const nlohmann::json document = toJson(report);
    for (int height = 40; height < 400; height += 24) {
      QImage image(600, height, QImage::Format_RGB32);
      image.fill(Qt::red);
      const std::string pdf = reportPdf(report, document, pngOf(image));
      const int held = count(QByteArray::fromStdString(pdf), "/Subtype\\s*/Image\\b");
      QVERIFY2(held >= 4, qPrintable(QString::number(held)));
      QVERIFY2(
          drawnPictures(pdf) == held,
          qPrintable(QStringLiteral("height %1: %2 for %3").arg(height).arg(drawnPictures(pdf)).arg(held)));
    }
  }

  // No cell of the pages breaks a number or a name; a sweep without a reason leaves no lone point.
  void tablesHaveRoomForTheirNumbers() {
    Report report = someReport();
    report.sweep.reason.clear();
    report.sweep.candidates[0].path.transform = TransformKind::segmented;
    report.sweep.candidates[0].options.normal = NormalMethod::toeplitzShifted;
    const std::string pages = reportBody(report, toJson(report), ReportFigures::named);
    const std::string web = reportBody(report, toJson(report), ReportFigures::inlined);
    QVERIFY(web.find("<th class=n>FFT</th>") != std::string::npos);
    QVERIFY(pages.find("<th class=n>FFT</th>") == std::string::npos);
    QVERIFY(pages.find("e&#8209;0") != std::string::npos);
    QVERIFY(pages.find("<p>.</p>") == std::string::npos);
    // A long name is broken at its hyphens, not within a word.
    QVERIFY(pages.find("<td>" + pathOf(report.sweep.candidates[0]).name + "</td>") != std::string::npos);
  }

  void withoutADrawerThereIsNone() {
    const QTemporaryDir folder;
    Report report = someReport();
    report.drawPdf = {};
    const std::filesystem::path place = folder.filePath("r").toStdString();
    writeReport(report, place, {});
    QVERIFY(!std::filesystem::exists(place / "report.pdf"));
    QVERIFY(std::filesystem::exists(place / "report.html"));
  }
};

SPOKELAB_WINDOW_TEST(TestReportPdf)

}  // namespace test_report_pdf

#include "test_report_pdf.moc"
