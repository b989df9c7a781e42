import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/contextWindow/block';
import { entered, type EventOf, type NewEvent } from '../../../src/contextWindow/event';
import { applyEvent } from '../../../src/contextWindow/fold';
import { PersistentList } from '../../../src/contextWindow/persistentList';
import {
  allSummaryUses,
  summaryUsesOfPass,
} from '../../../src/contextWindow/summaryCheck/summaryUses';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { drawnEvents, foldNew, passThat, reply, usage } from '../../support/drawing';

const SESSION = drawnEvents(`
  1 anchor task 10
  1 read   src/tideTable.ts:1-50 400
  1 read   src/gaugeHouse.ts:1-50 400
  1 read   src/other.ts 40
`);

/** The pass that replaces the first two reads by a summary. */
function summarising(text: string): NewEvent {
  const event = passThat('evict', ['step-1', 'step-2']) as Extract<
    NewEvent,
    { type: 'passApplied' }
  >;
  const covers = ['step-1', 'step-2'] as BlockId[];
  const decisions = event.pass.decisions.map((decision) => ({
    ...decision,
    action: 'summarise' as const,
    summaryId: 'summary-1' as BlockId,
  }));
  const summaries = [
    { id: 'summary-1' as BlockId, covers, text, writtenBy: { by: 'model' as const, model: 'm' } },
  ];
  return { ...event, pass: { ...event.pass, decisions, summaries } };
}

function used(text: string, ...later: readonly NewEvent[]) {
  const events = [...SESSION, summarising(text), ...later];
  const window = foldNew(events);
  const { pass } = events.find((event) => event.type === 'passApplied') as EventOf<'passApplied'>;
  const { kept, dropped } = summaryUsesOfPass(window, pass);
  const counts = allSummaryUses(window);
  expect(counts).toEqual({ kept: kept.length, dropped: dropped.length });
  return {
    kept: kept.map(({ name }) => name),
    dropped: dropped.map(({ by, what }) => `${by} ${what}`),
  };
}

const says = (text: string): NewEvent => reply(text, usage(9));

describe('what later work used of summarised blocks', () => {
  it('is a name that only the summary shows, which kept it or had dropped it', () => {
    const later = says('I change src/tideTable.ts and src/gaugeHouse.ts.');
    expect(used('Read src/tideTable.ts.', later)).toEqual({
      kept: ['src/tideTable.ts'],
      dropped: ['name src/gaugeHouse.ts'],
    });
  });

  it('counts each name once, and none that another block shows', () => {
    const twice = [says('Now src/gaugeHouse.ts.'), says('Again src/gaugeHouse.ts.')];
    expect(used('Nothing.', ...twice).dropped).toEqual(['name src/gaugeHouse.ts']);
    expect(used('Nothing.', says('See src/other.ts.'))).toEqual({ kept: [], dropped: [] });
  });

  it('is a file that was read again although the summary kept its name', () => {
    const again = JSON.parse(
      JSON.stringify(drawnEvents('1 read src/tideTable.ts:1-50 400').slice(1)).replaceAll(
        '"tool_',
        '"later_',
      ),
    ) as readonly NewEvent[];
    expect(used('Read src/tideTable.ts.', ...again)).toEqual({
      kept: ['src/tideTable.ts'],
      dropped: ['read src/tideTable.ts'],
    });
  });

  it('is found at the same cost after thousands of earlier uses', () => {
    let reads = 0;
    const found = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        step: at + 4,
        name: `src/file${at}.ts`,
        isKept: true,
        get summaryId() {
          reads += 1;
          return `summary-${at}` as BlockId;
        },
      }));
    const readsOf = (count: number): number => {
      let window: ContextWindow = {
        ...foldNew([...SESSION, summarising('Nothing.')]),
        summaryUses: PersistentList.of(found(count)),
      };
      const use = (name: string) => {
        window = applyEvent(window, entered(says(`Now ${name}.`), 0, window));
      };
      use('src/tideTable.ts');
      reads = 0;
      use('src/gaugeHouse.ts');
      expect(window.summaryUses.length).toBe(count + 2);
      return reads;
    };
    // Only the uses in the chunk of the new one are read again.
    expect(readsOf(4_000)).toBeLessThan(300);
    expect(readsOf(16_000)).toBeLessThan(300);
  });
});
