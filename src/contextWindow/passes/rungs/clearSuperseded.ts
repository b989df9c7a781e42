import type { Block, StepBlock, ToolPair, ToolUseId } from '../../block';
import { blocksInWindow, type ContextWindow } from '../../window';
import type { CallInStep } from '../../reasons';
import { covers, callEffectOf, repeatKeyOf, type LineRange } from '../../callEffect';
import { labelOfCall } from '../../label';
import { clearPairs, newestResults } from './clearResults';
import { ifGained, changeAll, takeableSteps, type Rung, type BlockChange } from './draft';

/** All together must free this share of the input budget, or the change is not worth it. */
const SMALLEST_GAIN_SHARE = 0.01;

/**
 * Clears results that a later result made worthless: the same lines read again, the same command or
 * search repeated, a file rewritten since it was read. Clears all together, since each breaks the
 * same prefix. A read whose file was edited in places stays: the rest is still valid, and the agent
 * edits from it. Only a later read of the whole file or of the same lines makes it worthless,
 * because line numbers shift with an edit.
 */
export const clearSuperseded: Rung = (draft) => {
  const superseded = supersededIn(draft.input.window);
  const newest = newestResults(draft);
  const isMeant = ({ use }: ToolPair) => superseded.has(use.id) && !newest.has(use.id);
  const touched: BlockChange[] = [];
  for (const step of takeableSteps(draft)) {
    if (!step.pairs.some(isMeant)) continue;
    const later = step.pairs.filter(isMeant).flatMap(({ use }) => superseded.get(use.id) ?? []);
    const shownBy = distinct(later.map(callOf));
    const cleared = clearPairs(draft, step, isMeant, { rule: 'clearSuperseded', shownBy });
    if (cleared !== undefined) touched.push(cleared);
  }
  const next = changeAll(draft, touched);
  const worthwhile = draft.input.budget.inputBudget * SMALLEST_GAIN_SHARE;
  return draft.used - next.used < worthwhile ? draft : ifGained(draft, next);
};

/** A result and its step. */
interface PlacedPair {
  readonly pair: ToolPair;
  readonly step: StepBlock;
}

function distinct(calls: readonly CallInStep[]): readonly CallInStep[] {
  return [...new Map(calls.map((one) => [`${one.step} ${one.call}`, one])).values()];
}

function callOf({ pair, step }: PlacedPair): CallInStep {
  return { call: labelOfCall(pair.use), step: step.step };
}

/** What later results show of a path, newest first. */
interface Shown {
  readonly lines: LineRange | undefined;
  /** An edit came before it, so earlier line numbers may mean other lines. */
  readonly isBehindEdit?: true;
  readonly placed: PlacedPair;
}

/** A cache, since a plan may ask several times, and a list is immutable. */
const SUPERSEDED = new WeakMap<ContextWindow['blocks'], ReadonlyMap<ToolUseId, PlacedPair>>();

/** For each call with a worthless result, the later call that made it so. */
function supersededIn({ blocks }: ContextWindow): ReadonlyMap<ToolUseId, PlacedPair> {
  const known = SUPERSEDED.get(blocks);
  if (known !== undefined) return known;
  const found = supersededAmong(blocksInWindow({ blocks }));
  SUPERSEDED.set(blocks, found);
  return found;
}

function supersededAmong(blocks: readonly Block[]): ReadonlyMap<ToolUseId, PlacedPair> {
  const found = new Map<ToolUseId, PlacedPair>();
  const shownOf = new Map<string, readonly Shown[]>();
  const asked = new Map<string, PlacedPair>();
  for (const placed of resultsNewestFirst(blocks)) {
    const { pair } = placed;
    const { id } = pair.use;
    const effect = callEffectOf(pair.use);
    switch (effect.kind) {
      case 'read': {
        const { path } = effect;
        const lines = linesRead(pair, effect.lines);
        const shown = shownOf.get(path) ?? [];
        const later = shown.find((one) => showsAnew(one, lines));
        if (later !== undefined) found.set(id, later.placed);
        else if (isWhole(pair)) shownOf.set(path, [...shown, { lines, placed }]);
        break;
      }
      case 'write':
        if (isAnswer(pair)) shownOf.set(effect.path, [{ lines: undefined, placed }]);
        break;
      case 'edit': {
        const shown = shownOf.get(effect.path);
        if (shown === undefined || !isAnswer(pair)) break;
        shownOf.set(
          effect.path,
          shown.map((one) => ({ ...one, isBehindEdit: true })),
        );
        break;
      }
      case 'command':
      case 'search':
      case 'list': {
        const key = repeatKeyOf(pair.use) ?? '';
        const later = asked.get(key);
        if (later !== undefined) found.set(id, later);
        else if (effect.kind === 'command' ? isRun(pair) : isAnswer(pair)) asked.set(key, placed);
        break;
      }
      case 'recall':
      case 'scratchpad':
      case 'other':
        break;
    }
  }
  return found;
}

/** The header of `read_file` where a file comes in ranges. */
const RANGE = /^.*, lines (\d+)-(\d+) of \d+; for more, /;

/** The lines that a read has shown, which may be fewer than it asked for. */
function linesRead({ use, result }: ToolPair, asked: LineRange | undefined): LineRange | undefined {
  // The first line of another result is text of a file.
  const header = use.name === 'read_file' ? RANGE.exec(result?.text ?? '') : null;
  const [, first, last] = header ?? [];
  return first === undefined ? asked : { first: Number(first), last: Number(last) };
}

function showsAnew(later: Shown, lines: LineRange | undefined): boolean {
  if (!covers(later.lines, lines)) return false;
  return later.isBehindEdit !== true || later.lines === undefined || covers(lines, later.lines);
}

function resultsNewestFirst(blocks: readonly Block[]): readonly PlacedPair[] {
  const results: PlacedPair[] = [];
  for (const step of blocks) {
    if (step.kind !== 'step') continue;
    for (const pair of step.pairs) {
      if (pair.result !== undefined && !pair.cleared) results.push({ pair, step });
    }
  }
  return results.reverse();
}

/** A failed command shows something new; a denied or stopped one does not. */
function isRun({ result }: ToolPair): boolean {
  return result?.origin === 'ran';
}

function isAnswer({ result }: ToolPair): boolean {
  return result?.isError === false;
}

/** A read that failed or was truncated at admission does not show what an earlier one does. */
function isWhole({ result }: ToolPair): boolean {
  return result?.isError === false && result.admission.form === 'whole';
}
