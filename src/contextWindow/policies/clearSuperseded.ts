import type { BlockId, StepBlock, ToolPair, ToolUseId } from '../block';
import { blocksInWindow } from '../contextWindow';
import { covers, deedOf, type LineRange } from '../deed';
import { labelOfCall } from '../label';
import { clearableSteps, clearPairs, newestResults } from './clearResults';
import { closeRung, touchAll, type Draft, type Rung, type Touched } from './draft';

/** All of them together must free this share of the input budget, or the edit is not worth it. */
const SMALLEST_GAIN_SHARE = 0.01;

/**
 * Clears results that a later one has made worthless: the same lines read again, the same command
 * run or question asked again, a file written anew since it was read. All at once, since each costs
 * the same edit of the prefix. A read whose file was edited in places since is no such result: the
 * rest of it still holds, and agents go on to edit from it.
 */
export const clearSuperseded: Rung = (draft) => {
  const superseded = supersededBy(draft);
  const newest = newestResults(draft);
  const touched = clearableSteps(draft).flatMap((step): Touched[] => {
    const isMeant = ({ use }: ToolPair) => superseded.has(use.id) && !newest.has(use.id);
    const later = step.pairs.filter(isMeant).map(({ use }) => superseded.get(use.id));
    const cleared = clearPairs(draft, step, isMeant, 'clearSuperseded', whyOf(later));
    return cleared === undefined ? [] : [cleared];
  });
  const next = touchAll(draft, touched);
  const worthwhile = draft.input.budget.inputBudget * SMALLEST_GAIN_SHARE;
  return draft.used - next.used < worthwhile ? draft : closeRung(draft, next, 'supersede');
};

function whyOf(later: readonly (string | undefined)[]): string {
  const distinct = [...new Set(later)].filter((label) => label !== undefined);
  return distinct.join(', ');
}

interface Shown {
  readonly path: string;
  readonly lines: LineRange | undefined;
  readonly label: string;
}

/** For each call with a worthless result, the later call that made it so. */
function supersededBy(draft: Draft): ReadonlyMap<ToolUseId, string> {
  const found = new Map<ToolUseId, string>();
  const shown: Shown[] = [];
  const asked = new Map<string, string>();
  const steps = blocksInWindow(draft.input.window).filter(
    (block): block is StepBlock => block.kind === 'step',
  );
  for (const step of steps.toReversed()) {
    for (const pair of step.pairs.toReversed()) {
      if (pair.result === undefined || pair.cleared) continue;
      const label = `${labelOfCall(pair.use)} in ${nameOf(step.id)}`;
      const deed = deedOf(pair.use);
      switch (deed.kind) {
        case 'read': {
          const { path, lines } = deed;
          const later = shown.find((one) => one.path === path && covers(one.lines, lines));
          if (later !== undefined) found.set(pair.use.id, later.label);
          else if (isWhole(pair)) shown.push({ path, lines, label });
          break;
        }
        case 'write':
          if (!pair.result.isError) shown.push({ path: deed.path, lines: undefined, label });
          break;
        case 'command':
        case 'search':
        case 'list': {
          const question = deed.kind === 'command' ? deed.command : deed.key;
          const key = `${pair.use.name} ${question}`;
          const later = asked.get(key);
          if (later === undefined) asked.set(key, label);
          else found.set(pair.use.id, later);
          break;
        }
        case 'edit':
        case 'recall':
        case 'notes':
        case 'other':
          break;
      }
    }
  }
  return found;
}

/** A read that failed, or was cut at admission, does not show what an earlier one does. */
function isWhole({ result }: ToolPair): boolean {
  return result?.isError === false && result.admission.form === 'whole';
}

function nameOf(id: BlockId): string {
  return id.replace('-', ' ');
}
