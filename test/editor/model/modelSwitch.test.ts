import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/contextWindow/fold';
import type { Settings } from '../../../src/settings/settings';
import { accountOf } from '../../../src/editor/session/derive';
import { switchEffects } from '../../../src/editor/model/modelChoice';
import { dated, promptEvent, stepEvents } from '../../support/drawing';
import { estimate } from '../../support/player';
import { validWith } from '../contextPanel/support/inspecting';

const EVENTS = dated([
  promptEvent('task'),
  ...stepEvents([{ id: 'toolu_1', name: 'a.ts', tokens: 300 }], 'Looking.'),
]);

type Context = Partial<Settings['context']>;

/** The text about a switch to a model, with the same changed settings for both. */
function effects(
  to: string,
  context: Context = {},
  { events = EVENTS, offline = false, room = {} as Context } = {},
) {
  const window = fold(events);
  const from = validWith({ windowTokens: 200_000, ...context });
  const next = validWith({ windowTokens: 50_000, ...context, ...room }, { model: to });
  const account = accountOf(window, from.budget, estimate);
  const said = switchEffects({ window, account, from, to: next, offline });
  return Object.fromEntries(said.map(({ label, words }) => [label, words]));
}

describe('a switch of the model during a session', () => {
  it('says how window and budget change, or that they stay', () => {
    const { Window: words } = effects('claude-haiku-4-5');
    expect(words).toMatch(
      /^It goes from 200,000 to 50,000 tokens, the input budget goes from [\d,]+ to [\d,]+\.$/,
    );
    expect(effects('claude-haiku-4-5', {}, { room: { windowTokens: 200_000 } }).Window).toMatch(
      /^It stays at 200,000 tokens, the input budget /,
    );
  });

  it('says that no pass follows if everything fits', () => {
    expect(effects('claude-haiku-4-5').Pass).toMatch(
      /^≈ [\d,]+ tokens are not above the high watermark of [\d,]+: no pass follows\.$/,
    );
  });

  it.each([
    ['auto', ': a pass runs first.'],
    ['ask', ': you review a pass first.'],
    ['off', ', but passes are off.'],
  ] as const)('says what follows above the high watermark with passes %s', (compaction, end) => {
    const room = { highWatermark: 0.002, lowWatermark: 0.001, prepareWatermark: 0 };
    const { Pass: words } = effects('claude-haiku-4-5', { compaction }, { room });
    expect(words).toMatch(/^≈ [\d,]+ tokens are above the high watermark of /);
    expect(words!.endsWith(end)).toBe(true);
  });

  it('says that the cache is lost, and what the next request costs with and without it', () => {
    const said = effects('claude-haiku-4-5');
    expect(said['Prompt cache']).toBe(
      'Starts again: claude-haiku-4-5 reads nothing that is cached for claude-sonnet-5-5.',
    );
    expect(said['Next request']).toMatch(
      /^Its input without cache: ≈ \$\d\.\d{2,4}; from the cache of claude-sonnet-5-5: (?:≈|under) \$\d\.\d{2,4}\.$/,
    );
    expect(effects('qwen3-coder')['Next request']).toContain('without cache: price unknown;');
    const offline = effects('qwen3-coder', {}, { offline: true });
    expect(offline['Next request']).toBe('No charge (offline).');
  });

  it('says that an overflow waits for the user if passes are off', () => {
    const events = dated([
      promptEvent('task'),
      ...stepEvents([{ id: 'toolu_1', name: 'a.ts', tokens: 3_000 }]),
    ]);
    const room = { windowTokens: 5_000, maxReplyTokens: 3_000, safetyHeadroomTokens: 500 };
    expect(effects('m', { compaction: 'off' }, { events, room }).Pass).toBe(
      'It is above the input budget and passes are off: compact before you continue.',
    );
  });

  it('says what happens to thinking, if there is any', () => {
    expect(effects('claude-haiku-4-5').Thinking).toBeUndefined();
    const events = EVENTS.map((event) =>
      event.type === 'replyReceived'
        ? {
            ...event,
            parts: [{ type: 'thinking', thinking: 'Hm.', signature: 's' } as const, ...event.parts],
          }
        : event,
    );
    expect(effects('claude-haiku-4-5', {}, { events }).Thinking).toBe(
      'Of 1 step, bound to claude-sonnet-5-5: claude-haiku-4-5 may not read it.',
    );
  });
});
