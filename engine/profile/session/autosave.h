// Folders in which running programs autosave their sessions, so that a crash or a kill loses at
// most seconds. Each program has a separate folder, which is locked while the program lives. A
// folder without a lock was left behind.
//   ROOT/<process>-<time>/session.spokelab, lock
//   ROOT/last/session.spokelab: of the last program that ended well
#pragma once

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace spokelab {

class AutosaveSlot {
 public:
  // A new folder, locked. Throws Error.
  static AutosaveSlot make(const std::filesystem::path& root);
  // Folders that hold a session and that no running program has; each is locked, so that two
  // programs that start together do not offer the same one. Empty ones are removed. Newest first.
  static std::vector<AutosaveSlot> abandoned(const std::filesystem::path& root);

  AutosaveSlot() = default;  // its end releases the lock and keeps the folder

  bool isValid() const { return lock_ != nullptr; }
  std::filesystem::path file() const { return folder_ / "session.spokelab"; }
  void remove();      // with what it holds
  void keepAsLast();  // takes the place of ROOT/last; without a session, removes

  // SPOKELAB_AUTOSAVE, or spokelab/autosave under XDG_DATA_HOME (~/.local/share); empty without a
  // home folder.
  static std::filesystem::path defaultRoot();
  static std::filesystem::path lastSession(const std::filesystem::path& root);

 private:
  struct Close {
    void operator()(const int* descriptor) const;
  };
  using Lock = std::unique_ptr<const int, Close>;               // the descriptor of a locked file
  static Lock lockFolder(const std::filesystem::path& folder);  // null: another program has it

  AutosaveSlot(std::filesystem::path folder, Lock lock)
      : folder_(std::move(folder)), lock_(std::move(lock)) {}

  std::filesystem::path folder_;
  Lock lock_;
};

}  // namespace spokelab
