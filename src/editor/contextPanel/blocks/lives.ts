import { tokenText } from '../../../contextWindow/amount';
import {
  type BlockId,
  type FilesBlock,
  isInWindow,
  type ShownLines,
  type StepBlock,
  type ToolPair,
} from '../../../contextWindow/block';
import { callEffectOf } from '../../../contextWindow/callEffect';
import type { EventOf, SessionEvent } from '../../../contextWindow/event';
import { excerptsSize } from '../../../contextWindow/files/regions';
import { labelOf, pathsShown } from '../../../contextWindow/label';
import { passName } from '../../../contextWindow/passes/passName';
import type { Action, Decision } from '../../../contextWindow/plan';
import { linesText, resultText } from '../../../contextWindow/request/placeholder';
import type { Estimate } from '../../../contextWindow/truncate';
import type { ContextWindow, Refault } from '../../../contextWindow/window';
import { fileChoiceViews } from '../files/derive';
import type { FileChoiceView } from '../files/state';
import type { FileLifeView, LifeMoment, LifeSpan, LifeView, Seen } from './state';

/** Inputs of the lives. */
export interface LifeFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly estimate: Estimate;
  /** Whether passes show files. */
  readonly showsFiles: boolean;
}

/** A call that read or changed a file, and the step it is of. */
interface FileUse {
  readonly block: StepBlock;
  readonly pair: ToolPair;
  readonly how: 'read' | 'edited' | 'written';
}

/** Lines of a file in the excerpts. */
interface FileShown {
  readonly block: FilesBlock;
  readonly lines: readonly ShownLines[];
}

/** The calls on a file, and the excerpts of it. */
interface FileFacts {
  readonly uses: FileUse[];
  readonly shown: FileShown[];
}

/**
 * What became of a block: of each file that its calls read or changed, and of the block itself where
 * there is none. Undefined for a block that the session does not have.
 */
export function livesOf(facts: LifeFacts, blockId: string): readonly LifeView[] | undefined {
  const block = facts.window.blocks.find(({ id }) => id === blockId);
  if (block === undefined) return undefined;
  const history = historyOf(facts.events);
  const files = filesOf(facts.window);
  const own = [...files].filter(([, { uses, shown }]) =>
    [...uses, ...shown].some((each) => each.block === block),
  );
  if (own.length > 0) return own.map(([path, file]) => fileLife(facts, history, path, file));
  const changes = history.get(block.id) ?? [];
  return [
    {
      title: labelOf(block),
      spans: spansOf(changes, facts.window.step),
      moments: changes.flatMap(({ moment }) => moment ?? []),
    },
  ];
}

/** Every file of the session, the one that takes most of the window first. */
export function fileLives(facts: LifeFacts): readonly FileLifeView[] {
  const history = historyOf(facts.events);
  const choiceOf = fileChoiceViews(facts.window, facts.showsFiles);
  return [...filesOf(facts.window)]
    .map(([path, file]) => withChoice(fileLife(facts, history, path, file), choiceOf(path)))
    .toSorted((a, b) => b.tokens - a.tokens || (a.title < b.title ? -1 : 1));
}

function withChoice(life: FileLifeView, chosen: FileChoiceView | undefined): FileLifeView {
  return chosen === undefined ? life : { ...life, chosen };
}

function filesOf(window: ContextWindow): ReadonlyMap<string, FileFacts> {
  const files = new Map<string, FileFacts>();
  const factsOf = (path: string): FileFacts => {
    const known = files.get(path) ?? { uses: [], shown: [] };
    files.set(path, known);
    return known;
  };
  for (const block of window.blocks) {
    if (block.kind === 'excerpts') {
      for (const path of pathsShown(block)) {
        const lines = block.shown.filter((each) => each.path === path);
        factsOf(path).shown.push({ block, lines });
      }
    }
    if (block.kind !== 'step') continue;
    for (const pair of block.pairs) {
      const effect = callEffectOf(pair.use);
      if (pair.result === undefined || pair.result.isError) continue;
      if (effect.kind !== 'read' && effect.kind !== 'edit' && effect.kind !== 'write') continue;
      const how = effect.kind === 'read' ? 'read' : effect.kind === 'edit' ? 'edited' : 'written';
      factsOf(effect.path).uses.push({ block, pair, how });
    }
  }
  return files;
}

function fileLife(
  { window, estimate }: LifeFacts,
  history: History,
  path: string,
  { uses, shown }: FileFacts,
): FileLifeView {
  const again = new Set(
    window.refaults.flatMap(({ step, what, by }: Refault) =>
      by === 'read' && what === path ? [step] : [],
    ),
  );
  const moments = uses.map(({ block: { step }, pair, how }): LifeMoment => {
    const tokens = tokenText(estimate(pair.result?.text ?? ''));
    return how === 'read' && again.has(step)
      ? { step, kind: 'again', words: `read again (≈ ${tokens} tokens)` }
      : { step, kind: 'used', words: how === 'read' ? `read (≈ ${tokens} tokens)` : how };
  });
  const changes = [...uses, ...shown].map(({ block }) => history.get(block.id) ?? []);
  const inView = shown.filter(({ block }) => isInWindow(block)).flatMap(({ lines }) => lines);
  const taken = [...uses, ...shown].flatMap((each) =>
    (history.get(each.block.id) ?? []).flatMap(({ moment }) =>
      moment === undefined ? [] : 'lines' in each ? ofShown(moment, each) : moment,
    ),
  );
  const words = new Set<string>();
  return {
    title: path,
    spans: spansOf(together(changes), window.step),
    // One pass removes several calls of one step: say so once.
    moments: [...moments, ...taken]
      .toSorted((a, b) => a.step - b.step)
      .filter((moment) => {
        const said = `${moment.step} ${moment.words}`;
        return !words.has(said) && words.add(said);
      }),
    tokens:
      uses
        .filter(({ block }) => isInWindow(block))
        .reduce((sum, { pair }) => sum + estimate(resultText(pair)), 0) +
      inView.reduce((sum, lines) => sum + estimate(linesText(lines)), 0),
    reads: uses.filter(({ how }) => how === 'read').length,
    edits: uses.filter(({ how }) => how !== 'read').length,
    again: again.size,
    shown: excerptsSize(inView).lines,
  };
}

/** The moment of a view as that of one of its files: it says how many of its lines. */
function ofShown(moment: LifeMoment, { lines }: FileShown): LifeMoment {
  const count = excerptsSize(lines).lines;
  const which = `${count} ${count === 1 ? 'line' : 'lines'}`;
  return moment.kind === 'taken'
    ? { ...moment, words: `its ${which} in view ${moment.words}` }
    : { ...moment, words: `${which} ${moment.words}` };
}

const MOST_FIRST: readonly Seen[] = ['whole', 'part', 'summary', 'nothing'];

/** If several blocks hold the same file, the model sees the most that any of them shows. */
function together(changes: readonly (readonly Change[])[]): readonly Change[] {
  const now = new Map<number, Seen>();
  return changes
    .flatMap((of, index) => of.map((change) => ({ index, change })))
    .toSorted((a, b) => a.change.from - b.change.from)
    .map(({ index, change }) => {
      now.set(index, change.seen);
      const seen = MOST_FIRST.find((most) => [...now.values()].includes(most)) ?? 'nothing';
      return { from: change.from, seen };
    });
}

function spansOf(changes: readonly Change[], lastStep: number): readonly LifeSpan[] {
  const end = lastStep + 2;
  const spans: LifeSpan[] = [];
  for (const { from, seen } of changes) {
    const last = spans.at(-1);
    if (last?.seen === seen) continue;
    if (last !== undefined) spans[spans.length - 1] = { ...last, to: from };
    spans.push({ from, to: end, seen });
  }
  return spans.filter(({ from, to }) => from < to);
}

/** From a request on, the model sees so much of a block. */
interface Change {
  readonly from: number;
  readonly seen: Seen;
  readonly moment?: LifeMoment;
}

/** What happened to each block, in the order of the log. */
type History = ReadonlyMap<BlockId, readonly Change[]>;

/** A pass that ran, and what the model had seen of its blocks before. */
interface RanPass {
  readonly pass: EventOf<'passApplied'>['pass'];
  readonly former: ReadonlyMap<BlockId, Seen>;
}

/** Follows the log: when each block was added, and what happened to it. */
function historyOf(events: readonly SessionEvent[]): History {
  const changes = new Map<BlockId, Change[]>();
  const passes = new Map<number, RanPass>();
  let step = 0;
  let anchor: string | undefined;
  /** The blocks of undone prompts, and whether each was the task. */
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
      case 'standingRuleAdded':
      case 'standingRuleStruck':
        // A note reports what the user changed.
        if (event.note !== undefined) comesIn(`note-${event.note}`);
        break;
      case 'anchorMoved':
      case 'blockPinned': {
        // An undone prompt stays removed until the undo is undone.
        if (undonePrompt.has(event.blockId)) break;
        if (event.type === 'anchorMoved') anchor = event.blockId;
        if (event.blockId !== anchor) break;
        // A pinned task is in every request: moving the anchor restores it.
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
        if (pass.excerpts !== undefined) {
          const words = `shown by ${passName(pass)}`;
          const moment: LifeMoment = { step: step + 1, kind: 'back', words };
          note(pass.excerpts.id, { from: step + 1, seen: 'part', moment });
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
        if (ran.pass.excerpts !== undefined) {
          const words = `left: ${passName(ran.pass)} was undone`;
          const moment: LifeMoment = { step: step + 1, kind: 'taken', words };
          note(ran.pass.excerpts.id, { from: step + 1, seen: 'nothing', moment });
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

/** What a decision leaves of a block, with the words for it. */
const DONE: Readonly<
  Partial<Record<Action, { readonly seen: Seen; readonly verb: string } & Pick<LifeMoment, 'kind'>>>
> = {
  truncate: { seen: 'part', kind: 'taken', verb: 'shortened' },
  trim: { seen: 'whole', kind: 'taken', verb: 'its thinking was removed' },
  clear: { seen: 'part', kind: 'taken', verb: 'cleared' },
  summarise: { seen: 'summary', kind: 'taken', verb: 'summarised' },
  evict: { seen: 'nothing', kind: 'taken', verb: 'removed' },
  undoPrompt: { seen: 'nothing', kind: 'taken', verb: 'undone with its prompt' },
  restore: { seen: 'whole', kind: 'back', verb: 'restored' },
};

function freedText({ before, after }: Decision): string {
  const difference = after.tokens - before.tokens;
  if (difference === 0) return '';
  const sign = difference < 0 ? '−' : '+';
  const mark = before.exact && after.exact ? '' : '≈ ';
  return ` (${mark}${sign}${tokenText(Math.abs(difference))})`;
}
