import { textTokens, toolUseHeadTokens } from './countTokens';
import type { MessagesRequest, ScriptedPart, ScriptedReply, StopReason } from './messagesApi';
import { thinks, type OfflineModel } from './models';
import { extendPrefix, hash, type Prefix, signThinking, thinkingId } from './rules/thinkingBinding';
import { firstTokens } from './tokenizer';

/** A block of an answer; the input of a tool call as JSON text, which a cut leaves incomplete. */
export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'compaction'; readonly content: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly json: string;
    };

/** A scripted reply under the limits of one request. */
export interface FinishedReply {
  readonly blocks: readonly ReplyBlock[];
  readonly stopReason: StopReason;
  readonly stopSequence: string | null;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
}

/** Longest reply before it is cut, and the limit that cuts it. */
interface Limit {
  readonly tokens: number;
  readonly reason: 'max_tokens' | 'model_context_window_exceeded';
}

interface CutReply {
  readonly parts: readonly ScriptedPart[];
  readonly jsonOfLast: string | undefined;
  readonly tokens: number;
  readonly wasCut: boolean;
}

const fittingText = (text: string, tokens: number, model: OfflineModel) =>
  firstTokens(text, Math.floor(tokens / model.tokenScale));

function cutTo(parts: readonly ScriptedPart[], limit: number, model: OfflineModel): CutReply {
  const kept: ScriptedPart[] = [];
  let tokens = 0;
  for (const part of parts) {
    const text =
      part.type === 'text'
        ? part.text
        : part.type === 'thinking'
          ? part.thinking
          : JSON.stringify(part.input);
    const head = part.type === 'tool_use' ? toolUseHeadTokens(part.name, model) : 0;
    const whole = head + textTokens(text, model);
    if (tokens + whole <= limit) {
      kept.push(part);
      tokens += whole;
      continue;
    }
    const fits = fittingText(text, limit - tokens - head, model);
    if (fits !== '') {
      tokens += head + textTokens(fits, model);
      if (part.type === 'text') kept.push({ type: 'text', text: fits });
      else if (part.type === 'thinking') kept.push({ type: 'thinking', thinking: fits });
      else kept.push(part);
    }
    const jsonOfLast = part.type === 'tool_use' && fits !== '' ? fits : undefined;
    return { parts: kept, jsonOfLast, tokens, wasCut: true };
  }
  return { parts: kept, jsonOfLast: undefined, tokens, wasCut: false };
}

/** Ends the reply before the first stop sequence in its text. */
function stopAt(parts: readonly ScriptedPart[], sequences: readonly string[]) {
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text') continue;
    const found = sequences
      .map((sequence) => ({ sequence, at: part.text.indexOf(sequence) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)[0];
    if (found === undefined) continue;
    const text = part.text.slice(0, found.at);
    const before = parts.slice(0, index);
    return {
      parts: text === '' ? before : [...before, { type: 'text' as const, text }],
      sequence: found.sequence,
    };
  }
  return { parts, sequence: null };
}

/**
 * Gives the blocks of a reply their ids and signatures, bound to the prefix and to the reply's
 * earlier blocks.
 */
function bind(
  cut: CutReply,
  request: MessagesRequest,
  model: OfflineModel,
  start: Prefix,
): readonly ReplyBlock[] {
  const display = request.thinking?.display ?? model.thinkingDisplay;
  const reply = hash('reply', start.prefix, start.previous);
  const blocksInReply = cut.parts.filter(({ type }) => type === 'thinking').length;
  let at = start;
  return cut.parts.map((part, index): ReplyBlock => {
    switch (part.type) {
      case 'text':
        at = { ...at, prefix: extendPrefix(at.prefix, 'assistant', part) };
        return part;
      case 'thinking': {
        const thinking = display === 'omitted' ? '' : part.thinking;
        const tokens = textTokens(part.thinking, model);
        const signature = signThinking({
          ...at,
          model: model.id,
          reply,
          blocksInReply,
          thinking,
          tokens,
        });
        at = { ...at, previous: thinkingId(signature) };
        return { type: 'thinking', thinking, signature };
      }
      case 'tool_use': {
        const id = part.id ?? `toolu_${hash(reply, String(index))}`;
        at = { ...at, prefix: extendPrefix(at.prefix, 'assistant', { ...part, id }) };
        const whole = JSON.stringify(part.input);
        const json = index === cut.parts.length - 1 ? (cut.jsonOfLast ?? whole) : whole;
        return { type: 'tool_use', id, name: part.name, json };
      }
    }
  });
}

/**
 * Turns a scripted reply into the one the request allows: without thinking if it is off, ended at a
 * stop sequence, cut at max_tokens or at the end of the context window, thinking signed.
 *
 * @param inputTokens tokens of the prompt
 */
export function finishReply(
  scripted: ScriptedReply,
  request: MessagesRequest,
  model: OfflineModel,
  prefix: Prefix,
  inputTokens: number,
): FinishedReply {
  const room = model.contextWindowTokens - inputTokens;
  const limit: Limit =
    room < request.max_tokens
      ? { tokens: room, reason: 'model_context_window_exceeded' }
      : { tokens: request.max_tokens, reason: 'max_tokens' };
  const said = thinks(request.thinking, model)
    ? scripted.content
    : scripted.content.filter(({ type }) => type !== 'thinking');
  const { parts, sequence } = stopAt(said, request.stop_sequences ?? []);
  const cut = cutTo(parts, limit.tokens, model);
  const natural: StopReason =
    sequence !== null
      ? 'stop_sequence'
      : (scripted.stopReason ??
        (parts.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'));
  const thinkingTokens = cut.parts.reduce(
    (sum, part) => sum + (part.type === 'thinking' ? textTokens(part.thinking, model) : 0),
    0,
  );
  const stopped = cut.wasCut || request.max_tokens === 0;
  return {
    blocks: bind(cut, request, model, prefix),
    stopReason: stopped ? limit.reason : natural,
    stopSequence: stopped ? null : sequence,
    outputTokens: Math.max(Math.min(1, limit.tokens), cut.tokens),
    thinkingTokens,
  };
}
