#!/bin/sh
# Usage: windows_git.sh FOLDER. Builds git.exe from Debian's source package of git, without scripts, https and
# translations.
set -eu
mkdir -p "$1/apt/lists/partial" "$1/apt/parts" "$1/source" "$1/include" "$1/bin" "$1/share/git-core/templates"
cd "$1"

# Debian's own package lists, with sources instead of binaries.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [ ! -f "$list" ] || sed -e 's/^Types: .*/Types: deb-src/' -e 's/^deb /deb-src /' "$list" >"apt/parts/${list##*/}"
done
[ ! -f apt/parts/sources.list ] || mv apt/parts/sources.list apt/parts/debian.list
set -- -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$PWD/apt/parts" \
    -o "Dir::State::lists=$PWD/apt/lists" -o APT::Sandbox::User=root
apt-get "$@" update
(cd source && apt-get "$@" source --download-only git)
tar -xf source/git_*.orig.tar.xz -C source --strip-components=1

# The sources include these headers in mixed case, which Windows ignores and Linux does not.
for name in NTSecAPI Psapi tlHelp32; do
    echo "#include <$(echo $name | tr '[:upper:]' '[:lower:]').h>" >"include/$name.h"
done
# Without this change, the detection of Cygwin's terminals crashes under Wine with a page fault.
sed -i 's/-DDETECT_MSYS_TTY//' source/config.mak.uname
target=x86_64-w64-mingw32
MSYSTEM=MINGW64 make -C source -j"$(nproc)" uname_S=MINGW uname_R=10 uname_M=x86_64 \
    CC="$target-gcc" AR="$target-ar" RC="$target-windres -O coff" INSTALL=install \
    CFLAGS="-O1 -w -I$PWD/include" LDFLAGS=-static \
    NO_CURL=1 NO_OPENSSL=1 NO_EXPAT=1 NO_ICONV=1 NEEDS_LIBICONV= HAVE_LIBCHARSET_H= USE_LIBPCRE= NO_GETTEXT=1 \
    NO_PERL=1 NO_PYTHON=1 NO_TCLTK=1 FSMONITOR_DAEMON_BACKEND= SKIP_DASHED_BUILT_INS=1 git.exe
"$target-strip" -o bin/git.exe source/git.exe
rm -r apt source include
