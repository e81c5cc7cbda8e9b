# The shell hook: keeps one hook input as a file of the running daemon's spool. The command line that `belfry install` writes
# sources it:  set -- NODE DIST [--agent NAME] [--event NAME] [--marker NAME] [--print TEXT]; . DIST/belfry-hook.sh; exit 0
# With - for NODE it is a machine that another one looks after: the file waits for the relay, which hears of it by a signal.
# Builtins and one program (cat) only while all is well; whatever is not as expected goes to the Node hook.
# src/ipc/shell-spool-file.ts reads the file.
{
  \unset -f unset unalias set trap umask read printf command exit shift kill ulimit || : # a strict zsh would end where there is none
  \unalias -a
  set +eux
  set -C # > makes a new file and follows no link
  IFS=' '
  umask 077
  trap '' HUP INT TERM # what ends the client early must not end the keeping
  trap '' XFSZ # a file that may not grow is an error, not a death
  _node=${1-} _dist=${2-} _agent= _event= _print= _marker= _want= _made= _began= _pid= _name= _comm= _more= _file= _said= _wake=
  shift 2
  for _word in "$@"; do
    case $_want in
      agent) _agent=$_word _want= ;;
      event) _event=$_word _want= ;;
      marker) _marker=$_word _want= ;;
      print) _print=$_word _want= ;;
      *) _want=${_word#--} ;;
    esac
  done

  # Where the daemon is, as in src/runtime/paths.ts.
  if [ "$_node" = - ]; then
    # As in relay.sh: a home may be shared by machines.
    [ -r /proc/sys/kernel/hostname ] && read -r _name </proc/sys/kernel/hostname
    _home=${HOME:+$HOME/.local/state/belfry/far/${_name:-host}}
  elif [ -n "${BELFRY_HOME-}" ]; then _home=$BELFRY_HOME
  elif [ -z "${HOME-}" ]; then _home=
  elif [ -d "$HOME/Library/Application Support/belfry" ]; then _home="$HOME/Library/Application Support/belfry"
  else
    case ${XDG_STATE_HOME-} in
      /*) _home=$XDG_STATE_HOME/belfry ;;
      *) _home=$HOME/.local/state/belfry ;;
    esac
  fi
  # After each tool: nobody waits for it while no prompt is open.
  [ -z "$_marker" ] || [ -z "$_home" ] || [ -e "$_home/run/$_marker" ] || exit 0
  _spool=$_home/spool

  # A living daemon: its pid, and on Linux its name, since a dead one's pid may be another's and a zombie has no exe.
  if [ -n "$_home" ] && [ -f "$_home/run/alive" ] && [ -O "$_home/run/alive" ]; then
    {
      read -r _pid _name _wake
      IFS= read -r _said
    } <"$_home/run/alive"
    # Copied with the whole home, it speaks of the original's daemon.
    [ -z "$_said" ] || [ "$_said" -ef "$_home/run" ] || _pid=
    case $_pid in
      '' | *[!0-9]*) _pid= ;;
      *)
        if [ -n "$_name" ]; then
          [ -e "/proc/$_pid/exe" ] && read -r _comm <"/proc/$_pid/comm"
          [ "$_comm" = "$_name" ] || _pid=
        else
          kill -0 "$_pid" || _pid=
        fi
        ;;
    esac
  fi
  # Nobody takes them away: from 5,000 files on no more are kept.
  if [ "$_node" = - ] && [ -z "$_pid" ]; then
    _wake= _pid=none
    [ -z "${ZSH_VERSION-}" ] || setopt nonomatch
    set -- "$_spool"/*
    if [ $# -ge 5000 ]; then
      printf '' >"$_home/run/overflow"
      _pid=
    fi
  fi
  # With Node gone, another is looked for. Where there is none nobody else can keep it: the next daemon finds it in the spool.
  if [ "$_node" != - ] && [ -z "$_pid" ] && { [ ! -x "$_node" ] || [ -d "$_node" ]; }; then
    _seek=node
    if [ -r "$_dist/belfry-fallback.sh" ]; then . "$_dist/belfry-fallback.sh"; else _node=; fi
    _seek=
    IFS=' '
    [ -n "$_node" ] || _pid=none
  fi
  [ -d "$_spool" ] && [ ! -L "$_spool" ] && [ -O "$_spool" ] || _pid=

  # What would need escaping in JSON, and a wish for reasons or none, is for the Node hook.
  _hints="$_agent$_event${PWD-}${TERM-}${TERM_PROGRAM-}${TMUX-}${TMUX_PANE-}${STY-}${SSH_CONNECTION-}${WSL_DISTRO_NAME-}"
  _hints="$_hints${DISPLAY-}${WAYLAND_DISPLAY-}${KITTY_WINDOW_ID-}${WEZTERM_PANE-}${ZELLIJ_SESSION_NAME-}${TERM_SESSION_ID-}"
  case $_hints in *[\"\\]* | *[[:cntrl:]]*) _pid= ;; esac
  [ "${BELFRY_DISABLE-}${BELFRY_DEBUG-}" = '' ] || _pid=
  _cat=/bin/cat
  [ -x "$_cat" ] || _cat=/usr/bin/cat
  [ -x "$_cat" ] || _pid=

  if [ -n "$_pid" ]; then
    # Another's file may have this name, since a pid comes again: after a restart of the container it began in.
    for _more in '' .1 .2 .3 .4 .5 .6 .7 .8 .9; do
      _file=$_spool/$$$_more.open
      {
        _made=1
        if printf '{"v":1,"agent":"%s","event":"%s","ppid":%s,"cwd":"%s","env":{"TERM":"%s","TERM_PROGRAM":"%s","TMUX":"%s","TMUX_PANE":"%s","STY":"%s","SSH_CONNECTION":"%s","WSL_DISTRO_NAME":"%s","DISPLAY":"%s","WAYLAND_DISPLAY":"%s","KITTY_WINDOW_ID":"%s","WEZTERM_PANE":"%s","ZELLIJ_SESSION_NAME":"%s","TERM_SESSION_ID":"%s"}}\n' \
          "$_agent" "$_event" "$PPID" "${PWD-}" "${TERM-}" "${TERM_PROGRAM-}" "${TMUX-}" "${TMUX_PANE-}" "${STY-}" \
          "${SSH_CONNECTION-}" "${WSL_DISTRO_NAME-}" "${DISPLAY-}" "${WAYLAND_DISPLAY-}" "${KITTY_WINDOW_ID-}" \
          "${WEZTERM_PANE-}" "${ZELLIJ_SESSION_NAME-}" "${TERM_SESSION_ID-}"; then
          _began=1
          # At least 16 MiB and a header, whether the shell counts in 512 or 1,024 bytes; more is cut off by the daemon.
          ulimit -f 34816
          "$_cat"
          # Ended by the daemon (137) is an end too; without the mark the daemon sees what is there.
          case $? in 0 | 137) printf '\n#end %s\n' "$$" ;; esac
        fi
      } >"$_file"
      [ -z "$_made" ] || break
    done
    # No room even for the header: the input is still unread, and the Node hook hands it over without a file.
    if [ -n "$_made" ] && [ -z "$_began" ]; then
      _rm=/bin/rm
      [ -x "$_rm" ] || _rm=/usr/bin/rm
      "$_rm" -f "$_file"
    fi
  fi

  if [ -n "$_began" ]; then
    [ -z "$_wake" ] || kill -s "$_wake" "$_pid"
    [ -z "$_print" ] || printf '%s' "$_print"
  elif [ "$_node" != - ] && [ -x "$_node" ] && [ -f "$_dist/belfry-hook.cjs" ]; then
    NODE_OPTIONS= "$_node" "$_dist/belfry-hook.cjs" "$@"
  fi
} 2>/dev/null
