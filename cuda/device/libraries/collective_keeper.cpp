#include "cuda/device/libraries/collective_keeper.h"

#include "engine/recon/ranks/rank_messages.h"

namespace spokelab::gpu {

std::shared_ptr<Collective> CollectiveKeeper::of(Ranks& ranks, const Progress& progress) {
  std::string members;
  for (const std::string& name : gatherTexts(ranks, ranks.host(), progress)) members += name + '\n';
  broadcastText(ranks, members, progress);
  members += std::to_string(ranks.rank());
  double known = collective_ && collective_->isUsable() && members == members_ ? 1 : 0;
  ranks.sum(&known, 1, progress);
  ranks.broadcast(&known, sizeof known, progress);
  if (int(known) != ranks.size()) {
    collective_.reset();
    why_.clear();
    collective_ = Collective::start(ranks, progress, why_);
    members_ = members;
  }
  return collective_;
}

}  // namespace spokelab::gpu
