// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { ToolView, TurnItem } from '../../../src/editor/conversation/state';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent, plain } from './drawAgent';

const read = (id: string, path: string, parts: Partial<ToolView> = {}): ToolView =>
  tool(id, { label: `read_file ${path}`, path, ...parts });
const search = (id: string): ToolView =>
  tool(id, { name: 'search', kind: 'search', label: 'search season' });
const run = (id: string): ToolView =>
  tool(id, { name: 'run_command', kind: 'command', label: 'run_command npm test' });

const drawn = (items: readonly TurnItem[]) =>
  drawAgent(conversation({ turns: [turn({ items, outcome: { type: 'finished' } })] }));

const READS = [
  step(1, 'I look.', [read('t1', 'a.js'), read('t2', 'b.js')]),
  step(2, '', [search('t3'), read('t4', 'a.js')]),
  step(3, '', [search('t5')]),
];

describe('successive reads and searches', () => {
  it('are one row over several steps, which names each file once', () => {
    const agent = drawn(READS);
    expect(plain(agent.get('folded-reads').textContent!)).toBe('Read 2 files, searched twice');
    expect(agent.all('tool-row')).toEqual([]);
    expect(agent.get('turns').dataset['count']).toBe('3');
  });

  it('open to the calls of their steps, each with a way back to it', () => {
    const agent = drawn(READS);
    const button = agent.get('folded-reads').querySelector('button')!;
    expect(button.getAttribute('aria-expanded')).toBe('false');
    agent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(button.getAttribute('aria-controls')!)!.hidden).toBe(false);
    const ids = agent.all('tool-row').map(({ dataset }) => dataset['toolUseId']);
    expect(ids).toEqual(['t1', 't2', 't3', 't4', 't5']);
    const steps = agent.all('step').map(({ dataset }) => dataset['step']);
    expect(steps).toEqual(['1', '2', '3']);
    expect(agent.all('go-back').map((back) => back.title)).toEqual([
      'Go back to the moment before step 2',
      'Go back to the moment before step 3',
    ]);
    agent.click(button);
    expect(agent.all('tool-row')).toEqual([]);
  });

  it('do not fold past a text, a command or a pass', () => {
    const pass = {
      type: 'pass',
      number: 1,
      name: 'Pass 1',
      trigger: 'manual',
      beforeTokens: 2,
      afterTokens: 1,
      exact: true,
    } as const;
    const agent = drawn([
      step(1, '', [read('t1', 'a.js'), read('t2', 'b.js'), run('t3'), read('t4', 'c.js')]),
      step(2, '', [read('t5', 'd.js')]),
      step(3, 'Next.', [read('t6', 'e.js')]),
      pass,
      step(4, '', [read('t7', 'f.js')]),
      step(5, '', [read('t8', 'g.js'), run('t9')]),
    ]);
    const folds = agent.all('folded-reads').map(({ textContent }) => plain(textContent!));
    expect(folds).toEqual(['Read 2 files', 'Read 2 files']);
    const rows = agent.all('tool-row').map(({ dataset }) => dataset['toolUseId']);
    expect(rows).toEqual(['t3', 't6', 't7', 't8', 't9']);
  });

  it.each([
    { state: 'running' },
    { state: 'failed', why: 'There is no such file.' },
    { allowedBy: ['any read'] },
    { kind: 'edit' },
  ] as const)('leave a call in sight that has more to say: %j', (parts) => {
    const agent = drawn([step(1, '', [read('t1', 'a.js'), read('t2', 'b.js', parts)])]);
    expect(agent.all('folded-reads')).toEqual([]);
    expect(agent.all('tool-row')).toHaveLength(2);
  });

  it('take in the next read once it is done, and stay open', () => {
    const items = [step(1, '', [read('t1', 'a.js'), read('t2', 'b.js')])];
    const agent = drawn(items);
    agent.click(agent.get('folded-reads').querySelector('button')!);
    const shown = (more: TurnItem) => conversation({ turns: [turn({ items: [...items, more] })] });
    agent.show(shown(step(2, '', [read('t3', 'c.js', { state: 'running' })])));
    expect(agent.get('folded-reads').dataset['count']).toBe('2');
    agent.show(shown(step(2, '', [read('t3', 'c.js')])));
    expect(agent.get('folded-reads').dataset['count']).toBe('3');
    expect(agent.all('tool-row')).toHaveLength(3);
  });
});
