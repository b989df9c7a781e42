import {
  type AnchorBlock,
  type Block,
  type BlockId,
  isInWindow,
  type NoteBlock,
  type PromptBlock,
} from '../block';
import type { Budget } from '../budget';
import { byChunk } from '../persistentList';
import {
  admittedPrompt,
  RULES_END,
  RULES_START,
  RULES_STRUCK,
  ruleLine,
} from '../request/placeholder';
import type { ContextWindow } from '../window';
import { findRules } from './findRules';

/** The user's decisions about standing rules; the rules of prompts are found in the blocks. */
export interface RulesState {
  /** False: no rule is kept. */
  readonly on: boolean;
  /** False in a sub-agent, whose prompt is not the user's. */
  readonly ofPrompts: boolean;
  readonly added: readonly AddedRule[];
  readonly struck: readonly StruckRule[];
}

/** A rule that no prompt states. */
interface AddedRule {
  readonly id: RuleOrigin;
  readonly text: string;
}

/** Where a rule is stated: a prompt, the note about an added rule, or `given-1` without a note. */
type RuleOrigin = BlockId;

/** A rule that the user struck; a later prompt may state it again. */
interface StruckRule {
  readonly text: string;
  readonly from: readonly RuleOrigin[];
  /** The note about it. */
  readonly note: BlockId;
}

/** What the block of rules in the request follows: it changes only when a pass changes the window. */
export interface ShownRules {
  readonly state: RulesState;
  /** The newest turn and note at that moment: later ones must not change the block. */
  readonly turn: number;
  readonly note: number;
  /** Most characters of the block; absent for no limit. */
  readonly limit?: number;
  /** Rules that stay in the block although their prompt is back, so that the prefix stays the same. */
  readonly kept: readonly string[];
}

/** The block of rules takes at most this share of the input budget. */
export const RULES_SHARE = 0.02;

/** English has about four characters a token; the fold knows no tokenizer, so it assumes fewer. */
const CHARS_PER_TOKEN = 3;

/** The state of a session that keeps standing rules. */
export function startOfRules(on: boolean, ofPrompts: boolean): RulesState {
  return { on, ofPrompts, added: [], struck: [] };
}

/** The block of rules after a pass with this budget; a change by hand keeps the rules it shows. */
export function shownAfterPass(
  window: RulesWindow,
  { inputBudget }: Pick<Budget, 'inputBudget'>,
  isByHand: boolean,
): ShownRules | undefined {
  if (window.rules === undefined) return undefined;
  return {
    ...shownNow(window, window.rules),
    limit: Math.floor(inputBudget * RULES_SHARE * CHARS_PER_TOKEN),
    kept: isByHand ? shownTexts(window) : [],
  };
}

/** How the block of rules is when it shows all rules of now, without a limit. */
export function shownNow({ turn, note }: RulesWindow, state: RulesState): ShownRules {
  return { state, turn, note, kept: [] };
}

/** The parts of a window that the rules follow from. */
type RulesWindow = Pick<
  ContextWindow,
  'blocks' | 'preamble' | 'rules' | 'shownRules' | 'turn' | 'note'
>;

/** A rule of the session. */
export interface StandingRule {
  readonly text: string;
  /** Oldest first. */
  readonly origins: readonly RuleOrigin[];
  /** The turn of the prompt or note that the request has it in, else that in which it was first stated. */
  readonly turn: number;
  /**
   * Where the next request has it verbatim. `omitted`: it does not fit the block. `struck`: the user
   * struck it. `off`: no rule is kept.
   */
  readonly place: 'prompt' | 'note' | 'memory' | 'block' | 'omitted' | 'struck' | 'off';
  /** The user added it. */
  readonly isAdded: boolean;
}

/** Every rule of the session, in the order in which they were stated. */
export function standingRulesOf(window: RulesWindow): readonly StandingRule[] {
  const { rules } = window;
  if (rules === undefined) return [];
  const shown = new Set(shownTexts(window));
  return statedIn(window, rules).map((stated): StandingRule => {
    const { text, origins, isStruck } = stated;
    const [first] = origins;
    const said = saidIn(stated);
    return {
      text,
      origins: origins.map(({ id }) => id),
      turn: (said ?? first)?.block?.turn ?? 0,
      place: isStruck
        ? 'struck'
        : !rules.on
          ? 'off'
          : (placeIn(window, stated) ?? (shown.has(text) ? 'block' : 'omitted')),
      isAdded: origins.every(({ isAdded }) => isAdded),
    };
  });
}

/** The rules that hold and fit, for a session that takes over or a sub-agent. */
export function activeRules(window: RulesWindow): readonly StandingRule[] {
  return standingRulesOf(window).filter(
    ({ place }) => place !== 'struck' && place !== 'off' && place !== 'omitted',
  );
}

/** The prompts in which no rules were looked for, since their language has no patterns. */
export function promptsInOtherLanguages({ blocks, rules }: RulesWindow): readonly BlockId[] {
  if (rules?.ofPrompts !== true || !rules.on) return [];
  return sourcesIn(blocks)
    .flat()
    .flatMap(({ block, isUnknown }) => (isUnknown && block.state !== 'undone' ? [block.id] : []));
}

/** A prompt or note with words of the user. */
type Said = AnchorBlock | PromptBlock | NoteBlock;

interface Source {
  readonly block: Said;
  readonly rules: readonly string[];
  readonly isUnknown: boolean;
}

const sourcesIn = byChunk((chunk: readonly Block[]) =>
  chunk.flatMap((block): Source[] => {
    if (!isSaid(block)) return [];
    const { rules, unknownLanguage } = findRules(block.text);
    const isUnknown = unknownLanguage === true;
    return rules.length === 0 && !isUnknown ? [] : [{ block, rules, isUnknown }];
  }),
);

function isSaid(block: Block): block is Said {
  if (block.kind === 'note') return block.source.from === 'said';
  return (block.kind === 'anchor' || block.kind === 'prompt') && block.byAgent !== true;
}

interface Origin {
  readonly id: RuleOrigin;
  /** Absent if no block states it. */
  readonly block?: Said;
  readonly isAdded: boolean;
}

interface Stated {
  readonly text: string;
  readonly origins: readonly Origin[];
  /** The origins that the user did not strike. */
  readonly standing: readonly Origin[];
  readonly isStruck: boolean;
  /** The notes about its being struck. */
  readonly struckBy: readonly BlockId[];
}

/** Gives the form of a block after a change; the same block by default. */
type FormOf = (block: Block) => Block;

const asIs: FormOf = (block) => block;

function statedIn(
  { blocks }: RulesWindow,
  { ofPrompts, added, struck }: RulesState,
  formOf: FormOf = asIs,
  isKnown: (block: Said) => boolean = () => true,
): readonly Stated[] {
  const originsOf = new Map<string, Origin[]>();
  const state = (text: string, origin: Origin): void => {
    const known = originsOf.get(text);
    if (known === undefined) originsOf.set(text, [origin]);
    else known.push(origin);
  };
  if (ofPrompts) {
    for (const { block, rules } of sourcesIn(blocks).flat()) {
      if (!isKnown(block)) continue;
      const form = formOf(block) as Said;
      if (form.state === 'undone') continue;
      for (const text of rules) state(text, { id: block.id, block: form, isAdded: false });
    }
  }
  for (const { id, text } of added) {
    const note = blocks.find((block) => block.id === id);
    if (note !== undefined) state(text, { id, block: formOf(note) as NoteBlock, isAdded: true });
    // A count covers only the first blocks, so it knows no rule of a later note.
    else if (isGiven(id)) state(text, { id, isAdded: true });
  }
  return [...originsOf].map(([text, origins]) => {
    const strikes = struck.filter((one) => one.text === text);
    const gone = new Set(strikes.flatMap(({ from }) => from));
    const standing = origins.filter(({ id }) => !gone.has(id));
    const isStruck = standing.length === 0;
    return { text, origins, standing, isStruck, struckBy: strikes.map(({ note }) => note) };
  });
}

/** The id of a rule that no block states, by its number. */
export function givenId(number: number): RuleOrigin {
  return `given-${number}` as RuleOrigin;
}

function isGiven(id: RuleOrigin): boolean {
  return id.startsWith('given-');
}

/** Where a standing rule is verbatim apart from the block of rules. */
function placeIn(
  { preamble: { memory = [] } }: Pick<RulesWindow, 'preamble'>,
  stated: Stated,
): 'prompt' | 'note' | 'memory' | undefined {
  const { text } = stated;
  const at = saidIn(stated);
  if (at !== undefined) return at.isAdded ? 'note' : 'prompt';
  const isInMemory = memory.some((file) => file.skill === undefined && file.text.includes(text));
  return isInMemory ? 'memory' : undefined;
}

/** The prompt or note in which the request has a standing rule verbatim. */
function saidIn({ text, standing }: Stated): Origin | undefined {
  return standing.find(({ block }) => block !== undefined && says(block, text));
}

/** Says whether the request has the rule verbatim in this block. */
function says(block: Said, text: string): boolean {
  if (!isInWindow(block)) return false;
  return block.admission.form === 'whole' || admittedPrompt(block).includes(text);
}

/** The text of the block of rules in the next request; '' if there is none. */
export function rulesText(window: RulesWindow): string {
  return rulesTextAfter(window, window.shownRules);
}

/** The text of the block of rules if it were shown so, and the blocks had these forms. */
export function rulesTextAfter(
  window: RulesWindow,
  shown: ShownRules | undefined,
  formOf?: FormOf,
): string {
  const { rules, struck } = blockOfRules(window, shown, formOf);
  if (rules.length === 0 && struck.length === 0) return '';
  return [
    RULES_START,
    ...rules.map(ruleLine),
    ...(struck.length === 0 ? [] : [RULES_STRUCK, ...struck.map(ruleLine)]),
    RULES_END,
  ].join('\n');
}

/** The rules that the block in the request has now. */
function shownTexts(window: RulesWindow): readonly string[] {
  return blockOfRules(window, window.shownRules).rules;
}

interface BlockOfRules {
  readonly rules: readonly string[];
  /** Struck rules that a prompt in the window still states, while no note there says that they are struck. */
  readonly struck: readonly string[];
}

const EMPTY: BlockOfRules = { rules: [], struck: [] };

/** A cache for the same window, since request and measurement both ask. */
const BLOCKS = new WeakMap<
  RulesWindow['blocks'],
  { shown: ShownRules; memory: unknown; is: BlockOfRules }
>();

function blockOfRules(
  window: RulesWindow,
  shown: ShownRules | undefined,
  formOf?: FormOf,
): BlockOfRules {
  if (shown?.state.on !== true) return EMPTY;
  const { memory } = window.preamble;
  const known = formOf === undefined ? BLOCKS.get(window.blocks) : undefined;
  if (known?.shown === shown && known.memory === memory) return known.is;
  const is = composed(window, shown, formOf);
  if (formOf === undefined) BLOCKS.set(window.blocks, { shown, memory, is });
  return is;
}

function composed(
  window: RulesWindow,
  { state, turn, note, limit, kept }: ShownRules,
  formOf?: FormOf,
): BlockOfRules {
  const stated = statedIn(window, state, formOf, (block) =>
    block.kind === 'note' ? noteNumber(block) <= note : block.turn <= turn,
  );
  const wanted = stated.filter(
    (one) => !one.isStruck && (kept.includes(one.text) || placeIn(window, one) === undefined),
  );
  const struck = stated.filter((one) => one.isStruck && isStillRead(window, one, formOf));
  const room = new Room(limit);
  // The newest rules go first: they are the likeliest to be about the current work.
  const rules = wanted.toReversed().filter(({ text }) => room.takes(text));
  const former = struck.toReversed().filter(({ text }) => room.takes(text));
  const textsOf = (some: readonly Stated[]) => some.toReversed().map(({ text }) => text);
  return { rules: textsOf(rules), struck: textsOf(former) };
}

function noteNumber({ id }: NoteBlock): number {
  return Number(id.slice(id.indexOf('-') + 1));
}

/** Says whether the model reads a struck rule in a prompt, and no note that it is struck. */
function isStillRead(
  { blocks }: RulesWindow,
  { text, origins, struckBy }: Stated,
  formOf: FormOf = asIs,
): boolean {
  if (!origins.some(({ block }) => block !== undefined && says(block, text))) return false;
  return !struckBy.some((id) => {
    const note = blocks.findLast((block) => block.id === id);
    // A count covers only the first blocks, and then nothing was struck yet.
    return note === undefined || isInWindow(formOf(note));
  });
}

/** The room that the block has left. */
class Room {
  #left: number;

  constructor(limit: number | undefined) {
    const around = [RULES_START, RULES_STRUCK, RULES_END].join('\n').length;
    this.#left = (limit ?? Number.POSITIVE_INFINITY) - around;
  }

  takes(text: string): boolean {
    const { length } = `\n${ruleLine(text)}`;
    if (length > this.#left) return false;
    this.#left -= length;
    return true;
  }
}

/** Says whether the block of rules differs, or stands elsewhere. */
export function isRulesShownOtherwise(
  before: RulesWindow & Pick<ContextWindow, 'scratchpadBehindAnchor'>,
  text: string,
  isBehindAnchor: boolean,
): boolean {
  const former = rulesText(before);
  if (former !== text) return true;
  return text !== '' && before.scratchpadBehindAnchor !== isBehindAnchor;
}
