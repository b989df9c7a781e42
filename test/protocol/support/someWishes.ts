import { EMPTY_SCRATCHPAD } from '../../../src/contextWindow/scratchpad';
import type { AgentWishes } from '../../../src/protocol/agentWishes';
import type { ContextWish, ContextWishes } from '../../../src/protocol/contextWishes';
import type { WhatIfSettings } from '../../../src/protocol/whatIf';
import type { NameOf, Wishes, WishOf } from '../../../src/protocol/wish';

/** One wish of each name; a new one that is left out does not compile. */
type OneOfEach<W extends Wishes> = {
  readonly [T in NameOf<W>]: Omit<WishOf<W, T>, 'type'>;
};

const SETTINGS: WhatIfSettings = {
  windowTokens: null,
  highWatermark: 0.8,
  lowWatermark: 0.5,
  policy: 'ladder',
  maxMessages: 20,
  keepTurns: 2,
  keepRecentTurns: 3,
  maxHistoryTurns: 10,
};

export const AGENT_SAMPLES: OneOfEach<AgentWishes> = {
  announceReady: {},
  submitPrompt: { text: 'Fix it', attached: [1] },
  findMentions: { query: 'load' },
  attach: { mention: { type: 'symbol', name: 'load', path: 'src/a.js', line: 3 } },
  attachText: { name: 'notes.txt', text: 'Moor at six.' },
  attachDropped: { uris: ['file:///work/src/a.js'] },
  detach: { id: 1 },
  runCommand: { command: 'makeRoom' },
  copyCode: { code: 'a();\n' },
  insertCode: { code: 'a();\n' },
  applyCode: { code: 'a();\n', path: 'src/a.js' },
  openFile: { path: 'src/a.js', line: 3 },
  editQueued: { id: 1, text: 'Fix it first' },
  moveQueued: { id: 1, to: 0 },
  deleteQueued: { id: 1 },
  tellQueued: { id: 1, atNextStep: true },
  sendQueuedNow: { id: 1 },
  sendQueued: {},
  continueTurn: {},
  reopenSession: {},
  fetchLedTo: { blockId: 'prompt-1' },
  takeBackPrompt: { blockId: 'prompt-1', steps: 2, files: 'unchanged' },
  planRestore: { moment: { type: 'step', step: 2 } },
  restoreFiles: { moment: { type: 'prompt', turn: 1 }, files: 'all' },
  forkBefore: { step: 2, files: 'unchanged' },
  undoRestore: {},
  keepFiles: { turn: 1, path: 'src/a.js' },
  undoFiles: { turn: 1, files: 'all' },
  fetchHunks: { turn: 1, path: 'src/a.js' },
  keepHunk: { turn: 1, path: 'src/a.js', before: 'one', after: 'other', hunk: 0 },
  undoHunk: { turn: 1, path: 'src/a.js', before: 'one', after: 'other', hunk: 0 },
  openTurnDiff: { turn: 1, path: 'src/a.js' },
  bringBackPrompt: { blockId: 'prompt-1' },
  stopTurn: {},
  moveToBackground: { toolUseId: 'toolu_1' },
  stopCommand: { handle: 'cmd1' },
  showCommandOutput: { handle: 'cmd1' },
  tryNow: {},
  startSession: {},
  answerApproval: { toolUseId: 'toolu_1', approved: false, feedback: 'no' },
  revokeRule: { name: '["always","","edits",""]' },
  answerReturn: { choice: 'summary', remember: true },
  openDiff: { toolUseId: 'toolu_1' },
  fetchResult: { toolUseId: 'toolu_1' },
  openContextPanel: {},
  setApiKey: {},
  chooseModel: {},
  openSettings: {},
  answerCost: { setting: 'plimsoll.model', value: '"another"', whose: 'own' },
  openFolder: {},
  openLinked: { session: 'another' },
};

export const CONTEXT_SAMPLES: OneOfEach<ContextWishes> = {
  announceReady: {},
  openBlock: { blockId: 'step-1' },
  pinBlock: { blockId: 'step-1' },
  unpinBlock: { blockId: 'step-1' },
  moveAnchor: { blockId: 'prompt-2' },
  fetchScratchpad: {},
  updateScratchpad: { scratchpad: EMPTY_SCRATCHPAD, base: EMPTY_SCRATCHPAD },
  undoScratchpad: { note: 'note-1' },
  excludeBlock: { blockId: 'step-1' },
  restoreBlock: { blockId: 'step-1', as: 'whole' },
  clearBlock: { blockId: 'step-1' },
  fetchSummary: { blockId: 'summary-1' },
  rewriteSummary: { blockId: 'summary-1', text: 'Mine.' },
  makeRoom: { instructions: '' },
  previewPass: {},
  whatIf: { settings: SETTINGS },
  comparePolicies: { settings: SETTINGS },
  stopComparing: {},
  applyWhatIf: { settings: SETTINGS },
  fetchDecisions: { number: 1 },
  fetchLives: { blockId: 'step-1' },
  fetchFiles: {},
  travelTo: { at: 1 },
  forkAt: { step: 1 },
  handOver: {},
  closeSession: {},
  openLinked: { session: 'another' },
  fetchRequest: { step: 1 },
  openRequest: { step: 1, form: 'raw' },
  openExchange: { summaryId: 'summary-1', side: 'asked', form: 'raw' },
  copyRequest: { step: 1 },
  diffRequests: { from: 1, to: 'next', form: 'raw' },
  exportView: { form: 'html' },
  exportPass: { number: 1 },
  openRecording: {},
  closeRecording: {},
  followRecording: { following: true },
  dismissIntro: {},
  dismissCapNotice: {},
  undoPass: { number: 1 },
  applyPass: { proposedPassId: 1, spared: [], summaries: {} },
  postponePass: { proposedPassId: 1 },
  openProfile: {},
  openAgentView: {},
  chooseTools: {},
  openSettings: {},
  openWatermarkSettings: {},
};

export const CONTEXT_NAMES = Object.keys(CONTEXT_SAMPLES) as ContextWish['type'][];

/** A wish of the Context panel with that name. */
export function contextWish(type: ContextWish['type']): ContextWish {
  return { type, ...CONTEXT_SAMPLES[type] } as ContextWish;
}
