// The scan: opened from a file, read again with other decisions, made of described arrays,
// simulated, saved.
#pragma once

#include <map>
#include <string>

#include "app/gui/features/feature.h"

class QMenu;

namespace spokelab {

struct ProposedDescription;
struct SimulateOptions;

class ScanFeature : public Feature {
  Q_OBJECT

 public:
  // remember: recent files are kept between runs.
  ScanFeature(Session& session, const Views& views, bool remember, QObject* parent);

  // A file, or "demo". The reader's decisions for another file are forgotten. A plain array is not
  // opened: a description is proposed for it.
  void open(const QString& file);
  // With these decisions overridden.
  void openWith(const QString& file, const std::map<std::string, std::string>& overrides);
  // Reads the same file again with one decision changed.
  void overrideDecision(const QString& topic, const QString& choice);
  // A simulated scan takes the place of the open one; truth: the phantom itself becomes a result,
  // too.
  void simulate(const SimulateOptions& options, bool truth);
  void save(const std::filesystem::path& file);  // the open scan, as ISMRMRD
  void addRecent(const QString& file);

  QAction* openAction() const { return open_; }
  QAction* demoAction() const { return demo_; }
  QAction* simulateAction() const { return simulate_; }
  QAction* saveAction() const { return save_; }
  QMenu* recentMenu() const { return recent_; }

 Q_SIGNALS:
  void fileChosen(const QString& file);  // of any kind that the window opens

 private:
  void chooseFile();
  void chooseToSave();
  void showSimulate();
  void showDescription(const QString& array, const ProposedDescription& proposal);
  void openDescribed(const QString& file, const QString& text);
  void fillRecent();

  const bool remember_;
  QAction *open_, *demo_, *simulate_, *save_;
  QMenu* recent_;
};

}  // namespace spokelab
