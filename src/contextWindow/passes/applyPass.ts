import { type Block, type BlockId, type BlockState, isInWindow, withoutThinking } from '../block';
import { placesInWindow, type ContextWindow, type LedgerEntry } from '../window';
import type { PersistentList } from '../persistentList';
import { admissionDecision } from '../account/admission';
import { withExcerptsShown } from '../files/fileModel';
import { asAdmitted, clearedPair, shortened } from '../blockChanges';
import type { Decision, Pass, PolicyAction, Summary } from '../plan';
import { keptScratchpad, withoutChange } from './undoPrompt';
import { summaryBlock } from './rungs/summary';
import { placeExcerpts, excerptsPlace } from './rungs/excerptsBlock';
import { scratchpadAfter, isShownOtherwise } from '../request/request';
import {
  isRulesShownOtherwise,
  rulesTextAfter,
  shownAfterPass,
} from '../standingRules/standingRules';

const STATE_AFTER: Readonly<Record<PolicyAction, BlockState>> = {
  truncate: 'truncated',
  trim: 'trimmed',
  clear: 'cleared',
  summarise: 'summarised',
  evict: 'evicted',
};

/** Applies a pass: block states change, summaries and excerpts are inserted, nothing is deleted. */
export function applyPass(window: ContextWindow, pass: Pass): ContextWindow {
  const decisionOf = new Map(pass.decisions.map((decision) => [decision.blockId, decision]));
  const decided = concernedBy(window, pass).map(({ place, block }): Concerned => {
    const decision = decisionOf.get(block.id);
    const after = decision === undefined ? block : decide(window, block, decision);
    return { place, block, decision, after };
  });
  const staying = placedIn(
    pass,
    decided.map(({ after }) => after),
  ).filter(isInWindow);
  const scratchpad = scratchpadAfter(window, staying, pass.undonePrompt);
  const shownRules = shownAfterPass(window, pass.budget, pass.trigger === 'byHand');
  const afterOf = new Map(decided.map(({ block, after }) => [block.id, after]));
  const rules = rulesTextAfter(window, shownRules, (block) => afterOf.get(block.id) ?? block);
  let edited =
    isShownOtherwise(window, scratchpad) ||
    isRulesShownOtherwise(window, rules, scratchpad.scratchpadBehindAnchor);
  const place = pass.excerpts === undefined ? -1 : excerptsPlace(decided.map(({ after }) => after));
  const concerned = decided.map((each, at): Concerned => {
    // A pass may remove only the oldest thinking, which leaves later thinking valid.
    edited ||= at === place || (each.after !== each.block && each.decision?.action !== 'trim');
    return edited ? { ...each, after: withoutThinking(each.after) } : each;
  });
  const blocks = blocksAfter(window, pass, concerned);
  const { lastOutcome, ...rest } = withoutChange(window, pass);
  return {
    ...rest,
    // After its prompt is undone, the outcome of the last turn is no longer news.
    ...(lastOutcome === undefined || pass.undonePrompt !== undefined ? {} : { lastOutcome }),
    ...scratchpad,
    ...(shownRules === undefined ? {} : { shownRules }),
    blocks,
    leftByPass: blocks,
    ...(pass.excerpts === undefined
      ? {}
      : { files: withExcerptsShown(window.files, pass.excerpts) }),
    decisions: window.decisions.with(concerned.flatMap(decisionAfter)),
    ledger: window.ledger.concat([
      {
        pass,
        model: window.model,
        former: formerOf(window, concerned),
        formerlyShown: {
          shownScratchpad: window.shownScratchpad,
          scratchpadBehindAnchor: window.scratchpadBehindAnchor,
          shownRules: window.shownRules,
        },
        ...keptScratchpad(window, pass),
      },
    ]),
  };
}

/** A block that a pass may change, and its place. */
interface Concerned {
  readonly place: number;
  readonly block: Block;
  readonly decision: Decision | undefined;
  readonly after: Block;
}

/** The blocks in the window and any others that the pass names. */
function concernedBy(
  window: ContextWindow,
  { decisions, summaries }: Pass,
): readonly Pick<Concerned, 'place' | 'block'>[] {
  const inside = placesInWindow(window);
  const named = new Set<BlockId>(decisions.map(({ blockId }) => blockId));
  for (const { covers } of summaries) for (const id of covers) named.add(id);
  for (const { block } of inside) named.delete(block.id);
  // Usually none: only a restored block is outside the window.
  if (named.size === 0) return inside;
  return window.blocks.flatMap((block, place) =>
    isInWindow(block) || named.has(block.id) ? [{ place, block }] : [],
  );
}

/** All blocks after the pass, with its summaries in their places. */
function blocksAfter(
  window: ContextWindow,
  pass: Pass,
  concerned: readonly Concerned[],
): PersistentList<Block> {
  let blocks = window.blocks.withAll(concerned.map(({ place, after }) => [place, after] as const));
  if (pass.summaries.length === 0 && pass.excerpts === undefined) return blocks;
  const former = new Set(concerned.map(({ after }) => after));
  const placed = placedIn(
    pass,
    concerned.map(({ after }) => after),
  );
  // Starts from the end, so that an insertion does not move later places.
  let next = concerned.length;
  for (const block of placed.toReversed()) {
    if (former.has(block)) next -= 1;
    else blocks = blocks.inserted(concerned[next]?.place ?? blocks.length, block);
  }
  return blocks;
}

/** What happens to the last decision for a block: it is replaced, removed or kept. */
function decisionAfter({
  block: before,
  decision,
  after,
}: Concerned): readonly (readonly [BlockId, Decision | undefined])[] {
  switch (decision?.action) {
    case undefined:
    case 'keep':
    case 'rewrite':
      return [];
    case 'trim':
      // A block that is also truncated or cleared keeps that decision: it says more.
      return before.state === 'whole' ? [[before.id, decision]] : [];
    case 'restore':
      // The decision that removed it no longer holds; one that truncated it at admission still
      // does.
      return [[before.id, admissionDecision(after)]];
    case 'truncate':
    case 'clear':
    case 'summarise':
    case 'evict':
    case 'undoPrompt':
      return [[before.id, decision]];
  }
}

/** The blocks that a pass changed, as they were before. */
function formerOf(window: ContextWindow, concerned: readonly Concerned[]): LedgerEntry['former'] {
  return concerned.flatMap(({ block, after }) => {
    if (after === block) return [];
    const decision = window.decisions.get(block.id);
    return [{ block, decision }];
  });
}

function decide(window: ContextWindow, block: Block, decision: Decision): Block {
  const { action } = decision;
  if (action === 'keep') return block;
  if (action === 'restore') return asAdmitted(window, block);
  if (action === 'rewrite') return rewritten(block, decision);
  if (action === 'truncate') return shortened(block, decision.admissions ?? []);
  if (action === 'trim') {
    return withoutThinking(block.state === 'whole' ? { ...block, state: 'trimmed' } : block);
  }
  const { exactTokens: _stale, ...rest } = block;
  if (action === 'undoPrompt') return undonePrompt(rest as Block);
  const state = STATE_AFTER[action];
  if (action !== 'clear' || rest.kind !== 'step') return { ...rest, state } as Block;
  const cleared = new Set(decision.toolUseIds ?? []);
  const held = new Set(decision.heldByExcerpts ?? []);
  const pairs = rest.pairs.map((pair) =>
    cleared.has(pair.use.id) ? clearedPair(pair, held.has(pair.use.id)) : pair,
  );
  return shortened({ ...rest, state, pairs }, decision.admissions ?? []);
}

/** Once this is an ordinary prompt, another prompt can become the task. */
function undonePrompt(block: Block): Block {
  const out = { ...block, pinned: false, state: 'undone' } as const;
  return out.kind === 'anchor' ? { ...out, kind: 'prompt' } : out;
}

function rewritten(block: Block, { text }: Decision): Block {
  if (block.kind !== 'summary' || text === undefined) return block;
  const { exactTokens: _stale, ...rest } = block;
  return { ...rest, text, editedByUser: true };
}

/** The blocks with the summaries and excerpts of the pass. */
function placedIn({ summaries, excerpts }: Pass, blocks: readonly Block[]): readonly Block[] {
  const summarised = summaries.reduce(placeSummary, blocks);
  return excerpts === undefined ? summarised : placeExcerpts(summarised, excerpts);
}

function placeSummary(blocks: readonly Block[], summary: Summary): readonly Block[] {
  const covered = new Set<BlockId>(summary.covers);
  const at = blocks.findIndex((block) => covered.has(block.id));
  if (at === -1) return blocks;
  const block = summaryBlock(
    summary,
    blocks.filter(({ id }) => covered.has(id)),
  );
  return [...blocks.slice(0, at), block, ...blocks.slice(at)];
}
