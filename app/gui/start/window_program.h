// The program with a window: its arguments, the display it needs, the application object.
#pragma once

namespace spokelab {

// spokelab [FILE] [--screenshot PICTURE [--size WxH] [--no-sweep]]. Returns the exit code.
int runWindow(int argc, char** argv);

}  // namespace spokelab
