// Running programs save their sessions here, so that a crash or a kill loses at most seconds: each
// in its folder, locked while the program lives. A folder without a lock was left behind.
//   ROOT/<process>-<time>/session.spokelab, lock
//   ROOT/last/session.spokelab: of the last program that ended well
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab {

class AutosaveSlot {
 public:
  // A new folder, locked. Throws Error.
  static AutosaveSlot make(const std::filesystem::path& root);
  // Folders that hold a session and that no running program has; each is locked, so that two
  // programs that start together do not offer the same one. Empty ones are removed. Newest first.
  static std::vector<AutosaveSlot> abandoned(const std::filesystem::path& root);

  AutosaveSlot() = default;
  AutosaveSlot(AutosaveSlot&& other) noexcept;
  AutosaveSlot& operator=(AutosaveSlot&& other) noexcept;
  ~AutosaveSlot();  // releases the lock and keeps the folder

  bool isValid() const { return descriptor_ >= 0; }
  std::filesystem::path file() const { return folder_ / "session.spokelab"; }
  void remove();      // with what it holds
  void keepAsLast();  // takes the place of ROOT/last; without a session, removes

  // SPOKELAB_AUTOSAVE, or spokelab/autosave under XDG_DATA_HOME (~/.local/share); empty without a
  // home folder.
  static std::filesystem::path defaultRoot();
  static std::filesystem::path lastSession(const std::filesystem::path& root);

 private:
  AutosaveSlot(std::filesystem::path folder, int descriptor);
  void release();

  std::filesystem::path folder_;
  int descriptor_ = -1;
};

}  // namespace spokelab
