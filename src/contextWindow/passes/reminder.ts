import type { Block, REMINDER_CAUSES } from '../block';
import { blocksInWindow, turnsUndone, type ContextWindow } from '../window';
import type { EventOf } from '../event';
import { stepsText } from '../label';
import { visiblePath } from '../visibleText';
import { becameOften } from './oftenNeeded';
import { dueTrigger, NEAR_HIGH, passAhead } from './pipeline';
import { planPass } from './policies/policies';
import { passStart, type PolicyFacts } from './rungs/policyInput';

/** When Plimsoll reminds the agent of its scratchpad. */
interface ReminderSettings {
  /**
   * Reminds once the scratchpad is older than this many steps; 0 for never, not before a pass
   * either.
   */
  readonly remindAfterSteps: number;
  /** Whether passes run automatically or wait for the user. */
  readonly passesRun: boolean;
}

/** Age of the scratchpad in steps, without undone ones; all steps if it was never written. */
export function scratchpadSteps(window: ContextWindow): number {
  const { blocks, step, scratchpadAge } = window;
  const { writtenAt } = scratchpadAge;
  if (turnsUndone(window).size === 0) return step - writtenAt;
  const gone = blocks.filter(
    (block) => block.kind === 'step' && block.state === 'undone' && block.step > writtenAt,
  );
  return step - writtenAt - gone.length;
}

/**
 * Reminds the agent of its scratchpad: once when it is old, once before each pass that will remove
 * steps newer than it, and when a step needs content again for the second time, unless that step also
 * wrote the scratchpad. Undefined if there is no reason. The note is added at the end and stays there,
 * so that the prompt-cache prefix holds (I7); it follows results or precedes a prompt, and never
 * follows one (I3).
 */
export function reminderDue(
  facts: PolicyFacts,
  { remindAfterSteps, passesRun }: ReminderSettings,
): Reminder | undefined {
  const { window } = facts;
  const { writtenAt, isReminded, isWarned } = window.scratchpadAge;
  const steps = scratchpadSteps(window);
  if (remindAfterSteps === 0) return undefined;
  if (steps === 0) return undefined;
  const again = neededAgainNow(window);
  if (again.length > 0) return noteOf(facts, 'neededAgain', steps, againText(again));
  const leaving = passesRun && !isWarned ? newerStepsLeaving(facts) : 0;
  if (leaving === 0 && (isReminded || steps <= remindAfterSteps)) return undefined;
  const because = leaving > 0 ? 'pass' : 'age';
  const what = leaving > 0 ? passText(leaving, steps, writtenAt) : ageText(steps, writtenAt);
  return noteOf(facts, because, steps, what);
}

type Reminder = Omit<EventOf<'noteAdded'>, 'at' | 'note'>;

function noteOf(
  { measured, budget, estimate }: PolicyFacts,
  because: (typeof REMINDER_CAUSES)[number],
  steps: number,
  what: string,
): Reminder | undefined {
  const text = `[Reminder, no request: ${what}]`;
  // A reminder is not worth a pass of its own.
  if (measured.used.tokens + estimate(text) > budget.inputBudget) return undefined;
  const source = { from: 'reminder', because, steps } as const;
  return { type: 'noteAdded', source, text, admission: { form: 'whole' } };
}

/** What the newest step needed again for the second time, unless a reminder has said so. */
function neededAgainNow(window: ContextWindow): readonly string[] {
  const isSaid = window.blocks
    .slice(window.blocks.findLastIndex(({ kind }) => kind === 'step') + 1)
    .some(
      (block) =>
        block.kind === 'note' &&
        block.source.from === 'reminder' &&
        block.source.because === 'neededAgain',
    );
  return isSaid ? [] : becameOften(window, window.step);
}

/** Most names in one reminder. */
const MOST_NAMES = 3;

function againText(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMES).map((name) => visiblePath(name, 80));
  const what = names.length > MOST_NAMES ? `${named.join(', ')} and more` : named.join(' and ');
  return (
    `you needed ${what} again more than once after it was removed from the context window. ` +
    'Save what you need of it with update_scratchpad as you continue.'
  );
}

/** How many steps newer than the scratchpad the next pass will change; 0 while none is near. */
function newerStepsLeaving(facts: PolicyFacts): number {
  const { window, budget, settings } = facts;
  // A pass that is due runs before the agent could write notes.
  if (dueTrigger(facts) !== undefined) return 0;
  const next = passAhead(facts, passStart(budget, settings) * NEAR_HIGH);
  if (next === undefined) return 0;
  const { decisions } = planPass(next);
  // The agent never looks up old thinking.
  const taken = decisions.filter(({ action }) => action !== 'keep' && action !== 'trim');
  const leaving = new Set(taken.map(({ blockId }) => blockId));
  const isNewer = (block: Block) =>
    block.kind === 'step' && block.step > window.scratchpadAge.writtenAt;
  return blocksInWindow(window).filter((block) => isNewer(block) && leaving.has(block.id)).length;
}

function ageText(steps: number, writtenAt: number): string {
  const how =
    writtenAt === 0
      ? `you have written no notes in ${stepsText(steps)}`
      : `your notes are ${stepsText(steps)} old`;
  return (
    `${how}. If anything new must outlive the context window, save it with ` +
    'update_scratchpad as you continue.'
  );
}

function passText(leaving: number, steps: number, writtenAt: number): string {
  const since = writtenAt === 0 ? 'not in your notes' : 'since you wrote your notes';
  return (
    `the context window will soon be compacted. As it is, ${leaving} of the ` +
    `${stepsText(steps)} ${since} will be removed from it, in whole or in part. Save what you will still ` +
    'need with update_scratchpad as you continue.'
  );
}
