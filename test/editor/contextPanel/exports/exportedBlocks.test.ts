import { describe, expect, it } from 'vitest';
import { contextHtml } from '../../../../src/editor/contextPanel/exports/contextHtml';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import { VIEW, exported } from '../support/exportedSession';
import { textIn } from '../support/pageText';

describe('the blocks of an export', () => {
  const [first, second, third] = VIEW.blocks;
  const shown = {
    ids: [third!.id, 'gone-since', first!.id],
    words: 'filter “x”, order “Newest first”',
  };
  const words = `2 of ${VIEW.blocks.length} blocks, as filtered and sorted in the panel: ${shown.words}.`;
  const labels = (text: string, ofBlocks: string) =>
    VIEW.blocks
      .map(({ label }) => ({ label, at: text.slice(text.indexOf(ofBlocks)).indexOf(label) }))
      .filter(({ at }) => at >= 0);

  it('are those that the panel shows, in its order, and the export says so', () => {
    const some = { ...exported({ passes: [] }), shown };
    const html = contextHtml(some);
    expect(textIn(html)).toContain(words);
    const found = labels(textIn(html), 'Blocks');
    expect(found.map(({ label }) => label)).not.toContain(second!.label);
    expect(textIn(html)).toContain(third!.reason);
    expect(html.match(/class="label"/g)?.length).toBe(2);
    const rows = html.split('class="label">').slice(1);
    expect(textIn(rows[0]!)).toContain(third!.label);
    expect(textIn(rows[1]!)).toContain(first!.label);
  });

  it('are all blocks in order if the user filtered none', () => {
    const html = contextHtml(exported());
    expect(html.match(/class="label"/g)?.length).toBe(VIEW.blocks.length);
    expect(html).not.toContain('as they were chosen');
  });
});

describe('the header of an export', () => {
  const page = (changes: Partial<ContextView>) => textIn(contextHtml(exported(changes)));

  it('says that the model is scripted', () => {
    expect(page({ offline: true })).toContain('offline demo: scripted');
    expect(page({ offline: false })).not.toContain('offline demo');
  });

  it('says that the budget of the step is unknown', () => {
    const travel = { at: 9, first: 1, last: 25 } as const;
    const words = 'the log does not hold the budget, so today’s is shown';
    expect(page({ travel: { ...travel, budgetOfToday: true } })).toContain(words);
    expect(page({ travel })).not.toContain(words);
  });
});
