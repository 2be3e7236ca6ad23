// Writes sessions on a thread of its own, so that neither the window nor a job waits for a disk. Of autosaves the latest
// one counts; saves that the user asked for are all made, in their order.
#pragma once

#include <QObject>

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "app/gui/job_queue.h"
#include "engine/profile/saved_session.h"

namespace spokelab {

class SessionSaver : public QObject {
  Q_OBJECT

 public:
  explicit SessionSaver(QObject* parent = nullptr);
  ~SessionSaver() override;  // writes what waits

  void save(const SavedSession& session, const std::filesystem::path& file);
  void autosave(const SavedSession& session, const std::filesystem::path& file);
  void finish();  // waits until everything is written

 Q_SIGNALS:
  void saved(const QString& file, bool automatic);
  void failed(const spokelab::Failure& failure, bool automatic);

 private:
  struct Task {
    SavedSession session;
    std::filesystem::path file;
    bool automatic = false;
  };

  void run(const std::stop_token& stop);
  void write(const Task& task);

  std::mutex mutex_;
  std::condition_variable_any wake_, idle_;
  std::deque<Task> waiting_;
  bool busy_ = false;
  std::stop_source newer_;  // an autosave's images wait for the numbers of a newer one
  std::map<std::filesystem::path, std::unique_ptr<SessionWriter>> writers_;  // worker
  std::jthread worker_;
};

}  // namespace spokelab
