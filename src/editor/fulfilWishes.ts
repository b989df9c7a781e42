import type { Answer, NameOf, Received, Reply, WishHandlers, WishOf, Wishes } from './wish';
import type { Refusal } from '../contextWindow/result';

/** What the wishes of one page are handled with. */
export interface WishParts<W extends Wishes, To> {
  readonly parse: (message: unknown) => Received<W, To>;
  readonly handlers: WishHandlers<W>;
  /** Why a wish is refused before its handler is called. */
  readonly whyNot: (post: To & { readonly wish: WishOf<W> }) => Refusal;
  /** Posts an answer; `to` is what the post has in addition to its wish. */
  readonly answer: (to: To, answer: Answer) => void;
  /** Takes what went wrong where the user need not act. */
  readonly log: (problem: string) => void;
}

/**
 * Answers where we have a bug, since nobody may wait for ever; the bug itself is reported
 * separately.
 */
const FAILED = 'Something went wrong inside Plimsoll. This may not have been done; try again.';

/** Most kinds of unknown wishes that are logged, each once: a broken page must not fill the log. */
const MOST_LOGGED = 20;

/**
 * Makes the handler of a page's messages: each wish goes to its handler, and every post is answered
 * once. When a handler fails, this fails too, after the answer.
 */
export function wishReceiver<W extends Wishes, To>(
  parts: WishParts<W, To>,
): (message: unknown) => Promise<void> | void {
  const { answer } = parts;
  const logged = new Set<string>();
  const logOnce = (problem: string) => {
    if (logged.has(problem) || logged.size >= MOST_LOGGED) return;
    logged.add(problem);
    parts.log(`A page posted something that the host does not know: ${problem}.`);
  };
  return (message) => {
    const received = parts.parse(message);
    if (received.type === 'unknown') {
      logOnce(received.problem);
      if (received.to !== undefined) answer(received.to, { type: 'refused', message: FAILED });
      return;
    }
    const { post } = received;
    const why = parts.whyNot(post);
    if (why !== undefined) return answer(post, { type: 'refused', message: why });
    const told = (reply: AnyReply) => answer(post, answerOf(reply));
    const failed = (error: unknown): never => {
      answer(post, { type: 'refused', message: FAILED });
      throw error;
    };
    let reply;
    try {
      reply = fulfil(parts.handlers, post.wish);
    } catch (error) {
      return failed(error);
    }
    return reply instanceof Promise ? reply.then(told, failed) : told(reply);
  };
}

/** Hands a wish to its handler. */
export function fulfil<W extends Wishes>(
  handlers: WishHandlers<W>,
  wish: WishOf<W>,
): AnyReply | Promise<AnyReply> {
  const { type } = wish as { readonly type: NameOf<W> };
  const handler = handlers[type] as (wish: WishOf<W>) => AnyReply | Promise<AnyReply>;
  return handler(wish);
}

type AnyReply = Reply<unknown> | Reply<void>;

/**
 * Makes the answer. A value that is no reply, such as that of a handler's last call, counts as
 * done.
 */
function answerOf(reply: AnyReply): Answer {
  if (typeof reply === 'string') return { type: 'refused', message: reply };
  return typeof reply === 'object' && reply.type === 'answered' ? reply : { type: 'done' };
}
