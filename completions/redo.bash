# bash completion for redo and redo-<command>; see bash(1), "Programmable Completion".
# Written by completions/make from the option tables; `make generate` renews it.

_redo() {
  local commands='canonicalize cat-node hash-object import init log verify'
  local -a words=()
  local word command='' current previous options='' negations='' values='' index glue=''

  # COMP_WORDBREAKS cuts words at '='; here they are whole again.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ($word == '=' || -n $glue) && ${#words[@]} -gt 1 ]]; then
      words[${#words[@]} - 1]+=$word
      if [[ $word == '=' ]]; then glue=yes; else glue=''; fi
    else
      words+=("$word")
    fi
  done
  current=${words[${#words[@]} - 1]}
  previous=${words[${#words[@]} - 2]}

  word=${words[0]##*/}
  if [[ $word == redo-* ]]; then
    command=${word#redo-}
  else
    for ((index = 1; index < ${#words[@]} - 1; index++)); do
      case ${words[index]} in
        -C | -c | --redo-dir) ((index++)) ;;
        -*) ;;
        *)
          command=${words[index]}
          break
          ;;
      esac
    done
  fi

  case $command in
    canonicalize)
      options='--check --explain -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-check --no-explain'
      values='files'
      ;;
    cat-node)
      options='-p -t -s -e --body --pointer= --format= --batch --batch-check --batch-command --batch-all-objects --buffer --strict -z -Z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-body --no-batch-all-objects --no-buffer --no-strict'
      values=''
      ;;
    hash-object)
      options='-w --update-heads -t --profile= --explain --stdin --stdin-paths --ndjson --batch-verdicts -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-update-heads --no-explain --no-stdin --no-stdin-paths --no-ndjson --no-batch-verdicts'
      values='files'
      ;;
    import)
      options='-q --quiet -n --dry-run --salvage --profile= --progress -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet --no-dry-run --no-salvage --no-progress'
      values='files'
      ;;
    init)
      options='-q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='directories'
      ;;
    log)
      options='--reverse -n --max-count= --skip= --format= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-reverse --no-json'
      values=''
      ;;
    verify)
      options='--all --stdin --ndjson --profile= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-all --no-stdin --no-ndjson --no-json'
      values=''
      ;;
    help) options='' values=$commands ;;
    '') options='-C --redo-dir= -c --list-commands -h --help --help-all --version' values="$commands help version" ;;
    *) return ;;
  esac

  local option=$previous
  if [[ $current == --*=* ]]; then
    option=${current%%=*} current=${current#*=}
  fi
  case "$command $option" in
    'canonicalize -C') values='directories' ;;
    'canonicalize --redo-dir') values='directories' ;;
    'canonicalize -c') values='' ;;
    'cat-node --pointer') values='' ;;
    'cat-node --format') values='' ;;
    'cat-node -C') values='directories' ;;
    'cat-node --redo-dir') values='directories' ;;
    'cat-node -c') values='' ;;
    'hash-object -t') values='node blob' ;;
    'hash-object --profile') values='v1 sync genesis' ;;
    'hash-object -C') values='directories' ;;
    'hash-object --redo-dir') values='directories' ;;
    'hash-object -c') values='' ;;
    'import --profile') values='v1 sync genesis' ;;
    'import -C') values='directories' ;;
    'import --redo-dir') values='directories' ;;
    'import -c') values='' ;;
    'init -C') values='directories' ;;
    'init --redo-dir') values='directories' ;;
    'init -c') values='' ;;
    'log --max-count' | 'log -n') values='' ;;
    'log --skip') values='' ;;
    'log --format') values='' ;;
    'log -C') values='directories' ;;
    'log --redo-dir') values='directories' ;;
    'log -c') values='' ;;
    'verify --profile') values='v1 sync genesis' ;;
    'verify -C') values='directories' ;;
    'verify --redo-dir') values='directories' ;;
    'verify -c') values='' ;;
    ' -C') values='directories' ;;
    ' --redo-dir') values='directories' ;;
    ' -c') values='' ;;
    *)
      if [[ $option != "$previous" ]]; then return; fi
      if [[ $current == -* ]]; then values=$options; fi
      # What takes an option back is offered only where it is begun.
      if [[ $current == --n* ]]; then values+=" $negations"; fi
      ;;
  esac

  case $values in
    '') ;;
    files)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
    directories)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      ;;
    *)
      mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
      if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
      fi
      ;;
  esac
}

complete -F _redo redo redo-canonicalize redo-cat-node redo-hash-object redo-import redo-init redo-log redo-verify
