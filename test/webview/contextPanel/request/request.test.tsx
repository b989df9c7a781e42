import { act } from 'preact/test-utils';
import { describe, expect, it, vi } from 'vitest';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import type {
  RequestSection,
  RequestView,
} from '../../../../src/editor/contextPanel/request/state';
import { sampleContext, sampleRequest } from '../contextViews';
import { SAID_MS } from '../../../../webview/contextPanel/request/requestTab';
import { commit } from '../commit';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

const opened = (changes: Partial<ContextView> = {}) => {
  const panel = drawPanel(sampleContext(changes));
  panel.click(panel.one('tab-request'));
  const choose = (text: string, field = panel.one('request-step')) => {
    panel.type(text, field);
    commit(field);
  };
  const sections = () => panel.all('request-section');
  const text = (part: HTMLElement) => part.querySelector('pre')?.textContent;
  return { ...panel, choose, sections, text };
};

const shown = (changes: Partial<RequestView> = {}) => {
  const panel = opened();
  panel.answer({ type: 'answered', data: sampleRequest(changes) });
  panel.wishes.length = 0;
  return panel;
};

const withText = (text: string): readonly RequestSection[] => [
  { id: 'message-1', title: 'user, message 1', role: 'user', parts: [{ title: 'text', text }] },
];

describe('the request', () => {
  it('is fetched when its tab is opened, not before', () => {
    const panel = drawPanel(sampleContext());
    expect(panel.wishes).toEqual([]);
    panel.click(panel.one('tab-request'));
    expect(panel.wishes).toEqual([{ type: 'fetchRequest', step: 'next' }]);
    expect(panel.one('request-waits').textContent).toBe('Fetching the request…');
  });

  it('is fetched for the previous step, the typed step, and the next request', () => {
    const { one, click, choose, wishes } = opened();
    click(one('request-before'));
    choose('4');
    choose('99');
    click(one('request-next'));
    expect(wishes.slice(1)).toEqual([
      { type: 'fetchRequest', step: 17 },
      { type: 'fetchRequest', step: 4 },
      { type: 'fetchRequest', step: 17 },
      { type: 'fetchRequest', step: 'next' },
    ]);
  });

  it('is fetched again if it may have changed, and for the step travelled to', () => {
    const { tell, wishes } = opened();
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(wishes).toHaveLength(1);
    tell({ type: 'contextChanged', context: sampleContext({ revision: '2' }) });
    expect(wishes).toHaveLength(2);
    expect(wishes.at(-1)).toEqual({ type: 'fetchRequest', step: 'next' });
    const travel = { at: 4, first: 1, last: 18 } as const;
    tell({ type: 'contextChanged', context: sampleContext({ step: 4, travel }) });
    expect(wishes.at(-1)).toEqual({ type: 'fetchRequest', step: 4 });
  });

  it('says why it could not be fetched, and can be tried again', () => {
    const { store, refuse, one, all, click, posts, wishes } = opened();
    store.wish({ type: 'pinBlock', blockId: 'step-3' });
    refuse('Nothing was pinned.');
    expect(one('request-waits').textContent).toBe('Fetching the request…');
    refuse('The log is gone.', posts[0]);
    expect(all('refusal').map(({ textContent }) => textContent)).toEqual([
      'Nothing was pinned.Dismiss',
    ]);
    expect(one('request-waits').textContent).toContain('The log is gone.');
    click(one('request-again'));
    expect(wishes).toHaveLength(3);
    expect(one('request-waits').textContent).toBe('Fetching the request…');
  });

  it('of another step is not shown for this one', () => {
    const { answer, all } = opened();
    answer({ type: 'answered', data: sampleRequest({ step: 3 }) });
    expect(all('request-section')).toEqual([]);
  });

  it('says what to do while there is none', () => {
    const { one, wishes } = opened({ turn: 0, travel: { at: 'now', first: 0, last: 0 } });
    expect(one('panel-request').textContent).toContain('Ask the agent something');
    expect(wishes).toEqual([]);
  });
});

describe('a request that was recorded', () => {
  const captured = {
    total: 28_891,
    cacheRead: 28_787,
    cacheWrite: 100,
    fresh: 4,
    reply: 20,
    unattributed: 940,
    cacheEnd: 'system',
  };

  it('is exact, with what its server counted and what was read from the cache', () => {
    const { one, all } = shown({ captured });
    expect(one('request-captured').textContent).toBe(
      "Exact: as the agent sent it. 28,891 tokens by its server's count: 28,787 read from the cache, 100 written to it, 4 new. The reply has 20.",
    );
    const end = one('cache-end');
    expect(end.textContent).toBe('≈ read from the cache up to here');
    expect(end.previousElementSibling?.getAttribute('data-section')).toBe('system');
    expect(one('request-unattributed').textContent).toBe(
      '940 tokens not attributed: the server counted them beyond the estimates of the texts above.',
    );
    expect(all('request-section')).not.toEqual([]);
  });

  it('says if its response is missing, and has no rest if its sections hold all tokens', () => {
    const { total: _total, cacheEnd: _end, ...rest } = captured;
    const { one, all } = shown({ captured: { ...rest, unattributed: 0 } });
    expect(one('request-captured').textContent).toBe(
      'Exact: as the agent sent it. Its response was not recorded, so all tokens are estimates.',
    );
    expect([...all('request-unattributed'), ...all('cache-end')]).toEqual([]);
    expect(shown().all('request-captured')).toEqual([]);
  });
});

describe('the sections of a request', () => {
  it('show estimated tokens, with the tools as one fold until opened', () => {
    const { sections, click, root } = shown();
    const [tools, system, , reply] = sections();
    expect(tools!.querySelector('summary .number')?.textContent).toBe('≈\u00a01,914 tokens');
    expect(system!.querySelector('summary .number')?.textContent).not.toContain('tokens');
    expect(reply!.querySelector('summary .number')?.textContent).toBe('≈\u00a058 tokens');
    expect(root.textContent).not.toContain('Tool read_file');
    click(tools!.querySelector('summary')!);
    expect(root.textContent).toContain('Tool read_file');
  });

  it('name their blocks, and link to them', () => {
    const { sections, click, one, store } = shown();
    const reply = sections()[3]!;
    expect(reply.querySelector('summary')?.textContent).toContain('read_file src/zones.js');
    click(reply.querySelector('summary')!);
    click(one('section-block', reply));
    expect(store.look.value).toMatchObject({ tab: 'block', blockId: 'step-9' });
  });

  it('follow the order of the cache prefix, with the last one open', () => {
    const { sections } = shown();
    expect(
      sections().map((section) => [
        section.querySelector('.name')?.textContent,
        (section as HTMLDetailsElement).open,
      ]),
    ).toEqual([
      ['1 tool', false],
      ['System prompt', false],
      ['user, message 1', false],
      ['assistant, message 2', false],
      ['user, message 3', true],
    ]);
  });

  it('show their parts when unfolded, and mark where the cache may end', () => {
    const { sections, unfold, all, text } = shown();
    const system = sections()[1]!;
    expect(system.querySelector('summary')?.textContent).toContain('cache breakpoint');
    expect(all('request-part', system)).toEqual([]);
    unfold(system);
    expect(all('request-part', system).map(text)).toEqual(['You are a coding agent.']);
    expect(all('breakpoint', system)).toHaveLength(1);
  });

  it('stay unfolded over another tab and a reload', () => {
    const { sections, unfold, click, one, store } = shown();
    unfold(sections()[1]!);
    click(one('tab-session'));
    click(one('tab-request'));
    expect((sections()[1] as HTMLDetailsElement).open).toBe(true);
    const again = drawPanel(sampleContext(), keptOf(store).look);
    again.answer({ type: 'answered', data: sampleRequest() });
    expect((again.all('request-section')[1] as HTMLDetailsElement).open).toBe(true);
  });

  it('show the first 4,000 characters of a long text until the user asks for all', () => {
    const { all, one, click, text } = shown({ sections: withText('x'.repeat(12_345)) });
    expect(text(one('request-part'))).toHaveLength(4_000);
    expect(one('show-all').textContent).toBe('Show all (12,345 characters)');
    click(one('show-all'));
    expect(text(one('request-part'))).toHaveLength(12_345);
    expect(all('show-all')).toEqual([]);
  });

  it('show all of a text of 4,000 characters', () => {
    expect(shown({ sections: withText('x'.repeat(4_000)) }).all('show-all')).toEqual([]);
  });

  it('are drawn from both ends if there are many', () => {
    const sections = Array.from({ length: 1_000 }, (_, index) => ({
      ...withText(`text ${index}`)[0]!,
      id: `message-${index}`,
    }));
    const panel = shown({ sections });
    const ids = () => panel.sections().map(({ dataset }) => dataset['section']);
    expect([ids().length, ids()[99], ids()[100], ids().at(-1)]).toEqual([
      300,
      'message-99',
      'message-800',
      'message-999',
    ]);
    expect(panel.one('more-sections').textContent).toBe('Show more (700 sections between)');
    panel.click(panel.one('more-sections'));
    expect(ids()).toHaveLength(600);
  });

  it('are shown as plain text', () => {
    const { root } = shown({ sections: withText('<img src=x onerror="steal()">') });
    expect(root.querySelector('img')).toBeNull();
  });

  it('are preceded by the differences from the request that was sent', () => {
    const { one } = shown({ notes: ['The tools are those of today.'] });
    expect(one('request-notes').textContent).toBe('The tools are those of today.');
    expect(one('request-facts').textContent).toBe(
      'plimsoll-offline-demo · 5 sections · reply of at most 4,096 tokens',
    );
  });
});

describe('the search in a request', () => {
  it('keeps the sections with hits, marks the hits, and counts them', () => {
    const { one, type, sections, root } = shown();
    type('ZONES', one('request-search'));
    expect(sections().map(({ dataset }) => dataset['section'])).toEqual(['message-2', 'message-3']);
    expect(one('request-hits').textContent).toBe('2 hits in 2 sections');
    const marks = [...root.querySelectorAll('mark')].map(({ textContent }) => textContent);
    expect(marks).toEqual(['zones', 'zones']);
  });

  it('matches punctuation literally', () => {
    const { one, type } = shown();
    type('[];', one('request-search'));
    expect(one('request-hits').textContent).toBe('1 hit in 1 section');
    type('.*', one('request-search'));
    expect(one('request-hits').textContent).toBe('no hit');
  });

  it('counts the hits in parts that are not drawn', () => {
    const { one, type } = shown({ sections: withText(`${'x'.repeat(4_000)} zones zones`) });
    type('zones', one('request-search'));
    expect(one('show-all').textContent).toBe('Show all (4,012 characters, 2 hits further on)');
  });

  it('stays from request to request', () => {
    const { one, type, click, answer } = shown();
    type('zones', one('request-search'));
    click(one('request-before'));
    answer({ type: 'answered', data: sampleRequest({ step: 17 }) });
    expect(one('request-hits').textContent).toBe('2 hits in 2 sections');
  });

  it('stays over another tab and a reload', () => {
    const { one, type, click, store } = shown();
    type('zones', one('request-search'));
    click(one('tab-session'));
    click(one('tab-request'));
    expect((one('request-search') as HTMLInputElement).value).toBe('zones');
    const again = drawPanel(sampleContext(), keptOf(store).look);
    again.answer({ type: 'answered', data: sampleRequest() });
    expect((again.one('request-search') as HTMLInputElement).value).toBe('zones');
  });
});

describe('the actions of a request', () => {
  it('open it as raw JSON or readable, and copy it', () => {
    const { one, click, wishes } = shown();
    click(one('request-raw'));
    click(one('request-readable'));
    click(one('request-copy'));
    expect(wishes).toEqual([
      { type: 'openRequest', step: 'next', form: 'raw' },
      { type: 'openRequest', step: 'next', form: 'readable' },
      { type: 'copyRequest', step: 'next' },
    ]);
  });

  it('confirm a copy for a short while', () => {
    vi.useFakeTimers();
    try {
      const { one, click, answer } = shown();
      const said = () => one('copied-said').textContent;
      click(one('request-copy'));
      expect(said()).toBe('');
      answer({ type: 'done' });
      expect(said()).toBe('Copied');
      expect(one('request-copied').parentElement?.className).toBe('swaps done');
      void act(() => void vi.advanceTimersByTime(SAID_MS));
      expect(said()).toBe('');
    } finally {
      vi.useRealTimers();
    }
  });

  it('compare it with the previous one, or with another', () => {
    const { one, click, choose, wishes } = shown();
    click(one('request-diff'));
    choose('5', one('request-diff-step'));
    click(one('request-diff'));
    expect(wishes).toEqual([
      { type: 'diffRequests', from: 17, to: 'next', form: 'readable' },
      { type: 'diffRequests', from: 5, to: 'next', form: 'readable' },
    ]);
  });

  it('do not compare the first with an earlier one, nor one with itself', () => {
    const { one, choose } = opened();
    choose('1');
    expect(one('request-diff').title).toContain('There is no request before this one');
    choose('1', one('request-diff-step'));
    expect(one('request-diff').title).toBe('This is the request itself');
  });
});
