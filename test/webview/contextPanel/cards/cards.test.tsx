import { describe, expect, it } from 'vitest';
import type { NextView } from '../../../../src/editor/contextPanel/ledger/state';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import {
  sampleContext,
  samplePass,
  samplePrice,
  sampleRecording,
  sampleTimeline,
} from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { shortLabel } from '../../../../webview/contextPanel/cards/words';

// @vitest-environment happy-dom

function drawn(changes: Partial<ContextView> = {}) {
  const panel = drawPanel(sampleContext({ busy: false, ...changes }));
  panel.tell({ type: 'timelineChanged', timeline: sampleTimeline(17) });
  return panel;
}

const NEXT = sampleContext().next as Extract<NextView, { readonly type: 'planned' }>;

describe('the card of what is removed next', () => {
  it('names the largest blocks with their tokens, and how many more there are', () => {
    const { all, one } = drawn();
    expect(one('card-next').querySelector('p')?.textContent).toBe('Before the next step:All 3');
    expect(all('leaving').map(({ textContent }) => textContent)).toEqual([
      'Read src/deckPlan.js1,914Keep',
      'Edited src/loadLine.js≈\u00a0612Keep',
    ]);
  });

  it('names the first call of a block, without the lines of a read; commands stay as they are', () => {
    const tools = ['read_file', 'read_file', 'run_command'];
    const callKinds = ['read', 'read', 'command'] as const;
    const label = 'read_file src/a.js 1-30, read_file b.js 7-, run_command seq 1-3';
    expect(shortLabel({ label }, { tools, callKinds })).toBe('Read src/a.js, …');
    const command = { tools: ['run_command'], callKinds: ['command'] as const };
    expect(shortLabel({ label: 'run_command seq 1-3' }, command)).toBe('Ran seq 1-3');
    expect(shortLabel({ label: 'Prompt: why 1-3' })).toBe('Prompt: why 1-3');
    const excerpts = { label: 'Excerpts as of step 98: src/a.js, src/b.js' };
    expect(shortLabel(excerpts, { kind: 'excerpts' })).toBe('File excerpts');
    const summary = { label: 'Summary of 108 of steps 1-149' };
    expect(shortLabel(summary, { kind: 'summary' })).toBe('Summary of steps 1-149');
  });

  it('keeps a block by pinning it, unless nothing can be changed', () => {
    const { all, click, wishes } = drawn();
    click(all('keep')[1]!);
    expect(wishes).toEqual([{ type: 'pinBlock', blockId: 'step-16' }]);
    const past = drawn({ whyReadOnly: 'Step 3 is past.' });
    past.click(past.all('keep')[0]!);
    expect(past.wishes).toEqual([]);
    expect(past.all('keep')[0]!.title).toBe('Step 3 is past.');
  });

  it('leads to a block and its reason, and to the plan', () => {
    const { all, one, click, store } = drawn();
    click(all('leaving-block')[0]!);
    expect(store.look.value).toMatchObject({ blockId: 'step-12', tab: 'block' });
    click(one('card-next-open'));
    expect(store.look.value.tab).toBe('ledger');
  });

  it.each([
    [{ ...NEXT, due: false }, 'auto', 'If a pass ran now:'],
    [{ ...NEXT, due: false }, 'off', 'Only if you compact:'],
    [{ type: 'nothing' }, 'auto', 'Nothing: a pass now would free too little.'],
    [{ type: 'workingOut' }, 'auto', 'Planning…'],
    [{ type: 'notWorkedOut', message: 'No pass ran.' }, 'auto', 'No pass ran.'],
  ] as const)(
    'says when, or why there is nothing: %j, compaction %s',
    (next, compaction, words) => {
      const said = drawn({ next, compaction }).one('card-next').querySelector('p')!.textContent;
      expect(said.replace('All 3', '')).toBe(words);
    },
  );

  it('says before the first prompt that nothing was removed and nothing will be', () => {
    const { one } = drawn({ turn: 0, blocks: [], passes: [], next: { type: 'nothing' } });
    const cards = ['card-next', 'card-last'].map(
      (card) => one(card).querySelector('p')!.textContent,
    );
    expect(cards).toEqual(['Nothing yet.', 'Nothing yet.']);
  });

  it('shows at a past step what was removed after it, without Keep', () => {
    const { due: _due, afterTokens: _after, ...leaving } = NEXT;
    const travel = { at: 12, first: 1, last: 17 } as const;
    const { one, all } = drawn({ next: { ...leaving, type: 'ran', passes: [2] }, travel });
    expect(one('card-next-open').textContent).toBe('Removed after this step');
    expect(one('card-next').textContent).toContain('By pass 2:');
    expect([all('leaving').length, all('keep')]).toEqual([2, []]);
  });
});

describe('the card of what was removed last', () => {
  it('gives blocks, tokens, what became of them, and why the pass ran', () => {
    const { one } = drawn();
    expect(one('card-last-open').textContent).toBe('Removed last, before step 13');
    expect(one('card-last').querySelector('.named')?.textContent).toBe(
      '9 blocks, 8,624 tokens: 2 cleared, 6 summarised, 1 removed.',
    );
    expect(one('card-why').textContent).toBe('The window had passed the mark.');
  });

  it('has no negative number if a limit removed less than the line about it takes', () => {
    const [before, after] = [1_400, 1_405].map((tokens) => ({ tokens, exact: false }));
    const pass = { trigger: 'cap', changed: 1, before: before!, after: after! } as const;
    expect(drawn({ passes: [samplePass(pass)] }).one('card-last').textContent).toContain(
      '1 block, ≈\u00a05 tokens added',
    );
  });

  it('leads to the pass with its decisions, and undoes it', () => {
    const { one, click, store, wishes } = drawn();
    click(one('what-and-why'));
    expect(store.look.value).toMatchObject({ tab: 'ledger', openPasses: [2] });
    wishes.length = 0;
    click(one('undo-last'));
    expect(wishes).toEqual([{ type: 'undoPass', number: 2 }]);
  });

  it('passes over undone passes and changes by hand', () => {
    const passes = [
      samplePass({ number: 4, trigger: 'byHand' }),
      samplePass({ number: 3, undone: true }),
      samplePass({ number: 2 }),
    ];
    drawn({ passes });
    expect(drawn({ passes }).one('card-last').querySelector('.named')?.textContent).toContain(
      '9 blocks',
    );
    const none = drawn({ passes: passes.slice(0, 2) });
    expect(none.one('card-last').textContent).toBe('Removed lastNothing so far.');
    expect(none.all('cost-pass')).toEqual([]);
  });

  it.each([
    ['coldCache', 'The prompt cache was cold.'],
    ['manual', 'You ran Compact Now.'],
    ['overflow', 'The API said that the request was too long.'],
    ['cap', 'The limit of turns or messages was reached.'],
    ['recorded', 'The recorded agent compacted its conversation.'],
  ] as const)('says why a pass ran: %s', (trigger, words) => {
    const price = samplePrice('Cost: nothing.');
    const passes = [
      samplePass({ trigger, price: { ...price, cache: { ...price.cache, tokens: 0 } } }),
    ];
    expect(drawn({ passes }).one('card-why').textContent).toBe(words);
  });

  it('does not call the prompt cache cold where a pass had to write cached text again', () => {
    const price = samplePrice('Cost: $0.02 for 9,000 cached tokens written again.');
    const passes = [samplePass({ trigger: 'coldCache', price })];
    expect(drawn({ passes }).one('card-why').textContent).toBe(
      'Part of the prompt cache was cold.',
    );
  });
});

describe('the card of what it cost', () => {
  it('gives the session with its share from the cache, and what was needed again', () => {
    const { one, click, store } = drawn();
    expect(one('cost-session').textContent).toBe('Session: $1.84, 91\u00a0% from cache');
    const pass = one('cost-pass');
    expect(pass.title).toMatch(/^Cost: \$0\.018 \(summary/);
    expect(pass.textContent).toMatch(/^The pass: \$0\.018\. Repaid so far: /);
    click(one('card-cost-open'));
    expect(store.look.value.tab).toBe('session');
  });

  it('says what needing content again took, and shows the blocks', async () => {
    const { one, click, shownIds } = drawn();
    expect(one('cost-again').textContent).toBe('≈\u00a0800 tokens');
    click(one('cost-again'));
    expect(one('chip-again').getAttribute('aria-checked')).toBe('true');
    expect(shownIds()).toEqual(['step-4', 'step-9', 'step-11']);
    await new Promise(requestAnimationFrame);
    expect(document.activeElement).toBe(one('chip-again'));
    expect(drawn({ neededAgain: [] }).one('card-cost').textContent).toContain(
      'Needed again: nothing',
    );
  });

  it('says that a pass in a cold cache cost nothing, and in full on hover', () => {
    const text = 'Cost: nothing. The prompt cache had expired.';
    const price = samplePrice(text);
    const said = (trigger: 'coldCache' | 'manual') => {
      const { title, textContent } = drawn({ passes: [samplePass({ trigger, price })] }).one(
        'cost-pass',
      );
      expect(title).toBe(text);
      return textContent.replaceAll('\u00a0', ' ');
    };
    // The reason of the pass says it already.
    expect(said('coldCache')).toBe('The pass: nothing.');
    expect(said('manual')).toBe('The pass: nothing. The prompt cache had expired.');
  });

  it.each(['1,035', '≈ 1,035'])('gives a price without its %s tokens', (tokens) => {
    const price = samplePrice(`Cost: $0.002 for ${tokens} cached tokens written again.`);
    const { textContent } = drawn({ passes: [samplePass({ price })] }).one('cost-pass');
    expect(textContent.replaceAll('\u00a0', ' ')).toBe('The pass: $0.002.');
  });

  it('leaves out that the demo is offline, which the header says', () => {
    const panel = drawn();
    const { totals, ...rest } = sampleTimeline(17);
    const cost = 'no charge (offline)';
    panel.tell({ type: 'timelineChanged', timeline: { ...rest, totals: { ...totals, cost } } });
    const session = panel.one('cost-session');
    expect([session.textContent, session.title]).toEqual([
      'Session: no charge, 91\u00a0% from cache',
      cost,
    ]);
  });

  it('gives at a past step the cost until then', () => {
    const { one } = drawn({
      travel: { at: 12, first: 1, last: 17 },
      billThen: { cost: '$0.70', cacheReadShare: 0.8 },
    });
    expect(one('cost-session').textContent).toBe('Until then: $0.70, 80\u00a0% from cache');
    expect(one('past-notice').textContent).toContain('with the cost so far');
  });

  it('gives two bills for a recording', () => {
    const timeline = sampleTimeline(17);
    const recordedBill = { cost: '$3.10', cacheReadShare: 0.5 };
    const panel = drawn({ source: sampleRecording() });
    panel.tell({
      type: 'timelineChanged',
      timeline: { ...timeline, totals: { ...timeline.totals, recordedBill } },
    });
    const [session, recorded] = ['cost-session', 'cost-recorded'].map((id) => panel.one(id));
    expect(session!.textContent).toContain('Plimsoll: $1.84');
    expect(session!.title).toBe('Plimsoll would have paid: $1.84');
    expect(recorded!.textContent).toBe('The recorded agent: $3.10, 50\u00a0% from cache');
    expect(recorded!.title).toBe('The recorded agent’s bill: $3.10');
  });
});
