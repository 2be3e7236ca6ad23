#include "engine/recon/ranks/rank_wisdom.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/core/document.h"
#include "engine/recon/ranks/rank_messages.h"

namespace spokelab {

RankWisdom::RankWisdom(Ranks& ranks, Backend& backend, Wisdom* file, const Progress& progress) : file_(file) {
  const std::vector<std::string> kinds = gatherTexts(ranks, backend.fingerprint(), progress);
  std::string text;
  if (ranks.isFirst()) {
    // The first rank of each kind of processor tunes.
    std::vector<int> tuners;
    for (std::size_t r = 0; r < kinds.size(); ++r)
      if (std::find(kinds.begin(), kinds.begin() + std::ptrdiff_t(r), kinds[r]) ==
          kinds.begin() + std::ptrdiff_t(r))
        tuners.push_back(int(r));
    if (!file) tuners.resize(1);  // nobody would keep the others' plans
    const bool several = tuners.size() > 1;
    text = nlohmann::json{{"tuners", tuners},
                          {"keeps", file != nullptr},
                          {"entries", several ? file->entries() : WisdomEntries()}}
               .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  broadcastText(ranks, text, progress);
  const nlohmann::json j =
      parseDocument(text, "The ranks do not understand each other", "Start the same program on all");
  const auto tuners = j.at("tuners").get<std::vector<int>>();
  tunes_ = std::find(tuners.begin(), tuners.end(), ranks.rank()) != tuners.end();
  keeps_ = j.at("keeps").get<bool>();
  if (ranks.isFirst() || !tunes_) return;
  jobWisdom_.take(j.at("entries").get<WisdomEntries>(), WisdomRule::theirs);
  firstRankEntries_ = jobWisdom_.entries();
}

WisdomEntries RankWisdom::found() const {
  WisdomEntries found;
  for (const auto& [key, value] : jobWisdom_.entries())
    if (const auto known = firstRankEntries_.find(key);
        known == firstRankEntries_.end() || known->second != value)
      found[key] = value;
  return found;
}

std::size_t RankWisdom::take(const WisdomEntries& entries) {
  if (!file_ || entries.empty()) return 0;
  const WisdomMerge merged = file_->take(entries, WisdomRule::better);
  return merged.added + merged.replaced;
}

}  // namespace spokelab
