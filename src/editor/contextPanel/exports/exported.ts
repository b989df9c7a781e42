import type { BlockView, ContextView } from '../state';
import type { ShownBlocks } from './wishes';
import type { BillView, TimelinePoint, TimelineView } from '../timeline/state';
import { number } from './viewRows';

/** What an export of the Context panel is made of. */
export interface Exported {
  readonly view: ContextView;
  readonly timeline: TimelineView;
  /** Absent where the panel shows all blocks, in order. */
  readonly shown?: ShownBlocks | undefined;
}

/** The blocks as the panel shows them. */
export function blocksShown({ view, shown }: Exported): readonly BlockView[] {
  if (shown === undefined) return view.blocks;
  const byId = new Map(view.blocks.map((block) => [block.id, block]));
  return shown.ids.flatMap((id) => byId.get(id) ?? []);
}

/** How the blocks were chosen; undefined where all are shown, in order. */
export function choiceWords(exported: Exported): string | undefined {
  const { view, shown } = exported;
  if (shown === undefined) return undefined;
  const some = number(blocksShown(exported).length);
  return `${some} of ${number(view.blocks.length)} blocks, as they were chosen in the panel: ${shown.words}.`;
}

/** Sums the timeline up. */
export function timelineWords({ timeline }: Pick<Exported, 'timeline'>): string {
  const { points, totals } = timeline;
  const { passes, changes, refaults } = totals;
  const count = (many: number, noun: string, nouns: string) =>
    `${number(many)} ${many === 1 ? noun : nouns}`;
  return [
    count(points.length, 'step', 'steps'),
    count(passes, 'pass', 'passes'),
    ...(changes === 0 ? [] : [`${count(changes, 'change', 'changes')} by the user`]),
    `${number(refaults)} needed again`,
    ...billWords(totals),
  ].join(' · ');
}

/** What the session cost; of a replay both bills, each with its name. */
function billWords({ recordedBill, ...own }: TimelineView['totals']): readonly string[] {
  const share = ({ cacheReadShare }: BillView) =>
    cacheReadShare === null
      ? []
      : [`${Math.round(cacheReadShare * 100)} % of the input read from the cache`];
  if (recordedBill === undefined) return [...share(own), own.cost];
  const named = (name: string, bill: BillView) => [name, bill.cost, ...share(bill)].join(', ');
  return [
    named('Plimsoll would have paid, with a simulated cache', own),
    named('the recorded agent paid', recordedBill),
  ];
}

/** The steps before or in which something happened. */
export function eventfulPoints({ points }: TimelineView): readonly TimelinePoint[] {
  return points.filter(({ marks }) => marks.length > 0);
}

/** What was in the window at a step. */
export function fillOf({ system, archive, working }: TimelinePoint): number {
  return system + archive + working;
}
