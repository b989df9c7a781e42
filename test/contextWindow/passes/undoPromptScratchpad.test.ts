import { describe, expect, it } from 'vitest';
import { scratchpadSteps } from '../../../src/contextWindow/passes/reminder';
import type { BlockId } from '../../../src/contextWindow/block';
import { LOG_VERSION } from '../../../src/contextWindow/event';
import {
  drawnEvents,
  evicting,
  promptEvent,
  scratchpadEvent,
  stepEvents,
} from '../../support/drawing';
import { SESSION, Scene, scene } from '../support/undoPromptScene';

describe('the scratchpad', () => {
  it('is as it was before the prompt, and the prefix stays', () => {
    const before = new Scene([...SESSION.slice(0, -5), scratchpadEvent('one')]);
    const [prompt, ...rest] = SESSION.slice(-5);
    const after = new Scene([
      ...SESSION.slice(0, -5),
      scratchpadEvent('one'),
      prompt!,
      ...rest,
      scratchpadEvent('two'),
    ]);
    after.undoPrompt();
    expect(after.window.scratchpad.objective).toBe('one');
    expect(after.sent).toBe(before.sent);
    expect(after.window.ledger.at(-1)?.pass.cache.rewrittenTokens).toBe(0);
    expect(after.undo().window.scratchpad.objective).toBe('two');
  });

  it('is shown as before if a pass since the prompt has shown it', () => {
    const after = scene(scratchpadEvent('two·····'), evicting('step-1'));
    expect(after.sent).toContain('two·····');
    after.undoPrompt();
    expect(after.sent).not.toContain('two');
    expect(after.window.shownScratchpad).toBe('');
    expect(after.undo().sent).toContain('two·····');
  });

  it('that changed since stays as it is when the prompt comes back', () => {
    const after = scene(scratchpadEvent('two')).undoPrompt();
    after.add(scratchpadEvent('three', true)).undo();
    expect(after.window.scratchpad.objective).toBe('three');
  });
});

describe('the rules block', () => {
  it('moves to the front when its task is undone, and the pass says so', () => {
    const after = new Scene([
      {
        type: 'sessionStarted',
        version: LOG_VERSION,
        sessionId: 's',
        pinTaskAnchor: true,
        standingRules: true,
      },
      promptEvent('Never rename a file.'),
      ...drawnEvents('1 read a.ts 40').slice(1),
      promptEvent('Now the parser.'),
      ...stepEvents([], 'The parser is fixed.'),
      promptEvent('And its tests.'),
      { type: 'anchorMoved', blockId: 'prompt-2' as BlockId },
      evicting('prompt-1', 'step-1'),
    ]);
    const { sent } = after;
    expect(sent.indexOf('Now the parser.')).toBeLessThan(sent.indexOf('Never rename a file.'));
    after.undoPrompt('prompt-2');
    expect(after.sent).toContain('Never rename a file.');
    const { pass } = after.window.ledger.at(-1)!;
    expect(pass.undonePrompt?.showsScratchpad).toBe(true);
    expect(after.window.scratchpadBehindAnchor).toBe(false);
    expect(after.undo().sent).toBe(sent);
  });
});

describe('the age of the scratchpad', () => {
  it('is as it was before the prompt, without the undone steps', () => {
    const after = new Scene([
      ...SESSION.slice(0, -5),
      scratchpadEvent('one'),
      ...SESSION.slice(-5),
    ]);
    after.add(scratchpadEvent('two'));
    expect(scratchpadSteps(after.window)).toBe(0);
    after.undoPrompt();
    expect(after.window.scratchpadAge.writtenAt).toBe(1);
    expect(scratchpadSteps(after.window)).toBe(0);
    after.undo();
    expect(after.window.scratchpadAge.writtenAt).toBe(3);
  });

  it('ends with an undone reminder', () => {
    const source = { from: 'reminder', because: 'age', steps: 3 } as const;
    const reminder = { source, text: '[Reminder]', admission: { form: 'whole' } } as const;
    const after = scene({ type: 'noteAdded', ...reminder });
    expect(after.window.scratchpadAge.isReminded).toBe(true);
    expect(after.undoPrompt().window.scratchpadAge.isReminded).toBe(false);
    expect(after.undo().window.scratchpadAge.isReminded).toBe(true);
  });
});
