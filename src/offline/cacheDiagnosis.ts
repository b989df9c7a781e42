import type { PromptSegment } from './countTokens';
import { hash } from './thinkingSignature';

/** Why the cache could not reuse the prefix of an earlier request (CacheMissReason of SDK 1.12.0). */
export interface CacheMissReason {
  readonly type:
    | 'model_changed'
    | 'tools_changed'
    | 'system_changed'
    | 'messages_changed'
    | 'previous_message_not_found';
  readonly cache_missed_input_tokens?: number;
}

interface Fingerprint {
  readonly model: string;
  readonly tools: readonly string[];
  readonly system: readonly string[];
  readonly messages: readonly string[];
  /** Tokens up to the last breakpoint. */
  readonly cacheableTokens: number;
}

function fingerprint(model: string, segments: readonly PromptSegment[]): Fingerprint {
  const keys = (part: PromptSegment['part']) =>
    segments.filter((segment) => segment.part === part).map(({ key }) => hash(key));
  const lastMark = segments.findLastIndex(({ breakpoint }) => breakpoint !== undefined);
  return {
    model,
    tools: keys('tools'),
    system: keys('system'),
    messages: keys('messages'),
    cacheableTokens: segments.slice(0, lastMark + 1).reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

const startsWith = (whole: readonly string[], start: readonly string[]) =>
  start.every((key, at) => whole[at] === key);

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && startsWith(a, b);

/** Remembers what each answered request looked like and explains what a later one changed. */
export class CacheDiagnosis {
  readonly #byMessageId = new Map<string, Fingerprint>();

  /** Keeps a request under the id of its answer. */
  remember(messageId: string, model: string, segments: readonly PromptSegment[]): void {
    this.#byMessageId.set(messageId, fingerprint(model, segments));
  }

  /** Names the first difference to the request answered with `previousId`; null when messages were only appended. */
  explain(
    previousId: string,
    model: string,
    segments: readonly PromptSegment[],
    readTokens: number,
  ): CacheMissReason | null {
    const before = this.#byMessageId.get(previousId);
    if (before === undefined) return { type: 'previous_message_not_found' };
    const now = fingerprint(model, segments);
    const missed = { cache_missed_input_tokens: Math.max(0, before.cacheableTokens - readTokens) };
    if (before.model !== now.model) return { type: 'model_changed', ...missed };
    if (!same(before.tools, now.tools)) return { type: 'tools_changed', ...missed };
    if (!same(before.system, now.system)) return { type: 'system_changed', ...missed };
    return startsWith(now.messages, before.messages)
      ? null
      : { type: 'messages_changed', ...missed };
  }
}
