import type { Plan } from '../../plan';
import type { ContextWindow } from '../../window';
import { capMessages, capTurns } from '../rungs/cap';
import { clearLarge, clearOversized, clearRest } from '../rungs/clearResults';
import { clearSuperseded } from '../rungs/clearSuperseded';
import type { Rung } from '../rungs/draft';
import { evictLeastSalient, evictOldest, evictShownNotes } from '../rungs/evict';
import { climb } from '../rungs/planOf';
import type { Policy, PolicyInput, PolicySettings } from '../rungs/policyInput';
import { keepRecentTurns } from '../rungs/recentTurns';
import { withExcerpts } from '../rungs/showExcerpts';
import { summariseEverything, summariseOldest, summariseSpent } from '../rungs/summariseOldest';
import { trimOldThinking } from '../rungs/trimThinking';
import { headTail } from './headTail';
import { server } from './server';

/** The policies that a user can choose, by their names in the setting. */
export const POLICIES: Readonly<Record<PolicySettings['policy'], Policy>> = {
  ladder,
  slidingWindow,
  lastTurns,
  headTail,
  tokenBudget,
  salience,
  summarise,
  server,
};

/**
 * Plans a pass by the policy in the settings. The reminder, the summary written ahead, the panel and
 * the pass itself ask for the same plan, so each window keeps its last ones.
 */
export function planPass(input: PolicyInput): Plan {
  const known = PLANNED.get(input.window) ?? [];
  const same = known.find((one) => isSameInput(one.input, input));
  if (same !== undefined) return same.plan;
  const plan = POLICIES[input.settings.policy](input);
  PLANNED.set(input.window, [{ input, plan }, ...known].slice(0, MOST_PLANS_KEPT));
  return plan;
}

interface Planned {
  readonly input: PolicyInput;
  readonly plan: Plan;
}

const PLANNED = new WeakMap<ContextWindow, readonly Planned[]>();

/** The panel's plan, the plan ahead and the pass that is due begin by different triggers. */
const MOST_PLANS_KEPT = 3;

function isSameInput(
  { budget, settings, ...one }: PolicyInput,
  { budget: otherBudget, settings: otherSettings, ...other }: PolicyInput,
): boolean {
  return (
    isShallowlySame(one, other) &&
    isShallowlySame(budget, otherBudget) &&
    isShallowlySame(settings, otherSettings)
  );
}

function isShallowlySame(one: object, other: object): boolean {
  const values: Readonly<Record<string, unknown>> = { ...one };
  const others: Readonly<Record<string, unknown>> = { ...other };
  const keys = new Set([...Object.keys(values), ...Object.keys(others)]);
  return [...keys].every((key) => values[key] === others[key]);
}

/** The rungs of the default policy, gentlest first; each stops at the low watermark. */
export const LADDER: readonly Rung[] = [
  evictShownNotes,
  clearSuperseded,
  clearLarge,
  trimOldThinking,
  summariseSpent,
  clearRest,
  evictLeastSalient,
];

/**
 * The default: removes first what is worth least. Right for long coding sessions. Wrong if every pass
 * must be predictable at a glance, because several rules decide together.
 */
export function ladder(input: PolicyInput): Plan {
  return climb(input, 'ladder', [withExcerpts(LADDER)]);
}

/**
 * Keeps a fixed number of the newest messages; pairs are evicted whole, and the anchor stays first.
 * Right for chat and for short, even steps: nothing is easier to predict. Wrong for coding: it
 * forgets a file read an hour ago and edited ever since, and once full it breaks the prompt cache
 * at every step. If the newest messages do not fit, the oldest of them are evicted too.
 */
function slidingWindow(input: PolicyInput): Plan {
  return climb(input, 'slidingWindow', [evictOldest], [capMessages(input.settings.maxMessages)]);
}

/**
 * Keeps the newest turns whole: a prompt and everything until the next. Right for many short,
 * independent requests. Wrong for one task of two hundred steps, which is a single turn: of that it
 * can only evict the oldest steps.
 */
function lastTurns(input: PolicyInput): Plan {
  const { keepTurns, maxHistoryTurns } = input.settings;
  // A history limit that the kept turns stay within has no effect.
  const settings =
    keepTurns <= maxHistoryTurns ? { ...input.settings, maxHistoryTurns: 0 } : input.settings;
  return climb({ ...input, settings }, 'lastTurns', [evictOldest], [capTurns(keepTurns)]);
}

/**
 * Keeps the newest blocks that fit after the anchor. Right as a plain, fast, predictable rule. Wrong
 * if the agent still works with old reads. An oversized result is cleared first: otherwise one large
 * output would evict everything before it.
 */
function tokenBudget(input: PolicyInput): Plan {
  return climb(input, 'tokenBudget', [clearOversized, evictOldest]);
}

/**
 * Evicts the least salient blocks, wherever they are. Right if a session returns to old files
 * again and again. Wrong if order is the meaning: with many gaps the rest no longer reads as one
 * story.
 */
function salience(input: PolicyInput): Plan {
  return climb(input, 'salience', [evictLeastSalient]);
}

/**
 * Replaces the oldest blocks by a summary and keeps the newest verbatim. Right if decisions and
 * findings matter more than exact text. Wrong if the exact text will be edited: a summary cannot be
 * quoted. If a summary is off or gains too little, the oldest blocks are evicted.
 */
function summarise(input: PolicyInput): Plan {
  return climb(input, 'summarise', [keepRecentTurns([summariseOldest, evictOldest])]);
}

/**
 * Summarises everything older than the newest turns, when the user continues an idle session from
 * there; writes a work note if summaries are off. If the newest turns are nearly everything, it
 * summarises their older steps too.
 */
export function summariseEarlier(input: PolicyInput): Plan {
  const settings = { ...input.settings, summaries: true, maxHistoryTurns: 0 };
  return climb({ ...input, settings }, 'summarise', [keepRecentTurns([summariseEverything])]);
}
