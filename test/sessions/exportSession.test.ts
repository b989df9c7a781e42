import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BlockId, ToolUseId } from '../../src/contextWindow/block';
import { withInputBudget } from '../../src/contextWindow/budget';
import type { NewEvent, SessionEvent } from '../../src/contextWindow/event';
import { exportSession } from '../../src/sessions/exportSession';
import { passThat } from '../support/drawing';
import { smallBudget } from '../support/smallBudget';
import { tempFolder } from '../tools/support/tempFolder';
import { asLog, callsTools, dated, finished, prompt, started } from './support/sampleEvents';

const interrupted: NewEvent = {
  ...finished('b'),
  origin: 'interrupted',
  isError: true,
} as NewEvent;

/** A pass that changed step 1. */
function passOf(action: 'evict' | 'clear'): NewEvent {
  const event = passThat(action, ['step-1']);
  if (event.type !== 'passApplied') throw new Error('no pass');
  const budget = withInputBudget(smallBudget(), 5_000);
  const decisions = event.pass.decisions.map((decision) => ({
    ...decision,
    toolUseIds: ['a' as ToolUseId],
  }));
  return { ...event, pass: { ...event.pass, budget, decisions } };
}

const EVENTS = dated(
  started,
  prompt('Fix it'),
  callsTools('a', 'b'),
  finished('a'),
  interrupted,
  {
    type: 'noteAdded',
    source: { from: 'memory', path: 'lib' },
    text: 'Use tabs.',
    admission: { form: 'whole' },
  },
  prompt('And now that'),
  callsTools('c'),
  finished('c'),
  passOf('evict'),
);

function exported(format: Parameters<typeof exportSession>[1], events = EVENTS) {
  const file = join(tempFolder({ 'log.jsonl': asLog(events) }), 'log.jsonl');
  const result = exportSession(file, format);
  if (!result.ok) throw new Error(result.message);
  return { text: result.bytes.toString('utf8'), file };
}

interface Exported {
  readonly blocks: readonly {
    readonly id: string;
    readonly state: string;
    readonly parts: readonly {
      readonly type: string;
      readonly synthetic: string | false;
      readonly text?: string;
    }[];
  }[];
}

function blocksIn(events = EVENTS): Exported['blocks'] {
  return (JSON.parse(exported('json', events).text) as Exported).blocks;
}

describe('an exported session', () => {
  it('is the log byte for byte', () => {
    const { text, file } = exported('jsonl');
    expect(text).toBe(readFileSync(file, 'utf8'));
  });

  it('has every block with its whole text and the author of each part', () => {
    const blocks = blocksIn();
    expect(
      blocks.map(({ id, state, parts }) => [
        id,
        state,
        parts.map(({ type, synthetic }) => `${type} ${synthetic}`).join(', '),
      ]),
    ).toEqual([
      ['prompt-1', 'whole', 'text label, text false'],
      [
        'step-1',
        'evicted',
        'text false, toolUse false, toolUse false, toolResult false, toolResult interruptedResult',
      ],
      ['note-1', 'whole', 'text note'],
      ['prompt-2', 'whole', 'text false'],
      ['step-2', 'whole', 'text false, toolUse false, toolResult false'],
    ]);
    expect(blocks[0]?.parts[1]?.text).toBe('Fix it');
    expect(JSON.parse(exported('json').text)).toMatchObject({
      format: 'plimsoll-history',
      sessionId: 's-1',
      title: 'Fix it',
      passes: [{ number: 1 }],
    });
  });

  it('has the request for a summary and its answer', () => {
    const taken = passOf('evict') as Extract<NewEvent, { readonly type: 'passApplied' }>;
    const summary = {
      id: 'summary-1' as BlockId,
      covers: ['step-1' as BlockId],
      text: 'It looked.',
      writtenBy: { by: 'model', model: 'm' },
      exchange: {
        model: 'm',
        maxTokens: 9,
        system: 'Sum up.',
        content: [{ type: 'text', text: 'What happened.' }],
        answer: 'It looked, twice.',
      },
    } as const;
    const applied = { at: 9, ...taken, pass: { ...taken.pass, summaries: [summary] } };
    const events = [...EVENTS.slice(0, -1), applied as SessionEvent];
    expect(JSON.parse(exported('json', events).text)).toMatchObject({
      passes: [{ summaries: [summary] }],
    });
  });

  it('shows the shortened text that the window holds', () => {
    const cleared = { at: 9, ...passOf('clear') } as SessionEvent;
    const blocks = blocksIn([...EVENTS.slice(0, -1), cleared]);
    const placeholders = blocks.flatMap(({ parts }) =>
      parts.filter(({ synthetic }) => synthetic === 'placeholder'),
    );
    expect(placeholders.length).toBeGreaterThan(0);
    expect(placeholders[0]?.text).toContain('Result cleared');
  });

  it('is readable Markdown', () => {
    const { text } = exported('markdown');
    expect(text).toContain('## Task (turn 1)');
    expect(text).toContain('**Calls run_command**');
    expect(text).toContain('**Error of run_command** (Plimsoll: interruptedResult)');
    expect(text).toContain('*evicted: ');
  });
});
