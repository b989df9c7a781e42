import type { SegmentName } from './segments';

export type MarkName = 'recent' | 'low' | 'high' | 'budget' | 'window';

/** What each part of the bar means. */
export const SEGMENT_MEANINGS: Readonly<Record<SegmentName, string>> = {
  tools: 'what the tools are, in every request',
  system: 'instructions and project memory, in every request',
  unrecorded:
    'counted by the recorded API beyond what the file holds, such as thinking; part of what it belongs to',
  scratchpad: "the agent's notes, which outlive what leaves",
  anchor: 'the task as it was set, in every request',
  summary: 'stands for blocks that were compacted',
  gapLines: 'lines that tell the model how many whole turns left, and where',
  excerpts: 'lines of files the agent works on, as they were at the last pass',
  archive: 'older blocks, the first to leave',
  working: 'the newest blocks, the last to leave',
  headroom: 'room that is left for the next request',
  reserved: 'kept free, no request may take it',
};

/** What each line across the bar means. */
export const MARK_MEANINGS: Readonly<Record<MarkName, string>> = {
  recent: 'What lies behind it stays word for word, as far as the budget can hold it',
  low: 'Low watermark: a pass stops at or below it',
  high: 'High watermark: a pass starts above it',
  budget: 'Input budget: what the next request may take',
  window: 'End of the context window: the model can read nothing beyond it',
};
