#include "tests/structure/room_rules.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace spokelab::structure {

const std::vector<Area>& areas() {
  static const std::vector<Area> all = {
      {"engine/nufft",
       {{"problem", {}},
        {"kernel", {"problem"}},
        {"nufft.h", {"kernel"}},
        {"points", {"kernel"}},
        {"schedule", {"points"}},
        {"spread", {"schedule"}},
        {"fft", {"schedule"}},
        {"exact", {"schedule"}},
        {"toeplitz", {"nufft.h", "spread", "fft", "exact"}},
        {"plan", {"toeplitz"}},
        {"type3", {"plan"}},
        {"plugin", {"nufft.h"}},
        {"tune", {"plan", "plugin"}}}},
      {"engine/scan",
       {{"frame_axes.h", {}},
        {"scan.h", {"frame_axes.h"}},
        {"place", {"scan.h"}},
        {"look", {"scan.h"}},
        {"formats", {"place"}},
        {"simulate", {"scan.h"}},
        {"read", {"simulate", "formats"}},
        {"check", {"formats"}}}},
      {"engine/recon",
       {{"options", {}},
        {"operators", {}},
        {"functional", {"operators", "options"}},
        {"solve", {"operators", "options"}},
        {"field", {"operators", "options"}},
        {"coils", {"options"}},
        {"job", {"operators", "options"}},
        {"prepare", {"coils", "job"}},
        {"density", {"job"}},
        {"model", {"job"}},
        {"sense", {"field", "coils", "functional", "solve", "job"}},
        {"run", {"prepare", "density", "model", "sense"}},
        {"recipe", {"run"}},
        {"ranks", {"run"}},
        {"explore", {"run"}},
        {".", {"ranks", "explore"}}}},
      {"engine/profile",
       {{"results", {}},
        {"study", {"results"}},
        {"suite", {"study"}},
        {"shards", {"suite"}},
        {"baseline", {"results"}},
        {"report", {"results"}},
        {"runs", {"baseline"}},
        {"session", {"runs"}}}},
      {"cuda", {{"device", {}}, {"nufft", {"device"}}, {"recon", {"nufft"}}, {".", {"recon"}}}},
      {"cuda/nufft",
       {{"method.h", {}},
        {"points", {"method.h"}},
        {"spread", {"points"}},
        {"tensor", {"points"}},
        {"fft", {"points"}},
        {"toeplitz", {"spread", "tensor", "fft"}},
        {"plan", {"toeplitz"}},
        {"plugin", {"points"}},
        {"type3", {"plan"}}}},
      {"cuda/recon",
       {{"field", {}},
        {"coils", {}},
        {"density", {}},
        {"operators", {}},
        {"functional", {"operators"}},
        {"sense", {"field", "coils", "functional"}},
        {"plugin", {"sense"}}}},
      {"widgets",
       {{"core", {}},
        {"image", {"core"}},
        {"trajectory", {"core"}},
        {"profile", {"core"}},
        {"raw", {"core"}},
        {"recon", {"image"}}}},
      {"app/gui",
       {{"session", {}},
        {"features", {"session"}},
        {"report", {"features"}},
        {"document", {"features"}},
        {"window", {"document", "report"}},
        {"start", {"window"}}}},
  };
  return all;
}

namespace {

std::string stemOf(const std::string& name) {
  return name.substr(0, name.rfind('.'));
}

bool isIn(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

// The name of a path's room in the area, known to the table or not.
std::string roomOf(const Area& area, const std::string& path) {
  const std::string inside = path.substr(area.folder.size() + 1);
  const std::size_t slash = inside.find('/');
  if (slash != std::string::npos) return inside.substr(0, slash);
  for (const Room& room : area.rooms)
    if (room.name != "." && room.name.ends_with(".h") && stemOf(room.name) == stemOf(inside))
      return room.name;
  return ".";
}

const Room* find(const Area& area, const std::string& name) {
  for (const Room& room : area.rooms)
    if (room.name == name) return &room;
  return nullptr;
}

bool mayInclude(const Area& area, const std::string& from, const std::string& to) {
  if (from == to) return true;
  const Room* room = find(area, from);
  return room && std::any_of(room->uses.begin(), room->uses.end(),
                             [&](const std::string& used) { return mayInclude(area, used, to); });
}

}  // namespace

std::vector<std::string> checkRooms(const std::vector<Source>& sources) {
  std::vector<std::string> violations;
  for (const Area& area : areas()) {
    for (const Source& source : sources) {
      if (!isIn(source.path, area.folder)) continue;
      const std::string from = roomOf(area, source.path);
      if (!find(area, from)) {
        violations.push_back(source.path + ": the table of rooms has no " + area.folder + "/" + from);
        continue;
      }
      for (const Include& include : source.includes) {
        if (!include.quoted || !isIn(include.path, area.folder)) continue;
        const std::string to = roomOf(area, include.path);
        if (!mayInclude(area, from, to))
          violations.push_back(source.path + ":" + std::to_string(include.line) + ": includes " +
                               include.path + ": " + area.folder + "/" + from + " may not include " + to);
      }
    }
  }
  return violations;
}

namespace {

using Graph = std::map<std::string, std::set<std::string>>;

// Some circle in the graph, as a row of names whose last is the first again.
std::optional<std::vector<std::string>> circleIn(const Graph& graph) {
  std::vector<std::string> way;
  std::set<std::string> done;
  std::optional<std::vector<std::string>> circle;
  const std::function<void(const std::string&)> visit = [&](const std::string& node) {
    const auto seen = std::find(way.begin(), way.end(), node);
    if (seen != way.end()) {
      circle.emplace(seen, way.end());
      circle->push_back(node);
    }
    if (circle || done.contains(node)) return;
    way.push_back(node);
    if (const auto next = graph.find(node); next != graph.end())
      for (const std::string& to : next->second)
        if (!circle) visit(to);
    way.pop_back();
    done.insert(node);
  };
  for (const auto& [node, next] : graph)
    if (!circle) visit(node);
  return circle;
}

// The folder in `folder` that holds `path`; empty for a file directly in `folder`.
std::string roomIn(const std::string& folder, const std::string& path) {
  const std::string inside = path.substr(folder.size() + 1);
  const std::size_t slash = inside.find('/');
  return slash == std::string::npos ? "" : inside.substr(0, slash);
}

}  // namespace

std::vector<std::string> findCircles(const std::vector<Source>& sources) {
  std::map<std::string, Graph> graphs;  // by folder
  for (const Source& source : sources) {
    for (const Include& include : source.includes) {
      // An include is an arrow in the deepest folder that both lie in.
      const auto apart =
          std::mismatch(source.path.begin(), source.path.end(), include.path.begin(), include.path.end());
      const std::size_t slash = source.path.rfind('/', std::size_t(apart.first - source.path.begin()));
      if (!include.quoted || slash == std::string::npos || apart.second == include.path.end()) continue;
      const std::string folder = source.path.substr(0, slash);
      if (!isIn(include.path, folder)) continue;
      const std::string from = roomIn(folder, source.path), to = roomIn(folder, include.path);
      if (!from.empty() && !to.empty() && from != to) graphs[folder][from].insert(to);
    }
  }
  std::vector<std::string> messages;
  for (const auto& [folder, graph] : graphs) {
    const auto circle = circleIn(graph);
    if (!circle) continue;
    std::string text = folder + ": " + circle->front();
    for (std::size_t i = 1; i < circle->size(); ++i) text += " -> " + (*circle)[i];
    messages.push_back(text);
  }
  return messages;
}

}  // namespace spokelab::structure
