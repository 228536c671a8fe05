# embed_text(HEADER NAMESPACE NAME FILE [NAME FILE…]): a header with the text of files as string
# views, written again when one of them changes.
function(embed_text header namespace)
  set(body "#pragma once\n\n#include <string_view>\n\nnamespace ${namespace} {\n\n")
  while(ARGN)
    list(POP_FRONT ARGN name file)
    file(READ ${file} text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    string(APPEND body "inline constexpr std::string_view ${name} = R\"text(${text})text\";\n")
  endwhile()
  string(APPEND body "\n}  // namespace ${namespace}\n")
  file(CONFIGURE OUTPUT ${header} CONTENT "${body}" @ONLY)
endfunction()
