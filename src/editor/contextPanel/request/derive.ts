import type { ModelRequest } from '../../../agent/model';
import { type PartWeight, textsOfPart } from '../../../contextWindow/account/guesses';
import { apportion, measure, weightOf } from '../../../contextWindow/account/measure';
import type { BlockId } from '../../../contextWindow/block';
import { labelOf } from '../../../contextWindow/label';
import { type MessagePart, originOf } from '../../../contextWindow/request/blockMessages';
import type { Estimate } from '../../../contextWindow/truncate';
import type { ContextWindow } from '../../../contextWindow/window';
import type { RequestAt } from './requestAt';
import type { RequestPart, RequestSection, RequestView } from './state';

/** Formats a request for reading, in the order of the prompt-cache prefix. */
export function requestView(
  { request, notes, window }: RequestAt,
  step: number | 'next',
  estimate: Estimate,
): RequestView {
  return {
    step,
    model: request.model,
    maxTokens: request.maxTokens,
    ...reasoningIn(request),
    notes,
    sections: sectionsOf(request, window, requestTokens(window, request, estimate)),
  };
}

/** Formats the request as plain text, for an editor and its diff. */
export function requestText({ request, notes, window }: RequestAt): string {
  const { model, maxTokens } = request;
  const head = [
    `model: ${model}`,
    `max_tokens: ${maxTokens}`,
    ...reasoningWords(request),
    ...notes.map((note) => `(${note})`),
  ];
  const sections = sectionsOf(request, window).map(({ title, parts }) =>
    [`══ ${title}`, ...parts.map(partText)].join('\n\n'),
  );
  return `${[head.join('\n'), ...sections].join('\n\n')}\n`;
}

/** The request's thinking and effort settings, in the API's terms. */
function reasoningWords({ thinking, effort }: ModelRequest): readonly string[] {
  const budget = thinking?.type === 'enabled' ? ` (budget_tokens: ${thinking.budget_tokens})` : '';
  return [
    ...(thinking === undefined ? [] : [`thinking: ${thinking.type}${budget}`]),
    ...(effort === undefined ? [] : [`effort: ${effort}`]),
  ];
}

function reasoningIn(request: ModelRequest): Pick<RequestView, 'reasoning'> {
  const words = reasoningWords(request);
  return words.length === 0 ? {} : { reasoning: words };
}

function partText({ title, text, breakpoint }: RequestPart): string {
  const mark = breakpoint === true ? ' · prompt-cache breakpoint after it' : '';
  return `── ${title}${mark}\n${text}`;
}

/** `tokens` are absent if only the texts are wanted. */
function sectionsOf(
  { tools, system, messages, contextEdits = [] }: ModelRequest,
  window: ContextWindow,
  tokens?: RequestTokens,
): RequestSection[] {
  const nameOf = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool_use' ? [[part.id, part.name] as const] : [])),
    ),
  );
  const blockOf = new Map(window.blocks.map((block) => [block.id, block] as const));
  return [
    ...(contextEdits.length === 0
      ? []
      : [
          {
            id: 'edits',
            title: 'Edits requested from the API (context_management)',
            role: 'system' as const,
            parts: [{ title: 'edits', text: JSON.stringify(contextEdits, null, 2) }],
          },
        ]),
    ...tools.map((tool, index): RequestSection => ({
      id: `tool-${index + 1}`,
      title: `Tool ${tool.name}`,
      role: 'tool',
      parts: [
        { title: 'description', text: tool.description },
        { title: 'input schema', text: JSON.stringify(tool.input_schema, null, 2) },
      ],
      ...weight(tokens?.tools[index]),
    })),
    ...(system.length === 0
      ? []
      : [
          {
            id: 'system',
            title: 'System prompt',
            role: 'system' as const,
            parts: system.map(({ text, cache_control }) =>
              withBreakpoint({ title: 'text', text }, cache_control),
            ),
            ...weight(tokens?.system),
          },
        ]),
    ...messages.map(({ role, content }, index): RequestSection => {
      const ids = new Set(content.map(originOf));
      const blocks = [...ids].flatMap((id) => {
        const block = blockOf.get(id as BlockId);
        return block === undefined ? [] : [{ id: block.id, label: labelOf(block) }];
      });
      const weights = content.flatMap((part) => tokens?.ofPart(part) ?? []);
      return {
        id: `message-${index + 1}`,
        title: `Message ${index + 1}, ${role}`,
        role,
        parts: content.map((part) => requestPart(part, nameOf)),
        ...(blocks.length === 0 ? {} : { blocks }),
        ...weight(weights.length === 0 ? undefined : weights.reduce((sum, each) => sum + each, 0)),
      };
    }),
  ];
}

function weight(tokens: number | undefined): Pick<RequestSection, 'tokens'> {
  return tokens === undefined ? {} : { tokens };
}

function requestPart(part: MessagePart, nameOf: ReadonlyMap<string, string>): RequestPart {
  switch (part.type) {
    case 'text':
      return withBreakpoint({ title: 'text', text: part.text }, part.cache_control);
    case 'thinking':
      return { title: 'thinking', text: part.thinking };
    case 'redacted_thinking':
      return { title: 'thinking, encrypted by the API', text: part.data };
    case 'compaction':
      return { title: 'summary by the API', text: part.content ?? '' };
    case 'image':
    case 'document':
      return withBreakpoint(mediaPart(part), part.cache_control);
    case 'tool_use': {
      const text = JSON.stringify(part.input, null, 2);
      return withBreakpoint({ title: `calls ${part.name}`, text }, part.cache_control);
    }
    case 'tool_result': {
      const name = nameOf.get(part.tool_use_id) ?? part.tool_use_id;
      const title = `result of ${name}${part.is_error === true ? ', an error' : ''}`;
      const { content } = part;
      const text =
        typeof content === 'string'
          ? content
          : content
              .map((inner) => (inner.type === 'text' ? inner.text : mediaPart(inner).text))
              .join('\n');
      return withBreakpoint({ title, text }, part.cache_control);
    }
  }
}

/** The base64 of an image tells a reader nothing; the raw form has it. */
function mediaPart({
  type,
  source,
}: Extract<MessagePart, { readonly type: 'image' | 'document' }>) {
  const text = `[${source.media_type}, ${source.data.length.toLocaleString('en-US')} characters of base64]`;
  return { title: type, text };
}

function withBreakpoint(part: RequestPart, cacheControl: object | undefined): RequestPart {
  return cacheControl === undefined ? part : { ...part, breakpoint: true };
}

/**
 * Weights of the parts of a request; always estimates, since the API counts only whole requests.
 */
interface RequestTokens {
  /** One for each tool, in order. */
  readonly tools: readonly number[];
  readonly system: number;
  /** Undefined for a part that comes from no block and no line of the window. */
  ofPart(part: MessagePart): number | undefined;
}

/**
 * Splits the weights in the bar and the block list among the parts of this window's request, so
 * that they add up to the same numbers.
 */
function requestTokens(
  window: ContextWindow,
  { tools, messages }: Pick<ModelRequest, 'tools' | 'messages'>,
  estimate: Estimate,
): RequestTokens {
  const measured = measure(window, estimate);
  const tokensOf = (part: PartWeight['part']): number => weightOf(measured, part).tokens;
  const parts = new Map<PartWeight['part'], MessagePart[]>();
  for (const part of messages.flatMap(({ content }) => content)) {
    const origin = originOf(part);
    if (origin === undefined) continue;
    const others = parts.get(origin);
    if (others === undefined) parts.set(origin, [part]);
    else others.push(part);
  }
  const found = new Map<MessagePart, number>();
  for (const [origin, of] of parts) {
    const shares = apportion(
      tokensOf(origin),
      of.map((part) => sumOf(textsOfPart(part).map(estimate))),
    );
    for (const [index, part] of of.entries()) found.set(part, shares[index] ?? 0);
  }
  return {
    tools: apportion(
      tokensOf('tools'),
      tools.map((tool) => estimate(JSON.stringify(tool))),
    ),
    system: tokensOf('system'),
    ofPart: (part) => found.get(part),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
