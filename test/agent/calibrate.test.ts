import { describe, expect, it } from 'vitest';
import { calls, echo, says, scriptedAgent, sizeOf, ECHO } from '../support/scriptedAgent';
import { estimate } from '../support/player';
import type { Tool } from '../../src/agent/tool';

const PICTURE_TOKENS = 1_500;

/** The echo tool, which adds a picture to its text. */
const PICTURE: Tool = {
  ...ECHO,
  prepare: async (input, context) => {
    const prepared = await ECHO.prepare(input, context);
    if (!prepared.ok) return prepared;
    const { call } = prepared;
    return {
      ok: true,
      call: {
        ...call,
        run: async (signal, onOutput) => ({
          ...(await call.run(signal, onOutput)),
          attachments: [
            // The smallest valid PNG: one transparent dot.
            {
              type: 'image',
              mediaType: 'image/png',
              data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          ],
        }),
      },
    };
  },
};

describe('the calibration of estimates', () => {
  it('learns from text only, since both sides compute pictures by the same formula', async () => {
    const learned: { readonly estimated: number; readonly actual: number }[] = [];
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { text: 'found' })]), says('It is there.')],
      deps: {
        tools: [PICTURE],
        estimator: {
          warm: () => Promise.resolve(),
          estimate,
          media: () => PICTURE_TOKENS,
          learn: (estimated, actual) => learned.push({ estimated, actual }),
        },
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const [before, after] = [learned.at(-2)!, learned.at(-1)!];
    expect(after.actual).toBe(sizeOf(agent.requests[1]!) - PICTURE_TOKENS);
    expect(after.estimated - before.estimated).toBeLessThan(PICTURE_TOKENS / 2);
  });
});
