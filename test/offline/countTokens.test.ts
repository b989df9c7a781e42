import { deflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import { countTokens } from '../../src/offline/countTokens';
import { offlineModels } from '../../src/offline/models';
import { countText, firstTokens } from '../../src/offline/tokenizer';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../support/ticking';
import { says, sonnet, startDouble } from './double';

const prose = `The Plimsoll line is the mark on a ship's hull that says how deep it may be loaded. Before it was made
compulsory, owners could send out vessels that were heavily overloaded and well insured, and sailors went down with them
while the owners collected the money. Samuel Plimsoll, a member of Parliament, spent years collecting evidence about those
coffin ships, and the law that carries his name was passed against the strong opposition of people who made a living from
the practice. Today every cargo ship carries the mark, together with lines for fresh and salt water in different seasons.`;

const code = readFileSync('src/offline/strictServer.ts', 'utf8');

describe('the tokenizer', () => {
  it('makes about one token of 4.3 characters of prose', () => {
    expect(prose.length / countText(prose)).toBeGreaterThan(4);
    expect(prose.length / countText(prose)).toBeLessThan(4.7);
  });

  it('makes about one token of 2.7 to 3 characters of code', () => {
    expect(code.length / countText(code)).toBeGreaterThan(2.6);
    expect(code.length / countText(code)).toBeLessThan(3.3);
  });

  it.each([
    ['', 0],
    ['word', 1],
    ['two words', 2],
    ['camelCase', 2],
    ['internationalise', 3],
    ['1234567', 3],
    ['(a)', 3],
    ['    return', 2],
    ['日本語', 3],
    ['🙂🙂', 2],
  ])('counts %j as %i', (text, tokens) => {
    expect(countText(text)).toBe(tokens);
  });

  it('takes time in proportion to the length, whatever the text', async () => {
    for (const piece of ['a', ' ', '\n', '{', '0', 'é', '日', 'word ']) {
      const { cpuMs } = await ticking(() => countText(piece.repeat(1_000_000 / piece.length)));
      expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
    }
  });

  it('cuts text to at most the requested tokens, and keeps it whole if they suffice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(50), (text, tokens) => {
        const cut = firstTokens(text, tokens);
        expect(text.startsWith(cut)).toBe(true);
        expect(countText(cut)).toBe(Math.min(tokens, countText(text)));
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});

describe('a count', () => {
  const model = offlineModels.find(({ id }) => id === sonnet)!;
  const empty = { model: sonnet, messages: [{ role: 'user' as const, content: 'Hi' }] };
  const count = (extra: object) => countTokens({ ...empty, ...extra }, model);

  it('includes system prompt, tools and each turn', () => {
    const tools = [{ name: 'a', input_schema: { type: 'object' } }];
    expect(count({ system: 'Be brief.' }) - count({})).toBe(countText('Be brief.'));
    expect(count({ tools })).toBeGreaterThan(count({}) + countText(JSON.stringify(tools[0])));
    const turns = [...empty.messages, { role: 'assistant', content: 'Hi' }, ...empty.messages];
    expect(count({ messages: turns }) - count({})).toBe(2 * (countText('Hi') + 4));
  });

  it('does not depend on spelling: shorthand, split messages, cache_control', () => {
    const text = (words: string) => ({ type: 'text', text: words });
    const one = [{ role: 'user', content: [text('Hi'), text('you')] }];
    const cached = { ...text('you'), cache_control: { type: 'ephemeral' } };
    const split = [
      { role: 'user', content: 'Hi' },
      { role: 'user', content: [cached] },
    ];
    expect(count({ messages: split })).toBe(count({ messages: one }));
  });

  it('of an image follows from its pixels, not its bytes', () => {
    const png = (width: number, height: number, bytes: number) => {
      const header = Buffer.alloc(24);
      header.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
      header.writeUInt32BE(width, 16);
      header.writeUInt32BE(height, 20);
      return Buffer.concat([header, deflateSync(Buffer.alloc(1)), Buffer.alloc(bytes)]);
    };
    const jpeg = Buffer.from('ffd8ffe000040000ffc0000b08012c01900000', 'hex');
    const gif = Buffer.from('GIF89a\x90\x01\x2c\x01', 'latin1');
    const image = (data: Buffer, media_type = 'image/png') => {
      const source = { type: 'base64', media_type, data: data.toString('base64') };
      const content = [{ type: 'image', source }];
      return count({ messages: [{ role: 'user', content }] }) - 3 - 4;
    };
    expect(image(png(400, 300, 10))).toBe(160);
    expect(image(png(400, 300, 100_000))).toBe(160);
    expect(image(jpeg, 'image/jpeg')).toBe(160);
    expect(image(gif, 'image/gif')).toBe(160);
    expect(image(png(4_000, 3_000, 10))).toBe(1_600);
    expect(image(Buffer.from('no image'))).toBe(1_600);
  });

  it('of documents is that of their text, or a flat number if it is unreadable', () => {
    const document = (source: object) =>
      count({ messages: [{ role: 'user', content: [{ type: 'document', source }] }] }) - 3 - 4;
    expect(document({ type: 'text', media_type: 'text/plain', data: 'Some words' })).toBe(2);
    expect(document({ type: 'url', url: 'https://a/b.pdf' })).toBe(3_000);
  });

  it("grows with a model's scale", () => {
    const scaled = { ...model, tokenScale: 1.3 };
    const body = { ...empty, messages: [{ role: 'user' as const, content: code }] };
    expect(countTokens(body, scaled) / countTokens(body, model)).toBeCloseTo(1.3, 2);
  });
});

const text = fc.stringMatching(/^[a-z(){};. \n]{1,80}x$/);
const cacheControl = fc.constantFrom({}, {}, {}, { cache_control: { type: 'ephemeral' as const } });
const textBlock = fc
  .tuple(text, fc.integer({ min: 1, max: 60 }), cacheControl)
  .map(([words, times, mark]) => ({ type: 'text' as const, text: words.repeat(times), ...mark }));

/**
 * Conversations with tool pairs, cache breakpoints anywhere (at most four are kept) and a final
 * prompt.
 */
const request = fc
  .record({
    system: fc.array(textBlock, { maxLength: 2 }),
    tools: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
    steps: fc.array(fc.tuple(textBlock, fc.dictionary(text, text, { maxKeys: 3 }), textBlock), {
      maxLength: 5,
    }),
    prompt: fc.array(textBlock, { minLength: 1, maxLength: 3 }),
  })
  .map(({ system, tools, steps, prompt }): Anthropic.MessageCountTokensParams => {
    let left = 4;
    const limited = <B extends { cache_control?: object }>(block: B): B => {
      if (block.cache_control === undefined) return block;
      left -= 1;
      const { cache_control: _, ...rest } = block;
      return left < 0 ? (rest as B) : block;
    };
    return {
      model: sonnet,
      system: system.map(limited),
      tools: tools.map((name) => ({ name, input_schema: { type: 'object' } })),
      messages: [
        { role: 'user', content: 'Begin' },
        ...steps.flatMap(([said, input, result], at): Anthropic.MessageParam[] => [
          {
            role: 'assistant',
            content: [limited(said), { type: 'tool_use', id: `t${at}`, name: 'a', input }],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: `t${at}`, content: [limited(result)] }],
          },
        ]),
        { role: 'user', content: prompt.map(limited) },
      ],
    };
  });

describe('count_tokens', () => {
  const total = ({ usage }: Anthropic.Message) =>
    usage.input_tokens +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0);

  it('answers the sum of the usage, with a cold cache, a warm one and a longer conversation', async () => {
    const { client } = await startDouble(says('Done.'));
    let cached = 0;
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const { input_tokens } = await client.messages.countTokens(body);
        const cold = await client.messages.create({ ...body, max_tokens: 10 });
        const warm = await client.messages.stream({ ...body, max_tokens: 10 }).finalMessage();
        expect([total(cold), total(warm)]).toEqual([input_tokens, input_tokens]);
        expect(warm.usage.cache_creation_input_tokens).toBe(0);
        cached += warm.usage.cache_read_input_tokens ?? 0;
        const content = cold.content as Anthropic.ContentBlockParam[];
        const longer = {
          ...body,
          messages: [
            ...body.messages,
            { role: 'assistant' as const, content },
            { role: 'user' as const, content: 'More' },
          ],
        };
        const next = await client.messages.create({ ...longer, max_tokens: 10 });
        expect(total(next)).toBe((await client.messages.countTokens(longer)).input_tokens);
        expect(next.usage.cache_read_input_tokens).toBe(warm.usage.cache_read_input_tokens);
      }),
      { seed: 7, numRuns: 25 },
    );
    expect(cached).toBeGreaterThan(5_000);
  });

  it('counts the output of one request in the next', async () => {
    const { client } = await startDouble(says('One two three.'));
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Hi' }];
    const first = await client.messages.create({ model: sonnet, max_tokens: 10, messages });
    const content = first.content as Anthropic.ContentBlockParam[];
    const next = await client.messages.countTokens({
      model: sonnet,
      messages: [...messages, { role: 'assistant', content }, { role: 'user', content: 'Go' }],
    });
    const perTurn = 4;
    expect(next.input_tokens).toBe(
      first.usage.input_tokens + perTurn + first.usage.output_tokens + perTurn + countText('Go'),
    );
  });
});
