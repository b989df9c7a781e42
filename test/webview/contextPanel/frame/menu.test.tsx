import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import { sampleContext, sampleRecording, sampleTimeline, SAMPLE_SETTINGS } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { past } from './pastStep';

// @vitest-environment happy-dom

describe('the menu', () => {
  const opened = (context = sampleContext()) => {
    const panel = drawPanel(context);
    panel.click(panel.one('menu'));
    return panel;
  };
  const labels = (root: HTMLElement) =>
    [...root.querySelectorAll('[role^="menuitem"]')].map((item) => item.textContent);

  it('offers settings, exports, a fork and recordings', () => {
    const { root, one } = opened();
    expect(labels(root)).toEqual([
      'What if…',
      'Settings',
      'Export as HTML…',
      'Export as JSONL…',
      'Save Report…',
      'Fork from step 17',
      'Open a recording…',
    ]);
    expect(one('menu').getAttribute('aria-expanded')).toBe('true');
  });

  it.each([
    ['settings', { type: 'openSettings' }],
    ['export-html', { type: 'exportView', form: 'html' }],
    ['export-jsonl', { type: 'exportView', form: 'jsonl' }],
    ['save-report', { type: 'saveReport' }],
    ['fork', { type: 'forkAt', step: 17 }],
    ['open-recording', { type: 'openRecording' }],
  ])('sends %s, closes and returns the focus', (item, wish) => {
    const { one, click, wishes, all } = opened();
    click(one(item));
    expect(wishes).toEqual([wish]);
    expect(all(item)).toEqual([]);
    expect(document.activeElement).toBe(one('menu'));
  });

  it('opens the scratch copy, which asks for the result of its settings', () => {
    const { one, click, wishes, all } = opened();
    click(one('menu-what-if'));
    expect(all('what-if-dialog')).toHaveLength(1);
    expect(wishes).toEqual([{ type: 'whatIf', settings: SAMPLE_SETTINGS }]);
  });

  it('forks from the displayed step', () => {
    const { one, click, wishes } = opened(past(12));
    click(one('fork'));
    expect(wishes).toEqual([{ type: 'forkAt', step: 12 }]);
  });

  it('lets the user follow and close a recording, but not fork it', () => {
    const source = sampleRecording({ following: true });
    const { one, click, wishes } = opened(sampleContext({ source }));
    expect(one('menu-follow-recording').getAttribute('aria-checked')).toBe('true');
    click(one('fork'));
    expect(wishes).toEqual([]);
    expect(one('fork').title).toContain('cannot be continued');
    click(one('menu-follow-recording'));
    expect(wishes).toEqual([{ type: 'followRecording', following: false }]);
  });

  it('moves by arrow keys, Home, End and letters, and wraps around', () => {
    const { press, root } = opened();
    const focused = () => document.activeElement?.textContent;
    expect(focused()).toBe('What if…');
    press('ArrowUp');
    expect(focused()).toBe('Open a recording…');
    press('ArrowDown');
    press('e');
    press('e');
    expect(focused()).toBe('Export as JSONL…');
    press('End');
    press('Home');
    expect(focused()).toBe('What if…');
    expect(labels(root)).toHaveLength(7);
  });

  it('closes on Escape and when the focus leaves', () => {
    const panel = opened();
    panel.press('Escape');
    expect(panel.all('settings')).toEqual([]);
    expect(document.activeElement).toBe(panel.one('menu'));
    const other = opened();
    other.tell({ type: 'timelineChanged', timeline: sampleTimeline(3) });
    void act(() => other.one('timeline').focus());
    expect(other.one('menu').getAttribute('aria-expanded')).toBe('false');
  });
});
