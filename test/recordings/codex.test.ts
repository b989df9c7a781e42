import { describe, expect, it } from 'vitest';
import { recordedChargesOf } from '../../src/sessions/transcript';
import { drawn, jsonl, refusalOf, transcriptOf } from './support/drawnTranscript';

const meta = {
  type: 'session_meta',
  payload: { id: 's', base_instructions: { text: 'You are Codex.' } },
};
const model = { type: 'turn_context', payload: { model: 'gpt-x' } };
const item = (payload: object) => ({ type: 'response_item', payload });
const says = (role: string, ...texts: readonly string[]) =>
  item({
    type: 'message',
    role,
    content: texts.map((text) => ({
      type: role === 'assistant' ? 'output_text' : 'input_text',
      text,
    })),
  });
const call = (call_id: string, args: unknown = '{"path":"a"}') =>
  item({ type: 'function_call', name: 'shell', call_id, arguments: args });
const output = (call_id: string, value: unknown) =>
  item({ type: 'function_call_output', call_id, output: value });
const used = (input: number, cached: number, out: number) => ({
  type: 'event_msg',
  payload: {
    type: 'token_count',
    info: {
      last_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: out },
    },
  },
});

/** A count as Codex writes it: with what the session has used in all. */
const counted = (total: number, input: number) => {
  const { type, payload } = used(input, 0, 1);
  const { info } = payload;
  return { type, payload: { ...payload, info: { ...info, total_token_usage: { total } } } };
};
/** The usage of a response as version 0.171 records it. */
const record = (response_id: string | undefined, input_tokens: number) => ({
  type: 'token_usage_record',
  payload: { response_id, usage: { input_tokens, cached_input_tokens: 0, output_tokens: 1 } },
});
/** What each reply is charged: first its own input tokens, then those of other responses. */
const charged = (...lines: readonly object[]) =>
  transcriptOf(jsonl(meta, model, says('user', 'Go'), ...lines)).entries.flatMap((one) =>
    one.type === 'reply'
      ? [
          [one.usage, ...(one.otherCharges ?? []).map(({ usage }) => usage)].map(
            (usage) => usage?.inputTokens,
          ),
        ]
      : [],
  );

describe('a Codex rollout', () => {
  it('has all items up to the outputs as one reply, with its usage', () => {
    const { system, entries, notes } = transcriptOf(
      jsonl(
        meta,
        says('developer', '<permissions>'),
        says('user', '# AGENTS.md instructions for /w', '<environment_context>x'),
        model,
        says('user', 'Go'),
        { type: 'event_msg', payload: { type: 'user_message', message: 'Go' } },
        { type: 'event_msg', payload: { type: 'token_count', info: null } },
        item({ type: 'reasoning', summary: [] }),
        says('assistant', 'I look.'),
        call('c1'),
        call('c2'),
        used(100, 60, 9),
        output('c1', 'A'),
        output('c2', 'Exit code: 2\nOutput:\nno'),
        used(100, 60, 9),
        says('assistant', 'Done.'),
        used(200, 0, 1),
      ),
    );
    expect(system).toBe('You are Codex.');
    expect(entries).toEqual([
      { type: 'prompt', line: 5, text: 'Go' },
      {
        type: 'reply',
        line: 9,
        model: 'gpt-x',
        parts: [
          { type: 'text', text: 'I look.' },
          { type: 'toolUse', use: { id: 'c1', name: 'shell', input: { path: 'a' } } },
          { type: 'toolUse', use: { id: 'c2', name: 'shell', input: { path: 'a' } } },
        ],
        results: [
          { toolUseId: 'c1', text: 'A', isError: false, origin: 'ran' },
          { toolUseId: 'c2', text: 'Exit code: 2\nOutput:\nno', isError: true, origin: 'ran' },
        ],
        usage: { inputTokens: 40, cacheCreationTokens: 0, cacheReadTokens: 60, outputTokens: 9 },
      },
      {
        type: 'reply',
        line: 16,
        model: 'gpt-x',
        parts: [{ type: 'text', text: 'Done.' }],
        results: [],
        usage: { inputTokens: 200, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 },
      },
    ]);
    expect(notes).toEqual([
      '3 injected texts skipped.',
      '1 thinking block skipped: thinking is signed for the server that wrote it.',
    ]);
  });

  it('has the charges of responses without text, and none for a repeated count', () => {
    const usages = charged(
      says('assistant', 'One.'),
      counted(10, 10),
      counted(10, 10),
      item({ type: 'reasoning', summary: [] }),
      counted(30, 20),
      says('user', 'Go on'),
      says('assistant', 'Two.'),
      // Its limits were reported again.
      counted(30, 20),
      counted(60, 30),
    );
    expect(usages).toEqual([[10], [30, 20]]);
  });

  it('keeps typed text next to injected text', () => {
    const recording = jsonl(
      says('user', '<user_instructions>x</user_instructions>', 'Go'),
      says('assistant', 'Gone.'),
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply Gone.']);
  });

  it('reads every kind of call and output', () => {
    const recording = jsonl(
      says('user', 'Go'),
      item({ type: 'custom_tool_call', name: 'patch', call_id: 'c1', input: '*** Begin' }),
      item({ type: 'local_shell_call', call_id: 'c2', action: { type: 'exec', command: ['ls'] } }),
      call('c3', 'not JSON'),
      call('c4'),
      item({ type: 'web_search_call', action: {} }),
      item({ type: 'custom_tool_call_output', call_id: 'c1', output: 'Patched' }),
      output('c2', '{"output":"no such","metadata":{"exit_code":1}}'),
      output('c3', { content: 'refused', success: false }),
      output('c4', [
        { type: 'input_text', text: 'A' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      ]),
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply patch(c1)=Patched ' +
        'local_shell(c2)!{"output":"no such","metadata":{"exit_code":1}} ' +
        'shell(c3)!refused shell(c4)=A [image image/png 4]',
    ]);
    const { entries, notes } = transcriptOf(recording);
    expect(entries[1]).toMatchObject({
      parts: [
        { use: { input: { input: '*** Begin' } } },
        { use: { input: { type: 'exec', command: ['ls'] } } },
        { use: { input: { arguments: 'not JSON' } } },
        {},
      ],
    });
    expect(notes).toEqual([
      'The arguments of 1 call are not a JSON object; they are shown as text.',
      '1 part of an unknown kind skipped.',
    ]);
  });

  it('of version 0.171 has the usage of each response once, also that of a compaction', () => {
    const withCache = (id: string, input: number) => {
      const { type, payload } = record(id, input);
      const cache = { cached_input_tokens: 100, cache_write_input_tokens: 50 };
      return { type, payload: { ...payload, usage: { ...payload.usage, ...cache } } };
    };
    const { entries } = transcriptOf(
      jsonl(
        says('user', 'Go'),
        call('c1'),
        withCache('r1', 1_000),
        output('c1', 'A'),
        counted(1_000, 1_000),
        withCache('r2', 5_000),
        withCache('r2', 5_000),
        { type: 'compacted', payload: { message: '', replacement_history: [] } },
        counted(6_000, 1_000),
        says('assistant', 'Done.'),
        counted(6_000, 1_000),
        withCache('r3', 400),
        counted(6_400, 400),
      ),
    );
    const usages = entries.flatMap((one) =>
      one.type === 'reply'
        ? [[one.usage, ...(one.otherCharges ?? []).map(({ usage }) => usage)]]
        : [],
    );
    const usage = (inputTokens: number) => ({
      inputTokens,
      cacheCreationTokens: 50,
      cacheReadTokens: 100,
      outputTokens: 1,
    });
    expect(usages).toEqual([[usage(850)], [usage(250), usage(4_850)]]);
  });

  it('of version 0.171 has all usage if an older version continues it, or began it', () => {
    const said = (text: string) => says('assistant', text);
    const next = says('user', 'Go on');
    expect(
      charged(
        said('One.'),
        counted(1_000, 1_000),
        next,
        said('Two.'),
        record('r1', 2_000),
        counted(3_000, 2_000),
        next,
        said('Three.'),
        counted(6_000, 3_000),
        item({ type: 'reasoning', summary: [] }),
        counted(10_000, 4_000),
        next,
        said('Four.'),
        record('r2', 5_000),
        counted(15_000, 5_000),
      ),
    ).toEqual([[1_000], [2_000], [3_000], [5_000, 4_000]]);
  });

  it('of version 0.171 has no usage twice if a count comes before its record', () => {
    const next = says('user', 'Go on');
    expect(
      charged(
        says('assistant', 'One.'),
        counted(1_000, 1_000),
        record('r1', 1_000),
        next,
        says('assistant', 'Two.'),
        counted(3_000, 2_000),
        record('r2', 2_000),
        record('r2', 2_000),
      ),
    ).toEqual([[1_000], [2_000]]);
  });

  it('of version 0.171 has the usage of each response without an id', () => {
    const next = says('user', 'Go on');
    expect(
      charged(
        says('assistant', 'One.'),
        record(undefined, 1_000),
        next,
        says('assistant', 'Two.'),
        record(undefined, 2_000),
      ),
    ).toEqual([[1_000], [2_000]]);
  });

  it('has no step for the reply that is a summary, but its charge', () => {
    const recording = (written: string) =>
      jsonl(
        says('user', 'Go'),
        says('assistant', 'One.'),
        used(1_000, 0, 1),
        says('assistant', 'So far.'),
        used(2_000, 0, 1),
        { type: 'compacted', payload: { message: written } },
        says('assistant', 'Two.'),
        used(500, 0, 1),
      );
    const summary = recording('Another model wrote:\nSo far.');
    expect(drawn(summary)).toEqual([
      'prompt Go',
      'reply One.',
      'compacted Another model wrote:\nSo far. keeping 0',
      'reply Two.',
    ]);
    const charges = transcriptOf(summary).entries.flatMap((one) =>
      one.type === 'reply' ? (one.otherCharges ?? []) : [],
    );
    expect(charges).toMatchObject([{ usage: { inputTokens: 2_000 } }]);
    expect(drawn(recording('It is not so far.'))).toContain('reply So far.');
  });

  it('shows its compactions', () => {
    const recording = jsonl(
      says('user', 'Go'),
      says('assistant', 'One.'),
      { type: 'compacted', payload: { message: 'So far' } },
      says('assistant', 'Two.'),
      { type: 'compacted', payload: { message: '' } },
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply One.',
      'compacted So far keeping 0',
      'reply Two.',
      'compacted  keeping 0',
    ]);
  });

  it('keeps the prompts that Codex kept', () => {
    const prompt = (text: string) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text }],
    });
    const recording = jsonl(
      says('user', 'Go'),
      says('assistant', 'One.'),
      says('user', 'On'),
      says('assistant', 'Two.'),
      says('user', 'Go'),
      {
        type: 'compacted',
        payload: {
          message: 'So far',
          replacement_history: [
            prompt('# AGENTS.md instructions for /w'),
            prompt('Go'),
            prompt('Another model wrote: So far'),
          ],
        },
      },
      says('assistant', 'Three.'),
      { type: 'compacted', payload: { message: 'Again', replacement_history: [] } },
    );
    expect(drawn(recording).slice(5)).toEqual([
      'compacted So far keeping 4',
      'reply Three.',
      'compacted Again',
    ]);
    expect(transcriptOf(recording).notes).toEqual([]);
  });

  it('keeps the newest 80,000 characters of prompts if the rollout does not say which it kept', () => {
    const compactedAfter = (...lengths: readonly number[]) =>
      drawn(
        jsonl(
          ...lengths.flatMap((length) => [
            says('user', 'x'.repeat(length)),
            says('assistant', '.'),
          ]),
          { type: 'compacted', payload: { message: 'So far' } },
        ),
      ).at(-1);
    expect(compactedAfter(30_000, 50_000)).toBe('compacted So far keeping 0 2');
    expect(compactedAfter(30_001, 50_000)).toBe('compacted So far keeping 2');
    expect(compactedAfter(9, 80_001)).toBe('compacted So far');
  });

  it('reads thousands of turns that the user undid one by one', () => {
    const undo = { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } };
    const turns = Array.from({ length: 20_000 }, () => says('user', 'Go'));
    const kept = [says('user', 'Kept'), says('assistant', 'Yes.')];
    const lines = jsonl(meta, ...kept, ...turns, ...turns.map(() => undo));
    const before = process.cpuUsage();
    expect(drawn(lines)).toEqual(['prompt Kept', 'reply Yes.']);
    expect(process.cpuUsage(before).user).toBeLessThan(4_000_000);
  });

  it('has no turns that the user undid, but their charges', () => {
    const undo = (num_turns: unknown) => ({
      type: 'event_msg',
      payload: { type: 'thread_rolled_back', num_turns },
    });
    const turn = (text: string, tokens: number) => [
      says('user', text),
      says('assistant', `${text}!`),
      counted(tokens, tokens),
    ];
    const lines = [...turn('One', 10), ...turn('Two', 20), ...turn('Three', 30)];
    const { entries, notes } = transcriptOf(
      jsonl(meta, model, ...lines, undo(2), ...turn('Four', 40), undo('x'), undo(0)),
    );
    expect(entries.map((one) => (one.type === 'prompt' ? one.text : one.type))).toEqual([
      'One',
      'reply',
      'Four',
      'reply',
    ]);
    const charges = entries.flatMap((one) => (one.type === 'reply' ? recordedChargesOf(one) : []));
    expect(charges.reduce((sum, { usage }) => sum + usage.inputTokens, 0)).toBe(100);
    expect(notes).toEqual(['4 entries of abandoned branches skipped.']);
    expect(drawn(jsonl(meta, ...turn('One', 10), undo(9), ...turn('Two', 20)))).toEqual([
      'prompt Two',
      'reply Two!',
    ]);
  });

  it('names the line that has another shape', () => {
    expect(refusalOf(jsonl(meta, item({ type: 'function_call', call_id: 'c1' })))).toMatch(
      /line 2: payload: name: /,
    );
  });

  it('has the window size that was recorded last for its model', () => {
    const said = (model_context_window: unknown) => ({
      type: 'event_msg',
      payload: { type: 'task_started', model_context_window },
    });
    const windowOf = (...lines: readonly object[]) =>
      transcriptOf(jsonl(meta, model, ...lines, says('user', 'Go'), says('assistant', 'Gone.')))
        .windowTokens;
    const info = { model_context_window: 258_400 };
    const counted = { type: 'event_msg', payload: { type: 'token_count', info } };
    expect(windowOf()).toBeUndefined();
    expect(windowOf(said(1_000))).toBe(1_000);
    expect(windowOf(said(1_000), counted, said('large'))).toBe(258_400);
  });
});
