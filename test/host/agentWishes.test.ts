import { describe, expect, it } from 'vitest';
import { promptParts } from '../../src/contextWindow/attached';
import { ApprovalAnswers } from '../../src/host/approvalAnswers';
import type { ApprovalRules } from '../../src/host/approvalRules';
import type { AgentController } from '../../src/host/agentController';
import {
  agentWishHandlers,
  agentWishReceiver,
  type AgentWishEffects,
} from '../../src/host/agentWishes';
import { restorePrompt } from '../../src/host/mentionWishes';
import { Mentions } from '../../src/host/mentions';
import { FileHistory } from '../../src/host/fileHistory';
import type { AgentFact } from '../../src/protocol/agentView';
import type { AgentWish } from '../../src/protocol/agentWishes';
import type { Answer } from '../../src/protocol/wish';
import { attachedDesk, FILES, mentionPlace } from './support/mentionPlace';
import { finishes, gate, scene, settled, textsOf, type RunTurn } from './support/controllerScene';

const NO_KEY = { message: 'There is no key.' };

/** An Agent view over a controller, and what each of its wishes is answered with. */
function view(runTurn: RunTurn = finishes, more: Partial<AgentWishEffects> = {}) {
  const { controller, seen } = scene(runTurn);
  const facts: AgentFact[] = [];
  const done: string[] = [];
  const desk = attachedDesk();
  const rules = {
    allow: async (toolUseId: string, choice: number, scope: string) =>
      void done.push(`allowed ${toolUseId} ${choice} ${scope}`),
    revoke: async (name: string) => void done.push(`revoked ${name}`),
  } as unknown as ApprovalRules;
  const effects: AgentWishEffects = {
    controller: controller satisfies AgentController,
    rules: () => rules,
    answers: new ApprovalAnswers({
      controller: () => controller,
      rulesOf: () => rules,
      proposals: () => ({ openCallOf: () => undefined }),
      tell: (message) => done.push(message),
    }),
    files: {
      controller,
      history: new FileHistory({
        controller: () => controller,
        checkpoints: async () => undefined,
        write: async () => undefined,
        isUnsaved: () => false,
        warm: async () => undefined,
      }),
      openTurnDiff: async () => false,
      giveBack: (prompt) => restorePrompt(desk, prompt),
      forkAt: async (step) => void done.push(`forked at ${step}`),
      warn: (message) => done.push(message),
    },
    commands: {
      move: (toolUseId) => void done.push(`moved ${toolUseId}`),
      stopOne: async (handle) => void done.push(`stopped ${handle}`),
      show: async (handle) => void done.push(`showed ${handle}`),
    },
    beside: {
      desk,
      mentions: new Mentions(mentionPlace()),
      drop: async (uri) => (uri.endsWith('no') ? `Not ${uri}.` : void done.push(uri)),
      runCommand: (command) => done.push(`ran ${command}`),
    },
    hydrate: () => done.push('hydrated'),
    problem: () => undefined,
    tell: ({ message }) => done.push(`told: ${message}`),
    answerReturn: async (choice, remember) => void done.push(`${choice} ${remember}`),
    openDiff: async () => false,
    code: {
      copy: async (code) => void done.push(`copied ${code}`),
      insert: async (code) => void done.push(`inserted ${code}`),
      apply: async (code, path = 'the editor') => void done.push(`applied ${code} to ${path}`),
      open: async (path, line) => void done.push(`opened ${path} at ${line}`),
    },
    openContextPanel: () => done.push('panel'),
    setApiKey: () => done.push('key'),
    chooseModel: () => done.push('model'),
    reopenSession: () => done.push('reopened'),
    openSettings: (setting = 'settings') => done.push(setting),
    answerCost: async (setting, theirs, whose) =>
      void done.push(`${setting} ${String(theirs)} ${whose}`),
    openFolder: () => done.push('folder'),
    openLinked: async (session) => void done.push(`session ${session}`),
    ...more,
  };
  const receive = agentWishReceiver(
    agentWishHandlers(effects),
    (fact) => facts.push(fact),
    (problem) => done.push(problem),
  );
  const wish = async (asked: AgentWish): Promise<Answer> => {
    await receive({ number: 7, wish: asked });
    const [fact, ...others] = facts.splice(0);
    expect(others).toEqual([]);
    expect(fact).toMatchObject({ type: 'wishAnswered', number: 7 });
    return (fact as Extract<AgentFact, { readonly type: 'wishAnswered' }>).answer;
  };
  return { controller, seen, done, wish, desk };
}

const DONE: Answer = { type: 'done' };
const refused = (why: string): Answer => ({ type: 'refused', message: why });

describe('a wish of the Agent view', () => {
  it('to submit a prompt is refused where something stands in the way, which is told', async () => {
    const { wish, done, seen } = view(finishes, { problem: () => NO_KEY });
    expect(await wish({ type: 'submitPrompt', text: 'Fix it' })).toEqual(refused(NO_KEY.message));
    expect([done, seen.prompts]).toEqual([['told: There is no key.'], []]);
  });

  it('to submit a prompt sends it', async () => {
    const { wish, seen } = view();
    expect(await wish({ type: 'submitPrompt', text: 'Fix it' })).toEqual(DONE);
    await settled();
    expect(seen.prompts).toEqual(['Fix it']);
    expect(await wish({ type: 'submitPrompt', text: ' ' })).toEqual(
      refused('There is nothing to send.'),
    );
  });

  it('to move, stop or look at a command goes to the commands', async () => {
    const { wish, done } = view();
    await wish({ type: 'moveToBackground', toolUseId: 'toolu_1' });
    await wish({ type: 'stopCommand', handle: 'cmd1' });
    await wish({ type: 'showCommandOutput', handle: 'cmd2' });
    expect(done).toEqual(['moved toolu_1', 'stopped cmd1', 'showed cmd2']);
  });

  it('to go on with an idle session carries the answer, with what is to be remembered', async () => {
    const { wish, done } = view();
    const answer = { type: 'answerReturn', choice: 'summary', remember: true } as const;
    expect(await wish(answer)).toEqual(DONE);
    expect(done).toEqual(['summary true']);
    const refusing = view(finishes, { answerReturn: async () => 'There is no key.' });
    expect(await refusing.wish(answer)).toEqual(refused('There is no key.'));
  });

  it('sends what is to be told at the next step; where nothing runs, it is a prompt', async () => {
    const { runTurn, end } = gate();
    const { wish, controller, seen } = view(runTurn);
    const say = (text: string) => wish({ type: 'submitPrompt', text, atNextStep: true });
    expect(await say('one')).toEqual(DONE);
    await settled();
    expect(seen.prompts).toEqual(['one']);
    await wish({ type: 'submitPrompt', text: 'two' });
    expect(await say('three')).toEqual(DONE);
    expect(controller.turns.queue.forNextStep.map(({ text }) => text)).toEqual(['three']);
    expect(await say(' ')).toMatchObject({ type: 'refused' });
    end();
  });

  it('changes the prompts that wait, and sends them', async () => {
    const { runTurn, end } = gate();
    const { wish, controller, seen } = view(runTurn);
    for (const text of ['one', 'two', 'three']) await wish({ type: 'submitPrompt', text });
    await settled();
    const [two, three] = controller.queued.map(({ id }) => id!);
    expect(await wish({ type: 'editQueued', id: two!, text: 'two, too' })).toEqual(DONE);
    expect(await wish({ type: 'moveQueued', id: three!, to: 0 })).toEqual(DONE);
    expect(textsOf(controller.queued)).toEqual(['three', 'two, too']);
    expect(await wish({ type: 'deleteQueued', id: three! })).toEqual(DONE);
    expect(await wish({ type: 'deleteQueued', id: three! })).toMatchObject({ type: 'refused' });
    await wish({ type: 'stopTurn' });
    await settled();
    expect(await wish({ type: 'sendQueued' })).toEqual(DONE);
    await settled();
    // The first of these is for the turn that was stopped.
    end();
    end();
    await settled();
    expect(seen.prompts).toEqual(['one', 'two, too']);
    expect(await wish({ type: 'sendQueuedNow', id: two! })).toMatchObject({ type: 'refused' });
    expect(await wish({ type: 'startSession' })).toEqual(DONE);
  });

  it('to go on with a turn is refused where something stands in the way', async () => {
    const { wish, done } = view(finishes, { problem: () => NO_KEY });
    expect(await wish({ type: 'continueTurn' })).toEqual(refused(NO_KEY.message));
    expect(done).toEqual(['told: There is no key.']);
    const { wish: ask } = view();
    expect(await ask({ type: 'continueTurn' })).toEqual(refused('There is no turn to go on with.'));
  });

  it('takes the newest prompt back, and brings it back', async () => {
    const { wish } = view();
    await wish({ type: 'submitPrompt', text: 'Fix it' });
    await settled();
    const blockId = 'prompt-1';
    expect(await wish({ type: 'fetchLedTo', blockId })).toEqual({
      type: 'answered',
      data: { prompts: 0, steps: 0, files: [], commands: 0, restore: [] },
    });
    expect(await wish({ type: 'takeBackPrompt', blockId, steps: 0 })).toEqual({
      type: 'answered',
      data: 'Fix it',
    });
    expect(await wish({ type: 'fetchLedTo', blockId })).toMatchObject({ type: 'refused' });
    expect(await wish({ type: 'takeBackPrompt', blockId, steps: 0 })).toEqual(
      refused('Only a prompt can be taken back, and once.'),
    );
    expect(await wish({ type: 'bringBackPrompt', blockId })).toEqual(DONE);
  });

  it('takes a prompt back and sends it again, as it was', async () => {
    const { wish, seen, controller } = view();
    await wish({ type: 'submitPrompt', text: 'Fix it' });
    await settled();
    const again = { type: 'takeBackPrompt', blockId: 'prompt-1', steps: 0, again: true } as const;
    expect(await wish(again)).toEqual({ type: 'answered', data: '' });
    await settled();
    expect(seen.prompts).toEqual(['Fix it', 'Fix it']);
    expect(controller.window.turn).toBe(2);
  });

  it('sends nothing again, and puts no file back, once another session is shown', async () => {
    const { wish, seen, controller, done } = view();
    await wish({ type: 'submitPrompt', text: 'Fix it' });
    await settled();
    const taking = wish({
      type: 'takeBackPrompt',
      blockId: 'prompt-1',
      steps: 0,
      files: 'all',
      again: true,
    });
    controller.startNew();
    expect(await taking).toEqual({ type: 'answered', data: 'Fix it' });
    await settled();
    expect(seen.prompts).toEqual(['Fix it']);
    expect(done).toContain('No files were put back: another session is shown by now.');
  });

  it('is refused for a question, a proposal or a result there is not', async () => {
    const { wish } = view();
    const toolUseId = 'toolu_1';
    expect(await wish({ type: 'answerApproval', toolUseId, approved: true })).toEqual(
      refused('This question has been answered already.'),
    );
    expect(await wish({ type: 'openDiff', toolUseId })).toEqual(
      refused('The proposal is no longer at hand; the session log has its text.'),
    );
    expect(await wish({ type: 'fetchResult', toolUseId })).toEqual(
      refused('There is no result of this call.'),
    );
  });

  it('leads where it says', async () => {
    const { wish, done } = view();
    const types = [
      'announceReady',
      'openContextPanel',
      'setApiKey',
      'openSettings',
      'openFolder',
      'reopenSession',
    ] as const;
    for (const type of types) expect(await wish({ type })).toEqual(DONE);
    expect(done).toEqual(['hydrated', 'panel', 'key', 'settings', 'folder', 'reopened']);
    expect(await wish({ type: 'openSettings', setting: 'plimsoll.model' })).toEqual(DONE);
    expect(done.at(-1)).toBe('plimsoll.model');
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
    const setting = 'plimsoll.context.windowTokens';
    expect(await wish({ type: 'answerCost', setting, value: '9', whose: 'own' })).toEqual(DONE);
    expect(done.at(-1)).toBe('plimsoll.context.windowTokens 9 own');
  });
});

describe('what is beside a prompt', () => {
  const FILE = { type: 'file', path: 'src/loadLine.js' } as const;

  it('is found, put there, sent with the prompt, and there no more', async () => {
    const { wish, seen, desk } = view();
    expect(await wish({ type: 'findMentions', query: 'hull' })).toMatchObject({
      type: 'answered',
      data: [{ mention: { type: 'file', path: 'src/ship/hull.js' } }],
    });
    expect(await wish({ type: 'attach', mention: FILE })).toEqual(DONE);
    expect(await wish({ type: 'submitPrompt', text: 'Look', attached: [1] })).toEqual(DONE);
    await settled();
    expect(promptParts(seen.prompts[0]!)).toEqual({
      typed: 'Look',
      attached: [{ kind: 'file', name: FILE.path, text: FILES[FILE.path] }],
    });
    expect(desk.items).toEqual([]);
  });

  it('stays where the prompt is refused, and is taken away by a wish', async () => {
    const { wish, seen, desk } = view(finishes, { problem: () => NO_KEY });
    await wish({ type: 'attach', mention: FILE });
    await wish({ type: 'submitPrompt', text: 'Look', attached: [1] });
    expect([desk.items.length, seen.prompts]).toEqual([1, []]);
    expect(await wish({ type: 'detach', id: 1 })).toEqual(DONE);
    expect(await wish({ type: 'detach', id: 1 })).toEqual(
      refused('This is no longer beside the prompt.'),
    );
    expect(await wish({ type: 'attach', mention: { type: 'file', path: 'no' } })).toEqual(
      refused('no does not exist.'),
    );
  });

  it('stays beside a queued prompt whose words are changed', async () => {
    const hold = gate();
    const { wish, controller, desk } = view(hold.runTurn);
    await wish({ type: 'submitPrompt', text: 'First' });
    await wish({ type: 'attach', mention: FILE });
    await wish({ type: 'submitPrompt', text: 'Second', attached: [1] });
    expect(await wish({ type: 'editQueued', id: 1, text: 'Third' })).toEqual(DONE);
    const { typed, attached } = promptParts(controller.queued.at(-1)!.text);
    expect([typed, attached.length, desk.items.length]).toEqual(['Third', 1, 0]);
  });

  it('is what was pasted or dropped, and what could not be added is said', async () => {
    const { wish, done, desk } = view();
    expect(await wish({ type: 'attachText', name: 'a.txt', text: 'Moor.' })).toEqual(DONE);
    const made = desk.promptWith('', [1]);
    expect(made.ok && promptParts(made.prompt.text).attached).toEqual([
      { kind: 'file', name: 'a.txt', text: 'Moor.' },
    ]);
    const data = Buffer.from('%PDF-1.7').toString('base64');
    expect(await wish({ type: 'attachMedia', name: 'a.pdf', data })).toEqual(DONE);
    expect(desk.items.at(-1)).toEqual({ id: 2, kind: 'document', name: 'a.pdf', tokens: 1_000 });
    expect(await wish({ type: 'attachMedia', name: 'a.png', data: 'AAAA' })).toEqual(
      refused('a.png is no image or PDF that the model takes: PNG, JPEG, GIF, WebP, PDF.'),
    );
    const uris = ['file:///no', 'file:///yes', 'file:///also/no'];
    expect(await wish({ type: 'attachDropped', uris })).toEqual(
      refused('Not file:///no. Not file:///also/no.'),
    );
    expect(done).toEqual(['file:///yes']);
  });

  it('a command of the palette is run', async () => {
    const { wish, done } = view();
    expect(await wish({ type: 'runCommand', command: 'makeRoom' })).toEqual(DONE);
    expect(done).toEqual(['ran makeRoom']);
  });
});
