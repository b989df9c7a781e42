import { describe, expect, it } from 'vitest';
import { sampleContext } from '../contextViews';
import { opened, wished, viewOf } from './openedWhatIf';

// @vitest-environment happy-dom

describe('what if', () => {
  it('opens with the current settings, and nothing to apply', () => {
    const { one, field } = opened();
    const names = [
      'windowTokens',
      'highWatermark',
      'lowWatermark',
      'keepRecentTurns',
      'maxHistoryTurns',
    ];
    expect(names.map((name) => field(name).value)).toEqual(['32768', '80', '50', '2', '50']);
    expect((one('policy') as HTMLSelectElement).value).toBe('ladder');
    expect(one('what-if-apply').title).toBe('These are the current settings');
  });

  it('sends one request per frame, for the last drag position', () => {
    const { slider, type, asked } = opened();
    type('70', slider('highWatermark'));
    type('65', slider('highWatermark'));
    type('61', slider('highWatermark'));
    expect(asked()).toEqual([wished({ highWatermark: 0.61 })]);
  });

  it('has one request in flight at a time, then asks for the newest settings', () => {
    const { slider, type, asked, answer } = opened();
    const drag = (percent: string) => {
      type(percent, slider('highWatermark'));
      return asked();
    };
    expect(drag('70')).toHaveLength(1);
    expect(drag('65')).toHaveLength(1);
    expect(drag('61')).toHaveLength(1);
    answer({ type: 'answered', data: viewOf({ highWatermark: 0.7 }) });
    expect(asked()).toEqual([wished({ highWatermark: 0.7 }), wished({ highWatermark: 0.61 })]);
    answer({ type: 'answered', data: viewOf({ highWatermark: 0.61 }) });
    expect(asked()).toHaveLength(2);
  });

  it('continues to ask after a refusal', () => {
    const { slider, type, asked, refuse } = opened();
    type('70', slider('highWatermark'));
    asked();
    type('61', slider('highWatermark'));
    refuse('The recording is being read.');
    expect(asked().at(-1)).toEqual(wished({ highWatermark: 0.61 }));
  });

  it('draws the window of the scratch copy, with removed and kept blocks', () => {
    const { one, all } = opened(viewOf({}, { due: true }));
    const result = one('what-if-result');
    expect(one('what-if-words').textContent).toBe(
      'A pass would begin before the next step. It would change 9 blocks.',
    );
    expect(all('bar-segment', result).length).toBeGreaterThan(5);
    expect(one('plan-kept').querySelector('summary')?.textContent).toContain('Would keep: 8');
    expect(all('decision-row', result)).toHaveLength(17);
  });

  it('gives the distance to the next pass if none is due', () => {
    expect(opened().one('what-if-words').textContent).toBe(
      'No pass would be due: ≈\u00a04,318 tokens to the high watermark. ' +
        'Running one now would change 9 blocks.',
    );
  });

  it('asks again after the session has continued', () => {
    const { tell, asked } = opened();
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(asked()).toEqual([]);
    tell({ type: 'contextChanged', context: sampleContext({ revision: '2' }) });
    expect(asked()).toEqual([wished({})]);
  });
});
