#!/bin/sh
# The rpm owns only files, so its empty folders would remain. The argument is 0 only if the package is removed, not
# if another version replaces it.
if [ "$1" = 0 ]; then
  rmdir /usr/share/doc/beads-console /usr/share/licenses/beads-console 2>/dev/null
  find /usr/lib/beads-console -depth -type d -exec rmdir {} + 2>/dev/null
fi
exit 0
