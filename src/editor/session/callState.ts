import type { ToolResult } from '../../contextWindow/block';

/** What became of a tool call; `waiting` covers a call that runs, where only its log is known. */
export type CallState = 'waiting' | 'done' | 'failed' | 'denied' | 'stopped';

/** What a result says about its call. */
export function callStateOf({
  origin,
  isError,
}: Pick<ToolResult, 'origin' | 'isError'>): Exclude<CallState, 'waiting'> {
  switch (origin) {
    case 'ran':
      return isError ? 'failed' : 'done';
    case 'denied':
      return 'denied';
    case 'stopped':
    case 'interrupted':
      return 'stopped';
    case 'cutReply':
      return 'failed';
  }
}
