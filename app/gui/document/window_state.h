// The window as a saved session, and a saved session in the window.
#pragma once

#include <QObject>

#include <map>
#include <memory>
#include <string>

#include "app/gui/features/feature.h"

namespace spokelab {

class CompareFeature;
class ReconstructFeature;
struct SavedSession;

class WindowState : public Feature {
  Q_OBJECT

 public:
  WindowState(Session& session, const Views& views, CompareFeature& compare, ReconstructFeature& reconstruct,
              QObject* parent);

  SavedSession capture();
  void apply(const SavedSession& saved);

 Q_SIGNALS:
  void chartsRestored();

 private:
  void captureCharts(SavedSession& saved);
  void captureView(std::map<std::string, std::string>& view);
  void applyView(const std::map<std::string, std::string>& view);
  void makeAgain(const SavedSession& saved);

  CompareFeature& compare_;
  ReconstructFeature& reconstruct_;
  // The charts' candidates at the last capture.
  std::shared_ptr<const TuneResult> charted_;
  int chartedGeneration_ = -1;
};

}  // namespace spokelab
