#!/bin/sh
# The rpm owns files only; its empty folders would stay. With 0 it is removed, otherwise replaced by another version.
if [ "$1" = 0 ]; then
  rmdir /usr/share/doc/beads-console /usr/share/licenses/beads-console 2>/dev/null
  find /usr/lib/beads-console -depth -type d -exec rmdir {} + 2>/dev/null
fi
exit 0
