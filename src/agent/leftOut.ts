import { LEFT_OUT, type LeftOut } from '../contextWindow/event';
import type { Message, MessagePart } from '../contextWindow/request/blockMessages';
import type { ModelRequest } from './model';

/** What a part that a request can go without is called in a sentence. */
export const LEFT_OUT_NAMES: Readonly<Record<LeftOut, string>> = {
  cacheControl: 'prompt cache marks',
  thinking: 'thinking',
  effort: 'effort',
  images: 'images',
  documents: 'PDFs',
};

type ResultPart = Exclude<Extract<MessagePart, { type: 'tool_result' }>['content'], string>[number];

/** The request without the parts that a server does not support; a medium becomes a line of text. */
export function withoutParts(request: ModelRequest, leftOut: readonly LeftOut[]): ModelRequest {
  if (leftOut.length === 0) return request;
  const lacks = new Set(leftOut);
  const { thinking, effort, ...rest } = request;
  const plain = <T extends object>(part: T): T => {
    if (!lacks.has('cacheControl') || !('cache_control' in part)) return part;
    const { cache_control: _, ...unmarked } = part;
    return unmarked as unknown as T;
  };
  const readable = <P extends MessagePart | ResultPart>(part: P) =>
    (part.type === 'image' && lacks.has('images')) ||
    (part.type === 'document' && lacks.has('documents'))
      ? ({ type: 'text', text: notSent(part.type) } as const)
      : part;
  const sent = (part: MessagePart): readonly MessagePart[] => {
    const isThought = part.type === 'thinking' || part.type === 'redacted_thinking';
    if (isThought && lacks.has('thinking')) return [];
    if (part.type !== 'tool_result' || typeof part.content === 'string')
      return [plain(readable(part))];
    return [plain({ ...part, content: part.content.map(readable) })];
  };
  return {
    ...rest,
    ...(thinking === undefined || lacks.has('thinking') ? {} : { thinking }),
    ...(effort === undefined || lacks.has('effort') ? {} : { effort }),
    system: request.system.map(plain),
    messages: request.messages
      .map(({ role, content }): Message => ({ role, content: content.flatMap(sent) }))
      .filter(({ content }) => content.length > 0),
  };
}

function notSent(type: 'image' | 'document'): string {
  return type === 'image'
    ? '[Image not sent: the server does not support images.]'
    : '[PDF not sent: the server does not support PDFs.]';
}

/** What a request has that was not sent. */
export function leftOutOf(request: ModelRequest, sent: ModelRequest): readonly LeftOut[] {
  return LEFT_OUT.filter((part) => hasPart(request, part) && !hasPart(sent, part));
}

/** Says whether a request has parts of this kind. */
export function hasPart(request: ModelRequest, part: LeftOut): boolean {
  const parts = () => request.messages.flatMap(({ content }) => content);
  switch (part) {
    case 'effort':
      return request.effort !== undefined;
    case 'thinking':
      return (
        request.thinking !== undefined ||
        parts().some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
      );
    case 'cacheControl':
      return [...request.system, ...parts()].some((each) => 'cache_control' in each);
    case 'images':
      return hasMedia(parts(), 'image');
    case 'documents':
      return hasMedia(parts(), 'document');
  }
}

function hasMedia(parts: readonly MessagePart[], type: 'image' | 'document'): boolean {
  return parts.some(
    (part) =>
      part.type === type ||
      (part.type === 'tool_result' &&
        typeof part.content !== 'string' &&
        part.content.some((inside) => inside.type === type)),
  );
}
