import type { AppliedContextEdit } from './contextEditing';
import type { MemoryOrigin } from './event';
import type { Mode } from './mode';
import type { Usage } from './account/spending';

/** Names a block for the life of its session, for example `prompt-1`, `step-12`, `summary-2`. */
export type BlockId = string & { readonly __brand: 'BlockId' };

/** The API's id of one tool call; its result carries the same id. */
export type ToolUseId = string & { readonly __brand: 'ToolUseId' };

/** One tool call as the model asked for it. */
export interface ToolUse {
  readonly id: ToolUseId;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Why `input` is not what the model wrote. The model is told, and the call does not run. */
  readonly inputFault?: string;
  /** The tool through which the model called this one; requests have a call of that tool. */
  readonly via?: string;
}

/** One part of a model response, in the order the model wrote it. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redactedThinking'; readonly data: string }
  /** The API's own summary of everything before it (server-side compaction); null if it failed. */
  | { readonly type: 'compaction'; readonly content: string | null }
  | { readonly type: 'toolUse'; readonly use: ToolUse };

export const ATTACHMENT_TYPES = ['image', 'document'] as const;

/** An image or document that came with a prompt or a tool result. */
export interface Attachment {
  readonly type: (typeof ATTACHMENT_TYPES)[number];
  /** For example `image/png` or `application/pdf`. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  /** Computed with the published formula, never from the length of `data`. */
  readonly tokens: number;
}

/** How a text entered the window: whole, or its head and tail (lengths in characters). */
export type Admission =
  | { readonly form: 'whole' }
  | {
      readonly form: 'truncated';
      readonly headChars: number;
      readonly tailChars: number;
      /** Estimated tokens of the whole text, and of the admitted part. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly capTokens: number;
    };

/** Where a tool result came from. Only `ran` is written by the tool; Plimsoll writes the others. */
export const RESULT_ORIGINS = ['ran', 'denied', 'stopped', 'interrupted', 'cutReply'] as const;
export type ResultOrigin = (typeof RESULT_ORIGINS)[number];

/** The result of one tool call; `text` is the whole text, however much of it was admitted. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly origin: ResultOrigin;
  readonly durationMs: number;
  readonly admission: Admission;
  readonly attachments?: readonly Attachment[];
  /**
   * Lines of the edited file that came with the result because the window no longer showed them.
   */
  readonly shown?: readonly ShownLines[];
}

/** A tool_use and its tool_result as one value, so that neither can leave alone. */
export interface ToolPair {
  readonly use: ToolUse;
  /** Absent while the tool runs. */
  readonly result?: ToolResult;
  /** True after a pass replaced the result's content by a placeholder. */
  readonly cleared: boolean;
  /** The result was cleared because the excerpts can show it; the placeholder says so. */
  readonly heldByExcerpts?: true;
}

/**
 * The state of a block: whole, in part, or out of the window. A `trimmed` block lacks its thinking.
 * An `undonePrompt` block was removed with the prompt that led to it, and the model is not told.
 */
export type BlockState =
  'whole' | 'truncated' | 'trimmed' | 'cleared' | 'summarised' | 'evicted' | 'undone';

interface BlockBase {
  readonly id: BlockId;
  /** Turn of the block, counted from 1. */
  readonly turn: number;
  /** Pinned blocks are never cleared, summarised or evicted. */
  readonly pinned: boolean;
  readonly state: BlockState;
  /** Exact tokens, if two official counts differ by this block alone. */
  readonly exactTokens?: number;
}

/** The session's first typed prompt; labelled as the original task while pinned. */
export interface AnchorBlock extends BlockBase {
  readonly kind: 'anchor';
  readonly text: string;
  readonly admission: Admission;
  readonly attachments?: readonly Attachment[];
  /** When it is truncated, the standing rules of the part left out follow it. */
  readonly keepsRules?: true;
  /** An agent wrote it: it states no standing rules. */
  readonly byAgent?: true;
}

/** A later typed prompt. */
export interface PromptBlock extends BlockBase {
  readonly kind: 'prompt';
  readonly text: string;
  readonly admission: Admission;
  readonly attachments?: readonly Attachment[];
  /** When it is truncated, the standing rules of the part left out follow it. */
  readonly keepsRules?: true;
  /** An agent wrote it: it states no standing rules. */
  readonly byAgent?: true;
}

/** One model response together with all results of the tools it called. */
export interface StepBlock extends BlockBase {
  readonly kind: 'step';
  /** Counted from 1 in the session. */
  readonly step: number;
  readonly parts: readonly ReplyPart[];
  /** In the order of the tool_use parts. */
  readonly pairs: readonly ToolPair[];
  /**
   * True after a change before this block: its thinking can no longer be sent, and never returns.
   */
  readonly thinkingDropped: boolean;
  /** Output tokens of the reply as the API reported them, thinking included. */
  readonly replyTokens: number;
  /** The user changed the window during the reply, so the model had not read the change. */
  readonly editedMeanwhile?: true;
  /** Result of the API's own context editing of this step's request. */
  readonly appliedEdits?: readonly AppliedContextEdit[];
}

/** The text that replaces a run of blocks in the window. */
export interface SummaryBlock extends BlockBase {
  readonly kind: 'summary';
  readonly text: string;
  readonly covers: readonly BlockId[];
  /**
   * The steps it replaces, those of earlier summaries included, as ascending runs. Absent if it
   * covers only prompts.
   */
  readonly steps?: readonly StepRange[];
  readonly writtenBy: SummaryWriter;
  readonly editedByUser?: true;
}

/**
 * A text added between two steps: a changed scratchpad, a folder's memory, restored content, a
 * reminder, the time that passed, or a request to continue.
 */
export interface NoteBlock extends BlockBase {
  readonly kind: 'note';
  readonly text: string;
  readonly admission: Admission;
  readonly source: NoteSource;
}

/** Why a reply or a turn ended early, so that the model is asked to continue. */
export const GO_ON_CAUSES = [
  'maxTokens',
  'windowEnd',
  'stopped',
  'interrupted',
  'refused',
  'failed',
] as const;

export const RULE_CHANGES = ['added', 'struck'] as const;

/** Why the agent is reminded of its scratchpad: it is old, or the next pass removes more than it mentions. */
export const REMINDER_CAUSES = ['age', 'pass', 'neededAgain'] as const;

/**
 * Where a note comes from. `path` is relative to the workspace, `label` names the restored block,
 * `title` the summarised session, and `idleMs` is how long the session was idle before the user
 * came back. A handover is the agent's own words.
 */
export type NoteSource =
  | { readonly from: 'scratchpad'; readonly handedOver?: true }
  | { readonly from: 'handover'; readonly title: string }
  /** Instructions for a folder's files, or for those that match the globs. */
  | {
      readonly from: 'memory';
      readonly path: string;
      readonly origin?: MemoryOrigin;
      readonly globs?: readonly string[];
    }
  | { readonly from: 'recall'; readonly blockId: BlockId; readonly label: string }
  | { readonly from: 'return'; readonly idleMs: number }
  /** Words of the user to the agent while it works. */
  | { readonly from: 'said' }
  /** The user added or struck a standing rule. */
  | { readonly from: 'rule'; readonly how: (typeof RULE_CHANGES)[number] }
  /** The mode from here on. */
  | { readonly from: 'mode'; readonly mode: Mode }
  /** The user restored files. */
  | { readonly from: 'filesRestored' }
  /** Background commands ended; `handles` names them. */
  | { readonly from: 'commandsEnded'; readonly handles: readonly string[] }
  /** The previous reply was cut off, or the turn ended early, and the model is to continue. */
  | {
      readonly from: 'continue';
      readonly because: (typeof GO_ON_CAUSES)[number];
    }
  | {
      readonly from: 'reminder';
      readonly because: (typeof REMINDER_CAUSES)[number];
      /** Age of the scratchpad in steps. */
      readonly steps: number;
    };

/** Step numbers, both inclusive. */
export interface StepRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The author of a summary: a model, or Plimsoll, which wrote a deterministic work note for the
 * given cause.
 */
export type SummaryWriter =
  | {
      readonly by: 'model';
      readonly model: string;
      /**
       * Present only in replays, where no `modelAsked` event holds it. A sum over events and
       * summaries then counts every answer once, whichever turn a pass applies it in.
       */
      readonly usage?: Usage;
    }
  | {
      readonly by: 'workNote';
      readonly because: string;
      /** Tokens spent on a rejected summary; present if no `modelAsked` event holds it. */
      readonly asked?: { readonly model: string; readonly usage: Usage };
    };

/** Lines of a file as the window shows them. */
export interface ShownLines {
  readonly path: string;
  /** Number of the first line, counted from 1; absent if unknown. */
  readonly first?: number;
  /** Joined by line breaks. */
  readonly text: string;
  /** Something other than the session's calls changed the file after its lines were seen. */
  readonly changedOutside?: true;
}

/** A file in work that the window does not show. */
export interface HiddenFile {
  readonly path: string;
  /** The steps that last read and last changed it; 0 for none. */
  readonly readAt: number;
  readonly editedAt: number;
  /** Why nothing of it can be shown; absent if it could be. */
  readonly onDisk?: 'deleted' | 'unreadable';
}

/** Excerpts of the files in work, as the files were at the time of the pass. */
export interface FilesBlock extends BlockBase {
  readonly kind: 'excerpts';
  /** The text as it is sent. */
  readonly text: string;
  /** The newest step at that time. */
  readonly step: number;
  /** By path, then by number. */
  readonly shown: readonly ShownLines[];
  /** Newest first. */
  readonly hidden: readonly HiddenFile[];
}

export const BLOCK_KINDS = ['anchor', 'prompt', 'step', 'summary', 'note', 'excerpts'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** The smallest unit that is kept or evicted as a whole. */
export type Block = AnchorBlock | PromptBlock | StepBlock | SummaryBlock | NoteBlock | FilesBlock;

/** Says whether the next request contains any part of the block. */
export function isInWindow(block: Block): boolean {
  return block.state !== 'evicted' && block.state !== 'summarised' && block.state !== 'undone';
}

/** Says whether a block reminds the agent of its scratchpad. */
export function isReminder(block: Block): boolean {
  return block.kind === 'note' && block.source.from === 'reminder';
}

/**
 * The `recall` tool takes handles: a call's id for its result, a block's id for the whole block.
 */
export function resultHandle(id: ToolUseId): string {
  return id;
}

export function blockHandle(id: BlockId): string {
  return id;
}

/**
 * Removes a block's thinking from every later request. Thinking is bound to all bytes before it, so
 * the API would refuse it after a change (I6).
 */
export function withoutThinking(block: Block): Block {
  if (block.kind !== 'step' || block.thinkingDropped || !isInWindow(block)) return block;
  if (!block.parts.some(isThinking)) return block;
  const { exactTokens: _stale, ...rest } = block;
  return { ...rest, thinkingDropped: true };
}

/**
 * Says whether the thinking of a reply can be sent back unchanged: signed, followed by something,
 * and not preceded by anything that the API would refuse, such as blank text.
 */
export function isThinkingSendable(parts: readonly ReplyPart[]): boolean {
  const sent = parts.filter((part) => !isBlank(part));
  const last = sent.at(-1);
  if (last !== undefined && isThinking(last)) return false;
  if (parts.some((part) => part.type === 'thinking' && part.signature === '')) return false;
  const blank = parts.findIndex(isBlank);
  return blank === -1 || !parts.slice(blank).some(isThinking);
}

/** Says whether a part of a reply is thinking, readable or redacted. */
export function isThinking(part: ReplyPart): boolean {
  return part.type === 'thinking' || part.type === 'redactedThinking';
}

/** Says whether a part is blank text, which the API refuses. */
export function isBlank(part: ReplyPart): boolean {
  return part.type === 'text' && part.text.trim() === '';
}
