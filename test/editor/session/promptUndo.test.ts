import { describe, expect, it } from 'vitest';
import { isInWindow } from '../../../src/contextWindow/block';
import type { CurrentSession } from '../../../src/editor/session/currentSession';
import { restorePrompt, undoPrompt } from '../../../src/editor/session/promptUndo';
import { stepEvents } from '../../support/drawing';
import { finishes, gate, scene, settled, type RunTurn } from '../support/controllerScene';

let calls = 0;

/** A turn that takes one step. */
const answers: RunTurn = async function* (deps) {
  for (const event of stepEvents([{ id: `toolu_${++calls}`, name: 'a.ts', tokens: 9 }])) {
    deps.session.append(event);
  }
  return yield* finishes(deps, { text: '' }, new AbortController().signal);
};

async function asked(runTurn: RunTurn, ...prompts: readonly string[]) {
  const { current, seen } = scene(runTurn);
  for (const prompt of prompts) {
    current.run.submit(prompt);
    await settled();
  }
  return { current, seen };
}

const inWindow = ({ run }: CurrentSession) =>
  run.window.blocks.filter(isInWindow).map(({ id }) => id);

describe('undoing a prompt', () => {
  it('returns its text, and can be undone itself', async () => {
    const { current } = await asked(answers, 'one', 'two');
    expect(await undoPrompt(current.run, 'prompt-2', 1)).toEqual({
      ok: true,
      prompt: { text: 'two' },
    });
    expect(inWindow(current)).toEqual(['prompt-1', 'step-1']);
    expect(restorePrompt(current.run, 'prompt-1')).toBe('This prompt is not undone.');
    expect(restorePrompt(current.run, 'prompt-2')).toBeUndefined();
    expect(inWindow(current)).toEqual(['prompt-1', 'step-1', 'prompt-2', 'step-2']);
    expect(restorePrompt(current.run, 'prompt-2')).toBe('This prompt is not undone.');
  });

  it('includes later prompts; undoing any of them restores all', async () => {
    for (const back of ['prompt-1', 'prompt-2']) {
      const { current } = await asked(answers, 'one', 'two');
      expect(await undoPrompt(current.run, 'prompt-1', 2)).toEqual({
        ok: true,
        prompt: { text: 'one' },
      });
      expect(inWindow(current)).toEqual([]);
      expect(restorePrompt(current.run, back)).toBeUndefined();
      expect(inWindow(current)).toHaveLength(4);
    }
  });

  it('is refused if the number of steps has changed', async () => {
    const { current } = await asked(answers, 'one', 'two');
    expect(await undoPrompt(current.run, 'prompt-1', 1)).toMatchObject({ ok: false });
    expect(await undoPrompt(current.run, 'prompt-2', 0)).toEqual({
      ok: false,
      message: 'Nothing was undone: the session has more steps by now. Look again.',
    });
    expect(inWindow(current)).toHaveLength(4);
  });

  it('stops a turn that waits for its first answer', async () => {
    const { current, seen } = await asked(gate().runTurn, 'one');
    expect(current.run.isBusy).toBe(true);
    expect(await undoPrompt(current.run, 'prompt-1', 0)).toEqual({
      ok: true,
      prompt: { text: 'one' },
    });
    expect([current.run.isBusy, seen.outcomes]).toEqual([false, [{ type: 'stopped' }]]);
    expect(inWindow(current)).toEqual([]);
    current.run.submit('other');
    await settled();
    expect(current.run.window.blocks.at(-1)).toMatchObject({ id: 'prompt-2', kind: 'anchor' });
    current.run.stop();
  });

  it('stops neither an answered turn nor one with a waiting prompt', async () => {
    const { runTurn } = gate();
    const begun: RunTurn = async function* (deps, prompt, signal) {
      for (const event of stepEvents([{ id: 'toolu_x', name: 'a.ts', tokens: 9 }])) {
        deps.session.append(event);
      }
      return yield* runTurn(deps, prompt, signal);
    };
    const { current } = await asked(begun, 'one');
    expect(await undoPrompt(current.run, 'prompt-1', 1)).toMatchObject({
      message: 'The agent is working on this prompt. Stop it before you undo it.',
    });
    current.run.stop();
    const second = await asked(gate().runTurn, 'one', 'two');
    expect(await undoPrompt(second.current.run, 'prompt-1', 0)).toMatchObject({
      message: 'Another prompt waits after this one. Send or delete that one first.',
    });
    expect(second.current.run.isBusy).toBe(true);
    await second.current.stop();
  });
});
