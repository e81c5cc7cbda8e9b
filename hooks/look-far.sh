# One look for the relay at a file of this account, beside its other work: a file system that hangs keeps nothing else waiting.
#   sh .local/share/belfry/look-far.sh FAR RELAY NUMBER MOST PATH
# FAR: the relay's folder. RELAY: its pid. PATH, as `printf %b` takes it, whole or below ~/: of a plain file below the home folder, which no
# link leads out of.
# run/seen.NUMBER has, once it is whole, a line of its size, the time of its last change and that of now, in Unix seconds, and its last
# MOST bytes; nothing where there is none that may be read.
umask 077
LC_ALL=C
export LC_ALL
far=$1 relay=$2 number=$3 most=$4
path=$(printf %b. "$5")
path=${path%.}
look() {
  case $path in
    "~/"*) path=$HOME/${path#"~/"} ;;
    /*) ;;
    *) return ;;
  esac
  home=$(cd -P "$HOME" && pwd) && cd -P "${path%/*}/" || return
  case $PWD/ in "$home"/*) ;; *) return ;; esac
  file=./${path##*/}
  [ -f "$file" ] && [ ! -L "$file" ] && [ -O "$file" ] || return
  if stat -c %Y . >/dev/null; then facts=$(stat -c '%s %Y' "$file"); else facts=$(stat -f '%z %m' "$file"); fi
  echo "$facts $(date +%s)"
  [ "$most" = 0 ] || tail -c "$most" "$file"
}
seen=$far/run/seen.$number
look >"$seen.new" 2>/dev/null
mv -f "$seen.new" "$seen" && kill -s URG "$relay"
