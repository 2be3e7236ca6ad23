// The age of this process, by the system's clock: it includes the loading of program and libraries,
// for which a user waits, too.
#pragma once

namespace spokelab {

// Seconds, in steps of about a hundredth; 0 where the system does not say.
double secondsSinceProcessStart();

}  // namespace spokelab
