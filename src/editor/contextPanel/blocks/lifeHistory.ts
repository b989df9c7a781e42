import type { BlockId } from '../../../contextWindow/block';
import { tokenText } from '../../../contextWindow/amount';
import type { EventOf, SessionEvent } from '../../../contextWindow/event';
import type { Action, Decision } from '../../../contextWindow/plan';
import { passName } from '../../../contextWindow/passes/passName';
import type { LifeMoment, Seen } from './state';

/** From a request on, the model sees so much of a block. */
export interface Change {
  readonly from: number;
  readonly seen: Seen;
  readonly moment?: LifeMoment;
}

/** What happened to each block, in the order of the log. */
export type History = ReadonlyMap<BlockId, readonly Change[]>;

/** A pass that ran, and what the model had seen of its blocks before. */
interface RanPass {
  readonly pass: EventOf<'passApplied'>['pass'];
  readonly former: ReadonlyMap<BlockId, Seen>;
}

/** Follows the log: when each block came in, and what was done to it. */
export function historyOf(events: readonly SessionEvent[]): History {
  const changes = new Map<BlockId, Change[]>();
  const passes = new Map<number, RanPass>();
  let step = 0;
  let anchor: string | undefined;
  /** What was taken back, and whether it was the task. */
  const undonePrompt = new Map<BlockId, boolean>();
  const note = (id: BlockId, change: Change): void => {
    const known = changes.get(id);
    if (known === undefined) changes.set(id, [change]);
    else known.push(change);
  };
  const comesIn = (id: string): void => note(id as BlockId, { from: step + 1, seen: 'whole' });
  for (const event of events) {
    switch (event.type) {
      case 'promptSubmitted':
        comesIn(`prompt-${event.turn}`);
        anchor ??= `prompt-${event.turn}`;
        break;
      case 'replyReceived':
        step = event.step;
        comesIn(`step-${event.step}`);
        break;
      case 'noteAdded':
        comesIn(`note-${event.note}`);
        break;
      case 'scratchpadUpdated':
        // What the user changed is told in a note.
        if (event.note !== undefined) comesIn(`note-${event.note}`);
        break;
      case 'anchorMoved':
      case 'blockPinned': {
        // What was taken back stays away until that is undone.
        if (undonePrompt.has(event.blockId)) break;
        if (event.type === 'anchorMoved') anchor = event.blockId;
        if (event.blockId !== anchor) break;
        // A pinned task is in every request: it comes back where it had left.
        const last = changes.get(event.blockId)?.at(-1)?.seen;
        if (last === undefined || last === 'whole' || last === 'part') break;
        const moment: LifeMoment = { step: step + 1, kind: 'back', words: 'back: it is the task' };
        note(event.blockId, { from: step + 1, seen: 'whole', moment });
        break;
      }
      case 'passApplied': {
        const { pass } = event;
        const former = new Map<BlockId, Seen>();
        passes.set(pass.number, { pass, former });
        for (const { id } of pass.summaries) comesIn(id);
        if (pass.view !== undefined) {
          const words = `shown by ${passName(pass)}`;
          const moment: LifeMoment = { step: step + 1, kind: 'back', words };
          note(pass.view.id, { from: step + 1, seen: 'part', moment });
        }
        const by = pass.trigger === 'byHand' ? 'you' : passName(pass);
        for (const decision of pass.decisions) {
          const done = DONE[decision.action];
          if (done === undefined) continue;
          if (decision.action === 'undoPrompt') {
            undonePrompt.set(decision.blockId, decision.blockId === anchor);
            if (decision.blockId === anchor) anchor = undefined;
          }
          former.set(decision.blockId, changes.get(decision.blockId)?.at(-1)?.seen ?? 'whole');
          const { seen, kind, verb } = done;
          const words = `${verb} by ${by}${freedText(decision)}`;
          const moment: LifeMoment = { step: step + 1, kind, words };
          note(decision.blockId, { from: step + 1, seen, moment });
        }
        break;
      }
      case 'passUndone': {
        const ran = passes.get(event.number);
        if (ran === undefined) break;
        if (ran.pass.view !== undefined) {
          const words = `left: ${passName(ran.pass)} was undone`;
          const moment: LifeMoment = { step: step + 1, kind: 'taken', words };
          note(ran.pass.view.id, { from: step + 1, seen: 'nothing', moment });
        }
        const words = `back: ${passName(ran.pass)} was undone`;
        for (const [blockId, seen] of ran.former) {
          if (undonePrompt.get(blockId) === true) anchor ??= blockId;
          undonePrompt.delete(blockId);
          const moment: LifeMoment = { step: step + 1, kind: 'back', words };
          note(blockId, { from: step + 1, seen, moment });
        }
        break;
      }
    }
  }
  return changes;
}

/** What a decision leaves of a block, and how that is said. */
const DONE: Readonly<
  Partial<Record<Action, { readonly seen: Seen; readonly verb: string } & Pick<LifeMoment, 'kind'>>>
> = {
  truncate: { seen: 'part', kind: 'taken', verb: 'shortened' },
  trim: { seen: 'whole', kind: 'taken', verb: 'its thinking was taken out' },
  clear: { seen: 'part', kind: 'taken', verb: 'cleared' },
  summarise: { seen: 'told', kind: 'taken', verb: 'folded into a summary' },
  evict: { seen: 'nothing', kind: 'taken', verb: 'taken out' },
  undoPrompt: { seen: 'nothing', kind: 'taken', verb: 'taken back with its prompt' },
  restore: { seen: 'whole', kind: 'back', verb: 'restored' },
};

function freedText({ before, after }: Decision): string {
  const difference = after.tokens - before.tokens;
  if (difference === 0) return '';
  const sign = difference < 0 ? '−' : '+';
  const mark = before.exact && after.exact ? '' : '≈ ';
  return ` (${mark}${sign}${tokenText(Math.abs(difference))})`;
}
