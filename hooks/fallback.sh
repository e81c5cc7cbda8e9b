# What the shell hook does when its Node or its package is gone: an upgrade, a version manager or a move of the home took them away.
# `belfry install` and the daemon keep a copy of it in the run folder, for when the package itself is gone. It is sourced
#   by belfry-hook.sh with _seek=node: finds _node, or leaves it empty
#   in place of that:  set -- NODE DIST [options]; finds the package as well, and goes on with its belfry-hook.sh
# When nothing is found it says so on the desktop, once: the next daemon removes the mark.
{
  \unset -f unset unalias set read printf command exit shift || :
  \unalias -a
  set +eux
  set -C
  umask 077
  unset IFS
  [ "${_seek-}" = node ] || _node=${1-} _dist=${2-} _home=
  _said= _other= _more=
  if [ -n "$_home" ]; then :
  elif [ -n "${BELFRY_HOME-}" ]; then _home=$BELFRY_HOME
  elif [ -z "${HOME-}" ]; then _home=
  elif [ -d "$HOME/Library/Application Support/belfry" ]; then _home="$HOME/Library/Application Support/belfry"
  else
    case ${XDG_STATE_HOME-} in
      /*) _home=$XDG_STATE_HOME/belfry ;;
      *) _home=$HOME/.local/state/belfry ;;
    esac
  fi
  # What the last daemon or installation ran with.
  if [ -n "$_home" ] && [ -f "$_home/run/program" ] && [ -O "$_home/run/program" ]; then
    {
      IFS= read -r _said
      IFS= read -r _other
    } <"$_home/run/program"
  fi
  [ -f "$_dist/belfry-hook.cjs" ] || _dist=$_other

  # Any other than the pinned Node has to be one that can run the hook.
  _try() {
    [ -x "$1" ] && [ ! -d "$1" ] || return 1
    case $("$1" -v </dev/null) in
      v20.19.* | v20.[2-9][0-9].* | v22.[3-9].* | v22.[1-9][0-9].* | v2[3-9].* | v[3-9][0-9].*) _node=$1 ;;
      *) return 1 ;;
    esac
  }
  if [ ! -x "$_node" ] || [ -d "$_node" ]; then
    _node=
    _try "$_said" || _try "$(command -v node)" || _try /opt/homebrew/bin/node || _try /usr/local/bin/node || _try /usr/bin/node ||
      _try /snap/bin/node || _try "${HOME-}/.volta/bin/node" || _try "${HOME-}/.local/share/fnm/aliases/default/bin/node" ||
      _try "${HOME-}/.asdf/shims/node" || _try "${HOME-}/.local/share/mise/shims/node" ||
      for _more in $(command ls "${NVM_DIR:-${HOME-}/.nvm}/versions/node"); do
        _try "${NVM_DIR:-${HOME-}/.nvm}/versions/node/$_more/bin/node" && break
      done
  fi

  _found=
  if [ "${_seek-}" = node ]; then _found=$_node
  elif [ -f "$_dist/belfry-hook.sh" ] && [ -r "$_dist/belfry-hook.sh" ]; then
    shift 2
    set -- "$_node" "$_dist" "$@"
    . "$_dist/belfry-hook.sh"
    _found=1 # it says itself what it lacks
  elif [ -n "$_node" ] && _more=$(command -v belfry-hook); then
    # Its first line asks for `node`: the one that was found.
    shift 2
    PATH=${_node%/*}:$PATH NODE_OPTIONS= "$_more" "$@"
    _found=1
  fi

  if [ -z "$_found" ] && [ "${BELFRY_DISABLE-}" != 1 ] && [ -n "$_home" ] && [ -d "$_home/run" ] && { printf ''; } >"$_home/run/no-node"; then
    (
      _title='Belfry cannot run'
      _text='No Node.js 20.19 or newer was found for its hooks, so nobody is notified of what your agents do. Install one, then run: belfry install --all'
      [ -n "$_node" ] && _text='The package that its hooks run is gone, so nobody is notified of what your agents do. Install belfry again, then run: belfry install --all'
      if command -v notify-send; then notify-send -a Belfry -u critical "$_title" "$_text"
      elif command -v osascript; then osascript -e "display notification \"$_text\" with title \"$_title\""
      elif command -v gdbus; then
        gdbus call --session --dest org.freedesktop.Notifications --object-path /org/freedesktop/Notifications \
          --method org.freedesktop.Notifications.Notify Belfry 0 '' "$_title" "$_text" '[]' '{}' 0
      else false
      fi || { [ -x /bin/rm ] && /bin/rm -f "$_home/run/no-node" || /usr/bin/rm -f "$_home/run/no-node"; }
    ) </dev/null >/dev/null &
  fi
} 2>/dev/null
