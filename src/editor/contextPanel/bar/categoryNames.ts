import type { Category } from '../../../contextWindow/account/balance';

/** The names of the categories, in the bar, its legend and exports. */
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
