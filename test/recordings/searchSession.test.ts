import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import { EMPTY_SCRATCHPAD } from '../../src/contextWindow/scratchpad';
import { hitsInSession } from '../../src/recordings/searchSession';
import { asLog, callsTools, dated, prompt, started } from '../sessions/support/sampleEvents';

const replies = (parts: readonly object[]) => ({ ...callsTools(), parts }) as NewEvent;
const says = (text: string) => replies([{ type: 'text', text }]);
const notes = (objective: string): NewEvent => ({
  type: 'scratchpadUpdated',
  scratchpad: { ...EMPTY_SCRATCHPAD, objective },
});
const hits = (words: string, ...events: readonly NewEvent[]) =>
  hitsInSession(asLog(dated(started, ...events)), words, 'session.jsonl').map(
    ({ step, where, excerpt }) => `${step} ${where}: ${excerpt}`,
  );

describe('a search in a session of Plimsoll', () => {
  it('finds the first place of each kind in each step', () => {
    expect(
      hits(
        'the MAST',
        prompt('Paint the mast. The mast is old.'),
        says('I paint the mast.'),
        replies([
          { type: 'text', text: 'On it.' },
          { type: 'toolUse', use: { id: 't1', name: 'run', input: { on: ['the mast'] } } },
        ]),
        prompt('The deck.'),
      ),
    ).toEqual([
      '0 prompt: Paint the mast. The mast is old.',
      '1 reply: I paint the mast.',
      '2 call: the mast',
    ]);
  });

  it('finds the scratchpad once, although each change stores it again', () => {
    expect(hits('calm', notes('Stay calm.'), notes('Stay calm and dry.'))).toEqual([
      '0 scratchpad: Stay calm.',
    ]);
  });

  it('shows the words in their context', () => {
    const [hit] = hits(
      '"quoted"\nwords',
      prompt(`${'a '.repeat(90)}"quoted"\nwords${' b'.repeat(90)}`),
    );
    expect(hit).toMatch(/^0 prompt: …(a )+"quoted" words( b)+…$/);
    expect(hit!.length).toBeLessThan(140);
  });

  it('finds quotes in the calls of agents that write JSON within JSON', () => {
    const call = {
      type: 'response_item',
      payload: {
        type: 'function_call',
        name: 'shell',
        call_id: 'c1',
        arguments: JSON.stringify({ command: 'echo "the mast"' }),
      },
    };
    const asked = {
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: 'Go' },
    };
    const text = [asked, call].map((line) => `${JSON.stringify(line)}\n`).join('');
    expect(hitsInSession(text, 'echo "the', 'rollout.jsonl')).toMatchObject([
      { step: 1, where: 'call', excerpt: 'echo "the mast"' },
    ]);
  });

  it('finds nothing in a file that is not a session', () => {
    expect(hitsInSession('# The mast', 'mast', 'notes.md')).toEqual([]);
  });
});
