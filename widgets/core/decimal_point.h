// Restores the decimal point. Qt's application object sets the user's locale, in which it may be a
// comma; this program shows, reads and writes points everywhere.
#pragma once

namespace spokelab {

// Call it right after the application object is made, before any number is read or shown.
void useDecimalPoint();

}  // namespace spokelab
