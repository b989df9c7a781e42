import { assert, integer, property } from 'fast-check';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { afterEach, describe, expect, it } from 'vitest';
import { watermarkTokens } from '../../../../src/editor/contextPanel/state';
import type { WhatIfSettings } from '../../../../src/editor/contextPanel/whatIf/state';
import { converted, WhatIfForm } from '../../../../webview/contextPanel/whatIf/whatIfForm';
import { commit } from '../commit';
import { sampleContext, SAMPLE_SETTINGS } from '../contextViews';

// @vitest-environment happy-dom

const MARKS = { inputBudget: 26_880, highTokens: 21_504, lowTokens: 13_440 };

afterEach(() => {
  render(null, document.body);
  document.body.replaceChildren();
});

/** The form over a scratch copy that begins with the current settings. */
function drawn(inForce: Partial<WhatIfSettings> = {}) {
  const settings = { ...SAMPLE_SETTINGS, ...inForce };
  const context = sampleContext({ settings });
  const seen = { settings, reset: () => undefined as void, invalid: () => undefined as void };
  function Form() {
    const [now, setNow] = useState(settings);
    const [isValid, setValid] = useState(true);
    seen.settings = now;
    seen.reset = () => setNow(settings);
    seen.invalid = () => setValid(false);
    return (
      <WhatIfForm
        context={context}
        settings={now}
        marks={isValid ? MARKS : undefined}
        onChange={setNow}
      />
    );
  }
  act(() => render(<Form />, document.body));
  const one = <E extends HTMLElement>(id: string) =>
    document.querySelector<E>(`[data-testid="${id}"]`)!;
  return {
    seen,
    field: () => one<HTMLInputElement>('number-highWatermark'),
    slider: () => one<HTMLInputElement>('slider-highWatermark'),
    unit: () => one<HTMLSelectElement>('unit-highWatermark'),
    text: () => one('try-highWatermark').textContent,
    type: (text: string) => {
      const input = one<HTMLInputElement>('number-highWatermark');
      input.value = text;
      act(() => void input.dispatchEvent(new Event('input', { bubbles: true })));
    },
    choose: (unit: string) => {
      const select = one<HTMLSelectElement>('unit-highWatermark');
      select.value = unit;
      commit(select);
    },
  };
}

describe('a watermark to try', () => {
  it('uses the unit of its setting, with the other next to it', () => {
    const percent = drawn();
    expect([percent.field().value, percent.unit().value]).toEqual(['80', '%']);
    expect(percent.text()).toContain(' · 21,504 tokens');
    render(null, document.body);
    const tokens = drawn({ highWatermark: 21_504 });
    expect([tokens.field().value, tokens.unit().value]).toEqual(['21504', 'tokens']);
    expect(tokens.text()).toContain(' · 80\u00a0%');
  });

  it('has a switch for the unit', () => {
    expect(drawn().unit().getAttribute('aria-label')).toBe('High watermark, unit');
  });

  it('keeps its line when the unit changes, there and back', () => {
    const { choose, seen, field, slider, text } = drawn();
    choose('tokens');
    expect([seen.settings.highWatermark, field().value]).toEqual([21_504, '21504']);
    expect([slider().min, slider().max, slider().step]).toEqual(['1000', '26879', '1000']);
    expect(slider().getAttribute('aria-valuetext')).toBe('21504 tokens, 80\u00a0%');
    expect(text()).toContain('changed, current: 80\u00a0%');
    choose('%');
    expect(seen.settings).toEqual(SAMPLE_SETTINGS);
    expect(text()).not.toContain('changed');
  });

  it('comes to the same tokens in either unit, whatever the budget', () => {
    assert(
      property(integer({ min: 1_100, max: 2_000_000 }), integer({ min: 1_000 }), (budget, any) => {
        const tokens = 1_000 + (any % (budget - 1_000));
        const mark = converted(tokens, 'tokens', budget);
        expect(mark).toBeLessThan(1);
        expect(watermarkTokens(mark, budget)).toBe(tokens);
        expect(converted(mark, '%', budget)).toBe(tokens);
      }),
      { numRuns: 1_000, seed: 11 },
    );
  });

  it('reads a typed number in the displayed unit only', () => {
    const { type, choose, seen, unit } = drawn();
    const taken = (text: string) => {
      type(text);
      return [seen.settings.highWatermark, unit().value];
    };
    expect(taken('62.5')).toEqual([0.625, '%']);
    expect(taken('100')).toEqual([1, '%']);
    expect(taken('120000')).toEqual([999, '%']);
    type('80');
    choose('tokens');
    expect(taken('20000')).toEqual([20_000, 'tokens']);
    expect(taken('0')).toEqual([0, 'tokens']);
    expect(taken('0.7')).toEqual([1, 'tokens']);
    expect(taken('80')).toEqual([80, 'tokens']);
  });

  it('keeps an invalid number as typed when the unit changes', () => {
    const { type, choose, seen, field } = drawn({ highWatermark: 21_504 });
    type('80');
    choose('%');
    expect([seen.settings.highWatermark, field().value]).toEqual([0.8, '80']);
  });

  it('is automatic while its field is empty, and gives its value', () => {
    const { field, slider, text, unit } = drawn({ highWatermark: null });
    expect([field().value, field().placeholder, unit().value]).toEqual(['', 'automatic', '%']);
    expect(slider().value).toBe('80');
    expect(text()).toContain(' · 21,504 tokens');
    expect(text()).not.toContain('changed');
  });

  it('takes a number instead of the automatic one, and is automatic again when emptied', () => {
    const { type, seen, text, choose, field, unit } = drawn({ highWatermark: null });
    type('70');
    expect(seen.settings.highWatermark).toBe(0.7);
    expect(text()).toContain('changed, current: automatic (21,504 tokens)');
    type('');
    expect(seen.settings.highWatermark).toBeNull();
    choose('tokens');
    expect([seen.settings.highWatermark, unit().value]).toEqual([null, 'tokens']);
    expect(text()).toContain(' · 80\u00a0%');
    type('9000');
    expect([seen.settings.highWatermark, field().value]).toEqual([9_000, '9000']);
  });

  it('returns to the unit of the setting on reset', () => {
    const { choose, type, seen, unit, field } = drawn();
    choose('tokens');
    type('9000');
    act(() => seen.reset());
    expect([unit().value, field().value]).toEqual(['%', '80']);
  });

  it('gives no value in the other unit while the settings conflict', () => {
    const { choose, seen, text } = drawn();
    act(() => seen.invalid());
    expect(text()).not.toContain(' · ');
    choose('tokens');
    expect(seen.settings.highWatermark).toBe(21_504);
  });
});
