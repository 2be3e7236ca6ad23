// Qt's application object takes over the user's locale, in which a decimal point may be a comma.
// All that this program shows, reads and writes has points.
#pragma once

namespace spokelab {

// Right after the application object is made.
void useDecimalPoint();

}  // namespace spokelab
