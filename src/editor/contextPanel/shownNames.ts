import type { Category } from '../../contextWindow/account/balance';
import type { Action, Trigger } from '../../contextWindow/plan';
import type { DisplayState } from './state';

// The names in the panel and in exports.

export const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  tools: 'Tools',
  system: 'System prompt',
  unrecorded: 'Not in the recording',
  scratchpad: 'Agent’s notes',
  anchor: 'Task',
  rules: 'Standing rules',
  summary: 'Summary',
  gapLines: 'Removed turns',
  excerpts: 'Excerpts',
  archive: 'Older',
  working: 'Recent',
};

export const STATE_NAMES: Readonly<Record<DisplayState, string>> = {
  whole: 'whole',
  truncated: 'truncated',
  trimmed: 'trimmed',
  cleared: 'cleared',
  summarised: 'summarised',
  evicted: 'removed',
  excluded: 'excluded',
};

/** The change of a block. */
export const ACTION_NAMES: Readonly<Record<Action, string>> = {
  keep: 'kept',
  truncate: 'truncated',
  trim: 'thinking removed',
  clear: 'cleared',
  summarise: 'summarised',
  evict: 'removed',
  restore: 'restored',
  rewrite: 'rewritten',
  undoPrompt: 'undone with its prompt',
};

/** Why a pass ran. */
export const TRIGGER_NAMES: Readonly<Record<Trigger, string>> = {
  highWatermark: 'high watermark crossed',
  overflow: 'the API said the request was too long',
  manual: 'Compact Now',
  cap: 'turn or message limit reached',
  coldCache: 'cold prompt cache',
  recorded: 'the recorded agent compacted its conversation',
  byHand: 'changed by you',
};
