import { promptTokens, type Usage } from '../../contextWindow/account/spending';
import { applyEvent, EMPTY_WINDOW } from '../../contextWindow/fold';
import type { Pass } from '../../contextWindow/plan';
import type { Estimate } from '../../contextWindow/truncate';
import type { ContextWindow, LedgerEntry } from '../../contextWindow/window';
import { visiblePath } from '../../contextWindow/visibleText';
import { costOfCharge } from '../../model/pricing';
import type { Transcript } from '../../sessions/transcript';
import {
  cacheWrites,
  requestsInRecording,
  type ServedRewrite,
  usdOfRewrite,
} from '../measures/cacheRewrites';
import type { Replayed } from '../replay';
import { LaterNeeds, type LaterNeed } from './neededLater';
import type { LossKind, LostBlock, PricedNeed, RecordedLoss } from './recordedLoss';
import { SummaryLookup } from './summaryKeeps';

/** A replay of a recording under the policy `recorded`. */
type AsRecorded = Pick<Replayed, 'events' | 'recordedUsage'>;

interface Counting {
  readonly estimate: Estimate;
  warm(texts: readonly string[]): Promise<void>;
}

/** Works out what each compaction of a recorded agent removed, kept and cost; none for none. */
export async function lossesOf(
  transcript: Transcript,
  { events, recordedUsage }: AsRecorded,
  { estimate, warm }: Counting,
): Promise<readonly RecordedLoss[]> {
  if (!isCompacted(transcript)) return [];
  const needs = new LaterNeeds();
  const models = new Map<number, string>();
  let window: ContextWindow = EMPTY_WINDOW;
  for (const event of events) {
    if (event.type === 'replyReceived') {
      const uses = event.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
      needs.takeReply(window, event.step, uses);
      models.set(event.step, event.model);
    }
    window = applyEvent(window, event);
  }
  const files = new AddedFiles(transcript);
  const found = needs.found(window).filter((need) => !files.has(need));
  await warm(found.flatMap(({ texts }) => texts));
  const priced = (need: LaterNeed): PricedNeed => {
    const { texts, pass: _pass, ...rest } = need;
    const tokens = texts.reduce((sum, text) => sum + estimate(text), 0);
    return { ...rest, tokens, usd: writeCost(models.get(need.step), tokens) };
  };
  const entries = window.ledger.toArray();
  const { rewrites } = cacheWrites(requestsInRecording(transcript));
  const added = instructionsIn(transcript);
  const ordinals = new Map<LossKind, number>();
  return entries.map((entry, at): RecordedLoss => {
    const { pass } = entry;
    const { beforeStep } = pass;
    const kind = kindOf(pass);
    const ordinal = (ordinals.get(kind) ?? 0) + 1;
    ordinals.set(kind, ordinal);
    const isLast = entries[at + 1]?.pass.beforeStep !== beforeStep;
    // Clearing results brings no instructions back.
    const nextLoss = entries
      .slice(at + 1)
      .find((later) => later.pass.beforeStep > beforeStep && kindOf(later.pass) !== 'cleared')
      ?.pass.beforeStep;
    const isFirst = entries[at - 1]?.pass.beforeStep !== beforeStep;
    return {
      kind,
      ordinal,
      beforeStep,
      ...(isByUser(transcript, beforeStep) ? { byUser: true as const } : {}),
      ...(isLast ? files.after(beforeStep) : {}),
      ...sizeOf('before', isFirst ? recordedUsage.get(beforeStep - 1) : undefined),
      ...sizeOf('after', isLast ? recordedUsage.get(beforeStep) : undefined),
      ...removedBy(entry),
      needed: found.filter((need) => need.pass === pass.number).map(priced),
      instructions: isLast ? missingAfter(added, kind, beforeStep, nextLoss) : [],
      ...(isLast ? rewriteAt(rewrites, beforeStep) : {}),
    };
  });
}

/** Says whether a recorded agent ever compacted: without that, nothing was lost. */
export function isCompacted({ entries }: Pick<Transcript, 'entries'>): boolean {
  return entries.some(({ type }) => type === 'compacted');
}

function kindOf({ summaries, decisions }: Pass): LossKind {
  if (summaries.length > 0) return 'compacted';
  return decisions.some(({ action }) => action === 'clear') ? 'cleared' : 'truncated';
}

function isByUser({ entries }: Transcript, beforeStep: number): boolean {
  let step = 1;
  for (const entry of entries) {
    if (entry.type === 'reply') step += 1;
    else if (entry.type === 'compacted' && step === beforeStep && entry.byUser === true)
      return true;
  }
  return false;
}

function sizeOf(
  name: 'before' | 'after',
  usage: Usage | undefined,
): Partial<Pick<RecordedLoss, 'before' | 'after'>> {
  const tokens = usage === undefined ? 0 : promptTokens(usage);
  return tokens === 0 ? {} : { [name]: tokens };
}

function removedBy({
  pass,
  former,
}: LedgerEntry): Pick<RecordedLoss, 'removed' | 'kept' | 'summary'> {
  const { decisions, summaries, overhead } = pass;
  const changed = decisions.filter(({ action }) => action !== 'keep' && action !== 'trim');
  const text = summaries.map((summary) => summary.text).join('\n');
  const lookup = summaries.length === 0 ? undefined : new SummaryLookup(text);
  const blockOf = new Map(former.map(({ block }) => [block.id, block]));
  const blocks = changed.flatMap(({ blockId }) => blockOf.get(blockId) ?? []);
  return {
    removed: changed.map(({ blockId, label, action, before, after }): LostBlock => {
      const block = blockOf.get(blockId);
      const inSummary = block === undefined ? undefined : lookup?.keptOf(block);
      const exact = before.exact && after.exact;
      // A placeholder can be longer than a short result.
      const tokens = { tokens: Math.max(0, before.tokens - after.tokens), exact };
      return { blockId, label, action, tokens, ...(inSummary === undefined ? {} : { inSummary }) };
    }),
    kept: decisions.length - changed.length,
    ...(lookup === undefined
      ? {}
      : {
          summary: {
            tokens: { tokens: overhead.summaries, exact: false },
            keeps: lookup.keeps(blocks),
          },
        }),
  };
}

/** The files that the agent added in full after each of its compactions. */
class AddedFiles {
  readonly #compactions: readonly {
    readonly beforeStep: number;
    readonly paths: ReadonlySet<string>;
  }[];

  constructor({ entries }: Transcript) {
    let step = 1;
    this.#compactions = entries.flatMap((entry) => {
      if (entry.type === 'reply') step += 1;
      if (entry.type !== 'compacted' || entry.clearedToolUseIds !== undefined) return [];
      return [
        {
          beforeStep: step,
          paths: new Set((entry.addedFiles ?? []).map((path) => visiblePath(path))),
        },
      ];
    });
  }

  /** Whether the window had the file of a need since the last compaction. */
  has({ kind, step, what }: LaterNeed): boolean {
    if (kind !== 'read' && kind !== 'edit') return false;
    const last = this.#compactions.findLast(({ beforeStep }) => beforeStep <= step);
    return last?.paths.has(what) === true;
  }

  /** How many were added before a step. */
  after(step: number): Pick<RecordedLoss, 'filesAdded'> {
    const own = this.#compactions.findLast(({ beforeStep }) => beforeStep === step);
    return own === undefined || own.paths.size === 0 ? {} : { filesAdded: own.paths.size };
  }
}

/** An instruction file, and the step after which its agent added it. */
interface AddedInstruction {
  readonly path: string;
  readonly step: number;
}

function instructionsIn({ entries }: Transcript): readonly AddedInstruction[] {
  const replies = entries.filter((entry) => entry.type === 'reply');
  return replies.flatMap(({ instructions = [] }, at) =>
    instructions.map((path) => ({ path: visiblePath(path), step: at + 1 })),
  );
}

/**
 * The instruction files that a compaction removed: those that were added before it and that it did not
 * find removed already. Clearing results leaves them.
 */
function missingAfter(
  added: readonly AddedInstruction[],
  kind: LossKind,
  beforeStep: number,
  next = Infinity,
): RecordedLoss['instructions'] {
  if (kind === 'cleared') return [];
  const before = new Set(added.flatMap((one) => (one.step < beforeStep ? [one.path] : [])));
  return [...before].map((path) => {
    const again = added.find((one) => one.path === path && one.step >= beforeStep);
    const until = Math.min(again?.step ?? Infinity, next - 1);
    return until === Infinity ? { path } : { path, until };
  });
}

function rewriteAt(
  rewrites: readonly ServedRewrite[],
  beforeStep: number,
): Pick<RecordedLoss, 'rewrite'> {
  const own = rewrites.find(
    ({ step, cause }) => step === beforeStep && (cause === 'compacted' || cause === 'cleared'),
  );
  if (own === undefined) return {};
  return { rewrite: { tokens: own.tokens, usd: usdOfRewrite(own) } };
}

/** What it costs to write tokens to the prompt cache once; null if unknown. */
function writeCost(model: string | undefined, tokens: number): number | null {
  const usage = {
    inputTokens: 0,
    cacheCreationTokens: tokens,
    cacheReadTokens: 0,
    outputTokens: 0,
  };
  return (model === undefined ? undefined : costOfCharge({ model, usage })) ?? null;
}
