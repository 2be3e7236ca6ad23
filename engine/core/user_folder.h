// Folders of the files that the program keeps for its user: tuning, choices, sessions.
#pragma once

#include <filesystem>

namespace spokelab {

// The value of an environment variable as a path; empty where it is not set.
std::filesystem::path pathVariable(const char* name);

// $HOME, else a writable home in the list of users, else the user's private folder of this session
// ($XDG_RUNTIME_DIR). Empty if none exists: then nothing is kept, because a folder that all users
// share would not be private.
std::filesystem::path userHome();

// "spokelab" in the XDG cache or in the XDG data; empty without a home.
std::filesystem::path userCache();
std::filesystem::path userData();

}  // namespace spokelab
