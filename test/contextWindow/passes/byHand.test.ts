import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/contextWindow/event';
import { measure } from '../../../src/contextWindow/account/measure';
import { EMPTY_SCRATCHPAD } from '../../../src/contextWindow/scratchpad';
import { whyNotUndone } from '../../../src/contextWindow/passes/undoPass';
import { reasonText } from '../../../src/contextWindow/reasons';
import { countDots, dots, drawnEvents, foldNew, promptEvent } from '../../support/drawing';
import { passed } from '../support/planned';
import {
  SESSION,
  COMPACT,
  exclude,
  clear,
  restore,
  rewrite,
  undo,
  pinned,
  passOf,
  after,
  refusal,
  request,
  used,
  blockIn,
  decisionOn,
} from '../support/changeByHand';

describe('a change by hand', () => {
  it('is a pass with one decision, its numbers and its price', () => {
    const pass = passOf(SESSION, exclude('step-1'));
    expect(pass).toMatchObject({
      number: 1,
      trigger: 'byHand',
      policy: 'salience',
      before: { tokens: 745 },
      after: { tokens: 340 },
      cache: { freedTokens: 405, rewrittenTokens: 320 },
    });
    expect(
      pass.decisions.map(({ blockId, action, reason: { rule } }) => `${blockId} ${action} ${rule}`),
    ).toEqual([
      'prompt-1 keep keep:anchor',
      'step-1 evict excludedByUser',
      'step-2 keep keep:untouched',
      'prompt-2 keep keep:latestPrompt',
      'step-3 trim trimThinking',
      'step-4 keep keep:openStep',
    ]);
    expect(reasonText(pass.decisions[1]!)).toBe('Excluded by you');
  });

  it('removes later thinking, and its number is an estimate until the next count', () => {
    const counted: NewEvent = { type: 'windowCounted', tokens: 900, source: 'countTokens' };
    const events = after([...SESSION, counted], exclude('step-1'));
    expect(request(SESSION)).toContain('"thinking"');
    expect(request(events)).not.toContain('"thinking"');
    expect(measure(foldNew(events), countDots).used.exact).toBe(false);
    expect(foldNew([...events, { ...counted, tokens: 333 }]).ledger.at(0)!.certifiedTokens).toBe(
      333,
    );
  });

  it.each([
    ['exclude', exclude('step-1')],
    ['clear', clear('step-2')],
  ] as const)(
    '%s can be undone: the request is the same again, except for thinking',
    (_, change) => {
      const thoughtless = SESSION.filter(
        (event) => event.type !== 'replyReceived' || !JSON.stringify(event).includes('thinking'),
      ).filter((event) => event.type !== 'toolFinished' || event.toolUseId !== 'tool_2_3');
      const events = after(thoughtless, change);
      expect(request(events)).not.toBe(request(thoughtless));
      expect(request([...events, undo(1)])).toBe(request(thoughtless));
      expect(foldNew([...events, undo(1)]).decisions.size).toBe(0);
    },
  );

  it('shows and counts the current notes', () => {
    const notes: NewEvent = {
      type: 'scratchpadUpdated',
      scratchpad: {
        ...EMPTY_SCRATCHPAD,
        objective: dots(20),
      },
    };
    const events = [...SESSION, notes];
    const pass = passOf(events, exclude('step-2'));
    expect(pass.after.tokens).toBe(745 - 300 + 20 - 5);
    expect(used(after(events, exclude('step-2')))).toBe(pass.after.tokens);
  });
});

describe('excluding a block', () => {
  it('excludes a step with its pairs and keeps the reason', () => {
    const events = after(SESSION, exclude('step-2'));
    expect(blockIn(events, 'step-2').state).toBe('evicted');
    expect(request(events)).not.toContain('b.ts');
    expect(decisionOn(events, 'step-2')).toMatchObject({
      reason: { rule: 'excludedByUser' },
      wayBack: { handle: 'step-2' },
    });
  });

  it('excludes project memory, which no policy may remove', () => {
    const events = drawnEvents(
      '1 anchor task 10\n1 note lib/AGENTS.md 30\n1 read a.ts 10\n2 prompt b 1',
    );
    expect(blockIn(after(events, exclude('note-1')), 'note-1').state).toBe('evicted');
  });

  it('excludes a final reply, which has no unread results', () => {
    const events = drawnEvents('1 anchor task 10\n1 read a.ts 10\n1 reply done 30');
    expect(blockIn(after(events, exclude('step-2')), 'step-2').state).toBe('evicted');
  });

  it.each([
    ['prompt-1', 'This is the task, pinned so that it is in every request. Unpin it first.'],
    ['prompt-2', 'This is the newest prompt: without it the agent would not know what you asked.'],
    [
      'step-4',
      'The model has not read the results of this step yet. Try again after the next step.',
    ],
    ['step-9', 'There is no such block.'],
  ])('is refused for %s', (id, message) => {
    expect(refusal(SESSION, exclude(id))).toBe(message);
  });

  it('is refused for pinned blocks and blocks outside the window', () => {
    expect(refusal([...SESSION, pinned('step-1')], exclude('step-1'))).toBe(
      'This block is pinned. Unpin it first.',
    );
    expect(refusal(after(SESSION, exclude('step-1')), exclude('step-1'))).toBe(
      'This block is not in the window.',
    );
  });
});

describe('clearing results', () => {
  it('clears all results of the step; the calls stay', () => {
    const events = after(SESSION, clear('step-1'));
    expect(blockIn(events, 'step-1').state).toBe('cleared');
    expect(decisionOn(events, 'step-1')).toMatchObject({
      action: 'clear',
      reason: { rule: 'clearedByUser' },
      toolUseIds: ['tool_1_1'],
    });
    expect(request(events)).toContain('a.ts');
    expect(used(events)).toBe(745 - 400 - 5);
  });

  it('is refused without results, for cleared results, and if the placeholder is no smaller', () => {
    expect(refusal(SESSION, clear('prompt-2'))).toContain('newest prompt');
    const replied = [...drawnEvents('1 anchor task 1\n1 reply yes 9'), promptEvent('more')];
    expect(refusal(replied, clear('step-1'))).toBe('This block has no result to clear.');
    expect(refusal(after(SESSION, clear('step-1')), clear('step-1'))).toBe(
      'Its results are already cleared.',
    );
    const empty = [...drawnEvents('1 anchor task 1\n1 read a.ts 0'), promptEvent('more')];
    expect(refusal(empty, clear('step-1'))).toBe(
      'Nothing was cleared: the step takes ≈ 0 tokens now and would take ≈ 0 with placeholders instead of results.',
    );
    expect(refusal([...SESSION, pinned('step-1')], clear('step-1'))).toContain('Unpin it first');
    expect(refusal(after(SESSION, exclude('step-1')), clear('step-1'))).toContain(
      'not in the window',
    );
  });
});

describe('rewriting a summary', () => {
  const left = passed(SESSION, COMPACT);

  it('replaces the text and marks it, until it is undone', () => {
    const events = after(left, rewrite('summary-1', '  Mine. '));
    expect(blockIn(events, 'summary-1')).toMatchObject({
      text: 'Mine.',
      editedByUser: true,
      state: 'whole',
    });
    expect(request(events)).toContain('Mine.');
    expect(decisionOn(events, 'summary-1')).toBeUndefined();
    expect(request([...events, undo(2)])).toBe(request(left));
    expect('editedByUser' in blockIn([...events, undo(2)], 'summary-1')).toBe(false);
  });

  it('keeps the new text after the summary was excluded and restored', () => {
    const events = after(
      left,
      rewrite('summary-1', 'Mine.'),
      exclude('summary-1'),
      restore('summary-1'),
    );
    expect(blockIn(events, 'summary-1')).toMatchObject({ text: 'Mine.', state: 'whole' });
  });

  it('does nothing if the text is the same', () => {
    expect(refusal(left, rewrite('summary-1', 'Done so far.'))).toBe('nothing');
  });

  it('is refused for other blocks, outside the window, for an empty text, and for a text larger than the covered blocks', () => {
    expect(refusal(left, rewrite('step-4', 'x'))).toBe('Only a summary can be rewritten.');
    expect(refusal(left, rewrite('summary-9', 'x'))).toBe('There is no such block.');
    expect(refusal(left, rewrite('summary-1', ' \n'))).toBe(
      'A summary cannot be empty. To remove it from the window, exclude it.',
    );
    const gone = after(left, exclude('summary-1'));
    expect(refusal(gone, rewrite('summary-1', 'x'))).toBe(
      'This summary is not in the window. Restore it first.',
    );
    const { covers } = blockIn(left, 'summary-1') as { covers?: readonly string[] };
    expect(covers).toEqual(['step-1', 'step-2']);
    expect(refusal(left, rewrite('summary-1', dots(699)))).toBe('plan');
    expect(refusal(left, rewrite('summary-1', dots(700)))).toBe(
      'The summary was not changed: your text takes ≈ 700 tokens, the blocks it replaces ≈ 700. Write less, or restore the blocks.',
    );
    expect(refusal(left, rewrite('summary-1', dots(699)), 700)).toContain('Compact Now');
  });
});

describe('passes and changes by hand', () => {
  it('are undone newest first if they changed the same block', () => {
    const events = after(passed(SESSION, COMPACT), restore('step-1'));
    expect(whyNotUndone(foldNew(events), 1)).toBe(
      'Change 1 changed blocks that pass 1 had changed. Undo that one first.',
    );
    expect(request([...events, undo(2), undo(1)])).toContain('a.ts');
    const apart = after(SESSION, exclude('step-1'), exclude('step-2'));
    expect(whyNotUndone(foldNew(apart), 1)).toBeUndefined();
    expect(blockIn([...apart, undo(1)], 'step-1').state).toBe('whole');
    expect(blockIn([...apart, undo(1)], 'step-2').state).toBe('evicted');
  });
});

describe('a refault', () => {
  it('is not counted if the agent reads content that the user excluded', () => {
    const read = drawnEvents('2 read a.ts 400').slice(-2);
    expect(foldNew([...after(SESSION, exclude('step-1')), ...read]).refaults.toArray()).toEqual([]);
  });
});
