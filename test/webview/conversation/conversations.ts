import type {
  Activity,
  Conversation,
  ReturnView,
  ToolView,
  TurnItem,
  TurnView,
} from '../../../src/editor/conversation/state';

/** A conversation without prompts; every field can be replaced. */
export function conversation(parts: Partial<Conversation> = {}): Conversation {
  return {
    session: 'one',
    title: 'New session',
    model: 'claude-sonnet-4-5',
    mode: 'ask',
    offline: false,
    turns: [],
    activity: { state: 'idle' },
    queued: [],
    gauge: { usedTokens: 2_400, exact: false, inputBudget: 26_880 },
    ...parts,
  };
}

/** The question how to continue an idle session. */
export const returning: ReturnView = {
  sentence: 'Idle 30 days, 140,000 tokens, 31 files changed since (git and file times).',
  files: [
    { path: 'src/loadLine.js', isGone: false, isKnown: true },
    { path: 'src/old.js', isGone: true, isKnown: false },
  ],
  moreFiles: 29,
  isAnswered: false,
};

/** A running turn without an answer. */
export function turn(parts: Partial<TurnView> = {}): TurnView {
  return {
    turn: 1,
    prompt: 'Fix the failing tests.',
    promptId: `prompt-${parts.turn ?? 1}`,
    items: [],
    usage: { inputTokens: 0, cacheReadTokens: 0, outputTokens: 0, cost: '$0.00', elapsedMs: 0 },
    ...parts,
  };
}

export function step(
  number: number,
  text: string,
  tools: readonly ToolView[] = [],
): Extract<TurnItem, { type: 'step' }> {
  return { type: 'step', step: number, text, tools };
}

/** A finished tool call, named like its id. */
export function tool(toolUseId: string, parts: Partial<ToolView> = {}): ToolView {
  return {
    toolUseId,
    name: 'read_file',
    kind: 'read',
    label: 'read_file src/loadLine.js',
    argumentsText: '{\n  "path": "src/loadLine.js"\n}',
    state: 'done',
    elapsedMs: 12,
    resultChars: 1_830,
    ...parts,
  };
}

export function approval(
  toolUseId: string,
  parts: Partial<Extract<Activity, { state: 'awaitingApproval' }>['approval']> = {},
): Activity {
  return {
    state: 'awaitingApproval',
    approval: {
      toolUseId,
      kind: 'edit',
      title: 'Edit',
      subject: 'src/loadLine.js',
      added: 3,
      removed: 1,
      ...parts,
    },
  };
}

/** A failed request that waits this long before the next try, ms. */
export function waiting(ms: number, now = Date.now()): Activity {
  return {
    state: 'waiting',
    since: now,
    until: now + ms,
    attempt: 2,
    tries: 10,
    message: 'The API is overloaded (529).',
  };
}
