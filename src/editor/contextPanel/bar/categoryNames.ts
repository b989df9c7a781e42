import type { Category } from '../../../contextWindow/account/balance';

/** What the parts of the window are called, in the map, in its legend and in exports. */
export const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  tools: 'Tools',
  system: 'System prompt',
  unrecorded: 'Not in the recording',
  scratchpad: 'Agent’s notes',
  anchor: 'Task',
  summary: 'Summary',
  gapLines: 'Removed turns',
  excerpts: 'Excerpts',
  archive: 'Older',
  working: 'Recent',
};
