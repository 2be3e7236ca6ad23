// A session as a file: what was open, how it was read, what was asked, what came of it, and what
// the window showed.
//   NAME.spokelab          JSON: {"format": "spokelab-session", "formatVersion": 1, ...}
//   NAME.spokelab-images/  one .npy an image, named after its content; written once, removed when
//                          the session no longer names it
// Both appear whole or not at all: a kill at any moment leaves the session before or the one after.
// Paths are relative to the file's folder; the absolute one is kept for where the relative one
// leads nowhere.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/profile/runs/timed_run.h"
#include "engine/profile/session/session_images.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/scan/read/read_options.h"

namespace spokelab {

inline constexpr int sessionFormatVersion = 1;
inline constexpr std::string_view sessionExtension = ".spokelab";

inline bool operator==(const SeparateFiles& a, const SeparateFiles& b) {
  return a.trajectory == b.trajectory && a.weights == b.weights && a.noise == b.noise;
}

struct SavedScan {
  std::string name;
  std::string file;                               // as found on disk, "demo", or empty: simulated
  std::string fingerprint;                        // of that file (remembered_choices.h), or empty
  std::map<std::string, std::string> overrides;   // decision -> choice
  std::map<std::string, std::string> simulation;  // simulated: options of simulate_options.h
  SeparateFiles separate{};                       // that belong to the file's samples
  bool operator==(const SavedScan&) const = default;
};

struct SavedResult {
  int id = 0;
  std::string scan;                              // name of its scan
  bool ofScan = false;                           // made from the scan that is open
  std::shared_ptr<const Reconstruction> result;  // after reading, its image may be null: see `problems`
  std::string title{};                           // given by the user, or empty
  bool operator==(const SavedResult&) const = default;
};

struct SavedSession {
  std::optional<SavedScan> scan;
  std::map<std::string, std::string> options;  // the table of options
  std::vector<SavedResult> results;            // newest first
  int shown = 0, reference = 0;                // ids; 0: none
  bool pinned = false;                         // the reference is the user's choice
  std::vector<TimedRun> runs;                  // in the order in which they began
  int chosenRun = 0;                           // number of the run that the charts show; 0: none
  std::map<std::string, std::string> view;     // the window's state, in its words

  // Results and what was timed are equal where they are the same ones in memory.
  bool operator==(const SavedSession&) const = default;
};

// Writes one session again and again, each image once. One thread at a time may call save and
// saveNumbers; another one may write images() meanwhile.
class SessionWriter {
 public:
  explicit SessionWriter(const std::filesystem::path& file, FreeSpace space = freeSpace);

  // Everything, images first. Throws Error, Cancelled; the file is then as it was.
  void save(const SavedSession& session, const Progress& progress);
  // Saves the numbers at once, beside images that were saved before.
  void saveNumbers(const SavedSession& session, const Progress& progress);

  const std::filesystem::path& file() const { return file_; }
  SessionImages& images() { return images_; }

 private:
  std::filesystem::path file_;
  SessionImages images_;
};

struct LoadedSession {
  SavedSession session;
  std::string version, saved;  // of the program that wrote it; when (UTC)
  std::vector<std::string>
      problems;  // images that are missing or damaged, options of another version; in words
};

// Throws Error (no session, damaged, of a newer version), Cancelled. Without `images` they stay
// null.
LoadedSession loadSession(const std::filesystem::path& file, const Progress& progress, bool images = true);

bool isSession(const std::filesystem::path& file);  // by its content

}  // namespace spokelab
