#include "tests/structure/include_closure.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

namespace spokelab::structure {
namespace {

constexpr double percent = 100;
constexpr std::size_t maxNamedHeaders = 3;

bool isSource(const std::string& path) {
  return path.ends_with(".cpp") || path.ends_with(".cu");
}

using SourceByPath = std::map<std::string, const Source*>;

void follow(const SourceByPath& sources, const Source& source, std::set<std::string>& seen) {
  for (const Include& include : source.includes) {
    const auto next = sources.find(include.path);
    if (include.quoted && next != sources.end() && seen.insert(include.path).second)
      follow(sources, *next->second, seen);
  }
}

std::string shareText(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", percent * share);
  return text;
}

}  // namespace

const std::vector<SeenBound>& seenBounds() {
  constexpr double most = 0.15;
  static const std::vector<SeenBound> all{{"engine/nufft/tune/tune.h", most},
                                          {"engine/nufft/kernel/kernel.h", most},
                                          {"engine/core/memory/memory_ceiling.h", most},
                                          {"engine/core/thread_pool.h", most}};
  return all;
}

std::map<std::string, double> seenShares(const std::vector<Source>& sources) {
  SourceByPath byPath;
  for (const Source& source : sources) byPath[source.path] = &source;
  std::map<std::string, double> shares;
  double count = 0;
  for (const Source& source : sources) {
    if (!isSource(source.path)) {
      shares[source.path];  // headers that nobody sees are listed, too
      continue;
    }
    std::set<std::string> seen;
    follow(byPath, source, seen);
    for (const std::string& header : seen) ++shares[header];
    ++count;
  }
  for (auto& [header, share] : shares) share /= std::max(1.0, count);
  return shares;
}

std::vector<std::string> checkSeen(const std::vector<Source>& sources, const std::vector<SeenBound>& bounds) {
  const std::map<std::string, double> shares = seenShares(sources);
  std::vector<std::string> messages;
  for (const auto& [header, maxShare] : bounds) {
    const auto found = shares.find(header);
    if (found == shares.end()) {
      messages.push_back(header + " is missing");
      continue;
    }
    if (found->second <= maxShare) continue;
    std::vector<std::pair<double, std::string>> through;
    for (const Source& source : sources)
      for (const Include& include : source.includes)
        if (include.path == header && !isSource(source.path))
          through.emplace_back(shares.at(source.path), source.path);
    std::sort(through.rbegin(), through.rend());
    std::string text = header + " is seen by " + shareText(found->second) + " of the sources, " +
                       shareText(maxShare) + " at most";
    for (std::size_t i = 0; i < std::min(through.size(), maxNamedHeaders); ++i)
      text += (i == 0 ? "; through " : ", ") + through[i].second;
    messages.push_back(text);
  }
  return messages;
}

}  // namespace spokelab::structure
