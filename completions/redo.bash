# bash completion for redo and redo-<command>; see bash(1), "Programmable Completion".
# Written by completions/make from the option tables; `make generate` renews it.

_redo() {
  local commands='age archive backup canonicalize cat-node checkpoint cid circle commit compare config device diff explain export fetch gc hash-object import index init key local log ls-remote merge merge-base prove push quarantine query receipt record recover reflog remote repack rev-parse revert schema search serve share show show-ref snapshot state stats sync trust undo update-ref verify verify-pack wipe'
  local -a words=()
  local word command='' current previous options='' negations='' values='' asked='' verbs=''
  local index glue='' program=redo where=() first=1 asks=''

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
          archive | backup | checkpoint | circle | device | index | key | local | quarantine | query | receipt | record | remote | schema | serve | share | snapshot | trust) command+=" ${words[index]}" ;;
          *) first='' ;;
        esac
        ;;
    esac
  done

  case $command in
    age)
      options='-e --encrypt -d --decrypt -y --public-key --generate -o --output= -a --armor -r --recipient= -R --recipients-file= -i --identity= -p --passphrase --passphrase-file= --weak-passphrase --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-armor --no-passphrase --no-quiet'
      values='files' asked='' verbs=''
      ;;
    archive)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='create verify list show extract diff bundle register forget restore prune' asked='' verbs=''
      ;;
    'archive create')
      options='-o --output= --before= --older-than= --since= --clock= --split= --remove --remote -n --dry-run -f --force -q --quiet --progress --cache --json --kind= --include-precise --include-received -r --recipient= --passphrase-file= --passphrase --weak-passphrase --manifest --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-remove --no-dry-run --no-force --no-quiet --no-progress --no-cache --no-json --no-include-precise --no-include-received --no-passphrase --no-manifest'
      values='' asked='ids' verbs=''
      ;;
    'archive verify')
      options='--profile= --prerequisites --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-prerequisites --no-json --no-passphrase --no-quiet'
      values='files' asked='' verbs=''
      ;;
    'archive list')
      options='--json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= --heads -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-passphrase --no-heads --no-quiet'
      values='files' asked='' verbs=''
      ;;
    'archive show')
      options='-p -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-passphrase --no-quiet'
      values='files' asked='ids' verbs=''
      ;;
    'archive extract')
      options='--format= -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-passphrase --no-quiet'
      values='files' asked='ids' verbs=''
      ;;
    'archive diff')
      options='--stat -q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-stat --no-quiet --no-json --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    'archive bundle')
      options='-o --output= --since= --remove --remote -n --dry-run -f --force -q --quiet --progress --cache --json --kind= --include-precise --include-received -r --recipient= --passphrase-file= --passphrase --weak-passphrase --manifest --passphrase-fd= --stdin -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-remove --no-dry-run --no-force --no-quiet --no-progress --no-cache --no-json --no-include-precise --no-include-received --no-passphrase --no-manifest --no-stdin'
      values='' asked='' verbs=''
      ;;
    'archive register')
      options='-q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet --no-json --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    'archive forget')
      options='-f --force -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-force --no-quiet'
      values='' asked='archives' verbs=''
      ;;
    'archive restore')
      options='-n --dry-run -q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json --no-passphrase'
      values='' asked='archives' verbs=''
      ;;
    'archive prune')
      options='--keep-last= --keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= --keep-within= --store-counts -n --dry-run -q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-store-counts --no-dry-run --no-quiet --no-json --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    backup)
      options='--full --full-after= --verify --include-precise --include-received --keep-last= --keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= --keep-within= -n --dry-run -q --quiet --json -z --progress -r --recipient= -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-full --no-verify --no-include-precise --no-include-received --no-dry-run --no-quiet --no-json --no-progress --no-passphrase'
      values='create list check restore prune' asked='' verbs=''
      ;;
    'backup create')
      options='--full --full-after= --verify --include-precise --include-received --keep-last= --keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= --keep-within= -n --dry-run -q --quiet --json -z --progress -r --recipient= -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-full --no-verify --no-include-precise --no-include-received --no-dry-run --no-quiet --no-json --no-progress --no-passphrase'
      values='' asked='' verbs=''
      ;;
    'backup list')
      options='-q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet --no-json --no-passphrase'
      values='' asked='' verbs=''
      ;;
    'backup check')
      options='-q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet --no-json --no-passphrase'
      values='' asked='' verbs=''
      ;;
    'backup restore')
      options='--to= -o --output= -q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet --no-json --no-passphrase'
      values='' asked='' verbs=''
      ;;
    'backup prune')
      options='--keep-last= --keep-hourly= --keep-daily= --keep-weekly= --keep-monthly= --keep-yearly= --keep-within= -n --dry-run -q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json --no-passphrase'
      values='' asked='' verbs=''
      ;;
    canonicalize)
      options='--check --explain -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-check --no-explain --no-quiet'
      values='files' asked='' verbs=''
      ;;
    cat-node)
      options='-p -t -s -e --body --pointer= --format= --batch --batch-check --batch-command --batch-all-objects --filter= --buffer --strict -z -Z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-body --no-batch-all-objects --no-buffer --no-strict --no-quiet'
      values='' asked='ids' verbs='node receipt blob'
      ;;
    checkpoint)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='create list verify' asked='' verbs=''
      ;;
    'checkpoint create')
      options='-n --dry-run --new-log --ids= -o --output= --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-dry-run --no-new-log --no-quiet'
      values='' asked='' verbs=''
      ;;
    'checkpoint list')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'checkpoint verify')
      options='--of= --ids= --key= --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-passphrase --no-quiet'
      values='files' asked='ids' verbs=''
      ;;
    cid)
      options='--codec= --check -d --decode --stdin --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-check --no-decode --no-stdin --no-json --no-quiet'
      values='files' asked='' verbs=''
      ;;
    circle)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='list add set remove invite accept' asked='' verbs=''
      ;;
    'circle list')
      options='--invites --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-invites --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'circle add')
      options='--name= --phone= --key= --status= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'circle set')
      options='--name= --phone= --key= --status= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'circle remove')
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'circle invite')
      options='--uses= --expires= --message= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'circle accept')
      options='--name= --phone= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    commit)
      options='--action= -t --task= --field= --field-json= --payload --stdin --title= --description= --priority= --story-points= --frequency-days= --private --todo= --deadline= --completed= --days= --notes= --next --all-heads -f --force --date= --unsigned --profile= --passphrase-fd= -m --message= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-payload --no-stdin --no-private --no-next --no-all-heads --no-force --no-unsigned --no-dry-run --no-quiet --no-json'
      values='' asked='' verbs='create update create-todo complete-todo snooze archive unarchive delete'
      ;;
    compare)
      options='--stat -q --quiet --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-stat --no-quiet --no-json --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    config)
      options='--system --user --global --local -f --file= --all --append --type= --show-origin --show --forget -z --json -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-system --no-user --no-global --no-local --no-all --no-append --no-show-origin --no-show --no-forget --no-json --no-quiet'
      values='' asked='keys' verbs='list get set unset keys trust-store'
      ;;
    device)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='add list show name revoke restore forget' asked='' verbs=''
      ;;
    'device add')
      options='--name= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'device list')
      options='--all --received --wraps --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-all --no-received --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'device show')
      options='--received --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-received --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'device name')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'device revoke')
      options='--wraps --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'device restore')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'device forget')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    diff)
      options='--json-patch --json --name-only --task= --policy= --allow-empty --all-fields --exit-code -q --quiet --cache --color -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-json-patch --no-json --no-name-only --no-allow-empty --no-all-fields --no-exit-code --no-quiet --no-cache'
      values='' asked='' verbs=''
      ;;
    explain)
      options='--field= --todo= --all-fields --as-of= --policy= --allow-empty --json --color --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-all-fields --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='tasks' verbs=''
      ;;
    export)
      options='--format= --gzip -o --output= -f --force --kind= --include-precise --include-received -q --quiet --progress -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-gzip --no-force --no-include-precise --no-include-received --no-quiet --no-progress'
      values='files' asked='ids' verbs=''
      ;;
    fetch)
      options='-n --dry-run --all --kind= -t --task= --since= --stdin --audit --porcelain --json -z --watch --interval= --cursor= --allow-unsigned -q --quiet -v --verbose --progress --lock-timeout= --retry -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-all --no-stdin --no-audit --no-porcelain --no-json --no-watch --no-allow-unsigned --no-quiet --no-verbose --no-progress --no-retry'
      values='' asked='remotes' verbs=''
      ;;
    gc)
      options='--grace= --expire-to= --blobs -n --dry-run -q --quiet -v --verbose --json --progress -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-blobs --no-dry-run --no-quiet --no-verbose --no-json --no-progress'
      values='' asked='' verbs=''
      ;;
    hash-object)
      options='-w --update-heads -t --profile= --signature= --cid --explain --stdin --stdin-paths --ndjson --batch-verdicts -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-update-heads --no-cid --no-explain --no-stdin --no-stdin-paths --no-ndjson --no-batch-verdicts --no-quiet'
      values='files' asked='' verbs=''
      ;;
    import)
      options='-q --quiet -n --dry-run --from= --salvage --profile= --json -z --progress -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet --no-dry-run --no-salvage --no-json --no-progress --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    index)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='update rebuild check path sql query' asked='' verbs=''
      ;;
    'index update')
      options='-v --verbose -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-verbose --no-quiet'
      values='' asked='' verbs=''
      ;;
    'index rebuild')
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'index check')
      options='--update --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-update --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'index path')
      options='-z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'index sql')
      options='--update --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-update --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'index query')
      options='--limit= --literal --fts --update --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-literal --no-fts --no-update --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    init)
      options='-q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='directories' asked='' verbs=''
      ;;
    key)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='generate rotate list show import export exists put get rm device-id device-name sign verify' asked='' verbs=''
      ;;
    'key generate')
      options='--passphrase --passphrase-fd= --weak-passphrase -f --force -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-passphrase --no-quiet'
      values='' asked='' verbs=''
      ;;
    'key rotate')
      options='--passphrase --passphrase-fd= --weak-passphrase -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-passphrase --no-quiet'
      values='' asked='' verbs=''
      ;;
    'key list')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'key show')
      options='--public --user-id --device-id --device-name --json -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'key import')
      options='--private --public --passphrase --passphrase-fd= --weak-passphrase -f --force -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-passphrase --no-quiet'
      values='files' asked='' verbs=''
      ;;
    'key export')
      options='--private --public --yes --plain --passphrase-fd= --weak-passphrase -o --output= -f --force -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'key exists')
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'key put')
      options='-f --force --for= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='files' asked='' verbs=''
      ;;
    'key get')
      options='-q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'key rm')
      options='--all -n --dry-run --yes -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'key device-id')
      options='-f --force -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='ids' verbs='set'
      ;;
    'key device-name')
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'key sign')
      options='--form= --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='files' asked='' verbs=''
      ;;
    'key verify')
      options='--key= --signature= --form= -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='files' asked='' verbs=''
      ;;
    local)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='list put export import' asked='' verbs=''
      ;;
    'local list')
      options='--table= --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'local put')
      options='-n --dry-run -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'local export')
      options='-r --recipient= -o --output= -f --force --salvage -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-force --no-salvage --no-quiet'
      values='' asked='' verbs=''
      ;;
    'local import')
      options='-n --dry-run -q --quiet -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-passphrase'
      values='files' asked='' verbs=''
      ;;
    log)
      options='--all --ancestry-path --left-right --boundary --sort= -n --max-count= --skip= --reverse --page-size= --page-token= --since= --after= --until= --before= --action= --author= --device= --key= --task= --field= --grep= -S -i --ignore-case --lamport-gt= --after-id= --merges --min-parents= --max-parents= --roots --heads --as-of= --policy= --allow-empty --stdin --format= --json --pretty= --oneline --graph --ascii --dot --svg --color --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-all --no-ancestry-path --no-left-right --no-boundary --no-reverse --no-ignore-case --no-merges --no-roots --no-heads --no-allow-empty --no-stdin --no-json --no-oneline --no-graph --no-ascii --no-dot --no-svg --no-cache --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    ls-remote)
      options='--only= --kind= -t --task= --exit-code --json -z --allow-unsigned -q --quiet --progress --retry --access --owned --user --action= --author= --created-since= --sort= --limit= --verify= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-exit-code --no-json --no-allow-unsigned --no-quiet --no-progress --no-retry --no-owned --no-user'
      values='' asked='remotes' verbs=''
      ;;
    merge)
      options='--check -t --task= --all -s --strategy= --ours= --resolve= --resolve-json= --date= --unsigned --profile= --passphrase-fd= -m --message= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-check --no-all --no-unsigned --no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    merge-base)
      options='-a --all --octopus --independent --is-ancestor --fork-point --cache --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-all --no-octopus --no-independent --no-is-ancestor --no-fork-point --no-cache --no-json --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    prove)
      options='--checkpoint= --extends= --include-precise --include-received -o --output= --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-include-precise --no-include-received --no-json --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    push)
      options='-n --dry-run --kind= -t --task= --include-received --all --verify --replicas= --porcelain --json -z --allow-unsigned -q --quiet -v --verbose --progress --lock-timeout= --retry -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-include-received --no-all --no-verify --no-porcelain --no-json --no-allow-unsigned --no-quiet --no-verbose --no-progress --no-retry'
      values='' asked='remotes' verbs=''
      ;;
    quarantine)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='list show promote drop ignore' asked='' verbs=''
      ;;
    'quarantine list')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'quarantine show')
      options='--json --color -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='ids' verbs=''
      ;;
    'quarantine promote')
      options='-n --dry-run --allow-unsigned --lock-timeout= -q --quiet --json -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-allow-unsigned --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    'quarantine drop')
      options='--all -n --dry-run -q --quiet --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-all --no-dry-run --no-quiet --no-json'
      values='' asked='ids' verbs=''
      ;;
    'quarantine ignore')
      options='--forget -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='ids' verbs=''
      ;;
    query)
      options='--active --archived --pending --overdue --recurring --one-time --urgency= --match= --where= --sort= -n --max-count= --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-active --no-archived --no-pending --no-overdue --no-recurring --no-one-time --no-allow-empty --no-json --no-cache --no-quiet'
      values='tasks todos rate avg-completion streak rate-by-priority productive-hour velocity burndown' asked='' verbs=''
      ;;
    'query tasks')
      options='--active --archived --pending --overdue --recurring --one-time --urgency= --match= --where= --sort= -n --max-count= --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-active --no-archived --no-pending --no-overdue --no-recurring --no-one-time --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query todos')
      options='--pending --completed --completed-since= --due= --due-within= --overdue --notes --match= --where= --sort= -n --max-count= --literal --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-pending --no-completed --no-overdue --no-notes --no-literal --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query rate')
      options='--task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query avg-completion')
      options='--task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query streak')
      options='--allow-gap-today --literal --plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-allow-gap-today --no-literal --no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query rate-by-priority')
      options='--literal --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-literal --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query productive-hour')
      options='--plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query velocity')
      options='--literal --plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-literal --no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    'query burndown')
      options='--literal --plot --svg --ascii --task= --as-of= --policy= --allow-empty --tz= --json --cache -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-literal --no-plot --no-svg --no-ascii --no-allow-empty --no-json --no-cache --no-quiet'
      values='' asked='' verbs=''
      ;;
    receipt)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='create edit delete list show mark place' asked='' verbs=''
      ;;
    'receipt create')
      options='--type= --include-precise --at= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-include-precise --no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'receipt edit')
      options='--type= --include-precise --at= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-include-precise --no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'receipt delete')
      options='--reason= --at= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'receipt list')
      options='--root= --type= --did= --show-deleted --order= --svg --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-show-deleted --no-svg --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'receipt show')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'receipt mark')
      options='--favourite --archived --tag= --note= --image= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-favourite --no-archived --no-quiet'
      values='' asked='' verbs=''
      ;;
    'receipt place')
      options='--at= --accuracy= --name= --delay= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    record)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='new set show list check migrate import export' asked='' verbs=''
      ;;
    'record new')
      options='--person= --title= --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    'record set')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json'
      values='' asked='tasks' verbs=''
      ;;
    'record show')
      options='--all-fields --as-of= --policy= --allow-empty --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-all-fields --no-allow-empty --no-json --no-quiet'
      values='' asked='tasks' verbs=''
      ;;
    'record list')
      options='--task= --as-of= --policy= --allow-empty --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-allow-empty --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'record check')
      options='--task= --as-of= --policy= --allow-empty --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-allow-empty --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'record migrate')
      options='--strategy= --task= --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    'record import')
      options='--salvage --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-salvage --no-dry-run --no-quiet --no-json'
      values='files' asked='' verbs=''
      ;;
    'record export')
      options='--for= --task= --as-of= --policy= --allow-empty -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-allow-empty --no-quiet'
      values='' asked='' verbs=''
      ;;
    recover)
      options='--to= -o --output= --write-ref= -f --force --in-place --local --exact --kind= --policy= --task= --allow-empty --cache -n --dry-run -q --quiet --format= --json -z --date= --unsigned --profile= --passphrase-fd= -m --message= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-force --no-in-place --no-local --no-exact --no-allow-empty --no-cache --no-dry-run --no-quiet --no-json --no-unsigned'
      values='' asked='' verbs=''
      ;;
    reflog)
      options='-n --max-count= --date= --format= --json -z --dry-run -m -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-dry-run --no-quiet'
      values='' asked='refs' verbs='exists undo restore'
      ;;
    remote)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='add list show set rm check capabilities' asked='' verbs=''
      ;;
    'remote add')
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'remote list')
      options='-v --verbose --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-verbose --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'remote show')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'remote set')
      options='--unset -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'remote rm')
      options='-n --dry-run -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'remote check')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'remote capabilities')
      options='-z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    repack)
      options='-a --all --geometric= -n --dry-run -q --quiet --json --progress -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-all --no-dry-run --no-quiet --no-json --no-progress'
      values='' asked='' verbs=''
      ;;
    rev-parse)
      options='--verify -q --quiet --short --symbolic-full-name --show-store --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-verify --no-quiet --no-symbolic-full-name --no-show-store --no-json'
      values='' asked='revisions' verbs=''
      ;;
    revert)
      options='-f --force --author= --device= --key= --since= --until= --date= --unsigned --profile= --passphrase-fd= -m --message= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-force --no-unsigned --no-dry-run --no-quiet --no-json'
      values='' asked='revisions' verbs=''
      ;;
    schema)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='new list show add-field set rename hide restore deprecate merge merge-fields split-field check log diff import export merge-file' asked='' verbs=''
      ;;
    'schema new')
      options='--name= --icon= --description= --scope= --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='ids' verbs=''
      ;;
    'schema list')
      options='--all --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-all --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema show')
      options='--hash --for= --provenance --all-fields --as-of= --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-hash --no-provenance --no-all-fields --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema add-field')
      options='--type= --id= --name= --required --order= --placeholder= --help-text= --rule= --no-rules --multiline --capitalization= --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-required --no-no-rules --no-multiline --no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema set')
      options='--icon= --description= --type= --name= --required --order= --placeholder= --help-text= --rule= --no-rules --multiline --capitalization= --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet --created-at= --created-by= --updated-at= --updated-by= -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-required --no-no-rules --no-multiline --no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema rename')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema hide')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema restore')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema deprecate')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema merge')
      options='--pick= --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema merge-fields')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema split-field')
      options='--date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema check')
      options='--against= --mode= -q --quiet --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet --no-json'
      values='files' asked='' verbs=''
      ;;
    'schema log')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema diff')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema import')
      options='--scope= --hide-absent --salvage --records --date= -m --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-hide-absent --no-salvage --no-records --no-dry-run --no-quiet'
      values='files' asked='' verbs=''
      ;;
    'schema export')
      options='--for= -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'schema merge-file')
      options='--hash --scope= --salvage -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-hash --no-salvage --no-quiet'
      values='files' asked='' verbs=''
      ;;
    search)
      options='--tasks --fts --limit= --update --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-tasks --no-fts --no-update --no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    serve)
      options='--stdio --read-only --allow-unsigned --http= --firestore --emulator --accounts= --tls-certificate= --tls-key= --max-body= --max-connections= --max-running= --rate= --timeout= --grace= --metrics --log= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-stdio --no-read-only --no-allow-unsigned --no-emulator --no-quiet'
      values='account' asked='' verbs=''
      ;;
    'serve account')
      options='--accounts= --right= --expires= --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='directories' asked='' verbs='add list revoke'
      ;;
    share)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='create open list undo' asked='' verbs=''
      ;;
    'share create')
      options='--permissions= --include-precise --to= --circle --message= --passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-include-precise --no-circle --no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    'share open')
      options='--passphrase-fd= -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'share list')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'share undo')
      options='--passphrase-fd= -n --dry-run -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    show)
      options='--format= --json --all-fields --verify --stdin --color -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-all-fields --no-verify --no-stdin --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    show-ref)
      options='--heads --contains= --merged= --points-at= --format= --json --sort= --count= -z --verify --exists -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-heads --no-json --no-verify --no-exists --no-quiet'
      values='' asked='refs' verbs=''
      ;;
    snapshot)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='create list verify drop' asked='' verbs=''
      ;;
    'snapshot create')
      options='--as-of= --policy= -q --quiet -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'snapshot list')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'snapshot verify')
      options='-q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-quiet'
      values='' asked='' verbs=''
      ;;
    'snapshot drop')
      options='--all --stale -n --dry-run -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-all --no-stale --no-dry-run --no-quiet'
      values='' asked='' verbs=''
      ;;
    state)
      options='--json --hash --table --records --skips --task= --as-of= --policy= --allow-empty --stdin --cache --snapshot --trace -q --quiet -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-json --no-hash --no-table --no-records --no-skips --no-allow-empty --no-stdin --no-cache --no-snapshot --no-trace --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    stats)
      options='--by= --remote --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    sync)
      options='-n --dry-run --kind= -t --task= --include-received --all --interval= --merge --passphrase-fd= --json -z --allow-unsigned -q --quiet -v --verbose --progress --lock-timeout= --retry -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-include-received --no-all --no-merge --no-json --no-allow-unsigned --no-quiet --no-verbose --no-progress --no-retry'
      values='' asked='remotes' verbs=''
      ;;
    trust)
      options='-C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-quiet'
      values='add list revoke check' asked='' verbs=''
      ;;
    'trust add')
      options='-n --dry-run -q --quiet --role= --valid-after= --valid-before= --same-as= --prove --passphrase-fd= -m --message= --seen --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-prove --no-seen --no-json'
      values='' asked='' verbs=''
      ;;
    'trust list')
      options='--json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-json --no-quiet'
      values='' asked='' verbs=''
      ;;
    'trust revoke')
      options='-n --dry-run -q --quiet --valid-through= --stdin -m --message= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-quiet --no-stdin --no-json'
      values='' asked='' verbs=''
      ;;
    'trust check')
      options='--all --stdin --json -z -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-all --no-stdin --no-json --no-quiet'
      values='' asked='revisions' verbs=''
      ;;
    undo)
      options='--date= --unsigned --profile= --passphrase-fd= -m --message= -n --dry-run -q --quiet --format= --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-unsigned --no-dry-run --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    update-ref)
      options='-m -d --stdin -z --batch-updates --strict --json -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-stdin --no-batch-updates --no-strict --no-json --no-quiet'
      values='' asked='refs' verbs=''
      ;;
    verify)
      options='--all --stdin --ndjson --profile= --pass= --explain --summary= --sample= --max-duration= --resume= --progress --repair-from= --allow-unsigned --retry --repair-refs -n --dry-run --missing --records --proof --key= --json -z -i --identity= --passphrase-file= --passphrase --passphrase-fd= -C --redo-dir= --archive= -c -q --quiet -h --help --help-all --version'
      negations='--no-all --no-stdin --no-ndjson --no-explain --no-progress --no-allow-unsigned --no-retry --no-repair-refs --no-dry-run --no-missing --no-records --no-json --no-passphrase --no-quiet'
      values='files' asked='revisions' verbs=''
      ;;
    verify-pack)
      options='-v --verbose -q --quiet --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-verbose --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    wipe)
      options='-n --dry-run --yes --author= --all -q --quiet --json -z -C --redo-dir= --archive= -c -h --help --help-all --version'
      negations='--no-dry-run --no-yes --no-all --no-quiet --no-json'
      values='' asked='' verbs=''
      ;;
    help) values=$commands ;;
    '') options='-C --redo-dir= --archive= -c -q --quiet --list-commands -h --help --help-all --version' values="$commands help version" ;;
    *) return ;;
  esac

  local option=$previous
  if [[ $current == --*=* ]]; then
    option=${current%%=*} current=${current#*=}
  fi
  case "$command $option" in
    'age --output' | 'age -o') values='files' ;;
    'age --recipient' | 'age -r') values='' ;;
    'age --recipients-file' | 'age -R') values='files' ;;
    'age --identity' | 'age -i') values='' ;;
    'age --passphrase-file') values='files' ;;
    'age --passphrase-fd') values='' ;;
    'age -C') values='directories' ;;
    'age --redo-dir') values='directories' ;;
    'age --archive') values='files' ;;
    'age -c') values='' ;;
    'archive -C') values='directories' ;;
    'archive --redo-dir') values='directories' ;;
    'archive --archive') values='files' ;;
    'archive -c') values='' ;;
    'archive create --output' | 'archive create -o') values='files' ;;
    'archive create --before') values='' ;;
    'archive create --older-than') values='' ;;
    'archive create --since') values='files' ;;
    'archive create --clock') values='wall received' ;;
    'archive create --split') values='month year' ;;
    'archive create --remote') values='' asked='remotes' asks=yes ;;
    'archive create --kind') values='node blob receipt schema' ;;
    'archive create --recipient' | 'archive create -r') values='' ;;
    'archive create --passphrase-file') values='files' ;;
    'archive create --passphrase-fd') values='' ;;
    'archive create -C') values='directories' ;;
    'archive create --redo-dir') values='directories' ;;
    'archive create --archive') values='files' ;;
    'archive create -c') values='' ;;
    'archive verify --profile') values='v1 sync genesis' ;;
    'archive verify --identity' | 'archive verify -i') values='' ;;
    'archive verify --passphrase-file') values='files' ;;
    'archive verify --passphrase-fd') values='' ;;
    'archive verify -C') values='directories' ;;
    'archive verify --redo-dir') values='directories' ;;
    'archive verify --archive') values='files' ;;
    'archive verify -c') values='' ;;
    'archive list --identity' | 'archive list -i') values='' ;;
    'archive list --passphrase-file') values='files' ;;
    'archive list --passphrase-fd') values='' ;;
    'archive list -C') values='directories' ;;
    'archive list --redo-dir') values='directories' ;;
    'archive list --archive') values='files' ;;
    'archive list -c') values='' ;;
    'archive show --identity' | 'archive show -i') values='' ;;
    'archive show --passphrase-file') values='files' ;;
    'archive show --passphrase-fd') values='' ;;
    'archive show -C') values='directories' ;;
    'archive show --redo-dir') values='directories' ;;
    'archive show --archive') values='files' ;;
    'archive show -c') values='' ;;
    'archive extract --format') values='' ;;
    'archive extract --identity' | 'archive extract -i') values='' ;;
    'archive extract --passphrase-file') values='files' ;;
    'archive extract --passphrase-fd') values='' ;;
    'archive extract -C') values='directories' ;;
    'archive extract --redo-dir') values='directories' ;;
    'archive extract --archive') values='files' ;;
    'archive extract -c') values='' ;;
    'archive diff --identity' | 'archive diff -i') values='' ;;
    'archive diff --passphrase-file') values='files' ;;
    'archive diff --passphrase-fd') values='' ;;
    'archive diff -C') values='directories' ;;
    'archive diff --redo-dir') values='directories' ;;
    'archive diff --archive') values='files' ;;
    'archive diff -c') values='' ;;
    'archive bundle --output' | 'archive bundle -o') values='files' ;;
    'archive bundle --since') values='files' ;;
    'archive bundle --remote') values='' asked='remotes' asks=yes ;;
    'archive bundle --kind') values='node blob receipt schema' ;;
    'archive bundle --recipient' | 'archive bundle -r') values='' ;;
    'archive bundle --passphrase-file') values='files' ;;
    'archive bundle --passphrase-fd') values='' ;;
    'archive bundle -C') values='directories' ;;
    'archive bundle --redo-dir') values='directories' ;;
    'archive bundle --archive') values='files' ;;
    'archive bundle -c') values='' ;;
    'archive register --identity' | 'archive register -i') values='' ;;
    'archive register --passphrase-file') values='files' ;;
    'archive register --passphrase-fd') values='' ;;
    'archive register -C') values='directories' ;;
    'archive register --redo-dir') values='directories' ;;
    'archive register --archive') values='files' ;;
    'archive register -c') values='' ;;
    'archive forget -C') values='directories' ;;
    'archive forget --redo-dir') values='directories' ;;
    'archive forget --archive') values='files' ;;
    'archive forget -c') values='' ;;
    'archive restore --identity' | 'archive restore -i') values='' ;;
    'archive restore --passphrase-file') values='files' ;;
    'archive restore --passphrase-fd') values='' ;;
    'archive restore -C') values='directories' ;;
    'archive restore --redo-dir') values='directories' ;;
    'archive restore --archive') values='files' ;;
    'archive restore -c') values='' ;;
    'archive prune --keep-last') values='' ;;
    'archive prune --keep-hourly') values='' ;;
    'archive prune --keep-daily') values='' ;;
    'archive prune --keep-weekly') values='' ;;
    'archive prune --keep-monthly') values='' ;;
    'archive prune --keep-yearly') values='' ;;
    'archive prune --keep-within') values='' ;;
    'archive prune --identity' | 'archive prune -i') values='' ;;
    'archive prune --passphrase-file') values='files' ;;
    'archive prune --passphrase-fd') values='' ;;
    'archive prune -C') values='directories' ;;
    'archive prune --redo-dir') values='directories' ;;
    'archive prune --archive') values='files' ;;
    'archive prune -c') values='' ;;
    'backup --full-after') values='' ;;
    'backup --keep-last') values='' ;;
    'backup --keep-hourly') values='' ;;
    'backup --keep-daily') values='' ;;
    'backup --keep-weekly') values='' ;;
    'backup --keep-monthly') values='' ;;
    'backup --keep-yearly') values='' ;;
    'backup --keep-within') values='' ;;
    'backup --recipient' | 'backup -r') values='' ;;
    'backup --identity' | 'backup -i') values='' ;;
    'backup --passphrase-file') values='files' ;;
    'backup --passphrase-fd') values='' ;;
    'backup -C') values='directories' ;;
    'backup --redo-dir') values='directories' ;;
    'backup --archive') values='files' ;;
    'backup -c') values='' ;;
    'backup create --full-after') values='' ;;
    'backup create --keep-last') values='' ;;
    'backup create --keep-hourly') values='' ;;
    'backup create --keep-daily') values='' ;;
    'backup create --keep-weekly') values='' ;;
    'backup create --keep-monthly') values='' ;;
    'backup create --keep-yearly') values='' ;;
    'backup create --keep-within') values='' ;;
    'backup create --recipient' | 'backup create -r') values='' ;;
    'backup create --identity' | 'backup create -i') values='' ;;
    'backup create --passphrase-file') values='files' ;;
    'backup create --passphrase-fd') values='' ;;
    'backup create -C') values='directories' ;;
    'backup create --redo-dir') values='directories' ;;
    'backup create --archive') values='files' ;;
    'backup create -c') values='' ;;
    'backup list --identity' | 'backup list -i') values='' ;;
    'backup list --passphrase-file') values='files' ;;
    'backup list --passphrase-fd') values='' ;;
    'backup list -C') values='directories' ;;
    'backup list --redo-dir') values='directories' ;;
    'backup list --archive') values='files' ;;
    'backup list -c') values='' ;;
    'backup check --identity' | 'backup check -i') values='' ;;
    'backup check --passphrase-file') values='files' ;;
    'backup check --passphrase-fd') values='' ;;
    'backup check -C') values='directories' ;;
    'backup check --redo-dir') values='directories' ;;
    'backup check --archive') values='files' ;;
    'backup check -c') values='' ;;
    'backup restore --to') values='' ;;
    'backup restore --output' | 'backup restore -o') values='directories' ;;
    'backup restore --identity' | 'backup restore -i') values='' ;;
    'backup restore --passphrase-file') values='files' ;;
    'backup restore --passphrase-fd') values='' ;;
    'backup restore -C') values='directories' ;;
    'backup restore --redo-dir') values='directories' ;;
    'backup restore --archive') values='files' ;;
    'backup restore -c') values='' ;;
    'backup prune --keep-last') values='' ;;
    'backup prune --keep-hourly') values='' ;;
    'backup prune --keep-daily') values='' ;;
    'backup prune --keep-weekly') values='' ;;
    'backup prune --keep-monthly') values='' ;;
    'backup prune --keep-yearly') values='' ;;
    'backup prune --keep-within') values='' ;;
    'backup prune --identity' | 'backup prune -i') values='' ;;
    'backup prune --passphrase-file') values='files' ;;
    'backup prune --passphrase-fd') values='' ;;
    'backup prune -C') values='directories' ;;
    'backup prune --redo-dir') values='directories' ;;
    'backup prune --archive') values='files' ;;
    'backup prune -c') values='' ;;
    'canonicalize -C') values='directories' ;;
    'canonicalize --redo-dir') values='directories' ;;
    'canonicalize --archive') values='files' ;;
    'canonicalize -c') values='' ;;
    'cat-node --pointer') values='' ;;
    'cat-node --format') values='' ;;
    'cat-node --filter') values='' ;;
    'cat-node -C') values='directories' ;;
    'cat-node --redo-dir') values='directories' ;;
    'cat-node --archive') values='files' ;;
    'cat-node -c') values='' ;;
    'checkpoint -C') values='directories' ;;
    'checkpoint --redo-dir') values='directories' ;;
    'checkpoint --archive') values='files' ;;
    'checkpoint -c') values='' ;;
    'checkpoint create --ids') values='files' ;;
    'checkpoint create --output' | 'checkpoint create -o') values='files' ;;
    'checkpoint create --passphrase-fd') values='' ;;
    'checkpoint create -C') values='directories' ;;
    'checkpoint create --redo-dir') values='directories' ;;
    'checkpoint create --archive') values='files' ;;
    'checkpoint create -c') values='' ;;
    'checkpoint list -C') values='directories' ;;
    'checkpoint list --redo-dir') values='directories' ;;
    'checkpoint list --archive') values='files' ;;
    'checkpoint list -c') values='' ;;
    'checkpoint verify --of') values='' ;;
    'checkpoint verify --ids') values='files' ;;
    'checkpoint verify --key') values='' ;;
    'checkpoint verify --identity' | 'checkpoint verify -i') values='' ;;
    'checkpoint verify --passphrase-file') values='files' ;;
    'checkpoint verify --passphrase-fd') values='' ;;
    'checkpoint verify -C') values='directories' ;;
    'checkpoint verify --redo-dir') values='directories' ;;
    'checkpoint verify --archive') values='files' ;;
    'checkpoint verify -c') values='' ;;
    'cid --codec') values='' ;;
    'cid -C') values='directories' ;;
    'cid --redo-dir') values='directories' ;;
    'cid --archive') values='files' ;;
    'cid -c') values='' ;;
    'circle -C') values='directories' ;;
    'circle --redo-dir') values='directories' ;;
    'circle --archive') values='files' ;;
    'circle -c') values='' ;;
    'circle list -C') values='directories' ;;
    'circle list --redo-dir') values='directories' ;;
    'circle list --archive') values='files' ;;
    'circle list -c') values='' ;;
    'circle add --name') values='' ;;
    'circle add --phone') values='' ;;
    'circle add --key') values='' ;;
    'circle add --status') values='' ;;
    'circle add -C') values='directories' ;;
    'circle add --redo-dir') values='directories' ;;
    'circle add --archive') values='files' ;;
    'circle add -c') values='' ;;
    'circle set --name') values='' ;;
    'circle set --phone') values='' ;;
    'circle set --key') values='' ;;
    'circle set --status') values='' ;;
    'circle set -C') values='directories' ;;
    'circle set --redo-dir') values='directories' ;;
    'circle set --archive') values='files' ;;
    'circle set -c') values='' ;;
    'circle remove -C') values='directories' ;;
    'circle remove --redo-dir') values='directories' ;;
    'circle remove --archive') values='files' ;;
    'circle remove -c') values='' ;;
    'circle invite --uses') values='' ;;
    'circle invite --expires') values='' ;;
    'circle invite --message') values='' ;;
    'circle invite -C') values='directories' ;;
    'circle invite --redo-dir') values='directories' ;;
    'circle invite --archive') values='files' ;;
    'circle invite -c') values='' ;;
    'circle accept --name') values='' ;;
    'circle accept --phone') values='' ;;
    'circle accept -C') values='directories' ;;
    'circle accept --redo-dir') values='directories' ;;
    'circle accept --archive') values='files' ;;
    'circle accept -c') values='' ;;
    'commit --action') values='CREATE UPDATE CREATE_TODO ADD_TODO COMPLETE_TODO SNOOZE COMPLETE ARCHIVE UNARCHIVE DELETE MERGE' ;;
    'commit --task' | 'commit -t') values='' asked='tasks' asks=yes ;;
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
    'commit --archive') values='files' ;;
    'commit -c') values='' ;;
    'compare --identity' | 'compare -i') values='' ;;
    'compare --passphrase-file') values='files' ;;
    'compare --passphrase-fd') values='' ;;
    'compare -C') values='directories' ;;
    'compare --redo-dir') values='directories' ;;
    'compare --archive') values='files' ;;
    'compare -c') values='' ;;
    'config --file' | 'config -f') values='files' ;;
    'config --type') values='bool int path' ;;
    'config -C') values='directories' ;;
    'config --redo-dir') values='directories' ;;
    'config --archive') values='files' ;;
    'config -c') values='' ;;
    'device -C') values='directories' ;;
    'device --redo-dir') values='directories' ;;
    'device --archive') values='files' ;;
    'device -c') values='' ;;
    'device add --name') values='' ;;
    'device add -C') values='directories' ;;
    'device add --redo-dir') values='directories' ;;
    'device add --archive') values='files' ;;
    'device add -c') values='' ;;
    'device list -C') values='directories' ;;
    'device list --redo-dir') values='directories' ;;
    'device list --archive') values='files' ;;
    'device list -c') values='' ;;
    'device show -C') values='directories' ;;
    'device show --redo-dir') values='directories' ;;
    'device show --archive') values='files' ;;
    'device show -c') values='' ;;
    'device name --date') values='' ;;
    'device name --message' | 'device name -m') values='' ;;
    'device name --passphrase-fd') values='' ;;
    'device name -C') values='directories' ;;
    'device name --redo-dir') values='directories' ;;
    'device name --archive') values='files' ;;
    'device name -c') values='' ;;
    'device revoke --date') values='' ;;
    'device revoke --message' | 'device revoke -m') values='' ;;
    'device revoke --passphrase-fd') values='' ;;
    'device revoke -C') values='directories' ;;
    'device revoke --redo-dir') values='directories' ;;
    'device revoke --archive') values='files' ;;
    'device revoke -c') values='' ;;
    'device restore --date') values='' ;;
    'device restore --message' | 'device restore -m') values='' ;;
    'device restore --passphrase-fd') values='' ;;
    'device restore -C') values='directories' ;;
    'device restore --redo-dir') values='directories' ;;
    'device restore --archive') values='files' ;;
    'device restore -c') values='' ;;
    'device forget --date') values='' ;;
    'device forget --message' | 'device forget -m') values='' ;;
    'device forget --passphrase-fd') values='' ;;
    'device forget -C') values='directories' ;;
    'device forget --redo-dir') values='directories' ;;
    'device forget --archive') values='files' ;;
    'device forget -c') values='' ;;
    'diff --task') values='' asked='tasks' asks=yes ;;
    'diff --policy') values='closed wall received' ;;
    'diff --color') values='auto always never' ;;
    'diff -C') values='directories' ;;
    'diff --redo-dir') values='directories' ;;
    'diff --archive') values='files' ;;
    'diff -c') values='' ;;
    'explain --field') values='' ;;
    'explain --todo') values='' ;;
    'explain --as-of') values='' ;;
    'explain --policy') values='closed wall received' ;;
    'explain --color') values='auto always never' ;;
    'explain -C') values='directories' ;;
    'explain --redo-dir') values='directories' ;;
    'explain --archive') values='files' ;;
    'explain -c') values='' ;;
    'export --format') values='' ;;
    'export --output' | 'export -o') values='files' ;;
    'export --kind') values='node blob receipt schema' ;;
    'export -C') values='directories' ;;
    'export --redo-dir') values='directories' ;;
    'export --archive') values='files' ;;
    'export -c') values='' ;;
    'fetch --kind') values='node blob receipt schema' ;;
    'fetch --task' | 'fetch -t') values='' asked='tasks' asks=yes ;;
    'fetch --since') values='' ;;
    'fetch --interval') values='' ;;
    'fetch --cursor') values='' ;;
    'fetch --lock-timeout') values='' ;;
    'fetch -C') values='directories' ;;
    'fetch --redo-dir') values='directories' ;;
    'fetch --archive') values='files' ;;
    'fetch -c') values='' ;;
    'gc --grace') values='' ;;
    'gc --expire-to') values='files' ;;
    'gc -C') values='directories' ;;
    'gc --redo-dir') values='directories' ;;
    'gc --archive') values='files' ;;
    'gc -c') values='' ;;
    'hash-object -t') values='node blob receipt schema' ;;
    'hash-object --profile') values='v1 sync genesis' ;;
    'hash-object --signature') values='' ;;
    'hash-object -C') values='directories' ;;
    'hash-object --redo-dir') values='directories' ;;
    'hash-object --archive') values='files' ;;
    'hash-object -c') values='' ;;
    'import --from') values='' ;;
    'import --profile') values='v1 sync genesis' ;;
    'import --identity' | 'import -i') values='' ;;
    'import --passphrase-file') values='files' ;;
    'import --passphrase-fd') values='' ;;
    'import -C') values='directories' ;;
    'import --redo-dir') values='directories' ;;
    'import --archive') values='files' ;;
    'import -c') values='' ;;
    'index -C') values='directories' ;;
    'index --redo-dir') values='directories' ;;
    'index --archive') values='files' ;;
    'index -c') values='' ;;
    'index update -C') values='directories' ;;
    'index update --redo-dir') values='directories' ;;
    'index update --archive') values='files' ;;
    'index update -c') values='' ;;
    'index rebuild -C') values='directories' ;;
    'index rebuild --redo-dir') values='directories' ;;
    'index rebuild --archive') values='files' ;;
    'index rebuild -c') values='' ;;
    'index check -C') values='directories' ;;
    'index check --redo-dir') values='directories' ;;
    'index check --archive') values='files' ;;
    'index check -c') values='' ;;
    'index path -C') values='directories' ;;
    'index path --redo-dir') values='directories' ;;
    'index path --archive') values='files' ;;
    'index path -c') values='' ;;
    'index sql -C') values='directories' ;;
    'index sql --redo-dir') values='directories' ;;
    'index sql --archive') values='files' ;;
    'index sql -c') values='' ;;
    'index query --limit') values='' ;;
    'index query -C') values='directories' ;;
    'index query --redo-dir') values='directories' ;;
    'index query --archive') values='files' ;;
    'index query -c') values='' ;;
    'init -C') values='directories' ;;
    'init --redo-dir') values='directories' ;;
    'init --archive') values='files' ;;
    'init -c') values='' ;;
    'key -C') values='directories' ;;
    'key --redo-dir') values='directories' ;;
    'key --archive') values='files' ;;
    'key -c') values='' ;;
    'key generate --passphrase-fd') values='' ;;
    'key generate -C') values='directories' ;;
    'key generate --redo-dir') values='directories' ;;
    'key generate --archive') values='files' ;;
    'key generate -c') values='' ;;
    'key rotate --passphrase-fd') values='' ;;
    'key rotate -C') values='directories' ;;
    'key rotate --redo-dir') values='directories' ;;
    'key rotate --archive') values='files' ;;
    'key rotate -c') values='' ;;
    'key list -C') values='directories' ;;
    'key list --redo-dir') values='directories' ;;
    'key list --archive') values='files' ;;
    'key list -c') values='' ;;
    'key show -C') values='directories' ;;
    'key show --redo-dir') values='directories' ;;
    'key show --archive') values='files' ;;
    'key show -c') values='' ;;
    'key import --passphrase-fd') values='' ;;
    'key import -C') values='directories' ;;
    'key import --redo-dir') values='directories' ;;
    'key import --archive') values='files' ;;
    'key import -c') values='' ;;
    'key export --passphrase-fd') values='' ;;
    'key export --output' | 'key export -o') values='files' ;;
    'key export -C') values='directories' ;;
    'key export --redo-dir') values='directories' ;;
    'key export --archive') values='files' ;;
    'key export -c') values='' ;;
    'key exists -C') values='directories' ;;
    'key exists --redo-dir') values='directories' ;;
    'key exists --archive') values='files' ;;
    'key exists -c') values='' ;;
    'key put --for') values='' ;;
    'key put -C') values='directories' ;;
    'key put --redo-dir') values='directories' ;;
    'key put --archive') values='files' ;;
    'key put -c') values='' ;;
    'key get -C') values='directories' ;;
    'key get --redo-dir') values='directories' ;;
    'key get --archive') values='files' ;;
    'key get -c') values='' ;;
    'key rm -C') values='directories' ;;
    'key rm --redo-dir') values='directories' ;;
    'key rm --archive') values='files' ;;
    'key rm -c') values='' ;;
    'key device-id -C') values='directories' ;;
    'key device-id --redo-dir') values='directories' ;;
    'key device-id --archive') values='files' ;;
    'key device-id -c') values='' ;;
    'key device-name -C') values='directories' ;;
    'key device-name --redo-dir') values='directories' ;;
    'key device-name --archive') values='files' ;;
    'key device-name -c') values='' ;;
    'key sign --form') values='body digest' ;;
    'key sign --passphrase-fd') values='' ;;
    'key sign -C') values='directories' ;;
    'key sign --redo-dir') values='directories' ;;
    'key sign --archive') values='files' ;;
    'key sign -c') values='' ;;
    'key verify --key') values='' ;;
    'key verify --signature') values='' ;;
    'key verify --form') values='body digest' ;;
    'key verify -C') values='directories' ;;
    'key verify --redo-dir') values='directories' ;;
    'key verify --archive') values='files' ;;
    'key verify -c') values='' ;;
    'local -C') values='directories' ;;
    'local --redo-dir') values='directories' ;;
    'local --archive') values='files' ;;
    'local -c') values='' ;;
    'local list --table') values='local_receipts circles devices circle_invites shared_memories received_memories locations blobs receipt_blobs' ;;
    'local list -C') values='directories' ;;
    'local list --redo-dir') values='directories' ;;
    'local list --archive') values='files' ;;
    'local list -c') values='' ;;
    'local put -C') values='directories' ;;
    'local put --redo-dir') values='directories' ;;
    'local put --archive') values='files' ;;
    'local put -c') values='' ;;
    'local export --recipient' | 'local export -r') values='' ;;
    'local export --output' | 'local export -o') values='files' ;;
    'local export -C') values='directories' ;;
    'local export --redo-dir') values='directories' ;;
    'local export --archive') values='files' ;;
    'local export -c') values='' ;;
    'local import --identity' | 'local import -i') values='' ;;
    'local import --passphrase-file') values='files' ;;
    'local import --passphrase-fd') values='' ;;
    'local import -C') values='directories' ;;
    'local import --redo-dir') values='directories' ;;
    'local import --archive') values='files' ;;
    'local import -c') values='' ;;
    'log --sort') values='wall order received lamport' ;;
    'log --max-count' | 'log -n') values='' ;;
    'log --skip') values='' ;;
    'log --page-size') values='' ;;
    'log --page-token') values='' asked='ids' asks=yes ;;
    'log --since') values='' ;;
    'log --after') values='' ;;
    'log --until') values='' ;;
    'log --before') values='' ;;
    'log --action') values='CREATE UPDATE CREATE_TODO ADD_TODO COMPLETE_TODO SNOOZE COMPLETE ARCHIVE UNARCHIVE DELETE MERGE' ;;
    'log --author') values='' ;;
    'log --device') values='' ;;
    'log --key') values='' ;;
    'log --task') values='' asked='tasks' asks=yes ;;
    'log --field') values='' ;;
    'log --grep') values='' ;;
    'log -S') values='' ;;
    'log --lamport-gt') values='' ;;
    'log --after-id') values='' asked='revisions' asks=yes ;;
    'log --min-parents') values='' ;;
    'log --max-parents') values='' ;;
    'log --as-of') values='' ;;
    'log --policy') values='closed wall received' ;;
    'log --format') values='' ;;
    'log --pretty') values='' ;;
    'log --color') values='auto always never' ;;
    'log -C') values='directories' ;;
    'log --redo-dir') values='directories' ;;
    'log --archive') values='files' ;;
    'log -c') values='' ;;
    'ls-remote --only') values='' ;;
    'ls-remote --kind') values='node blob receipt schema' ;;
    'ls-remote --task' | 'ls-remote -t') values='' asked='tasks' asks=yes ;;
    'ls-remote --action') values='CREATE UPDATE CREATE_TODO ADD_TODO COMPLETE_TODO SNOOZE COMPLETE ARCHIVE UNARCHIVE DELETE MERGE' ;;
    'ls-remote --author') values='' ;;
    'ls-remote --created-since') values='' ;;
    'ls-remote --sort') values='' ;;
    'ls-remote --limit') values='' ;;
    'ls-remote --verify') values='' asked='ids' asks=yes ;;
    'ls-remote -C') values='directories' ;;
    'ls-remote --redo-dir') values='directories' ;;
    'ls-remote --archive') values='files' ;;
    'ls-remote -c') values='' ;;
    'merge --task' | 'merge -t') values='' asked='tasks' asks=yes ;;
    'merge --strategy' | 'merge -s') values='concatenate source target' ;;
    'merge --ours') values='' asked='revisions' asks=yes ;;
    'merge --resolve') values='' ;;
    'merge --resolve-json') values='' ;;
    'merge --date') values='' ;;
    'merge --profile') values='v1 sync genesis' ;;
    'merge --passphrase-fd') values='' ;;
    'merge --message' | 'merge -m') values='' ;;
    'merge --format') values='' ;;
    'merge -C') values='directories' ;;
    'merge --redo-dir') values='directories' ;;
    'merge --archive') values='files' ;;
    'merge -c') values='' ;;
    'merge-base -C') values='directories' ;;
    'merge-base --redo-dir') values='directories' ;;
    'merge-base --archive') values='files' ;;
    'merge-base -c') values='' ;;
    'prove --checkpoint') values='' ;;
    'prove --extends') values='' ;;
    'prove --output' | 'prove -o') values='files' ;;
    'prove -C') values='directories' ;;
    'prove --redo-dir') values='directories' ;;
    'prove --archive') values='files' ;;
    'prove -c') values='' ;;
    'push --kind') values='node blob receipt schema' ;;
    'push --task' | 'push -t') values='' asked='tasks' asks=yes ;;
    'push --replicas') values='' ;;
    'push --lock-timeout') values='' ;;
    'push -C') values='directories' ;;
    'push --redo-dir') values='directories' ;;
    'push --archive') values='files' ;;
    'push -c') values='' ;;
    'quarantine -C') values='directories' ;;
    'quarantine --redo-dir') values='directories' ;;
    'quarantine --archive') values='files' ;;
    'quarantine -c') values='' ;;
    'quarantine list -C') values='directories' ;;
    'quarantine list --redo-dir') values='directories' ;;
    'quarantine list --archive') values='files' ;;
    'quarantine list -c') values='' ;;
    'quarantine show --color') values='auto always never' ;;
    'quarantine show -C') values='directories' ;;
    'quarantine show --redo-dir') values='directories' ;;
    'quarantine show --archive') values='files' ;;
    'quarantine show -c') values='' ;;
    'quarantine promote --lock-timeout') values='' ;;
    'quarantine promote -C') values='directories' ;;
    'quarantine promote --redo-dir') values='directories' ;;
    'quarantine promote --archive') values='files' ;;
    'quarantine promote -c') values='' ;;
    'quarantine drop -C') values='directories' ;;
    'quarantine drop --redo-dir') values='directories' ;;
    'quarantine drop --archive') values='files' ;;
    'quarantine drop -c') values='' ;;
    'quarantine ignore -C') values='directories' ;;
    'quarantine ignore --redo-dir') values='directories' ;;
    'quarantine ignore --archive') values='files' ;;
    'quarantine ignore -c') values='' ;;
    'query --urgency') values='' ;;
    'query --match') values='' ;;
    'query --where') values='' asked='revisions' asks=yes ;;
    'query --sort') values='' ;;
    'query --max-count' | 'query -n') values='' ;;
    'query --task') values='' asked='tasks' asks=yes ;;
    'query --as-of') values='' ;;
    'query --policy') values='closed wall received' ;;
    'query --tz') values='' ;;
    'query -C') values='directories' ;;
    'query --redo-dir') values='directories' ;;
    'query --archive') values='files' ;;
    'query -c') values='' ;;
    'query tasks --urgency') values='' ;;
    'query tasks --match') values='' ;;
    'query tasks --where') values='' asked='revisions' asks=yes ;;
    'query tasks --sort') values='' ;;
    'query tasks --max-count' | 'query tasks -n') values='' ;;
    'query tasks --task') values='' asked='tasks' asks=yes ;;
    'query tasks --as-of') values='' ;;
    'query tasks --policy') values='closed wall received' ;;
    'query tasks --tz') values='' ;;
    'query tasks -C') values='directories' ;;
    'query tasks --redo-dir') values='directories' ;;
    'query tasks --archive') values='files' ;;
    'query tasks -c') values='' ;;
    'query todos --completed-since') values='' ;;
    'query todos --due') values='' ;;
    'query todos --due-within') values='' ;;
    'query todos --match') values='' ;;
    'query todos --where') values='' asked='revisions' asks=yes ;;
    'query todos --sort') values='' ;;
    'query todos --max-count' | 'query todos -n') values='' ;;
    'query todos --task') values='' asked='tasks' asks=yes ;;
    'query todos --as-of') values='' ;;
    'query todos --policy') values='closed wall received' ;;
    'query todos --tz') values='' ;;
    'query todos -C') values='directories' ;;
    'query todos --redo-dir') values='directories' ;;
    'query todos --archive') values='files' ;;
    'query todos -c') values='' ;;
    'query rate --task') values='' asked='tasks' asks=yes ;;
    'query rate --as-of') values='' ;;
    'query rate --policy') values='closed wall received' ;;
    'query rate --tz') values='' ;;
    'query rate -C') values='directories' ;;
    'query rate --redo-dir') values='directories' ;;
    'query rate --archive') values='files' ;;
    'query rate -c') values='' ;;
    'query avg-completion --task') values='' asked='tasks' asks=yes ;;
    'query avg-completion --as-of') values='' ;;
    'query avg-completion --policy') values='closed wall received' ;;
    'query avg-completion --tz') values='' ;;
    'query avg-completion -C') values='directories' ;;
    'query avg-completion --redo-dir') values='directories' ;;
    'query avg-completion --archive') values='files' ;;
    'query avg-completion -c') values='' ;;
    'query streak --task') values='' asked='tasks' asks=yes ;;
    'query streak --as-of') values='' ;;
    'query streak --policy') values='closed wall received' ;;
    'query streak --tz') values='' ;;
    'query streak -C') values='directories' ;;
    'query streak --redo-dir') values='directories' ;;
    'query streak --archive') values='files' ;;
    'query streak -c') values='' ;;
    'query rate-by-priority --task') values='' asked='tasks' asks=yes ;;
    'query rate-by-priority --as-of') values='' ;;
    'query rate-by-priority --policy') values='closed wall received' ;;
    'query rate-by-priority --tz') values='' ;;
    'query rate-by-priority -C') values='directories' ;;
    'query rate-by-priority --redo-dir') values='directories' ;;
    'query rate-by-priority --archive') values='files' ;;
    'query rate-by-priority -c') values='' ;;
    'query productive-hour --task') values='' asked='tasks' asks=yes ;;
    'query productive-hour --as-of') values='' ;;
    'query productive-hour --policy') values='closed wall received' ;;
    'query productive-hour --tz') values='' ;;
    'query productive-hour -C') values='directories' ;;
    'query productive-hour --redo-dir') values='directories' ;;
    'query productive-hour --archive') values='files' ;;
    'query productive-hour -c') values='' ;;
    'query velocity --task') values='' asked='tasks' asks=yes ;;
    'query velocity --as-of') values='' ;;
    'query velocity --policy') values='closed wall received' ;;
    'query velocity --tz') values='' ;;
    'query velocity -C') values='directories' ;;
    'query velocity --redo-dir') values='directories' ;;
    'query velocity --archive') values='files' ;;
    'query velocity -c') values='' ;;
    'query burndown --task') values='' asked='tasks' asks=yes ;;
    'query burndown --as-of') values='' ;;
    'query burndown --policy') values='closed wall received' ;;
    'query burndown --tz') values='' ;;
    'query burndown -C') values='directories' ;;
    'query burndown --redo-dir') values='directories' ;;
    'query burndown --archive') values='files' ;;
    'query burndown -c') values='' ;;
    'receipt -C') values='directories' ;;
    'receipt --redo-dir') values='directories' ;;
    'receipt --archive') values='files' ;;
    'receipt -c') values='' ;;
    'receipt create --type') values='' ;;
    'receipt create --at') values='' ;;
    'receipt create --message' | 'receipt create -m') values='' ;;
    'receipt create --passphrase-fd') values='' ;;
    'receipt create -C') values='directories' ;;
    'receipt create --redo-dir') values='directories' ;;
    'receipt create --archive') values='files' ;;
    'receipt create -c') values='' ;;
    'receipt edit --type') values='' ;;
    'receipt edit --at') values='' ;;
    'receipt edit --message' | 'receipt edit -m') values='' ;;
    'receipt edit --passphrase-fd') values='' ;;
    'receipt edit -C') values='directories' ;;
    'receipt edit --redo-dir') values='directories' ;;
    'receipt edit --archive') values='files' ;;
    'receipt edit -c') values='' ;;
    'receipt delete --reason') values='' ;;
    'receipt delete --at') values='' ;;
    'receipt delete --message' | 'receipt delete -m') values='' ;;
    'receipt delete --passphrase-fd') values='' ;;
    'receipt delete -C') values='directories' ;;
    'receipt delete --redo-dir') values='directories' ;;
    'receipt delete --archive') values='files' ;;
    'receipt delete -c') values='' ;;
    'receipt list --root') values='' ;;
    'receipt list --type') values='' ;;
    'receipt list --did') values='' ;;
    'receipt list --order') values='wall order received lamport' ;;
    'receipt list -C') values='directories' ;;
    'receipt list --redo-dir') values='directories' ;;
    'receipt list --archive') values='files' ;;
    'receipt list -c') values='' ;;
    'receipt show -C') values='directories' ;;
    'receipt show --redo-dir') values='directories' ;;
    'receipt show --archive') values='files' ;;
    'receipt show -c') values='' ;;
    'receipt mark --tag') values='' ;;
    'receipt mark --note') values='' ;;
    'receipt mark --image') values='files' ;;
    'receipt mark -C') values='directories' ;;
    'receipt mark --redo-dir') values='directories' ;;
    'receipt mark --archive') values='files' ;;
    'receipt mark -c') values='' ;;
    'receipt place --at') values='' ;;
    'receipt place --accuracy') values='' ;;
    'receipt place --name') values='' ;;
    'receipt place --delay') values='' ;;
    'receipt place -C') values='directories' ;;
    'receipt place --redo-dir') values='directories' ;;
    'receipt place --archive') values='files' ;;
    'receipt place -c') values='' ;;
    'record -C') values='directories' ;;
    'record --redo-dir') values='directories' ;;
    'record --archive') values='files' ;;
    'record -c') values='' ;;
    'record new --person') values='' ;;
    'record new --title') values='' ;;
    'record new --date') values='' ;;
    'record new --message' | 'record new -m') values='' ;;
    'record new --passphrase-fd') values='' ;;
    'record new --format') values='' ;;
    'record new -C') values='directories' ;;
    'record new --redo-dir') values='directories' ;;
    'record new --archive') values='files' ;;
    'record new -c') values='' ;;
    'record set --date') values='' ;;
    'record set --message' | 'record set -m') values='' ;;
    'record set --passphrase-fd') values='' ;;
    'record set --format') values='' ;;
    'record set -C') values='directories' ;;
    'record set --redo-dir') values='directories' ;;
    'record set --archive') values='files' ;;
    'record set -c') values='' ;;
    'record show --as-of') values='' ;;
    'record show --policy') values='closed wall received' ;;
    'record show -C') values='directories' ;;
    'record show --redo-dir') values='directories' ;;
    'record show --archive') values='files' ;;
    'record show -c') values='' ;;
    'record list --task') values='' asked='tasks' asks=yes ;;
    'record list --as-of') values='' ;;
    'record list --policy') values='closed wall received' ;;
    'record list -C') values='directories' ;;
    'record list --redo-dir') values='directories' ;;
    'record list --archive') values='files' ;;
    'record list -c') values='' ;;
    'record check --task') values='' asked='tasks' asks=yes ;;
    'record check --as-of') values='' ;;
    'record check --policy') values='closed wall received' ;;
    'record check -C') values='directories' ;;
    'record check --redo-dir') values='directories' ;;
    'record check --archive') values='files' ;;
    'record check -c') values='' ;;
    'record migrate --strategy') values='concatenate source target' ;;
    'record migrate --task') values='' asked='tasks' asks=yes ;;
    'record migrate --date') values='' ;;
    'record migrate --message' | 'record migrate -m') values='' ;;
    'record migrate --passphrase-fd') values='' ;;
    'record migrate --format') values='' ;;
    'record migrate -C') values='directories' ;;
    'record migrate --redo-dir') values='directories' ;;
    'record migrate --archive') values='files' ;;
    'record migrate -c') values='' ;;
    'record import --date') values='' ;;
    'record import --message' | 'record import -m') values='' ;;
    'record import --passphrase-fd') values='' ;;
    'record import --format') values='' ;;
    'record import -C') values='directories' ;;
    'record import --redo-dir') values='directories' ;;
    'record import --archive') values='files' ;;
    'record import -c') values='' ;;
    'record export --for') values='app' ;;
    'record export --task') values='' asked='tasks' asks=yes ;;
    'record export --as-of') values='' ;;
    'record export --policy') values='closed wall received' ;;
    'record export -C') values='directories' ;;
    'record export --redo-dir') values='directories' ;;
    'record export --archive') values='files' ;;
    'record export -c') values='' ;;
    'recover --to') values='' ;;
    'recover --output' | 'recover -o') values='directories' ;;
    'recover --write-ref') values='' ;;
    'recover --kind') values='node blob receipt schema' ;;
    'recover --policy') values='closed wall received' ;;
    'recover --task') values='' asked='tasks' asks=yes ;;
    'recover --format') values='' ;;
    'recover --date') values='' ;;
    'recover --profile') values='v1 sync genesis' ;;
    'recover --passphrase-fd') values='' ;;
    'recover --message' | 'recover -m') values='' ;;
    'recover -C') values='directories' ;;
    'recover --redo-dir') values='directories' ;;
    'recover --archive') values='files' ;;
    'recover -c') values='' ;;
    'reflog --max-count' | 'reflog -n') values='' ;;
    'reflog --date') values='' ;;
    'reflog --format') values='' ;;
    'reflog -m') values='' ;;
    'reflog -C') values='directories' ;;
    'reflog --redo-dir') values='directories' ;;
    'reflog --archive') values='files' ;;
    'reflog -c') values='' ;;
    'remote -C') values='directories' ;;
    'remote --redo-dir') values='directories' ;;
    'remote --archive') values='files' ;;
    'remote -c') values='' ;;
    'remote add -C') values='directories' ;;
    'remote add --redo-dir') values='directories' ;;
    'remote add --archive') values='files' ;;
    'remote add -c') values='' ;;
    'remote list -C') values='directories' ;;
    'remote list --redo-dir') values='directories' ;;
    'remote list --archive') values='files' ;;
    'remote list -c') values='' ;;
    'remote show -C') values='directories' ;;
    'remote show --redo-dir') values='directories' ;;
    'remote show --archive') values='files' ;;
    'remote show -c') values='' ;;
    'remote set -C') values='directories' ;;
    'remote set --redo-dir') values='directories' ;;
    'remote set --archive') values='files' ;;
    'remote set -c') values='' ;;
    'remote rm -C') values='directories' ;;
    'remote rm --redo-dir') values='directories' ;;
    'remote rm --archive') values='files' ;;
    'remote rm -c') values='' ;;
    'remote check -C') values='directories' ;;
    'remote check --redo-dir') values='directories' ;;
    'remote check --archive') values='files' ;;
    'remote check -c') values='' ;;
    'remote capabilities -C') values='directories' ;;
    'remote capabilities --redo-dir') values='directories' ;;
    'remote capabilities --archive') values='files' ;;
    'remote capabilities -c') values='' ;;
    'repack --geometric') values='' ;;
    'repack -C') values='directories' ;;
    'repack --redo-dir') values='directories' ;;
    'repack --archive') values='files' ;;
    'repack -c') values='' ;;
    'rev-parse -C') values='directories' ;;
    'rev-parse --redo-dir') values='directories' ;;
    'rev-parse --archive') values='files' ;;
    'rev-parse -c') values='' ;;
    'revert --author') values='' ;;
    'revert --device') values='' ;;
    'revert --key') values='' ;;
    'revert --since') values='' ;;
    'revert --until') values='' ;;
    'revert --date') values='' ;;
    'revert --profile') values='v1 sync genesis' ;;
    'revert --passphrase-fd') values='' ;;
    'revert --message' | 'revert -m') values='' ;;
    'revert --format') values='' ;;
    'revert -C') values='directories' ;;
    'revert --redo-dir') values='directories' ;;
    'revert --archive') values='files' ;;
    'revert -c') values='' ;;
    'schema -C') values='directories' ;;
    'schema --redo-dir') values='directories' ;;
    'schema --archive') values='files' ;;
    'schema -c') values='' ;;
    'schema new --name') values='' ;;
    'schema new --icon') values='' ;;
    'schema new --description') values='' ;;
    'schema new --scope') values='' ;;
    'schema new --date') values='' ;;
    'schema new --message' | 'schema new -m') values='' ;;
    'schema new --passphrase-fd') values='' ;;
    'schema new -C') values='directories' ;;
    'schema new --redo-dir') values='directories' ;;
    'schema new --archive') values='files' ;;
    'schema new -c') values='' ;;
    'schema list -C') values='directories' ;;
    'schema list --redo-dir') values='directories' ;;
    'schema list --archive') values='files' ;;
    'schema list -c') values='' ;;
    'schema show --for') values='app' ;;
    'schema show --as-of') values='' ;;
    'schema show -C') values='directories' ;;
    'schema show --redo-dir') values='directories' ;;
    'schema show --archive') values='files' ;;
    'schema show -c') values='' ;;
    'schema add-field --type') values='' ;;
    'schema add-field --id') values='' asked='ids' asks=yes ;;
    'schema add-field --name') values='' ;;
    'schema add-field --order') values='' ;;
    'schema add-field --placeholder') values='' ;;
    'schema add-field --help-text') values='' ;;
    'schema add-field --rule') values='' ;;
    'schema add-field --capitalization') values='' ;;
    'schema add-field --date') values='' ;;
    'schema add-field --message' | 'schema add-field -m') values='' ;;
    'schema add-field --passphrase-fd') values='' ;;
    'schema add-field -C') values='directories' ;;
    'schema add-field --redo-dir') values='directories' ;;
    'schema add-field --archive') values='files' ;;
    'schema add-field -c') values='' ;;
    'schema set --icon') values='' ;;
    'schema set --description') values='' ;;
    'schema set --type') values='' ;;
    'schema set --name') values='' ;;
    'schema set --order') values='' ;;
    'schema set --placeholder') values='' ;;
    'schema set --help-text') values='' ;;
    'schema set --rule') values='' ;;
    'schema set --capitalization') values='' ;;
    'schema set --date') values='' ;;
    'schema set --message' | 'schema set -m') values='' ;;
    'schema set --passphrase-fd') values='' ;;
    'schema set --created-at') values='' ;;
    'schema set --created-by') values='' ;;
    'schema set --updated-at') values='' ;;
    'schema set --updated-by') values='' ;;
    'schema set -C') values='directories' ;;
    'schema set --redo-dir') values='directories' ;;
    'schema set --archive') values='files' ;;
    'schema set -c') values='' ;;
    'schema rename --date') values='' ;;
    'schema rename --message' | 'schema rename -m') values='' ;;
    'schema rename --passphrase-fd') values='' ;;
    'schema rename -C') values='directories' ;;
    'schema rename --redo-dir') values='directories' ;;
    'schema rename --archive') values='files' ;;
    'schema rename -c') values='' ;;
    'schema hide --date') values='' ;;
    'schema hide --message' | 'schema hide -m') values='' ;;
    'schema hide --passphrase-fd') values='' ;;
    'schema hide -C') values='directories' ;;
    'schema hide --redo-dir') values='directories' ;;
    'schema hide --archive') values='files' ;;
    'schema hide -c') values='' ;;
    'schema restore --date') values='' ;;
    'schema restore --message' | 'schema restore -m') values='' ;;
    'schema restore --passphrase-fd') values='' ;;
    'schema restore -C') values='directories' ;;
    'schema restore --redo-dir') values='directories' ;;
    'schema restore --archive') values='files' ;;
    'schema restore -c') values='' ;;
    'schema deprecate --date') values='' ;;
    'schema deprecate --message' | 'schema deprecate -m') values='' ;;
    'schema deprecate --passphrase-fd') values='' ;;
    'schema deprecate -C') values='directories' ;;
    'schema deprecate --redo-dir') values='directories' ;;
    'schema deprecate --archive') values='files' ;;
    'schema deprecate -c') values='' ;;
    'schema merge --pick') values='' ;;
    'schema merge --date') values='' ;;
    'schema merge --message' | 'schema merge -m') values='' ;;
    'schema merge --passphrase-fd') values='' ;;
    'schema merge -C') values='directories' ;;
    'schema merge --redo-dir') values='directories' ;;
    'schema merge --archive') values='files' ;;
    'schema merge -c') values='' ;;
    'schema merge-fields --date') values='' ;;
    'schema merge-fields --message' | 'schema merge-fields -m') values='' ;;
    'schema merge-fields --passphrase-fd') values='' ;;
    'schema merge-fields -C') values='directories' ;;
    'schema merge-fields --redo-dir') values='directories' ;;
    'schema merge-fields --archive') values='files' ;;
    'schema merge-fields -c') values='' ;;
    'schema split-field --date') values='' ;;
    'schema split-field --message' | 'schema split-field -m') values='' ;;
    'schema split-field --passphrase-fd') values='' ;;
    'schema split-field -C') values='directories' ;;
    'schema split-field --redo-dir') values='directories' ;;
    'schema split-field --archive') values='files' ;;
    'schema split-field -c') values='' ;;
    'schema check --against') values='' ;;
    'schema check --mode') values='' ;;
    'schema check -C') values='directories' ;;
    'schema check --redo-dir') values='directories' ;;
    'schema check --archive') values='files' ;;
    'schema check -c') values='' ;;
    'schema log -C') values='directories' ;;
    'schema log --redo-dir') values='directories' ;;
    'schema log --archive') values='files' ;;
    'schema log -c') values='' ;;
    'schema diff -C') values='directories' ;;
    'schema diff --redo-dir') values='directories' ;;
    'schema diff --archive') values='files' ;;
    'schema diff -c') values='' ;;
    'schema import --scope') values='' ;;
    'schema import --date') values='' ;;
    'schema import --message' | 'schema import -m') values='' ;;
    'schema import --passphrase-fd') values='' ;;
    'schema import -C') values='directories' ;;
    'schema import --redo-dir') values='directories' ;;
    'schema import --archive') values='files' ;;
    'schema import -c') values='' ;;
    'schema export --for') values='app' ;;
    'schema export -C') values='directories' ;;
    'schema export --redo-dir') values='directories' ;;
    'schema export --archive') values='files' ;;
    'schema export -c') values='' ;;
    'schema merge-file --scope') values='' ;;
    'schema merge-file -C') values='directories' ;;
    'schema merge-file --redo-dir') values='directories' ;;
    'schema merge-file --archive') values='files' ;;
    'schema merge-file -c') values='' ;;
    'search --limit') values='' ;;
    'search -C') values='directories' ;;
    'search --redo-dir') values='directories' ;;
    'search --archive') values='files' ;;
    'search -c') values='' ;;
    'serve --http') values='' ;;
    'serve --accounts') values='files' ;;
    'serve --tls-certificate') values='files' ;;
    'serve --tls-key') values='files' ;;
    'serve --max-body') values='' ;;
    'serve --max-connections') values='' ;;
    'serve --max-running') values='' ;;
    'serve --rate') values='' ;;
    'serve --timeout') values='' ;;
    'serve --grace') values='' ;;
    'serve --log') values='files' ;;
    'serve -C') values='directories' ;;
    'serve --redo-dir') values='directories' ;;
    'serve --archive') values='files' ;;
    'serve -c') values='' ;;
    'serve account --accounts') values='files' ;;
    'serve account --right') values='' ;;
    'serve account --expires') values='' ;;
    'serve account -C') values='directories' ;;
    'serve account --redo-dir') values='directories' ;;
    'serve account --archive') values='files' ;;
    'serve account -c') values='' ;;
    'share -C') values='directories' ;;
    'share --redo-dir') values='directories' ;;
    'share --archive') values='files' ;;
    'share -c') values='' ;;
    'share create --permissions') values='' ;;
    'share create --to') values='' ;;
    'share create --message') values='' ;;
    'share create --passphrase-fd') values='' ;;
    'share create -C') values='directories' ;;
    'share create --redo-dir') values='directories' ;;
    'share create --archive') values='files' ;;
    'share create -c') values='' ;;
    'share open --passphrase-fd') values='' ;;
    'share open -C') values='directories' ;;
    'share open --redo-dir') values='directories' ;;
    'share open --archive') values='files' ;;
    'share open -c') values='' ;;
    'share list -C') values='directories' ;;
    'share list --redo-dir') values='directories' ;;
    'share list --archive') values='files' ;;
    'share list -c') values='' ;;
    'share undo --passphrase-fd') values='' ;;
    'share undo -C') values='directories' ;;
    'share undo --redo-dir') values='directories' ;;
    'share undo --archive') values='files' ;;
    'share undo -c') values='' ;;
    'show --format') values='' ;;
    'show --color') values='auto always never' ;;
    'show -C') values='directories' ;;
    'show --redo-dir') values='directories' ;;
    'show --archive') values='files' ;;
    'show -c') values='' ;;
    'show-ref --contains') values='' asked='revisions' asks=yes ;;
    'show-ref --merged') values='' asked='revisions' asks=yes ;;
    'show-ref --points-at') values='' asked='revisions' asks=yes ;;
    'show-ref --format') values='' ;;
    'show-ref --sort') values='' ;;
    'show-ref --count') values='' ;;
    'show-ref -C') values='directories' ;;
    'show-ref --redo-dir') values='directories' ;;
    'show-ref --archive') values='files' ;;
    'show-ref -c') values='' ;;
    'snapshot -C') values='directories' ;;
    'snapshot --redo-dir') values='directories' ;;
    'snapshot --archive') values='files' ;;
    'snapshot -c') values='' ;;
    'snapshot create --as-of') values='' ;;
    'snapshot create --policy') values='closed wall received' ;;
    'snapshot create -C') values='directories' ;;
    'snapshot create --redo-dir') values='directories' ;;
    'snapshot create --archive') values='files' ;;
    'snapshot create -c') values='' ;;
    'snapshot list -C') values='directories' ;;
    'snapshot list --redo-dir') values='directories' ;;
    'snapshot list --archive') values='files' ;;
    'snapshot list -c') values='' ;;
    'snapshot verify -C') values='directories' ;;
    'snapshot verify --redo-dir') values='directories' ;;
    'snapshot verify --archive') values='files' ;;
    'snapshot verify -c') values='' ;;
    'snapshot drop -C') values='directories' ;;
    'snapshot drop --redo-dir') values='directories' ;;
    'snapshot drop --archive') values='files' ;;
    'snapshot drop -c') values='' ;;
    'state --task') values='' asked='tasks' asks=yes ;;
    'state --as-of') values='' ;;
    'state --policy') values='closed wall received' ;;
    'state -C') values='directories' ;;
    'state --redo-dir') values='directories' ;;
    'state --archive') values='files' ;;
    'state -c') values='' ;;
    'stats --by') values='kind place action author device month' ;;
    'stats --remote') values='' asked='remotes' asks=yes ;;
    'stats -C') values='directories' ;;
    'stats --redo-dir') values='directories' ;;
    'stats --archive') values='files' ;;
    'stats -c') values='' ;;
    'sync --kind') values='node blob receipt schema' ;;
    'sync --task' | 'sync -t') values='' asked='tasks' asks=yes ;;
    'sync --interval') values='' ;;
    'sync --passphrase-fd') values='' ;;
    'sync --lock-timeout') values='' ;;
    'sync -C') values='directories' ;;
    'sync --redo-dir') values='directories' ;;
    'sync --archive') values='files' ;;
    'sync -c') values='' ;;
    'trust -C') values='directories' ;;
    'trust --redo-dir') values='directories' ;;
    'trust --archive') values='files' ;;
    'trust -c') values='' ;;
    'trust add --role') values='' ;;
    'trust add --valid-after') values='' ;;
    'trust add --valid-before') values='' ;;
    'trust add --same-as') values='' ;;
    'trust add --passphrase-fd') values='' ;;
    'trust add --message' | 'trust add -m') values='' ;;
    'trust add -C') values='directories' ;;
    'trust add --redo-dir') values='directories' ;;
    'trust add --archive') values='files' ;;
    'trust add -c') values='' ;;
    'trust list -C') values='directories' ;;
    'trust list --redo-dir') values='directories' ;;
    'trust list --archive') values='files' ;;
    'trust list -c') values='' ;;
    'trust revoke --valid-through') values='' asked='revisions' asks=yes ;;
    'trust revoke --message' | 'trust revoke -m') values='' ;;
    'trust revoke -C') values='directories' ;;
    'trust revoke --redo-dir') values='directories' ;;
    'trust revoke --archive') values='files' ;;
    'trust revoke -c') values='' ;;
    'trust check -C') values='directories' ;;
    'trust check --redo-dir') values='directories' ;;
    'trust check --archive') values='files' ;;
    'trust check -c') values='' ;;
    'undo --date') values='' ;;
    'undo --profile') values='v1 sync genesis' ;;
    'undo --passphrase-fd') values='' ;;
    'undo --message' | 'undo -m') values='' ;;
    'undo --format') values='' ;;
    'undo -C') values='directories' ;;
    'undo --redo-dir') values='directories' ;;
    'undo --archive') values='files' ;;
    'undo -c') values='' ;;
    'update-ref -m') values='' ;;
    'update-ref -C') values='directories' ;;
    'update-ref --redo-dir') values='directories' ;;
    'update-ref --archive') values='files' ;;
    'update-ref -c') values='' ;;
    'verify --profile') values='v1 sync genesis' ;;
    'verify --pass') values='' ;;
    'verify --summary') values='author device key month form' ;;
    'verify --sample') values='' ;;
    'verify --max-duration') values='' ;;
    'verify --resume') values='' ;;
    'verify --repair-from') values='' ;;
    'verify --key') values='' ;;
    'verify --identity' | 'verify -i') values='' ;;
    'verify --passphrase-file') values='files' ;;
    'verify --passphrase-fd') values='' ;;
    'verify -C') values='directories' ;;
    'verify --redo-dir') values='directories' ;;
    'verify --archive') values='files' ;;
    'verify -c') values='' ;;
    'verify-pack -C') values='directories' ;;
    'verify-pack --redo-dir') values='directories' ;;
    'verify-pack --archive') values='files' ;;
    'verify-pack -c') values='' ;;
    'wipe --author') values='' ;;
    'wipe -C') values='directories' ;;
    'wipe --redo-dir') values='directories' ;;
    'wipe --archive') values='files' ;;
    'wipe -c') values='' ;;
    ' -C') values='directories' ;;
    ' --redo-dir') values='directories' ;;
    ' --archive') values='files' ;;
    ' -c') values='' ;;
    *)
      if [[ $option != "$previous" ]]; then return; fi
      if [[ -n $first && -n $verbs ]]; then values+=" $verbs"; fi
      if [[ $current == -* ]]; then
        values=$options
      elif [[ -n $asked ]]; then
        asks=yes
      fi
      # What takes an option back is offered only where it is begun.
      if [[ $current == --n* ]]; then values+=" $negations"; fi
      ;;
  esac
  if [[ -n $asks ]]; then
    while IFS=$'\t' read -r word _; do
      values+=" $word"
    done < <("$program" "${where[@]}" __complete "$asked" "$current" 2>/dev/null)
    # What stands before the last colon is not replaced.
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
      values=${values//"${current%:*}:"/} current=${current##*:}
    fi
  fi

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

complete -F _redo redo redo-age redo-archive redo-backup redo-canonicalize redo-cat-node redo-checkpoint redo-cid redo-circle redo-commit redo-compare redo-config redo-device redo-diff redo-explain redo-export redo-fetch redo-gc redo-hash-object redo-import redo-index redo-init redo-key redo-local redo-log redo-ls-remote redo-merge redo-merge-base redo-prove redo-push redo-quarantine redo-query redo-receipt redo-record redo-recover redo-reflog redo-remote redo-repack redo-rev-parse redo-revert redo-schema redo-search redo-serve redo-share redo-show redo-show-ref redo-snapshot redo-state redo-stats redo-sync redo-trust redo-undo redo-update-ref redo-verify redo-verify-pack redo-wipe
