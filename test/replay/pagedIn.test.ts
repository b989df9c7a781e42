import { describe, expect, it } from 'vitest';
import { pagedInText } from '../../src/contextWindow/request/placeholder';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { edit, filler, prompt, read, recorded, type Move } from './support/recording';
import { estimate, replayedTranscript, settingsOf } from './support/replayed';

/** A file of forty lines as a read shows it, some 300 tokens. */
const NUMBERED = Array.from({ length: 40 }, (_, n) => `${n + 1}\tconst limit${n + 1} = ${n};`).join(
  '\n',
);

type Call = Extract<Move, { readonly type: 'call' }>;

/** One reply with several calls, and their results. */
function together(calls: readonly Call[]): readonly object[] {
  const idOf = (index: number) => `last-${index}`;
  return [
    {
      role: 'assistant',
      content: calls.map(({ name, input }, index) => ({
        type: 'tool_use',
        id: idOf(index),
        name,
        input,
      })),
    },
    {
      role: 'user',
      content: calls.map(({ result }, index) => ({
        type: 'tool_result',
        tool_use_id: idOf(index),
        content: result,
      })),
    },
  ];
}

/**
 * The tokens of the lines sent with the edit of a file read long before, after this many large
 * reads in the same reply; the budget has 6,000 tokens.
 */
async function pagedInBehind(reads: number): Promise<number> {
  const readOf = (n: number) => read(`f${n}.ts`, filler(`const f${n} = 1;`, 900)) as Call;
  const before = Array.from({ length: 8 }, (_, n) => readOf(n));
  const last = [
    ...Array.from({ length: reads }, (_, n) => readOf(n)),
    edit('a.ts', 'const limit7 = 6;', 'const limit7 = 60;') as Call,
  ];
  const messages = recorded(prompt('Raise the limits.'), read('a.ts', NUMBERED), ...before);
  const settings = settingsOf('ladder', 6_000);
  const { events } = await replayedTranscript(transcriptOf([...messages, ...together(last)]), {
    ...settings,
    settings: { ...settings.settings, excerptShare: 0.01 },
  });
  const shown = events.flatMap((event) =>
    event.type === 'toolFinished' && event.shown !== undefined ? [event.shown] : [],
  );
  return shown.reduce((sum, lines) => sum + estimate(pagedInText(lines)), 0);
}

describe('a replay', () => {
  it('shows lines of a file with its edit if the window no longer shows them', async () => {
    const tokens = await pagedInBehind(0);
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThanOrEqual(300);
  });

  it("shows none if the reply's results use up the room, as the agent does", async () => {
    expect(await pagedInBehind(20)).toBe(0);
  });
});
