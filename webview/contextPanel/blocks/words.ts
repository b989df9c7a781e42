import { countText } from '../../../src/editor/coreForPages';
import type { NextView } from '../../../src/editor/contextPanel/ledger/state';
import type { BlockView, ResultsView } from '../../../src/editor/contextPanel/state';
import { STATE_NAMES } from '../../../src/editor/contextPanel/shownNames';
import { formatNumber, formatTokens } from '../../kit/tokens';
import { passesWords } from '../parts/format';

export function isOut({ state }: Pick<BlockView, 'state'>): boolean {
  return state === 'summarised' || state === 'evicted' || state === 'excluded';
}

/** The one word for a block's state; a pin is only mentioned for a block that is whole. */
export function stateWord({ state, pinned }: Pick<BlockView, 'state' | 'pinned'>): string {
  return pinned && state === 'whole' ? 'pinned' : STATE_NAMES[state];
}

/** The word on screen: a step that keeps some of its results says how many are cleared. */
export function stateWords(block: Pick<BlockView, 'state' | 'pinned' | 'results'>): string {
  const { state, results } = block;
  return state === 'cleared' && results !== undefined && results.cleared < results.all
    ? `${results.cleared} of ${results.all} cleared`
    : stateWord(block);
}

/**
 * Says when a block was removed: "was 1,948 · removed by pass 4, before step 27". `toldIn` names
 * the summary that covers it.
 */
export function leftWords(
  { was, pass, beforeStep }: NonNullable<BlockView['left']>,
  toldIn: string | undefined,
): string {
  const by = pass === undefined ? 'removed by you' : `removed by pass ${formatNumber(pass)}`;
  const now = toldIn === undefined ? '' : ` · now in “${toldIn}”`;
  return `was ${formatTokens(was)} · ${by}, before step ${formatNumber(beforeStep)}${now}`;
}

/** The block's number in the narrow column: its step, or the turn that it opens. */
export function numberWord({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `T${turn}` : `${step}`;
}

export function placeWords({ step, turn }: Pick<BlockView, 'step' | 'turn'>): string {
  return step === undefined ? `turn ${turn}` : `turn ${turn}, step ${step}`;
}

/** Says how many steps came after a block; a summary is as old as the pass that wrote it. */
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
  if (later > 0) return `${countText(later, 'step')} ago`;
  return kind === 'step' && written === undefined ? 'the newest step' : 'no step since';
}

/**
 * Says what happens to a block next: by the pass that would run now, or by the one that ran at that
 * time.
 */
export function nextSentence(
  block: Pick<BlockView, 'leavesNext' | 'tookNext' | 'results' | 'state'>,
  next: NextView,
): string {
  if (isOut(block)) return 'It was removed, so no pass touches it.';
  switch (next.type) {
    case 'planned':
    case 'nothing':
      return nextWords(block) ?? 'A pass that ran now would keep it.';
    case 'ran':
      return `${passesWords(next.passes)} ran right after this step and ${tookWords(block.tookNext)}.`;
    case 'workingOut':
      return 'Planning…';
    case 'notWorkedOut':
      return `Not planned. ${next.message}`;
  }
}

function tookWords(action: BlockView['tookNext']): string {
  switch (action) {
    case 'truncate':
      return 'shortened it';
    case 'trim':
      return 'removed its thinking';
    case 'clear':
      return 'cleared results in it';
    case 'summarise':
      return 'summarised it';
    case 'evict':
      return 'removed it';
    // The last three are done by the user only.
    case undefined:
    case 'keep':
    case 'restore':
    case 'rewrite':
    case 'undoPrompt':
      return 'kept it';
  }
}

/** Says what a pass would do to a block now; undefined if it would keep it. */
export function nextWords({
  leavesNext,
  results,
}: Pick<BlockView, 'leavesNext' | 'results'>): string | undefined {
  const does = nextDoes(leavesNext, results);
  return does === undefined ? undefined : `A pass that ran now would ${does}.`;
}

function nextDoes(
  leavesNext: BlockView['leavesNext'],
  results: ResultsView | undefined,
): string | undefined {
  switch (leavesNext) {
    case 'truncate':
      return 'shorten it: head and tail stay, the agent can recall the rest';
    case 'trim':
      return 'remove its thinking; everything else stays';
    case 'clear':
      return clearWords(results);
    case 'summarise':
      return 'summarise it';
    case 'evict':
      return 'remove it; the agent can recall it';
    // The last three are done by the user only.
    case undefined:
    case 'keep':
    case 'restore':
    case 'rewrite':
    case 'undoPrompt':
      return undefined;
  }
}

/**
 * Says how many results a pass would clear: in a step with several, some may be cleared already, or
 * may stay.
 */
function clearWords(results: ResultsView | undefined): string {
  if (results === undefined || (results.cleared === 0 && results.clearedNext === results.all)) {
    return 'replace its results by a placeholder; the calls stay';
  }
  const { cleared, clearedNext } = results;
  const what = countText(clearedNext - cleared, cleared === 0 ? 'result' : 'more result');
  return `replace ${what} by a placeholder; the calls stay`;
}

type Salience = NonNullable<BlockView['salience']>;
type FactorName = Exclude<keyof Salience, 'salience' | 'pinned'>;

/** One factor of a block's relevance. */
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
  recency: { label: 'Recency', says: 'It is new.' },
  reuse: { label: 'Mentioned again', says: 'Its files and names came up again recently.' },
  kind: { label: 'Kind of work', says: 'It holds an edit; listings count least.' },
  size: { label: 'Smallness', says: 'It is small: large blocks must be worth their size.' },
  errors: { label: 'Failures', says: 'A call in it failed.' },
  decisions: { label: 'Own words', says: 'The model explained a lot in its own words.' },
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

/** Lists the factors of a block's relevance; absent factors are omitted. */
export function factorsOf(salience: Salience): readonly Factor[] {
  return ORDER.flatMap((name) => {
    const value = salience[name];
    return value === undefined ? [] : [{ name, value, ...WORDS[name] }];
  });
}

/** Says what replaces the factors, if anything does. */
export function overruledWords({ pinned, rated }: Salience): string | undefined {
  if (pinned === true) return 'Pinned: its relevance is 1, whatever the factors say.';
  return rated === undefined ? undefined : "The model's rating replaces the other factors.";
}
