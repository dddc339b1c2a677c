# bash completion for redo and redo-<command>; see bash(1), "Programmable Completion".
# Written by completions/make from the option tables; `make generate` renews it.

_redo() {
  local commands='archive canonicalize cat-node checkpoint commit config diff explain export fetch gc hash-object import init key log ls-remote merge merge-base prove push quarantine query recover reflog remote repack rev-parse revert serve show show-ref snapshot state stats sync trust update-ref verify verify-pack wipe'
  local -a words=()
  local word command='' current previous options='' negations='' values='' asked='' verbs=''
  local index glue='' program=redo where=() first=1

  # COMP_WORDBREAKS cuts words at '=' and ':'; here they are whole again.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ($word == [=:] || -n $glue) && ${#words[@]} -gt 1 ]]; then
      words[${#words[@]} - 1]+=$word
      if [[ $word == [=:] ]]; then glue=yes; else glue=''; fi
    else
      words+=("$word")
    fi
  done
  current=${words[${#words[@]} - 1]}
  previous=${words[${#words[@]} - 2]}

  word=${words[0]##*/}
  program=${words[0]%"$word"}redo
  [[ $word != redo-* ]] || command=${word#redo-}
  for ((index = 1; index < ${#words[@]} - 1; index++)); do
    case ${words[index]} in
      -C | --redo-dir)
        # What is quoted stands here with its quotes; nothing is evaluated.
        word=${words[++index]//[\'\"]/}
        where+=("${words[index - 1]}" "${word//\\ / }")
        ;;
      -c) ((index++)) ;;
      -C* | --redo-dir=*)
        word=${words[index]//[\'\"]/}
        where+=("${word//\\ / }")
        ;;
      -*) ;;
      *)
        # The first word is the command, then come its subcommand, if it has any, and its arguments.
        case $command in
          '') command=${words[index]} ;;
          archive | checkpoint | key | quarantine | query | remote | snapshot | trust) command+=" ${words[index]}" ;;
          *) first='' ;;
        esac
        ;;
    esac
  done

  case $command in
    archive)
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='create verify list show extract diff bundle register forget restore prune' asked='' verbs=''
      ;;
    'archive create')
      options='-o --output= --before= --older-than= --clock= --split= --remove --remote -n --dry-run -f --force -q --quiet --cache --json -r --recipient= --passphrase-file= --passphrase --weak-passphrase --manifest --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-remove --no-dry-run --no-force --no-quiet --no-cache --no-json --no-passphrase --no-manifest'
      values='' asked='revisions' verbs=''
      ;;
    'archive verify')
      options='--profile= --prerequisites --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-prerequisites --no-json --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    'archive list')
      options='--json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= --heads -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json --no-passphrase --no-heads'
      values='files' asked='' verbs=''
      ;;
    'archive show')
      options='-p -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-passphrase'
      values='files' asked='ids' verbs=''
      ;;
    'archive extract')
      options='--format= -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-passphrase'
      values='files' asked='ids' verbs=''
      ;;
    'archive diff')
      options='--stat -q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-stat --no-quiet --no-json --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    'archive bundle')
      options='-o --output= --remove --remote -n --dry-run -f --force -q --quiet --cache --json -r --recipient= --passphrase-file= --passphrase --weak-passphrase --manifest --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-remove --no-dry-run --no-force --no-quiet --no-cache --no-json --no-passphrase --no-manifest'
      values='' asked='' verbs=''
      ;;
    'archive register')
      options='-q --quiet --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet --no-json'
      values='files' asked='' verbs=''
      ;;
    'archive forget')
      options='-f --force -q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-force --no-quiet'
      values='files' asked='' verbs=''
      ;;
    'archive restore')
      options='-n --dry-run -q --quiet --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json'
      values='files' asked='' verbs=''
      ;;
    'archive prune')
      options='--keep-last= --keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= --keep-within= -n --dry-run -q --quiet --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json'
      values='files' asked='' verbs=''
      ;;
    canonicalize)
      options='--check --explain -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-check --no-explain'
      values='files' asked='' verbs=''
      ;;
    cat-node)
      options='-p -t -s -e --body --pointer= --format= --batch --batch-check --batch-command --batch-all-objects --buffer --strict -z -Z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-body --no-batch-all-objects --no-buffer --no-strict'
      values='' asked='ids' verbs='node blob'
      ;;
    checkpoint)
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='create list verify' asked='' verbs=''
      ;;
    'checkpoint create')
      options='-n --dry-run --new-log -o --output= --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-new-log'
      values='' asked='' verbs=''
      ;;
    'checkpoint list')
      options='--json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    'checkpoint verify')
      options='--key= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='files' asked='' verbs=''
      ;;
    commit)
      options='--action= -t --task= --field= --field-json= --payload --stdin --title= --description= --priority= --story-points= --frequency-days= --private --todo= --deadline= --completed= --days= --notes= --all-heads --date= --unsigned --profile= --passphrase-fd= -m --message= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-payload --no-stdin --no-private --no-all-heads --no-unsigned --no-dry-run --no-quiet --no-json'
      values='' asked='' verbs='create update create-todo complete-todo snooze archive unarchive delete'
      ;;
    config)
      options='--system --user --global --local -f --file= --all --append --type= --show-origin --show --forget -z --json -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-system --no-user --no-global --no-local --no-all --no-append --no-show-origin --no-show --no-forget --no-json'
      values='' asked='keys' verbs='list get set unset keys trust-store'
      ;;
    diff)
      options='--json-patch --json --name-only --task= --policy= --allow-empty --exit-code -q --quiet --cache --color -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json-patch --no-json --no-name-only --no-allow-empty --no-exit-code --no-quiet --no-cache'
      values='' asked='' verbs=''
      ;;
    explain)
      options='--field= --todo= --as-of= --policy= --allow-empty --json --color --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    export)
      options='--format= --gzip -o --output= -f --force -q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-gzip --no-force --no-quiet'
      values='files' asked='revisions' verbs=''
      ;;
    fetch)
      options='-n --dry-run --all -t --task= --since= --stdin --audit --porcelain --json --watch --interval= --cursor= --allow-unsigned -q --quiet -v --verbose --progress --lock-timeout= --retry -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-all --no-stdin --no-audit --no-porcelain --no-json --no-watch --no-allow-unsigned --no-quiet --no-verbose --no-progress --no-retry'
      values='' asked='' verbs=''
      ;;
    gc)
      options='--grace= --expire-to= -n --dry-run -q --quiet --json -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    hash-object)
      options='-w --update-heads -t --profile= --explain --stdin --stdin-paths --ndjson --batch-verdicts -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-update-heads --no-explain --no-stdin --no-stdin-paths --no-ndjson --no-batch-verdicts'
      values='files' asked='' verbs=''
      ;;
    import)
      options='-q --quiet -n --dry-run --from= --salvage --profile= --json --progress -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet --no-dry-run --no-salvage --no-json --no-progress --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    init)
      options='-q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='directories' asked='' verbs=''
      ;;
    key)
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='generate rotate list show import export exists put get rm device-id device-name sign verify' asked='' verbs=''
      ;;
    'key generate')
      options='--passphrase --passphrase-fd= --weak-passphrase -f --force -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-passphrase'
      values='' asked='' verbs=''
      ;;
    'key rotate')
      options='--passphrase --passphrase-fd= --weak-passphrase -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-passphrase'
      values='' asked='' verbs=''
      ;;
    'key list')
      options='--json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    'key show')
      options='--public --user-id --device-id --device-name --json -q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'key import')
      options='--private --public --passphrase --passphrase-fd= --weak-passphrase -f --force -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-passphrase'
      values='files' asked='' verbs=''
      ;;
    'key export')
      options='--private --public --yes --plain --passphrase-fd= --weak-passphrase -o --output= -f --force -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='' verbs=''
      ;;
    'key exists')
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='' verbs=''
      ;;
    'key put')
      options='-f --force --for= -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='files' asked='' verbs=''
      ;;
    'key get')
      options='-q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'key rm')
      options='--all -n --dry-run --yes -q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'key device-id')
      options='-f --force -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='ids' verbs='set'
      ;;
    'key device-name')
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='' verbs=''
      ;;
    'key sign')
      options='--form= --passphrase-fd= -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='files' asked='' verbs=''
      ;;
    'key verify')
      options='--key= --signature= --form= -q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='files' asked='' verbs=''
      ;;
    log)
      options='-n --max-count= --skip= --reverse --page-size= --page-token= --since= --after= --until= --before= --action= --author= --device= --key= --task= --field= --lamport-gt= --after-id= --merges --roots --heads --as-of= --policy= --allow-empty --stdin --format= --json --pretty= --oneline --graph --ascii --dot --svg --color --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-reverse --no-merges --no-roots --no-heads --no-allow-empty --no-stdin --no-json --no-oneline --no-graph --no-ascii --no-dot --no-svg --no-cache --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    ls-remote)
      options='--only= -t --task= --exit-code --json -z --allow-unsigned -q --quiet --progress --retry --access --owned --user --action= --author= --created-since= --sort= --limit= --verify= -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-exit-code --no-json --no-allow-unsigned --no-quiet --no-progress --no-retry --no-owned --no-user'
      values='' asked='' verbs=''
      ;;
    merge)
      options='--check -t --task= --all -s --strategy= --ours= --resolve= --resolve-json= --date= --unsigned --profile= --passphrase-fd= -m --message= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-check --no-all --no-unsigned --no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    merge-base)
      options='-a --all --octopus --independent --is-ancestor --fork-point --cache -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-all --no-octopus --no-independent --no-is-ancestor --no-fork-point --no-cache'
      values='' asked='revisions' verbs=''
      ;;
    prove)
      options='--checkpoint= --extends= -o --output= -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='revisions' verbs=''
      ;;
    push)
      options='-n --dry-run -t --task= --all --verify --replicas= --porcelain --json --allow-unsigned -q --quiet -v --verbose --progress --lock-timeout= --retry -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-all --no-verify --no-porcelain --no-json --no-allow-unsigned --no-quiet --no-verbose --no-progress --no-retry'
      values='' asked='' verbs=''
      ;;
    quarantine)
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='list show promote drop ignore' asked='' verbs=''
      ;;
    'quarantine list')
      options='--json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    'quarantine show')
      options='--json --color -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='ids' verbs=''
      ;;
    'quarantine promote')
      options='-n --dry-run --allow-unsigned --lock-timeout= -q --quiet --json -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-allow-unsigned --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    'quarantine drop')
      options='--all -n --dry-run -q --quiet --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-all --no-dry-run --no-quiet --no-json'
      values='' asked='ids' verbs=''
      ;;
    'quarantine ignore')
      options='--forget -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='ids' verbs=''
      ;;
    query)
      options='--active --archived --pending --overdue --recurring --one-time --urgency= --match= --where= --sort= -n --max-count= --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-active --no-archived --no-pending --no-overdue --no-recurring --no-one-time --no-allow-empty --no-json --no-cache --no-quiet'
      values='tasks todos rate avg-completion streak rate-by-priority productive-hour velocity burndown' asked='' verbs=''
      ;;
    'query tasks')
      options='--active --archived --pending --overdue --recurring --one-time --urgency= --match= --where= --sort= -n --max-count= --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-active --no-archived --no-pending --no-overdue --no-recurring --no-one-time --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query todos')
      options='--pending --completed --completed-since= --due= --due-within= --overdue --notes --match= --where= --sort= -n --max-count= --literal --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-pending --no-completed --no-overdue --no-notes --no-literal --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query rate')
      options='--task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query avg-completion')
      options='--task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query streak')
      options='--allow-gap-today --literal --plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-allow-gap-today --no-literal --no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query rate-by-priority')
      options='--literal --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-literal --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query productive-hour')
      options='--plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query velocity')
      options='--literal --plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-literal --no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query burndown')
      options='--literal --plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-literal --no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    recover)
      options='--to= -o --output= --write-ref= -f --force --policy= --task= --allow-empty --cache -n --dry-run -q --quiet --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-force --no-allow-empty --no-cache --no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    reflog)
      options='-n --max-count= --date= --format= --json -z --dry-run -m -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json --no-dry-run'
      values='' asked='refs' verbs='exists undo'
      ;;
    remote)
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='add list show set rm check capabilities' asked='' verbs=''
      ;;
    'remote add')
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='' verbs=''
      ;;
    'remote list')
      options='-v --verbose --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-verbose --no-json'
      values='' asked='' verbs=''
      ;;
    'remote show')
      options='--json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    'remote set')
      options='--unset -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='' verbs=''
      ;;
    'remote rm')
      options='-n --dry-run -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run'
      values='' asked='' verbs=''
      ;;
    'remote check')
      options='--json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    'remote capabilities')
      options='-z -C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='' asked='' verbs=''
      ;;
    repack)
      options='-a --all --geometric= -n --dry-run -q --quiet --json -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-all --no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    rev-parse)
      options='--verify -q --quiet --short --symbolic-full-name --show-store -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-verify --no-quiet --no-symbolic-full-name --no-show-store'
      values='' asked='revisions' verbs=''
      ;;
    revert)
      options='-f --force --date= --unsigned --profile= --passphrase-fd= -m --message= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-force --no-unsigned --no-dry-run --no-quiet --no-json'
      values='' asked='revisions' verbs=''
      ;;
    serve)
      options='--stdio --read-only --allow-unsigned --http= --firestore --emulator --accounts= --tls-certificate= --tls-key= --max-body= --max-connections= --rate= --timeout= --grace= --metrics -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-stdio --no-read-only --no-allow-unsigned --no-emulator --no-metrics'
      values='directories' asked='' verbs=''
      ;;
    show)
      options='--format= --json --verify --stdin --color -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json --no-verify --no-stdin'
      values='' asked='revisions' verbs=''
      ;;
    show-ref)
      options='--heads --format= --json --sort= --count= -z --verify --exists -q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-heads --no-json --no-verify --no-exists --no-quiet'
      values='' asked='refs' verbs=''
      ;;
    snapshot)
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='create list verify drop' asked='' verbs=''
      ;;
    'snapshot create')
      options='--as-of= --policy= -q --quiet -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'snapshot list')
      options='--json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    'snapshot verify')
      options='-q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'snapshot drop')
      options='--all --stale -n --dry-run -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-all --no-stale --no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    state)
      options='--json --hash --table --skips --task= --as-of= --policy= --allow-empty --stdin --cache --snapshot --trace -q --quiet -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json --no-hash --no-table --no-skips --no-allow-empty --no-stdin --no-cache --no-snapshot --no-trace --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    stats)
      options='--by= --remote --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    sync)
      options='-n --dry-run -t --task= --all --interval= --merge --passphrase-fd= --json --allow-unsigned -q --quiet -v --verbose --progress --lock-timeout= --retry -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-all --no-merge --no-json --no-allow-unsigned --no-quiet --no-verbose --no-progress --no-retry'
      values='' asked='' verbs=''
      ;;
    trust)
      options='-C --redo-dir= -c -h --help --help-all --version'
      negations=''
      values='add list revoke check' asked='' verbs=''
      ;;
    'trust add')
      options='-n --dry-run -q --quiet --role= --valid-after= --valid-before= --same-as= --prove --passphrase-fd= -m --message= --seen --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-prove --no-seen --no-json'
      values='' asked='' verbs=''
      ;;
    'trust list')
      options='--json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-json'
      values='' asked='' verbs=''
      ;;
    'trust revoke')
      options='-n --dry-run -q --quiet --valid-through= --stdin -m --message= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-stdin --no-json'
      values='' asked='' verbs=''
      ;;
    'trust check')
      options='--all --stdin --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-all --no-stdin --no-json'
      values='' asked='revisions' verbs=''
      ;;
    update-ref)
      options='-m -d --stdin -z --batch-updates --strict -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-stdin --no-batch-updates --no-strict'
      values='' asked='refs' verbs=''
      ;;
    verify)
      options='--all --stdin --ndjson --profile= --pass= --explain --summary= --sample= --max-duration= --resume= --progress --repair-from= --allow-unsigned --retry --repair-refs -n --dry-run --proof --key= --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-all --no-stdin --no-ndjson --no-explain --no-progress --no-allow-unsigned --no-retry --no-repair-refs --no-dry-run --no-json'
      values='' asked='revisions' verbs=''
      ;;
    verify-pack)
      options='-v --verbose -q --quiet --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-verbose --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    wipe)
      options='-n --dry-run --yes --author= --all -q --quiet --json -z -C --redo-dir= -c -h --help --help-all --version'
      negations='--no-dry-run --no-yes --no-all --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    help) values=$commands ;;
    '') options='-C --redo-dir= -c --list-commands -h --help --help-all --version' values="$commands help version" ;;
    *) return ;;
  esac

  local option=$previous
  if [[ $current == --*=* ]]; then
    option=${current%%=*} current=${current#*=}
  fi
  case "$command $option" in
    'archive -C') values='directories' ;;
    'archive --redo-dir') values='directories' ;;
    'archive -c') values='' ;;
    'archive create --output' | 'archive create -o') values='files' ;;
    'archive create --before') values='' ;;
    'archive create --older-than') values='' ;;
    'archive create --clock') values='' ;;
    'archive create --split') values='' ;;
    'archive create --recipient' | 'archive create -r') values='' ;;
    'archive create --passphrase-file') values='files' ;;
    'archive create --passphrase-fd') values='' ;;
    'archive create -C') values='directories' ;;
    'archive create --redo-dir') values='directories' ;;
    'archive create -c') values='' ;;
    'archive verify --profile') values='v1 sync genesis' ;;
    'archive verify --identity' | 'archive verify -i') values='' ;;
    'archive verify --passphrase-file') values='files' ;;
    'archive verify --passphrase-fd') values='' ;;
    'archive verify -C') values='directories' ;;
    'archive verify --redo-dir') values='directories' ;;
    'archive verify -c') values='' ;;
    'archive list --identity' | 'archive list -i') values='' ;;
    'archive list --passphrase-file') values='files' ;;
    'archive list --passphrase-fd') values='' ;;
    'archive list -C') values='directories' ;;
    'archive list --redo-dir') values='directories' ;;
    'archive list -c') values='' ;;
    'archive show --identity' | 'archive show -i') values='' ;;
    'archive show --passphrase-file') values='files' ;;
    'archive show --passphrase-fd') values='' ;;
    'archive show -C') values='directories' ;;
    'archive show --redo-dir') values='directories' ;;
    'archive show -c') values='' ;;
    'archive extract --format') values='' ;;
    'archive extract --identity' | 'archive extract -i') values='' ;;
    'archive extract --passphrase-file') values='files' ;;
    'archive extract --passphrase-fd') values='' ;;
    'archive extract -C') values='directories' ;;
    'archive extract --redo-dir') values='directories' ;;
    'archive extract -c') values='' ;;
    'archive diff --identity' | 'archive diff -i') values='' ;;
    'archive diff --passphrase-file') values='files' ;;
    'archive diff --passphrase-fd') values='' ;;
    'archive diff -C') values='directories' ;;
    'archive diff --redo-dir') values='directories' ;;
    'archive diff -c') values='' ;;
    'archive bundle --output' | 'archive bundle -o') values='files' ;;
    'archive bundle --recipient' | 'archive bundle -r') values='' ;;
    'archive bundle --passphrase-file') values='files' ;;
    'archive bundle --passphrase-fd') values='' ;;
    'archive bundle -C') values='directories' ;;
    'archive bundle --redo-dir') values='directories' ;;
    'archive bundle -c') values='' ;;
    'archive register -C') values='directories' ;;
    'archive register --redo-dir') values='directories' ;;
    'archive register -c') values='' ;;
    'archive forget -C') values='directories' ;;
    'archive forget --redo-dir') values='directories' ;;
    'archive forget -c') values='' ;;
    'archive restore -C') values='directories' ;;
    'archive restore --redo-dir') values='directories' ;;
    'archive restore -c') values='' ;;
    'archive prune --keep-last') values='' ;;
    'archive prune --keep-hourly') values='' ;;
    'archive prune --keep-daily') values='' ;;
    'archive prune --keep-weekly') values='' ;;
    'archive prune --keep-monthly') values='' ;;
    'archive prune --keep-yearly') values='' ;;
    'archive prune --keep-within') values='' ;;
    'archive prune -C') values='directories' ;;
    'archive prune --redo-dir') values='directories' ;;
    'archive prune -c') values='' ;;
    'canonicalize -C') values='directories' ;;
    'canonicalize --redo-dir') values='directories' ;;
    'canonicalize -c') values='' ;;
    'cat-node --pointer') values='' ;;
    'cat-node --format') values='' ;;
    'cat-node -C') values='directories' ;;
    'cat-node --redo-dir') values='directories' ;;
    'cat-node -c') values='' ;;
    'checkpoint -C') values='directories' ;;
    'checkpoint --redo-dir') values='directories' ;;
    'checkpoint -c') values='' ;;
    'checkpoint create --output' | 'checkpoint create -o') values='files' ;;
    'checkpoint create --passphrase-fd') values='' ;;
    'checkpoint create -C') values='directories' ;;
    'checkpoint create --redo-dir') values='directories' ;;
    'checkpoint create -c') values='' ;;
    'checkpoint list -C') values='directories' ;;
    'checkpoint list --redo-dir') values='directories' ;;
    'checkpoint list -c') values='' ;;
    'checkpoint verify --key') values='' ;;
    'checkpoint verify -C') values='directories' ;;
    'checkpoint verify --redo-dir') values='directories' ;;
    'checkpoint verify -c') values='' ;;
    'commit --action') values='' ;;
    'commit --task' | 'commit -t') values='' ;;
    'commit --field') values='' ;;
    'commit --field-json') values='' ;;
    'commit --title') values='' ;;
    'commit --description') values='' ;;
    'commit --priority') values='' ;;
    'commit --story-points') values='' ;;
    'commit --frequency-days') values='' ;;
    'commit --todo') values='' ;;
    'commit --deadline') values='' ;;
    'commit --completed') values='' ;;
    'commit --days') values='' ;;
    'commit --notes') values='' ;;
    'commit --date') values='' ;;
    'commit --profile') values='v1 sync genesis' ;;
    'commit --passphrase-fd') values='' ;;
    'commit --message' | 'commit -m') values='' ;;
    'commit --format') values='' ;;
    'commit -C') values='directories' ;;
    'commit --redo-dir') values='directories' ;;
    'commit -c') values='' ;;
    'config --file' | 'config -f') values='files' ;;
    'config --type') values='bool int path' ;;
    'config -C') values='directories' ;;
    'config --redo-dir') values='directories' ;;
    'config -c') values='' ;;
    'diff --task') values='' ;;
    'diff --policy') values='' ;;
    'diff --color') values='auto always never' ;;
    'diff -C') values='directories' ;;
    'diff --redo-dir') values='directories' ;;
    'diff -c') values='' ;;
    'explain --field') values='' ;;
    'explain --todo') values='' ;;
    'explain --as-of') values='' ;;
    'explain --policy') values='' ;;
    'explain --color') values='auto always never' ;;
    'explain -C') values='directories' ;;
    'explain --redo-dir') values='directories' ;;
    'explain -c') values='' ;;
    'export --format') values='' ;;
    'export --output' | 'export -o') values='files' ;;
    'export -C') values='directories' ;;
    'export --redo-dir') values='directories' ;;
    'export -c') values='' ;;
    'fetch --task' | 'fetch -t') values='' ;;
    'fetch --since') values='' ;;
    'fetch --interval') values='' ;;
    'fetch --cursor') values='' ;;
    'fetch --lock-timeout') values='' ;;
    'fetch -C') values='directories' ;;
    'fetch --redo-dir') values='directories' ;;
    'fetch -c') values='' ;;
    'gc --grace') values='' ;;
    'gc --expire-to') values='files' ;;
    'gc -C') values='directories' ;;
    'gc --redo-dir') values='directories' ;;
    'gc -c') values='' ;;
    'hash-object -t') values='node blob' ;;
    'hash-object --profile') values='v1 sync genesis' ;;
    'hash-object -C') values='directories' ;;
    'hash-object --redo-dir') values='directories' ;;
    'hash-object -c') values='' ;;
    'import --from') values='' ;;
    'import --profile') values='v1 sync genesis' ;;
    'import --identity' | 'import -i') values='' ;;
    'import --passphrase-file') values='files' ;;
    'import --passphrase-fd') values='' ;;
    'import -C') values='directories' ;;
    'import --redo-dir') values='directories' ;;
    'import -c') values='' ;;
    'init -C') values='directories' ;;
    'init --redo-dir') values='directories' ;;
    'init -c') values='' ;;
    'key -C') values='directories' ;;
    'key --redo-dir') values='directories' ;;
    'key -c') values='' ;;
    'key generate --passphrase-fd') values='' ;;
    'key generate -C') values='directories' ;;
    'key generate --redo-dir') values='directories' ;;
    'key generate -c') values='' ;;
    'key rotate --passphrase-fd') values='' ;;
    'key rotate -C') values='directories' ;;
    'key rotate --redo-dir') values='directories' ;;
    'key rotate -c') values='' ;;
    'key list -C') values='directories' ;;
    'key list --redo-dir') values='directories' ;;
    'key list -c') values='' ;;
    'key show -C') values='directories' ;;
    'key show --redo-dir') values='directories' ;;
    'key show -c') values='' ;;
    'key import --passphrase-fd') values='' ;;
    'key import -C') values='directories' ;;
    'key import --redo-dir') values='directories' ;;
    'key import -c') values='' ;;
    'key export --passphrase-fd') values='' ;;
    'key export --output' | 'key export -o') values='files' ;;
    'key export -C') values='directories' ;;
    'key export --redo-dir') values='directories' ;;
    'key export -c') values='' ;;
    'key exists -C') values='directories' ;;
    'key exists --redo-dir') values='directories' ;;
    'key exists -c') values='' ;;
    'key put --for') values='' ;;
    'key put -C') values='directories' ;;
    'key put --redo-dir') values='directories' ;;
    'key put -c') values='' ;;
    'key get -C') values='directories' ;;
    'key get --redo-dir') values='directories' ;;
    'key get -c') values='' ;;
    'key rm -C') values='directories' ;;
    'key rm --redo-dir') values='directories' ;;
    'key rm -c') values='' ;;
    'key device-id -C') values='directories' ;;
    'key device-id --redo-dir') values='directories' ;;
    'key device-id -c') values='' ;;
    'key device-name -C') values='directories' ;;
    'key device-name --redo-dir') values='directories' ;;
    'key device-name -c') values='' ;;
    'key sign --form') values='body digest' ;;
    'key sign --passphrase-fd') values='' ;;
    'key sign -C') values='directories' ;;
    'key sign --redo-dir') values='directories' ;;
    'key sign -c') values='' ;;
    'key verify --key') values='' ;;
    'key verify --signature') values='' ;;
    'key verify --form') values='body digest' ;;
    'key verify -C') values='directories' ;;
    'key verify --redo-dir') values='directories' ;;
    'key verify -c') values='' ;;
    'log --max-count' | 'log -n') values='' ;;
    'log --skip') values='' ;;
    'log --page-size') values='' ;;
    'log --page-token') values='' ;;
    'log --since') values='' ;;
    'log --after') values='' ;;
    'log --until') values='' ;;
    'log --before') values='' ;;
    'log --action') values='' ;;
    'log --author') values='' ;;
    'log --device') values='' ;;
    'log --key') values='' ;;
    'log --task') values='' ;;
    'log --field') values='' ;;
    'log --lamport-gt') values='' ;;
    'log --after-id') values='' ;;
    'log --as-of') values='' ;;
    'log --policy') values='' ;;
    'log --format') values='' ;;
    'log --pretty') values='' ;;
    'log --color') values='auto always never' ;;
    'log -C') values='directories' ;;
    'log --redo-dir') values='directories' ;;
    'log -c') values='' ;;
    'ls-remote --only') values='' ;;
    'ls-remote --task' | 'ls-remote -t') values='' ;;
    'ls-remote --action') values='' ;;
    'ls-remote --author') values='' ;;
    'ls-remote --created-since') values='' ;;
    'ls-remote --sort') values='' ;;
    'ls-remote --limit') values='' ;;
    'ls-remote --verify') values='' ;;
    'ls-remote -C') values='directories' ;;
    'ls-remote --redo-dir') values='directories' ;;
    'ls-remote -c') values='' ;;
    'merge --task' | 'merge -t') values='' ;;
    'merge --strategy' | 'merge -s') values='' ;;
    'merge --ours') values='' ;;
    'merge --resolve') values='' ;;
    'merge --resolve-json') values='' ;;
    'merge --date') values='' ;;
    'merge --profile') values='v1 sync genesis' ;;
    'merge --passphrase-fd') values='' ;;
    'merge --message' | 'merge -m') values='' ;;
    'merge --format') values='' ;;
    'merge -C') values='directories' ;;
    'merge --redo-dir') values='directories' ;;
    'merge -c') values='' ;;
    'merge-base -C') values='directories' ;;
    'merge-base --redo-dir') values='directories' ;;
    'merge-base -c') values='' ;;
    'prove --checkpoint') values='' ;;
    'prove --extends') values='' ;;
    'prove --output' | 'prove -o') values='files' ;;
    'prove -C') values='directories' ;;
    'prove --redo-dir') values='directories' ;;
    'prove -c') values='' ;;
    'push --task' | 'push -t') values='' ;;
    'push --replicas') values='' ;;
    'push --lock-timeout') values='' ;;
    'push -C') values='directories' ;;
    'push --redo-dir') values='directories' ;;
    'push -c') values='' ;;
    'quarantine -C') values='directories' ;;
    'quarantine --redo-dir') values='directories' ;;
    'quarantine -c') values='' ;;
    'quarantine list -C') values='directories' ;;
    'quarantine list --redo-dir') values='directories' ;;
    'quarantine list -c') values='' ;;
    'quarantine show --color') values='auto always never' ;;
    'quarantine show -C') values='directories' ;;
    'quarantine show --redo-dir') values='directories' ;;
    'quarantine show -c') values='' ;;
    'quarantine promote --lock-timeout') values='' ;;
    'quarantine promote -C') values='directories' ;;
    'quarantine promote --redo-dir') values='directories' ;;
    'quarantine promote -c') values='' ;;
    'quarantine drop -C') values='directories' ;;
    'quarantine drop --redo-dir') values='directories' ;;
    'quarantine drop -c') values='' ;;
    'quarantine ignore -C') values='directories' ;;
    'quarantine ignore --redo-dir') values='directories' ;;
    'quarantine ignore -c') values='' ;;
    'query --urgency') values='' ;;
    'query --match') values='' ;;
    'query --where') values='' ;;
    'query --sort') values='' ;;
    'query --max-count' | 'query -n') values='' ;;
    'query --task') values='' ;;
    'query --as-of') values='' ;;
    'query --policy') values='' ;;
    'query --tz') values='' ;;
    'query -C') values='directories' ;;
    'query --redo-dir') values='directories' ;;
    'query -c') values='' ;;
    'query tasks --urgency') values='' ;;
    'query tasks --match') values='' ;;
    'query tasks --where') values='' ;;
    'query tasks --sort') values='' ;;
    'query tasks --max-count' | 'query tasks -n') values='' ;;
    'query tasks --task') values='' ;;
    'query tasks --as-of') values='' ;;
    'query tasks --policy') values='' ;;
    'query tasks --tz') values='' ;;
    'query tasks -C') values='directories' ;;
    'query tasks --redo-dir') values='directories' ;;
    'query tasks -c') values='' ;;
    'query todos --completed-since') values='' ;;
    'query todos --due') values='' ;;
    'query todos --due-within') values='' ;;
    'query todos --match') values='' ;;
    'query todos --where') values='' ;;
    'query todos --sort') values='' ;;
    'query todos --max-count' | 'query todos -n') values='' ;;
    'query todos --task') values='' ;;
    'query todos --as-of') values='' ;;
    'query todos --policy') values='' ;;
    'query todos --tz') values='' ;;
    'query todos -C') values='directories' ;;
    'query todos --redo-dir') values='directories' ;;
    'query todos -c') values='' ;;
    'query rate --task') values='' ;;
    'query rate --as-of') values='' ;;
    'query rate --policy') values='' ;;
    'query rate --tz') values='' ;;
    'query rate -C') values='directories' ;;
    'query rate --redo-dir') values='directories' ;;
    'query rate -c') values='' ;;
    'query avg-completion --task') values='' ;;
    'query avg-completion --as-of') values='' ;;
    'query avg-completion --policy') values='' ;;
    'query avg-completion --tz') values='' ;;
    'query avg-completion -C') values='directories' ;;
    'query avg-completion --redo-dir') values='directories' ;;
    'query avg-completion -c') values='' ;;
    'query streak --task') values='' ;;
    'query streak --as-of') values='' ;;
    'query streak --policy') values='' ;;
    'query streak --tz') values='' ;;
    'query streak -C') values='directories' ;;
    'query streak --redo-dir') values='directories' ;;
    'query streak -c') values='' ;;
    'query rate-by-priority --task') values='' ;;
    'query rate-by-priority --as-of') values='' ;;
    'query rate-by-priority --policy') values='' ;;
    'query rate-by-priority --tz') values='' ;;
    'query rate-by-priority -C') values='directories' ;;
    'query rate-by-priority --redo-dir') values='directories' ;;
    'query rate-by-priority -c') values='' ;;
    'query productive-hour --task') values='' ;;
    'query productive-hour --as-of') values='' ;;
    'query productive-hour --policy') values='' ;;
    'query productive-hour --tz') values='' ;;
    'query productive-hour -C') values='directories' ;;
    'query productive-hour --redo-dir') values='directories' ;;
    'query productive-hour -c') values='' ;;
    'query velocity --task') values='' ;;
    'query velocity --as-of') values='' ;;
    'query velocity --policy') values='' ;;
    'query velocity --tz') values='' ;;
    'query velocity -C') values='directories' ;;
    'query velocity --redo-dir') values='directories' ;;
    'query velocity -c') values='' ;;
    'query burndown --task') values='' ;;
    'query burndown --as-of') values='' ;;
    'query burndown --policy') values='' ;;
    'query burndown --tz') values='' ;;
    'query burndown -C') values='directories' ;;
    'query burndown --redo-dir') values='directories' ;;
    'query burndown -c') values='' ;;
    'recover --to') values='' ;;
    'recover --output' | 'recover -o') values='directories' ;;
    'recover --write-ref') values='' ;;
    'recover --policy') values='' ;;
    'recover --task') values='' ;;
    'recover -C') values='directories' ;;
    'recover --redo-dir') values='directories' ;;
    'recover -c') values='' ;;
    'reflog --max-count' | 'reflog -n') values='' ;;
    'reflog --date') values='' ;;
    'reflog --format') values='' ;;
    'reflog -m') values='' ;;
    'reflog -C') values='directories' ;;
    'reflog --redo-dir') values='directories' ;;
    'reflog -c') values='' ;;
    'remote -C') values='directories' ;;
    'remote --redo-dir') values='directories' ;;
    'remote -c') values='' ;;
    'remote add -C') values='directories' ;;
    'remote add --redo-dir') values='directories' ;;
    'remote add -c') values='' ;;
    'remote list -C') values='directories' ;;
    'remote list --redo-dir') values='directories' ;;
    'remote list -c') values='' ;;
    'remote show -C') values='directories' ;;
    'remote show --redo-dir') values='directories' ;;
    'remote show -c') values='' ;;
    'remote set -C') values='directories' ;;
    'remote set --redo-dir') values='directories' ;;
    'remote set -c') values='' ;;
    'remote rm -C') values='directories' ;;
    'remote rm --redo-dir') values='directories' ;;
    'remote rm -c') values='' ;;
    'remote check -C') values='directories' ;;
    'remote check --redo-dir') values='directories' ;;
    'remote check -c') values='' ;;
    'remote capabilities -C') values='directories' ;;
    'remote capabilities --redo-dir') values='directories' ;;
    'remote capabilities -c') values='' ;;
    'repack --geometric') values='' ;;
    'repack -C') values='directories' ;;
    'repack --redo-dir') values='directories' ;;
    'repack -c') values='' ;;
    'rev-parse -C') values='directories' ;;
    'rev-parse --redo-dir') values='directories' ;;
    'rev-parse -c') values='' ;;
    'revert --date') values='' ;;
    'revert --profile') values='v1 sync genesis' ;;
    'revert --passphrase-fd') values='' ;;
    'revert --message' | 'revert -m') values='' ;;
    'revert --format') values='' ;;
    'revert -C') values='directories' ;;
    'revert --redo-dir') values='directories' ;;
    'revert -c') values='' ;;
    'serve --http') values='' ;;
    'serve --accounts') values='files' ;;
    'serve --tls-certificate') values='files' ;;
    'serve --tls-key') values='files' ;;
    'serve --max-body') values='' ;;
    'serve --max-connections') values='' ;;
    'serve --rate') values='' ;;
    'serve --timeout') values='' ;;
    'serve --grace') values='' ;;
    'serve -C') values='directories' ;;
    'serve --redo-dir') values='directories' ;;
    'serve -c') values='' ;;
    'show --format') values='' ;;
    'show --color') values='auto always never' ;;
    'show -C') values='directories' ;;
    'show --redo-dir') values='directories' ;;
    'show -c') values='' ;;
    'show-ref --format') values='' ;;
    'show-ref --sort') values='' ;;
    'show-ref --count') values='' ;;
    'show-ref -C') values='directories' ;;
    'show-ref --redo-dir') values='directories' ;;
    'show-ref -c') values='' ;;
    'snapshot -C') values='directories' ;;
    'snapshot --redo-dir') values='directories' ;;
    'snapshot -c') values='' ;;
    'snapshot create --as-of') values='' ;;
    'snapshot create --policy') values='' ;;
    'snapshot create -C') values='directories' ;;
    'snapshot create --redo-dir') values='directories' ;;
    'snapshot create -c') values='' ;;
    'snapshot list -C') values='directories' ;;
    'snapshot list --redo-dir') values='directories' ;;
    'snapshot list -c') values='' ;;
    'snapshot verify -C') values='directories' ;;
    'snapshot verify --redo-dir') values='directories' ;;
    'snapshot verify -c') values='' ;;
    'snapshot drop -C') values='directories' ;;
    'snapshot drop --redo-dir') values='directories' ;;
    'snapshot drop -c') values='' ;;
    'state --task') values='' ;;
    'state --as-of') values='' ;;
    'state --policy') values='' ;;
    'state -C') values='directories' ;;
    'state --redo-dir') values='directories' ;;
    'state -c') values='' ;;
    'stats --by') values='kind place action author device month' ;;
    'stats -C') values='directories' ;;
    'stats --redo-dir') values='directories' ;;
    'stats -c') values='' ;;
    'sync --task' | 'sync -t') values='' ;;
    'sync --interval') values='' ;;
    'sync --passphrase-fd') values='' ;;
    'sync --lock-timeout') values='' ;;
    'sync -C') values='directories' ;;
    'sync --redo-dir') values='directories' ;;
    'sync -c') values='' ;;
    'trust -C') values='directories' ;;
    'trust --redo-dir') values='directories' ;;
    'trust -c') values='' ;;
    'trust add --role') values='' ;;
    'trust add --valid-after') values='' ;;
    'trust add --valid-before') values='' ;;
    'trust add --same-as') values='' ;;
    'trust add --passphrase-fd') values='' ;;
    'trust add --message' | 'trust add -m') values='' ;;
    'trust add -C') values='directories' ;;
    'trust add --redo-dir') values='directories' ;;
    'trust add -c') values='' ;;
    'trust list -C') values='directories' ;;
    'trust list --redo-dir') values='directories' ;;
    'trust list -c') values='' ;;
    'trust revoke --valid-through') values='' ;;
    'trust revoke --message' | 'trust revoke -m') values='' ;;
    'trust revoke -C') values='directories' ;;
    'trust revoke --redo-dir') values='directories' ;;
    'trust revoke -c') values='' ;;
    'trust check -C') values='directories' ;;
    'trust check --redo-dir') values='directories' ;;
    'trust check -c') values='' ;;
    'update-ref -m') values='' ;;
    'update-ref -C') values='directories' ;;
    'update-ref --redo-dir') values='directories' ;;
    'update-ref -c') values='' ;;
    'verify --profile') values='v1 sync genesis' ;;
    'verify --pass') values='' ;;
    'verify --summary') values='author device key month form' ;;
    'verify --sample') values='' ;;
    'verify --max-duration') values='' ;;
    'verify --resume') values='' ;;
    'verify --repair-from') values='' ;;
    'verify --key') values='' ;;
    'verify -C') values='directories' ;;
    'verify --redo-dir') values='directories' ;;
    'verify -c') values='' ;;
    'verify-pack -C') values='directories' ;;
    'verify-pack --redo-dir') values='directories' ;;
    'verify-pack -c') values='' ;;
    'wipe --author') values='' ;;
    'wipe -C') values='directories' ;;
    'wipe --redo-dir') values='directories' ;;
    'wipe -c') values='' ;;
    ' -C') values='directories' ;;
    ' --redo-dir') values='directories' ;;
    ' -c') values='' ;;
    *)
      if [[ $option != "$previous" ]]; then return; fi
      if [[ -n $first && -n $verbs ]]; then values+=" $verbs"; fi
      if [[ $current == -* ]]; then
        values=$options
      elif [[ -n $asked ]]; then
        while IFS=$'\t' read -r word _; do
          values+=" $word"
        done < <("$program" "${where[@]}" __complete "$asked" "$current" 2>/dev/null)
        # What stands before the last colon is not replaced.
        if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
          values=${values//"${current%:*}:"/} current=${current##*:}
        fi
      fi
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

complete -F _redo redo redo-archive redo-canonicalize redo-cat-node redo-checkpoint redo-commit redo-config redo-diff redo-explain redo-export redo-fetch redo-gc redo-hash-object redo-import redo-init redo-key redo-log redo-ls-remote redo-merge redo-merge-base redo-prove redo-push redo-quarantine redo-query redo-recover redo-reflog redo-remote redo-repack redo-rev-parse redo-revert redo-serve redo-show redo-show-ref redo-snapshot redo-state redo-stats redo-sync redo-trust redo-update-ref redo-verify redo-verify-pack redo-wipe
