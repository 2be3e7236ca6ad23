// Samples of the shown image on the scan's trajectory, into a file: the forward transform.
#pragma once

#include <filesystem>

#include "app/gui/features/feature.h"

namespace spokelab {

class ForwardFeature : public Feature {
  Q_OBJECT

 public:
  ForwardFeature(Session& session, const Views& views, QObject* parent);

  // Saves the samples that the parameters' transform computes from the image.
  void save(const HistoryEntry& entry, const ReconOptions& options, const std::filesystem::path& file);

  QAction* action() const { return action_; }

 private:
  void choose();

  QAction* action_;
};

}  // namespace spokelab
