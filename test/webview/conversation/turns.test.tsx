// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { ToolView } from '../../../src/editor/conversation/state';
import { conversation, step, tool, turn } from './conversations';
import { drawAgent, plain, type DrawnAgent } from './drawAgent';

/** Draws one turn whose only step calls one tool. */
function drawTool(parts: Partial<ToolView> = {}): DrawnAgent {
  const items = [step(1, '', [tool('t1', parts)])];
  return drawAgent(conversation({ turns: [turn({ items })] }));
}

const line = (agent: DrawnAgent): HTMLElement => agent.get('tool-row').querySelector('button')!;

const open = (agent: DrawnAgent): void => agent.click(line(agent));

/** A pass within a turn. */
const pass = {
  type: 'pass',
  number: 2,
  name: 'Pass 2',
  trigger: 'highWatermark',
  beforeTokens: 21_604,
  afterTokens: 12_980,
  exact: true,
} as const;

describe('a turn', () => {
  it('shows the prompt, then its steps and passes in the order they came', () => {
    const agent = drawAgent(
      conversation({
        turns: [
          turn({
            prompt: 'Fix it.\n  Please.',
            items: [step(1, 'Looking.'), pass, step(2, '**Done.**')],
          }),
        ],
      }),
    );
    expect(agent.get('turn').querySelector('.prompt')?.textContent).toBe('Fix it.\n  Please.');
    const order = [...agent.get('turn').querySelectorAll<HTMLElement>('[data-testid]')];
    expect(order.map((element) => element.dataset['testid'])).toEqual([
      'undo-prompt',
      'step',
      'pass-row',
      'pass-open',
      'step',
      'go-back',
    ]);
    expect(agent.all('step')[1]?.querySelector('strong')?.textContent).toBe('Done.');
  });

  it('that simply finished says only what it took', () => {
    const usage = {
      inputTokens: 48_210,
      cacheReadTokens: 36_000,
      outputTokens: 1_203,
      cost: '$0.0123',
      elapsedMs: 41_000,
    };
    const agent = drawAgent(
      conversation({ turns: [turn({ usage, outcome: { type: 'finished' } })] }),
    );
    expect(agent.all('turn-outcome')).toEqual([]);
    expect([...agent.get('turn-usage').children].map((part) => plain(part.textContent!))).toEqual([
      '48,210 tokens in',
      '36,000 of them from cache',
      '1,203 out',
      '$0.0123',
      '41 s',
    ]);
  });

  it('that ended otherwise says how', () => {
    const outcome = { type: 'stopped', message: 'Stopped by you.' };
    const agent = drawAgent(conversation({ turns: [turn({ outcome })] }));
    expect(agent.text('turn-outcome')).toBe('Stopped by you.');
    expect(agent.get('turn-outcome').dataset['outcome']).toBe('stopped');
  });

  it('that runs counts tokens as they come and leaves the time to the activity', () => {
    const usage = {
      inputTokens: 900,
      cacheReadTokens: 0,
      outputTokens: 20,
      cost: 'price unknown',
      elapsedMs: 5_000,
    };
    const agent = drawAgent(conversation({ turns: [turn({ usage })] }));
    expect(agent.text('turn-usage')).toBe('900 tokens in20 outprice unknown');
  });

  it('that has not been answered has no footer', () => {
    expect(drawAgent(conversation({ turns: [turn()] })).all('turn-footer')).toEqual([]);
  });
});

describe('a pass', () => {
  it('says why it ran and what it freed', () => {
    const agent = drawAgent(conversation({ turns: [turn({ items: [pass] })] }));
    const parts = [...agent.get('pass-row').querySelectorAll('.parts > span')];
    expect(parts.map((part) => plain(part.textContent!))).toEqual([
      'Pass 2',
      'high watermark',
      '21,604 → 12,980 tokens',
    ]);
  });

  it('says what it shows of files', () => {
    const items = [{ ...pass, shows: '47 lines of 2 files' }];
    const agent = drawAgent(conversation({ turns: [turn({ items })] }));
    const parts = [...agent.get('pass-row').querySelectorAll('.parts > span')];
    expect(parts.at(-1)?.textContent).toBe('shows 47 lines of 2 files');
  });

  it('marks estimates', () => {
    const items = [{ ...pass, exact: false }];
    const agent = drawAgent(conversation({ turns: [turn({ items })] }));
    expect(agent.text('pass-row')).toContain('≈ 21,604 → ≈ 12,980 tokens');
  });

  it('passes on a trigger in the words of the host', () => {
    const items = [{ ...pass, trigger: 'switched model' }];
    const agent = drawAgent(conversation({ turns: [turn({ items })] }));
    expect(agent.text('pass-row')).toContain('switched model');
  });

  it('leads to the Context panel', () => {
    const agent = drawAgent(conversation({ turns: [turn({ items: [pass] })] }));
    agent.click('pass-open');
    expect(agent.wishes).toEqual([{ type: 'openContextPanel' }]);
  });
});

describe('a tool row', () => {
  it('shows the call, its state and the time it took', () => {
    const agent = drawTool({ state: 'failed', elapsedMs: 2_340 });
    const row = agent.get('tool-row');
    expect(row.dataset['toolUseId']).toBe('t1');
    expect(row.dataset['state']).toBe('failed');
    expect(plain(row.textContent!)).toBe('Read src/loadLine.js' + 'failed' + '2.3 s');
  });

  it('says which files that outlast the session a command changed', () => {
    const lasting = 'The command changed files that outlast the session: AGENTS.md (new).';
    expect(drawTool({ lasting }).text('tool-lasting')).toBe(lasting);
    expect(drawTool().all('tool-lasting')).toEqual([]);
  });

  it('says why it failed or was denied without being opened', () => {
    const agent = drawTool({ state: 'denied', why: 'use v2' });
    const why = agent.get('tool-why');
    expect(why.textContent).toBe('use v2');
    expect(line(agent).getAttribute('aria-describedby')).toBe(why.id);
    expect(line(agent).getAttribute('aria-expanded')).toBe('false');
    expect(drawTool().all('tool-why')).toEqual([]);
  });

  it('keeps the file of a path apart, which stays when its folders are cut', () => {
    const agent = drawTool({ label: 'read_file src/deep/loadLine.js 1-40' });
    const row = agent.get('tool-row');
    expect(row.querySelector('.path-folder')?.textContent).toBe('src/deep');
    expect(row.querySelector('.path-file')?.textContent).toBe('/loadLine.js 1-40');
  });

  it('keeps quiet about success', () => {
    expect(plain(drawTool().get('tool-row').textContent!)).not.toContain('done');
  });

  it.each(['waiting', 'running', 'failed', 'denied', 'stopped'] as const)(
    'says the word %s',
    (state) => {
      expect(drawTool({ state }).get('tool-row').textContent).toContain(state);
    },
  );

  it('opens to the arguments and asks for the result once', () => {
    const agent = drawTool();
    expect(line(agent).getAttribute('aria-expanded')).toBe('false');
    expect(agent.all('tool-arguments')).toEqual([]);
    open(agent);
    expect(line(agent).getAttribute('aria-expanded')).toBe('true');
    expect(agent.get('tool-arguments').textContent).toBe('{\n  "path": "src/loadLine.js"\n}');
    expect(agent.get('tool-result').textContent).toBe('Loading…');
    open(agent);
    open(agent);
    expect(agent.wishes).toEqual([{ type: 'fetchResult', toolUseId: 't1' }]);
  });

  it('shows the fetched result, whole and verbatim', () => {
    const agent = drawTool();
    open(agent);
    agent.answer({ type: 'answered', data: 'a\n  b <c>\n' });
    expect(agent.get('tool-result').textContent).toBe('a\n  b <c>\n');
    expect(agent.text('tool-row')).toContain('Result · 1,830 characters');
  });

  it('asks for a result again after a refusal', () => {
    const agent = drawTool();
    open(agent);
    agent.answer({ type: 'refused', message: 'Busy.' });
    open(agent);
    open(agent);
    expect(agent.wishes).toHaveLength(2);
  });

  it('asks for no result where there is none yet, and for it once there is', () => {
    const running = { state: 'running', resultChars: undefined } as const;
    const { resultChars: _, ...unfinished } = { ...tool('t1'), ...running };
    const shown = (parts: ToolView) =>
      conversation({ turns: [turn({ items: [step(1, '', [parts])] })] });
    const agent = drawAgent(shown(unfinished));
    open(agent);
    expect(agent.wishes).toEqual([]);
    agent.show(shown(tool('t1')));
    expect(agent.wishes).toEqual([{ type: 'fetchResult', toolUseId: 't1' }]);
  });

  const sentence = (parts: Partial<ToolView>) =>
    drawTool(parts).get('tool-row').querySelector('.tool-label')?.textContent;

  it.each<[Partial<ToolView>, string]>([
    [{ state: 'done' }, 'Read src/loadLine.js'],
    [{ state: 'running', resultChars: undefined } as Partial<ToolView>, 'Reading src/loadLine.js'],
    [{ name: 'run_command', kind: 'command', label: 'npm test', state: 'done' }, 'Ran npm test'],
    [{ name: 'run_command', kind: 'command', label: 'npm test', state: 'failed' }, 'Ran npm test'],
    [{ name: 'run_command', kind: 'command', label: 'npm test', state: 'denied' }, 'Run npm test'],
    [{ name: 'edit_file', kind: 'edit', label: 'edit_file a.js', state: 'done' }, 'Edited a.js'],
    [{ name: 'move_file', kind: 'write', label: 'move_file a.js' }, 'move_file a.js'],
    [{ name: 'weigh', kind: 'other', label: 'weigh anchor' }, 'weigh anchor'],
  ])('%j is the sentence %s', (parts, words) => {
    expect(sentence(parts)).toBe(words);
  });

  it('shows the last lines of a failed command and the first changed lines of an edit', () => {
    const failed = { kind: 'command', state: 'failed', tail: ['FAIL season', '9 failed'] } as const;
    expect(drawTool(failed).get('tool-tail').textContent).toBe('FAIL season\n9 failed');
    const diff = [' const a = 1;', '-let b;', '+let c;', '+let d;', '+let e;', '+let f;'];
    const edited = drawTool({ kind: 'edit', state: 'done', diff });
    expect(plain(edited.get('first-lines').textContent!)).toContain('let c;');
    expect(edited.get('first-lines').textContent).not.toContain('let f;');
    expect(drawTool({ kind: 'edit', state: 'denied', diff }).all('first-lines')).toEqual([]);
  });

  it('hides the numbers of a turn behind …', () => {
    const usage = {
      inputTokens: 900,
      cacheReadTokens: 0,
      outputTokens: 20,
      cost: '$0.01',
      elapsedMs: 5_000,
    };
    const agent = drawAgent(conversation({ turns: [turn({ usage })] }));
    expect(agent.get('turn-usage').closest('details')?.open).toBe(false);
  });
});
