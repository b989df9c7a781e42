import { describe, expect, it } from 'vitest';
import { finishes, gate, settled, textsOf } from '../support/controllerScene';
import { DONE, refused, view } from '../support/agentViewScene';

const NO_KEY = { message: 'There is no key.' };

describe('a wish of the Agent view', () => {
  it('to submit a prompt is refused if there is a problem, which the user sees', async () => {
    const { wish, done, seen } = view(finishes, {}, NO_KEY);
    expect(await wish({ type: 'submitPrompt', text: 'Fix it' })).toEqual(refused(NO_KEY.message));
    expect([done, seen.prompts]).toEqual([['told: There is no key.'], []]);
  });

  it('to submit a prompt sends the prompt', async () => {
    const { wish, seen } = view();
    expect(await wish({ type: 'submitPrompt', text: 'Fix it' })).toEqual(DONE);
    await settled();
    expect(seen.prompts).toEqual(['Fix it']);
    expect(await wish({ type: 'submitPrompt', text: ' ' })).toEqual(
      refused('There is nothing to send.'),
    );
  });

  it('to move, stop, show or type into a command reaches the commands, and to show a sub-agent the panel', async () => {
    const { wish, done } = view();
    await wish({ type: 'moveToBackground', toolUseId: 'toolu_1' });
    await wish({ type: 'stopCommand', handle: 'cmd1' });
    await wish({ type: 'showCommandOutput', handle: 'cmd2' });
    await wish({ type: 'typeIntoCommand', handle: 'cmd2', line: 'y' });
    await wish({ type: 'openSubAgent', toolUseId: 'toolu_2' });
    expect(done).toEqual([
      'moved toolu_1',
      'stopped cmd1',
      'showed cmd2',
      'typed y into cmd2',
      'window of toolu_2',
    ]);
  });

  it('to continue an idle session passes on the answer, and whether to remember it', async () => {
    const { wish, done } = view();
    const answer = { type: 'answerReturn', choice: 'summary', remember: true } as const;
    expect(await wish(answer)).toEqual(DONE);
    expect(done).toEqual(['summary true']);
    const refusing = view(finishes, {
      returning: { answer: async () => 'There is no key.' },
    });
    expect(await refusing.wish(answer)).toEqual(refused('There is no key.'));
  });

  it('sends a prompt at the next step; if nothing runs, it starts a turn', async () => {
    const { runTurn, end } = gate();
    const { wish, current, seen } = view(runTurn);
    const say = (text: string) => wish({ type: 'submitPrompt', text, atNextStep: true });
    expect(await say('one')).toEqual(DONE);
    await settled();
    expect(seen.prompts).toEqual(['one']);
    await wish({ type: 'submitPrompt', text: 'two' });
    expect(await say('three')).toEqual(DONE);
    expect(current.run.turns.queue.forNextStep.map(({ text }) => text)).toEqual(['three']);
    expect(await say(' ')).toMatchObject({ type: 'refused' });
    end();
  });

  it('edits queued prompts, and sends them', async () => {
    const { runTurn, end } = gate();
    const { wish, current, seen } = view(runTurn);
    for (const text of ['one', 'two', 'three']) await wish({ type: 'submitPrompt', text });
    await settled();
    const [two, three] = current.run.queued.map(({ id }) => id!);
    expect(await wish({ type: 'editQueued', id: two!, text: 'two, too' })).toEqual(DONE);
    expect(await wish({ type: 'moveQueued', id: three!, to: 0 })).toEqual(DONE);
    expect(textsOf(current.run.queued)).toEqual(['three', 'two, too']);
    expect(await wish({ type: 'deleteQueued', id: three! })).toEqual(DONE);
    expect(await wish({ type: 'deleteQueued', id: three! })).toMatchObject({ type: 'refused' });
    await wish({ type: 'stopTurn' });
    await settled();
    expect(await wish({ type: 'sendQueued' })).toEqual(DONE);
    await settled();
    // The first of these ends the stopped turn.
    end();
    end();
    await settled();
    expect(seen.prompts).toEqual(['one', 'two, too']);
    expect(await wish({ type: 'sendQueuedNow', id: two! })).toMatchObject({ type: 'refused' });
    expect(await wish({ type: 'startSession' })).toEqual(DONE);
  });

  it('to start a plan leaves the session only if nothing prevents the turn', async () => {
    const start = { type: 'startPlan', place: 'newSession' } as const;
    const kept = view(finishes, {}, NO_KEY);
    expect(await kept.wish(start)).toEqual(refused(NO_KEY.message));
    expect(kept.done).toEqual(['told: There is no key.']);
    const { wish, done } = view();
    expect(await wish(start)).toEqual(DONE);
    expect(done).toEqual(['plan started newSession']);
  });

  it('to set the mode applies before the first prompt, and is logged with it', async () => {
    const { wish, current } = view();
    expect(await wish({ type: 'setMode', mode: 'plan' })).toEqual(DONE);
    expect([current.run.mode, current.run.events]).toEqual(['plan', []]);
    current.run.begin();
    expect(current.run.events.map(({ type }) => type)).toContain('modeSet');
    expect(current.run.window.mode).toBe('plan');
    await wish({ type: 'setMode', mode: 'plan' });
    expect(current.run.events.filter(({ type }) => type === 'modeSet')).toHaveLength(1);
  });

  it('to continue a turn is refused if there is a problem', async () => {
    const { wish, done } = view(finishes, {}, NO_KEY);
    expect(await wish({ type: 'continueTurn' })).toEqual(refused(NO_KEY.message));
    expect(done).toEqual(['told: There is no key.']);
    const { wish: ask } = view();
    expect(await ask({ type: 'continueTurn' })).toEqual(refused('There is no turn to continue.'));
  });

  it('undoes the newest prompt, and restores it', async () => {
    const { wish } = view();
    await wish({ type: 'submitPrompt', text: 'Fix it' });
    await settled();
    const blockId = 'prompt-1';
    expect(await wish({ type: 'fetchPromptEffects', blockId })).toEqual({
      type: 'answered',
      data: { prompts: 0, steps: 0, files: [], commands: 0, restore: [] },
    });
    expect(await wish({ type: 'undoPrompt', blockId, steps: 0 })).toEqual({
      type: 'answered',
      data: 'Fix it',
    });
    expect(await wish({ type: 'fetchPromptEffects', blockId })).toMatchObject({ type: 'refused' });
    expect(await wish({ type: 'undoPrompt', blockId, steps: 0 })).toEqual(
      refused('Only a prompt can be undone, and only once.'),
    );
    expect(await wish({ type: 'restorePrompt', blockId })).toEqual(DONE);
  });

  it('undoes a prompt and sends it again unchanged', async () => {
    const { wish, seen, current } = view();
    await wish({ type: 'submitPrompt', text: 'Fix it' });
    await settled();
    const again = { type: 'undoPrompt', blockId: 'prompt-1', steps: 0, again: true } as const;
    expect(await wish(again)).toEqual({ type: 'answered', data: '' });
    await settled();
    expect(seen.prompts).toEqual(['Fix it', 'Fix it']);
    expect(current.run.window.turn).toBe(2);
  });

  it('sends nothing again, and restores no file, if another session is open', async () => {
    const { wish, seen, current, done } = view();
    await wish({ type: 'submitPrompt', text: 'Fix it' });
    await settled();
    const taking = wish({
      type: 'undoPrompt',
      blockId: 'prompt-1',
      steps: 0,
      files: 'all',
      again: true,
    });
    current.startNew();
    expect(await taking).toEqual({ type: 'answered', data: 'Fix it' });
    await settled();
    expect(seen.prompts).toEqual(['Fix it']);
    expect(done).toContain('No files were restored: another session is open now.');
  });

  it('is refused for an unknown question, proposal or result', async () => {
    const { wish } = view();
    const toolUseId = 'toolu_1';
    expect(await wish({ type: 'answerApproval', toolUseId, approved: true })).toEqual(
      refused('This question has been answered already.'),
    );
    expect(await wish({ type: 'openDiff', toolUseId })).toEqual(
      refused('The proposal is no longer available; the session log has its text.'),
    );
    expect(await wish({ type: 'fetchResult', toolUseId })).toEqual(
      refused('This call has no result.'),
    );
  });

  it('reaches the object that handles it', async () => {
    const { wish, done } = view();
    expect(await wish({ type: 'announceReady' })).toEqual({ type: 'answered', data: 'half a' });
    const types = [
      'openContextPanel',
      'tryDemo',
      'inspectSession',
      'setApiKey',
      'openSettings',
      'openFolder',
      'reopenSession',
    ] as const;
    expect(await wish({ type: 'tellFocus', isFocused: true })).toEqual(DONE);
    for (const type of types) expect(await wish({ type })).toEqual(DONE);
    expect(done).toEqual([
      'hydrated',
      'focused true',
      'plimsoll.openContextPanel',
      'plimsoll.tryDemo',
      'plimsoll.inspectSession',
      'plimsoll.setApiKey',
      'workbench.action.openSettings plimsoll.',
      'vscode.openFolder',
      'reopened',
    ]);
    expect(await wish({ type: 'openSettings', setting: 'plimsoll.model' })).toEqual(DONE);
    expect(done.at(-1)).toBe('workbench.action.openSettings @id:plimsoll.model');
    const code = 'moor();';
    for (const type of ['copyCode', 'insertCode', 'applyCode'] as const)
      expect(await wish({ type, code })).toEqual(DONE);
    expect(await wish({ type: 'applyCode', code, path: 'a.js' })).toEqual(DONE);
    expect(await wish({ type: 'openFile', path: 'a.js', line: 3 })).toEqual(DONE);
    expect(done.slice(-5)).toEqual([
      'copied moor();',
      'inserted moor();',
      'applied moor(); to the editor',
      'applied moor(); to a.js',
      'opened a.js at 3',
    ]);
  });
});
