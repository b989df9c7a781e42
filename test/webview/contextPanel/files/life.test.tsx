import { describe, expect, it } from 'vitest';
import type { FileLifeView, LifeView } from '../../../../src/editor/contextPanel/blocks/state';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const LIFE: LifeView = {
  title: 'src/zones.js',
  spans: [
    { from: 2, to: 5, seen: 'whole' },
    { from: 5, to: 9, seen: 'nothing' },
    { from: 9, to: 19, seen: 'whole' },
  ],
  moments: [
    { step: 1, kind: 'used', words: 'read (≈ 100 tokens)' },
    { step: 5, kind: 'taken', words: 'evicted by pass 1 (−100)' },
    { step: 8, kind: 'again', words: 'read again (≈ 100 tokens)' },
  ],
};

const FILE: FileLifeView = { ...LIFE, tokens: 100, reads: 2, edits: 1, again: 1, shown: 0 };

describe('the life of the selected block', () => {
  it('is fetched with the block, listed in words, and drawn along the steps', () => {
    const { click, row, wishes, answer, one, all } = drawPanel(sampleContext());
    expect(all('lives')).toEqual([]);
    click(row('step-12'));
    expect(wishes).toContainEqual({ type: 'fetchLives', blockId: 'step-12' });
    answer({ type: 'answered', data: [LIFE] });
    expect(one('lives').textContent).toBe(
      'Life of src/zones.js step 1: read (≈ 100 tokens) · before step 5: evicted by pass 1 (−100) · step 8: read again (≈ 100 tokens)',
    );
    const seen = [...one('life-strip').querySelectorAll<HTMLElement>('.span')];
    expect(seen.map(({ dataset }) => dataset['seen'])).toEqual(['whole', 'nothing', 'whole']);
    expect(one('life-strip').querySelectorAll('.sign')).toHaveLength(2);
    expect(one('life-strip').getAttribute('aria-label')).toMatch(/; now in the window$/);
  });

  it('shows the end of a long absolute path, and all of it in the tooltip', () => {
    const { click, row, answer, one } = drawPanel(sampleContext());
    click(row('step-12'));
    const title = '/Users/someone/work/project/src/area/zones.js';
    answer({ type: 'answered', data: [{ ...LIFE, title }] });
    expect(one('lives').querySelector('strong')?.textContent).toBe('…/src/area/zones.js');
    expect(one('lives').querySelector('p')?.title).toContain(title);
  });

  it('names two files of a step, and says where the others are', () => {
    const { click, row, answer, one } = drawPanel(sampleContext());
    click(row('step-12'));
    answer({ type: 'answered', data: ['a', 'b', 'c', 'd'].map((title) => ({ ...LIFE, title })) });
    expect(one('lives').querySelectorAll('.life')).toHaveLength(2);
    expect(one('lives').textContent).toContain('and 2 more: see the tab Files');
  });

  it('is absent if the host has none', () => {
    const { click, row, refuse, all } = drawPanel(sampleContext());
    click(row('step-12'));
    refuse('There is no such block in this session.');
    expect([all('lives'), all('refusal')]).toEqual([[], []]);
  });
});

describe('the tab Files', () => {
  const opened = () => {
    const panel = drawPanel(sampleContext());
    panel.click(panel.one('tab-files'));
    return panel;
  };

  it('lists every file with its tokens, its life and what was done to it', () => {
    const { wishes, answer, all } = opened();
    expect(wishes).toEqual([{ type: 'fetchFiles' }]);
    answer({ type: 'answered', data: [FILE, { ...FILE, title: 'b', edits: 0, again: 0 }] });
    expect(all('file').map(({ textContent }) => textContent)).toEqual([
      'src/zones.js≈\u00a0100read 2 times · changed once · needed again once',
      'b≈\u00a0100read 2 times',
    ]);
  });

  it('leads to the blocks that name the file', () => {
    const { answer, click, one, shownIds } = opened();
    answer({ type: 'answered', data: [FILE] });
    click(one('file-blocks'));
    expect(shownIds()).toEqual(['step-9']);
  });

  it('says that there are no files yet', () => {
    const { answer, one } = opened();
    answer({ type: 'answered', data: [] });
    expect(one('panel-files').textContent).toBe('No file was read or changed yet.');
  });
});
