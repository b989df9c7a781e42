import { compactionBeta } from './contextEdit';
import { contextManagementShape } from './contextEditRules';
import {
  boolean,
  dictionary,
  integer,
  list,
  nullable,
  oneOf,
  record,
  tagged,
  text,
  textOrList,
  type JsonObject,
  type Shape,
} from './fieldShapes';

// Fields: MessageCreateParamsBase and MessageCountTokensParams of SDK 1.12.0. It omits, and so
// rejects, what the strict server cannot do: server tools, files, containers, inference_geo,
// compaction on demand.

const idPattern = /^[a-zA-Z0-9_-]+$/;
const toolNamePattern = /^[a-zA-Z0-9_-]{1,128}$/;

const cacheControl = nullable(record({ type: oneOf('ephemeral') }, { ttl: oneOf('5m', '1h') }));

const tag = (name: string) => ({ type: oneOf(name) });

const textBlock = record(
  { ...tag('text'), text: text() },
  { cache_control: cacheControl, citations: nullable(list(dictionary)) },
);

const imageBlock = record(
  {
    ...tag('image'),
    source: tagged({
      base64: record({
        ...tag('base64'),
        media_type: oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp'),
        data: text({ min: 1 }),
      }),
      url: record({ ...tag('url'), url: text({ min: 1 }) }),
    }),
  },
  { cache_control: cacheControl },
);

const documentBlock = record(
  {
    ...tag('document'),
    source: tagged({
      text: record({ ...tag('text'), media_type: oneOf('text/plain'), data: text({ min: 1 }) }),
      base64: record({
        ...tag('base64'),
        media_type: oneOf('application/pdf'),
        data: text({ min: 1 }),
      }),
      url: record({ ...tag('url'), url: text({ min: 1 }) }),
    }),
  },
  { cache_control: cacheControl, title: nullable(text()), context: nullable(text()) },
);

const contentBlocks = {
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  thinking: record({ ...tag('thinking'), thinking: text(), signature: text({ min: 1 }) }),
  redacted_thinking: record({ ...tag('redacted_thinking'), data: text() }),
  tool_use: record(
    {
      ...tag('tool_use'),
      id: text({ pattern: idPattern }),
      name: text({ min: 1, max: 200 }),
      input: dictionary,
    },
    { cache_control: cacheControl, caller: record(tag('direct')) },
  ),
  tool_result: record(
    { ...tag('tool_result'), tool_use_id: text({ pattern: idPattern }) },
    {
      content: textOrList(tagged({ text: textBlock, image: imageBlock, document: documentBlock })),
      is_error: boolean,
      cache_control: cacheControl,
    },
  ),
};

const compactionBlock = record(tag('compaction'), {
  content: nullable(text({ min: 1 })),
  encrypted_content: nullable(text()),
  cache_control: cacheControl,
});

const customTool = record(
  {
    name: text({ min: 1, max: 128, pattern: toolNamePattern }),
    input_schema: (value, path) => {
      const fault = dictionary(value, path);
      if (fault !== undefined) return fault;
      const type = (value as JsonObject)['type'];
      return type === undefined
        ? `${path}.type: Field required`
        : oneOf('object')(type, `${path}.type`);
    },
  },
  {
    type: nullable(oneOf('custom')),
    description: text(),
    cache_control: cacheControl,
    eager_input_streaming: nullable(boolean),
    input_examples: list(dictionary),
    strict: boolean,
  },
);

const tool: Shape = (value, path) => customTool(value, `${path}.custom`);

const display = nullable(oneOf('summarized', 'omitted', 'updates'));

function thinking(bindingControls: boolean): Shape {
  const optional = {
    display,
    ...(bindingControls
      ? {
          block_binding: nullable(
            record({}, { prefix_mismatch_behavior: nullable(oneOf('error', 'drop_block')) }),
          ),
        }
      : {}),
  };
  return tagged({
    adaptive: record(tag('adaptive'), optional),
    enabled: record({ ...tag('enabled'), budget_tokens: integer(1024) }, optional),
    disabled: record(tag('disabled')),
    between_tools: record(tag('between_tools')),
  });
}

const parallel = { disable_parallel_tool_use: boolean };

const toolChoice = tagged({
  auto: record(tag('auto'), parallel),
  any: record(tag('any'), parallel),
  tool: record({ ...tag('tool'), name: text({ min: 1 }) }, parallel),
  none: record(tag('none')),
});

const required = (compaction: boolean) => ({
  model: text({ min: 1, max: 256 }),
  messages: list(
    record({
      role: oneOf('user', 'assistant', 'system'),
      content: textOrList(
        tagged(compaction ? { ...contentBlocks, compaction: compactionBlock } : contentBlocks),
      ),
    }),
  ),
});

const counted = (bindingControls: boolean, contextManagement: Shape | undefined) => ({
  cache_control: cacheControl,
  ...(contextManagement ? { context_management: contextManagement } : {}),
  output_config: record(
    {},
    {
      effort: nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max')),
      format: nullable(dictionary),
    },
  ),
  speed: nullable(oneOf('standard')),
  system: textOrList(tagged({ text: textBlock })),
  thinking: thinking(bindingControls),
  tool_choice: toolChoice,
  tools: list(tool),
});

const sampling: Readonly<Record<string, Shape>> = {
  temperature: (value, path) =>
    typeof value === 'number' && value >= 0 && value <= 1 ? undefined : `${path}: range: 0..1`,
  top_p: (value, path) =>
    typeof value === 'number' && value >= 0 && value <= 1 ? undefined : `${path}: range: 0..1`,
  top_k: integer(0),
};

/** Beta that makes the API drop thinking of another conversation instead of rejecting it. */
export const bindingControlsBeta = 'thinking-binding-controls-2026-08-01';

/** Decides, apart from the body, which fields a body may have. */
interface BodyDialect {
  readonly endpoint: 'messages' | 'count_tokens';
  /** Whether temperature, top_p and top_k exist: not since version 2026-10-21. */
  readonly sampling: boolean;
  /** Values of the header anthropic-beta. */
  readonly betas: readonly string[];
}

/** Checks the fields and types of a body, field by field, as strictly as the API does. */
export function requestShape(dialect: BodyDialect): Shape {
  const { betas } = dialect;
  const optional = {
    ...counted(betas.includes(bindingControlsBeta), contextManagementShape(betas)),
    ...(dialect.sampling ? sampling : {}),
  };
  const inBoth = required(betas.includes(compactionBeta));
  if (dialect.endpoint === 'count_tokens') return record(inBoth, optional);
  return record(
    { ...inBoth, max_tokens: integer(0) },
    {
      ...optional,
      diagnostics: nullable(record({}, { previous_message_id: nullable(text()) })),
      metadata: record({}, { user_id: nullable(text({ max: 512 })) }),
      service_tier: oneOf('auto', 'standard_only'),
      stop_sequences: list(text({ min: 1 })),
      stream: boolean,
    },
  );
}
