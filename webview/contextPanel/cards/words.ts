import { countText } from '../../../src/editor/coreForPages';
import type {
  LeavingBlockView,
  NextView,
  PassView,
} from '../../../src/editor/contextPanel/ledger/state';
import type { BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import type { BillView, SessionBill } from '../../../src/editor/session/state';
import { namesFiles, saidCalls, withoutFolders } from '../../kit/callWords';
import { formatNumber, formatShare, formatTokens } from '../../kit/tokens';
import { priceWords } from '../ledger/words';
import { passesWords } from '../parts/format';

export const CARD_TITLES = {
  next: 'Removed next',
  after: 'Removed after this step',
  last: 'Removed last',
  cost: 'What it cost',
} as const;

/** Introduces the blocks that are removed next, or says why there are none; a sentence or its start. */
export function nextIntro(next: NextView, compaction: ContextView['compaction']): string {
  switch (next.type) {
    case 'planned':
      if (next.due) return 'Before the next step:';
      return compaction === 'off' ? 'Only if you compact:' : 'If a pass ran now:';
    case 'ran':
      return `By ${passesWords(next.passes).toLowerCase()}:`;
    case 'nothing':
      return 'Nothing: a pass now would free too little.';
    case 'workingOut':
      return 'Planning…';
    case 'notWorkedOut':
      return next.message;
  }
}

/**
 * A block by its first call, as the list says it, without the lines: "Read src/vessel.js, …". Excerpts
 * and summaries have their kind.
 */
export function shortLabel(
  { label }: Pick<LeavingBlockView, 'label'>,
  block: Partial<BlockView> = {},
): string {
  if (block.kind === 'excerpts') return 'File excerpts';
  if (block.kind === 'summary') return label.replace(/ of [\d,]+ of /, ' of ');
  const [{ verb, subject = label } = {}, ...others] = saidCalls({ ...block, label });
  const of = verb === 'Read' ? subject.replace(/ \d+-\d*$/, '') : subject;
  const said = verb === undefined ? of : `${verb} ${of}`;
  const first = others.length === 0 ? said : `${said}, …`;
  return namesFiles({ ...block, label }) ? withoutFolders(first) : first;
}

/** What fetching removed content again took: "≈ 4,921 tokens", or of how many blocks it was. */
export function againWords(again: ContextView['neededAgain'], blocks: number): string {
  const sum = again.reduce((all, { tokens }) => all + tokens, 0);
  if (sum === 0) return countText(blocks, 'block');
  return `${formatTokens({ tokens: sum, exact: false })} tokens`;
}

/** What a pass did to its blocks, in the order of a ladder: "8 summarised, 2 cleared". */
export function didWords({ rungs }: Pick<PassView, 'rungs'>): string {
  const counts = new Map<string, number>();
  for (const { rung, blocks } of rungs) {
    const did = DID[rung];
    if (did !== undefined && blocks > 0) counts.set(did, (counts.get(did) ?? 0) + blocks);
  }
  return [...counts].map(([did, count]) => `${formatNumber(count)} ${did}`).join(', ');
}

const DID: Readonly<Partial<Record<PassView['rungs'][number]['rung'], string>>> = {
  excerpts: 'cleared',
  supersede: 'cleared',
  clear: 'cleared',
  trim: 'without thinking',
  summarise: 'summarised',
  evict: 'removed',
  cap: 'removed',
  shorten: 'shortened',
};

/**
 * How much a pass removed: "10 blocks, 8,987 tokens". A limit may remove a turn smaller than the line
 * that tells the model so: "1 block, 7 tokens added".
 */
export function removedWords({ changed, before, after }: PassView): string {
  const tokens = before.tokens - after.tokens;
  const exact = before.exact && after.exact;
  const moved = formatTokens({ tokens: Math.abs(tokens), exact });
  return `${countText(changed, 'block')}, ${moved} tokens${tokens < 0 ? ' added' : ''}`;
}

/** Why a pass ran; a sentence. */
export function whyWords({ trigger, price }: Pick<PassView, 'trigger' | 'price'>): string {
  switch (trigger) {
    case 'highWatermark':
      return 'The window had passed the mark.';
    case 'coldCache':
      // It has a price if it rewrote text that was kept for an hour and still cached.
      return price !== undefined && price.cache.tokens > 0
        ? 'Part of the prompt cache was cold.'
        : 'The prompt cache was cold.';
    case 'overflow':
      return 'The API said that the request was too long.';
    case 'manual':
      return 'You ran Compact Now.';
    case 'cap':
      return 'The limit of turns or messages was reached.';
    case 'recorded':
      return 'The recorded agent compacted its conversation.';
    case 'byHand':
      return 'You changed a block.';
  }
}

/** Whose cost it is; at a past step, until when. */
export function sessionLabel(
  { recordedBill }: SessionBill,
  { source, isPast }: Pick<ContextView, 'source'> & { readonly isPast: boolean },
): string {
  if (recordedBill !== undefined) return 'Plimsoll';
  if (isPast) return 'Until then';
  const isSubAgent = source.type === 'recording' && source.format === 'subAgent';
  return isSubAgent ? 'Sub-agent' : 'Session';
}

/** The same cost in full, for a tooltip. */
export function sessionHint({ cost, recordedBill }: SessionBill): string {
  return recordedBill === undefined ? cost : `Plimsoll would have paid: ${cost}`;
}

/** The cost of the session: "$0.41, 81 % from cache"; the header says that it is offline. */
export function sessionWords({ cost, cacheReadShare }: BillView): string {
  const paid = cost.replace(OFFLINE, '');
  return cacheReadShare === null ? paid : `${paid}, ${formatShare(cacheReadShare, 1)} from cache`;
}

const OFFLINE = / \(offline\)$/;

/**
 * The price of a pass without what it is made of, nor what the reason of the pass says already: "The
 * pass: $0.021. Repaid since step 37."
 */
export function shortPrice({ price, trigger }: Pick<PassView, 'price' | 'trigger'>): string {
  const short = priceWords({ price })
    .replace(/^Cost: /, 'The pass: ')
    .replace(/ \([^)]*\)/, '')
    .replace(/ for (the summary|(≈ )?\S+ cached tokens written again)/, '')
    .replace(/ of (≈ )?\$\S+ saved/, ' saved')
    .replace(' No charge.', '');
  return trigger === 'coldCache' ? short.replace(' The prompt cache had expired.', '') : short;
}
