/** The commands that / offers, without `plimsoll.`, and what they do. */
export const SLASH_COMMANDS = {
  newSession: 'Start a new session',
  sessions: 'List the sessions',
  openContextPanel: 'Open the Context panel',
  compactNow: 'Compact the context window now',
  undoPass: 'Undo the last pass',
  chooseModel: 'Choose the model and its reasoning',
  chooseTools: 'Choose the tools of the agent',
  handOverSession: 'Continue in a new session with a summary of this one',
  forkSession: 'Fork the session at a step',
  renameSession: 'Rename the session',
  exportSession: 'Export the session',
  closeSession: 'Close the session',
  openSessionLog: 'Open the log of the session',
  openRecording: 'Open a recording',
} as const;

export type SlashCommand = keyof typeof SLASH_COMMANDS;
