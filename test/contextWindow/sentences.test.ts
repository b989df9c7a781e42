import { describe, expect, it } from 'vitest';
import {
  eachWord,
  numbersIn,
  sentencesIn,
  spokenWords,
  wordsIn,
} from '../../src/contextWindow/sentences';
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

describe('the spoken words of a text', () => {
  it('are found in scripts with and without spaces between words', () => {
    expect(spokenWords('Read 公共接口 twice')).toEqual(['Read', '公共', '接口', 'twice']);
  });

  it('are found in time and memory that grow with the text alone', async () => {
    const { cpuMs } = await ticking(() => {
      expect(spokenWords(`漢 ${'some words '.repeat(40_000)}`).length).toBe(80_001);
      spokenWords('漢字'.repeat(100_000));
    });
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});

describe('the sentences of a text', () => {
  it('end at a full stop of another script after a word of it, not at one that is mentioned', () => {
    expect(sentencesIn('公共接口不变。错误消息保持中文。')).toEqual([
      '公共接口不变。',
      '错误消息保持中文。',
    ]);
    expect(sentencesIn('Never write 。 in comments')).toEqual(['Never write 。 in comments']);
  });

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
