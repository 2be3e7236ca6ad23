#include "engine/profile/results/replay_comparison.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/core/text.h"
#include "engine/profile/results/html.h"
#include "engine/profile/results/provenance.h"

namespace spokelab {
namespace {

using nlohmann::json;

std::vector<std::pair<std::string, std::string>> originOf(const json& provenance) {
  const json& machine = provenance.at("machine");
  const auto word = [](const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  return {{"version", word(provenance.at("version")) + " " + word(provenance.at("commit"))},
          {"processor", word(machine.at("cpu"))},
          {"threads", word(machine.at("threads"))},
          {"system", word(machine.at("system"))},
          {"instruction set and libraries", word(machine.at("plans"))}};
}

}  // namespace

int ReplayComparison::differences() const {
  return int(
      std::count_if(rows.begin(), rows.end(), [](const ReplayRow& r) { return r.judged && !r.reproduced; }));
}

ReplayRow judgedRow(std::string quantity, double then, double now, double tolerance) {
  return {std::move(quantity), scientificText(then, 3), scientificText(now, 3), true,
          std::abs(now - then) <= tolerance};
}

ReplayRow shownRow(std::string quantity, std::string then, std::string now) {
  const bool same = then == now;
  return {std::move(quantity), std::move(then), std::move(now), false, same};
}

std::vector<ReplayRow> originRows(const json& provenanceThen) {
  const auto then = originOf(provenanceThen), now = originOf(provenance(""));
  std::vector<ReplayRow> rows;
  for (std::size_t i = 0; i < now.size(); ++i)
    rows.push_back(shownRow(now[i].first, then[i].second, now[i].second));
  return rows;
}

json toJson(const ReplayComparison& comparison) {
  json rows = json::array();
  for (const ReplayRow& r : comparison.rows)
    rows.push_back({{"quantity", r.quantity},
                    {"then", r.then},
                    {"now", r.now},
                    {"judged", r.judged},
                    {"reproduced", r.reproduced}});
  return {{"of", comparison.of}, {"differences", comparison.differences()}, {"rows", rows}};
}

std::string replaySection(const ReplayComparison& replay) {
  const int differences = replay.differences();
  std::string html =
      "<h2>Beside the report that was repeated</h2>\n<p>" + escapedHtml(replay.of) + ": " +
      (differences == 0 ? "all its numbers were reproduced."
                        : std::to_string(differences) + " of its numbers were not reproduced.") +
      "</p>\n"
      "<div class=wide><table><tr><th>Quantity</th><th class=n>then</th><th class=n>now</th><th></th></tr>\n";
  for (const ReplayRow& row : replay.rows)
    html += std::string(row.judged && !row.reproduced ? "<tr class=differs>" : "<tr>") + "<td>" +
            escapedHtml(row.quantity) + "</td><td class=n>" + escapedHtml(row.then) + "</td><td class=n>" +
            escapedHtml(row.now) + "</td><td class=\"soft n\">" +
            (row.reproduced ? "the same"
             : row.judged   ? "differs"
                            : "may differ") +
            "</td></tr>\n";
  return html + "</table></div>\n";
}

}  // namespace spokelab
