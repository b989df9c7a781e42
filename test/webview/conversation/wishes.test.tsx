// @vitest-environment happy-dom
import { act } from 'preact/test-utils';
import { expect, it } from 'vitest';
import type { HelpingAction, HelpingWish } from '../../../src/editor/conversation/state';
import type { AgentWish } from '../../../src/editor/conversation/wishes';
import { approval, conversation, returning, step, tool, turn, waiting } from './conversations';
import { drawAgent, type DrawnAgent } from './drawAgent';
import { dropped } from './dropping';

const turns = [turn({ items: [step(1, '', [tool('t1')])] })];

function problem(wish: HelpingWish): DrawnAgent {
  const agent = drawAgent(
    conversation({ problem: { message: 'x', action: { label: 'Do', wish } } }),
  );
  agent.click('problem-action');
  return agent;
}

/** An empty session with all its offers, and a click on one. */
function begun(offer: string): DrawnAgent {
  const start = { needsKey: true, otherAgents: ['Codex'] };
  const agent = drawAgent(conversation({ start }));
  agent.click(offer);
  return agent;
}

const WAITING = [
  { id: 1, text: 'Go on.' },
  { id: 2, text: 'And then?' },
];

const RULE = {
  name: 'a rule',
  decision: 'allow',
  subject: 'npm run *',
  where: 'in this session',
} as const;

const COMMAND = {
  handle: 'cmd1',
  command: 'npm run dev',
  startedAt: 0,
  hasOutput: true,
} as const;

/** A turn that ended early, with a button. */
function ended(action: HelpingAction): DrawnAgent {
  const outcome = { type: 'stopped', message: 'Stopped by you.', actions: [action] };
  const agent = drawAgent(conversation({ turns: [turn({ outcome })] }));
  agent.click('turn-action');
  return agent;
}

/** A reply with code and a file name, with a click on one of them. */
function withCode(button: string): DrawnAgent {
  const text = 'See `src/a.js:3`.\n\n```js src/a.js\nmoor();\n```\n';
  const agent = drawAgent(conversation({ turns: [turn({ items: [step(1, text)] })] }));
  agent.click(agent.get('step').querySelector<HTMLElement>(button)!);
  return agent;
}

/** A user who goes back to the moment before the second step, with a scope. */
function goingBack(choice: string): DrawnAgent {
  const agent = drawAgent(conversation({ turns: [turn({ items: [step(1, 'a'), step(2, 'b')] })] }));
  agent.click('go-back');
  agent.answer({ type: 'answered', data: [{ path: 'a.js', how: 'changes' }] });
  agent.wishes.length = 0;
  agent.click(choice);
  agent.click('undo-confirm');
  return agent;
}

/** A turn that changed a file, with a click of the user. */
function changed(button: string): DrawnAgent {
  const files = [{ path: 'a.js', how: 'changed', added: 1, removed: 1 }] as const;
  const agent = drawAgent(conversation({ turns: [turn({ files })] }));
  if (button.startsWith('hunk-')) {
    agent.click('turn-file-open');
    const hunks = [{ line: 1, lines: ['-a', '+b'] }];
    agent.answer({ type: 'answered', data: { before: 'one', after: 'other', hunks } });
    agent.wishes.length = 0;
  }
  agent.click(button);
  return agent;
}

function withPlan(testId: string): DrawnAgent {
  const agent = drawAgent(conversation({ mode: 'plan', hasPlan: true }));
  agent.click(testId);
  return agent;
}

/** How a user sends each wish; leaving one out does not compile. */
const WAYS: {
  readonly [T in Exclude<AgentWish['type'], 'announceReady' | 'tellFocus'>]: () =>
    DrawnAgent | Promise<DrawnAgent>;
} = {
  submitPrompt: () => {
    const agent = drawAgent(conversation());
    agent.type('Go.');
    agent.click('send');
    return agent;
  },
  findCommands: () => {
    const agent = drawAgent(conversation());
    agent.type('/');
    return agent;
  },
  findMentions: () => {
    const agent = drawAgent(conversation());
    agent.type('@load');
    return agent;
  },
  attach: () => {
    const agent = drawAgent(conversation());
    agent.type('@');
    const mention = { type: 'problems' } as const;
    agent.answer({ type: 'answered', data: [{ mention, label: 'problems', detail: '' }] });
    agent.wishes.length = 0;
    agent.click('composer-choice');
    return agent;
  },
  attachText: async () => {
    const agent = drawAgent(conversation());
    await dropped(agent, { files: [new File(['Moor.'], 'notes.txt')] });
    return agent;
  },
  keepDraft: async () => {
    const agent = drawAgent(conversation());
    agent.type('Fix');
    return { ...agent, wishes: agent.drafts.map((text) => ({ type: 'keepDraft', text })) };
  },
  attachMedia: async () => {
    const agent = drawAgent(conversation());
    await dropped(agent, { files: [new File(['x'], 'mast.png', { type: 'image/png' })] });
    return agent;
  },
  attachDropped: async () => {
    const agent = drawAgent(conversation());
    await dropped(agent, { lists: { 'text/uri-list': 'file:///work/a.js' } });
    return agent;
  },
  detach: () => {
    const items = [{ id: 1, kind: 'file', name: 'a.js', tokens: 3 }] as const;
    const agent = drawAgent(conversation({ attached: { items } }));
    agent.click('attached-remove');
    return agent;
  },
  runCommand: () => {
    const agent = drawAgent(conversation());
    agent.type('/compact');
    agent.click('composer-choice');
    // The list asks for the custom commands first.
    return { ...agent, wishes: agent.wishes.slice(1) };
  },
  copyCode: () => withCode('[aria-label="Copy this code"]'),
  insertCode: () => withCode('[aria-label="Insert at the cursor"]'),
  applyCode: () => withCode('[aria-label="Apply to src/a.js"]'),
  openFile: () => withCode('a'),
  setMode: () => {
    const agent = drawAgent(conversation());
    const select = agent.get('mode') as HTMLSelectElement;
    act(() => {
      select.value = 'plan';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    return agent;
  },
  openPlan: () => withPlan('plan-open'),
  startPlan: () => withPlan('plan-start'),
  revokeRule: () => {
    const agent = drawAgent(conversation({ rules: [RULE] }));
    agent.click('revoke-rule');
    return agent;
  },
  tellQueued: () => {
    const agent = drawAgent(
      conversation({ queued: WAITING, activity: { state: 'asking', since: 0 } }),
    );
    agent.click(agent.all('queued-tell')[0]!);
    return agent;
  },
  editQueued: () => {
    const agent = drawAgent(conversation({ queued: WAITING }));
    agent.click(agent.all('queued-edit')[0]!);
    agent.type('Go on, please.', 'queued-field');
    agent.get('queued-field').focus();
    agent.press('Enter');
    return agent;
  },
  moveQueued: () => {
    const agent = drawAgent(conversation({ queued: WAITING }));
    agent.click('queued-down');
    return agent;
  },
  deleteQueued: () => {
    const agent = drawAgent(conversation({ queued: WAITING }));
    agent.click(agent.all('queued-delete')[0]!);
    return agent;
  },
  sendQueuedNow: () => {
    const agent = drawAgent(conversation({ queued: WAITING }));
    agent.click(agent.all('queued-send')[0]!);
    return agent;
  },
  sendQueued: () => {
    const agent = drawAgent(conversation({ queued: WAITING, held: 'stopped' }));
    agent.click('send-queued');
    return agent;
  },
  continueTurn: () => ended({ label: 'Continue', wish: { type: 'continueTurn' } }),
  reopenSession: () => ended({ label: 'Open it again', wish: { type: 'reopenSession' } }),
  fetchPromptEffects: () => {
    const agent = drawAgent(conversation({ turns }));
    agent.click('undo-prompt');
    return agent;
  },
  undoPrompt: () => {
    const agent = drawAgent(conversation({ turns: [turn()] }));
    agent.click('undo-prompt');
    return agent;
  },
  planRestore: () => {
    const agent = drawAgent(
      conversation({ turns: [turn({ items: [step(1, 'a'), step(2, 'b')] })] }),
    );
    agent.click('go-back');
    return agent;
  },
  restoreFiles: () => goingBack('go-back-files'),
  forkBefore: () => goingBack('go-back-both'),
  undoRestore: () => {
    const agent = drawAgent(conversation({ turns, restored: 2 }));
    agent.click('undo-restore');
    return agent;
  },
  keepFiles: () => changed('turn-file-keep'),
  undoFiles: () => changed('turn-files-undo'),
  fetchHunks: () => changed('turn-file-open'),
  keepHunk: () => changed('hunk-keep'),
  undoHunk: () => changed('hunk-undo'),
  openTurnDiff: () => changed('turn-file-diff'),
  restorePrompt: () => {
    const agent = drawAgent(conversation({ turns: [turn({ undonePrompt: { steps: 1 } })] }));
    agent.click('restore-prompt');
    return agent;
  },
  stopTurn: () => {
    const agent = drawAgent(conversation({ turns, activity: { state: 'asking', since: 0 } }));
    agent.click('stop');
    return agent;
  },
  openSubAgent: () => {
    const task = tool('t1', {
      name: 'task',
      kind: 'agent',
      subAgent: { steps: 2, tokens: 12_000 },
    });
    const agent = drawAgent(conversation({ turns: [turn({ items: [step(1, '', [task])] })] }));
    agent.click('open-sub-agent');
    return agent;
  },
  moveToBackground: () => {
    const running = tool('t1', { state: 'running', isMovable: true });
    const activity = { state: 'runningTool', toolUseId: 't1', since: 0 } as const;
    const agent = drawAgent(
      conversation({ turns: [turn({ items: [step(1, '', [running])] })], activity }),
    );
    agent.click('move-to-background');
    return agent;
  },
  stopCommand: () => {
    const agent = drawAgent(conversation({ commands: [COMMAND] }));
    agent.click('command-stop');
    return agent;
  },
  typeIntoCommand: () => {
    const agent = drawAgent(conversation({ commands: [COMMAND] }));
    agent.click('command-type');
    agent.get('command-field').focus();
    agent.type('y', 'command-field');
    agent.press('Enter');
    return agent;
  },
  showCommandOutput: () => {
    const agent = drawAgent(conversation({ commands: [COMMAND] }));
    agent.click('command-output');
    return agent;
  },
  tryNow: () => {
    const agent = drawAgent(conversation({ turns, activity: waiting(5_000) }));
    agent.click('try-now');
    return agent;
  },
  startSession: () => {
    const agent = drawAgent(conversation());
    agent.click('new-session');
    return agent;
  },
  answerApproval: () => {
    const agent = drawAgent(conversation({ turns, activity: approval('t1') }));
    agent.click('approval-allow');
    return agent;
  },
  answerColdPass: () => {
    const coldPass = { proposedPassId: 3, cost: 'The prompt cache is cold.' };
    const activity = { state: 'awaitingReview' } as const;
    const agent = drawAgent(conversation({ turns, activity, coldPass }));
    agent.click('cold-compact');
    return agent;
  },
  answerReturn: () => {
    const agent = drawAgent(conversation({ turns, returning }));
    agent.click('return-summary');
    return agent;
  },
  openDiff: () => {
    const agent = drawAgent(conversation({ turns, activity: approval('t1') }));
    agent.click('approval-diff');
    return agent;
  },
  fetchResult: () => {
    const agent = drawAgent(conversation({ turns }));
    agent.click(agent.get('tool-row').querySelector('button')!);
    agent.show(conversation({ turns }));
    return agent;
  },
  openContextPanel: () => {
    const agent = drawAgent(conversation());
    agent.click('gauge');
    return agent;
  },
  tryDemo: () => begun('try-demo'),
  inspectSession: () => begun('see-session'),
  setApiKey: () => begun('use-key'),
  chooseModel: () => {
    const agent = drawAgent(conversation());
    agent.click('choose-model');
    return agent;
  },
  openSettings: () => problem({ type: 'openSettings' }),
  openFolder: () => problem({ type: 'openFolder' }),
  openLinked: () => {
    const from = { session: 's-1', title: 'Before', isGone: false };
    const agent = drawAgent(conversation({ links: { from, to: [] } }));
    agent.click('session-details');
    agent.click('link-from');
    return agent;
  },
};

it.each(Object.entries(WAYS))('the user can send %s', async (type, make) => {
  expect((await make()).wishes.map((wish) => wish.type)).toEqual([type]);
});
