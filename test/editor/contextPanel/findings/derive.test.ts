import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../../../src/contextWindow/block';
import { entered, type NewEvent, type SessionEvent } from '../../../../src/contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import { clearByHand } from '../../../../src/contextWindow/passes/byHand';
import { policyFacts } from '../../../../src/contextWindow/passes/rungs/policyInput';
import type { FindingView } from '../../../../src/editor/contextPanel/findings/state';
import type { Inspected } from '../../../../src/editor/session/inspected';
import { accountOf } from '../../../../src/editor/session/derive';
import type { NeededFile } from '../../../../src/editor/session/neededInSessions';
import { DEFAULT_SETTINGS } from '../../../../src/settings/settings';
import { policySettings } from '../../../../src/settings/turnSettings';
import { budgetOf } from '../../../support/drawing';
import { inspectedOf, viewNow } from '../support/inspectedScene';

const estimate = (text: string) => Math.ceil(text.length / 4);

/** This many tokens of `estimate`, in numbered lines of ten tokens. */
const text = (tokens: number) =>
  Array.from(
    { length: tokens / 10 },
    (_, at) => `${String(at + 1).padStart(5)} | ${'.'.repeat(31)}\n`,
  ).join('');

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tokens: number;
}

const read = (path: string, tokens: number, lines = {}): Call => ({
  name: 'read_file',
  input: { path, ...lines },
  tokens,
});

const run = (command: string, tokens = 20): Call => ({
  name: 'run_command',
  input: { command },
  tokens,
});

const ECHO = {
  name: 'mcp_every_echo',
  provider: 'MCP server every',
  description: text(300),
  inputSchema: { type: 'object', properties: {} },
} as const;

/** A session of one prompt and a step for each call; `more` come after them. */
function session(calls: readonly Call[], more: readonly NewEvent[] = []): Inspected {
  let window = EMPTY_WINDOW;
  const events: SessionEvent[] = [];
  const append = (event: NewEvent): void => {
    const whole = { ...entered(event, events.length, window), at: 1_000_000 } as SessionEvent;
    window = applyEvent(window, whole);
    events.push(whole);
  };
  append({ type: 'sessionStarted', version: 3, sessionId: 'found', pinTaskAnchor: true });
  append({ type: 'modelSet', model: 'claude-sonnet-4-5' });
  append({ type: 'preambleSet', system: 'Help.', tools: [ECHO] } as NewEvent);
  append({ type: 'promptSubmitted', text: 'Look.', admission: { form: 'whole' } });
  calls.forEach(({ name, input, tokens }, at) => {
    const use = { id: `toolu_${at + 1}` as ToolUseId, name, input };
    append({
      type: 'replyReceived',
      model: 'claude-sonnet-4-5',
      parts: [{ type: 'toolUse', use }],
      stopReason: 'tool_use',
      usage: {
        inputTokens: 5,
        cacheCreationTokens: 400,
        cacheReadTokens: calls.slice(0, at).reduce((sum, call) => sum + call.tokens, 600),
        outputTokens: 9,
      },
      durationMs: 1,
    });
    append({
      type: 'toolFinished',
      toolUseId: use.id,
      text: text(tokens),
      isError: false,
      origin: 'ran',
      durationMs: 1,
      admission: { form: 'whole' },
    });
  });
  for (const event of more) append(event);
  const settings = { ...DEFAULT_SETTINGS, model: 'claude-sonnet-4-5' };
  return inspectedOf(window, budgetOf(20_000), { events, settings });
}

const found = (inspected: Inspected) => viewNow(inspected, estimate).findings;

const ofKind = <K extends FindingView['kind']>(inspected: Inspected, kind: K) =>
  found(inspected).filter(
    (finding): finding is Extract<FindingView, { readonly kind: K }> => finding.kind === kind,
  );

describe('a file of which lines were read again', () => {
  it('is found with the tokens of the repeated reads, and can always be shown', () => {
    const inspected = session([read('a.ts', 700), read('a.ts', 600), read('a.ts', 500)]);
    const [finding] = ofKind(inspected, 'reread');
    expect(finding).toMatchObject({
      path: 'a.ts',
      times: 2,
      tokens: { tokens: 1_100, exact: false },
      act: { type: 'chooseFile', path: 'a.ts', choice: 'always' },
    });
    expect(finding?.dollars).toBeCloseTo((1_100 * 3.75) / 1_000_000, 6);
  });

  it('is not one that was read in pieces', () => {
    const pages = [1, 101, 201, 301].map((first) =>
      read('a.ts', 700, { start_line: first, end_line: first + 99 }),
    );
    expect(ofKind(session(pages), 'reread')).toEqual([]);
  });

  it('is not one that was changed before it was read again', () => {
    const edit = {
      name: 'edit_file',
      input: { path: 'a.ts', old_text: 'a', new_text: 'b' },
      tokens: 10,
    };
    const whole = read('a.ts', 700);
    expect(ofKind(session([whole, edit, whole, edit, whole]), 'reread')).toEqual([]);
    expect(ofKind(session([whole, edit, whole, whole, whole]), 'reread')[0]?.times).toBe(2);
  });

  it('counts only the lines that were known, and a read of mostly new lines not at all', () => {
    const part = (first: number, lines: number) =>
      read('a.ts', 10 * lines, { start_line: first, end_line: first + lines - 1 });
    const [finding] = ofKind(session([part(1, 60), part(21, 60), part(1, 80)]), 'reread');
    expect(finding).toMatchObject({ times: 2, tokens: { tokens: 40 * 10 + 80 * 10 } });
    expect(ofKind(session([part(1, 60), part(50, 60), part(100, 60)]), 'reread')).toEqual([]);
  });

  it('is not one that is always shown already, and not a small one', () => {
    const reads = [read('a.ts', 700), read('a.ts', 600), read('a.ts', 500)];
    const chosen = session(reads, [{ type: 'fileChosen', path: 'a.ts', choice: 'always' }]);
    expect(ofKind(chosen, 'reread')).toEqual([]);
    const small = [read('a.ts', 30), read('a.ts', 30), read('a.ts', 30)];
    expect(ofKind(session(small), 'reread')).toEqual([]);
  });
});

describe('third-party tools', () => {
  const steps = (last: Call) => [run('1'), run('2'), run('3'), run('4'), last];

  it('that were never called are found with their tokens, and can be turned off', () => {
    const [finding] = ofKind(session(steps(run('5'))), 'unusedTools');
    expect(finding).toMatchObject({
      provider: 'MCP server every',
      tools: 1,
      act: { type: 'turnToolsOff', names: ['mcp_every_echo'] },
    });
    const view = viewNow(session(steps(run('5'))), estimate);
    expect(finding?.tokens.tokens).toBe(view.tools.rows[0]!.tokens);
  });

  it('that were called, or had no time to be, are not found', () => {
    const call = { name: ECHO.name, input: {}, tokens: 5 };
    expect(ofKind(session(steps(call)), 'unusedTools')).toEqual([]);
    expect(ofKind(session([run('1')]), 'unusedTools')).toEqual([]);
  });
});

describe('a file that several sessions needed again', () => {
  const needed = (tokens: number): readonly NeededFile[] => [
    {
      path: 'src/tide.ts',
      sessions: [
        { id: 'a', title: 'Fix tides', times: 2, tokens },
        { id: 'b', title: 'Winter', times: 1, tokens },
      ],
    },
  ];
  const offers = (inspected: Inspected, tokens = 900) =>
    viewNow(inspected, estimate, needed(tokens)).findings.filter(
      ({ kind }) => kind === 'neededInSessions',
    );

  it('is found with its sessions and the tokens of all, and can be remembered or dismissed', () => {
    expect(offers(session([run('1')]))).toMatchObject([
      {
        path: 'src/tide.ts',
        sessions: [
          { title: 'Fix tides', times: 2 },
          { title: 'Winter', times: 1 },
        ],
        tokens: { tokens: 1_800, exact: false },
        act: { type: 'rememberNeeded', path: 'src/tide.ts' },
        dismiss: { type: 'dismissNeeded', path: 'src/tide.ts' },
      },
    ]);
  });

  it('is not found if project memory names it, or if it took few tokens', () => {
    const text = 'src/tide.ts has the tables (needed again in 2 sessions).';
    const memory = [{ path: 'AGENTS.md', text, chars: text.length }];
    const more = [{ type: 'preambleSet', system: 'Help.', tools: [ECHO], memory } as NewEvent];
    expect(offers(session([run('1')], more))).toEqual([]);
    expect(offers(session([run('1')]), 10)).toEqual([]);
    for (const other of ['lib/src/tide.ts', 'src/tide.tsx', 'src/tide.ts.map']) {
      const elsewhere = [{ path: 'AGENTS.md', text: `See ${other}.`, chars: other.length + 5 }];
      const named = { type: 'preambleSet', system: 'Help.', tools: [ECHO], memory: elsewhere };
      expect(offers(session([run('1')], [named as NewEvent])), other).toHaveLength(1);
    }
  });
});

describe('a large result', () => {
  const idle = Array.from({ length: 13 }, (_, at) => run(`echo ${at}`));

  it('that nothing named since is found, with what clearing it frees', () => {
    const inspected = session([read('zones.ts', 3_000), ...idle]);
    const [finding] = ofKind(inspected, 'unusedResult');
    expect(finding).toMatchObject({ blockId: 'step-1', steps: 13 });
    expect(finding?.act).toEqual({ type: 'clearBlock', blockId: 'step-1' });
    const { window, inForce } = inspected;
    const { measured, balance } = accountOf(window, inForce.budget, estimate);
    const settings = { ...policySettings(inForce.settings.context), policy: 'ladder' } as const;
    const { budget } = inForce;
    const cleared = clearByHand(
      policyFacts({ window, measured, budget, estimate, settings }),
      'step-1',
    );
    const plan = cleared.ok ? cleared.plan! : undefined;
    expect(finding?.tokens.tokens).toBe(plan!.before.tokens - plan!.estimatedAfter);
    const weight = viewNow(inspected, estimate).blocks.find(({ id }) => id === 'step-1')!.tokens;
    expect(finding?.share).toBeCloseTo(weight.tokens / balance.inputBudget, 9);
  });

  it('that a later step named, a pin keeps, or few steps followed is not found', () => {
    const named = [read('zones.ts', 3_000), ...idle, run('cat zones.ts')];
    expect(ofKind(session(named), 'unusedResult')).toEqual([]);
    const calls = [read('zones.ts', 3_000), ...idle];
    const pinned = session(calls, [{ type: 'blockPinned', blockId: 'step-1' } as NewEvent]);
    expect(ofKind(pinned, 'unusedResult')).toEqual([]);
    expect(ofKind(session(calls.slice(0, 11)), 'unusedResult')).toEqual([]);
  });
});

describe('the prompt cache', () => {
  const calls = [read('a.ts', 9_000), ...[1, 2, 3, 4, 5, 6].map((at) => run(`echo ${at}`))];

  it('expires five minutes after the last answer, which a pass can use', () => {
    const [finding] = ofKind(session(calls), 'cacheExpired');
    expect(finding).toMatchObject({
      at: 1_000_000 + 300_000,
      tokens: { tokens: 400 + 600 + 9_000 + 5 * 20, exact: false },
      act: { type: 'compactNow', instructions: '' },
    });
  });

  it('is no finding while the agent works, or if a pass would remove nothing', () => {
    expect(ofKind({ ...session(calls), busy: true }, 'cacheExpired')).toEqual([]);
    expect(ofKind(session([run('1')]), 'cacheExpired')).toEqual([]);
  });
});

describe('findings', () => {
  it('come with the most expensive first', () => {
    const reads = [read('a.ts', 1_000), read('a.ts', 1_000), read('a.ts', 1_000)];
    const small = [read('b.ts', 500), read('b.ts', 500), read('b.ts', 500)];
    const paths = ofKind(session([...small, ...reads]), 'reread').map(({ path }) => path);
    expect(paths).toEqual(['a.ts', 'b.ts']);
  });

  it('are absent before the first step, and in a recording', () => {
    expect(found(session([]))).toEqual([]);
    const source = { type: 'recording', file: 'a', format: 'pi', following: false, notes: [] };
    const reads = [read('a.ts', 700), read('a.ts', 600), read('a.ts', 500)];
    expect(found({ ...session(reads), source } as Inspected)).toEqual([]);
  });
});
