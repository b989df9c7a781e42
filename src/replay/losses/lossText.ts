import {
  amountText,
  countText,
  dollarText,
  dollarAmountText,
  tokenText,
} from '../../contextWindow/amount';
import type { TranscriptFormat } from '../../sessions/transcript';
import type { Share } from '../measures/grounding';
import type { LossKind, LostBlock, PricedNeed, RecordedLoss } from './recordedLoss';
import type { NeedKind } from './neededLater';

const KIND_NAMES: Readonly<Record<LossKind, string>> = {
  compacted: 'Compaction',
  cleared: 'Clearing',
  truncated: 'Truncation',
};

/** Names it: "Compaction 2". */
export function lossName({ kind, ordinal }: Pick<RecordedLoss, 'kind' | 'ordinal'>): string {
  return `${KIND_NAMES[kind]} ${tokenText(ordinal)}`;
}

/** The requests before and after it: "157,692 → 42,809 tokens". */
export function lossSizeText({ before, after }: Pick<RecordedLoss, 'before' | 'after'>): string {
  if (before === undefined && after === undefined) return 'tokens not counted in the file';
  if (after === undefined) return `${tokenText(before ?? 0)} tokens before; no request followed`;
  return `${before === undefined ? 'not counted' : tokenText(before)} → ${tokenText(after)} tokens`;
}

/** What it did: "41 blocks replaced by a summary, 1 kept. You asked for it." */
export function lossDidText({ kind, removed, kept, byUser, filesAdded }: RecordedLoss): string {
  const count = countText(removed.length, 'block');
  const did = {
    compacted: `${count} replaced by a summary`,
    cleared: `Results of ${count} cleared`,
    truncated: `${count} removed without a summary`,
  }[kind];
  const by = byUser === true ? ' The user asked for it.' : '';
  const added = filesAdded === undefined ? '' : ` ${countText(filesAdded, 'file')} added again.`;
  return `${did}, ${kept === 0 ? 'none' : tokenText(kept)} kept.${added}${by}`;
}

/** What the summary kept of the removed content; '' without a summary. */
export function lossSummaryText({ summary }: Pick<RecordedLoss, 'summary'>): string {
  if (summary === undefined) return '';
  const { prompts, files, limits } = summary.keeps;
  const kept = [
    ...share('repeats', prompts, 'prompt', ' verbatim'),
    ...share('names', files, 'file'),
    ...share('keeps', limits, 'limiting sentence'),
  ];
  const size = `The summary (${amountText(summary.tokens)} tokens)`;
  return kept.length === 0
    ? `${size} replaced neither prompts nor files.`
    : `${size} ${listed(kept)}.`;
}

function share(verb: string, { visible, total }: Share, noun: string, end = ''): string[] {
  if (total === 0) return [];
  return [`${verb} ${tokenText(visible)} of ${countText(total, noun)}${end}`];
}

/** What it cost in the prompt cache; '' if the next request wrote less than half again. */
export function lossCostText({ rewrite }: Pick<RecordedLoss, 'rewrite'>): string {
  if (rewrite === undefined) return '';
  const { tokens, usd } = rewrite;
  const price = usd === null ? '' : `: ${dollarText(usd)}`;
  return `The next request wrote ${tokenText(tokens)} tokens to the prompt cache${price}.`;
}

/**
 * How one thing was needed again: "Read again at step 14: src/a.ts (≈ 640 tokens, ≈ $0.002)". Without
 * `what` it names no file, command or question.
 */
export function needText({
  kind,
  step,
  what,
  failed,
  tokens,
  usd,
}: Omit<PricedNeed, 'what' | 'blockId'> & { readonly what?: string }): string {
  const price = [
    ...(tokens === 0 ? [] : [`${amountText({ tokens, exact: false })} tokens`]),
    ...(tokens === 0 || usd === null ? [] : [dollarAmountText(usd)]),
    ...(kind === 'edit' ? [failed === true ? 'failed' : 'succeeded'] : []),
  ];
  const end = price.length === 0 ? '' : ` (${price.join(', ')})`;
  const name = what === undefined ? '' : `: ${what}`;
  return `${NEEDED[kind]} at step ${tokenText(step)}${name}${end}`;
}

const NEEDED: Readonly<Record<NeedKind, string>> = {
  read: 'Read again',
  command: 'Run again with the same result',
  search: 'Searched again with the same result',
  question: 'Asked again',
  edit: 'Edited without its text in the window',
};

/** Everything that was needed again, in one sentence. */
export function neededSumText(needed: readonly PricedNeed[]): string {
  if (needed.length === 0) return 'Nothing of it was needed again.';
  const tokens = needed.reduce((sum, need) => sum + need.tokens, 0);
  const size = tokens === 0 ? '' : `, ${amountText({ tokens, exact: false })} tokens`;
  return `Needed again: ${countText(needed.length, 'time')}${size}.`;
}

/** How much of a block the summary kept; '' where that is not known. */
export function keptText({ inSummary }: Pick<LostBlock, 'inSummary'>): string {
  switch (inSummary) {
    case 'verbatim':
      return 'verbatim in the summary';
    case 'named':
      return 'named in the summary';
    case 'lost':
      return 'not in the summary';
    case undefined:
      return '';
  }
}

const DID: Readonly<Record<LossKind, string>> = {
  compacted: 'compacted',
  cleared: 'cleared results',
  truncated: 'dropped the oldest messages',
};

/** One line for a session: "The recorded agent compacted 2 times; 5 things were needed again." */
export function lossesText(losses: readonly RecordedLoss[]): string {
  const needed = losses.flatMap((loss) => loss.needed).length;
  const did = (Object.entries(DID) as [LossKind, string][]).flatMap(([kind, words]) => {
    const times = losses.filter((loss) => loss.kind === kind).length;
    if (times === 0) return [];
    return [`${words} ${times === 1 ? 'once' : countText(times, 'time')}`];
  });
  const again =
    needed === 0
      ? 'nothing was needed again'
      : `${countText(needed, 'thing')} ${needed === 1 ? 'was' : 'were'} needed again`;
  return `The recorded agent ${listed(did)}; ${again}.`;
}

/** The instructions that left with it; '' for none that the file shows. */
export function lossInstructionsText({
  beforeStep,
  instructions,
}: Pick<RecordedLoss, 'beforeStep' | 'instructions'>): string {
  const named = instructions.map(({ path, until }) =>
    until === undefined
      ? `${path} from step ${tokenText(beforeStep)} on`
      : `${path} in ${stepsText(beforeStep, until)}`,
  );
  return named.length === 0 ? '' : `Instructions not in the window: ${named.join('; ')}.`;
}

function stepsText(first: number, last: number): string {
  return first === last
    ? `step ${tokenText(first)}`
    : `steps ${tokenText(first)} to ${tokenText(last)}`;
}

/** The limits of the cards: losses that the file does not show. */
export function lossLimits(format: TranscriptFormat): string {
  return format === 'claude-code' ? `${LIMITS} ${CLAUDE_CODE}` : LIMITS;
}

const LIMITS =
  'Only what the file shows counts. Agents may add files, rules and notes after a compaction that their files leave out.';

/** code.claude.com/docs/en/context-window: what survives a compaction. */
const CLAUDE_CODE =
  'By its documentation Claude Code adds the root CLAUDE.md, rules for all paths, its memory and the plan again; the file does not record it. Rules for some paths and nested CLAUDE.md files come back when a matching file is read.';

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
