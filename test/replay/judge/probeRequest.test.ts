import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentBody } from '../../../src/model/requestBody';
import { validateRequest } from '../../../src/offline/rules/validateRequest';
import { MOST_WINDOWS, PassedWindows } from '../../../src/replay/judge/judgement';
import { probeRequest } from '../../../src/replay/judge/probe';
import { windowProbes } from '../../../src/replay/judge/windowProbes';
import { REPLAY_POLICIES } from '../../../src/replay/replaySettings';
import { transcriptOf } from '../../recordings/support/drawnTranscript';
import { edit, filler, prompt, read, recorded, run, said, type Move } from '../support/recording';
import { replayedTranscript, settingsOf } from '../support/replayed';
import type { Message, WindowRequest } from '../../../src/contextWindow/request/blockMessages';

const windowOf = (...messages: readonly Message[]): WindowRequest => ({
  system: [],
  tools: [],
  messages,
});

const text = (words: string) => ({ type: 'text', text: words }) as const;

describe('the request for a question', () => {
  it("has it after the user's newest message and the cache breakpoint", () => {
    const marked = { ...text('Go'), cache_control: { type: 'ephemeral' } } as const;
    const { messages } = probeRequest(windowOf({ role: 'user', content: [marked] }), 'Which file?');
    expect(messages).toHaveLength(1);
    const [first, asked] = messages[0]!.content;
    expect(first).toBe(marked);
    expect(asked).toMatchObject({ type: 'text' });
    expect('text' in asked! && asked.text).toMatch(
      /^The work stops here .*not known\.\n\nWhich file\?$/s,
    );
  });

  it('has no thinking, and contains a compaction as text', () => {
    const { messages } = probeRequest(
      windowOf(
        { role: 'user', content: [text('Go')] },
        {
          role: 'assistant',
          content: [
            { type: 'compaction', content: 'So far.' },
            { type: 'compaction', content: null },
            { type: 'thinking', thinking: 'Hm', signature: 's' },
            { type: 'redacted_thinking', data: 'd' },
          ],
        },
        { role: 'user', content: [text('On')] },
        { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'd' }] },
      ),
      'Which?',
    );
    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 1],
      ['user', 2],
    ]);
    expect(messages[1]?.content).toEqual([text('So far.')]);
  });

  it('turns tool calls off, and omits that setting without tools', () => {
    const tool = { name: 'Read', description: 'Reads', input_schema: { type: 'object' } };
    const request = windowOf({ role: 'user', content: [text('Go')] });
    const more = { model: 'm', maxTokens: 9, toolChoice: 'none' } as const;
    expect(sentBody({ ...request, tools: [tool], ...more })['tool_choice']).toEqual({
      type: 'none',
    });
    expect(sentBody({ ...request, ...more })).not.toHaveProperty('tool_choice');
  });
});

const path = fc.constantFrom('src/a.ts', 'src/b.ts', 'c.ts');
const move: fc.Arbitrary<Move> = fc.oneof(
  fc
    .tuple(path, fc.nat(99))
    .map(([of, n]) => read(of, filler(`const limit${n} = ${n}000;\n`, 300))),
  fc.tuple(path, fc.nat(99)).map(([of, n]) => edit(of, `const limit${n} = ${n}000;`, 'other')),
  fc.nat(99).map((n) => run(`npm run job${n}`, filler(`The job${n} took ${n}00 ms.\n`, 200))),
  fc.constant(said('I will keep limit7 as it is.')),
  fc.constant(prompt('Go on with that.')),
);

describe('any replay', () => {
  const settled = (moves: readonly Move[]) =>
    moves.filter(
      (one, index) => index === 0 || one.type === 'call' || moves[index - 1]?.type !== one.type,
    );

  const everyPolicy = REPLAY_POLICIES.map((policy) => [policy, 'no files shown', {}] as const);

  it.each([...everyPolicy, ['ladder', 'files shown', { excerptShare: 0.9 }] as const])(
    'has only requests that the API accepts, under %s with %s',
    async (policy, _, shown) => {
      const settings = settingsOf(policy, 1_500);
      let asked = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 12, maxLength: 24 }), async (moves) => {
          const transcript = transcriptOf(
            recorded(prompt('Mend it'), ...settled(moves), said('Done.')),
          );
          const windows = new PassedWindows();
          const more = { ...settings, settings: { ...settings.settings, ...shown } };
          await replayedTranscript(transcript, more, {
            onRequest: (request, _, step, window) => windows.take(request, step, window),
          });
          expect(windows.asked.length).toBeLessThanOrEqual(MOST_WINDOWS);
          for (const { request, step } of windows.asked) {
            for (const { question } of windowProbes(transcript, step)) {
              asked += 1;
              const body = sentBody({
                ...probeRequest(request, question),
                model: 'claude-opus-5-5',
                maxTokens: 4_096,
                toolChoice: 'none',
              });
              expect(validateRequest(body)).toBeUndefined();
            }
          }
        }),
        { numRuns: 5 },
      );
      // Under these no pass of Plimsoll evicts anything here.
      if (!['none', 'recorded', 'server'].includes(policy)) expect(asked).toBeGreaterThan(0);
    },
  );
});

describe('the windows for questions', () => {
  it('are the first after each pass, at most eight, spread over all of them', async () => {
    const moves = Array.from({ length: 120 }, (_, n) =>
      read(`f${n}.ts`, filler(`const a${n} = 1;`, 300)),
    );
    const windows = new PassedWindows();
    const { passes } = await replayedTranscript(
      transcriptOf(recorded(prompt('Read all'), ...moves, said('Done.'))),
      settingsOf('tokenBudget', 2_000),
      { onRequest: (request, _, step, window) => windows.take(request, step, window) },
    );
    expect(windows.count).toBeGreaterThan(MOST_WINDOWS);
    expect(windows.count).toBeLessThanOrEqual(passes.length);
    const steps = windows.asked.map(({ step }) => step);
    expect(steps).toHaveLength(MOST_WINDOWS);
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBeGreaterThan(110);
    expect(steps[0]).toBeLessThan(20);
  });
});
