import type { AppliedContextEdit } from './contextEditing';
import type { MemoryOrigin } from './event';
import type { Usage } from './account/spending';

/** Names a block for the life of its session, for example `prompt-1`, `step-12`, `summary-2`. */
export type BlockId = string & { readonly __brand: 'BlockId' };

/** The id the API gave one tool call; its result carries the same id. */
export type ToolUseId = string & { readonly __brand: 'ToolUseId' };

/** One tool call as the model asked for it. */
export interface ToolUse {
  readonly id: ToolUseId;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Why `input` is not what the model wrote; the model is told, and the call is not run. */
  readonly inputFault?: string;
}

/** One part of a model response, in the order the model wrote it. */
export type ReplyPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redactedThinking'; readonly data: string }
  /** The API's own summary of everything before it (server-side compaction); null when it failed. */
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
  /** Worked out by the published formula, never from the length of `data`. */
  readonly tokens: number;
}

/** How a text entered the window: whole, or head and tail only (lengths in characters). */
export type Admission =
  | { readonly form: 'whole' }
  | {
      readonly form: 'truncated';
      readonly headChars: number;
      readonly tailChars: number;
      /** Estimated tokens of the whole text, and of what was admitted. */
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly capTokens: number;
    };

/** Where a tool result came from; all but `ran` are written by Plimsoll, not by the tool. */
export const RESULT_ORIGINS = ['ran', 'denied', 'stopped', 'interrupted', 'cutReply'] as const;
export type ResultOrigin = (typeof RESULT_ORIGINS)[number];

/** What came back for one tool call; `text` is the whole text, however much of it was admitted. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly origin: ResultOrigin;
  readonly durationMs: number;
  readonly admission: Admission;
  readonly attachments?: readonly Attachment[];
  /** Lines of the edited file that came with it, since the window no longer showed them. */
  readonly shown?: readonly ShownLines[];
}

/** A tool_use and its tool_result as one value, so that neither can leave alone. */
export interface ToolPair {
  readonly use: ToolUse;
  /** Absent only while the tool runs. */
  readonly result?: ToolResult;
  /** True once a pass replaced the result's content by a placeholder. */
  readonly cleared: boolean;
  /** It was cleared because a view of files can show it: the placeholder says so. */
  readonly heldByView?: true;
}

/**
 * What became of a block: whole in the window, in part, or out of it. `trimmed` lacks its thinking;
 * `undonePrompt` left with the prompt that led to it, and nothing tells the model of it.
 */
export const BLOCK_STATES = [
  'whole',
  'truncated',
  'trimmed',
  'cleared',
  'summarised',
  'evicted',
  'undone',
] as const;
export type BlockState = (typeof BLOCK_STATES)[number];

interface BlockBase {
  readonly id: BlockId;
  /** Turn the block belongs to, counted from 1. */
  readonly turn: number;
  /** Pinned blocks are never cleared, compacted or evicted. */
  readonly pinned: boolean;
  readonly state: BlockState;
  /** Exact tokens between two official counts around this block alone; absent while unknown. */
  readonly exactTokens?: number;
}

/** The session's first typed prompt; labelled as the original task while pinned. */
export interface AnchorBlock extends BlockBase {
  readonly kind: 'anchor';
  readonly text: string;
  readonly admission: Admission;
  readonly attachments?: readonly Attachment[];
}

/** A later typed prompt. */
export interface PromptBlock extends BlockBase {
  readonly kind: 'prompt';
  readonly text: string;
  readonly admission: Admission;
  readonly attachments?: readonly Attachment[];
}

/** One model response together with all results of the tools it called. */
export interface StepBlock extends BlockBase {
  readonly kind: 'step';
  /** Step number in the session, counted from 1. */
  readonly step: number;
  readonly parts: readonly ReplyPart[];
  /** In the order of the tool_use parts. */
  readonly pairs: readonly ToolPair[];
  /** True once an edit before this block made its thinking unsendable; it never returns. */
  readonly thinkingDropped: boolean;
  /** Output tokens the API reported for the reply; thinking included. */
  readonly replyTokens: number;
  /**
   * The user edited the window while this was being written, so the model had not read the edit.
   */
  readonly editedMeanwhile?: true;
  /** What the API's own context editing did to the request for this step. */
  readonly appliedEdits?: readonly AppliedContextEdit[];
}

/** The text that stands in the window for a run of blocks. */
export interface SummaryBlock extends BlockBase {
  readonly kind: 'summary';
  readonly text: string;
  readonly covers: readonly BlockId[];
  /**
   * The steps it stands for, including those of earlier summaries, as runs in ascending order;
   * absent where it covers only prompts.
   */
  readonly steps?: readonly StepRange[];
  readonly writtenBy: SummaryWriter;
  /** The user changed what it says. */
  readonly editedByUser?: true;
}

/**
 * A text added between two steps: a changed scratchpad, a folder's memory, what the user brought
 * back, a reminder of the scratchpad, the time that passed, that a reply was cut off.
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

/** Why the agent is reminded of its scratchpad: it is old, or the next pass removes more than it mentions. */
export const REMINDER_CAUSES = ['age', 'pass'] as const;

/**
 * Where a note comes from; `path` is relative to the workspace, `label` names the block brought back,
 * `title` the session whose summary it is, `idleMs` is how long the session was idle before the user
 * came back to it. What was handed over is the agent's own words.
 */
export type NoteSource =
  | { readonly from: 'scratchpad'; readonly handedOver?: true }
  | { readonly from: 'handover'; readonly title: string }
  | { readonly from: 'memory'; readonly path: string; readonly origin?: MemoryOrigin }
  | { readonly from: 'recall'; readonly blockId: BlockId; readonly label: string }
  | { readonly from: 'return'; readonly idleMs: number }
  /** The user's words to the agent while it works. */
  | { readonly from: 'said' }
  /** The user put files back as they were before. */
  | { readonly from: 'filesRestored' }
  /** Commands in the background ended, by their handles. */
  | { readonly from: 'commandsEnded'; readonly handles: readonly string[] }
  /** The reply before it was cut off, or the turn ended early, and the model is to go on. */
  | {
      readonly from: 'goOn';
      readonly because: (typeof GO_ON_CAUSES)[number];
    }
  | {
      readonly from: 'reminder';
      readonly because: (typeof REMINDER_CAUSES)[number];
      /** How many steps old the scratchpad was. */
      readonly steps: number;
    };

/** Step numbers, both included. */
export interface StepRange {
  readonly first: number;
  readonly last: number;
}

/** Who wrote a summary: a model, or Plimsoll as a deterministic work note, with the cause. */
export type SummaryWriter =
  | {
      readonly by: 'model';
      readonly model: string;
      /**
       * Present where no `modelAsked` event has it: in older logs and in replays. So a sum over the
       * events and over this counts every answer once, whichever turn a pass applies it in.
       */
      readonly usage?: Usage;
    }
  | {
      readonly by: 'workNote';
      readonly because: string;
      /**
       * What a model took for a text that was not used; present where no `modelAsked` event has it.
       */
      readonly asked?: { readonly model: string; readonly usage: Usage };
    };

/** Some lines of a file as a view shows them. */
export interface ShownLines {
  readonly path: string;
  /** Number of the first line, counted from 1; absent where it is not known. */
  readonly first?: number;
  /** The lines, joined by line breaks. */
  readonly text: string;
  /** Something else than the calls of the session has changed the file since its lines were seen. */
  readonly changedOutside?: true;
}

/** A file that was worked with and that the window shows nothing of. */
export interface HiddenFile {
  readonly path: string;
  /** The step that read it last, and the one that changed it last; 0 for none. */
  readonly readAt: number;
  readonly editedAt: number;
  /** Why nothing of it can be shown; absent where it could be. */
  readonly onDisk?: 'deleted' | 'unreadable';
}

/** What a pass shows of the files in work, as they were then. */
export interface FilesBlock extends BlockBase {
  readonly kind: 'excerpts';
  /** As it is sent. */
  readonly text: string;
  /** The newest step by then. */
  readonly step: number;
  /** By path, then by number. */
  readonly shown: readonly ShownLines[];
  /** Newest first. */
  readonly hidden: readonly HiddenFile[];
}

/** The kinds of block. */
export const BLOCK_KINDS = ['anchor', 'prompt', 'step', 'summary', 'note', 'excerpts'] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** The smallest thing kept or evicted whole. */
export type Block = AnchorBlock | PromptBlock | StepBlock | SummaryBlock | NoteBlock | FilesBlock;

/** Says whether any part of the block is sent on the next request. */
export function isInWindow(block: Block): boolean {
  return block.state !== 'evicted' && block.state !== 'summarised' && block.state !== 'undone';
}

/** Says whether a block reminds the agent of its scratchpad. */
export function isReminder(block: Block): boolean {
  return block.kind === 'note' && block.source.from === 'reminder';
}

/** Says whether a block asks the model to go on with a reply that was cut off, or with its turn. */
export function asksToGoOn(block: Block): boolean {
  return block.kind === 'note' && block.source.from === 'goOn';
}

/** Says whether every tool call of the step has its result. */
export function isComplete(step: StepBlock): boolean {
  return step.pairs.every((pair) => pair.result !== undefined);
}

/** Says whether a block is the note that tells how long the session was idle. */
export function isOfReturn(block: Block): boolean {
  return block.kind === 'note' && block.source.from === 'return';
}

/**
 * Handles are what the `recall` tool takes: a tool call's id for its result, a block's id for a
 * whole block.
 */
export function resultHandle(id: ToolUseId): string {
  return id;
}

/** The handle of a whole block. */
export function blockHandle(id: BlockId): string {
  return id;
}

/**
 * Removes a block's thinking from what is sent, for good: it is bound to every byte before it, so
 * behind an edit the API would refuse it (I6).
 */
export function withoutThinking(block: Block): Block {
  if (block.kind !== 'step' || block.thinkingDropped || !isInWindow(block)) return block;
  if (!block.parts.some(isThinking)) return block;
  const { exactTokens: _stale, ...rest } = block;
  return { ...rest, thinkingDropped: true };
}

/**
 * Says whether the thinking of a reply can be sent back as it came: signed, with something after
 * it, and with nothing before it that the API would not take back, such as blank text.
 */
export function isThinkingSendable(parts: readonly ReplyPart[]): boolean {
  const sent = parts.filter((part) => !isBlank(part));
  const last = sent.at(-1);
  if (last !== undefined && isThinking(last)) return false;
  if (parts.some((part) => part.type === 'thinking' && part.signature === '')) return false;
  const blank = parts.findIndex(isBlank);
  return blank === -1 || !parts.slice(blank).some(isThinking);
}

/** Says whether a part of a reply is thinking, readable or not. */
export function isThinking(part: ReplyPart): boolean {
  return part.type === 'thinking' || part.type === 'redactedThinking';
}

/** Says whether a part is text without a word, which the API refuses. */
export function isBlank(part: ReplyPart): boolean {
  return part.type === 'text' && part.text.trim() === '';
}
