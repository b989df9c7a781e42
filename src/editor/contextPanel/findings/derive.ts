import type { Block, BlockId } from '../../../contextWindow/block';
import { callEffectOf } from '../../../contextWindow/callEffect';
import {
  CACHE_HOUR_MS,
  CACHE_TTL_MS,
  CACHE_WRITE,
} from '../../../contextWindow/account/promptCache';
import { choiceOf } from '../../../contextWindow/files/fileChoices';
import { clearByHand } from '../../../contextWindow/passes/byHand';
import { POLICY_NAMES } from '../../../contextWindow/plan';
import { policyFacts } from '../../../contextWindow/passes/rungs/policyInput';
import { byChunk } from '../../../contextWindow/persistentList';
import type { Estimate } from '../../../contextWindow/truncate';
import { lineCount } from '../../../contextWindow/visibleText';
import { blocksInWindow, type ContextWindow } from '../../../contextWindow/window';
import { cacheReadShare, priceOfModel } from '../../../model/pricing';
import { policySettings } from '../../../settings/turnSettings';
import type { Account } from '../../session/derive';
import type { Inspected } from '../../session/inspected';
import type { NeededFile } from '../../session/neededInSessions';
import { showsFilesUnder } from '../ledger/nextPass';
import type { NextView } from '../ledger/state';
import type { BlockView } from '../state';
import type { ToolCostsView } from '../tools/state';
import type { FindingView } from './state';

/** Inputs of the findings: the session at the present. */
interface FindingFacts {
  readonly inspected: Inspected;
  readonly account: Account;
  readonly blocks: readonly BlockView[];
  readonly next: NextView;
  readonly tools: ToolCostsView;
  /** What several sessions of the workspace needed again, and the user has not been offered. */
  readonly needed: readonly NeededFile[];
  readonly estimate: Estimate;
}

/** Below this share of the high watermark nothing is worth a line. */
const LEAST_SHARE = 0.01;

/** A result is large from this share of the high watermark on. */
const LARGE_SHARE = 0.05;

/** A result that was named in one of so many last steps is in use. */
const UNUSED_STEPS = 12;

/** Lines of a file were read again at least this often. */
const REREAD_TIMES = 2;

/** A read is a repeated one if at least this share of its lines was known. */
const REREAD_SHARE = 0.5;

/** Tools get this many steps to be called. */
const UNCALLED_STEPS = 5;

/** A finding with its cost so far, in tokens at the price of uncached input. */
interface Priced {
  readonly finding: FindingView;
  readonly cost: number;
}

/**
 * Finds what costs tokens and can be helped now, the most expensive first. A recording and a past
 * step cannot be changed, so the caller asks only for a session at the present.
 */
export function findings(facts: FindingFacts): readonly FindingView[] {
  if (facts.inspected.window.step === 0) return [];
  const least = LEAST_SHARE * facts.account.balance.highTokens;
  return [rereadFiles, unusedTools, expiredCache, unusedResults, neededInSessions]
    .flatMap((find) => find(facts))
    .filter(({ finding }) => finding.tokens.tokens >= least)
    .toSorted((a, b) => b.cost - a.cost)
    .map(({ finding }) => finding);
}

/** A call that read lines of a file, or changed it. */
interface FileUse {
  readonly path: string;
  /** Absent for a change. */
  readonly read?: { readonly first: number; readonly text: string };
  readonly blockId: BlockId;
}

const usesIn = byChunk((blocks: readonly Block[]): readonly FileUse[] =>
  blocks.flatMap((block) =>
    block.kind !== 'step'
      ? []
      : block.pairs.flatMap(({ use, result }): readonly FileUse[] => {
          const effect = callEffectOf(use);
          if (result === undefined || result.isError) return [];
          const blockId = block.id;
          switch (effect.kind) {
            case 'read':
              return [
                {
                  path: effect.path,
                  read: { first: effect.lines?.first ?? 1, text: result.text },
                  blockId,
                },
              ];
            case 'edit':
            case 'write':
              return [{ path: effect.path, blockId }];
            default:
              return [];
          }
        }),
  ),
);

/** Files of which unchanged lines were read again: excerpts can show them, or a pin can keep them. */
function rereadFiles({ inspected, estimate }: FindingFacts): readonly Priced[] {
  const { window, inForce, policy } = inspected;
  const shows = showsFilesUnder(inForce.settings.context, policy);
  return [...groups(usesIn(window.blocks).flat(), ({ path }) => path)].flatMap(([path, uses]) => {
    const again = readsAgain(uses, estimate);
    if (again.length < REREAD_TIMES) return [];
    const tokens = again.reduce((sum, each) => sum + each, 0);
    const act = wayToKeep(window, path, uses, shows);
    if (act === undefined) return [];
    const finding: FindingView = {
      kind: 'reread',
      path,
      times: again.length,
      tokens: { tokens, exact: false },
      dollars: dollarsOf(inspected, tokens, 'cacheWrite'),
      act,
    };
    return [{ finding, cost: CACHE_WRITE * tokens }];
  });
}

/**
 * The tokens of each read whose lines had mostly been read since the last change of the file; only
 * those lines count.
 */
function readsAgain(uses: readonly FileUse[], estimate: Estimate): readonly number[] {
  const known = new Set<number>();
  return uses.flatMap(({ read }) => {
    if (read === undefined) {
      known.clear();
      return [];
    }
    const lines = Array.from({ length: lineCount(read.text) }, (_, at) => read.first + at);
    const again = lines.filter((line) => known.has(line)).length;
    for (const line of lines) known.add(line);
    return again < REREAD_SHARE * lines.length
      ? []
      : [Math.round((estimate(read.text) * again) / lines.length)];
  });
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = found.get(key);
    if (known === undefined) found.set(key, [item]);
    else known.push(item);
  }
  return found;
}

/** Shows the file in excerpts, or pins its newest read; undefined if neither would change anything. */
function wayToKeep(
  window: ContextWindow,
  path: string,
  uses: readonly FileUse[],
  shows: boolean,
): FindingView['act'] | undefined {
  if (shows && window.files.get(path) !== undefined) {
    return choiceOf(window.fileChoices, path, undefined) === 'auto'
      ? { type: 'chooseFile', path, choice: 'always' }
      : undefined;
  }
  const ids = new Set(uses.flatMap(({ read, blockId }) => (read === undefined ? [] : [blockId])));
  const newest = blocksInWindow(window).findLast(({ id }) => ids.has(id));
  return newest === undefined || newest.pinned
    ? undefined
    : { type: 'pinBlock', blockId: newest.id };
}

const namesIn = byChunk((blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.kind === 'step' ? block.pairs.map(({ use }) => use.name) : [])),
);

/** Third-party tools that are in every request, and were never called. */
function unusedTools({ inspected, tools }: FindingFacts): readonly Priced[] {
  const { window } = inspected;
  if (window.step < UNCALLED_STEPS) return [];
  const called = new Set(namesIn(window.blocks).flat());
  const uncalled = tools.rows.flatMap(({ name, provider, tokens }) =>
    provider === undefined || called.has(name) ? [] : [{ name, provider, tokens }],
  );
  return [...groups(uncalled, ({ provider }) => provider)].map(([provider, rows]) => {
    const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
    const finding: FindingView = {
      kind: 'unusedTools',
      provider,
      tools: rows.length,
      tokens: { tokens, exact: false },
      dollars: dollarsOf(inspected, tokens, 'cacheRead'),
      act: { type: 'turnToolsOff', names: rows.map(({ name }) => name) },
    };
    return { finding, cost: readShare(inspected) * tokens * window.step };
  });
}

/** The prompt cache that expires while the agent waits: a pass then breaks no cache. */
function expiredCache({ inspected, account, next }: FindingFacts): readonly Priced[] {
  const { events, window, busy } = inspected;
  if (busy || next.type !== 'planned') return [];
  const last = events.findLast(({ type }) => type === 'replyReceived');
  if (last?.type !== 'replyReceived') return [];
  // A pass since then has already broken it.
  if (window.ledger.at(-1)?.pass.beforeStep === window.step + 1) return [];
  const { cacheReadTokens, cacheCreationTokens, cacheCreation1hTokens = 0 } = last.usage;
  const tokens = Math.min(cacheReadTokens + cacheCreationTokens, account.balance.used.tokens);
  const life = cacheCreation1hTokens > 0 ? CACHE_HOUR_MS : CACHE_TTL_MS;
  const written = dollarsOf(inspected, tokens, 'cacheWrite');
  const read = dollarsOf(inspected, tokens, 'cacheRead');
  const finding: FindingView = {
    kind: 'cacheExpired',
    at: last.at + life,
    tokens: { tokens, exact: false },
    dollars: written === undefined || read === undefined ? undefined : written - read,
    act: { type: 'compactNow', instructions: '' },
  };
  return [{ finding, cost: (CACHE_WRITE - readShare(inspected)) * tokens }];
}

/** Large results that no later step, prompt or note has named for a while. */
function unusedResults(facts: FindingFacts): readonly Priced[] {
  const { inspected, account, blocks } = facts;
  const { window } = inspected;
  const { inputBudget, highTokens } = account.balance;
  const inside = blocksInWindow(window);
  return blocks.flatMap((view): readonly Priced[] => {
    const { id, kind, step, whyHeld, salience, label } = view;
    const weight = view.tokens.tokens;
    if (kind !== 'step' || step === undefined || whyHeld !== undefined) return [];
    if (salience === undefined || weight < LARGE_SHARE * highTokens) return [];
    const steps = window.step - Math.max(step, lastNaming(inside, salience.reuse));
    if (steps < UNUSED_STEPS) return [];
    const tokens = freedByClearing(facts, id);
    if (tokens === undefined) return [];
    const finding: FindingView = {
      kind: 'unusedResult',
      blockId: id,
      label,
      share: weight / inputBudget,
      steps,
      tokens: { tokens, exact: false },
      dollars: dollarsOf(inspected, tokens, 'cacheRead'),
      act: { type: 'clearBlock', blockId: id },
    };
    return [{ finding, cost: readShare(inspected) * tokens * steps }];
  });
}

/** Files that several sessions needed again, for project memory, unless it names them already. */
function neededInSessions({ inspected, needed }: FindingFacts): readonly Priced[] {
  const { memory = [] } = inspected.window.preamble;
  return needed.flatMap(({ path, sessions }): readonly Priced[] => {
    if (memory.some(({ text }) => isNamed(path, text))) return [];
    const tokens = sessions.reduce((sum, one) => sum + one.tokens, 0);
    const finding: FindingView = {
      kind: 'neededInSessions',
      path,
      sessions: sessions.map(({ title, times }) => ({ title, times })),
      tokens: { tokens, exact: false },
      dollars: dollarsOf(inspected, tokens, 'cacheWrite'),
      act: { type: 'rememberNeeded', path },
      dismiss: { type: 'dismissNeeded', path },
    };
    return [{ finding, cost: CACHE_WRITE * tokens }];
  });
}

/** Whether a text names a path, and not only a longer one that has it in it. */
function isNamed(path: string, text: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const isBegun = /(?:^|[^\w/.-])(?:\.\/)?$/.test(text.slice(Math.max(0, at - 3), at));
    if (isBegun && !/^(?:[\w/-]|\.\w)/.test(text.slice(at + path.length, at + path.length + 2)))
      return true;
  }
  return false;
}

/** The step of the last block that named another, or the last step before it; 0 for none. */
function lastNaming(inside: readonly Block[], reuse: number): number {
  if (reuse === 0) return 0;
  const place = Math.round(reuse * (inside.length - 1));
  const before = inside.slice(0, place + 1).findLast(({ kind }) => kind === 'step');
  return before?.kind === 'step' ? before.step : 0;
}

/** What the window moves by if the user clears a block; undefined if that is refused. */
function freedByClearing(
  { inspected, account, estimate }: FindingFacts,
  id: string,
): number | undefined {
  const { window, inForce, policy } = inspected;
  const named = POLICY_NAMES.find((name) => name === policy);
  if (named === undefined) return undefined;
  const settings = { ...policySettings(inForce.settings.context), policy: named };
  const { measured } = account;
  const input = policyFacts({ window, measured, budget: inForce.budget, estimate, settings });
  const cleared = clearByHand(input, id);
  if (!cleared.ok || cleared.plan === undefined) return undefined;
  return cleared.plan.before.tokens - cleared.plan.estimatedAfter;
}

/** The price of a token read from the prompt cache, relative to uncached input. */
function readShare({ model, window }: Inspected): number {
  return cacheReadShare(window.model ?? model);
}

/** US dollars at list price; undefined if no price is known, and offline. */
function dollarsOf(
  { offline, model, window }: Inspected,
  tokens: number,
  how: 'cacheRead' | 'cacheWrite',
): number | undefined {
  const price = offline ? undefined : priceOfModel(window.model ?? model);
  return price === undefined ? undefined : (tokens * price[how]) / 1_000_000;
}
