import type { SegmentName } from './segments';

export type MarkName = 'recent' | 'low' | 'high' | 'budget' | 'window';

/** What each part of the bar means. */
export const SEGMENT_MEANINGS: Readonly<Record<SegmentName, string>> = {
  tools: 'tool definitions, sent with every request',
  system: 'instructions and project memory, sent with every request',
  unrecorded:
    "unrecorded tokens: counted by the recording's API but missing from its file, such as thinking",
  scratchpad: "the agent's notes, which outlive removed blocks",
  anchor: 'the original task, sent with every request',
  summary: 'stands for blocks that were summarised',
  gapLines: 'lines that tell the model how many whole turns were removed, and where',
  excerpts: 'excerpts of the files in work, as of the last pass',
  archive: 'older blocks, removed first',
  working: 'the newest blocks, removed last',
  headroom: 'room for the next request',
  reserved: 'kept free: no request may use it',
};

/** What each line across the bar means. */
export const MARK_MEANINGS: Readonly<Record<MarkName, string>> = {
  recent: 'Everything to the right is kept verbatim if the budget allows',
  low: 'Low watermark: a pass stops at or below it',
  high: 'High watermark: a pass starts above it',
  budget: 'Input budget: the most that the next request may hold',
  window: 'End of the context window: the model reads nothing beyond it',
};
