umask 077
echo bc-place-1
while read -r word; do
  case $word in
  clock) echo "clock $(date +%s%N)" ;;
  *) break ;;
  esac
done
home() {
  case $1 in
  "~") echo "$HOME" ;;
  "~/"*) echo "$HOME/${1#"~/"}" ;;
  /*) echo "$1" ;;
  *) echo "$HOME/$1" ;;
  esac
}
line() {
  printf '%s %s\n' "$1" "$(printf %s "$2" | tr '\n' ' ')"
}
part() {
  case $2 in
  */*) program=$(home "$2") ;;
  *) program=$2 ;;
  esac
  if ! command -v -- "$program" >/dev/null 2>&1; then
    line "$1-missing" "$2"
  elif out=$("$program" --version </dev/null 2>&1); then
    line "$1" "$out"
  else
    line "$1-failed" "$out"
  fi
}
part program "$2"
part git git
part bd bd
part claude claude
folder=$(home "$1")
if ! out=$(mkdir -p -- "$folder" 2>&1); then
  line folder-failed "$out"
elif ! file=$(mktemp "$folder/.bc-check-XXXXXX" 2>&1); then
  line folder-failed "$file"
elif ! out=$({ echo x >"$file"; } 2>&1); then
  rm -f -- "$file"
  line folder-failed "$out"
else
  rm -f -- "$file"
  line folder "$(df -Pk -- "$folder" 2>/dev/null | sed -n 2p | tr -s ' ' | cut -d ' ' -f 4)"
fi
echo done
