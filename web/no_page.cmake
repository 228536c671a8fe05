# What is said, in the configuration and by the command, where HTML pages are left out of a build.

set(no_page_template ${CMAKE_CURRENT_LIST_DIR}/../tool/render/no_page_template.cpp.in)

# one_line(TEXT RESULT): words of another program, fit for a message and a string literal: one line of
# plain characters, not too long, without the name and password that an address may hold.
function(one_line text result)
  string(REGEX REPLACE "//[^/@ ]*@" "//" text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(REGEX REPLACE "[^-A-Za-z0-9 .,:/_@()'=+%<>!?]" "" text "${text}")
  string(STRIP "${text}" text)
  string(SUBSTRING "${text}" 0 200 text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# reason_in(LOG RESULT): the line of npm's output that tells what went wrong. Its last ones are advice and
# the name of a file.
function(reason_in log result)
  string(REGEX REPLACE "[][;\\]" "" log "${log}")  # which mean something in a list
  string(REGEX MATCHALL "[^\r\n]+" lines "${log}")
  list(TRANSFORM lines REPLACE "^npm (ERR!|error) *" "")
  set(candidates ${lines})
  list(FILTER candidates INCLUDE REGEX "reason: ")
  if(NOT candidates)
    set(candidates ${lines})
    list(FILTER candidates EXCLUDE REGEX "^(code|errno|syscall|path) |complete log|^ *$|^npm warn|^npm WARN")
  endif()
  if(NOT candidates)
    set(candidates ${lines})
  endif()
  list(GET candidates 0 line)
  if(NOT line)
    set(line "it said nothing")
  endif()
  string(REGEX REPLACE "^(network |FetchError: )+" "" line "${line}")
  one_line("${line}" line)
  set(${result} "${line}" PARENT_SCOPE)
endfunction()

# write_no_page_template(FILE WHY): the C++ file of a command without pages, which tells why.
function(write_no_page_template file why)
  configure_file(${no_page_template} ${file} @ONLY)
endfunction()
