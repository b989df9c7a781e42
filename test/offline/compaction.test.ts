import { describe, expect, it } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import { countText } from '../../src/offline/tokenizer';
import type { Respond } from '../../src/offline/messagesApi';
import { failure, opus, saysInTurn, says, startDouble } from './double';
import { callsOf, clearTools, compact, edited, promptOf, wordsOf } from './editing';

type Message = Anthropic.Beta.BetaMessageParam;

const long = [30_000, 30_000];
const user = (content: string): Message => ({ role: 'user', content });

async function create(body: ReturnType<typeof callsOf>, respond: Respond = says('Hello.')) {
  const { client } = await startDouble(respond);
  return client.beta.messages.create(body);
}

describe('an answer to a prompt that reached the trigger', () => {
  it('begins with a summary of the conversation, the same each time', async () => {
    const edit = compact(50_000, { instructions: 'Name the files.' });
    const [one, two] = [await create(callsOf(long, edit)), await create(callsOf(long, edit))];
    expect(one.content.map(({ type }) => type)).toEqual(['compaction', 'text']);
    const [block] = one.content;
    expect(block).toEqual(two.content[0]);
    expect(block).toMatchObject({
      content: [
        'Summary of 5 messages.',
        'First prompt: "Begin"',
        'Called read_file: 1',
        'Called search: 1',
        'Instructions: "Name the files."',
      ].join('\n'),
    });
    expect(one.context_management).toEqual({ applied_edits: [] });
  });

  it("counts the prompt after the compaction, and the summary's usage separately", async () => {
    const whole = await create(callsOf(long));
    const answer = await create(callsOf(long, compact()));
    const summary = answer.content[0]?.type === 'compaction' ? answer.content[0].content : '';
    const toolTokens = promptOf(await create(callsOf([]))) - 3 - 4 - countText('Begin');
    expect(promptOf(answer)).toBe(3 + toolTokens + 4 + countText(summary ?? ''));
    expect(answer.usage.iterations).toMatchObject([
      {
        type: 'compaction',
        input_tokens: promptOf(whole),
        output_tokens: countText(summary ?? ''),
      },
      {
        type: 'message',
        input_tokens: answer.usage.input_tokens,
        output_tokens: answer.usage.output_tokens,
      },
    ]);
  });

  it('pauses after the summary on request', async () => {
    const answer = await create(callsOf(long, compact(50_000, { pause_after_compaction: true })));
    expect(answer.stop_reason).toBe('compaction');
    expect(answer.content.map(({ type }) => type)).toEqual(['compaction']);
    expect(answer.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    expect(answer.usage.iterations).toHaveLength(1);
  });

  it('streams the summary as one delta', async () => {
    const { client } = await startDouble();
    const stream = client.beta.messages.stream(callsOf(long, compact()));
    const heard: unknown[] = [];
    stream.on('streamEvent', (event) => {
      if ('index' in event && event.index === 0) heard.push(event);
    });
    const { content, usage } = await stream.finalMessage();
    const summary = content[0]?.type === 'compaction' ? content[0].content : '';
    expect(heard).toMatchObject([
      { type: 'content_block_start', content_block: { type: 'compaction', content: null } },
      { type: 'content_block_delta', delta: { type: 'compaction_delta', content: summary } },
      { type: 'content_block_stop' },
    ]);
    expect(summary).toContain('Summary of 5 messages.');
    expect(usage.iterations?.map(({ type }) => type)).toEqual(['compaction', 'message']);
  });
});

describe('an answer to a prompt below the trigger', () => {
  it('is not compacted', async () => {
    const sent = promptOf(await create(callsOf(long)));
    const below = await create(callsOf(long, compact(sent + 1)));
    expect(below.content.map(({ type }) => type)).toEqual(['text']);
    expect(below.usage.iterations).toMatchObject([{ type: 'message' }]);
    const reached = await create(callsOf(long, compact(sent)));
    expect(reached.content[0]?.type).toBe('compaction');
  });

  it('may be below it because tool results were cleared first', async () => {
    const answer = await create(callsOf(long, clearTools(50_000), compact()));
    expect(answer.content.map(({ type }) => type)).toEqual(['text']);
    expect(answer.context_management?.applied_edits).toHaveLength(1);
  });
});

describe('a conversation with a compaction block', () => {
  const block = { type: 'compaction' as const, content: 'What was.' };
  const rest: readonly Message[] = [
    { role: 'assistant', content: [block, { type: 'text', text: 'So.' }] },
    user('Go on'),
  ];
  const before: readonly Message[] = [user(wordsOf(5_000))];
  const body = (...messages: readonly Message[]) => ({
    ...callsOf([], compact()),
    messages: [...messages],
  });

  it('is read from its last compaction block on, whether the rest is sent or not', async () => {
    const { client } = await startDouble();
    const pruned = await client.beta.messages.create(body(...rest));
    const whole = await client.beta.messages.create(body(...before, ...rest));
    const twice = await client.beta.messages.create(body(...before, ...rest, ...rest));
    expect(promptOf(whole)).toBe(promptOf(pruned));
    expect(promptOf(twice)).toBe(promptOf(pruned));
  });

  it('is read whole if the compaction failed', async () => {
    const failed = { type: 'compaction' as const, content: null };
    const answer = await create(
      body(
        ...before,
        { role: 'assistant', content: [failed, { type: 'text', text: 'So.' }] },
        user('Go'),
      ),
    );
    expect(promptOf(answer)).toBeGreaterThan(5_000);
  });

  it('is counted as it is read, and counting does not compact it', async () => {
    const { client } = await startDouble();
    const { max_tokens: _, ...counted } = body(...before, ...rest);
    const count = await client.beta.messages.countTokens(counted);
    expect(count.input_tokens).toBe(promptOf(await create(body(...rest))));
    expect(count.context_management!.original_input_tokens).toBeGreaterThan(5_000);
    const { max_tokens: __, ...tooMuch } = callsOf(long, compact());
    expect((await client.beta.messages.countTokens(tooMuch)).input_tokens).toBeGreaterThan(60_000);
  });

  it('binds thinking to the block and what follows it, not to earlier content', async () => {
    const think = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'So.' },
    ] as const;
    const { client } = await startDouble(saysInTurn(think, think, think));
    const asked = [user(wordsOf(60_000))];
    const ask = (messages: readonly Message[]) =>
      client.beta.messages.create({
        model: opus,
        max_tokens: 100,
        messages: [...messages],
        ...edited(compact()),
      });
    const { content } = await ask(asked);
    expect(content.map(({ type }) => type)).toEqual(['compaction', 'thinking', 'text']);
    const answer: Message = { role: 'assistant', content };
    expect((await ask([...asked, answer, user('Go')])).stop_reason).toBe('end_turn');
    expect((await ask([answer, user('Go')])).stop_reason).toBe('end_turn');
    const altered: Message = { role: 'assistant', content: [block, ...content.slice(1)] };
    expect((await failure(ask([altered, user('Go')]))).message).toContain(
      'bound to a different conversation',
    );
  });
});
