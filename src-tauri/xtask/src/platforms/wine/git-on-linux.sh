#!/bin/sh
# Runs Linux's git for git.exe under Wine. $1 is a folder with `args` and `in`; `out`, `err` and `code` are added.
# Drive Z: is Linux's root: a path in an argument loses its drive, a path in the output gets it.
folder=${1#?:}
case $1 in
[Cc]:*) folder=$WINEPREFIX/drive_c$folder ;;
esac
unset LD_LIBRARY_PATH LD_PRELOAD
for name in GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_CONFIG_GLOBAL HOME; do
    eval "value=\${$name-}"
    case $value in
    [Zz]:*) export "$name=$(printf %s "${value#?:}" | tr '\\' /)" ;;
    [Nn][Uu][Ll]) export "$name=/dev/null" ;;
    esac
done
export PATH=/usr/local/bin:/usr/bin:/bin
# An argument that is a path, or an option with one.
sed -z -e 's#^\(--[a-z-]*=\)\?\(\\\\?\\\)\?[Zz]:\([\\/].*\)$#\1\3#; t slashes' -e b -e ': slashes' -e 's#\\#/#g' \
    "$folder/args" | xargs -0 -x -s 1000000 sh -c '
        folder=$1
        shift
        git "$@" <"$folder/in" >"$folder/raw" 2>"$folder/err"
        echo $? >"$folder/code.new"
    ' sh "$folder"
sed -z -e 's#\(^\|\n\)\(worktree \|gitdir: \)\?/#\1\2Z:/#g' "$folder/raw" >"$folder/out"
rm -f "$folder/raw"
mv "$folder/code.new" "$folder/code"
