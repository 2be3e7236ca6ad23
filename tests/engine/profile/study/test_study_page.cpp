// A study's page: its figures are well-formed SVG with a dot for each row, at places that the
// numbers tell; its table has every row; texts are escaped.
#include <QXmlStreamReader>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/profile/study/study_figure.h"
#include "engine/profile/study/study_page.h"
#include "tests/test_main.h"

namespace test_study_page {

using namespace spokelab;

namespace {

StudyResult result() {
  StudyResult r;
  r.request = studyDefaults("alpha");
  r.title = "Time <over> alpha & more";
  r.source = "gnufftw Fig. 6";
  r.axes = {"oversampling ratio", "time, ms", false, true, {}};
  for (const char* panel : {"forward", "adjoint"})
    for (int i = 0; i < 4; ++i) {
      StudyRow row;
      row.panel = panel;
      row.series = i % 2 ? "sparse" : "blocked";
      row.variant = "cpu";
      row.x = 1.25 + 0.25 * i;
      row.y = std::pow(10, i);
      row.yLow = 0.9 * row.y;
      row.yHigh = 1.2 * row.y;
      r.rows.push_back(row);
    }
  StudyRow refused;
  refused.variant = "cuda gm";
  refused.refused = "there is no GPU <here>";
  r.rows.push_back(refused);
  return r;
}

struct Dot {
  double x, y;
};

std::vector<Dot> dotsOf(const std::string& svg) {
  std::vector<Dot> dots;
  QXmlStreamReader xml(QString::fromStdString(svg));
  while (!xml.atEnd()) {
    xml.readNext();
    if (xml.isStartElement() && xml.name() == QLatin1String("circle"))
      dots.push_back({xml.attributes().value(QLatin1String("cx")).toDouble(),
                      xml.attributes().value(QLatin1String("cy")).toDouble()});
  }
  if (xml.hasError()) qWarning("%s", qPrintable(xml.errorString()));
  return xml.hasError() ? std::vector<Dot>() : dots;
}

}  // namespace

class TestStudyPage : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFigureHasADotForEachRowAtItsPlace() {
    const StudyResult r = result();
    QCOMPARE(studyPanels(r), (std::vector<std::string>{"forward", "adjoint"}));
    // Two lines of two dots each: x of 1.25 and 1.75, then 1.5 and 2; y by decades.
    const std::vector<Dot> dots = dotsOf(studyFigure(r, "forward"));
    QCOMPARE(dots.size(), std::size_t(4));
    const double quarter = dots[2].x - dots[0].x, decade = dots[0].y - dots[2].y;
    QVERIFY(quarter > 20 && decade > 20);
    QVERIFY(std::abs(dots[1].x - dots[0].x - 2 * quarter) < 0.3);
    QVERIFY(std::abs(dots[3].x - dots[0].x - 3 * quarter) < 0.3);
    QVERIFY(std::abs(dots[0].y - dots[1].y - 2 * decade) < 0.3);
    QVERIFY(std::abs(dots[0].y - dots[3].y - 3 * decade) < 0.3);
    QVERIFY(studyFigure(r, "no such panel").empty());
  }

  void valuesThatAnAxisCannotShowAreLeftOut() {
    StudyResult r = result();
    r.rows[0].y = 0;
    r.rows[1].y = std::nan("");
    QCOMPARE(dotsOf(studyFigure(r, "forward")).size(), std::size_t(2));
    r.rows = {r.rows[2]};  // one dot, no extent
    QCOMPARE(dotsOf(studyFigure(r, "forward")).size(), std::size_t(1));
    r.axes.categories = {"a", "b <c>"};
    r.rows[0].x = 1;
    QCOMPARE(dotsOf(studyFigure(r, "forward")).size(), std::size_t(1));
  }

  void thePageHoldsFiguresRowsAndTheCommand() {
    const nlohmann::json origin{{"commandLine", "spokelab study alpha"}, {"machine", {{"cpu", "a <cpu>"}}}};
    const std::string page = studyPage({result()}, "Study alpha", origin);
    const auto count = [&](const std::string& text) {
      std::size_t found = 0;
      for (auto at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++found;
      return found;
    };
    QCOMPARE(count("<svg"), std::size_t(2));
    QCOMPARE(count("[["), std::size_t(0));
    QVERIFY(count("<script") == 0 && count("http") == 2);  // the SVG's name space alone
    QVERIFY(count("Time &lt;over&gt; alpha &amp; more") == 1 && count("a &lt;cpu&gt;") == 1);
    QVERIFY(count("there is no GPU &lt;here&gt;") == 1 && count("spokelab study alpha") == 1);
    QCOMPARE(count("<td>forward</td>"), std::size_t(4));
    QVERIFY(count("The paper:") == 1 && count("This run:") == 1);
    const StudyPageParts parts = studyPageParts({result(), result()}, "Both", origin);
    QCOMPARE(parts.figures.size(), std::size_t(4));
    for (const auto& [name, svg] : parts.figures) {
      QVERIFY(parts.body.find("[[" + name + "]]") != std::string::npos);
      QVERIFY(!dotsOf(svg).empty());
    }
  }
};

SPOKELAB_TEST(TestStudyPage)

}  // namespace test_study_page

#include "test_study_page.moc"
