#include "engine/profile/report/report_html.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/text.h"
#include "engine/nufft/tune/repeats.h"
#include "engine/nufft/tune/sweep/candidate_path.h"
#include "engine/nufft/tune/tune_reason.h"
#include "engine/profile/report/report_noise.h"
#include "engine/profile/results/html.h"
#include "engine/recon/options/option_rules.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* style = R"(
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#5b6570;--line:#d5dae0;--paper:#fff;--mark:#e7f3ea;--bad:#fbe5e3}
@media(prefers-color-scheme:dark){:root{--ink:#e4e7ea;--soft:#98a2ad;--line:#353c44;--paper:#16191d;--mark:#1d3325;--bad:#43221f}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid var(--line)}
p.soft,td.soft,caption{color:var(--soft)}figure{margin:1rem 0}figcaption{color:var(--soft)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600}td,th{padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right}th,td.n{white-space:nowrap}tr.best td{background:var(--mark)}tr.differs td{background:var(--bad)}
img.picture{max-width:100%;image-rendering:pixelated;min-width:16rem;background:#000}
img.chart{width:100%;background:#fff}pre{overflow:auto;border:1px solid var(--line);padding:.6rem}
.wide{overflow-x:auto}.bar{display:flex;height:1.4rem;margin:.4rem 0}.bar div{min-width:1px}
.i{background:#f2a33c}.f{background:#4a9eea}.r{background:#8b949e}
.key span{display:inline-block;width:.8rem;height:.8rem;margin:0 .3rem 0 .8rem}
)";

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    unsigned word = unsigned(static_cast<unsigned char>(bytes[i])) << 16;
    if (left > 1) word |= unsigned(static_cast<unsigned char>(bytes[i + 1])) << 8;
    if (left > 2) word |= unsigned(static_cast<unsigned char>(bytes[i + 2]));
    out += digits[word >> 18 & 63];
    out += digits[word >> 12 & 63];
    out += left > 1 ? digits[word >> 6 & 63] : '=';
    out += left > 2 ? digits[word & 63] : '=';
  }
  return out;
}

// "256 × 256", without the dimensions of one cell.
std::string gridText(const Index3& size) {
  return sizeText(size, dimensions(size), " × ");
}

void addRow(std::string& html, const std::string& name, const std::string& value) {
  if (!value.empty())
    html += "<tr><th>" + escapedHtml(name) + "</th><td>" + escapedHtml(value) + "</td></tr>\n";
}

std::string scanSection(const Report& report) {
  const Scan& scan = *report.scan;
  const Trajectory& trajectory = scan.trajectory(0);
  std::string html = "<h2>Scan</h2>\n<table>\n";
  addRow(html, "File", scan.path.empty() ? scan.name : scan.path);
  addRow(html, "Fingerprint", scan.fingerprint);
  addRow(html, "Matrix", gridText(scan.geometry.matrix));
  addRow(html, "Field of view",
         numberText(scan.geometry.fov[0]) + " × " + numberText(scan.geometry.fov[1]) + " × " +
             numberText(scan.geometry.fov[2]) + " mm");
  addRow(
      html, "Coils, slices, frames",
      std::to_string(scan.coils) + ", " + std::to_string(scan.slices) + ", " + std::to_string(scan.frames));
  addRow(html, "Samples of a frame",
         std::to_string(trajectory.samples()) + " in " + std::to_string(trajectory.shots()) + " shots");
  html += "</table>\n";
  if (!scan.decisions.empty()) {
    html +=
        "<div class=wide><table><caption>What the file left open</caption>\n"
        "<tr><th>Topic</th><th>Choice</th><th>Evidence</th></tr>\n";
    for (const Decision& d : scan.decisions)
      html += "<tr><td>" + escapedHtml(d.topic) + "</td><td>" + escapedHtml(d.choice) +
              (d.overridden ? " (by the user)" : "") + "</td><td class=soft>" + escapedHtml(d.evidence) +
              "</td></tr>\n";
    html += "</table></div>\n";
  }
  for (const std::string& warning : scan.warnings) html += "<p>" + escapedHtml(warning) + "</p>\n";
  return html;
}

std::string named(const std::string& figure) {
  return "<p>[[" + figure + "]]</p>\n";
}

// The name under which the FFT's time is shown, followed by a blank.
std::string fftName(const StageTimings& t) {
  return t.multiplyInFft ? "FFT and multiply " : "FFT ";
}

std::string stageBar(const StageTimings& t, ReportFigures figures) {
  if (!(t.total > 0)) return {};
  if (figures == ReportFigures::named)
    return named(stagesFigure) + "<p class=soft>From the left: interpolation " +
           millisecondsText(t.interpolation()) + ", " + fftName(t) + millisecondsText(t.fft()) + ", rest " +
           millisecondsText(t.rest()) + "</p>\n";
  const auto piece = [&](const char* name, double seconds) {
    return std::string("<div class=") + name + " style=\"width:" + percentText(seconds / t.total, 2) +
           "\" title=\"" + millisecondsText(seconds) + "\"></div>";
  };
  return "<div class=bar>" + piece("i", t.interpolation()) + piece("f", t.fft()) + piece("r", t.rest()) +
         "</div>\n<p class=key><span class=i></span>interpolation " + millisecondsText(t.interpolation()) +
         "<span class=f></span>" + fftName(t) + millisecondsText(t.fft()) + "<span class=r></span>rest " +
         millisecondsText(t.rest()) + "</p>\n";
}

// A row a stage: its time, its share, and what was expected where earlier jobs tell it.
std::string jobTable(const JobAccount& account, const JobAccount& forecast) {
  if (!(account.total > 0)) return {};
  const bool expected = forecast.total > 0;
  std::string html = "<table><caption>The whole job: " + millisecondsText(account.total) +
                     (expected ? ", expected " + millisecondsText(forecast.total) : "") + "</caption>\n";
  const auto add = [&](std::string_view name, double seconds, double before) {
    if (!(seconds > 0)) return;
    const std::string share = percentText(seconds / account.total, 1);
    html += "<tr><td>" + std::string(name) + "</td><td class=n>" + millisecondsText(seconds) +
            "</td><td class=n>" + share + "</td>" +
            (expected ? "<td class=n>" + (before > 0 ? millisecondsText(before) : "") + "</td>" : "") +
            "</tr>\n";
  };
  for (std::size_t s = 0; s < jobStageCount; ++s)
    add(jobStageNames[s], account.seconds[s], forecast.seconds[s]);
  add("not accounted for", account.unaccounted(), 0);
  return html + "</table>\n";
}

std::string iterationTable(const std::vector<IterationRecord>& records) {
  const MeanIteration mean = meanIteration(records);
  if (mean.count == 0) return {};
  const double total = mean.parts.total();
  std::string html = "<table><caption>An iteration: " + millisecondsText(total) + ", the mean of " +
                     std::to_string(mean.count) + "</caption>\n";
  for (std::size_t p = 0; p < iterationPartCount; ++p)
    if (const double seconds = mean.parts.seconds[p]; seconds > 0)
      html += "<tr><td>" + std::string(shownName(mean.parts, IterationPart(p))) + "</td><td class=n>" +
              millisecondsText(seconds) + "</td><td class=n>" + percentText(seconds / total, 1) +
              "</td></tr>\n";
  return html + "</table>\n";
}

std::string planSection(const Report& report, ReportFigures figures) {
  const Reconstruction& r = *report.result;
  const NufftOptions& o = r.plan.options;
  std::string html = "<h2>Reconstruction</h2>\n<table>\n";
  addRow(html, "Plan", r.plan.description);
  if (product(r.plan.grid) > 1) {
    addRow(html, "Oversampling α, width W", numberText(o.alpha, 5) + ", " + numberText(o.width));
    addRow(html, "Kernel", std::string(kernelName(o.kernel)));
    addRow(html, "Grid", gridText(r.plan.grid));
  }
  addRow(html, "Error: asked, predicted", numberText(o.accuracy, 2) + ", " + predictedErrorText(r.plan));
  addRow(html, "Density weights", r.density);
  if (r.tuning) addRow(html, "Why this plan", r.tuning->reason);
  for (const std::string& note : r.notes) addRow(html, "Note", note);
  addRow(html, "Time",
         millisecondsText(r.seconds) + ", tuning " + millisecondsText(r.tuningSeconds) + " of it");
  addRow(html, "Energy", energyText(r.energy));
  if (const std::string frames = frameLatencyText(r); !frames.empty())
    addRow(html, "Time of a frame", frames);
  html += "</table>\n" + jobTable(r.account, r.forecast) + iterationTable(r.iterations) +
          stageBar(r.timings, figures);
  std::string changed;
  for (const auto& [spec, value] : changedOptions(r.options)) addRow(changed, spec->label, value);
  if (!changed.empty())
    html += "<table><caption>Options other than the defaults</caption>\n" + changed + "</table>\n";
  return html;
}

// "7", "once"; "7, tie" where they show no difference from the best plan's.
std::string repeatsText(const Report& report, std::size_t index) {
  const TuneResult& sweep = report.sweep;
  const Candidate& c = sweep.candidates[index];
  const std::string text = isSingleRepeat(c) ? "once" : std::to_string(c.repeats);
  const bool tie = sweep.best >= 0 && int(index) != sweep.best &&
                   mayWin(c, report.result->options.nufft.accuracy) &&
                   tiesWith(c, sweep.candidates[std::size_t(sweep.best)]);
  return tie ? text + ", tie" : text;
}

// A name that no line may break.
std::string unbroken(const std::string& text) {
  std::string out;
  for (const char c : escapedHtml(text))
    out += c == ' ' ? "&nbsp;" : c == '-' ? "&#8209;" : std::string(1, c);
  return out;
}

// A row a plan. A page of paper has room for the columns that a choice needs; sweep.csv has all.
std::string sweepTable(const Report& report, bool allColumns) {
  const std::string stages = allColumns ? "<th class=n>interpolation</th><th class=n>FFT</th>"
                                          "<th class=n>rest</th><th class=n>set-up</th>"
                                        : "";
  std::string html = "<div class=wide><table><caption>Cost of an execution: " +
                     escapedHtml(workloadText(report.sweep.workload)) +
                     (allColumns ? "" : "; sweep.csv tells its stages") +
                     "</caption>\n<tr><th>Backend</th><th>Path</th><th class=n>α,&nbsp;α_T</th>"
                     "<th class=n>W</th><th>Grid</th><th class=n>error predicted</th>"
                     "<th class=n>measured</th><th class=n>cost</th>" +
                     stages + "<th class=n>quartiles</th><th class=n>repeats</th></tr>\n";
  for (std::size_t i = 0; i < report.sweep.candidates.size(); ++i) {
    const Candidate& c = report.sweep.candidates[i];
    if (!c.timed() && c.refused.empty()) continue;
    const CandidatePath path = pathOf(c);
    const auto cell = [&html](const std::string& text) { html += "<td class=n>" + unbroken(text) + "</td>"; };
    html += std::string(int(i) == report.sweep.best ? "<tr class=best>" : "<tr>") + "<td>" +
            unbroken(c.backend) + "</td><td>" + escapedHtml(path.name) + "</td>";
    cell(path.alpha > 0 ? numberText(path.alpha) : "");
    cell(path.isGrid() ? numberText(c.options.width) : "");
    html += "<td>" + unbroken(gridText(c.grid)) + "</td>";
    if (!c.timed()) {
      html += "<td colspan=" + std::to_string(allColumns ? 9 : 5) + " class=soft>" + escapedHtml(c.refused) +
              "</td></tr>\n";
      continue;
    }
    cell(scientificText(c.predictedError(), 2));
    cell(c.measuredError ? scientificText(*c.measuredError, 2) : "");
    cell(millisecondsText(c.cost()));
    if (allColumns)
      for (const double seconds : {c.timings.interpolation(), c.timings.fft(), c.timings.rest(), c.setUp()})
        cell(millisecondsText(seconds));
    const CostQuartiles quartiles = costQuartiles(c);
    cell(isSingleRepeat(c) ? "" : millisecondsText(quartiles.low) + " – " + millisecondsText(quartiles.high));
    cell(repeatsText(report, i));
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

std::string sweepSection(const Report& report, ReportFigures figures) {
  if (report.sweep.candidates.empty()) return {};
  std::string html = "<h2>Plans over α and W</h2>\n";
  if (!report.sweep.reason.empty()) html += "<p>" + escapedHtml(report.sweep.reason) + ".</p>\n";
  if (const std::string load = loadText(report.sweep.load); !load.empty())
    html += std::string(report.sweep.load.isBusy() ? "<p>" : "<p class=soft>") +
            "While it was timed: " + escapedHtml(load) + ".</p>\n";
  for (const ReportFile& chart : report.charts) {
    if (!chart.name.ends_with(".svg")) continue;
    html += figures == ReportFigures::named
                ? named(chart.name)
                : "<figure><img class=chart alt=\"" + escapedHtml(chart.name) +
                      "\" src=\"data:image/svg+xml;base64," + base64(chart.content) + "\"></figure>\n";
  }
  return html + sweepTable(report, figures == ReportFigures::inlined);
}

std::string regionSection(const std::vector<ReportRegion>& regions) {
  if (regions.empty()) return {};
  constexpr int digits = 4;
  std::string html =
      "<h2>Measured regions</h2>\n<div class=wide><table><tr><th>Region</th><th class=n>area</th>"
      "<th class=n>mean</th><th class=n>SD</th><th class=n>mean / SD</th><th class=n>smallest</th>"
      "<th class=n>largest</th></tr>\n";
  for (const ReportRegion& r : regions) {
    html += "<tr><td>" + escapedHtml(r.name) + "</td><td class=n>" + numberText(r.area, digits) +
            (r.solid ? " mm³" : " mm²") + "</td>";
    const RegionStatistics& s = r.statistics;
    for (const double value : {s.magnitudeMean, s.magnitudeDeviation, s.snr, s.smallest, s.largest})
      html += "<td class=n>" + numberText(value, digits) + "</td>";
    html += "</tr>\n";
  }
  return html + "</table></div>\n<p class=soft>Of magnitudes; report.json has all numbers</p>\n";
}

std::string originSection(const Report& report, const json& document) {
  const json& origin = document.at("provenance");
  const json& machine = origin.at("machine");
  const auto text = [](const json& from, const char* key) {
    const auto found = from.find(key);
    if (found == from.end()) return std::string();
    return found->is_string() ? found->get<std::string>() : found->dump();
  };
  std::string html = "<h2>Where the numbers come from</h2>\n<table>\n";
  addRow(html, "Program", "Spokelab " + text(origin, "version") + ", commit " + text(origin, "commit"));
  addRow(html, "Compiler", text(origin, "compiler"));
  addRow(html, "Machine", text(machine, "cpu") + ", " + text(machine, "threads") + " threads");
  addRow(html, "System", text(machine, "system") + ", " + text(machine, "kernel"));
  addRow(html, "Plans for", text(machine, "plans"));
  addRow(html, "Time", text(origin, "time"));
  return html + "</table>\n<p>The command:</p>\n<pre>" + escapedHtml(report.commandLine) +
         "</pre>\n<p>Again, on this machine or another, with what differs:</p>\n"
         "<pre>spokelab report --replay report.json -o again</pre>\n";
}

}  // namespace

std::string pictureHtml(const std::string& alternative, const std::string& caption, const std::string& png) {
  return "<figure><img class=picture alt=\"" + escapedHtml(alternative) + "\" src=\"data:image/png;base64," +
         base64(png) + "\"><figcaption>" + escapedHtml(caption) + "</figcaption></figure>\n";
}

std::string reportBody(const Report& report, const json& document, ReportFigures figures,
                       const std::string& png) {
  std::string html =
      "<h1>" + escapedHtml(report.scan->name) + "</h1>\n<p class=soft>A report by Spokelab</p>\n";
  if (figures == ReportFigures::named)
    html += named(pictureFigure) + "<p class=soft>Magnitude; image.nii.gz holds it whole and complex</p>\n";
  else if (!png.empty())
    html += pictureHtml("magnitude", "Magnitude; image.nii.gz holds it whole and complex", png);
  html += regionSection(report.regions) + noiseSection(report, figures) + planSection(report, figures) +
          sweepSection(report, figures);
  if (report.replay) html += replaySection(*report.replay);
  return html + scanSection(report) + originSection(report, document);
}

std::string reportHtml(const Report& report, const json& document, const std::string& png) {
  const std::string title = escapedHtml(report.scan->name);
  return "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>\n"
         "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
         "<link rel=icon href=\"data:,\">\n<title>" +
         title + " – Spokelab report</title>\n<style>" + style + "</style></head><body>\n" +
         reportBody(report, document, ReportFigures::inlined, png) + "</body></html>\n";
}

}  // namespace spokelab
