import type { BackgroundCommand } from './commands';
import { type Block, type BlockId, type StepBlock, isInWindow } from './block';
import type { HandChange } from './handChanges';
import type { MemoryFile, SessionLink, ToolDefinition, TurnOutcome } from './event';
import type { ContextEdit } from './contextEditing';
import type { FileChoices } from './files/fileChoices';
import type { FileModel } from './files/knownFile';
import { byChunk, type PersistentList, rememberedFold } from './persistentList';
import type { PersistentMap } from './persistentMap';
import { turnsOf, type Decision, type Pass } from './plan';
import type { RecordedPart, RecordedSize } from './account/recordedSize';
import type { Scratchpad, ScratchpadAge, ScratchpadChange } from './scratchpad';
import type { JsonValue } from './json';

/** System prompt and tools: the part of every request that no pass touches. */
export interface Preamble {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Project memory of the workspace's root, then the profile; absent for none. */
  readonly memory?: readonly MemoryFile[];
  /** From an older replay: tokens of every recorded request whose text its file does not hold. */
  readonly unrecordedTokens?: number;
}

/** The last official number and the blocks it covers: the first `blocks` of the window's list. */
export interface Baseline {
  readonly tokens: number;
  readonly source: 'usage' | 'countTokens' | 'overflowError';
  readonly blocks: number;
  /**
   * The API's own context editing came first, or may have: the number covers those blocks, but not
   * all of their content.
   */
  readonly edited?: true;
  /** What the API counted before its own editing; `tokens` is what the editing would leave. */
  readonly beforeEdits?: number;
  /** The editing the request asked for; absent where an older log does not say. */
  readonly contextEdits?: readonly ContextEdit[];
  /** The window that was counted, where it has changed in places since and not only grown. */
  readonly counted?: CountedWindow;
}

/** A window as it was counted; it knows of no earlier count, so that they form no chain. */
export type CountedWindow = Omit<ContextWindow, 'baseline' | 'firstCount'>;

/** The first official number under a model, which says what system prompt and tools weigh. */
export interface FirstCount {
  readonly tokens: number;
  readonly counted: CountedWindow;
}

/** What the API of a recorded agent has counted; the blocks of a replay weigh as much as it says. */
export interface RecordedCounts {
  /** The newest count, and how many blocks there were; it is of the recorded agent's request. */
  readonly tokens: number;
  readonly blocks: number;
  readonly sizes: PersistentMap<RecordedPart, RecordedSize>;
}

/** A pass as it stands in the ledger: with the API's count of the window right after it, if any. */
export interface LedgerEntry {
  readonly pass: Pass;
  readonly certifiedTokens?: number;
  /** What the pass changed, as it was before; an undo brings it back. */
  readonly former: readonly FormerBlock[];
  /** How the scratchpad was shown before it. */
  readonly formerlyShown: Pick<ContextWindow, 'shownScratchpad' | 'scratchpadBehindAnchor'>;
  /** The scratchpad before a prompt was taken back; absent where that left it alone. */
  readonly formerScratchpad?: FormerScratchpad;
  readonly undone?: true;
}

/** Content that had left the window and was needed again. */
export interface Refault {
  /** The step that asked for it; the newest one where the user did. */
  readonly step: number;
  /** The block that had held it. */
  readonly blockId: BlockId;
  readonly by: 'recall' | 'read' | 'user';
  /** How many passes there were by then. */
  readonly passes: number;
  /** Path or handle asked for; the block's label where the user brought it back. */
  readonly what: string;
}

/** A step with a call that read or changed a file, and the step before it that did. */
export interface FileCall {
  readonly step: BlockId;
  /**
   * Index among the blocks when the step came in; summaries put in since may have raised it, never
   * lowered it.
   */
  readonly place: number;
  readonly earlier?: FileCall;
}

/** A block as it stood before a pass, with the decision that held for it. */
export interface FormerBlock {
  readonly block: Block;
  readonly decision?: Decision;
}

/** What a window knows of the scratchpad. */
export type FormerScratchpad = Pick<
  ContextWindow,
  'scratchpad' | 'scratchpadAge' | 'shownScratchpad' | 'scratchpadBehindAnchor' | 'scratchpadChange'
>;

/**
 * The input budget (tokens) that an overflow error forced; it holds until the window setting or the
 * model changes.
 */
export interface StepDown {
  /** Attempts since the last reply or prompt. */
  readonly attempt: number;
  /** The window setting it was made under. */
  readonly contextWindowTokens: number;
  readonly inputBudget: number;
  readonly message: string;
}

/** The pass the user postponed last: how full the window was then, and what was in it. */
export interface Postponed {
  readonly tokens: number;
  readonly blocks: PersistentList<Block>;
}

/** What the model sees on the next request, and what it no longer sees; an immutable value. */
export interface ContextWindow {
  readonly sessionId: string;
  readonly pinTaskAnchor: boolean;
  readonly preamble: Preamble;
  /** Every command that was started in the background, in order; absent for none. */
  readonly commands?: readonly BackgroundCommand[];
  /**
   * The model that is asked; every official number comes from its tokenizer. Absent before the
   * first request.
   */
  readonly model?: string;
  /** Every block ever admitted, evicted ones in their place; a summary stands before its run. */
  readonly blocks: PersistentList<Block>;
  /** As it is now; what the model is shown of it is `shownScratchpad`. */
  readonly scratchpad: Scratchpad;
  /** The scratchpad as text, as of the last pass; until then the steps themselves show it. */
  readonly shownScratchpad: string;
  /**
   * Where the last pass put the scratchpad: behind the anchor, or in front where nothing else
   * follows the anchor.
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
  /** The last decision for every block that is not whole in the window. */
  readonly decisions: PersistentMap<BlockId, Decision>;
  readonly ledger: PersistentList<LedgerEntry>;
  /**
   * The blocks as the newest pass left them; a count of other blocks says nothing about that pass.
   */
  readonly leftByPass?: PersistentList<Block>;
  /** Calls and wishes that brought back what had left the window: what a policy is judged by. */
  readonly refaults: PersistentList<Refault>;
  /** What the user changed without a pass, oldest first. */
  readonly handChanges: readonly HandChange[];
  /** The last change of the scratchpad; absent before the first. */
  readonly scratchpadChange?: ScratchpadChange;
  readonly scratchpadAge: ScratchpadAge;
  /** The newest step that called a tool on a file, by path: what is read again is looked up here. */
  readonly fileCalls: PersistentMap<string, FileCall>;
  /** What is known of the files that tools were called on. */
  readonly files: FileModel;
  /** What the user wants always or never shown of them. */
  readonly fileChoices: FileChoices;
  /** Free-form state of hooks and tools. */
  readonly state: Readonly<Record<string, JsonValue>>;
  readonly stepDown?: StepDown;
  readonly postponed?: Postponed;
  readonly lastOutcome?: TurnOutcome;
  /** The session that handed its work over to this one, and those that this one handed over to. */
  readonly handedOverFrom?: SessionLink;
  readonly handedOverTo?: readonly SessionLink[];
}

/** Most blocks have left: chunks in which nothing is in the window are not looked through again. */
const inChunks = byChunk((chunk: readonly Block[]) => chunk.filter(isInWindow));

/** A cache, since every rule asks for them, and a list is immutable. */
const IN_WINDOW = new WeakMap<ContextWindow['blocks'], readonly Block[]>();

/** The blocks of which anything is sent, in order. */
export function blocksInWindow({ blocks }: Pick<ContextWindow, 'blocks'>): readonly Block[] {
  const known = IN_WINDOW.get(blocks);
  if (known !== undefined) return known;
  const found = inChunks(blocks).flat();
  IN_WINDOW.set(blocks, found);
  return found;
}

/** The blocks of which anything is sent, each with its index among all blocks. */
export function placesInWindow({
  blocks,
}: ContextWindow): readonly { readonly place: number; readonly block: Block }[] {
  let start = 0;
  return inChunks(blocks).flatMap((inside, at) => {
    const chunk = blocks.chunks[at] ?? [];
    const first = start;
    start += chunk.length;
    return inside.map((block) => ({ place: first + chunk.indexOf(block), block }));
  });
}

/** Finds a block by its id. */
export function findBlock(window: ContextWindow, id: BlockId): Block | undefined {
  return window.blocks.find((block) => block.id === id);
}

/** The prompt the model is to answer now: the newest one typed and not taken back. */
export function latestPrompt(window: ContextWindow): Block | undefined {
  return landmarksOf(window).prompt;
}

/** The newest step that was not taken back, whether or not its tools have finished. */
export function latestStep(window: ContextWindow): StepBlock | undefined {
  return landmarksOf(window).step;
}

/**
 * The number of the oldest of the newest `turns` turns; those that were taken back do not count. 1
 * where there are no more than that.
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

/** The number of the newest step that was not taken back; 0 before the first. */
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

/** The turns whose prompts are taken back. */
export function turnsUndone({ ledger }: ContextWindow): ReadonlySet<number> {
  return undoneIn(ledger);
}

interface Landmarks {
  readonly prompt: Block | undefined;
  readonly step: StepBlock | undefined;
}

/** A turn may be long, so the prompt is not looked for step by step. */
const landmarksInChunks = byChunk((chunk: readonly Block[]): Landmarks => ({
  prompt: chunk.findLast(
    ({ kind, state }) => (kind === 'prompt' || kind === 'anchor') && state !== 'undone',
  ),
  step: chunk.findLast(
    (block): block is StepBlock => block.kind === 'step' && block.state !== 'undone',
  ),
}));

/** Rules ask for the landmarks once a block; a list is immutable, so they are looked up once. */
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
