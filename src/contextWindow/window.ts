import type { BackgroundCommand } from './commands';
import { type Block, type BlockId, type StepBlock, isInWindow } from './block';
import type { HandChange } from './handChanges';
import type { EventOf, MemoryFile, SessionLink, ToolDefinition, TurnOutcome } from './event';
import type { ContextEdit } from './contextEditing';
import type { FileChoices } from './files/fileChoices';
import type { FileModel } from './files/knownFile';
import { byChunk, type PersistentList, rememberedFold } from './persistentList';
import type { PersistentMap } from './persistentMap';
import { turnsOf, type Decision, type Pass } from './plan';
import type { Mode } from './mode';
import type { CacheHistory, CacheLife } from './account/promptCache';
import type { RecordedPart, RecordedSize } from './account/recordedSize';
import type { Scratchpad, ScratchpadAge, ScratchpadChange } from './scratchpad';
import type { JsonValue } from './json';
import type { SummaryUse } from './summaryCheck/summaryUses';
import type { RulesState, ShownRules } from './standingRules/standingRules';

/** System prompt and tools: the part of every request that no pass changes. */
export interface Preamble {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Project memory of the workspace's root, then the profile; absent for none. */
  readonly memory?: readonly MemoryFile[];
  /**
   * In a replay without counts per part: tokens of every request that are missing from the
   * recording's file.
   */
  readonly unrecordedTokens?: number;
}

/** The last official count and the blocks it covers: the first `blocks` of the window. */
export interface Baseline {
  readonly tokens: number;
  readonly source: 'usage' | 'countTokens' | 'overflowError';
  readonly blocks: number;
  /**
   * The API's own context editing ran first, or may have run: the count does not cover all content
   * of those blocks.
   */
  readonly edited?: true;
  /** The API's count before its own editing; `tokens` is the count after it. */
  readonly beforeEdits?: number;
  /** The server has no official count: its usage is an estimate. */
  readonly uncounted?: true;
  /** The context editing that the request asked for; absent for none. */
  readonly contextEdits?: readonly ContextEdit[];
  /** The counted window, if it was changed since, and not only extended. */
  readonly counted?: CountedWindow;
}

/** A counted window without its own earlier counts, so that they form no chain. */
export type CountedWindow = Omit<ContextWindow, 'baseline' | 'firstCount'>;

/** The first official count under a model, which gives the weight of system prompt and tools. */
interface FirstCount {
  readonly tokens: number;
  readonly counted: CountedWindow;
}

/** The counts of a recorded agent's API; they are the weights of a replay's blocks. */
interface RecordedCounts {
  /**
   * The newest count, which is of the recorded agent's request, and the number of blocks at that
   * time.
   */
  readonly tokens: number;
  readonly blocks: number;
  readonly sizes: PersistentMap<RecordedPart, RecordedSize>;
}

/** An official count of a changed window, and the estimate that it replaced; tokens. */
interface CountOfChange {
  readonly tokens: number;
  readonly estimatedTokens: number;
}

/** A pass in the ledger, with the API's count of the window right after it, if any. */
export interface LedgerEntry {
  readonly pass: Pass;
  readonly certifiedTokens?: number;
  /** The first official count of the window since the pass, or since its undo. */
  readonly counted?: CountOfChange;
  /** The model at that time, whose tokenizer gave the numbers of the pass. */
  readonly model?: string;
  /** The blocks that the pass changed, in their former state; an undo restores them. */
  readonly former: readonly FormerBlock[];
  /** How the scratchpad and the rules were shown before the pass. */
  readonly formerlyShown: Pick<ContextWindow, 'shownScratchpad' | 'scratchpadBehindAnchor'> & {
    readonly shownRules: ShownRules | undefined;
  };
  /** The scratchpad before the undo of a prompt; absent if that did not change it. */
  readonly formerScratchpad?: FormerScratchpad;
  readonly undone?: true;
  /** The length of the ledger when the pass was undone; later passes knew of the undo. */
  readonly undoneAfter?: number;
}

/** Removed content that was needed again. */
export interface Refault {
  /** The step that needed it. */
  readonly step: number;
  /** The block that held it. */
  readonly blockId: BlockId;
  readonly by: 'recall' | 'read';
  /** The number of the pass that had removed it; absent if the log has lost the pass. */
  readonly pass?: number;
  /** The path, the handle or the words. */
  readonly what: string;
  /** For a read: those of its lines that had been in the window; absent if unknown. */
  readonly text?: string;
}

/** A step with a call that read or changed a file, and the previous such step. */
export interface FileCall {
  readonly step: BlockId;
  /**
   * Index among the blocks when the step was added. Later summaries may have raised it, but never
   * lowered it.
   */
  readonly place: number;
  readonly earlier?: FileCall;
}

/** A block before a pass, with its decision at that time. */
export interface FormerBlock {
  readonly block: Block;
  readonly decision?: Decision;
}

/** The window's state of the scratchpad. */
export type FormerScratchpad = Pick<
  ContextWindow,
  'scratchpad' | 'scratchpadAge' | 'shownScratchpad' | 'scratchpadBehindAnchor' | 'scratchpadChange'
>;

/**
 * The input budget (tokens) after an overflow error, until the window setting or the model changes.
 */
export interface StepDown {
  /** Attempts since the last reply or prompt. */
  readonly attempt: number;
  /** The window setting at that time. */
  readonly contextWindowTokens: number;
  readonly inputBudget: number;
  readonly message: string;
}

/** The pass that the user postponed last: how full the window was, and its blocks. */
interface Postponed {
  readonly tokens: number;
  readonly blocks: PersistentList<Block>;
}

/** What the model sees on the next request, and what it no longer sees. An immutable value. */
export interface ContextWindow {
  readonly sessionId: string;
  readonly pinTaskAnchor: boolean;
  readonly preamble: Preamble;
  /** Every background command that was started, in order; absent for none. */
  readonly commands?: readonly BackgroundCommand[];
  /**
   * The current model, whose tokenizer gives every official count. Absent before the first request.
   */
  readonly model?: string;
  /** Every block ever admitted. Evicted ones keep their place; a summary comes before its run. */
  readonly blocks: PersistentList<Block>;
  /** The current scratchpad; the request shows `shownScratchpad`. */
  readonly scratchpad: Scratchpad;
  /** The scratchpad's text as of the last pass; before that, the steps themselves show it. */
  readonly shownScratchpad: string;
  /**
   * Where the last pass put the scratchpad: after the anchor, or before it if nothing else follows
   * the anchor.
   */
  readonly scratchpadBehindAnchor: boolean;
  /** The numbers of the newest turn, step and note; 0 before the first. */
  readonly turn: number;
  readonly step: number;
  readonly note: number;
  readonly baseline?: Baseline;
  readonly firstCount?: FirstCount;
  /** Only in a replay of a recording whose API's counts are known. */
  readonly recorded?: RecordedCounts;
  /** The last decision about every block that is not whole in the window. */
  readonly decisions: PersistentMap<BlockId, Decision>;
  readonly ledger: PersistentList<LedgerEntry>;
  /**
   * The blocks right after the newest pass; a count of any other blocks says nothing about that
   * pass.
   */
  readonly leftByPass?: PersistentList<Block>;
  /** Removed content that was needed again: the measure of a policy. */
  readonly refaults: PersistentList<Refault>;
  /** Replies that used what summaries had replaced: the measure of a summary. */
  readonly summaryUses: PersistentList<SummaryUse>;
  /** The user's changes that are not passes, oldest first. */
  readonly handChanges: readonly HandChange[];
  readonly scratchpadChange?: ScratchpadChange;
  readonly scratchpadAge: ScratchpadAge;
  /** The newest step with a call on a file, by path; a repeated read is looked up here. */
  readonly fileCalls: PersistentMap<string, FileCall>;
  /** The files that calls have touched, with their known lines. */
  readonly files: FileModel;
  /** The files and lines that the user always or never wants shown. */
  readonly fileChoices: FileChoices;
  /** The marks of the secrets that requests hold in place of them; absent for none. */
  readonly sentSecrets?: readonly string[];
  readonly state: Readonly<Record<string, JsonValue>>;
  readonly stepDown?: StepDown;
  /** The state of the prompt cache; absent before the first reply. */
  readonly cache?: CacheHistory;
  /** For how long the next request is cached; absent for five minutes. */
  readonly cacheLife?: CacheLife;
  /** The user's decisions about standing rules; absent in a session without them. */
  readonly rules?: RulesState;
  /** What the block of rules shows, as of the last pass; absent before it. */
  readonly shownRules?: ShownRules;
  /** Absent until the user chooses one. */
  readonly mode?: Mode;
  /** Why it is cached for that long, since which step; absent before the first choice. */
  readonly cacheLifeChosen?: Omit<EventOf<'cacheLifeSet'>, 'type' | 'at' | 'life'> & {
    readonly step: number;
  };
  /** The last block that the newest pass left; absent before the first pass. */
  readonly stableThrough?: BlockId;
  readonly postponed?: Postponed;
  readonly lastOutcome?: TurnOutcome;
  /** The session that handed over to this one, and those to which this one handed over. */
  readonly handedOverFrom?: SessionLink;
  readonly handedOverTo?: readonly SessionLink[];
}

/**
 * Most blocks of a long session are gone, so chunks without a block in the window are searched
 * once.
 */
const inChunks = byChunk((chunk: readonly Block[]) => chunk.filter(isInWindow));

/** A cache: every rule needs these blocks, and a list is immutable. */
const IN_WINDOW = new WeakMap<ContextWindow['blocks'], readonly Block[]>();

/** The blocks in the window, in order. */
export function blocksInWindow({ blocks }: Pick<ContextWindow, 'blocks'>): readonly Block[] {
  const known = IN_WINDOW.get(blocks);
  if (known !== undefined) return known;
  const found: Block[] = [];
  // Most chunks of a long session have no block in the window.
  for (const inside of inChunks(blocks)) for (const block of inside) found.push(block);
  IN_WINDOW.set(blocks, found);
  return found;
}

/** The blocks in the window, each with its index among all blocks. */
export function placesInWindow({
  blocks,
}: ContextWindow): readonly { readonly place: number; readonly block: Block }[] {
  const places: { readonly place: number; readonly block: Block }[] = [];
  let start = 0;
  for (const [at, inside] of inChunks(blocks).entries()) {
    const chunk = blocks.chunks[at] ?? [];
    let offset = -1;
    for (const block of inside) {
      offset = chunk.indexOf(block, offset + 1);
      places.push({ place: start + offset, block });
    }
    start += chunk.length;
  }
  return places;
}

export function findBlock(window: ContextWindow, id: BlockId): Block | undefined {
  return window.blocks.find((block) => block.id === id);
}

/** The prompt that the model must answer: the newest one that was not undone. */
export function latestPrompt(window: ContextWindow): Block | undefined {
  return landmarksOf(window).prompt;
}

/** The newest step that was not undone, whether or not its tools have finished. */
export function latestStep(window: ContextWindow): StepBlock | undefined {
  return landmarksOf(window).step;
}

/**
 * The number of the oldest of the newest `turns` turns, undone ones not counted; 1 if there are no
 * more than that.
 */
export function firstOfNewest(window: ContextWindow, turns: number): number {
  const undonePrompt = turnsUndone(window);
  let first = window.turn + 1;
  for (let left = turns; left > 0 && first > 1;) {
    first -= 1;
    if (!undonePrompt.has(first)) left -= 1;
  }
  return first;
}

/** The number of the newest step that was not undone; 0 before the first. */
export function newestStep(window: ContextWindow): number {
  return latestStep(window)?.step ?? 0;
}

const undoneIn = rememberedFold(
  new Set<number>() as ReadonlySet<number>,
  (turns, { pass, undone }: LedgerEntry) =>
    pass.undonePrompt === undefined || undone === true
      ? turns
      : new Set([...turns, ...turnsOf(pass.undonePrompt)]),
);

/** The turns whose prompts were undone. */
export function turnsUndone({ ledger }: ContextWindow): ReadonlySet<number> {
  return undoneIn(ledger);
}

interface Landmarks {
  readonly prompt: Block | undefined;
  readonly step: StepBlock | undefined;
}

/** A turn may be long, so the search for its prompt skips whole chunks. */
const landmarksInChunks = byChunk((chunk: readonly Block[]): Landmarks => ({
  prompt: chunk.findLast(
    ({ kind, state }) => (kind === 'prompt' || kind === 'anchor') && state !== 'undone',
  ),
  step: chunk.findLast(
    (block): block is StepBlock => block.kind === 'step' && block.state !== 'undone',
  ),
}));

/** Rules need the landmarks for every block. A list is immutable, so one search is enough. */
const LANDMARKS = new WeakMap<ContextWindow['blocks'], Landmarks>();

function landmarksOf({ blocks }: ContextWindow): Landmarks {
  const known = LANDMARKS.get(blocks);
  if (known !== undefined) return known;
  const inChunks = landmarksInChunks(blocks);
  const found = {
    prompt: inChunks.findLast(({ prompt }) => prompt !== undefined)?.prompt,
    step: inChunks.findLast(({ step }) => step !== undefined)?.step,
  };
  LANDMARKS.set(blocks, found);
  return found;
}

/** The last block that `mixed` keeps cached for an hour: the newest pass left it, or it is the task. */
export function lastStable({
  stableThrough,
  blocks,
}: Pick<ContextWindow, 'stableThrough' | 'blocks'>): BlockId | undefined {
  return stableThrough ?? blocks.find(({ kind }) => kind === 'anchor')?.id;
}
