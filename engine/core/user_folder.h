// Where this user's files lie that nobody names: what tuning found out, remembered choices,
// sessions.
#pragma once

#include <filesystem>

namespace spokelab {

// The value of an environment variable as a path; empty where it is not set.
std::filesystem::path pathVariable(const char* name);

// $HOME, else the home in the list of users where it can be written to, else the user's private
// folder of this session ($XDG_RUNTIME_DIR). Empty where there is none of these: nothing is kept
// then, as a folder that all users share is no place for it.
std::filesystem::path userHome();

// "spokelab" in the XDG cache or in the XDG data; empty where there is no home.
std::filesystem::path userCache();
std::filesystem::path userData();

}  // namespace spokelab
