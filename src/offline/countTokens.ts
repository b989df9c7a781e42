import { blocksOf, canonicalBlock, canonicalTool, systemBlocks, turnsOf } from './conversation';
import type { CacheControl, ContentBlock, CountRequest } from './messagesApi';
import type { OfflineModel } from './models';
import { readSignature } from './rules/thinkingBinding';
import { countText } from './tokenizer';

/** Smallest piece of a prompt that can be cached: one tool, one block of the system prompt, one block of a message. */
export interface PromptSegment {
  readonly part: 'tools' | 'system' | 'messages';
  /** Exact text that identifies the piece, without cache_control. */
  readonly key: string;
  readonly tokens: number;
  /** Lifetime of the cache entry that ends here. */
  readonly breakpoint: '5m' | '1h' | undefined;
}

const requestOverhead = 3;
const turnOverhead = 4;
const toolOverhead = 10;
const toolUseOverhead = 8;
const toolResultOverhead = 6;
const pdfTokens = 3_000;

/** Counts a text in tokens of one model. */
export function textTokens(text: string, model: OfflineModel): number {
  return Math.ceil(countText(text) * model.tokenScale);
}

/** Counts a tool call before its input: the cost of naming the tool. */
export function toolUseHeadTokens(name: string, model: OfflineModel): number {
  return toolUseOverhead + textTokens(name, model);
}

/** Counts one block of a message. */
export function blockTokens(block: ContentBlock, model: OfflineModel): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text, model);
    case 'thinking':
      return readSignature(block.signature)?.tokens ?? textTokens(block.thinking, model);
    case 'redacted_thinking':
      return textTokens(block.data, model);
    case 'compaction':
      return textTokens(block.content ?? '', model);
    case 'tool_use':
      return toolUseHeadTokens(block.name, model) + textTokens(JSON.stringify(block.input), model);
    case 'tool_result':
      return blocksOf(block.content ?? []).reduce(
        (sum, part) => sum + blockTokens(part, model),
        toolResultOverhead,
      );
    case 'image':
      return block.source.type === 'base64' ? imageTokens(block.source.data) : flatImageTokens;
    case 'document':
      return block.source.type === 'text' ? textTokens(block.source.data, model) : pdfTokens;
  }
}

const lifetime = (control: CacheControl | null | undefined) =>
  control ? (control.ttl ?? '5m') : undefined;

function breakpointOf(block: ContentBlock): PromptSegment['breakpoint'] {
  const own = 'cache_control' in block ? lifetime(block.cache_control) : undefined;
  if (own !== undefined || block.type !== 'tool_result') return own;
  return blocksOf(block.content ?? [])
    .map(breakpointOf)
    .findLast((inner) => inner !== undefined);
}

const thinkingKey = 'assistant {"type":"thinking"';

/** Marks the last piece that can carry it if the request asks for automatic caching. */
function withAutomaticBreakpoint(
  segments: readonly PromptSegment[],
  control: CacheControl | null | undefined,
): readonly PromptSegment[] {
  const ttl = lifetime(control);
  const last = segments.findLastIndex(({ key }) => !key.startsWith(thinkingKey));
  return ttl === undefined
    ? segments
    : segments.map((segment, at) =>
        at === last ? { ...segment, breakpoint: segment.breakpoint ?? ttl } : segment,
      );
}

/** Cuts a prompt into its pieces in the order they are cached: tools, system, messages. */
export function promptSegments(
  request: CountRequest,
  model: OfflineModel,
): readonly PromptSegment[] {
  const tools = (request.tools ?? []).map((tool): PromptSegment => {
    const key = JSON.stringify(canonicalTool(tool));
    return {
      part: 'tools',
      key,
      tokens: toolTokens(key, model),
      breakpoint: lifetime(tool.cache_control),
    };
  });
  const system = systemBlocks(request.system).map((block): PromptSegment => ({
    part: 'system',
    key: JSON.stringify(canonicalBlock(block)),
    tokens: blockTokens(block, model),
    breakpoint: breakpointOf(block),
  }));
  const messages = turnsOf(request.messages).flatMap(({ role, blocks }) =>
    blocks.map(({ block }, at): PromptSegment => ({
      part: 'messages',
      key: `${role} ${JSON.stringify(canonicalBlock(block))}`,
      tokens: blockTokens(block, model) + (at === 0 ? turnOverhead : 0),
      breakpoint: breakpointOf(block),
    })),
  );
  return withAutomaticBreakpoint([...tools, ...system, ...messages], request.cache_control);
}

/** Adds up the tokens of a whole prompt. */
export function segmentTokens(segments: readonly PromptSegment[]): number {
  return segments.reduce((sum, { tokens }) => sum + tokens, requestOverhead);
}

/** Counts a prompt the way count_tokens answers and usage adds up: tools, system and messages, never max_tokens. */
export function countTokens(request: CountRequest, model: OfflineModel): number {
  const add = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);
  const tools = (request.tools ?? []).map((tool) =>
    toolTokens(JSON.stringify(canonicalTool(tool)), model),
  );
  const system = systemBlocks(request.system).map((block) => blockTokens(block, model));
  const messages = turnsOf(request.messages).flatMap(({ blocks }) =>
    blocks.map(({ block }, at) => blockTokens(block, model) + (at === 0 ? turnOverhead : 0)),
  );
  return requestOverhead + add(tools) + add(system) + add(messages);
}

function toolTokens(key: string, model: OfflineModel): number {
  return toolOverhead + textTokens(key, model);
}

/** Tokens of an image whose size cannot be read, and the most that any image costs. */
const flatImageTokens = 1_600;

interface Size {
  readonly width: number;
  readonly height: number;
}

function jpegSize(bytes: Buffer): Size | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOf(bytes: Buffer): Size | undefined {
  const starts = (text: string) => bytes.toString('latin1', 0, text.length) === text;
  if (starts('\x89PNG') && bytes.length >= 24) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (starts('GIF8') && bytes.length >= 10) {
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  return starts('\xff\xd8') ? jpegSize(bytes) : undefined;
}

/** Counts an image by its pixels, width x height / 750, not by its bytes (rule of the vendor's vision page). */
function imageTokens(base64: string): number {
  const size = sizeOf(Buffer.from(base64.slice(0, 65_536), 'base64'));
  if (size === undefined) return flatImageTokens;
  return Math.min(flatImageTokens, Math.max(1, Math.ceil((size.width * size.height) / 750)));
}
