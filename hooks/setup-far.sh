# Edits settings and looks around on a machine elsewhere, while `belfry remote` sets it up, checks or clears it; then it is gone.
# It reads one request after the other on stdin (installers/far/far-session.ts); what is a path comes as a line of its own.
nonce=$1
umask 077
IFS=' '
LC_ALL=C
export LC_ALL
set -f
take() { dd bs=1 count="$1" 2>/dev/null; }
sum() { cksum <"$1" 2>/dev/null | { read -r _crc _size && echo "$_crc:$_size"; }; }
if stat -c %a / >/dev/null 2>&1; then facts() { stat -L -c '%a %u %g %s' "$1"; }
else facts() { stat -L -f '%Lp %u %g %z' "$1"; }
fi
# The file behind a link, one that does not exist yet too.
behind() { readlink -f "$1" 2>/dev/null || printf '%s\n' "$1"; }
share=$HOME/.local/share/belfry
host=host
[ -r /proc/sys/kernel/hostname ] && read -r host </proc/sys/kernel/hostname
far=$HOME/.local/state/belfry/far/$host

unchanged() { # EXPECT TARGET
  if [ "$1" = none ]; then [ ! -e "$2" ]; else [ "$(sum "$2")" = "$1" ]; fi
}
# How many files wait in a folder of the relay's.
waiting_in() {
  set +f
  set -- "$1"/spool/*.open "$1"/out/*/*.open
  set -f
  _count=0
  for _file in "$@"; do [ ! -e "$_file" ] || _count=$((_count + 1)); done
}
about() {
  _missing=
  for _tool in cat chmod cksum date dd grep ls mkdir mv readlink rm sed sleep sort stat tail tr; do
    command -v "$_tool" >/dev/null 2>&1 || _missing="$_missing $_tool"
  done
  _daemon=no
  { read -r _pid _; } 2>/dev/null <"$HOME/.local/state/belfry/run/alive" && kill -0 "$_pid" 2>/dev/null && _daemon=yes
  # Of other machines with the same home, or of this one before it was built again.
  _others=
  set +f
  for _other in "${far%/*}"/*; do
    set -f
    [ "$_other" != "$far" ] && [ -d "$_other" ] && waiting_in "$_other" && [ "$_count" -gt 0 ] && _others="$_others ${_other##*/}:$_count"
  done
  set -f
  waiting_in "$far"
  { read -r _box _; } 2>/dev/null <"$far/run/seq" || _box=
  { read -r _id _owner _since; } 2>/dev/null <"$far/run/served" || _id= _owner= _since=
  _names=$(env | sed -nE 's/^([A-Z][A-Z0-9_]*(HOME|DIR|PATH|HOST)|PATH)=.*/\1/p')
  set -- "home=$HOME" "host=$host" "user=${USER:-${LOGNAME:-$(id -un 2>/dev/null)}}" "os=$(uname -s)" "missing=${_missing# }" "daemon=$_daemon" \
    "waiting=$_count" "others=${_others# }" "now=$(date +%s)" "served=$_id" "by=$_owner" "since=$_since" "box=$_box"
  echo $(($# + $(echo "$_names" | grep -c .)))
  printf '%s\n' "$@"
  for _name in $(echo "$_names" | tr '\n' ' '); do eval "printf '%s=%s\n' \"\$_name\" \"\$(printf %s \"\$$_name\" | tr '\n' ' ')\""; done
}
facts_of() { # e: is there; x: is a program; l: names in a folder; t: a text
  case $1 in
    e) if [ -e "$2" ]; then echo 1; else echo 0; fi ;;
    x) if [ -f "$2" ] && [ -x "$2" ]; then echo 1; else echo 0; fi ;;
    l)
      _names=$(ls "$2" 2>/dev/null | sed -n 1,200p)
      echo "$_names" | grep -c .
      [ -z "$_names" ] || printf '%s\n' "$_names"
      ;;
    t)
      if [ -f "$2" ] && set -- "$2" $(facts "$2") && [ "$5" -le 1048576 ]; then
        echo "$5"
        cat "$1"
      else echo none
      fi
      ;;
  esac
}
read_file() {
  _target=$(behind "$1")
  if [ ! -e "$_target" ]; then printf 'none\n%s\n' "$_target"
  elif [ ! -f "$_target" ]; then printf 'error not-a-file\n'
  elif [ ! -r "$_target" ]; then printf 'error permission\n'
  else
    printf 'file %s %s\n%s\n' "$(facts "$_target")" "$(sum "$_target")" "$_target"
    cat "$_target"
  fi
}
write_file() { # MODE SIZE EXPECT OWNER; the bytes follow
  _folder=${path%/*} _made= _at=${path%/*}
  while [ -n "$_at" ] && [ ! -d "$_at" ]; do
    _made="$_at
$_made"
    _at=${_at%/*}
  done
  mkdir -p "$_folder" 2>/dev/null
  _new=$_folder/.belfry.$$.tmp
  { take "$2" >"$_new"; } 2>/dev/null || { take "$2" >/dev/null && echo 'error write' && return; }
  if [ "$(sum "$_new" | sed 's/.*://')" != "$2" ]; then
    rm -f "$_new"
    echo 'error space'
  elif ! unchanged "$3" "$path"; then
    rm -f "$_new"
    echo changed
  elif chmod "$1" "$_new" && { [ "$4" = - ] || [ "$(id -u)" != 0 ] || chown "$4" "$_new"; } && mv -f "$_new" "$path"; then
    printf 'ok %s\n%s' "$(printf '%s' "$_made" | grep -c .)" "$_made"
  else
    rm -f "$_new"
    echo 'error write'
  fi 2>/dev/null
}
run_program() { # LIMIT; the words are lines
  _out=$(
    "$@" </dev/null 2>/dev/null &
    _run=$!
    (sleep "$limit" && kill -KILL "$_run") >/dev/null 2>&1 </dev/null &
    _guard=$!
    wait "$_run"
    printf '\n%s' "$?"
    kill "$_guard" 2>/dev/null
  )
  printf '%s\n%s' "${#_out}" "$_out"
}
# Whether the process with this pid is the one that was noted; another one may have its pid by now.
is_relay() {
  [ -d /proc/self ] || return 0
  { read -r _stat; } 2>/dev/null <"/proc/$_pid/stat" || return 1
  set -- ${_stat##*\) }
  [ "${20}" = "$_start" ]
}
clear_all() {
  { read -r _pid _start; } 2>/dev/null <"$far/run/relay" && is_relay && kill "$_pid" 2>/dev/null
  rm -rf "$far" && rm -f "$share/relay.sh" "$share/look-far.sh" "$share/dist/belfry-hook.sh" "$share/dist/belfry-ask.sh" "$share/dist/belfry-ask.mjs"
  rmdir "$share/dist" "$share" "${far%/*}" "${far%/*/*}" 2>/dev/null
  echo ok
}

echo "belfry-far 1 $nonce"
while read -r verb a b c d; do
  case $verb in
    about) about ;;
    facts)
      while [ "$a" -gt 0 ]; do
        IFS= read -r path
        facts_of "${path%% *}" "${path#? }"
        a=$((a - 1))
      done
      ;;
    read) IFS= read -r path && read_file "$path" ;;
    write) IFS= read -r path && write_file "$a" "$b" "$c" "$d" ;;
    remove)
      IFS= read -r path
      if ! unchanged "$a" "$path"; then echo changed
      elif rm -f "$path" 2>/dev/null; then echo ok
      else echo 'error write'
      fi
      ;;
    rmdirs)
      while [ "$a" -gt 0 ]; do
        IFS= read -r path && rmdir "$path" 2>/dev/null
        a=$((a - 1))
      done
      echo ok
      ;;
    run)
      limit=$a
      set --
      while [ "$b" -gt 0 ]; do
        IFS= read -r path && set -- "$@" "$path"
        b=$((b - 1))
      done
      PATH=$PATH:${1%/*} run_program "$@"
      ;;
    test) # a hook's input with this word
      echo "$a" | sh -c '. "$2/belfry-hook.sh"' sh - "$share/dist" --agent belfry-test
      echo ok
      ;;
    clear) clear_all ;;
    bye) exit 0 ;;
  esac
done
