// redo-record alone; the installed form is the multi-call redo.
import RedoCommands

CommandTable.main(as: "redo-record")
