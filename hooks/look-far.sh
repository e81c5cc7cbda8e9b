# One look for the relay, beside its other work: what hangs keeps nothing else waiting.
#   sh .local/share/belfry/look-far.sh FAR RELAY NUMBER file MOST PATH
#   sh .local/share/belfry/look-far.sh FAR RELAY NUMBER tmux PANE SOCKET
# FAR: the relay's folder. RELAY: its pid. PATH and SOCKET as `printf %b` takes them. What it finds is in run/seen.RELAY.NUMBER once it is
# whole: an empty file where there is nothing.
umask 077
LC_ALL=C
export LC_ALL
far=$1 relay=$2 number=$3 what=$4 how=$5
path=$(printf %b. "$6")
path=${path%.}
# A plain file below the home folder, which no link leads out of; its path is whole or below ~/. A line of its size, the time of its last
# change and that of now, in Unix seconds, then its last bytes.
look_file() {
  case $path in
    "~/"*) path=$HOME/${path#"~/"} ;;
    /*) ;;
    *) return ;;
  esac
  home=$(cd -P "$HOME" && pwd) && cd -P "${path%/*}/" || return
  home=${home%/}
  case $PWD/ in "$home"/*) ;; *) return ;; esac
  file=./${path##*/}
  [ -f "$file" ] && [ ! -L "$file" ] && [ -O "$file" ] || return
  if stat -c %Y . >/dev/null; then facts=$(stat -c '%s %Y' "$file"); else facts=$(stat -f '%z %m' "$file"); fi
  echo "$facts $(date +%s)"
  [ "$how" = 0 ] || tail -c "$how" "$file"
}
# Who looks at a pane, as src/lib/programs/tmux.ts asks: the time, what the server says, and after "==" the terminals of what it runs
# outside its panes.
look_tmux() {
  said=$(tmux -S "$path" display-message -p -t "$how" \
    '#{pane_id} #{window_id} #{session_id} #{pane_pid} #{focus-events} #{message-limit} #{?pane_in_mode,1,0}' \; list-clients -F \
    '#{client_pid} #{client_tty} #{client_activity} #{client_created} #{pane_id} #{window_id} #{session_id} #{client_flags} #{client_control_mode} #{client_termfeatures}' \
    \; if-shell -F -t "$how" '#{session_attached}' 'show-messages ; show-messages -J') || return
  # It keeps a thousand lines of what was done to it.
  [ "${#said}" -le 60000 ] || return
  jobs=$(printf '%s\n' "$said" | sed -n 's/^Job [0-9]*: .*, pid=\([0-9]*\), .*/\1/p' | tr '\n' ,)
  printf '%s\n%s\n==\n' "$(date +%s)" "$said"
  # Where `ps` cannot say it, each may cover the pane.
  [ -z "$jobs" ] || ps -o tty= -p "${jobs%,}" || echo unknown
}
seen=$far/run/seen.$relay.$number
"look_$what" >"$seen.new" 2>/dev/null
mv -f "$seen.new" "$seen" && kill -s URG "$relay"
