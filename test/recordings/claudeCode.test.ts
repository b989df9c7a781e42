import { describe, expect, it } from 'vitest';
import { drawn, jsonl, refusalOf, transcriptOf } from './support/drawnTranscript';
import { user, assistant, text, call, result } from './support/claudeCodeLines';

describe('a Claude Code session', () => {
  it('is read in line order, with the line where each entry begins', () => {
    const recording = jsonl(
      { type: 'summary', summary: 'An earlier session' },
      user('Fix the bug'),
      assistant('m1', text('I look.')),
      assistant('m1', call('t1', 'read', { path: 'a.ts' })),
      user([result('t1', 'const a = 1')]),
      { type: 'file-history-snapshot' },
      assistant('m2', text('Done.')),
    );
    const { format, system, tools, entries, notes } = transcriptOf(recording);
    expect({ format, system, tools, notes }).toEqual({
      format: 'claude-code',
      system: '',
      tools: [],
      notes: [],
    });
    expect(entries).toEqual([
      { type: 'prompt', line: 2, text: 'Fix the bug' },
      {
        type: 'reply',
        line: 3,
        responseId: 'm1',
        model: 'claude-x',
        parts: [
          { type: 'text', text: 'I look.' },
          { type: 'toolUse', use: { id: 't1', name: 'read', input: { path: 'a.ts' } } },
        ],
        results: [{ toolUseId: 't1', text: 'const a = 1', isError: false, origin: 'ran' }],
      },
      {
        type: 'reply',
        line: 7,
        responseId: 'm2',
        model: 'claude-x',
        parts: [{ type: 'text', text: 'Done.' }],
        results: [],
      },
    ]);
  });

  it('has the system prompt and the tools of its newest step, which version 2.1.332 records', () => {
    const shape = (shapeHash: string, ...names: readonly string[]) => ({
      type: 'api-request-shape',
      shapeHash,
      shape: {
        system: [text('You are an agent.'), text(`You have ${names.join()}.`)],
        tools: names.map((name) => ({ name, description: name, input_schema: { type: 'object' } })),
      },
    });
    const sent = (shapeHash: string, querySource = 'sdk') => ({
      type: 'api-request',
      shapeHash,
      querySource,
    });
    const { system, tools, entries, notes } = transcriptOf(
      jsonl(
        user('Go'),
        shape('a', 'Read'),
        sent('a'),
        assistant('m1', text('Done.')),
        user('On'),
        sent('a'),
        assistant('m2', text('Done.')),
        user('More'),
        shape('b', 'Read', 'Edit'),
        sent('b'),
        shape('c'),
        sent('c', 'generate_session_title'),
        assistant('m3', text('Done.')),
      ),
    );
    expect([system, tools.map(({ name }) => name), notes]).toEqual([
      'You are an agent.\n\nYou have Read,Edit.',
      ['Read', 'Edit'],
      [],
    ]);
    const changes = entries.flatMap((entry) => (entry.type === 'reply' ? [entry.changed] : []));
    expect(changes).toEqual([undefined, undefined, 'preamble']);
  });

  it('joins the lines of one response across the results between them', () => {
    const recording = jsonl(
      user('Go'),
      assistant('m1', call('t1')),
      user([result('t1', 'one')]),
      assistant('m1', call('t2', 'bash')),
      user([result('t2', 'two', true)]),
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply read(t1)=one bash(t2)!two']);
  });

  it('takes the usage of each response once, from its last line', () => {
    const used = (output: number) => ({
      input_tokens: 3,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 200,
      output_tokens: output,
    });
    const { entries } = transcriptOf(
      jsonl(
        user('Go'),
        assistant('m1', text('One'), {}, used(1)),
        assistant('m1', text('Two'), {}, used(40)),
        assistant('m2', text('Three')),
      ),
    );
    expect(entries.map((entry) => entry.type === 'reply' && entry.usage)).toEqual([
      false,
      { inputTokens: 3, cacheCreationTokens: 10, cacheReadTokens: 200, outputTokens: 40 },
      undefined,
    ]);
  });

  it('has the tokens written to the cache for 1 hour', () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 10,
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 6 },
    };
    const { entries } = transcriptOf(jsonl(user('Go'), assistant('m1', text('A'), {}, usage)));
    expect(entries[1]).toMatchObject({
      usage: { cacheCreationTokens: 10, cacheCreation1hTokens: 6 },
    });
  });

  it('has the charges of replies with thinking only next to a reply', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const used = (input: number) => ({ input_tokens: input, output_tokens: 1 });
    const recording = jsonl(
      user('Go'),
      assistant('m1', thinking, {}, used(10)),
      user('Go on'),
      assistant('m2', thinking, {}, used(20)),
      assistant('m2', text('Done.'), {}, used(20)),
      user('And then?'),
      assistant('m3', thinking, {}, used(30)),
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'prompt Go on',
      'reply Done.',
      'prompt And then?',
    ]);
    const { entries } = transcriptOf(recording);
    expect(entries[2]).toMatchObject({
      usage: { inputTokens: 20 },
      otherCharges: [
        { model: 'claude-x', usage: { inputTokens: 10, outputTokens: 1 } },
        { model: 'claude-x', usage: { inputTokens: 30, outputTokens: 1 } },
      ],
    });
  });

  it('omits subagents, injected text and replies that no model wrote, and says so', () => {
    const recording = jsonl(
      user('Go'),
      user('Context of the harness', { isMeta: true }),
      user('Do a part', { isSidechain: true }),
      assistant('s1', text('A part'), { isSidechain: true }),
      assistant('m1', text('Done.')),
      assistant('m2', text('API Error'), { isApiErrorMessage: true }),
      { ...assistant('m3', text('No')), message: { model: '<synthetic>', content: 'No' } },
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply Done.']);
    expect(transcriptOf(recording).notes).toEqual([
      '2 subagent lines skipped.',
      '1 injected text skipped.',
      '2 synthetic replies skipped.',
    ]);
  });

  it("reads a subagent's file as a session of its own", () => {
    const recording = jsonl(
      user('Do a part', { isSidechain: true }),
      assistant('s1', text('Done.'), { isSidechain: true }),
    );
    expect(drawn(recording)).toEqual(['prompt Do a part', 'reply Done.']);
    expect(transcriptOf(recording).notes[0]).toMatch(/^It is the recording of a subagent/);
  });

  it('omits repeated lines', () => {
    const once = assistant('m1', call('t1'));
    const recording = jsonl(user('Go'), once, once, user([result('t1')]));
    expect(drawn(recording)).toEqual(['prompt Go', 'reply read(t1)=ok']);
    expect(transcriptOf(recording).notes).toEqual(['1 repeated line skipped.']);
  });

  it('counts wrappers of local commands and interruption markers instead of reading them', () => {
    const recording = jsonl(
      user('<local-command-caveat>Caveat</local-command-caveat>'),
      user('<command-name>/clear</command-name>\n<command-args></command-args>'),
      user('<local-command-stdout></local-command-stdout>'),
      user('Go'),
      assistant('m1', text('Going.')),
      user([text('[Request interrupted by user]')]),
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply Going.']);
    expect(transcriptOf(recording).notes).toEqual([
      "3 lines of the user's own commands skipped.",
      '1 interrupt marker skipped.',
    ]);
  });

  it('reads a slash command that stands for a text as a prompt', () => {
    const command = user(
      '<command-message>init is running</command-message>\n<command-name>/init</command-name>\n<command-args>src</command-args>',
    );
    const recording = jsonl(
      command,
      user([text('Please analyze this codebase.')], { isMeta: true, parentUuid: command.uuid }),
      assistant('m1', text('Done.')),
    );
    expect(drawn(recording)).toEqual([
      'prompt /init src\n\nPlease analyze this codebase.',
      'reply Done.',
    ]);
    expect(transcriptOf(recording).notes).toEqual([]);
  });

  it('reads text next to results, and queued prompts, as prompts after the reply', () => {
    const queued = { type: 'queued_command', prompt: 'And hurry', commandMode: 'prompt' };
    const recording = jsonl(
      user('Go'),
      assistant('m1', call('t1')),
      assistant('m1', call('t2')),
      user([text('Also b'), result('t1', 'one')]),
      user([result('t2', 'two')]),
      { type: 'attachment', attachment: queued },
      { type: 'attachment', attachment: { type: 'task_reminder', content: [] } },
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply read(t1)=one read(t2)=two',
      'prompt Also b',
      'prompt And hurry',
    ]);
  });

  it('omits thinking, and a reply that is only thinking', () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 'x' };
    const recording = jsonl(
      user('Go'),
      assistant('m1', thinking),
      assistant('m2', thinking),
      assistant('m2', text('Done.')),
    );
    expect(drawn(recording)).toEqual(['prompt Go', 'reply Done.']);
    expect(transcriptOf(recording).notes).toEqual([
      '2 thinking blocks skipped: thinking is signed for the server that wrote it.',
      '1 empty reply skipped.',
    ]);
  });

  it('keeps images in prompts and results as attachments', () => {
    const image = (data?: string) => ({
      type: 'image',
      source: data === undefined ? { type: 'url' } : { media_type: 'image/png', data },
    });
    const recording = jsonl(
      user([text('Look'), image('AAAA'), image()]),
      assistant('m1', call('t1')),
      user([result('t1', [text('a picture'), image('BB')])]),
    );
    expect(drawn(recording)).toEqual([
      'prompt Look [image image/png 4]',
      'reply read(t1)=a picture [image image/png 2]',
    ]);
    expect(transcriptOf(recording).notes).toEqual([
      '1 image or document outside the file skipped.',
    ]);
  });

  it('names the line and the field that has another shape', () => {
    expect(refusalOf(jsonl(user('Go'), user(7)))).toMatch(
      /^session cannot be read: line 2: message\.content: .*Repair it there\. Without it: /,
    );
  });
});
