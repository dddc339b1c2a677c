#!/bin/bash
# redo query: questions about a few tasks, each answer computed by hand from this table. Now is 2025-03-10T12:00:00Z.
#
#   task            priority  points  todos, made / due / completed
#   A Water            4        2     a1: 01T08:00 / 08T18:00 / 08T20:30     a2: 08T21:00 / 15T18:00 / -  "Not the cactus"
#   B Pay the rent     5        5     b1: 01T09:00 / 09T12:00 / -
#   C Call             3        1     c1, c2, c3: 02T10:00 / - / 09T09:15, 09T20:45, 10T09:05
#   D Old idea         1        1     none; archived
#   E Read             3        1     e1: 03T10:00 / - / -                   e2: 03T10:00 / 10T18:00 / -
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

T=7a000000-0000-4000-8000-00000000000
A=${T}1 B=${T}2 C=${T}3 D=${T}4 E=${T}5
NOW=2025-03-10T12:00:00.000Z
id() { printf '7b000000-0000-4000-8000-0000000000%s' "$1"; }
todo() { printf '"todoTaskId":"%s"' "$(id "$1")"; }
due() { printf ',"deadline":"2025-03-%s:00.000Z"' "$1"; }
completed() { printf ',"completed":"2025-03-%s:00.000Z"' "$1"; }

# node <action> <task> <lamport> <day and time in March 2025> <fields> <parent>...: writes a node and prints its id.
add() {
  local action=$1 task=$2 lamport=$3 wall=$4 fields=$5 parents
  shift 5
  parents=$(printf ',"%s"' "$@")
  [ $# -gt 0 ] || parents=,
  printf '{"action":"%s","author":{"deviceId":"d","userId":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"},"data":{"fields":{%s}},"parents":[%s],"taskId":"%s","timestamp":{"lamport":%s,"wall":"2025-03-%s:00.000Z"},"version":1}\n' \
    "$action" "$fields" "${parents:1}" "$task" "$lamport" "$wall" |
    redo hash-object -w --update-heads --stdin
}
# query <argument>...: a question asked now, as the table has it.
query() { run redo query "$@" -q --as-of=$NOW; }
# titles <argument>...: of the tasks that a question lists, in its order, the first words.
titles() { redo query tasks -q --as-of=$NOW --json "$@" | sed 's/.*"title":"\([^" ]*\).*/\1/' | paste -sd' '; }
# names <argument>...: of the todos that a question lists, in its order, the last digits.
names() { redo query todos -q --as-of=$NOW --json "$@" | sed 's/.*"guid":"[^"]*\(..\)","isC.*/\1/' | paste -sd' '; }

# expect_refused <status> <message> [<hint>]
expect_refused() {
  expect_error "$1" "$2"
  [ -z "${3:-}" ] || expect_stderr_has "hint: $3"
}
expect_lines() { expect_stdout "$(printf '%s\n' "$@")"; }

make_store
scene "an empty store: no rows, and answers of nothing"
run redo query
expect_status 0
expect_stdout ''
expect_stderr ''
run redo query todos --json
expect_stdout ''
run redo query rate --json
expect_stdout '{"completedTodos":0,"completionRate":0,"todos":0}'
run redo query avg-completion --json
expect_stdout '{"avgCompletionDays":0,"completedTodos":0}'
run redo query streak
expect_lines 'lastDay     -' 'streakDays  0'
run redo query productive-hour
expect_lines 'completedTodos       0' 'productiveHour       -' 'productiveHourTodos  0'
run redo query burndown --json
expect_stdout '{"burndownRatio":0,"completedStoryPoints":0,"remainingStoryPoints":0,"series":[],"totalStoryPoints":0}'
run redo query burndown --plot
expect_stdout ''
run redo query burndown --svg
expect_status 0
expect_stdout_has 'no todos'
run redo query velocity --plot --ascii
expect_status 0
expect_stdout_lines 14

a=$(add CREATE $A 1 01T08:00 '"title":"Water the plants","priority":4,"storyPoints":2,"frequencyDays":7,"room":"kitchen"')
a=$(add CREATE_TODO $A 2 01T08:00 "$(todo a1)$(due 08T18:00)" "$a")
a=$(add COMPLETE_TODO $A 3 08T20:30 "$(todo a1)$(completed 08T20:30)" "$a")
add CREATE_TODO $A 4 08T21:00 "$(todo a2)$(due 15T18:00),\"notes\":\"Not the cactus\"" "$a" >last
add CREATE $B 1 01T09:00 "\"title\":\"Pay the rent\",\"priority\":5,\"storyPoints\":5,\"todos\":[{$(todo b1)$(due 09T12:00)}]" >>last
c=$(add CREATE $C 1 02T10:00 "\"title\":\"Call\\u001b[31m red\",\"priority\":3,\"storyPoints\":1,\"todos\":[{$(todo c1)},{$(todo c2)},{$(todo c3)}]")
c=$(add COMPLETE_TODO $C 2 09T09:15 "$(todo c1)$(completed 09T09:15)" "$c")
c=$(add COMPLETE_TODO $C 3 09T20:45 "$(todo c2)$(completed 09T20:45)" "$c")
add COMPLETE_TODO $C 4 10T09:05 "$(todo c3)$(completed 10T09:05)" "$c" >>last
d=$(add CREATE $D 1 02T11:00 '"title":"Old idea","priority":1')
add ARCHIVE $D 2 02T12:00 '' "$d" >>last
add CREATE $E 1 03T10:00 "\"title\":\"Read\",\"description\":\"Two chapters\",\"todos\":[{$(todo e1)},{$(todo e2)$(due 10T18:00)}]" >>last

scene "31, 35: all tasks by rank; texts are escaped"
# B: t = -1, U = 1 + 10 / (1 + e^-0.4) = 6.986877, 5 U sqrt(5) = 78.115655
# E: t = 0.25, U = 1 + 10 / (1 + e^0.1) = 5.750208, 3 U = 17.250624
# A: t = 5.25, U = 1 + 10 / (1 + e^2.1) = 2.090968, 4 U sqrt(2) = 11.828302
query
expect_status 0
expect_stderr ''
expect_stdout <<END
RANK       URGENCY   LEVEL   PRIORITY  POINTS  DEADLINE                  PENDING  STATE     TASK                                  TITLE
78.115655  6.986877  medium  5         5       2025-03-09T12:00:00.000Z  1/1      open      $B  Pay the rent
17.250624  5.750208  medium  3         1       2025-03-10T18:00:00.000Z  2/2      open      $E  Read
11.828302  2.090968  low     4         2       2025-03-15T18:00:00.000Z  1/2      open      $A  Water the plants
0.000000   -         none    3         1       -                         0/3      open      $C  Call\x1b[31m red
0.000000   -         none    1         1       -                         0/0      archived  $D  Old idea
END
cp "$OUT" table
run redo-query tasks -q --as-of=$NOW
expect_stdout_file table
redo query -q -z --as-of=$NOW | tr '\0' '\n' >"$OUT"
expect_stdout_has "Call"$'\e'"[31m red"
expect_equal "$(titles --sort=-rank)" "Pay Read Water Call\\u001b[31m Old" "by rank"

scene "a row of JSON"
query tasks --json --task=$A
expect_stdout '{"archived":false,"completedTodos":1,"completionRate":0.5,"created":"2025-03-01T08:00:00.000Z","currentDeadline":"2025-03-15T18:00:00.000Z","description":"","fields":{"room":"kitchen"},"frequencyDays":7,"guid":"'$A'","hasPendingTodos":true,"isOverdue":false,"isRecurring":true,"pendingTodos":1,"priority":4,"privacy":false,"rank":11.828302,"storyPoints":2,"title":"Water the plants","todos":2,"urgency":2.090968,"urgencyStatus":"low","userId":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"}'
query todos --json --task=${A:0:36} --completed
expect_stdout '{"completed":"2025-03-08T20:30:00.000Z","completionDays":7.520833,"created":"2025-03-01T08:00:00.000Z","deadline":"2025-03-08T18:00:00.000Z","fields":{},"guid":"'"$(id a1)"'","isCompleted":true,"isOverdue":false,"isPending":false,"notes":"","rank":0,"redoParentGuid":"'$A'","taskTitle":"Water the plants","urgency":null,"urgencyStatus":"none"}'
redo query -q --as-of=$NOW --json | python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    assert line == json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=True) + "\n", line' ||
  fail "a row is not canonical" </dev/null

scene "32 to 34, 36 to 40: conditions on tasks"
expect_equal "$(titles --active)" "Pay Read Water Call\\u001b[31m" 32
expect_equal "$(titles --archived)" "Old" archived
expect_equal "$(titles --pending)" "Pay Read Water" 33
expect_equal "$(titles --overdue)" "Pay" 34
expect_equal "$(titles --where 'priority>=4')" "Pay Water" 36
expect_equal "$(titles --recurring)" "Water" 37
expect_equal "$(titles --one-time)" "Pay Read Call\\u001b[31m Old" 38
expect_equal "$(titles --where 'storyPoints<=2')" "Read Water Call\\u001b[31m Old" "39, quick"
expect_equal "$(titles --where 'storyPoints>=5')" "Pay" "39, complex"
expect_equal "$(titles --urgency=critical)" "" 40
expect_equal "$(titles --urgency=medium)" "Pay Read" "40, medium"
expect_equal "$(titles --urgency=none)" "Call\\u001b[31m Old" "40, none"
# B a week after its deadline: U(-7) = 10.427, s = 0.943; E 5.75 days: 1 / (1 + e^-2.3) = 0.909.
expect_equal "$(titles --urgency=critical --as-of=2025-03-16T12:00:00.000Z)" "Pay Read" "40, a week late"
expect_equal "$(titles --match=THE)" "Pay Water" match
expect_equal "$(titles --match=cactus)" "Water" "match in notes"
expect_equal "$(titles --match=chapters)" "Read" "match in the description"
expect_equal "$(titles --one-time --pending --where 'title ~ "rent"' --where 'not archived')" "Pay" all

scene "41 to 47 and 50: conditions on todos"
expect_equal "$(names --pending)" "b1 e2 a2 e1" "41, 46"
expect_equal "$(names --completed-since=2025-03-09 --sort=completed)" "c1 c2 c3" 42
expect_equal "$(names --completed-since=2025-03-09T20:45:00Z --sort=-completed)" "c3 c2" "42, an instant"
expect_equal "$(names --completed-since=now-1d --sort=completed)" "c2 c3" "42, a day ago"
expect_equal "$(names --due=today)" "e2" 43
expect_equal "$(names --due=2025-03-15)" "a2" "43, another day"
expect_equal "$(names --due-within=7d)" "e2 a2" 44
expect_equal "$(names --due-within=6h)" "e2" "44, up to the very end"
expect_equal "$(names --due-within=359m)" "" "44, and not before"
expect_equal "$(names --due-within=7d --literal)" "b1 e2 a2" "44, literally"
expect_equal "$(names --overdue)" "b1" 45
expect_equal "$(names --sort=-deadline)" "a2 e2 b1 a1 c1 c2 c3 e1" "46, downwards"
expect_equal "$(names --pending --sort=-rank)" "b1 e2 a2 e1" 47
expect_equal "$(names --notes)" "a2" 50
expect_equal "$(names --match=CACTUS)" "a2" match
expect_equal "$(names --where 'isCompleted and task.priority = 3 and completed < "2025-03-10"')" "c1 c2" where

scene "sorting by several keys; -n; ties by id"
expect_equal "$(titles --sort=priority,-title)" "Old Read Call\\u001b[31m Water Pay" "two keys"
expect_equal "$(titles --sort=-title --sort=priority)" "Old Read Call\\u001b[31m Water Pay" "the last option is the primary one"
expect_equal "$(titles --sort=archived -n 2)" "Water Pay" count
expect_equal "$(titles -1)" "Pay" "the short form"
expect_equal "$(titles -n 0)" "" none
expect_equal "$(titles --sort=fields.room)" "Water Pay Call\\u001b[31m Old Read" "without a value, last"
expect_equal "$(titles --sort=-fields.room)" "Water Pay Call\\u001b[31m Old Read" "in either direction"

scene "48: 4 of 8; of one task 1 of 2; of a task without todos 0"
query rate
expect_lines 'completedTodos  4' 'completionRate  0.5' 'todos           8'
query rate --task=$A --json
expect_stdout '{"completedTodos":1,"completionRate":0.5,"todos":2}'
query rate --task=$D --json
expect_stdout '{"completedTodos":0,"completionRate":0,"todos":0}'
query rate --task=$A --task=$B --json
expect_stdout '{"completedTodos":1,"completionRate":0.333333,"todos":3}'

scene "49: (10,830 + 10,035 + 10,725 + 11,465) min / 4 / 1,440 = 7.474826 days"
query avg-completion --json
expect_stdout '{"avgCompletionDays":7.474826,"completedTodos":4}'

scene "51: the 8th, the 9th twice, the 10th; literally the second one of the 9th ends it"
query streak
expect_lines 'lastDay     2025-03-10' 'streakDays  3'
query streak --literal
expect_lines 'lastDay     2025-03-10' 'streakDays  2'
run redo query streak -q --as-of=2025-03-11T12:00:00.000Z
expect_lines 'lastDay     -' 'streakDays  0'
run redo query streak -q --as-of=2025-03-11T12:00:00.000Z --allow-gap-today
expect_lines 'lastDay     2025-03-10' 'streakDays  3'

scene "52: 3 has C and E, 3 of 5; 4 has A, 1 of 2"
query rate-by-priority
expect_stdout <<'END'
completedTodos  completionRate  priority  todos
0               0               1         0
0               0               2         0
3               0.6             3         5
1               0.5             4         2
0               0               5         1
END

scene "53: 09:15 and 09:05, 20:30 and 20:45: of two hours the first"
query productive-hour --json
expect_stdout '{"completedTodos":4,"hours":[0,0,0,0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,2,0,0,0],"productiveHour":9,"productiveHourTodos":2}'

scene "54: since the 3rd at noon, 2 + 1 + 1 + 1"
query velocity
expect_lines 'completedTodos              4' 'since                       2025-03-03T12:00:00.000Z' 'velocityStoryPointsPerWeek  5'

scene "55: total 4 + 5 + 3 + 0 + 2 = 14, left 2 + 5 + 2 = 9; literally 2 + 5 + 1 = 8"
query burndown
expect_lines 'burndownRatio         0.357143' 'completedStoryPoints  5' 'remainingStoryPoints  9' 'totalStoryPoints      14'
query burndown --literal
expect_lines 'burndownRatio         0.428571' 'completedStoryPoints  6' 'remainingStoryPoints  8' 'totalStoryPoints      14'

scene "--as-of: an earlier state, and its moment; ids and logical times have the clock's"
# On the 9th at noon C has one of three, A one of two.
run redo query rate --as-of=2025-03-09T12:00:00.000Z --json
expect_stdout '{"completedTodos":2,"completionRate":0.25,"todos":8}'
expect_stderr_has 'as of 2025-03-09T12:00:00.000Z: 10 of 12 nodes, policy closed'
run redo query todos --overdue -q --as-of=2025-03-09T12:00:00.000Z
expect_stdout ''
run redo query todos --overdue -q --as-of=2025-03-09T12:00:00.001Z
expect_stdout_lines 2
run redo query rate -q --as-of=lamport:1 --json
expect_stdout '{"completedTodos":0,"completionRate":0,"todos":6}'
run redo query rate -q "--as-of=$(sed -n 2p last)" --json
expect_stdout '{"completedTodos":0,"completionRate":0,"todos":1}'
run redo query --as-of=2025-02-01
expect_refused 128 "no node precedes '2025-02-01'" "'--allow-empty' takes it for an empty state"
run redo query -q --as-of=2025-02-01 --allow-empty
expect_stdout ''

scene "--tz: fixed distances"
# At +04:00 the 8th 20:30 is the 9th, the 9th 20:45 the 10th at 00:45.
query streak --tz=+04:00
expect_lines 'lastDay     2025-03-10' 'streakDays  2'
query productive-hour --tz=+04:00
expect_lines 'completedTodos       4' 'productiveHour       0' 'productiveHourTodos  2'
expect_equal "$(names --due=today --tz=+06:00)" "" "18:00Z is tomorrow at +06:00"
expect_equal "$(names --due=today --tz=+05:59)" "e2" "and today a minute before"
expect_equal "$(names --where 'completed = "2025-03-10"' --tz=+04:00 --sort=completed)" "c2 c3" "dates in expressions"
expect_equal "$(names --completed-since=2025-03-10 --tz=+04:00 --sort=completed)" "c2 c3" "dates of options"

scene "--tz: the database, also elsewhere; what is none is refused"
# Version 2, one type at +04:00, no changes, the rule <+04>-4.
mkdir -p zones/Area
python3 - <<'END'
import struct
def block(kind, seconds):
    return (b"TZif2" + bytes(15) + struct.pack(">6l", 0, 0, 0, 0, 1, 4) + struct.pack(">lbb", seconds, 0, 0) + b"+04\0")
open("zones/Area/City", "wb").write(block(4, 0) + block(8, 14400) + b"\n<+04>-4\n")
open("zones/Area/Cut", "wb").write(block(4, 0) + block(8, 14400))
END
TZDIR=$PWD/zones query streak --tz=Area/City
expect_lines 'lastDay     2025-03-10' 'streakDays  2'
TZDIR=$PWD/zones run redo query streak --tz=Area/Cut
expect_refused 128 "'$PWD/zones/Area/Cut' is no time zone that can be read"
TZDIR=$PWD/zones run redo query streak --tz=Area/Town
expect_refused 128 "no time zone 'Area/Town' in '$PWD/zones'" "a distance such as '+02:00' needs no database"
TZDIR=$PWD/zones run redo query streak --tz=Area
expect_refused 128 "no time zone 'Area' in '$PWD/zones'" "a distance such as '+02:00' needs no database"
for zone in ../City Area/../Area/City /etc/localtime '' +4:00 +04:60 'Area//City'; do
  TZDIR=$PWD/zones run redo query streak "--tz=$zone"
  expect_refused 128 "not a time zone: '$zone'" "a zone is written 'UTC', '+02:00', '-03:30' or 'Europe/Berlin'"
done
if [ -f /usr/share/zoneinfo/Europe/Berlin ]; then
  # 20:30Z is 21:30 in winter; the 30th of March has 23 hours, and 22:30Z is the next day.
  query productive-hour --tz=Europe/Berlin
  expect_stdout_has 'productiveHour       10'
  expect_equal "$(redo query todos -q --json --as-of=2025-03-30T22:30:00Z --due=today --tz=Europe/Berlin)" "" "the day after"
fi

scene "charts: bars of ASCII or of blocks as the locale says, and a picture"
query burndown --plot
expect_stdout <<'END'
Story points left
at the ends of days, UTC; the last one at 2025-03-10T12:00:00.000Z
2025-03-01 |######################## 7
2025-03-02 |################################## 10
2025-03-03 |######################################### 12
2025-03-04 |######################################### 12
2025-03-05 |######################################### 12
2025-03-06 |######################################### 12
2025-03-07 |######################################### 12
2025-03-08 |#########################################....... 12
2025-03-09 |##################################.............. 10
2025-03-10 |###############################................. 9
# left, . completed
END
LC_ALL=C.UTF-8 query streak --plot
expect_stdout_lines 31
expect_stdout_has '2025-03-08 *│████████████████████████ 1'
expect_stdout_has '2025-03-09 *│████████████████████████████████████████████████ 2'
expect_stdout_has '2025-03-07  │ 0'
expect_stdout_has '* of the streak'
LC_ALL=C.UTF-8 query velocity --plot --ascii
expect_stdout_has '2025-03-03 |################################################ 5'
for question in streak productive-hour velocity burndown; do
  query $question --svg
  expect_status 0
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$OUT" || fail "no XML" </dev/null
  cp "$OUT" picture
  query $question --svg
  expect_stdout_file picture
done
query burndown --svg
expect_stdout_has '<title>2025-03-10: 9 left, 5 completed</title>'

scene "an index, or none, or only one task: the same answer"
redo query -q --as-of=$NOW --json >with
run redo query -q --as-of=$NOW --json --no-cache
expect_stdout_file with
grep "$A" with >one
query --json --task=7a000000-0000-4000-8000-000000000001
expect_stdout_file one
run redo query --task=ffff
expect_refused 128 "no task begins with 'ffff'"

scene "numbers and times at the ends of what there can be"
redo init -q far
cd far
for points in 1e308 5e-324; do
  add CREATE ${T}${#points} 1 01T08:00 "\"title\":\"t\",\"priority\":9007199254740991,\"storyPoints\":$points,\"todos\":[{$(todo a1)$(due 08T18:00)},{$(todo a2)$(completed 09T09:15)},{$(todo a3)$(completed 09T09:15)}]" >../last 2>/dev/null
done
for question in tasks todos rate avg-completion streak rate-by-priority productive-hour velocity burndown; do
  for now in 2025-03-10T12:00:00.000Z 0001-01-01T00:00:00.000Z 9999-12-31T23:59:59.999Z; do
    for zone in +23:59 -23:59; do
      for form in '' --json --plot --svg; do
        case $question$form in tasks--[ps]* | todos--[ps]* | *rate*--[ps]* | avg*--[ps]*) continue ;; esac
        run redo query $question -q --allow-empty --as-of=$now --tz=$zone $form
        expect_status 0
        [ "$form" != --json ] || python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$OUT" ||
          fail "no JSON" < <(everything_printed)
      done
    done
  done
done
run redo query todos --due-within=1000y --due=9999-12-31 --completed-since=0001-01-01 --tz=+23:59
expect_status 0
cd ..

scene "what is wrong is refused before the store is looked for"
cd /
run redo query --where='priority >= 4 and titel ~ "x"'
expect_refused 128 "bad expression, at character 19: 'titel' is no property" "did you mean 'title'?"
run redo query todos --where='deadline < "soon"'
expect_refused 128 "bad expression, at character 12: 'soon' is no time"
run redo query --where="$(printf '(%.0s' {1..300})"
expect_refused 128 "bad expression, at character 257: more than 256 levels are open"
run redo query --sort=prority
expect_refused 128 "unknown property 'prority' to sort by" "did you mean 'priority'?"
run redo query --sort=rank,
expect_refused 128 "unknown property '' to sort by"
run redo query todos --due=tomorrow
expect_refused 128 "not a day: 'tomorrow'" "a day is 'today' or '2024-05-01'"
run redo query todos --due-within=7
expect_refused 128 "not a span of time: '7'" "a span is a number and one of the units s, m, h, d, w and y, as in '7d'"
run redo query todos --completed-since=someday
expect_status 128
expect_stderr_has "fatal: not a time: 'someday'"
run redo query --as-of=someday --json
expect_status 128
expect_stderr_has '{"error":"not a point in time:'
for options in "tasks --active --archived" "tasks --recurring --one-time" "tasks --urgency=high5" "todos --pending --completed" \
  "todos --literal" "tasks -n x" "tasks argument" "rate argument" "streak --literal --allow-gap-today" "streak --plot --svg" "streak --plot -z" "rate --literal" \
  "tasks --policy=wall" "nonsense" "--json streak" "--active todos"; do
  run redo query $options
  expect_status 129
done
run redo query --overdue todos
expect_stderr_has "error: option '--overdue' belongs after the subcommand 'todos'"
run redo query
expect_status 128
expect_stderr_has 'not a redo repository'
