# The relay: runs on a machine whose agents another one looks after, hands over what the shell hook has left there, and says which
# processes still run. It speaks on stdin and stdout (src/sources/remote/protocol.ts) and opens nothing else.
#   sh .local/share/belfry/relay.sh NONCE OWNER NAME [take]
# OWNER and NAME: id and name of whoever looks after this account; another one is refused, unless it takes over.
# No polling: the hook's last act is a signal. Nothing depends on one line from there: what was not confirmed comes again.
unset BASH_ENV ENV
if [ -n "${BASH_VERSION-}" ]; then set +o posix # in which a signal would end `read`
elif _bash=$(command -v bash); then exec "$_bash" "$0" "$@"
fi
trap '' HUP PIPE
trap 'exit 0' TERM
set -f
umask 077
IFS=' '
LC_ALL=C
export LC_ALL

nonce=${1-} owner=${2-} name=${3-} take=${4-} shell=sh wait=
[ -z "${BASH_VERSION-}" ] || shell=bash wait='-t 60'
case $0 in /*) own=${0%/*} ;; *) own=$PWD/${0%/*} ;; esac
host=host
[ -r /proc/sys/kernel/hostname ] && read -r host </proc/sys/kernel/hostname
hello="belfry-relay 1 $nonce"
far=$HOME/.local/state/belfry/far/$host
{ mkdir -p "$far" && [ ! -L "$far" ] && [ -O "$far" ] && chmod 700 "$far" && cd "$far" && mkdir -p spool out run asks answers; } 2>/dev/null || {
  echo "$hello trouble folder"
  exit 0
}
far=$PWD

# Sets pid, ppid, start, tty and comm of a process; fails when it is gone.
find_process() {
  { IFS= read -r _stat; } 2>/dev/null <"/proc/$1/stat" || return 1
  comm=${_stat#*\(}
  comm=${comm%\)*}
  pid=$1
  set -- ${_stat##*\) }
  [ "$1" != Z ] || return 1
  ppid=$2 tty=$5 start=${20}
}
# Whether this process, with this start, runs. Without /proc: whether this pid is somebody's.
runs() {
  if [ -d /proc/self ]; then find_process "$1" && [ "$start" = "$2" ]; else kill -0 "$1" 2>/dev/null; fi
}
# One whole line to a file: nobody reads half of it.
keep() {
  printf '%s\n' "$2" >"run/$1.new" && mv -f "run/$1.new" "run/$1"
} 2>/dev/null
# Hooks that wait for an answer (ask-far.sh) look who runs now.
rouse() {
  set +f
  for _ask in asks/*; do kill -s URG "${_ask#asks/}" || rm -f "$_ask"; done
  set -f
} 2>/dev/null

if { read -r _owner _name _since; } 2>/dev/null <run/served && [ "$_owner" != "$owner" ] && [ "$take" != take ]; then
  echo "$hello refused $_name $_since"
  exit 0
fi
[ "${_owner-}" = "$owner" ] || keep served "$owner $name $(date +%s)"
if { read -r _pid _start; } 2>/dev/null <run/relay && [ "$_pid" != $$ ] && runs "$_pid" "$_start"; then
  kill "$_pid"
  for _try in 1 2 3 4 5 6 7 8 9 10; do
    runs "$_pid" "$_start" || break
    sleep 0.1 || sleep 1
    [ "$_try" != 9 ] || kill -KILL "$_pid"
  done 2>/dev/null
fi
# The folder's own id, and how often a relay has begun in it: the first half of a batch's number.
{ read -r box run; } 2>/dev/null <run/seq || box=
case ${run:-x} in *[!0-9]*) box= ;; esac
[ -n "$box" ] || { read -r box </proc/sys/kernel/random/uuid; } 2>/dev/null || box=$(date +%s)-$$
run=$((${run:-0} + 1)) count=0
start= comm=$shell
find_process $$
keep relay "$$ $start" && keep seq "$box $run" && printf '%s\n%s\n' "$$ $comm URG" "$far/run" >run/alive.new && mv -f run/alive.new run/alive || {
  echo "$hello trouble space"
  exit 0
}

trap 'trap "" URG USR1; cd "$far" && rm -f run/alive && rouse; [ -z "$beat" ] || kill "$beat"' EXIT
beat= quiet=0
if [ -z "$wait" ]; then
  # Who hears nothing for a minute has lost the other side.
  (
    trap - TERM EXIT
    while sleep 20; do kill -s USR1 $$ || exit; done
  ) >/dev/null 2>&1 </dev/null &
  beat=$!
  trap 'signalled=1 quiet=$((quiet + 1))' USR1
fi
# In dash and busybox a trap does nothing else: while one runs, a further signal has the next command count as failed.
signalled= woken= busy=1 under= known= calm=
if [ -n "$wait" ]; then trap 'signalled=1 woken=1; [ -n "$busy" ] || sweep' URG
else trap 'signalled=1 woken=1' URG
fi

if [ "$(stat -c %.1Y . 2>/dev/null | tr -d 0-9)" = . ]; then facts() { stat -c '%s %.3Y %n' "$@"; }
elif stat -c %Y . >/dev/null 2>&1; then facts() { stat -c '%s %Y %n' "$@"; }
else facts() { stat -f '%z %m %N' "$@"; }
fi

# Size, time and name of the files of a hook in this folder, in the order in which they were written; where times are whole seconds,
# those of one second by their pids.
listed() {
  set +f
  set -- [1-9]*.open
  set -f
  for _file in "$@"; do
    shift
    case ${_file%.open} in *[!0-9.]*) ;; *) set -- "$@" "$_file" ;; esac
  done
  [ $# = 0 ] || facts "$@" | sort -k 2,2n -k 3,3n
}
# The program that a process runs, where its own name says only what interprets it; kept, since it needs other programs.
program() {
  case $known in *" $pid/$start="*) program=${known#*" $pid/$start="} program=${program%% *} && return ;; esac
  program=$(readlink "/proc/$pid/exe" 2>/dev/null)
  case ${program##*/} in
    '' | node* | bun* | deno* | python*)
      program=$(tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | sed -n '2,${/^[^-]/{p;q;}}') ;;
  esac
  program=$(printf '%s' "$program" | tr -c 'A-Za-z0-9._/@+-' _)
  [ ${#known} -lt 4000 ] || known=
  known="$known $pid/$start=$program "
}
# The process with this pid and those above it, as words.
above() {
  _next=$1 words= _steps=0
  while [ "$_next" -gt 1 ] && [ "$_steps" -lt 12 ] && find_process "$_next"; do
    program=
    case $comm in node* | MainThread | bun* | deno* | python*) program ;; esac
    words="$words $pid/$start/$tty/${comm%%[!A-Za-z0-9._-]*}/$program"
    _next=$ppid _steps=$((_steps + 1))
  done
}

# Hands a batch over, its files in the order in which they came. `fresh`: they have just been moved, so their processes may live.
hand() {
  cd "out/$1" || return
  _lines= _files= _number=0 _now=$(date +%s)
  while read -r _size _time _file; do
    words=
    if [ -n "${2-}" ] && { IFS= read -r _head; } <"$_file"; then
      case $_head in *'"ppid":'*)
        _head=${_head#*'"ppid":'}
        above "${_head%%[!0-9]*}" ;;
      esac
    fi 2>/dev/null
    _number=$((_number + 1)) _files="$_files $_file" _lines="$_lines
file $_file $_size $_time$words"
  done <<EOF
$(listed)
EOF
  if [ -z "$_files" ]; then
    cd "$far" && rm -rf "out/$1"
    return
  fi
  under="$under $1"
  printf 'batch %s %s %s%s\n' "$1" "$_number" "$_now" "$_lines" && cat $_files || exit 0
  cd "$far"
}

# Says what look-far.sh has found.
seen() {
  set +f
  for _seen in run/seen.$$.*; do
    set -f
    case $_seen in *.new | *'*') continue ;; esac
    set -- $(facts "$_seen")
    printf 'seen %s %s\n' "${_seen##*.}" "$1" && cat "$_seen" || exit 0
    rm -f "$_seen"
  done
  set -f
}

# Hands over what lies in the spool, up to 64 files at once, while fewer than four batches are under way.
sweep() {
  IFS=' ' # `read` has its own while bash runs the trap
  busy=1 woken=1
  while [ -n "$woken" ]; do
    woken=
    seen
    while set -- $under && [ $# -lt 4 ]; do
      set -- $(cd spool && listed | sed -n '1,128s:.* :spool/:p' | tr '\n' ' ')
      [ $# != 0 ] || break
      # Those with an end mark; and with a ping, when whoever writes has had time, those whose writer is gone.
      _ended=" $(grep -lx '#end [0-9]*' "$@" 2>/dev/null | tr '\n' ' ')" _ready= _number=0
      for _file in "$@"; do
        _pid=${_file#spool/} _pid=${_pid%%.*}
        case $_ended in
          *" $_file "*) ;;
          *) [ -n "$calm" ] && { [ run/seq -nt "$_file" ] || ! kill -0 "$_pid" 2>/dev/null; } || continue ;;
        esac
        _ready="$_ready $_file" _number=$((_number + 1))
        [ "$_number" -lt 64 ] || break
      done
      [ -n "$_ready" ] || break
      count=$((count + 1))
      _seq=$(printf '%08d%06d' "$run" "$count")
      if mkdir "out/$_seq" && mv $_ready "out/$_seq/"; then hand "$_seq" fresh
      else
        echo 'trouble space'
        break
      fi 2>/dev/null
    done
  done
  busy= calm=
  [ -z "$woken" ] || sweep # a signal came after the last look, while this still seemed busy
}

read -r _ _os _ 2>/dev/null </proc/version || :
echo "$hello $box $host ${USER:-${LOGNAME:-user}} $shell ${_os:+linux}"
set +f
rm -f run/seen.*
for _old in out/*; do
  set -f
  [ "$_old" = 'out/*' ] || hand "${_old#out/}"
done
set -f
[ ! -e run/overflow ] || { rm -f run/overflow && echo overflow; }
rouse
sweep

part=
while :; do
  line=
  [ -z "$woken" ] || sweep
  if [ -z "$woken" ] && IFS= read -r $wait line; then
    line=$part$line part= signalled= busy=1 quiet=0
    set -- $line
    case ${1-} in
      ok | ping)
        _kept= _gone=
        [ "$1" = ok ] && _upto=${2-} || _upto=${3-}
        case $_upto in '' | *[!0-9]*) _upto=0 ;; esac
        for _seq in $under; do
          if [ "$_seq" -le "$_upto" ]; then _gone="$_gone out/$_seq"; else _kept="$_kept $_seq"; fi
        done
        under=$_kept
        [ -z "$_gone" ] || { rm -rf $_gone && woken=1; }
        if [ "$1" = ping ] && [ $# -ge 3 ]; then
          _pong="pong $2"
          shift 3
          for _process in "$@"; do
            if runs "${_process%%/*}" "${_process#*/}"; then _pong="$_pong 1"; else _pong="$_pong 0"; fi
          done
          echo "$_pong" || exit 0
          woken=1 calm=1
        fi
        ;;
      answer) # PID WORD LENGTH TEXT
        case ${2:-x} in
          *[!0-9]*) ;;
          *)
            if [ "${#5}" != "$4" ] || [ ! -e "asks/$2" ]; then :
            elif keep "../answers/$2" "$3 $5"; then
              # One that leaves removes first that it asks, and last what it was answered.
              [ -e "asks/$2" ] && kill -s URG "$2" || rm -f "answers/$2"
            elif [ "$5" = - ]; then rm -f "asks/$2" && kill -s URG "$2" # no space: this lets it leave, too
            fi 2>/dev/null
            ;;
        esac
        ;;
      look) # NUMBER file MOST PATH, or NUMBER tmux PANE SOCKET
        case ${3-} in
          file) _how=${4-} ;;
          tmux) _how=${4#%} ;;
          *) _how= ;;
        esac
        case ${2:-x}${_how:-x} in
          *[!0-9]*) ;;
          *) sh "$own/look-far.sh" "$far" $$ "$2" "$3" "$4" "${5-}" </dev/null >/dev/null 2>&1 & ;;
        esac
        ;;
      open) if [ "${2-}" = 1 ]; then : >run/prompt-open; else rm -f run/prompt-open; fi ;;
      bye) exit 0 ;;
    esac
    busy=
  elif [ $? != 142 ] && [ -n "$signalled" ]; then # 142: bash has heard nothing for a minute
    signalled= part=$part$line # dash: what had been read of a line when the signal came
    [ "$quiet" -lt 4 ] || exit 0
  else exit 0
  fi
done
