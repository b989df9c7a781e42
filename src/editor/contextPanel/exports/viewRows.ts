import {
  amountText,
  countText,
  marked,
  percentText,
  tokenText,
} from '../../../contextWindow/amount';
import { excerptsSizeText } from '../../../contextWindow/files/regions';
import { SCRATCHPAD_FIELDS, todoLine } from '../../../contextWindow/scratchpad';
import { CATEGORY_NAMES, TRIGGER_NAMES } from '../shownNames';
import type { PassView } from '../ledger/state';
import {
  type Balance,
  type BlockView,
  CATEGORIES,
  type Category,
  type ContextView,
  type Estimates,
  isAllEstimated,
  type Scratchpad,
} from '../state';
import type { TimelinePoint, TimelineView } from '../timeline/state';
import type { BillView } from '../../session/state';
import type { ShownBlocks } from './wishes';

/** One row of the balance: name, tokens, and how many of those are estimates. */
export interface AccountRow {
  /** Absent for headroom and reserves. */
  readonly category?: Category;
  readonly name: string;
  readonly tokens: number;
  readonly estimated: number;
}

/** The balance of the window; the rows add up to its size (I8). */
export function accountRows(balance: Balance, estimates: Estimates): readonly AccountRow[] {
  const { categories, headroom, reserved, used } = balance;
  return [
    ...CATEGORIES.map((category) => ({
      category,
      name: CATEGORY_NAMES[category],
      tokens: categories[category],
      estimated: Math.min(categories[category], estimates[category]),
    })),
    {
      name: headroom < 0 ? 'Over the budget' : 'Headroom',
      tokens: headroom,
      estimated: used.exact ? 0 : Math.abs(headroom),
    },
    { name: 'Reserved for the reply', tokens: reserved.reply, estimated: 0 },
    { name: 'Reserved for safety', tokens: reserved.safety, estimated: 0 },
    { name: 'Reserved for tool results', tokens: reserved.toolResults, estimated: 0 },
    { name: 'Taken by an overflow', tokens: reserved.steppedDown, estimated: 0 },
  ].filter(({ tokens }) => tokens !== 0);
}

/** The tokens of a row, as in the bar's legend: "≈ 1,208", "1,208, ≈ 300 of it estimated". */
export function rowWords({ tokens: size, estimated }: AccountRow): string {
  const isGuess = isAllEstimated(size, estimated);
  const part =
    isGuess || estimated === 0 ? '' : `, ${marked(tokenText(estimated))} of it estimated`;
  return `${amountText({ tokens: size, exact: !isGuess })}${part}`;
}

/** The displayed moment of the session: "step 12 of 58", "now, after step 58". */
function momentWords({ travel, source }: Pick<ContextView, 'travel' | 'source'>): string {
  const { at, last } = travel;
  const isRecording = source.type === 'recording';
  const isReplay = isRecording && source.asItWas !== true;
  if (at !== 'now') {
    const how = isReplay ? 'as Plimsoll would have sent its request' : 'as its request was sent';
    return `step ${at} of ${last}, ${how}`;
  }
  if (last === 0) return 'before the first step';
  return isRecording ? `after step ${last}, the last one` : `now, after step ${last}`;
}

/** Describes the view: moment, model, window, policy. */
export function headWords(view: ContextView): readonly string[] {
  return [
    momentWords(view),
    view.model,
    ...(view.offline ? ['offline demo: scripted, no AI'] : []),
    `window ${view.windowSource}`,
    isPolicyUnknown(view) ? 'policy not recorded' : `policy ${view.policy}`,
  ];
}

function isPolicyUnknown({ source }: Pick<ContextView, 'source'>): boolean {
  return source.type === 'recording' && source.policyUnknown === true;
}

/** Says that a view shows a recording, with the notes from reading it; nothing for a session. */
export function sourceWords({
  source,
  policy,
}: Pick<ContextView, 'source' | 'policy'>): readonly string[] {
  if (source.type === 'session') return [];
  if (source.format === 'subAgent') return [`The window of the sub-agent ${source.file}.`];
  const managed = `Plimsoll sent nothing. Shown as if run with ${policy}.`;
  const isOwn = source.format === 'plimsoll';
  return [
    source.asItWas === true
      ? `A session of Plimsoll, opened from ${source.file}, as it was.`
      : `A ${isOwn ? 'replay of a session of Plimsoll' : 'recording of another agent'}: ` +
        `${source.file}, format ${source.format}. ${managed}`,
    ...(source.origin === undefined ? [] : [source.origin]),
    ...(source.lacks === undefined ? [] : [source.lacks]),
    ...(source.setAside === undefined ? [] : [source.setAside]),
    ...source.notes,
  ];
}

/** The scratchpad by field: only fields with content, and their age. */
export function scratchpadRows({
  scratchpad,
  taskAsObjective = '',
  scratchpadSteps,
}: Pick<ContextView, 'scratchpad' | 'taskAsObjective' | 'scratchpadSteps'>): readonly (readonly [
  string,
  string,
])[] {
  const written = writtenRows(scratchpad);
  if (written.length === 0) return [];
  return [
    ...(taskAsObjective === ''
      ? []
      : [['Objective (the task, none was written)', taskAsObjective] as const]),
    ...written,
    ...(scratchpadSteps === undefined
      ? []
      : [['Age in steps', tokenText(scratchpadSteps)] as const]),
  ];
}

function writtenRows(scratchpad: Scratchpad): readonly (readonly [string, string])[] {
  return (
    [
      ...SCRATCHPAD_FIELDS.map(
        (field) =>
          [
            field.label,
            field.isList ? scratchpad[field.name].join('; ') : scratchpad[field.name],
          ] as const,
      ),
      ...(scratchpad.lists ?? []).map(({ name, items }) => [name, items.join('; ')] as const),
      ['To do', (scratchpad.todo ?? []).map(todoLine).join('; ')],
    ] as const
  ).filter(([, text]) => text !== '');
}

/** One sentence that says how full the window is. */
export function fillWords({ balance, travel }: Pick<ContextView, 'balance' | 'travel'>): string {
  const { used, source, inputBudget, contextWindowTokens, highTokens, lowTokens } = balance;
  const server = source === 'recorded' ? "the recorded agent's server" : 'the server';
  const origin = used.exact ? `counted by ${server}` : 'estimate';
  return (
    `${amountText(used)} of ${tokenText(inputBudget)} tokens of the input budget (${percentText(used.tokens / inputBudget)}, ${origin}); ` +
    `window ${tokenText(contextWindowTokens)}, high watermark ${tokenText(highTokens)}, low ${tokenText(lowTokens)}` +
    (travel.budgetOfToday === true ? '; the log does not hold the budget, so today’s is shown' : '')
  );
}

/** Tokens of a block: "≈ 1,208", or "–" for a removed one. */
export function weightWords({ state, tokens: weight }: BlockView): string {
  return state === 'summarised' || state === 'evicted' || weight.tokens === 0
    ? '–'
    : amountText(weight);
}

/** "Pass 2 before step 39: Compact Now, policy ladder; shows 47 lines of 2 files". */
export function passWords({ name, beforeStep, trigger, policy, undone, shows }: PassView): string {
  const by = trigger === 'byHand' ? 'by hand' : `${TRIGGER_NAMES[trigger]}, policy ${policy}`;
  const shown = shows === undefined ? '' : `; shows ${excerptsSizeText(shows)}`;
  return `${name} before step ${beforeStep}: ${by}${undone ? ', undone' : ''}${shown}`;
}

/** Everything an export of the Context panel is made of. */
export interface Exported {
  readonly view: ContextView;
  readonly timeline: TimelineView;
  /** Absent if the panel shows all blocks, in order. */
  readonly shown?: ShownBlocks | undefined;
}

/** The blocks as the panel shows them. */
export function blocksShown({ view, shown }: Exported): readonly BlockView[] {
  if (shown === undefined) return view.blocks;
  const byId = new Map(view.blocks.map((block) => [block.id, block]));
  return shown.ids.flatMap((id) => byId.get(id) ?? []);
}

/** How the user chose the blocks; undefined if all are shown, in order. */
export function choiceWords(exported: Exported): string | undefined {
  const { view, shown } = exported;
  if (shown === undefined) return undefined;
  const some = tokenText(blocksShown(exported).length);
  return `${some} of ${tokenText(view.blocks.length)} blocks, as filtered and sorted in the panel: ${shown.words}.`;
}

/** Sums the timeline up. */
export function timelineWords({ timeline }: Pick<Exported, 'timeline'>): string {
  const { points, totals } = timeline;
  const { passes, changes, refaults } = totals;
  return [
    countText(points.length, 'step'),
    countText(passes, 'pass', 'passes'),
    ...(changes === 0 ? [] : [`${countText(changes, 'change')} by the user`]),
    `${tokenText(refaults)} needed again`,
    ...billWords(totals),
  ].join(' · ');
}

/** The cost of the session; for a replay both bills, each with its name. */
function billWords({ recordedBill, fork, ...own }: TimelineView['totals']): readonly string[] {
  const share = ({ cacheReadShare }: BillView) =>
    cacheReadShare === null
      ? []
      : [`${percentText(cacheReadShare)} of the input read from the cache`];
  const parts =
    fork === undefined ? '' : ` (${fork.inherited} inherited, ${fork.spent} since the fork)`;
  if (recordedBill === undefined) return [...share(own), `${own.cost}${parts}`];
  const named = (name: string, bill: BillView) => [name, bill.cost, ...share(bill)].join(', ');
  return [
    named('Plimsoll would have paid, with a simulated cache', own),
    named("the recorded agent's bill", recordedBill),
  ];
}

/** Steps with an event before or in them. */
export function eventfulPoints({ points }: TimelineView): readonly TimelinePoint[] {
  return points.filter(({ marks }) => marks.length > 0);
}

/** The content of the window at a step. */
export function fillOf({ system, archive, working }: TimelinePoint): number {
  return system + archive + working;
}
