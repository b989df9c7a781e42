import type { Attachment, ReplyPart, ToolUseId } from '../contextWindow/block';
import type { ToolDefinition } from '../contextWindow/event';
import type { Usage } from '../contextWindow/account/spending';
import type { Result } from '../contextWindow/result';

/** The recordings Plimsoll can read. */
export const TRANSCRIPT_FORMATS = [
  'claude-code',
  'messages',
  'pi',
  'cline',
  'openhands',
  'openhands-output',
  'codex',
  'gemini-cli',
  'opencode',
  'copilot-cli',
  'plimsoll',
] as const;

export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** What came back for one recorded call; `interrupted` where the recording holds no result. */
export interface RecordedResult {
  readonly toolUseId: ToolUseId;
  readonly text: string;
  readonly isError: boolean;
  readonly origin: 'ran' | 'interrupted';
  readonly attachments?: readonly Attachment[];
}

/** One thing that happened in a recording. */
export type TranscriptEntry = {
  /** Counts from 1, where the file has lines. */
  readonly line?: number;
  /** When it was, ms since the epoch; absent where the recording does not say. */
  readonly at?: number;
} & (
  | {
      readonly type: 'prompt';
      readonly text: string;
      readonly attachments?: readonly Attachment[];
    }
  /** One model response with the results of its calls, one for each, in the order of the calls. */
  | {
      readonly type: 'reply';
      readonly model: string;
      readonly parts: readonly ReplyPart[];
      readonly results: readonly RecordedResult[];
      /** As the recording has it; absent where it has none. */
      readonly usage?: Usage;
    }
  /** The other agent made room here: by a summary, or by clearing results. */
  | {
      readonly type: 'compacted';
      readonly summary?: string;
      readonly clearedToolUseIds?: readonly ToolUseId[];
      /** The indices of the earlier entries among all that stayed; absent for none. */
      readonly kept?: readonly number[];
    }
);

/** A recorded session of any agent, in the order it happened. */
export interface Transcript {
  readonly format: TranscriptFormat;
  /** '' and none where the recording leaves them out. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Size of its model's context window in tokens; absent where the recording does not say. */
  readonly windowTokens?: number;
  /** The first is a prompt; a reply follows only a prompt or a reply whose calls all have results. */
  readonly entries: readonly TranscriptEntry[];
  /** What was left out or repaired, for the user; one sentence each. */
  readonly notes: readonly string[];
}

/** A transcript, or what is wrong, and in which line where there is one. */
export type TranscriptResult = Result<{ readonly transcript: Transcript }>;
