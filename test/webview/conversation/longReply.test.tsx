// @vitest-environment happy-dom
import '../support/standardDom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Activity } from '../../../src/editor/conversation/state';
import { parser } from '../../../webview/kit/markdownHtml';
import { conversation, step, turn } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';

afterEach(() => vi.restoreAllMocks());

const HEAD = '| n | text |\n|---|---|\n';
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `| ${from + at} | **cell** of the table |\n`).join(
    '',
  );

const drawn = (text: string) =>
  drawAgent(conversation({ turns: [turn({ items: [step(1, text)] })] }));

const count = (agent: DrawnAgent, selector: string) =>
  agent.get('step').querySelectorAll(selector).length;

describe('a long reply', () => {
  it('shows the first rows of a table, and more with each click', () => {
    const agent = drawn(`Before\n\n${HEAD}${rows(0, 9_000)}\nAfter`);
    expect(count(agent, 'table')).toBe(1);
    expect(count(agent, 'td')).toBe(100);
    expect(agent.text('markdown-more')).toBe('Show more (8,950 rows)');
    expect(agent.text('step')).toContain('After');
    agent.click('markdown-more');
    expect(count(agent, 'tbody tr')).toBe(300);
    expect(agent.get('step').querySelectorAll('tbody tr')[299]?.textContent).toContain('299');
    expect(agent.text('markdown-more')).toBe('Show more (8,700 rows)');
  });

  it('shows all rows of a short table, without a button', () => {
    const agent = drawn(HEAD + rows(0, 50));
    expect(count(agent, 'tbody tr')).toBe(50);
    expect(agent.all('markdown-more')).toEqual([]);
  });

  const items = (length: number) => Array.from({ length }, (_, at) => `${at + 7}. item\n`).join('');

  it('shows a list whole that was written to be read', () => {
    const agent = drawn(items(400));
    expect(count(agent, 'li')).toBe(400);
    expect(agent.all('markdown-more')).toEqual([]);
  });

  it('shows the beginning of a longer list, and continues its numbers', () => {
    const agent = drawn(items(1_200));
    expect(count(agent, 'li')).toBe(500);
    agent.click('markdown-more');
    agent.click('markdown-more');
    expect(count(agent, 'li')).toBe(1_200);
    const starts = [...agent.get('step').querySelectorAll('ol')].map((list) => list.start);
    expect(starts).toEqual([7, 507, 1_007]);
    expect(agent.all('markdown-more')).toEqual([]);
  });

  it('shows the beginning of code verbatim', () => {
    const lines = Array.from({ length: 9_000 }, (_, at) => `<b>${at}</b> &amp;\n`);
    const agent = drawn(`\`\`\`html\n${lines.join('')}\`\`\`\n`);
    const code = () => agent.get('step').querySelector('pre code')!.textContent;
    expect(code()).toBe(lines.slice(0, 50).join(''));
    expect(agent.text('markdown-more')).toBe('Show more (8,950 lines)');
    agent.click('markdown-more');
    expect(code()).toBe(lines.slice(0, 300).join(''));
  });

  it('has no more elements than its beginning, for any kind of text', () => {
    const wide = `|${' a |'.repeat(40_000)}\n|${'---|'.repeat(40_000)}\n`;
    for (const text of [
      '- a\n'.repeat(80_000),
      '> '.repeat(80_000),
      wide,
      `x${'*a* '.repeat(80_000)}`,
    ]) {
      const agent = drawn(text);
      expect(count(agent, '*')).toBeLessThan(700);
      expect(agent.all('markdown-more').length).toBeGreaterThan(0);
      agent.get('step').closest<HTMLElement>('.agent')!.parentElement!.remove();
    }
  });
});

describe('a long reply while it is written', () => {
  const asking: Activity = { state: 'asking', since: 0 };
  const stream = (agent: DrawnAgent, text: string): void => {
    agent.say({ type: 'replyStreamed', step: 1, text });
    agent.frame();
  };

  it('neither parses nor redraws its finished parts again', () => {
    const agent = drawAgent(conversation({ turns: [turn()], activity: asking }));
    stream(agent, `# Title\n\nText **b**.\n\n- a\n- b\n\n${HEAD}${rows(0, 60)}`);
    const settled = [...agent.get('step').querySelectorAll('h1, strong, li, thead, td')];
    expect(settled).toHaveLength(155);
    const read = vi.spyOn(parser.block, 'parse');
    for (let at = 60; at < 2_000; at += 10) stream(agent, rows(at, at + 10));
    expect(read).not.toHaveBeenCalled();
    expect([...agent.get('step').querySelectorAll('h1, strong, li, thead, td')]).toEqual(settled);
    expect(settled.every((element) => element.isConnected)).toBe(true);
    expect(agent.text('markdown-more')).toBe('Show more (1,950 rows)');
  });

  it('shows the line being written', () => {
    const agent = drawAgent(conversation({ turns: [turn()], activity: asking }));
    stream(agent, `${HEAD}| 1 | b`);
    expect(agent.get('step').querySelector('td:last-child')?.textContent).toBe('b');
    stream(agent, 'c |\n\nThen **x');
    expect(agent.get('step').querySelector('td:last-child')?.textContent).toBe('bc');
    expect(agent.text('step')).toContain('Then **x');
  });
});
