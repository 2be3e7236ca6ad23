#include "app/gui/session_saver.h"

#include <algorithm>

#include "engine/core/error.h"

namespace spokelab {
namespace {

// Larger images are not autosaved: writing them would take longer than what an autosave may lose.
constexpr std::int64_t largestAutosaved = std::int64_t{256} << 20;

}  // namespace

SessionSaver::SessionSaver(QObject* parent) : QObject(parent) {
  worker_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

SessionSaver::~SessionSaver() {
  finish();
  worker_.request_stop();
  wake_.notify_all();
}

void SessionSaver::save(const SavedSession& session, const std::filesystem::path& file) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({session, file, false});
  }
  wake_.notify_all();
}

void SessionSaver::autosave(const SavedSession& session, const std::filesystem::path& file) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [&](const Task& task) { return task.automatic; });
    waiting_.push_back({session, file, true});
    newer_.request_stop();
  }
  wake_.notify_all();
}

void SessionSaver::finish() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return waiting_.empty() && !busy_; });
}

void SessionSaver::run(const std::stop_token& stop) {
  while (true) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      busy_ = false;
      if (waiting_.empty()) idle_.notify_all();
      if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
      busy_ = true;
      newer_ = std::stop_source();
    }
    write(task);
  }
}

void SessionSaver::write(const Task& task) {
  try {
    auto& writer = writers_[task.file];
    if (!writer) writer = std::make_unique<SessionWriter>(task.file, task.automatic ? largestAutosaved : 0);
    if (task.automatic) {
      std::error_code failed;
      std::filesystem::create_directories(task.file.parent_path(), failed);
      writer->saveNumbersFirst(task.session, Progress(newer_.get_token()));
    } else {
      writer->save(task.session, {});
    }
    Q_EMIT saved(QString::fromStdString(task.file.string()), task.automatic);
  } catch (const Cancelled&) {
    return;  // the newer one follows
  } catch (const Error& error) {
    Q_EMIT failed({QString::fromStdString(error.summary()), QString::fromStdString(error.reason()),
                   QString::fromStdString(error.remedy())},
                  task.automatic);
  } catch (const std::exception& error) {
    Q_EMIT failed({tr("Cannot save the session"), QString::fromUtf8(error.what()), tr("Save it elsewhere")},
                  task.automatic);
  }
}

}  // namespace spokelab
