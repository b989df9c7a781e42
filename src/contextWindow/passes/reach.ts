import { tokenText } from '../amount';
import type { Decision, Pass, Plan, Trigger } from '../plan';

/** What a pass or plan aims at, what it reaches, and what keeps it above its aim; tokens. */
interface Reach {
  /** Undefined for a pass that aims at no number: a limit, a recorded pass, a change by hand. */
  readonly aim: number | undefined;
  readonly after: number;
  /** Kept blocks that no pass, or not this one, may remove. */
  readonly mustStay: number;
  /** Kept blocks that may be removed. */
  readonly mayLeave: number;
  /** Everything else: system prompt, tools, notes, and what the pass shortened or added. */
  readonly rest: number;
}

type Decided = Pick<Pass | Plan, 'trigger' | 'target' | 'decisions'>;

/** Adds up what a pass leaves in the window; `after` is its size then. */
export function reachOf({ trigger, target, decisions }: Decided, after: number): Reach {
  const kept = decisions.filter(({ action }) => action === 'keep');
  const sum = (some: readonly Decision[]) => some.reduce((all, one) => all + one.after.tokens, 0);
  const mayLeave = sum(kept.filter(({ reason }) => FREE.has(reason.rule)));
  const mustStay = sum(kept) - mayLeave;
  const aim = AIMING.has(trigger) ? target : undefined;
  return { aim, after, mustStay, mayLeave, rest: after - mustStay - mayLeave };
}

/** The triggers of passes that aim at a number of tokens. */
const AIMING: ReadonlySet<Trigger> = new Set(['highWatermark', 'coldCache', 'manual', 'overflow']);

/** The reasons of kept blocks that nothing protects. */
const FREE: ReadonlySet<string> = new Set([
  'keep:noGain',
  'keep:enough',
  'keep:neededAgain',
  'keep:withinCap',
  'keep:recent',
]);

/** Says what a pass aims at, what it reaches, and why not less; '' if it aims at no number. */
export function reachText(
  { aim, after, mustStay, mayLeave, rest }: Reach,
  tense: 'plan' | 'past',
): string {
  if (aim === undefined) return '';
  const [aims, reaches] = tense === 'plan' ? ['Aims', 'reaches'] : ['Aimed', 'reached'];
  const text = `${aims} at ${tokenText(aim)} tokens, ${reaches} ${guess(after)}`;
  if (after <= aim) return `${text}.`;
  const what = `${guess(mustStay)} must stay, ${guess(rest)} are system prompt, tools, notes and texts of passes`;
  if (mayLeave === 0) return `${text}: ${what}, and nothing else is left to remove.`;
  const isInVain = after - mayLeave > aim;
  const others = isInVain
    ? `even without the other ${guess(mayLeave)} it would not get there`
    : `the policy leaves the other ${guess(mayLeave)}`;
  return `${text}: ${what}; ${others}.`;
}

function guess(tokens: number): string {
  return `≈ ${tokenText(tokens)}`;
}
