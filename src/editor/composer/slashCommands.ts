/** The commands that / offers, without `plimsoll.`: the word after the slash, and what they do. */
export const SLASH_COMMANDS = {
  newSession: { word: 'new', does: 'Start a new session' },
  sessions: { word: 'sessions', does: 'List the sessions' },
  openContextPanel: { word: 'context', does: 'Open the Context panel' },
  compactNow: { word: 'compact', does: 'Compact the context window now' },
  undoPass: { word: 'undo', does: 'Undo the last pass' },
  chooseMode: { word: 'mode', does: 'Switch the mode: Ask, Accept edits or Plan' },
  chooseModel: { word: 'model', does: 'Choose the model and its reasoning' },
  chooseTools: { word: 'tools', does: 'Choose the tools of the agent' },
  handOverSession: {
    word: 'continue',
    does: 'Continue in a new session with a summary of this one',
  },
  forkSession: { word: 'fork', does: 'Fork the session at a step' },
  renameSession: { word: 'rename', does: 'Rename the session' },
  exportSession: { word: 'export', does: 'Export the session' },
  closeSession: { word: 'close', does: 'Close the session' },
  openSessionLog: { word: 'log', does: 'Open the log of the session' },
  openRecording: { word: 'recording', does: 'Open a recording' },
} as const;

export type SlashCommand = keyof typeof SLASH_COMMANDS;
