import type { Attachment, ReplyPart, ToolUseId } from '../contextWindow/block';
import type { RuleChange, ToolDefinition } from '../contextWindow/event';
import type { Charge, Usage } from '../contextWindow/account/spending';
import type { Result } from '../contextWindow/result';

/** The recording formats Plimsoll can read. */
export const TRANSCRIPT_FORMATS = [
  'claude-code',
  'messages',
  'pi',
  'cline',
  'roo',
  'openhands',
  'openhands-output',
  'mini-swe-agent',
  'openai-requests',
  'codex',
  'gemini-cli',
  'opencode',
  'goose',
  'crush',
  'zed',
  'copilot-cli',
  'vscode-chat',
  'vscode-debug-log',
  'plimsoll',
] as const;

export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** The result of one recorded call; `interrupted` if the recording holds none. */
export interface RecordedResult {
  readonly toolUseId: ToolUseId;
  readonly text: string;
  readonly isError: boolean;
  readonly origin: 'ran' | 'interrupted';
  readonly attachments?: readonly Attachment[];
}

/** One event of a recording. */
export type TranscriptEntry = {
  /** Line number from 1, if the file has lines. */
  readonly line?: number;
  /** Milliseconds since the epoch; absent if the recording has no time. */
  readonly at?: number;
  /** What the user decided about the standing rules before it; only sessions of Plimsoll say it. */
  readonly ruleChanges?: readonly RuleChange[];
  /** The same after it, if it is the last entry. */
  readonly ruleChangesAfter?: readonly RuleChange[];
} & (
  | {
      readonly type: 'prompt';
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      /** An agent wrote it: the summary of an earlier session, or what a sub-agent was asked. */
      readonly byAgent?: true;
    }
  /** One model response with the results of its calls, in the order of the calls. */
  | {
      readonly type: 'reply';
      /** The API's name of the response, if the file has it. */
      readonly responseId?: string;
      readonly model: string;
      readonly parts: readonly ReplyPart[];
      readonly results: readonly RecordedResult[];
      /** As recorded, if it is. */
      readonly usage?: Usage;
      /** US dollars, if the file names its price. */
      readonly usd?: number;
      /**
       * The charges of nearby answers that are no entry, such as replies with thinking only and
       * requests for summaries; absent for none.
       */
      readonly otherCharges?: readonly Charge[];
      /** The user had left the session, and its agent was started again before it. */
      readonly resumed?: true;
      /** What changed in its request apart from the conversation; absent if the file does not say. */
      readonly changed?: 'preamble' | 'thinking';
      /**
       * The paths of instruction files that its agent added to the window after it, with the results;
       * absent for none, or if the file does not say.
       */
      readonly instructions?: readonly string[];
    }
  /** The other agent ran a compaction here, by a summary or by clearing results. */
  | {
      readonly type: 'compacted';
      readonly summary?: string;
      /** The user asked for it; absent if the agent did it, or if the file does not say. */
      readonly byUser?: true;
      readonly clearedToolUseIds?: readonly ToolUseId[];
      /** Indices of the earlier entries that it kept; absent for none. */
      readonly kept?: readonly number[];
      /** The paths of files that it added in full, after the summary; absent for none. */
      readonly addedFiles?: readonly string[];
    }
);

/** What the recorded agent was charged for a reply and the answers next to it. */
export function recordedChargesOf({
  model,
  usage,
  usd,
  otherCharges = [],
}: Extract<TranscriptEntry, { readonly type: 'reply' }>): readonly Charge[] {
  if (usage === undefined) return otherCharges;
  return [...otherCharges, { model, usage, usd }];
}

/** A recorded session of any agent, in order. */
export interface Transcript {
  readonly format: TranscriptFormat;
  /** The name of Plimsoll's sub-agent, whose prompts are not the user's and state no rules. */
  readonly subAgent?: string;
  /**
   * The session that this one began as, if the file names it: a fork has copies of its replies, which
   * may have other times.
   */
  readonly lineage?: string;
  /** Empty if the recording lacks them. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Size of the model's context window in tokens, if recorded. */
  readonly windowTokens?: number;
  /**
   * The first is a prompt; a reply follows only a prompt or a reply whose calls all have results.
   */
  readonly entries: readonly TranscriptEntry[];
  /** For the user: each skip and repair, in one sentence. */
  readonly notes: readonly string[];
}

/** A transcript, or the problem and its line. */
export type TranscriptResult = Result<{ readonly transcript: Transcript }>;
