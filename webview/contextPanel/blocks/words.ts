import type { NextView } from '../../../src/editor/contextPanel/ledger/state';
import type { BlockView, ResultsView } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { passesWords } from '../ledger/words';
import { formatCount } from '../parts/format';

/** Says whether a block is out of the window. */
export function isOut({ state }: Pick<BlockView, 'state'>): boolean {
  return state === 'summarised' || state === 'evicted' || state === 'excluded';
}

/**
 * The one word that says what became of a block; a pin is only mentioned for a block that is whole.
 */
export function stateWord({ state, pinned }: Pick<BlockView, 'state' | 'pinned'>): string {
  return pinned && state === 'whole' ? 'pinned' : state;
}

/** The same to be seen: for a step that keeps some of its results, it says how many are cleared. */
export function stateWords(block: Pick<BlockView, 'state' | 'pinned' | 'results'>): string {
  const { state, results } = block;
  return state === 'cleared' && results !== undefined && results.cleared < results.all
    ? `${results.cleared} of ${results.all} cleared`
    : stateWord(block);
}

/**
 * Says what became of a block that has left: "was 1,948 · left at pass 4, before step 27". `toldIn`
 * names the summary that tells of it.
 */
export function leftWords(
  { was, pass, beforeStep }: NonNullable<BlockView['left']>,
  toldIn: string | undefined,
): string {
  const by = pass === undefined ? 'you took it out' : `left at pass ${formatNumber(pass)}`;
  const now = toldIn === undefined ? '' : ` · now in “${toldIn}”`;
  return `was ${formatTokens(was)} · ${by}, before step ${formatNumber(beforeStep)}${now}`;
}

/** The block's number in the narrow column: its step, or the turn that it opens. */
export function numberWord({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `T${turn}` : `${step}`;
}

/** Says where in the session a block belongs. */
export function placeWords({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `turn ${turn}` : `turn ${turn}, step ${step}`;
}

/**
 * Says how many steps came after a block; a summary stands before what it replaced, and is as old as
 * the pass that wrote it.
 */
export function ageWords(
  { id, kind, writtenBeforeStep: written }: Pick<BlockView, 'id' | 'kind' | 'writtenBeforeStep'>,
  blocks: readonly Pick<BlockView, 'id' | 'kind' | 'step'>[],
): string {
  const place = blocks.findIndex((block) => block.id === id);
  const later = blocks.filter((block, at) =>
    written === undefined
      ? at > place && block.kind === 'step'
      : block.step !== undefined && block.step >= written,
  ).length;
  if (later > 0) return `${formatCount(later, 'step')} ago`;
  return kind === 'step' && written === undefined ? 'the newest step' : 'no step since';
}

/** What a pass would do to a block now: a word for its row, and a sentence. */
export interface NextWords {
  readonly word: string;
  readonly sentence: string;
}

/**
 * Says what becomes of a block next: by the pass that would run now, or by the one that ran at that
 * time.
 */
export function nextSentence(
  block: Pick<BlockView, 'leavesNext' | 'tookNext' | 'results' | 'state'>,
  next: NextView,
): string {
  if (isOut(block)) return 'It is out of the window, so no pass takes anything of it.';
  switch (next.type) {
    case 'planned':
    case 'nothing':
      return nextWords(block)?.sentence ?? 'If a pass ran now, it would leave it alone.';
    case 'ran':
      return `${passesWords(next.passes)} ran right after this step and ${tookWords(block.tookNext)}.`;
    case 'workingOut':
      return 'Working it out.';
    case 'notWorkedOut':
      return `Not worked out. ${next.message}`;
  }
}

function tookWords(action: BlockView['tookNext']): string {
  switch (action) {
    case 'truncate':
      return 'shortened it';
    case 'trim':
      return 'took its thinking out';
    case 'clear':
      return 'put placeholders in the place of results of it';
    case 'summarise':
      return 'folded it into a summary';
    case 'evict':
      return 'took it out of the window';
    // Only the user does the last three.
    case undefined:
    case 'keep':
    case 'restore':
    case 'rewrite':
    case 'undoPrompt':
      return 'left it alone';
  }
}

/** Puts into words what a pass would do to a block now; undefined where it would leave it alone. */
export function nextWords({
  leavesNext,
  results,
}: Pick<BlockView, 'leavesNext' | 'results'>): NextWords | undefined {
  switch (leavesNext) {
    case 'truncate':
      return next('truncate', 'shorten it: head and tail stay, the agent can recall the rest');
    case 'trim':
      return next('trim', 'take its thinking out; everything else stays');
    case 'clear':
      return clearWords(results);
    case 'summarise':
      return next('summarise', 'fold it into a summary');
    case 'evict':
      return next('evict', 'take it out of the window; the agent can recall it');
    // Only the user does the last three.
    case undefined:
    case 'keep':
    case 'restore':
    case 'rewrite':
    case 'undoPrompt':
      return undefined;
  }
}

/**
 * How many results would be cleared: in a step with several, some may already be cleared, or may
 * stay.
 */
function clearWords(results: ResultsView | undefined): NextWords {
  if (results === undefined || (results.cleared === 0 && results.clearedNext === results.all)) {
    return next('clear', 'put a placeholder in the place of its results; the calls stay');
  }
  const { all, cleared, clearedNext } = results;
  const more = clearedNext - cleared;
  const word =
    clearedNext === all
      ? 'clear the rest'
      : cleared === 0
        ? `clear ${more} of ${all}`
        : `clear ${more} more`;
  const what = formatCount(more, cleared === 0 ? 'result' : 'more result');
  return next(word, `put a placeholder in the place of ${what}; the calls stay`);
}

function next(word: string, action: string): NextWords {
  return { word, sentence: `If a pass ran now, it would ${action}.` };
}

type Salience = NonNullable<BlockView['salience']>;
type FactorName = Exclude<keyof Salience, 'salience' | 'pinned'>;

/** One factor of a block's salience. */
interface Factor {
  readonly name: FactorName;
  readonly label: string;
  /** What a high number means. */
  readonly says: string;
  /** 0..1. */
  readonly value: number;
}

const WORDS: Readonly<Record<FactorName, Omit<Factor, 'name' | 'value'>>> = {
  rated: { label: 'Rated by the model', says: 'The model says it still matters.' },
  recency: { label: 'How new', says: 'It is new.' },
  reuse: { label: 'Named again', says: 'Its files and names came up again, and late.' },
  kind: { label: 'Kind of work', says: 'It holds an edit; listings are worth least.' },
  size: { label: 'Smallness', says: 'It is small: large blocks must earn their place.' },
  errors: { label: 'Failures', says: 'A call in it failed.' },
  decisions: { label: 'Own words', says: 'The model said much in words of its own.' },
};

const ORDER: readonly FactorName[] = [
  'rated',
  'recency',
  'reuse',
  'kind',
  'size',
  'errors',
  'decisions',
];

/** Lists the factors of a salience; those it does not have are left out. */
export function factorsOf(salience: Salience): readonly Factor[] {
  return ORDER.flatMap((name) => {
    const value = salience[name];
    return value === undefined ? [] : [{ name, value, ...WORDS[name] }];
  });
}

/** Says what replaces the sum of the factors, if something does. */
export function overruledWords({ pinned, rated }: Salience): string | undefined {
  if (pinned === true) return 'Pinned: it counts as 1, whatever the rest says.';
  return rated === undefined ? undefined : "The model's rating stands for the rest.";
}
