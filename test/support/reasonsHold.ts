import { expect } from './plainExpect';
import { type Block, isInWindow, isThinking } from '../../src/contextWindow/block';
import {
  blocksInWindow,
  firstOfNewest,
  newestStep,
  latestPrompt,
  latestStep,
  type ContextWindow,
} from '../../src/contextWindow/window';
import { callEffectOf, pathOf } from '../../src/contextWindow/callEffect';
import { measure, weightOf } from '../../src/contextWindow/account/measure';
import type { Decision, Pass, Rule } from '../../src/contextWindow/plan';
import { identifiersOf } from '../../src/contextWindow/passes/rungs/identifiers';
import { lastUsesOf, pathsNamedBy } from '../../src/contextWindow/passes/rungs/need';
import { protectionOf } from '../../src/contextWindow/tier';
import { estimate } from './player';

/** What a reason is held against: the window it was given in, and what became of every block. */
interface Given {
  readonly window: ContextWindow;
  readonly pass: Pass;
  readonly block: Block;
  readonly decision: Decision;
  readonly blocks: readonly Block[];
  readonly place: number;
  readonly decisionOf: ReadonlyMap<string, Decision>;
  readonly settings: { readonly keepRecentTurns: number };
}

/** Says whether what a sentence asserts is so; the groups are those of its pattern. */
type Holds = (given: Given, groups: readonly string[]) => boolean;

const number = (text = ''): number => Number(text.replaceAll(',', ''));

const isOut = ({ action }: Decision): boolean => action === 'evict' || action === 'summarise';

/** What a pass may take; what it only trimmed or cut may have to stay. */
const mayLeave = ({ rule }: Decision): boolean =>
  rule === 'keep:recent' ||
  rule === 'keep:enough' ||
  rule === 'keep:noGain' ||
  !(rule.startsWith('keep:') || rule === 'trimThinking' || rule === 'shortenProtected');

const protectedBlock = (given: Given): boolean => given.block.pinned;

const standing = (given: Given, at: (place: number) => boolean): readonly Block[] =>
  given.blocks.filter(({ id }, place) => at(place) && !isOut(given.decisionOf.get(id)!));

/** The words of each sentence, and its predicate. */
const SENTENCES: readonly (readonly [rules: readonly Rule[], pattern: RegExp, holds: Holds])[] = [
  [
    ['keep:anchor'],
    /^The task: in every request/,
    ({ block }) => block.kind === 'anchor' && block.pinned,
  ],
  [['keep:pinned'], /^Pinned by you$/, protectedBlock],
  [
    ['keep:latestPrompt'],
    /^The newest prompt:/,
    ({ window, block }) => block === latestPrompt(window),
  ],
  [
    ['keep:openStep'],
    /^The newest step(: the model has not read its results yet)?$/,
    ({ window, block }, [unread]) =>
      block === latestStep(window) &&
      (block.kind === 'step' && block.pairs.length > 0) === (unread !== undefined),
  ],
  [
    ['keep:memory'],
    /^Project memory:/,
    ({ block }) => block.kind === 'note' && block.source.from === 'memory',
  ],
  [
    ['keep:restored', 'keep:unread'],
    /^(?:Brought back by you: the model has not read it yet|Tells how long nobody was here: the model has not read it yet|A reminder that the model has not read yet)$/,
    ({ window, block }) => protectionOf(window, block) !== undefined,
  ],
  [['keep:head'], /^Part of the head/, ({ place }) => place <= 4],
  [
    ['keep:recentTurns'],
    /^Part of the newest (?:turn, which stays|(\d+) turns, which stay) word for word$/,
    ({ window, block, pass, decisionOf, blocks }, [turns = '1']) =>
      block.turn >= firstOfNewest(window, Number(turns)) &&
      blocks
        .filter(({ turn }) => turn >= firstOfNewest(window, Number(turns)))
        .filter(({ kind }) => kind !== 'note' && kind !== 'excerpts')
        .every(({ id }) => !isOut(decisionOf.get(id)!) || pass.trigger === 'cap'),
  ],
  [['keep:untouched'], /^You changed another block/, ({ pass }) => pass.trigger === 'byHand'],
  [
    ['keep:recent'],
    /^One of the 2 newest steps$/,
    ({ window, block }) => block.kind === 'step' && block.step > newestStep(window) - 2,
  ],
  [
    ['keep:enough'],
    /^Kept: (?:within the number of turns or messages that stay|(?:the low watermark|the goal of this pass) \(([\d,]+) tokens\) was reached without it)$/,
    ({ pass }, [target]) =>
      target === undefined
        ? pass.trigger === 'cap'
        : number(target) === pass.target && pass.after.tokens <= pass.target,
  ],
  [
    ['keep:noGain'],
    /^Kept: taking it out would not have made enough room$/,
    ({ pass, decision }) =>
      pass.after.tokens - decision.after.tokens > pass.target ||
      // The summaries written are smaller than what the plan had to reckon with.
      pass.summaries.length > 0,
  ],
  [
    ['keep:noGain'],
    /^Kept: the window came (below the high watermark|within the input budget) without it$/,
    ({ pass }, [mark]) =>
      pass.after.tokens <=
      (mark === 'within the input budget' ? pass.budget.inputBudget : pass.budget.highTokens),
  ],
  [
    ['clearSuperseded'],
    /^Result out of date: shown again by .+ in step (\d+)/,
    ({ block, blocks }, [step]) =>
      block.kind === 'step' &&
      blocks.some((other) => other.kind === 'step' && other.step === Number(step)) &&
      Number(step) >= block.step,
  ],
  [
    ['clearOldResults'],
    /the newest 3 stay$/,
    ({ blocks, decision }) => {
      const newest = blocks
        .flatMap((block) => (block.kind === 'step' ? block.pairs : []))
        .slice(-3);
      const before = new Set(newest.filter(({ cleared }) => cleared).map(({ use }) => use.id));
      const stays = newest.map(({ use }) => use.id).filter((id) => !before.has(id));
      return stays.every((id) => decision.toolUseIds?.includes(id) !== true);
    },
  ],
  [
    ['clearOversized'],
    /^Its ([\d,]+) tokens are too many for one step/,
    ({ decision, pass }, [tokens]) =>
      number(tokens) <= decision.before.tokens && number(tokens) > pass.target / 4,
  ],
  [
    ['trimThinking'],
    /^Thinking taken out because (it was the oldest|something before it changed); words and tool calls stay$/,
    ({ block, blocks, place, decisionOf, pass }, [why]) =>
      block.kind === 'step' &&
      block.parts.some(isThinking) &&
      (why === 'it was the oldest'
        ? blocks
            .slice(0, place)
            .every(
              (older) =>
                older.kind !== 'step' ||
                older.thinkingDropped ||
                !older.parts.some(isThinking) ||
                decisionOf.get(older.id)!.action !== 'keep',
            )
        : pass.besides!.scratchpad !== 0 ||
          blocks.slice(0, place).some(({ id }) => decisionOf.get(id)!.action !== 'keep') ||
          block.parts.some(isThinking)),
  ],
  [
    ['summariseOldest'],
    /^Older than the 2 newest steps: replaced by (?:a summary|a work note)/,
    ({ blocks, place, window }) =>
      place <
      blocks.findIndex((other) => other.kind === 'step' && other.step > newestStep(window) - 2),
  ],
  [['summariseOldest', 'summariseSpent'], /^Told in short to make room: replaced by/, () => true],
  [
    ['summariseSpent'],
    /^Shows no file to edit from: replaced by/,
    ({ window, block, decision }) =>
      block.kind === 'step' &&
      block.pairs.every(({ use, result, cleared }) => {
        const effect = callEffectOf(use);
        if (effect.kind === 'read') {
          return result === undefined || cleared || decision.action === 'summarise';
        }
        if (effect.kind !== 'edit' && effect.kind !== 'write') return true;
        return (lastUsesOf(window).lastEdit.get(effect.path) ?? 0) < 0.2;
      }),
  ],
  [
    ['summariseOverCap', 'evictOverCap'],
    /^Over the limit: (?:more than (\d+) turns?, so )?only (?:the newest )?(\d+) (turns?|messages) stay/,
    ({ window, block, blocks }, [most, left, what = '']) => {
      if (!what.startsWith('turn')) return true;
      const turns = new Set(
        blocks
          .filter(({ pinned, kind }) => !pinned && kind !== 'summary' && kind !== 'note')
          .map(({ turn }) => turn),
      );
      const newer = [...turns].filter((turn) => turn > block.turn).length;
      return (
        newer >= Number(left) - 1 &&
        turns.size > Number(most ?? left) - 1 &&
        block.turn <= window.turn
      );
    },
  ],
  [
    ['evictOldest'],
    /^One of the oldest blocks that may leave$/,
    (given) =>
      standing(given, (place) => place < given.place).every(
        ({ id }) =>
          !mayLeave(given.decisionOf.get(id)!) || given.decisionOf.get(id)!.before.tokens === 0,
      ),
  ],
  [
    ['evictOldest', 'evictMiddle'],
    /^Taken out to make room, as old blocks are before newer ones$/,
    () => true,
  ],
  [
    ['evictMiddle'],
    /^Behind the head and before the newest blocks/,
    (given) => given.place > 0 && standing(given, (place) => place > given.place).length > 0,
  ],
  [
    ['evictLeastSalient'],
    /^Mattered least: (.+)$/,
    (given, [why = '']) => matteredLeast(given, why),
  ],
  [
    ['evictFinishedPrompt'],
    /^Prompt of a finished turn whose steps have all left$/,
    (given) =>
      standing(given, () => true).every(
        ({ kind, turn }) => kind !== 'step' || turn !== given.block.turn,
      ),
  ],
  [
    ['evictRestored'],
    /^Brought back by you, but the request would not fit with it$/,
    ({ pass, decision }) => pass.after.tokens + decision.before.tokens > pass.budget.inputBudget,
  ],
  [
    ['evictFormerView'],
    /^(?:A view of the files as they are now (takes its place)|It shows the files as they were, and there is no room to show them anew)$/,
    ({ block, pass }, [replaced]) =>
      block.kind === 'excerpts' && (pass.view !== undefined) === (replaced !== undefined),
  ],
  [
    ['clearHeldByView'],
    /^Read before: (?:what is likely to be needed of it (stands in the view of the files)|a view of the files can show it again)$/,
    ({ block, pass }, [shown]) =>
      block.kind === 'step' && (pass.view !== undefined) === (shown !== undefined),
  ],
  [
    ['evictShownNotes'],
    /^(The scratchpad itself shows what this note told|A reminder that the model has read)$/,
    ({ block }, [words]) =>
      block.kind === 'note' &&
      block.source.from ===
        (words === 'A reminder that the model has read' ? 'reminder' : 'scratchpad'),
  ],
  [
    ['shortenProtected'],
    /^It may not leave, but its ([\d,]+) tokens do not fit/,
    ({ decision, pass }, [tokens]) =>
      number(tokens) === decision.before.tokens && pass.before.tokens > pass.budget.inputBudget - 1,
  ],
  [['excludedByUser'], /^Taken out of the window by you$/, ({ pass }) => pass.trigger === 'byHand'],
  [
    ['clearedByUser'],
    /^Result cleared by you; the call stays$/,
    ({ block }) => block.kind === 'step',
  ],
  [
    ['restoredByUser'],
    /^Brought back by you(?:\. The window is then above the (?:high watermark|input budget) \((?:≈ )?([\d,]+) of ([\d,]+) tokens\))?/,
    ({ pass }, [used, of]) =>
      used === undefined || (number(used) === pass.after.tokens && number(used) > number(of)),
  ],
  [['undoneByUser'], /./, ({ pass }) => pass.undonePrompt !== undefined],
  [['rewrittenByUser'], /^Summary rewritten by you$/, ({ block }) => block.kind === 'summary'],
];

/** Says whether the words for why a block mattered least are true of it. */
function matteredLeast({ window, block, blocks, decision, place }: Given, why: string): boolean {
  const measured = measure(window, estimate);
  return why.split(', and ').every((lack) => {
    const rated = /^the model rated it ([\d.]+) of 1$/.exec(lack);
    if (rated !== null) return decision.salience?.rated?.toFixed(2) === rated[1];
    const share = /^it takes (less than 1|\d+) % of what is in the window$/.exec(lack);
    if (share !== null) {
      const percent = (weightOf(measured, block.id).tokens / measured.used.tokens) * 100;
      return share[1] === 'less than 1' ? percent < 1 : Math.abs(percent - Number(share[1])) <= 0.5;
    }
    if (lack === 'it stands in the oldest quarter of the window') {
      return place <= (blocks.length - 1) / 4;
    }
    if (lack === 'newer blocks stand behind it') return place < blocks.length - 1;
    const named =
      /^nothing has (named its files|spoken of what is in it) since(?: step (\d+)| “.*”)?$/.exec(
        lack,
      );
    if (named !== null) {
      const since =
        named[2] === undefined
          ? place
          : blocks.findIndex((other) => other.kind === 'step' && other.step === Number(named[2]));
      const later = blocks.slice(since + 1);
      const paths = pathsNamedBy(block);
      const names = identifiersOf(block).all;
      return (
        since >= 0 &&
        !later.some(
          (other) =>
            other.kind === 'step' &&
            (other.pairs.some(({ use }) => paths.includes(pathOf(use) ?? '')) ||
              identifiersOf(other).said.some((name) => names.includes(name))),
        )
      );
    }
    if (lack === 'work of its kind is seldom needed again') return decision.salience!.kind <= 0.5;
    return lack === 'the others matter more' || lack === 'nothing is known of it';
  });
}

/** Throws where a reason is not true of the block it stands at. */
export function expectReasonsHold(
  window: ContextWindow,
  pass: Pass,
  settings: Given['settings'],
): void {
  const blocks = blocksInWindow(window);
  const decisionOf = new Map(pass.decisions.map((one) => [one.blockId as string, one]));
  const blockOf = new Map(window.blocks.map((block) => [block.id as string, block]));
  for (const decision of pass.decisions) {
    const block = blockOf.get(decision.blockId)!;
    const place = isInWindow(block) ? blocks.indexOf(block) : -1;
    const given = { window, pass, block, decision, blocks, place, decisionOf, settings };
    const said = decision.reason.replace(
      /\. Turn \d+ is (?:the newest|among the newest \d+), .*$/,
      '',
    );
    const fitting = SENTENCES.flatMap(([rules, pattern, holds]) => {
      const groups = rules.includes(decision.rule) ? pattern.exec(said) : null;
      return groups === null ? [] : [holds(given, groups.slice(1))];
    });
    expect({
      block: block.id,
      reason: decision.reason,
      rule: decision.rule,
      holds: fitting,
    }).toEqual({ block: block.id, reason: decision.reason, rule: decision.rule, holds: [true] });
  }
}
