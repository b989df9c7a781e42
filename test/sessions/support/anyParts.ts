import fc from 'fast-check';
import {
  type Admission,
  type Attachment,
  type BlockId,
  type NoteSource,
  REMINDER_CAUSES,
  type ReplyPart,
  type ToolUseId,
} from '../../../src/contextWindow/block';
import type { Scratchpad } from '../../../src/contextWindow/scratchpad';
import type { JsonValue } from '../../../src/contextWindow/json';

// Few ids, so that events refer to each other; any text, lone surrogates and line breaks included.
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('\ud800', 'a\udfff\n', '\u2028\r\n', '{"type":'),
);
/** Any word of an enum of the log. */
export const wordOf = <Word extends string>(words: {
  readonly def: { readonly entries: Readonly<Record<string, Word>> };
}): fc.Arbitrary<Word> => fc.constantFrom(...Object.values(words.def.entries));

export const tokens = fc.nat(200_000);
export const blockId = fc
  .constantFrom(
    'prompt-1',
    'prompt-2',
    'step-1',
    'step-2',
    'step-3',
    'summary-1',
    'note-1',
    'nothing',
  )
  .map((id) => id as BlockId);
export const toolUseId = fc
  .constantFrom('toolu_1', 'toolu_2', 'toolu_3')
  .map((id) => id as ToolUseId);
export const jsonValue = fc
  .jsonValue()
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
export const json = fc
  .dictionary(
    fc.oneof(fc.constantFrom('path', '__proto__', '10', '2', 'constructor'), anyText),
    jsonValue,
    { maxKeys: 4 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

export const admission: fc.Arbitrary<Admission> = fc.oneof(
  fc.constant({ form: 'whole' as const }),
  fc.record({
    form: fc.constant('truncated' as const),
    headChars: fc.nat(20),
    tailChars: fc.nat(20),
    tokensBefore: tokens,
    tokensAfter: tokens,
    capTokens: tokens,
  }),
);

export const attachments: fc.Arbitrary<readonly Attachment[]> = fc.array(
  fc.record({
    type: fc.constantFrom('image' as const, 'document' as const),
    mediaType: fc.constantFrom('image/png', 'application/pdf'),
    data: fc.base64String({ maxLength: 40 }),
    tokens,
  }),
  { maxLength: 2 },
);

export const part: fc.Arbitrary<ReplyPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({ type: fc.constant('thinking' as const), thinking: anyText, signature: anyText }),
  fc.record({ type: fc.constant('redactedThinking' as const), data: anyText }),
  fc.record({ type: fc.constant('compaction' as const), content: fc.option(anyText) }),
  fc.record({
    type: fc.constant('toolUse' as const),
    use: fc.record(
      {
        id: toolUseId,
        name: fc.constantFrom('read_file', 'recall'),
        input: json,
        inputFault: anyText,
        via: anyText,
      },
      { requiredKeys: ['id', 'name', 'input'] },
    ),
  }),
);

export const usage = fc.record(
  {
    inputTokens: tokens,
    cacheCreationTokens: tokens,
    cacheCreation1hTokens: tokens,
    cacheReadTokens: tokens,
    outputTokens: tokens,
    thinkingTokens: tokens,
  },
  { requiredKeys: ['inputTokens', 'cacheCreationTokens', 'cacheReadTokens', 'outputTokens'] },
);

export const memoryOrigin = fc.oneof(
  fc.constant({ how: 'begin' } as const),
  fc.record({ how: fc.constant('allowed' as const), step: fc.nat() }),
);

export const noteSource: fc.Arbitrary<NoteSource> = fc.oneof(
  fc.record(
    { from: fc.constant('scratchpad' as const), handedOver: fc.constant(true as const) },
    { requiredKeys: ['from'] },
  ),
  fc.record({ from: fc.constant('handover' as const), title: anyText }),
  fc.record(
    {
      from: fc.constant('memory' as const),
      path: anyText,
      origin: memoryOrigin,
      globs: fc.array(anyText),
    },
    { requiredKeys: ['from', 'path'] },
  ),
  fc.record({ from: fc.constant('recall' as const), blockId, label: anyText }),
  fc.record({ from: fc.constant('return' as const), idleMs: fc.nat() }),
  fc.record({ from: fc.constant('said' as const) }),
  fc.record({
    from: fc.constant('rule' as const),
    how: fc.constantFrom('added' as const, 'struck' as const),
  }),
  fc.record({
    from: fc.constant('mode' as const),
    mode: fc.constantFrom('ask' as const, 'acceptEdits' as const, 'plan' as const),
  }),
  fc.record({ from: fc.constant('filesRestored' as const) }),
  fc.record({
    from: fc.constant('commandsEnded' as const),
    handles: fc.array(fc.constantFrom('cmd1', 'cmd2'), { maxLength: 2 }),
  }),
  fc.record({
    from: fc.constant('continue' as const),
    because: fc.constantFrom(
      'maxTokens' as const,
      'windowEnd' as const,
      'stopped' as const,
      'interrupted' as const,
      'refused' as const,
      'failed' as const,
    ),
  }),
  fc.record({
    from: fc.constant('reminder' as const),
    because: fc.constantFrom(...REMINDER_CAUSES),
    steps: fc.nat(),
  }),
);

export const fraction = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value || 0);

const texts = fc.array(anyText, { maxLength: 2 });

export const scratchpad: fc.Arbitrary<Scratchpad> = fc.record(
  {
    objective: anyText,
    keyFacts: texts,
    decisions: texts,
    currentStep: anyText,
    blockers: texts,
    lists: fc.array(fc.record({ name: anyText, items: texts }), { maxLength: 2 }),
    todo: fc.array(
      fc.record({
        text: anyText,
        state: fc.constantFrom('open' as const, 'doing' as const, 'done' as const),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['objective', 'keyFacts', 'decisions', 'currentStep', 'blockers'] },
);
