"""The completion scripts of three shells, with all names in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ktsolve.cli.completion_words import Node, Option, Value

__all__ = ["SCRIPTS"]

_HEAD = "# Completion of ktsolve for {}, by `ktsolve completion {}`: to be written again after an update.\n"

_TABLES = r"""_ktsolve_argument() {
    case $1 in
@ARGUMENTS@
    esac
}

_ktsolve_value() {
    case "$1 $2" in
@VALUES@
    esac
}

"""
"""Functions that bash and zsh have alike."""

_BASH = r"""
_ktsolve() {
    local line word option value head found before
    local IFS=$' \t\n'
    # The words as they are: bash splits them at = and : as well.
    line=${COMP_LINE:0:COMP_POINT}
    local words=($line)
    case $line in *[[:space:]]) words+=("") ;; esac
    local last=$((${#words[@]} - 1))
    word=${words[last]}
    COMPREPLY=()
    local where="" third=""
    if ((last > 1)); then where=${words[1]}; fi
    if ((last > 2)); then third=${words[2]}; fi
    case $where in
@GROUPS@
    esac
    option=${words[last - 1]}
    value=$word
    case $word in --*=*) option=${word%%=*} value=${word#*=} ;; esac
    local kind="" names=""
    _ktsolve_value "$where" "$option"
    if [ -z "$kind" ]; then
        case $word in
        -*)
            _ktsolve_options "$where"
            COMPREPLY=($(compgen -W "$names" -- "$word"))
            return
            ;;
        esac
        _ktsolve_argument "$where"
    fi
    head=""
    case $kind in *several*) case $value in *,*) head=${value%,*}, ;; esac ;; esac
    before=${value##*[=:]}
    before=${value%"$before"}
    local IFS=$'\n'
    for found in $(compgen -W "${names// /$'\n'}" -- "${value#"$head"}"); do
        found=$head$found
        case $COMP_WORDBREAKS in *:*) found=${found#"$before"} ;; esac
        COMPREPLY+=("$found")
        case $found in *=|*:) compopt -o nospace 2>/dev/null ;; esac
    done
    case $kind in
    *file*) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$value")) ;;
    *folder*) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$value")) ;;
    esac
}

_ktsolve_options() {
    case $1 in
@OPTIONS@
    esac
}

"""

_BASH_END = "complete -F _ktsolve ktsolve\n"

_ZSH = r"""
_ktsolve() {
    local where="" third="" option kind="" names=""
    local -a found
    if ((CURRENT > 2)); then where=$words[2]; fi
    if ((CURRENT > 3)); then third=$words[3]; fi
    case $where in
@GROUPS@
    esac
    option=$words[CURRENT-1]
    case $PREFIX in --*=*) option=${PREFIX%%=*}; compset -P 1 '*=' ;; esac
    _ktsolve_value "$where" "$option"
    if [[ -z $kind ]]; then
        if [[ $PREFIX == -* ]]; then
            _ktsolve_options "$where"
            _describe -o option found
            return
        fi
        _ktsolve_commands "$where"
        if (($#found)); then _describe command found; fi
        _ktsolve_argument "$where"
    fi
    if [[ $kind == *several* ]]; then compset -P '*,'; fi
    found=(${=names})
    local -a open=(${(M)found:#*[=:]}) whole=(${found:#*[=:]})
    if (($#open)); then compadd -S '' -a open; fi
    if (($#whole)); then compadd -a whole; fi
    if [[ $kind == *file* ]]; then _files; fi
    if [[ $kind == *folder* ]]; then _files -/; fi
}

_ktsolve_commands() {
    case $1 in
@COMMANDS@
    esac
}

_ktsolve_options() {
    case $1 in
@DESCRIBED@
    esac
}

"""

_ZSH_END = r"""if [[ $funcstack[1] == _ktsolve ]]; then _ktsolve "$@"; else compdef _ktsolve ktsolve; fi
"""

_FISH = r"""
function __ktsolve_at
    set -l words (commandline -opc)
    set -l where ""
    if set -q words[2]
        set where $words[2]
    end
    switch $where
@GROUPS@
    end
    contains -- "$where" $argv
end

complete -c ktsolve -f
"""


def _bash(nodes: Sequence[Node]) -> str:
    options = (f'    {_quoted(each.path)}) names="{" ".join(_names(each))}" ;;' for each in nodes)
    arguments = (
        f'    {_quoted(each.path)}) kind="{_kind(value)}" names="{" ".join(value.words)}" ;;'
        for each in nodes
        for value in [_with_commands(each)]
    )
    return _filled(
        _BASH + _TABLES + _BASH_END,
        GROUPS=_groups(nodes, '    {}) case $third in {}) where="{} $third" ;; esac ;;'),
        OPTIONS=options,
        ARGUMENTS=arguments,
        VALUES=_values(nodes),
    )


def _zsh(nodes: Sequence[Node]) -> str:
    commands = (
        f"    {_quoted(each.path)}) found=({' '.join(_pair(*command) for command in each.commands)}) ;;"
        for each in nodes
        if each.commands
    )
    described = (
        f"    {_quoted(each.path)}) found=("
        f"{' '.join(_pair(name, option.about) for option in each.options for name in option.names)}) ;;"
        for each in nodes
    )
    arguments = (
        f'    {_quoted(each.path)}) kind="{_kind(each.argument)}" names="{" ".join(each.argument.words)}" ;;'
        for each in nodes
    )
    return "#compdef ktsolve\n" + _filled(
        _ZSH + _TABLES + _ZSH_END,
        GROUPS=_groups(nodes, '    {}) case $third in {}) where="{} $third" ;; esac ;;'),
        COMMANDS=commands,
        DESCRIBED=described,
        ARGUMENTS=arguments,
        VALUES=_values(nodes),
    )


def _fish(nodes: Sequence[Node]) -> str:
    group = (
        "        case {}\n            if set -q words[3]; and contains -- $words[3] {}\n"
        '                set where "{} $words[3]"\n            end'
    )
    lines = [_filled(_FISH, GROUPS=_groups(nodes, group, " "))]
    for node in nodes:
        at = f"-n '__ktsolve_at {_fish_word(node.path)}'"
        lines += [
            f"complete -c ktsolve {at} -a {name} -d {_fish_word(about)}" for name, about in node.commands
        ]
        if node.argument.files:
            lines.append(f"complete -c ktsolve {at} -F")
        if node.argument.words:
            lines.append(f"complete -c ktsolve {at} -a {_fish_word(' '.join(node.argument.words))}")
    places: dict[Option, list[str]] = {}
    for node in nodes:
        for option in node.options:
            places.setdefault(option, []).append(node.path)
    for option, paths in places.items():
        at = f"-n '__ktsolve_at {' '.join(map(_fish_word, paths))}'"
        for name in option.names:
            flag = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
            lines.append(
                f"complete -c ktsolve {at} {flag}{_fish_value(option.value)} -d {_fish_word(option.about)}"
            )
    return "\n".join(lines)


def _fish_value(value: Value | None) -> str:
    if value is None:
        return ""
    words = " ".join(value.words)
    takes = " -r" if value.files == "file" else " -x"
    if value.files == "file":
        takes += " -F"
    if value.files == "folder":
        return takes + " -a '(__fish_complete_directories)'"
    if value.several:
        return f"{takes} -a '(__fish_append , {words})'"
    return takes + (f" -a {_fish_word(words)}" if words else "")


def _fish_word(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '"'


def _filled(script: str, **parts: Iterator[str]) -> str:
    for name, lines in parts.items():
        script = script.replace(f"@{name}@", "\n".join(lines))
    return script


def _groups(nodes: Sequence[Node], form: str, between: str = "|") -> Iterator[str]:
    """The second word of a command that is a group."""
    for node in nodes:
        if node.commands and node.path:
            yield form.format(node.path, between.join(name for name, _ in node.commands), node.path)


def _names(node: Node) -> list[str]:
    return [name for option in node.options for name in option.names]


def _with_commands(node: Node) -> Value:
    return Value((*(name for name, _ in node.commands), *node.argument.words), node.argument.files)


def _kind(value: Value) -> str:
    """The kind of a value; never empty, for an option takes one."""
    return " ".join(
        ["value", *([value.files] if value.files else []), *(["several"] if value.several else [])]
    )


def _values(nodes: Sequence[Node]) -> Iterator[str]:
    """The values of options: those of single commands, then those that most commands have."""
    found: dict[str, dict[str, Value | None]] = {}
    for node in nodes:
        for option in node.options:
            for name in option.names:
                found.setdefault(name, {})[node.path] = option.value
    usual = {name: Counter(values.values()).most_common(1)[0][0] for name, values in found.items()}
    for name, values in found.items():
        yield from _exceptions(name, values, usual[name])
    for name, value in usual.items():
        if value is not None:
            yield f'    *" {name}") {_assigned(value)} ;;'


def _exceptions(name: str, values: Mapping[str, Value | None], usual: Value | None) -> Iterator[str]:
    for path, value in values.items():
        if value != usual:
            yield f'    "{path} {name}") {"" if value is None else _assigned(value)} ;;'


def _assigned(value: Value) -> str:
    return f'kind="{_kind(value)}" names="{" ".join(value.words)}"'


def _quoted(text: str) -> str:
    return f'"{text}"'


def _pair(name: str, about: str) -> str:
    """A name and its description for zsh."""
    return "'" + name.replace(":", "\\:") + ":" + about.replace("'", "'\\''") + "'"


def _script(shell: str, make: Callable[[Sequence[Node]], str]) -> Callable[[Sequence[Node]], str]:
    def script(nodes: Sequence[Node]) -> str:
        first, _, rest = make(nodes).partition("\n")
        head = _HEAD.format(shell, shell)
        return f"{first}\n{head}{rest}" if first.startswith("#compdef") else f"{head}{first}\n{rest}"

    return script


SCRIPTS: Mapping[str, Callable[[Sequence[Node]], str]] = {
    "bash": _script("bash", _bash),
    "zsh": _script("zsh", _zsh),
    "fish": _script("fish", _fish),
}
"""By the name of a shell: the function that writes its script."""
