import { describe, expect, it } from 'vitest';
import { drawn, jsonl, refusalOf, transcriptOf } from './support/drawnTranscript';

const task = (history: readonly unknown[], more: object = {}) => ({
  instance_id: 'django-1',
  instruction: 'Fix it',
  metadata: { llm: { model: 'claude-sonnet-4' } },
  history,
  ...more,
});

const action = (id: string, response = `r-${id}`, more: object = {}) => ({
  kind: 'ActionEvent',
  id: `e-${id}`,
  timestamp: '2025-10-30T03:50:30.915175',
  source: 'agent',
  thought: [{ type: 'text', text: `I run ${id}.` }],
  action: { kind: 'ExecuteBashAction', command: id },
  tool_name: 'execute_bash',
  tool_call_id: id,
  tool_call: { id, name: 'execute_bash', arguments: JSON.stringify({ command: id }) },
  llm_response_id: response,
  ...more,
});
const observation = (id: string, fields: object) => ({
  kind: 'ObservationEvent',
  tool_name: 'execute_bash',
  tool_call_id: id,
  observation: { kind: 'ExecuteBashObservation', ...fields },
});
const said = (source: string, text: string, more: object = {}) => ({
  kind: 'MessageEvent',
  source,
  llm_message: {
    role: source === 'user' ? 'user' : 'assistant',
    content: [{ type: 'text', text }],
  },
  ...more,
});

describe('an output.jsonl of OpenHands', () => {
  it('begins with its instruction, and has every call with its result', () => {
    const line = task([
      action('ls'),
      observation('ls', { output: 'a.ts', metadata: { exit_code: 0, suffix: '\n[exit code 0]' } }),
      action('cat', 'r-2'),
      action('rm', 'r-2'),
      observation('cat', { content: [{ type: 'text', text: 'let a;' }], is_error: false }),
      observation('rm', { output: 'No such file', metadata: { exit_code: 1 } }),
      said('agent', 'Done.'),
    ]);
    expect(drawn(jsonl(line))).toEqual([
      'prompt Fix it',
      'reply I run ls. execute_bash(ls)=a.ts\n[exit code 0]',
      'reply I run cat. execute_bash(cat)=let a; I run rm. execute_bash(rm)!No such file',
      'reply Done.',
    ]);
    expect(transcriptOf(line).entries[1]).toMatchObject({
      model: 'claude-sonnet-4',
      at: Date.parse('2025-10-30T03:50:30.915175'),
    });
  });

  it('has its own prompts, system prompt and tools if the history contains them', () => {
    const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
    const line = task([
      { kind: 'SystemPromptEvent', system_prompt: { text: 'You are OpenHands.' }, tools: [tool] },
      said('user', 'Go'),
      { kind: 'ConversationStateUpdateEvent' },
      said('agent', 'Gone.'),
    ]);
    expect(drawn(line)).toEqual(['prompt Go', 'reply Gone.']);
    expect(transcriptOf(line)).toMatchObject({
      system: 'You are OpenHands.',
      tools: [{ name: 'look' }],
    });
  });

  it('has the usage of a response once, by its id', () => {
    const token_usages = [
      { response_id: 'r-1', prompt_tokens: 100, cache_read_tokens: 60, completion_tokens: 5 },
    ];
    const { entries } = transcriptOf(
      task([action('a', 'r-1'), action('b', 'r-1'), said('agent', 'Done.')], {
        metrics: { token_usages },
      }),
    );
    expect(entries[1]).toMatchObject({
      usage: { inputTokens: 40, cacheReadTokens: 60, cacheCreationTokens: 0, outputTokens: 5 },
    });
    expect(entries[2]).not.toHaveProperty('usage');
  });

  it('has the price of a response, in the order of the usages', () => {
    const token_usages = ['r-1', 'r-2'].map((response_id) => ({ response_id, prompt_tokens: 100 }));
    const history = [action('a', 'r-1'), action('b', 'r-2')];
    const usds = (costs: unknown) =>
      transcriptOf(task(history, { metrics: { token_usages, costs } })).entries.map(
        (entry) => entry.type === 'reply' && entry.usd,
      );
    expect(usds([{ cost: 0.1 }, { cost: 0.2 }])).toEqual([false, 0.1, 0.2]);
    expect(usds([{ cost: 0.3 }])).toEqual([false, undefined, undefined]);
  });

  it('has errors and rejections as results, and the events that its condenser kept', () => {
    const line = task([
      said('user', 'Go', { id: 'e-0' }),
      action('a'),
      { kind: 'AgentErrorEvent', tool_call_id: 'a', error: 'No such tool' },
      action('b'),
      { kind: 'UserRejectObservation', tool_call_id: 'b', rejection_reason: 'No' },
      { kind: 'Condensation', forgotten_event_ids: ['e-a'], summary: 'a was tried' },
      said('agent', 'Done.'),
    ]);
    expect(drawn(line)).toEqual([
      'prompt Go',
      'reply I run a. execute_bash(a)!No such tool',
      'reply I run b. execute_bash(b)!No',
      'compacted a was tried keeping 0 2',
      'reply Done.',
    ]);
  });

  it('is read from its first task, and says that there are more', () => {
    const lines = jsonl(task([]), task([said('agent', 'One.')]), task([said('agent', 'Two.')]));
    expect(drawn(lines)).toEqual(['prompt Fix it', 'reply One.']);
    expect(transcriptOf(lines).notes).toEqual([
      'It holds 3 tasks, one per line, and shows the first. ' +
        'To open another, put its line into a file of its own.',
    ]);
    expect(refusalOf(jsonl(task([])))).toMatch(/none of its tasks has a history\. Give the output/);
  });

  it('omits one event that has another shape, and names it', () => {
    const { entries, notes } = transcriptOf(
      task([action('a', 'r', { tool_name: '' }), 7, { x: 1 }, said('agent', 'Done.')]),
    );
    expect(entries).toHaveLength(2);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toMatch(/^Event 1 left out; .*tool_name: a call needs the name/);
    expect(notes[1]).toMatch(/^Event 2 left out; it cannot be read: it is not a JSON object/);
  });
});

describe('an output.jsonl of OpenHands before version 1', () => {
  const metadata = (id: string, ids = [id]) => ({
    function_name: 'execute_bash',
    tool_call_id: id,
    model_response: {
      id: `r-${ids.join('')}`,
      model: 'gpt-5',
      choices: [
        {
          message: {
            content: 'I look.',
            tool_calls: ids.map((one) => ({
              id: one,
              function: { name: 'execute_bash', arguments: `{"command":"${one}"}` },
            })),
          },
        },
      ],
      usage: { prompt_tokens: 50, completion_tokens: 5 },
    },
  });
  const run = (id: number, call: string, ids?: readonly string[]) => ({
    id,
    source: 'agent',
    action: 'run',
    args: { command: call },
    tool_call_metadata: metadata(call, ids === undefined ? [call] : [...ids]),
  });
  const ran = (cause: number, call: string, content: string, code = 0) => ({
    source: 'agent',
    observation: 'run',
    cause,
    content,
    extras: { metadata: { exit_code: code } },
    tool_call_metadata: metadata(call),
  });

  it('has every call as the model wrote it, with its result and usage', () => {
    const line = task([
      { action: 'system', source: 'agent', args: { content: 'You are OpenHands.' } },
      { id: 1, source: 'user', action: 'message', args: { content: 'Go' } },
      { source: 'user', action: 'recall', args: {} },
      { observation: 'agent_state_changed', content: '' },
      run(2, 'ls', ['ls', 'pwd']),
      run(3, 'pwd', ['ls', 'pwd']),
      ran(2, 'ls', 'a.ts'),
      ran(3, 'pwd', 'failed', 1),
      { source: 'agent', action: 'finish', args: { final_thought: 'Done.' } },
    ]);
    expect(drawn(line)).toEqual([
      'prompt Go',
      'reply I look. execute_bash(ls)=a.ts execute_bash(pwd)!failed',
      'reply Done.',
    ]);
    const { system, entries } = transcriptOf(line);
    expect(system).toBe('You are OpenHands.');
    expect(entries[1]).toMatchObject({ model: 'gpt-5', usage: { inputTokens: 50 } });
  });

  it('pairs actions of models without tool calls by their cause, also when several run together', () => {
    const act = { id: 4, source: 'agent', action: 'run', args: { thought: 'Hm.', command: 'ls' } };
    const observed = { observation: 'run', cause: 4, content: 'a.ts', extras: {} };
    expect(drawn(task([[act, observed]]))).toEqual([
      'prompt Fix it',
      'reply Hm. run(event-4)=a.ts',
    ]);
  });

  it('keeps the range of events that its condenser kept', () => {
    const line = task([
      { id: 1, source: 'user', action: 'message', args: { content: 'Go' } },
      run(2, 'ls'),
      ran(2, 'ls', 'a.ts'),
      run(4, 'cat'),
      ran(4, 'cat', 'let a;'),
      {
        action: 'condensation',
        args: { forgotten_events_start_id: 2, forgotten_events_end_id: 3, summary: 'Listed.' },
      },
      { source: 'agent', action: 'message', args: { content: 'Done.' } },
    ]);
    expect(drawn(line)[3]).toBe('compacted Listed. keeping 0 2');
  });
});
