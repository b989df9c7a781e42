import { describe, expect, it } from 'vitest';
import { drawn } from './drawnPass';

// @vitest-environment happy-dom

describe('the summaries of a pass', () => {
  const exchanges = [
    { summaryId: 'summary-1', covers: 14, hasAnswer: true },
    { summaryId: 'summary-2', covers: 1, hasAnswer: false },
  ];

  it('link to the request to the summariser and to its answer separately', () => {
    const { all, click, wishes } = drawn({ exchanges });
    expect(all('exchange').map(({ dataset }) => dataset['summaryId'])).toEqual([
      'summary-1',
      'summary-2',
    ]);
    expect(all('exchange')[0]!.textContent).toBe(
      'Summary of 14 blocks Request to the summariser Raw JSON Answer',
    );
    click(all('exchange-asked')[1]!);
    click(all('exchange-raw')[0]!);
    click(all('exchange-answered')[0]!);
    const wish = { type: 'openExchange', summaryId: 'summary-1', form: 'readable' };
    expect(wishes).toEqual([
      { ...wish, summaryId: 'summary-2', side: 'asked' },
      { ...wish, side: 'asked', form: 'raw' },
      { ...wish, side: 'answered' },
    ]);
  });

  it('say so if no answer came', () => {
    const { all, click, wishes } = drawn({ exchanges });
    const link = all('exchange-answered')[1]!;
    expect(link.title).toMatch(/^No answer came/);
    click(link);
    expect(wishes).toEqual([]);
  });

  it('offer nothing if the log does not hold it', () => {
    expect(drawn().all('exchange')).toEqual([]);
  });
});
