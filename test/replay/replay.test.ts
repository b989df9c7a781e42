import { describe, expect, it } from 'vitest';
import type { Summary, SummaryJob } from '../../src/contextWindow/plan';
import { replay } from '../../src/replay/replay';
import { REPLAY_POLICIES } from '../../src/replay/replaySettings';
import { reportOf } from '../../src/replay/replayReport';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { edit, filler, prompt, read, recorded, run, said, type Move } from './support/recording';
import { estimate, replayed, replayedTranscript, settingsOf } from './support/replayed';

/** Ten files of 400 tokens are read; then the first is edited. */
const LONG: readonly Move[] = [
  prompt('Mend the limit in f0.ts'),
  ...Array.from({ length: 10 }, (_, n) => read(`f${n}.ts`, filler(`const limit${n} = 1;`, 400))),
  edit('f0.ts', 'const limit0 = 1;', 'const limit0 = 2;'),
  said('Done.'),
];

/** The policies that keep to the budget. */
const POLICIES = REPLAY_POLICIES.filter((policy) => policy !== 'none' && policy !== 'recorded');

describe('replay', () => {
  it('assembles one request for each recorded reply', async () => {
    const { totals, requests } = await replayed(LONG, 'none', 100_000);
    expect(totals.requests).toBe(12);
    expect(requests).toHaveLength(12);
    expect(requests[0]?.messages).toHaveLength(1);
    expect(requests.at(-1)?.messages).toHaveLength(23);
  });

  it.each(POLICIES)('keeps every request within the budget and valid under %s', async (policy) => {
    const { totals, passes, contextEdits } = await replayed(LONG, policy, 3_000);
    expect(totals).toMatchObject({
      overBudget: 0,
      invalid: 0,
      anchorMissing: 0,
      latestAskMissing: 0,
    });
    expect(totals.maxTokens).toBeLessThanOrEqual(3_000);
    expect(passes.length + (contextEdits?.requests ?? 0)).toBeGreaterThan(0);
  });

  it('counts the requests that would not fit with nothing evicted, without calling that a fault', async () => {
    const { totals } = await replayed(LONG, 'none', 3_000);
    expect(totals.overBudget).toBeGreaterThan(0);
    expect(totals.firstOverBudget).toBeUndefined();
  });

  it('defines the tools of a recording that has none, and counts them', async () => {
    const { requests, totals } = await replayed(LONG, 'none', 100_000);
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['Read', 'Edit']);
    expect(totals.invalid).toBe(0);
    const bare = await replayed(
      [prompt('Mend the limit in f0.ts'), said('Done.')],
      'none',
      100_000,
    );
    expect(totals.maxTokens).toBeGreaterThan(bare.totals.maxTokens + 4_000);
  });

  describe('images of a result', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBO'.repeat(100) };
    const shown = (images: number, isError = false) => [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Shoot', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            is_error: isError,
            content: Array.from({ length: images }, () => ({ type: 'image', source })),
          },
        ],
      },
      { role: 'assistant', content: 'Seen.' },
    ];
    const played = (recording: readonly object[], policy: 'ladder' | 'none') =>
      replayedTranscript(transcriptOf(recording), settingsOf(policy, 8_000));

    it('stay out if they exceed the cap of one result, as in the agent', async () => {
      const { totals, events } = await played(shown(20), 'ladder');
      expect(totals).toMatchObject({ overBudget: 0, invalid: 0 });
      const result = events.find(({ type }) => type === 'toolFinished');
      expect(result).toMatchObject({
        isError: true,
        text: expect.stringContaining('Not shown: it would take about 8000 tokens'),
      });
      expect(result).not.toHaveProperty('attachments');
    });

    it('are there whole if nothing is evicted and if they fit', async () => {
      for (const [images, policy] of [
        [20, 'none'],
        [5, 'ladder'],
      ] as const) {
        const { events } = await played(shown(images), policy);
        const result = events.find((event) => event.type === 'toolFinished');
        expect(result?.attachments).toHaveLength(images);
      }
    });

    it('are left out of an error', async () => {
      const { events } = await played(shown(5, true), 'ladder');
      expect(events.find(({ type }) => type === 'toolFinished')).not.toHaveProperty('attachments');
    });

    it('leave less for the next result of the same reply', async () => {
      const [ask, call, result, end] = shown(5) as readonly { readonly content: object[] }[];
      const long = { type: 'tool_result', tool_use_id: 't2', content: filler('b', 6_000) };
      const second = { type: 'tool_use', id: 't2', name: 'Shoot', input: {} };
      const { totals } = await played(
        [
          ask!,
          { role: 'assistant', content: [...call!.content, second] },
          { role: 'user', content: [...result!.content, long] },
          end!,
        ],
        'ladder',
      );
      expect(totals.overBudget).toBe(0);
    });
  });

  it('sends no request for a reply without a prompt', async () => {
    const moves = [prompt('Go'), said('Gone.'), said('And more.'), prompt('Thanks'), said('Yes?')];
    const { totals, requests } = await replayed(moves, 'ladder', 3_000);
    expect(totals).toMatchObject({ requests: 2, invalid: 0 });
    expect(JSON.stringify(requests[1])).toContain('And more.');
  });

  it('truncates a result over its cap, and reports a truncated prompt', async () => {
    const moves = [
      prompt(filler('Task', 3_000)),
      run('cat big', filler('big', 20_000)),
      said('Done.'),
    ];
    const done = await replayed(moves, 'ladder', 4_000);
    expect(done.totals.overBudget).toBe(0);
    const transcript = transcriptOf(recorded(...moves));
    const report = reportOf({
      file: 'x',
      transcript,
      policy: 'ladder',
      inputBudget: 4_000,
      fileOnly: true,
      replayed: done,
      baseline: await replayed(moves, 'none', 4_000),
    });
    expect(report.notes[0]).toMatch(/^ladder: prompt-1 did not fit and was shortened from ≈ 3,000/);
  });

  it('reports what cannot be removed and does not fit, with the heaviest parts', async () => {
    const system = filler('system', 3_500);
    const transcript = transcriptOf({
      system,
      messages: recorded(prompt('Go'), read('a.ts', 'A'), said('Done.')),
    });
    const { totals } = await replayedTranscript(transcript, settingsOf('ladder', 3_000));
    expect(totals.overBudget).toBe(2);
    expect(totals.firstOverBudget?.step).toBe(1);
    expect(totals.firstOverBudget?.why).toContain('system prompt: ≈ 3,500');
  });

  it('writes work notes without a summariser', async () => {
    const { passes } = await replayed(LONG, 'summarise', 3_000);
    const summaries = passes.flatMap(({ summaries: written }) => written);
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries[0]?.writtenBy).toMatchObject({ by: 'workNote' });
  });

  it('takes summaries from the summariser, and pays for them', async () => {
    const usage = {
      inputTokens: 1_000_000,
      outputTokens: 0,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
    };
    const summarise = (_: unknown, job: { summaryId: Summary['id']; covers: Summary['covers'] }) =>
      Promise.resolve<Summary>({
        id: job.summaryId,
        covers: job.covers,
        text: 'What was read.',
        writtenBy: { by: 'model', model: 'claude-haiku-4-5', usage },
      });
    const transcript = transcriptOf({ model: 'claude-haiku-4-5', messages: recorded(...LONG) });
    const settings = settingsOf('summarise', 3_000);
    const { passes, totals } = await replayedTranscript(transcript, settings, { summarise });
    expect(passes[0]?.summaries[0]?.text).toBe('What was read.');
    expect(totals.cost).toBeGreaterThan(1);
  });

  it('pays for a rejected summary', async () => {
    const usage = {
      inputTokens: 1_000_000,
      outputTokens: 0,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
    };
    const model = 'claude-haiku-4-5';
    const costWith = async (asked: object) => {
      const summarise = (_: unknown, { summaryId, covers }: SummaryJob) =>
        Promise.resolve<Summary>({
          id: summaryId,
          covers,
          text: 'A work note.',
          writtenBy: { by: 'workNote', because: 'it was too large', ...asked },
        });
      const transcript = transcriptOf({ model, messages: recorded(...LONG) });
      const settings = settingsOf('summarise', 3_000);
      const { passes, totals } = await replayedTranscript(transcript, settings, { summarise });
      return { cost: totals.cost!, notes: passes.flatMap(({ summaries }) => summaries).length };
    };
    const free = await costWith({});
    const paid = await costWith({ asked: { model, usage } });
    expect(free.notes).toBeGreaterThan(0);
    expect(paid.cost - free.cost).toBeCloseTo(paid.notes, 6);
  });

  it('has no cost for a model without a list price', async () => {
    const transcript = transcriptOf({ model: 'gpt-x', messages: recorded(...LONG) });
    const { totals } = await replayedTranscript(transcript, settingsOf('none', 9_000));
    expect(totals.cost).toBeNull();
  });

  it('counts a read of evicted content as a refault', async () => {
    const again = [
      ...LONG.slice(0, -2),
      read('f0.ts', filler('const limit0 = 1;', 400)),
      said('Done.'),
    ];
    expect((await replayed(again, 'tokenBudget', 3_000)).totals.refaults).toBe(1);
    expect((await replayed(again, 'none', 3_000)).totals.refaults).toBe(0);
  });

  it('prepares every text before it is weighed', async () => {
    const warmed = new Set<string>();
    const cold = new Set<string>();
    await replayed(LONG, 'ladder', 100_000, {
      warm: (texts) => Promise.resolve(texts.forEach((text) => warmed.add(text))),
      estimate: (text) => {
        if (!warmed.has(text)) cold.add(text);
        return estimate(text);
      },
    });
    // Tools, system prompt and scratchpad as one text, only for the reused prefix.
    expect([...cold].filter((text) => !text.startsWith('[{"system"'))).toEqual([]);
  });

  it('asks at its start for the texts of all entries in batches: the tokenizer does not answer in each step', async () => {
    const asked: (readonly string[])[] = [];
    await replayed([...LONG, run('npm test', 'ok')], 'none', 100_000, {
      warm: (texts) => Promise.resolve(void asked.push(texts)),
    });
    const [first = [], ...later] = asked;
    const known = new Set(first);
    expect(first).toEqual(expect.arrayContaining(['Done.', 'ok']));
    const rest = new Set(later.flat().filter((text) => !known.has(text)));
    // The definitions of the tools, and the task with its label.
    expect([...rest]).toEqual([
      expect.stringMatching(/^\{"name":"Read"/),
      expect.stringMatching(/^<task_anchor/),
    ]);
  });

  it('stops while its texts are counted when its signal aborts', async () => {
    const stop = new AbortController();
    const long = Array.from({ length: 3 }, (_, n) => run(`ls ${n}`, `${n}`.repeat(300_000)));
    const asked: string[] = [];
    const ports = {
      estimate,
      validate: () => undefined,
      now: () => 0,
      warm: (texts: readonly string[]) => {
        asked.push(...texts);
        stop.abort();
        return Promise.resolve();
      },
    };
    const transcript = transcriptOf(recorded(prompt('List.'), ...long));
    const done = await replay(transcript, settingsOf('none', 100_000), ports, stop.signal);
    expect(done).toBe('stopped');
    expect(asked.map((text) => text.slice(0, 1))).toContain('0');
    expect(asked.map((text) => text.slice(0, 1))).not.toContain('1');
  });

  it('stops between two entries when its signal aborts', async () => {
    const stop = new AbortController();
    const requests: object[] = [];
    const done = await replay(
      transcriptOf(recorded(...LONG)),
      settingsOf('none', 100_000),
      {
        estimate,
        warm: () => Promise.resolve(),
        validate: () => undefined,
        now: () => 0,
        onRequest: (request) => {
          requests.push(request);
          if (requests.length === 3) stop.abort();
        },
      },
      stop.signal,
    );
    expect(done).toBe('stopped');
    expect(requests).toHaveLength(3);
  });
});
