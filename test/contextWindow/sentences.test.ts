import { describe, expect, it } from 'vitest';
import { eachWord, numbersIn, sentencesIn, wordsIn } from '../../src/contextWindow/sentences';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../support/ticking';

describe('the words of a text', () => {
  it('include its names, whole and in part', () => {
    const words = wordsIn('Read ./src/a-b.ts.');
    for (const word of ['Read', 'src/a-b.ts', 'a-b.ts', 'a-b', 'b.ts', 'src/a', 'ts']) {
      expect(words, word).toContain(word);
    }
    for (const word of ['a-b.', './src', 'ea']) expect(words, word).not.toContain(word);
  });

  it.each([
    ['port 8080', ['8080']],
    ['10,000 and 10_000', ['10000']],
    ['500ms at 12:30', ['500', '12:30']],
    ['1.25 of Http2Server and step12', ['1.25']],
    ['3f2a91bc', []],
  ])('include its numbers: %s', (text, numbers) => {
    expect([...numbersIn(text)]).toEqual(numbers);
  });

  it('are found in time that grows with the text alone', async () => {
    let visits = 0;
    eachWord('a.'.repeat(10_000), () => (visits += 1));
    expect(visits).toBeLessThanOrEqual(12 * 10_000);
    const { cpuMs } = await ticking(() => {
      wordsIn('1,'.repeat(200_000) + 'x');
      wordsIn('1'.repeat(200_000) + 'xyz');
    });
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});

describe('the sentences of a text', () => {
  it('end at a mark followed by a space or at the end of a line, and exclude code', () => {
    const text =
      '# Plan\n- Mend src/a.ts.  Then\trest!\n```\nIs this code?\n```\n2. Is it done? Yes';
    expect(sentencesIn(text)).toEqual([
      'Plan',
      'Mend src/a.ts.',
      'Then rest!',
      'Is it done?',
      'Yes',
    ]);
  });

  it('are cut at a word if they are very long', () => {
    const [sentence = ''] = sentencesIn('word '.repeat(200));
    expect(sentence).toHaveLength(399);
    expect(sentence.endsWith('word')).toBe(true);
  });
});
