// The multi-call executable: `redo log`, or `redo-log` by the name it is started under.
import RedoCommands

CommandTable.main()
