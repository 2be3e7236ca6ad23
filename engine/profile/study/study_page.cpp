#include "engine/profile/study/study_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/text.h"
#include "engine/profile/results/html.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/study/claims/claims.h"
#include "engine/profile/study/study_figure.h"
#include "engine/profile/study/study_text.h"

namespace spokelab {
namespace {

constexpr const char* pageStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;color:#1b1f24;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid #d5dae0}
h3{font-size:1rem;margin-bottom:.2rem}p.soft{color:#5b6570}svg{width:100%;max-width:45rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600}td,th{padding:.2rem .6rem .2rem 0;border-bottom:1px solid #d5dae0;vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap}td.soft{color:#5b6570}tr.differs{color:#a11}.wide{overflow-x:auto}pre{overflow:auto;border:1px solid #d5dae0;padding:.6rem}
)";

std::string paragraph(const std::string& name, const std::string& text) {
  return text.empty() ? "" : "<p><b>" + name + "</b> " + escapedHtml(text) + "</p>\n";
}

std::string claimTable(const StudyResult& result) {
  const std::vector<ClaimResult> judged = checkClaims(result);
  if (judged.empty()) return {};
  std::string html =
      "<h3>What the paper claims</h3>\n<table>\n<tr><th>verdict</th><th>claim</th><th>evidence</th></tr>\n";
  for (const ClaimResult& claim : judged)
    html += "<tr><td>" + std::string(claimVerdictName(claim.verdict)) + "</td><td>" +
            escapedHtml(claim.sentence) + "</td><td>" + escapedHtml(claim.evidence) + "</td></tr>\n";
  return html + "</table>\n";
}

// A row a variant: its place in the chart, its plan, time and repeats; or why it could not run.
std::string rowTable(const StudyResult& result) {
  constexpr double millisecond = 1e-3;
  std::string html =
      "<h3>Numbers</h3>\n<div class=wide><table>\n<tr><th>panel</th><th>line</th><th class=n>x</th>"
      "<th class=n>y</th><th>plan</th><th class=n>ms</th><th class=n>set-up, ms</th><th "
      "class=n>repeats</th></tr>\n";
  const auto cell = [&html](const std::string& text) {
    html += "<td class=n>" + escapedHtml(text) + "</td>";
  };
  for (const StudyRow& r : result.rows) {
    html += "<tr><td>" + escapedHtml(r.panel) + "</td><td>" +
            escapedHtml(r.series.empty() ? r.variant : r.series) + "</td>";
    if (!r.refused.empty()) {
      html += "<td colspan=6>" + escapedHtml(r.refused) + "</td></tr>\n";
      continue;
    }
    const auto& names = result.axes.categories;
    cell(names.empty() || r.x < 0 || r.x >= double(names.size()) ? numberText(r.x, 5)
                                                                 : names[std::size_t(r.x)]);
    cell(numberText(r.y, 5));
    html += "<td>" + escapedHtml(r.seconds > 0 ? planText(r) : "") + "</td>";
    cell(r.seconds > 0 ? fixedText(r.seconds / millisecond, 3) : "");
    cell(r.seconds > 0 ? fixedText(r.setUpSeconds / millisecond, 3) : "");
    cell(r.seconds > 0 ? (r.timedOnce ? "once" : std::to_string(r.candidate.repeats)) : "");
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

void addStudy(const StudyResult& result, StudyPageParts& page) {
  page.body += "<h2>" + escapedHtml(result.title) + " (" + escapedHtml(result.source) + ")</h2>\n";
  page.body += paragraph("This run:", thisRunText(result));
  for (const StudyInfo& info : studies())
    if (info.name == result.request.study)
      page.body += paragraph("The paper:", info.same) + paragraph("Not as in the paper:", info.differs);
  page.body += paragraph("Load:", loadText(result.load));
  for (const std::string& panel : studyPanels(result)) {
    std::string svg = studyFigure(result, panel);
    if (svg.empty()) continue;
    const std::string name = "figure-" + std::to_string(page.figures.size() + 1);
    page.body += "<h3>" + escapedHtml(panel) + "</h3>\n<p>[[" + name + "]]</p>\n";
    page.figures[name] = std::move(svg);
  }
  page.body += claimTable(result) + rowTable(result);
}

}  // namespace

StudyPageParts studyPageParts(const std::vector<StudyResult>& results, const std::string& title,
                              const nlohmann::json& origin, const ReplayComparison* replay) {
  StudyPageParts page;
  page.body = "<h1>" + escapedHtml(title) + "</h1>\n";
  std::string line = origin.contains("machine") ? machineText(origin) : std::string();
  for (const char* const key : {"version", "commit", "time"})
    if (origin.contains(key) && origin.at(key).is_string())
      line += (line.empty() ? "" : ", ") + origin.at(key).get<std::string>();
  page.body += "<p class=soft>" + escapedHtml(line) + "</p>\n";
  for (const StudyResult& result : results) addStudy(result, page);
  if (replay) page.body += replaySection(*replay);
  if (const std::string command = origin.value("commandLine", std::string()); !command.empty())
    page.body +=
        "<h2>Repeat it</h2>\n<pre>" + escapedHtml(command) +
        "</pre>\n<p>The JSON of the run (of a suite: results.json) is repeated, number beside number, by "
        "<code>study --replay FILE</code>.</p>\n";
  return page;
}

std::string studyPage(const std::vector<StudyResult>& results, const std::string& title,
                      const nlohmann::json& origin, const ReplayComparison* replay) {
  StudyPageParts page = studyPageParts(results, title, origin, replay);
  for (const auto& [name, svg] : page.figures) {
    const std::string mark = "<p>[[" + name + "]]</p>";
    if (const auto at = page.body.find(mark); at != std::string::npos)
      page.body.replace(at, mark.size(), svg);
  }
  return "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>Spokelab: " + escapedHtml(title) +
         "</title><style>" + pageStyle + "</style></head><body>\n" + page.body + "</body></html>\n";
}

}  // namespace spokelab
