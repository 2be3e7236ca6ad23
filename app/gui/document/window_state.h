// The window as a saved session, and a saved session in the window.
#pragma once

#include <QObject>

#include <map>
#include <string>

#include "app/gui/features/feature.h"

namespace spokelab {

class ChartsFeature;
class CompareFeature;
class ReconstructFeature;
struct SavedSession;

class WindowState : public Feature {
  Q_OBJECT

 public:
  WindowState(Session& session, const Views& views, ChartsFeature& charts, CompareFeature& compare,
              ReconstructFeature& reconstruct, QObject* parent);

  SavedSession capture();
  void apply(const SavedSession& saved);

 private:
  void captureView(std::map<std::string, std::string>& view);
  void applyView(const std::map<std::string, std::string>& view);
  void makeAgain(const SavedSession& saved);

  ChartsFeature& charts_;
  CompareFeature& compare_;
  ReconstructFeature& reconstruct_;
};

}  // namespace spokelab
