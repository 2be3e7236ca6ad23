// How long this process has run, as far as the system knows: loading the program and its libraries is
// part of what a user waits for.
#pragma once

namespace spokelab {

// Seconds, in steps of about a hundredth; 0 where the system does not say.
double secondsSinceProcessStart();

}  // namespace spokelab
