import { describe, expect, it } from 'vitest';
import { isInWindow } from '../../../src/contextWindow/block';
import type { AgentController } from '../../../src/editor/session/agentController';
import { bringPromptBack, undoPrompt } from '../../../src/editor/session/undoPrompt';
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
  const { controller, seen } = scene(runTurn);
  for (const prompt of prompts) {
    controller.submit(prompt);
    await settled();
  }
  return { controller, seen };
}

const inWindow = ({ window }: AgentController) =>
  window.blocks.filter(isInWindow).map(({ id }) => id);

describe('taking the newest prompt back', () => {
  it('gives its text, and an undo brings it back', async () => {
    const { controller } = await asked(answers, 'one', 'two');
    expect(await undoPrompt(controller.shown, 'prompt-2', 1)).toEqual({
      ok: true,
      prompt: { text: 'two' },
    });
    expect(inWindow(controller)).toEqual(['prompt-1', 'step-1']);
    expect(bringPromptBack(controller.shown, 'prompt-1')).toBe('This prompt is not taken back.');
    expect(bringPromptBack(controller.shown, 'prompt-2')).toBeUndefined();
    expect(inWindow(controller)).toEqual(['prompt-1', 'step-1', 'prompt-2', 'step-2']);
    expect(bringPromptBack(controller.shown, 'prompt-2')).toBe('This prompt is not taken back.');
  });

  it('takes what is behind an older one along; each of them brings all of it back', async () => {
    for (const back of ['prompt-1', 'prompt-2']) {
      const { controller } = await asked(answers, 'one', 'two');
      expect(await undoPrompt(controller.shown, 'prompt-1', 2)).toEqual({
        ok: true,
        prompt: { text: 'one' },
      });
      expect(inWindow(controller)).toEqual([]);
      expect(bringPromptBack(controller.shown, back)).toBeUndefined();
      expect(inWindow(controller)).toHaveLength(4);
    }
  });

  it('is refused with other steps than were told', async () => {
    const { controller } = await asked(answers, 'one', 'two');
    expect(await undoPrompt(controller.shown, 'prompt-1', 1)).toMatchObject({ ok: false });
    expect(await undoPrompt(controller.shown, 'prompt-2', 0)).toEqual({
      ok: false,
      message: 'Nothing was taken back: more was answered meanwhile. Look again.',
    });
    expect(inWindow(controller)).toHaveLength(4);
  });

  it('stops a turn that waits for its first answer', async () => {
    const { controller, seen } = await asked(gate().runTurn, 'one');
    expect(controller.isBusy).toBe(true);
    expect(await undoPrompt(controller.shown, 'prompt-1', 0)).toEqual({
      ok: true,
      prompt: { text: 'one' },
    });
    expect([controller.isBusy, seen.outcomes]).toEqual([false, [{ type: 'stopped' }]]);
    expect(inWindow(controller)).toEqual([]);
    controller.submit('other');
    await settled();
    expect(controller.window.blocks.at(-1)).toMatchObject({ id: 'prompt-2', kind: 'anchor' });
    controller.stop();
  });

  it('does not stop a turn that has been answered, nor one with a prompt behind it', async () => {
    const { runTurn } = gate();
    const begun: RunTurn = async function* (deps, prompt, signal) {
      for (const event of stepEvents([{ id: 'toolu_x', name: 'a.ts', tokens: 9 }])) {
        deps.session.append(event);
      }
      return yield* runTurn(deps, prompt, signal);
    };
    const { controller } = await asked(begun, 'one');
    expect(await undoPrompt(controller.shown, 'prompt-1', 1)).toMatchObject({
      message: 'The agent is working on this prompt. Stop it before you take it back.',
    });
    controller.stop();
    const second = await asked(gate().runTurn, 'one', 'two');
    expect(await undoPrompt(second.controller.shown, 'prompt-1', 0)).toMatchObject({
      message: 'Another prompt waits behind this one. Send or delete that one first.',
    });
    expect(second.controller.isBusy).toBe(true);
    await second.controller.dispose();
  });
});
