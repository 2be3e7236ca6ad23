// The samples that take part: shots, coils and times. The user picks them in the trajectory or
// writes them into fields; the options keep them; the trajectory draws them.
#pragma once

#include <string>
#include <vector>

#include "app/gui/features/feature.h"
#include "widgets/core/latest_job.h"

namespace spokelab {

class SelectionFeature : public Feature {
  Q_OBJECT

 public:
  SelectionFeature(Session& session, const Views& views, QObject* parent);

  // Sets one of the parameters, by its name in the table of options.
  void editOption(const QString& name, const QString& value);

 Q_SIGNALS:
  void reconstructRequested();  // of the selected samples
  void pointSpreadRequested();

 private:
  // The selection in words and as the trajectory draws it.
  struct Selected {
    QString summary;
    bool problem = false;
    std::vector<int> shots;
    std::vector<char> chosen;
  };
  static Selected selectedOf(const Scan& scan, const ReconOptions& options);

  void takeScan(const std::shared_ptr<const Scan>& scan);
  void keepFittingSelection(const Scan& scan);
  void showSelection();

  std::weak_ptr<const Scan> selectedScan_;  // whose selection is drawn
  std::string selectionKey_;
  LatestJob<Selected> counting_;
};

}  // namespace spokelab
