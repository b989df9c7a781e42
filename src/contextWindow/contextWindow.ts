import { type Block, type BlockId, type StepBlock, isInWindow } from './block';
import type { JsonValue, MemoryFile, SessionLink, ToolDefinition, TurnOutcome } from './event';
import type { ContextEdit } from './contextEditing';
import type { PersistentMap } from './persistentMap';
import type { Decision, Pass } from './plan';
import type { RecordedPart, RecordedSize } from './recordedSize';
import type { Scratchpad } from './scratchpad';

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
  readonly blocks: readonly Block[];
}

/** What the model sees on the next request, and what it no longer sees; an immutable value. */
export interface ContextWindow {
  readonly sessionId: string;
  readonly pinTaskAnchor: boolean;
  readonly preamble: Preamble;
  /**
   * The model that is asked; every official number comes from its tokenizer. Absent before the
   * first request.
   */
  readonly model?: string;
  /** Every block ever admitted, evicted ones in their place; a summary stands before its run. */
  readonly blocks: readonly Block[];
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
  readonly ledger: readonly LedgerEntry[];
  /**
   * The blocks as the newest pass left them; a count of other blocks says nothing about that pass.
   */
  readonly leftByPass?: readonly Block[];
  /** Calls and wishes that brought back what had left the window: what a policy is judged by. */
  readonly refaults: readonly Refault[];
  /** What the user changed without a pass, oldest first. */
  readonly handChanges: readonly HandChange[];
  /** The last change of the scratchpad; absent before the first. */
  readonly scratchpadChange?: ScratchpadChange;
  readonly scratchpadAge: ScratchpadAge;
  /** The newest step that called a tool on a file, by path: what is read again is looked up here. */
  readonly fileCalls: PersistentMap<string, FileCall>;
  /** Free-form state of hooks and tools. */
  readonly state: Readonly<Record<string, JsonValue>>;
  readonly stepDown?: StepDown;
  readonly postponed?: Postponed;
  readonly lastOutcome?: TurnOutcome;
  /** The session that handed its work over to this one, and those that this one handed over to. */
  readonly handedOverFrom?: SessionLink;
  readonly handedOverTo?: readonly SessionLink[];
}

/**
 * A cache, since most blocks have left, every rule asks for the others, and a window is immutable.
 */
const IN_WINDOW = new WeakMap<ContextWindow, readonly Block[]>();

/** The blocks of which anything is sent, in order. */
export function blocksInWindow(window: ContextWindow): readonly Block[] {
  const known = IN_WINDOW.get(window);
  if (known !== undefined) return known;
  const found = window.blocks.filter(isInWindow);
  IN_WINDOW.set(window, found);
  return found;
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
  const takenBack = turnsTakenBack(window);
  let first = window.turn + 1;
  for (let left = turns; left > 0 && first > 1;) {
    first -= 1;
    if (!takenBack.has(first)) left -= 1;
  }
  return first;
}

/** The number of the newest step that was not taken back; 0 before the first. */
export function newestStep(window: ContextWindow): number {
  return latestStep(window)?.step ?? 0;
}

const TAKEN_BACK = new WeakMap<ContextWindow['ledger'], ReadonlySet<number>>();

/** The turns whose prompts are taken back. */
export function turnsTakenBack({ ledger }: ContextWindow): ReadonlySet<number> {
  const known = TAKEN_BACK.get(ledger);
  if (known !== undefined) return known;
  const found = new Set(
    ledger.flatMap(({ pass, undone }) =>
      pass.takenBack === undefined || undone === true ? [] : [pass.takenBack.turn],
    ),
  );
  TAKEN_BACK.set(ledger, found);
  return found;
}

interface Landmarks {
  readonly prompt: Block | undefined;
  readonly step: StepBlock | undefined;
}

/** Rules ask for the landmarks once a block; a window is immutable, so they are looked up once. */
const LANDMARKS = new WeakMap<ContextWindow, Landmarks>();

function landmarksOf(window: ContextWindow): Landmarks {
  const known = LANDMARKS.get(window);
  if (known !== undefined) return known;
  const found = {
    prompt: window.blocks.findLast(
      ({ kind, state }) => (kind === 'prompt' || kind === 'anchor') && state !== 'takenBack',
    ),
    step: window.blocks.findLast(
      (block): block is StepBlock => block.kind === 'step' && block.state !== 'takenBack',
    ),
  };
  LANDMARKS.set(window, found);
  return found;
}

/** A change by the user that is not a pass. */
export interface HandChange {
  /** `scratchpadBack`: the user put the scratchpad back as it was before their own change. */
  readonly kind: 'pinned' | 'unpinned' | 'anchor' | 'recall' | 'scratchpad' | 'scratchpadBack';
  /** The step that was asked for next. */
  readonly beforeStep: number;
  /** The newest pass before it; 0 for none. */
  readonly afterPass: number;
  /** The block changed or brought back; for the scratchpad, the note that tells of the change. */
  readonly blockId: BlockId;
  /** The former task; only for `anchor`. */
  readonly former?: BlockId;
  /** The user took it back; only for `pinned` and `unpinned`. */
  readonly undone?: true;
}

/** When the scratchpad was last written, and what the agent was reminded of since. */
export interface ScratchpadAge {
  /** The newest step at that time; 0 where nobody has written it. */
  readonly writtenAt: number;
  /** The agent was reminded since then. */
  readonly isReminded: boolean;
  /** It was told since then, and since the last pass, what the next pass will take. */
  readonly isTold: boolean;
}

/** The last change of the scratchpad. */
export interface ScratchpadChange {
  readonly by: 'agent' | 'user';
  /** The newest step at that time; if the agent made the change, the step that made it. */
  readonly step: number;
  /** The scratchpad before the change. */
  readonly former: Scratchpad;
  /** The note that tells of it; only for a change by the user. */
  readonly note?: BlockId;
}
