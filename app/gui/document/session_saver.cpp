#include "app/gui/document/session_saver.h"

#include <algorithm>
#include <chrono>

#include "engine/core/error.h"

namespace spokelab {

ErrandThread::ErrandThread() : thread_([this](const std::stop_token& stop) { run(stop); }) {
}

ErrandThread::~ErrandThread() {
  thread_.request_stop();
}

void ErrandThread::post(std::function<void()> errand) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(errand));
  }
  wake_.notify_all();
}

void ErrandThread::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (!wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
    const auto errand = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    errand();
    lock.lock();
  }
}

SessionSaver::SessionSaver(QObject* parent, FreeSpace space) : QObject(parent), space_(std::move(space)) {
}

SessionSaver::~SessionSaver() {
  finish();
}

void SessionSaver::save(const SavedSession& session, const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  post(slow_, [this, session, file] { saveNow(session, file); });
}

void SessionSaver::autosave(const SavedSession& session, const std::filesystem::path& file) {
  auto& writer = autosaves_[file];
  if (!writer) writer = std::make_shared<SessionWriter>(file, space_);
  const std::lock_guard lock(mutex_);
  latest_ = Autosave{session, writer};
  if (!numbersAsked_) post(numbers_, [this] { writeLatest(); });
  numbersAsked_ = true;
}

void SessionSaver::finish(int maxImageMs) {
  std::unique_lock lock(mutex_);
  const auto idle = [this] { return pending_ == 0; };
  if (!idle_.wait_for(lock, std::chrono::milliseconds(maxImageMs), idle)) {
    closing_.request_stop();
    idle_.wait(lock, idle);
  }
  closing_ = std::stop_source();
}

// mutex_ is held. An errand posts its successors before it counts as done.
void SessionSaver::post(ErrandThread& thread, std::function<void()> errand) {
  ++pending_;
  thread.post([this, errand = std::move(errand)] {
    errand();
    const std::lock_guard lock(mutex_);
    --pending_;
    idle_.notify_all();
  });
}

bool SessionSaver::isKept(const Autosave& autosave) const {
  return std::all_of(autosave.session.results.begin(), autosave.session.results.end(),
                     [&](const SavedResult& entry) {
                       const auto& image = entry.result->image;
                       return !image || !autosave.writer->images().nameOf(image).empty();
                     });
}

void SessionSaver::writeLatest() {
  Autosave autosave;
  {
    const std::lock_guard lock(mutex_);
    autosave = *latest_;
    numbersAsked_ = false;
  }
  const std::filesystem::path& file = autosave.writer->file();
  try {
    std::error_code failed;
    std::filesystem::create_directories(file.parent_path(), failed);
    const bool whole = isKept(autosave);
    autosave.writer->saveNumbers(autosave.session, {});
    if (whole) {
      Q_EMIT saved(QString::fromStdString(file.string()), true);
      return;
    }
    const std::lock_guard lock(mutex_);
    if (!imagesAsked_) post(slow_, [this, autosave] { writeImages(autosave); });
    imagesAsked_ = true;
  } catch (const Error& error) {
    Q_EMIT failed(failureOf(error), true);
  } catch (const std::exception& error) {
    Q_EMIT failed({tr("Cannot save the session"), QString::fromUtf8(error.what()), tr("Save it elsewhere")},
                  true);
  }
}

// True if this is the first time that this image's fate is told.
bool SessionSaver::tell(const std::shared_ptr<const Image>& image) {
  std::erase_if(told_, [](const auto& one) { return one.second.expired(); });
  return told_.emplace(image.get(), image).second;
}

// Newest first; then the numbers once more, which name them.
void SessionSaver::writeImages(const Autosave& autosave) {
  bool any = false;
  for (const SavedResult& entry : autosave.session.results) {
    const auto& image = entry.result->image;
    if (closing_.stop_requested()) break;
    if (!image || !autosave.writer->images().nameOf(image).empty()) continue;
    try {
      any |= !autosave.writer->images()
                  .write(image, SessionImages::unasked, Progress(closing_.get_token()))
                  .empty();
    } catch (const Cancelled&) {
      break;
    } catch (const Error& error) {
      if (tell(image)) Q_EMIT imageNotKept(failureOf(error));
    } catch (const std::exception& error) {
      if (tell(image))
        Q_EMIT imageNotKept({tr("The image of a result is not kept"), QString::fromUtf8(error.what()),
                             tr("Save the session elsewhere")});
    }
  }
  const std::lock_guard lock(mutex_);
  imagesAsked_ = false;
  if (!any || numbersAsked_) return;
  numbersAsked_ = true;
  post(numbers_, [this] { writeLatest(); });
}

void SessionSaver::saveNow(const SavedSession& session, const std::filesystem::path& file) {
  try {
    auto& writer = saves_[file];
    if (!writer) writer = std::make_unique<SessionWriter>(file, space_);
    writer->save(session, {});
    Q_EMIT saved(QString::fromStdString(file.string()), false);
  } catch (const Error& error) {
    Q_EMIT failed(failureOf(error), false);
  } catch (const std::exception& error) {
    Q_EMIT failed({tr("Cannot save the session"), QString::fromUtf8(error.what()), tr("Save it elsewhere")},
                  false);
  }
}

}  // namespace spokelab
