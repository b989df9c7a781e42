import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/contextWindow/block';
import { recallList, recallText } from '../../../src/contextWindow/blockText';
import { firstOfNewest, latestPrompt, turnsUndone } from '../../../src/contextWindow/window';
import type { NewEvent } from '../../../src/contextWindow/event';
import { restoreByHand, whyNotBack } from '../../../src/contextWindow/passes/byHand';
import { staysFrom } from '../../../src/contextWindow/passes/rungs/recentTurns';
import {
  effectsOfPrompt,
  undoPromptByHand,
  whyNotUndoPrompt,
} from '../../../src/contextWindow/passes/undoPrompt';
import { whyNotUndone } from '../../../src/contextWindow/passes/undoPass';
import { toRequest } from '../../../src/contextWindow/request/request';
import { reasonText } from '../../../src/contextWindow/reasons';
import { drawnEvents, evicting, noteEvent, passThat, promptEvent } from '../../support/drawing';
import { SESSION, Scene, scene } from '../support/undoPromptScene';

describe('an undone prompt', () => {
  it('is removed with everything it led to, and the request is the one before it, byte for byte', () => {
    const before = new Scene(SESSION.slice(0, -5));
    const after = scene(noteEvent('src/AGENTS.md', 'Be brief.')).undoPrompt();
    expect(after.inWindow).toEqual(['prompt-1', 'step-1']);
    expect(after.sent).toBe(before.sent);
    expect(latestPrompt(after.window)?.id).toBe('prompt-1');
    const { pass } = after.window.ledger.at(-1)!;
    expect(pass).toMatchObject({
      trigger: 'byHand',
      undonePrompt: { turn: 2 },
      cache: { rewrittenTokens: 0 },
    });
    expect(pass.before.tokens - pass.after.tokens).toBeGreaterThanOrEqual(60);
  });

  it('has numbers that are not used again', () => {
    const after = scene().undoPrompt().add(promptEvent('Rather this.'));
    expect(after.inWindow).toEqual(['prompt-1', 'step-1', 'prompt-3']);
    expect(after.sent).not.toContain('next');
    expect(after.sent).not.toContain('left the context window');
  });

  it('returns only by an undo of the change, unchanged', () => {
    const before = scene();
    const { sent } = before;
    before.undoPrompt();
    expect(reasonText(before.window.decisions.get('prompt-2' as BlockId)!)).toBe('Undone by you');
    expect(reasonText(before.window.decisions.get('step-3' as BlockId)!)).toBe(
      'It came after a prompt that you undid',
    );
    for (const id of ['prompt-2', 'step-2', 'step-3']) {
      expect(whyNotBack(before.window, before.block(id))).toMatch(/^You undid its prompt/);
      expect(restoreByHand(before.facts, id).ok).toBe(false);
      expect(recallText(before.window, id)).toBeUndefined();
    }
    expect(recallList(before.window)).toBe('');
    before.add({ type: 'anchorMoved', blockId: 'prompt-2' as BlockId });
    before.add({ type: 'blockPinned', blockId: 'step-2' as BlockId });
    expect(before.inWindow).toEqual(['prompt-1', 'step-1']);
    before.undo();
    expect(before.sent).toBe(sent);
    expect(before.window.blocks.every(({ state }) => state === 'whole')).toBe(true);
    expect(before.window.decisions.size).toBe(0);
  });

  it('comes back in its place if another prompt was sent since', () => {
    const after = scene().undoPrompt().add(promptEvent('Rather this.')).undo();
    expect(after.inWindow).toEqual([
      'prompt-1',
      'step-1',
      'prompt-2',
      'step-2',
      'step-3',
      'prompt-3',
    ]);
  });

  it('was the task: nothing is left, and the next prompt is the task', () => {
    const after = new Scene(drawnEvents('1 anchor task 10\n1 read a.ts 40')).undoPrompt();
    expect(toRequest(after.window).messages).toEqual([]);
    after.add(promptEvent('Rather this.'));
    expect(after.block('prompt-2')).toMatchObject({ kind: 'anchor', pinned: true });
    after.undo();
    expect(after.block('prompt-1')).toMatchObject({ kind: 'prompt', pinned: false });
    expect(after.window.blocks.filter(({ kind }) => kind === 'anchor')).toHaveLength(1);
  });

  it('was the task, and is the task again after an undo', () => {
    const first = new Scene(drawnEvents('1 anchor task 10\n1 read a.ts 40'));
    const { sent } = first;
    expect(first.undoPrompt().undo().sent).toBe(sent);
    expect(first.block('prompt-1')).toMatchObject({ kind: 'anchor', pinned: true });
  });

  it('can be followed by undoing the one before it', () => {
    expect(scene().undoPrompt().undoPrompt().inWindow).toEqual([]);
  });

  it('is any prompt that is not undone yet, and nothing else', () => {
    const { window, facts } = scene();
    const only = 'Only a prompt can be undone, and only once.';
    for (const id of ['step-1', 'prompt-9', '']) {
      expect(whyNotUndoPrompt(window, id)).toBe(only);
      expect(undoPromptByHand(facts, window, id)).toEqual({ ok: false, message: only });
    }
    expect(whyNotUndoPrompt(window, 'prompt-1')).toBeUndefined();
    const after = scene().undoPrompt();
    expect(whyNotUndoPrompt(after.window, 'prompt-2')).toBe(only);
  });

  it('removes every later prompt, and an undo restores only what it removed', () => {
    const third = scene().add(promptEvent('Third')).undoPrompt().add(promptEvent('Fourth'));
    const { window } = third;
    third.undoPrompt('prompt-1');
    expect(third.inWindow).toEqual([]);
    expect(third.window.ledger.at(-1)!.pass.undonePrompt).toMatchObject({ turn: 1, through: 4 });
    expect([...turnsUndone(third.window)]).toEqual([3, 1, 2, 4]);
    expect(whyNotUndone(third.window, window.ledger.at(-1)!.pass.number)).toMatch(/first/);
    third.undo();
    expect(third.inWindow).toEqual([
      'prompt-1',
      'step-1',
      'prompt-2',
      'step-2',
      'step-3',
      'prompt-4',
    ]);
    expect([...turnsUndone(third.window)]).toEqual([3]);
  });

  it('does not count among the newest turns', () => {
    const after = scene().undoPrompt().add(promptEvent('Rather this.'));
    const stays = (turns: number) =>
      staysFrom(firstOfNewest(after.window, turns), after.block('step-1'));
    expect([stays(2), stays(1)]).toEqual([true, false]);
  });

  it('lists what its calls did: changed files and commands, without denied calls', () => {
    const events = drawnEvents(`
      1 anchor task 10
      1 edit   a.ts 20
      1 edit   a.ts 20
      1 read   b.ts 20
      1 run    make 20
    `);
    expect(effectsOfPrompt(new Scene(events).window, 'prompt-1')).toEqual({
      prompts: 0,
      steps: 4,
      files: ['a.ts'],
      commands: 1,
    });
    const denied = events.map((event) =>
      event.type === 'toolFinished'
        ? { ...event, origin: 'denied' as const, isError: true }
        : event,
    );
    expect(effectsOfPrompt(new Scene(denied).window, 'prompt-1')).toMatchObject({
      files: [],
      commands: 0,
    });
  });
});

describe('a pass since the prompt', () => {
  it('stays, and the older blocks that it removed stay removed', () => {
    const after = scene(evicting('step-1', 'step-2')).undoPrompt();
    expect(after.inWindow).toEqual(['prompt-1']);
    expect(after.block('step-2').state).toBe('undone');
    expect(after.block('step-1').state).toBe('evicted');
    expect(after.undo().block('step-2').state).toBe('evicted');
  });

  it('comes back only after the prompt before it', () => {
    const after = scene().undoPrompt();
    const [first] = after.window.ledger;
    after.undoPrompt();
    expect(after.inWindow).toEqual([]);
    const number = first!.pass.number;
    expect(whyNotUndone(after.window, number)).toBe(
      'Change 2 undid an earlier prompt since. Undo that one first.',
    );
    after.add({ type: 'passUndone', number });
    expect(after.inWindow).toEqual([]);
    after.undo();
    expect(whyNotUndone(after.window, number)).toBeUndefined();
    after.add({ type: 'passUndone', number });
    expect(after.window.blocks.filter(({ kind }) => kind === 'anchor')).toHaveLength(1);
    expect(after.inWindow).toContain('prompt-2');
  });

  it('cannot be undone before the prompt is back', () => {
    const after = scene(passThat('evict', ['step-1', 'step-2'])).undoPrompt();
    after.add({ type: 'passUndone', number: 1 });
    expect(after.inWindow).toEqual(['prompt-1']);
  });

  it('whose summary covers the prompt and earlier blocks must be undone first', () => {
    const covers = ['step-1', 'prompt-2', 'step-2'] as BlockId[];
    const pass = passThat('evict', covers) as Extract<NewEvent, { type: 'passApplied' }>;
    const summary = {
      id: 'summary-1' as BlockId,
      covers,
      text: 'Both.',
      writtenBy: { by: 'workNote', because: 'a test' },
    } as const;
    const compacting: NewEvent = {
      ...pass,
      pass: {
        ...pass.pass,
        summaries: [summary],
        decisions: pass.pass.decisions.map((one) => ({ ...one, action: 'summarise' as const })),
      },
    };
    const after = scene(compacting);
    expect(whyNotUndoPrompt(after.window, 'prompt-2')).toMatch(/Undo pass 1 first\.$/);
    after.undo();
    expect(whyNotUndoPrompt(after.window, 'prompt-2')).toBeUndefined();
    expect(after.undoPrompt().inWindow).toEqual(['prompt-1', 'step-1']);
  });
});
