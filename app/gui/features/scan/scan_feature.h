// The scan: opened from a file, read again with other decisions, made of described arrays,
// simulated, saved.
#pragma once

#include <QMap>

#include <map>
#include <string>

#include "app/gui/features/feature.h"

namespace spokelab {

class DescribeFeature;
struct ReadOptions;
struct SimulateOptions;

class ScanFeature : public Feature {
  Q_OBJECT

 public:
  ScanFeature(Session& session, const Views& views, QObject* parent);

  // A file, or a built-in scan. The reader's decisions for another file are forgotten. A plain
  // array is not opened: a description is proposed for it. A file without raw data may hold an
  // image: see below. Where the last file held samples without a trajectory, an array, a sequence
  // or SPARKLING's file is taken for that trajectory first.
  void open(const QString& file);
  // Opens the file with these decisions overridden.
  void openWith(const QString& file, const std::map<std::string, std::string>& overrides);
  // Reads the same file again with one decision changed.
  void overrideDecision(const QString& topic, const QString& choice);
  // The same, with other bins of breathing; ofAllMotion: they hold for the heart as well.
  void readWithBins(const QString& breathing, bool ofAllMotion);
  // Reads the samples that wait for a trajectory, or else the open scan's, with one that has this
  // name (engine/scan/read/named/trajectory_name.h) or is in this file.
  void giveTrajectory(const QString& trajectory);
  // A simulated scan takes the place of the open one; truth: the phantom itself becomes a result,
  // too.
  void simulate(const SimulateOptions& options, bool truth);
  // True if the last file held samples without a trajectory.
  bool awaitsTrajectory() const { return !waiting_.isEmpty(); }
  void save(const std::filesystem::path& file);  // the open scan, as ISMRMRD

  QAction* openAction() const { return open_; }
  QAction* demoAction() const { return demo_; }
  QAction* fieldDemoAction() const { return fieldDemo_; }
  QAction* simulateAction() const { return simulate_; }
  QAction* saveAction() const { return save_; }
  QAction* nameTrajectoryAction() const { return nameTrajectory_; }

 Q_SIGNALS:
  void fileChosen(const QString& file);   // of any kind that the window opens
  void imageChosen(const QString& file);  // to be opened as an image
  void imageFound(const std::shared_ptr<const spokelab::Reconstruction>& image, const QString& file);
  void arrayFound(const std::shared_ptr<const spokelab::Reconstruction>& image, const QString& why);

 private:
  void readWith(const std::map<std::string, std::string>& chosen);  // decisions, the others kept
  JobQueue::Delivery readArray(const QString& file, const JobContext& context);
  JobQueue::Delivery readFile(const QString& file, const ReadOptions& options, const JobContext& context);
  // The samples that wait for a trajectory, with the file that may be it; null where it is not.
  JobQueue::Delivery readWithTrajectory(const QString& samples, const QString& trajectory,
                                        const ReadOptions& options, const JobContext& context);
  // Keeps the file whose trajectory another file has to give.
  void awaitTrajectory(const QString& samples);
  void chooseFile();
  void chooseToSave();
  void showSimulate();
  void chooseTrajectoryName();

  DescribeFeature* describe_;
  QAction *open_, *demo_, *fieldDemo_, *simulate_, *save_, *nameTrajectory_;
  QString waiting_;  // the last file, where it holds samples without a trajectory
};

}  // namespace spokelab
