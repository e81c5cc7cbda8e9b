# The answering hook of a machine that another one looks after: leaves what its client asks where hooks leave events, waits until the
# relay brings an answer, prints that in the client's own form, and says so.
#   sh DIST/belfry-ask.sh DIST --agent NAME [--beside | --reply | --inside]
# With --reply it prints on stderr and ends with 42, which the command line turns into the client's own status. Whatever else happens,
# it ends with 0 and prints nothing: at once where no relay runs; and unless the client's own prompt can be used beside it (--beside,
# --reply), within two seconds when nobody says that it is to wait, and once the link is lost. Else it stays, and asks the next relay again.
# With --inside code within the client runs it (belfry-ask-there.ts): one line of input; it prints answers as lines, and waits for a relay
# where none runs, until it reads a last word: what became of the question, or of an answer.
exec 3>&2 2>/dev/null
unset BASH_ENV ENV
set -f
umask 077
IFS=' '
trap '' PIPE
dist=${1-} agent=${3-} how=ask beside= pause=1 relay= nap= called= urged=
case " $* " in
  *' --reply '*) how=reply beside=1 ;;
  *' --inside '*) how=inside beside=1 ;;
  *' --beside '*) beside=1 ;;
esac
# What a program runs has no prompt to be used beside it, and a one-shot run would wait for the end of this hook.
if [ -n "$beside" ] && env | grep -q '^[A-Z_]*_ENTRYPOINT=sdk'; then
  [ "$how" != reply ] || exit 0
  [ "$how" = inside ] || beside=
fi
host=host
[ -r /proc/sys/kernel/hostname ] && read -r host </proc/sys/kernel/hostname
[ -z "${BELFRY_DISABLE-}" ] && cd "$HOME/.local/state/belfry/far/$host" && [ -O . ] && [ -d asks ] && [ -d answers ] || exit 0

# Whether a relay runs; sets its pid.
relayed() {
  { read -r pid _name _; } <run/alive && [ -e "/proc/$pid/exe" ] && read -r _comm <"/proc/$pid/comm" && [ "$_comm" = "$_name" ]
}
# Leaves this about the question, with the input on stdin, as the hook that notifies would (src/sources/remote/far-asks.ts).
put() {
  (
    set -- - "$dist" --agent "$agent" --event "belfry-ask/$1/$word"
    . "$dist/belfry-hook.sh"
  )
}
leave() { # [WORD [STATUS]]
  trap '' URG TERM HUP INT
  rm -f "asks/$$" "run/last.$$" # the relay brings nothing more
  [ -z "${reader-}" ] || kill "$reader"
  [ -z "$nap" ] || kill "$nap"
  [ -z "${1-}" ] || put "$1" </dev/null
  [ ! -e "answers/$$" ] || rm -f "answers/$$"
  exit "${2:-0}"
}
look() {
  # One for an earlier hook of this pid does not know the word.
  if [ -e "answers/$$" ] && { read -r _word _text <"answers/$$" || _word=; rm -f "answers/$$"; [ "$_word" = "$word" ]; }; then
    case $_text in
      =) [ -n "$beside" ] || pause=5 ;; # somebody may answer
      \?) relay= ;; # it came late, when nobody knew who asks
      +*)
        if [ "$how" = inside ]; then printf '%b\n' "${_text#+}" && return
        elif [ "$how" = reply ]; then printf %b "${_text#+}" >&3 && leave taken 42
        else printf %b "${_text#+}" && leave taken
        fi
        leave unsent
        ;;
      *) leave ;; # nobody answers any more
    esac
  fi
  [ ! -e "run/last.$$" ] || { read -r _word <"run/last.$$" || _word=; leave "${_word:-left}"; }
  [ -e "asks/$$" ] && kill -0 "$PPID" || leave left
  if relayed; then
    if [ "$pid" != "$relay" ]; then
      put "$how-again" <"asks/$$"
      relay=$pid urged=
      [ -z "$beside" ] || pause=1
    fi
  elif [ -n "$beside" ]; then relay=
  else leave left
  fi
}

read -r word </proc/sys/kernel/random/uuid || exit 0
relayed && relay=$pid || [ "$how" = inside ] || exit 0
[ ! -e "asks/$$" ] && [ ! -e "answers/$$" ] && [ ! -e "run/last.$$" ] || rm -f "asks/$$" "answers/$$" "run/last.$$" # of an earlier process
trap 'leave left' TERM HUP INT
if [ "$how" = inside ]; then
  IFS= read -r line && (ulimit -f 400 && printf '%s\n' "$line") >"asks/$$" || leave
  exec 4<&0
  # It reads beside: whoever sleeps cannot.
  (
    trap - TERM HUP INT
    IFS= read -r line <&4 || line=
    printf '%s\n' "$line" >"run/last.$$" && kill -s URG $$
  ) >/dev/null 3>&- &
  reader=$! line=
else (ulimit -f 400 && exec cat) >"asks/$$" || leave # in units of 512 or 1,024 bytes: what is longer is answered at the terminal
fi
# It only ends the nap: while a trap runs, a further signal has the next command count as failed in dash and busybox.
trap 'called=1; case $nap in ?*) kill "$nap" ;; esac' URG
: >run/prompt-open # hooks after a tool say from now on that it ran
[ -z "$relay" ] || put "$how" <"asks/$$"
while :; do
  sleep "$pause" >/dev/null 3>&- &
  nap=$!
  [ -z "$called" ] || kill "$nap"
  wait "$nap"
  heard=$called nap= called=
  look
  # A shell that was just about to read may have slept through a signal.
  if [ -z "$urged" ] && [ -e "spool/$$.open" ]; then
    [ -n "$heard" ] || { urged=1 && kill -s URG "$relay"; }
  elif [ -n "$beside" ]; then pause=20
  elif [ "$pause$heard" = 1 ]; then leave left # nobody has said that it is to wait
  fi
done
