import type { Block } from '../block';
import { blocksInWindow, turnsUndone, type ContextWindow } from '../window';
import type { EventOf } from '../event';
import { stepsText } from '../label';
import { dueTrigger, NEAR_HIGH, passAhead } from './pipeline';
import { planPass } from './policies/policies';
import { passStart, type PolicyFacts } from './rungs/policyInput';

/** When the agent is reminded of its scratchpad. */
export interface ReminderSettings {
  /** Once the scratchpad is older than this many steps; 0 for never, not before a pass either. */
  readonly remindAfterSteps: number;
  /** Passes run by themselves, or wait for the user's answer. */
  readonly passesRun: boolean;
}

/**
 * How many steps the scratchpad is old; where nobody has written it, all there are. Those that were
 * taken back do not count.
 */
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
 * Reminds the agent of its scratchpad: once when it has become old, and once before each pass that
 * will take steps that are newer than it. Undefined where nothing is to be said. The note is added at
 * the end and stays where it is, so the prompt-cache prefix holds (I7); it comes behind results or
 * before a prompt, never behind one (I3).
 */
export function reminderDue(
  facts: PolicyFacts,
  { remindAfterSteps, passesRun }: ReminderSettings,
): Omit<EventOf<'noteAdded'>, 'at' | 'note'> | undefined {
  const { window, measured, budget, estimate } = facts;
  const { writtenAt, isReminded, isTold } = window.scratchpadAge;
  const steps = scratchpadSteps(window);
  if (remindAfterSteps === 0 || steps === 0) return undefined;
  const leaving = passesRun && !isTold ? newerStepsLeaving(facts) : 0;
  if (leaving === 0 && (isReminded || steps <= remindAfterSteps)) return undefined;
  const because = leaving > 0 ? 'pass' : 'age';
  const what = leaving > 0 ? passText(leaving, steps, writtenAt) : ageText(steps, writtenAt);
  const text = `[Reminder, no request: ${what}]`;
  // A reminder is not worth a pass of its own.
  if (measured.used.tokens + estimate(text) > budget.inputBudget) return undefined;
  const source = { from: 'reminder', because, steps } as const;
  return { type: 'noteAdded', source, text, admission: { form: 'whole' } };
}

/** How many steps newer than the scratchpad the next pass will take something of; 0 while none is near. */
function newerStepsLeaving(facts: PolicyFacts): number {
  const { window, budget, settings } = facts;
  // A pass that is due runs before the agent could write anything.
  if (dueTrigger(facts) !== undefined) return 0;
  const next = passAhead(facts, passStart(budget, settings) * NEAR_HIGH);
  if (next === undefined) return 0;
  const { decisions } = planPass(next);
  // Old thinking holds nothing that would be looked up again.
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
    `${how}. If anything new must outlive the context window, write it down with ` +
    'update_scratchpad as you go on.'
  );
}

function passText(leaving: number, steps: number, writtenAt: number): string {
  const since = writtenAt === 0 ? 'of which you have no notes' : 'since you wrote your notes';
  return (
    `room will soon be made in the context window. As things stand, ${leaving} of the ` +
    `${stepsText(steps)} ${since} will leave it, whole or in part. Write down what you will still ` +
    'need of them with update_scratchpad as you go on.'
  );
}
