// Messages to the user: the list of jobs, the log, and the banner of the last failure.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class MessagesFeature : public Feature {
  Q_OBJECT

 public:
  MessagesFeature(Session& session, const Views& views, QObject* parent);

  QAction* cancelAction() const { return cancel_; }  // cancels all jobs

 private:
  void tellJob(const JobState& state);
  void tellScan(const std::shared_ptr<const Scan>& scan);
  void tellResult(const HistoryEntry& entry);

  QAction* cancel_;
};

}  // namespace spokelab
