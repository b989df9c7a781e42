import { describe, expect, it } from 'vitest';
import { admitPrompt } from '../../../src/contextWindow/account/admission';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import { makeBudget } from '../../../src/contextWindow/budget';

const made = makeBudget({
  contextWindowTokens: 10_000,
  maxReplyTokens: 1_000,
  safetyHeadroomTokens: 500,
  toolResultHeadroomTokens: 500,
  highWatermark: 0.8,
  lowWatermark: 0.5,
});
if (!made.ok) throw new Error('The budget of this test is wrong.');
const { budget } = made;
const half = Math.floor(budget.inputBudget / 2);

const image = (tokens: number) =>
  ({ type: 'image', mediaType: 'image/png', data: 'AAAA', tokens }) as const;
const admitted = (text: string, tokens: number) =>
  admitPrompt({ text, attachments: [image(tokens)] }, EMPTY_WINDOW, budget, ({ length }) => length);

describe('admitPrompt with an image', () => {
  it('attaches the image and leaves the rest of the cap to the text', () => {
    const { admission, attachments } = admitted('x'.repeat(half), half - 500);
    expect(attachments).toEqual([image(half - 500)]);
    expect(admission).toMatchObject({ form: 'truncated', tokensBefore: half });
    expect(admission.form === 'truncated' && admission.tokensAfter).toBeLessThanOrEqual(500);
    expect(admitted('Look', half - 500)).toMatchObject({ admission: { form: 'whole' } });
  });

  it('omits an image that does not fit, and says so', () => {
    const { text, attachments, admission } = admitted('Look', half);
    expect(attachments).toBeUndefined();
    expect(admission).toEqual({ form: 'whole' });
    expect(text).toBe(
      'Look\n\n[Plimsoll left out the attachments of this prompt (1): they would take ' +
        `about ${half} tokens, and one prompt may take ${half}.]`,
    );
  });
});
