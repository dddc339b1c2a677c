// redo-remote alone; the installed form is the multi-call redo.
import RedoCommands

Shell.main(as: "redo-remote")
