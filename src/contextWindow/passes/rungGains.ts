import type { Decision, Pass, PassOverhead, Plan } from '../plan';

/** The rungs of a policy, by what they do to blocks. */
export type RungName =
  'excerpts' | 'supersede' | 'clear' | 'trim' | 'summarise' | 'evict' | 'cap' | 'shorten';

/** What one rung freed in the end. */
export interface RungGain {
  /** `overhead`: tokens of the pass that belong to no block, such as the changed scratchpad. */
  readonly rung: RungName | 'overhead';
  readonly blocks: number;
  /** Tokens freed, less those of the summaries or excerpts added; negative if more were added. */
  readonly tokens: number;
}

/**
 * Says what each rung freed. Every changed block counts once, for the rung that decided its last
 * form, so that the blocks add up to those changed and the tokens to those freed. A change by hand
 * has no rungs.
 */
export function rungGains(of: Plan | Pass): readonly RungGain[] {
  if (of.trigger === 'byHand') return [];
  const { summaries, scratchpad, gapLines, rules = 0, excerpts = 0 } = overheadOf(of);
  const gains = byRung(of.decisions).map(({ rung, decisions }): RungGain => {
    const freed = decisions.reduce((sum, one) => sum + one.before.tokens - one.after.tokens, 0);
    const came = rung === 'summarise' ? summaries : rung === 'excerpts' ? excerpts : 0;
    return { rung, blocks: decisions.length, tokens: freed - came };
  });
  if (excerpts !== 0 && !gains.some(({ rung }) => rung === 'excerpts'))
    gains.push({ rung: 'excerpts', blocks: 0, tokens: -excerpts });
  const rest = scratchpad + gapLines + rules;
  return rest === 0 ? gains : [...gains, { rung: 'overhead', blocks: 0, tokens: -rest }];
}

/** The changes of a pass by rung, in the order of a policy. */
export function byRung(
  decisions: readonly Decision[],
): readonly { readonly rung: RungName; readonly decisions: readonly Decision[] }[] {
  const rungs = new Map<RungName, Decision[]>();
  for (const decision of decisions) {
    const rung = rungOf(decision);
    if (rung === undefined) continue;
    const changes = rungs.get(rung);
    if (changes === undefined) rungs.set(rung, [decision]);
    else changes.push(decision);
  }
  return CLIMBED.flatMap((rung) => {
    const changes = rungs.get(rung);
    return changes === undefined ? [] : [{ rung, decisions: changes }];
  });
}

/** Limits first, which hold at any number of tokens; then the gentlest. */
const CLIMBED: readonly RungName[] = [
  'cap',
  'excerpts',
  'supersede',
  'clear',
  'trim',
  'summarise',
  'evict',
  'shorten',
];

/** Undefined for kept blocks and for changes that only the user makes. */
function rungOf({ action, reason: { rule } }: Decision): RungName | undefined {
  if (rule === 'evictFormerExcerpts' || rule === 'clearHeldByExcerpts') return 'excerpts';
  switch (action) {
    case 'evict':
      return rule === 'evictOverCap' ? 'cap' : 'evict';
    case 'clear':
      return rule === 'clearSuperseded' ? 'supersede' : 'clear';
    case 'summarise':
    case 'trim':
      return action;
    case 'truncate':
      return 'shorten';
    case 'keep':
    case 'restore':
    case 'rewrite':
    case 'undoPrompt':
      return undefined;
  }
}

/** Tokens added apart from blocks; each summary of a plan at its largest. */
function overheadOf(of: Plan | Pass): PassOverhead {
  if ('scratchpadGrowth' in of) {
    const summaries = of.summaries.reduce((sum, { maxTokens }) => sum + maxTokens, 0);
    const excerpts = of.excerpts?.tokens ?? 0;
    const { scratchpadGrowth: scratchpad, gapGrowth: gapLines, rules } = of;
    return { summaries, scratchpad, gapLines, rules: rules.growth, excerpts };
  }
  return of.overhead;
}
