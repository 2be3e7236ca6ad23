// Embeds the guide's pages and pictures in the program: .incbin copies the binary file of rcc
// (SPOKELAB_GUIDE_FILE, set by the build), and a static initializer registers it as ":/guide".
// Qt reads the data in place, hence the alignment.
#include <QResource>

asm(R"(
  .pushsection .rodata
  .balign 16
  .globl spokelabGuide
  .hidden spokelabGuide
spokelabGuide:
  .incbin ")" SPOKELAB_GUIDE_FILE R"("
  .byte 0
  .popsection
)");

extern "C" const unsigned char spokelabGuide[];

namespace {

[[maybe_unused]] const bool guideIsKnown = QResource::registerResource(spokelabGuide);

}  // namespace
