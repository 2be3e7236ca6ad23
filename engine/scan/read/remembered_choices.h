// The user's choices about a file, kept on disk under the file's fingerprint, so that it opens
// right the next time, also under another name.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace spokelab {

// 64-bit FNV-1a over size, first and last MB and 64 pieces between: a copy has the same one,
// another scan has not. Reads about 2.3 MB at most. Throws Error.
std::string fileFingerprint(const std::filesystem::path& file);

// Each call reads or writes the file; programs may share it. A malformed file counts as empty.
class RememberedChoices {
 public:
  explicit RememberedChoices(std::filesystem::path file) : file_(std::move(file)) {}

  // SPOKELAB_CHOICES, or spokelab/choices.json under XDG_DATA_HOME; empty without a home folder.
  static std::filesystem::path defaultFile();

  std::map<std::string, std::string> find(const std::string& fingerprint) const;  // topic -> choice
  // Replaces the remembered choices; none forgets the file. `name` is for people. Throws Error.
  void keep(const std::string& fingerprint, const std::string& name,
            const std::map<std::string, std::string>& choices) const;

 private:
  std::filesystem::path file_;
};

}  // namespace spokelab
