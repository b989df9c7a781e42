/** The commands that / offers, without the `plimsoll.` before each, and what they do. */
export const SLASH_COMMANDS = {
  newSession: 'Begin a new session',
  sessions: 'List the sessions',
  openContextPanel: 'Open the Context panel',
  compactNow: 'Make room in the context window',
  undoPass: 'Undo the last pass',
  chooseModel: 'Choose the model, and how it thinks',
  chooseTools: 'Choose the tools of the agent',
  handOverSession: 'Go on in a new session, with a summary of this one',
  forkSession: 'Fork the session at a step',
  renameSession: 'Rename the session',
  exportSession: 'Export the session',
  closeSession: 'Close the session',
  openSessionLog: 'Open the log of the session',
  openRecording: 'Open a recording',
} as const;

export type SlashCommand = keyof typeof SLASH_COMMANDS;
