// Writes sessions on two threads, so that neither the window nor a job waits for a disk. One thread
// writes the numbers of autosaves at once. The other writes their images and the user's saves,
// which take time. Of several waiting autosaves only the latest is written; the user's saves are
// all written, in order.
#pragma once

#include <QObject>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/gui/session/job_queue.h"
#include "engine/profile/session/saved_session.h"

namespace spokelab {

// A thread that runs the errands that are posted, one after the other.
class ErrandThread {
 public:
  ErrandThread();
  ~ErrandThread();  // drops the errands that have not begun
  void post(std::function<void()> errand);

 private:
  void run(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> waiting_;
  std::jthread thread_;
};

class SessionSaver : public QObject {
  Q_OBJECT

 public:
  explicit SessionSaver(QObject* parent = nullptr, FreeSpace space = freeSpace);
  ~SessionSaver() override;  // as finish()

  void save(const SavedSession& session, const std::filesystem::path& file);
  void autosave(const SavedSession& session, const std::filesystem::path& file);
  // Waits until everything is written. After `maxImageMs` an autosave's further images are left
  // out.
  void finish(int maxImageMs = 5000);

 Q_SIGNALS:
  // automatic: an autosave. It is told when its numbers and all of its images are written.
  void saved(const QString& file, bool automatic);
  void failed(const spokelab::Failure& failure, bool automatic);
  void imageNotKept(const spokelab::Failure& failure);  // of an autosave; told once an image

 private:
  struct Autosave {
    SavedSession session;
    std::shared_ptr<SessionWriter> writer;
  };

  void post(ErrandThread& thread, std::function<void()> errand);
  void writeLatest();
  void writeImages(const Autosave& autosave);
  void saveNow(const SavedSession& session, const std::filesystem::path& file);
  bool isKept(const Autosave& autosave) const;
  bool tell(const std::shared_ptr<const Image>& image);

  FreeSpace space_;
  std::mutex mutex_;
  std::condition_variable idle_;
  int pending_ = 0;  // errands that are not done
  std::optional<Autosave> latest_;
  bool numbersAsked_ = false, imagesAsked_ = false;
  std::map<std::filesystem::path, std::shared_ptr<SessionWriter>> autosaves_;  // owner's thread
  std::map<std::filesystem::path, std::unique_ptr<SessionWriter>> saves_;      // thread slow_
  std::map<const Image*, std::weak_ptr<const Image>> told_;                    // thread slow_
  std::stop_source closing_;
  ErrandThread slow_, numbers_;
};

}  // namespace spokelab
