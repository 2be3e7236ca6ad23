// The samples that a reconstruction uses: shots, coils and times. The user picks shots in the
// trajectory or edits fields of the selection bar. Both change the options, and the trajectory
// draws the samples that the options select.
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

  // Sets an option by its name, like "shots"; an invalid value is reported and changes nothing.
  void editOption(const QString& name, const QString& value);

 Q_SIGNALS:
  void reconstructRequested();  // of the selected samples
  void pointSpreadRequested();

 private:
  // The selection in words and as the trajectory draws it.
  struct Selected {
    QString summary;                     // or the error, if the options do not fit the scan
    bool problem = false;                // true: summary is an error
    std::vector<int> shots;              // numbers of the selected shots; empty: all
    std::vector<char> isSampleSelected;  // [sample of frame 0]; empty: all are
  };
  static Selected selectedOf(const Scan& scan, const ReconOptions& options);

  void takeScan(const std::shared_ptr<const Scan>& scan);
  void dropSelectionBeyond(const Scan& scan);
  void showSelection();

  // The scan and the selecting options (selectionText) that showSelection() counted last: equal
  // ones are not counted again.
  std::weak_ptr<const Scan> selectedScan_;
  std::string selectionKey_;
  LatestJob<Selected> counting_;
};

}  // namespace spokelab
