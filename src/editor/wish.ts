import * as z from 'zod/mini';
import type { Refusal } from '../contextWindow/result';

/** What a wish does to the session its page shows. */
type Effect =
  /** Changes the session: refused unless the page shows the present of the current session. */
  | 'changes'
  /** Reads the session, or names something in it: refused once another session is shown. */
  | 'looks'
  /** Does not touch the session: always fulfilled. */
  | 'leaves';

/** A wish, declared once: its fields, its effect, and the type of the data in its answer. */
interface Declared<F extends z.core.$ZodLooseShape, E extends Effect, D> {
  readonly fields: z.ZodMiniObject<F, z.core.$strict>;
  readonly effect: E;
  /** Exists as a type only. */
  readonly answer: Data<D>;
}

/** Names the data of an answer; void for none. */
interface Data<D> {
  readonly of?: D;
}

/** A wish whose entry carries its handler; `H` is the object whose methods the handler calls. */
interface Handled<F extends z.core.$ZodLooseShape, E extends Effect, D, H> extends Declared<
  F,
  E,
  D
> {
  readonly fulfil: (wish: FieldsOf<F>, host: H) => HandlerReply;
}

/** Makes the functions that declare the wishes of a page whose handlers call methods of `H`. */
export function wishesOf<H>() {
  return {
    changes: handling<H, 'changes'>('changes'),
    looks: handling<H, 'looks'>('looks'),
    leaves: handling<H, 'leaves'>('leaves'),
  };
}

function handling<H, E extends Effect>(effect: E) {
  return <F extends z.core.$ZodLooseShape, R extends HandlerReply>(
    fields: F,
    fulfil: (wish: FieldsOf<F>, host: H) => R,
  ): Handled<F, E, DataIn<R>, H> => ({
    fields: z.strictObject(fields),
    effect,
    answer: {},
    fulfil,
  });
}

/** Binds the handlers of a table to the object whose methods they call. */
export function handlersOf<W extends HandledWishes>(wishes: W, host: HostOf<W>): WishHandlers<W> {
  const handlers = Object.entries(wishes).map(([type, { fulfil }]) => [
    type,
    (wish: never) => fulfil(wish, host as never),
  ]);
  return Object.fromEntries(handlers) as WishHandlers<W>;
}

type HandledWishes = Readonly<
  Record<
    string,
    Declared<z.core.$ZodLooseShape, Effect, unknown> & {
      readonly fulfil: (wish: never, host: never) => HandlerReply;
    }
  >
>;

type HostOf<W extends HandledWishes> = W[keyof W]['fulfil'] extends (
  wish: never,
  host: infer H,
) => unknown
  ? H
  : never;

type FieldsOf<F extends z.core.$ZodLooseShape> = Frozen<
  z.output<z.ZodMiniObject<F, z.core.$strict>>
>;

type HandlerReply = MaybeAnswered | Promise<MaybeAnswered>;
type MaybeAnswered = Refusal | void | AnsweredWith<unknown>;

/** The data that a handler answers with; void for none. */
type DataIn<R> = [Extract<Awaited<R>, AnsweredWith<unknown>>] extends [never]
  ? void
  : Extract<Awaited<R>, AnsweredWith<unknown>> extends AnsweredWith<infer D>
    ? D
    : never;

/** Longest accepted text, in characters; a longer one is the page's mistake, not the user's. */
const LONGEST_TEXT = 5_000_000;

/** Text typed by the user, or words of the page. */
export const text = z.string().check(z.maxLength(LONGEST_TEXT));
/** The name of a block or a call. */
export const id = z.string().check(z.minLength(1), z.maxLength(1_000));
/** The number of a step, a pass or a post. */
export const number = z.int().check(z.minimum(1));

/** All wishes of a page, by name. */
export type Wishes = Readonly<Record<string, Declared<z.core.$ZodLooseShape, Effect, unknown>>>;

/** The names of the wishes that have one of the given effects. */
export type NameOf<W extends Wishes, E extends Effect = Effect> = {
  [T in keyof W]: W[T]['effect'] extends E ? T : never;
}[keyof W] &
  string;

/** A wish as it is sent. */
export type WishOf<W extends Wishes, T extends NameOf<W> = NameOf<W>> = {
  [K in T]: Frozen<z.output<z.ZodMiniObject<TypedFields<W, K>, z.core.$strict>>>;
}[T];

type TypedFields<W extends Wishes, K extends keyof W> = W[K]['fields']['shape'] & {
  readonly type: z.ZodMiniLiteral<K & string>;
};

/** The data in the answer to a wish; void for none. */
export type DataOf<W extends Wishes, T extends NameOf<W>> =
  W[T]['answer'] extends Data<infer D> ? D : never;

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** A page's post: a wish and its unique number, which the answer repeats. */
export interface Post<W extends Wishes> {
  readonly number: number;
  readonly wish: WishOf<W>;
}

/** The host's answer to a wish; every wish is answered once. */
export type Answer<D = unknown> =
  | { readonly type: 'done' }
  | { readonly type: 'answered'; readonly data: D }
  /** `message` is a sentence. */
  | { readonly type: 'refused'; readonly message: string };

export interface WishAnswered {
  readonly type: 'wishAnswered';
  readonly number: number;
  readonly answer: Answer;
}

/** A handler's result: a refusal, or else nothing or the requested data. */
type Reply<D> = [D] extends [void] ? Refusal | void : string | AnsweredWith<D>;

type AnsweredWith<D> = Extract<Answer<D>, { readonly type: 'answered' }>;

export function answered<D>(data: D): AnsweredWith<D> {
  return { type: 'answered', data };
}

/** One handler for every wish; a missing one does not compile. */
export type WishHandlers<W extends Wishes> = {
  readonly [T in NameOf<W>]: (
    wish: WishOf<W, T>,
  ) => Reply<DataOf<W, T>> | Promise<Reply<DataOf<W, T>>>;
};

/** A parsed message of a page; `to` holds the other fields of a post, which an answer repeats. */
type Received<W extends Wishes, To> =
  | { readonly type: 'post'; readonly post: To & { readonly wish: WishOf<W> } }
  /**
   * `problem` names the invalid fields, never their content; `to` is absent if it cannot be read.
   */
  | { readonly type: 'unknown'; readonly problem: string; readonly to?: To };

/** The fields of every post. */
export const POST = { number, wish: z.looseObject({ type: z.string() }) };

type Envelope = z.output<z.ZodMiniObject<typeof POST, z.core.$strict>>;

/** Creates the parser of a page's posts, since pages are not trusted. */
export function postParser<W extends Wishes, E extends Envelope>(
  wishes: W,
  envelope: z.ZodMiniType<E>,
): (message: unknown) => Received<W, Omit<E, 'wish'>> {
  return (message) => {
    const posted = envelope.safeParse(message);
    if (!posted.success) return { type: 'unknown', problem: `no post (${issuesIn(posted.error)})` };
    const { wish, ...to } = posted.data;
    const { type, ...fields } = wish;
    const declared = Object.hasOwn(wishes, type) ? wishes[type] : undefined;
    if (declared === undefined) return { type: 'unknown', problem: 'no wish of this page', to };
    const parsed = declared.fields.safeParse(fields);
    if (!parsed.success) {
      return { type: 'unknown', problem: `${type} (${issuesIn(parsed.error)})`, to };
    }
    return { type: 'post', post: { ...to, wish: { type, ...parsed.data } as WishOf<W> } };
  };
}

function issuesIn({ issues }: z.core.$ZodError): string {
  return issues.map(({ path, code }) => [...path, code].join('.')).join(', ');
}

/** A page, to the host: reads its wishes, and takes their answers. */
interface WishingPage<W extends Wishes, To> {
  readonly parse: (message: unknown) => Received<W, To>;
  readonly handlers: WishHandlers<W>;
  /** Why a wish is refused before its handler is called. */
  readonly whyNot: (post: To & { readonly wish: WishOf<W> }) => Refusal;
  /** Posts an answer; `to` holds the other fields of the post. */
  readonly answer: (to: To, answer: Answer) => void;
  /** Reports an error that needs no action of the user. */
  readonly log: (problem: string) => void;
}

/**
 * The answer after a bug of ours, so that the page does not wait forever; the bug is reported
 * separately.
 */
const FAILED = 'Something went wrong inside Plimsoll. This may not have been done; try again.';

/** Most kinds of unknown wishes that are logged, each once: a broken page must not fill the log. */
const MOST_LOGGED = 20;

/**
 * Creates the handler of a page's messages: each wish goes to its handler, and every post is
 * answered once. If a handler fails, this fails too, after the answer.
 */
export function wishReceiver<W extends Wishes, To>(
  page: WishingPage<W, To>,
): (message: unknown) => Promise<void> | void {
  const { answer } = page;
  const logged = new Set<string>();
  const logOnce = (problem: string) => {
    if (logged.has(problem) || logged.size >= MOST_LOGGED) return;
    logged.add(problem);
    page.log(`A page posted a message that the host does not know: ${problem}.`);
  };
  return (message) => {
    const received = page.parse(message);
    if (received.type === 'unknown') {
      logOnce(received.problem);
      if (received.to !== undefined) answer(received.to, { type: 'refused', message: FAILED });
      return;
    }
    const { post } = received;
    const why = page.whyNot(post);
    if (why !== undefined) return answer(post, { type: 'refused', message: why });
    const answered = (reply: AnyReply) => answer(post, answerOf(reply));
    const failed = (error: unknown): never => {
      answer(post, { type: 'refused', message: FAILED });
      throw error;
    };
    let reply;
    try {
      reply = fulfil(page.handlers, post.wish);
    } catch (error) {
      return failed(error);
    }
    return reply instanceof Promise ? reply.then(answered, failed) : answered(reply);
  };
}

/** Passes a wish to its handler. */
export function fulfil<W extends Wishes>(
  handlers: WishHandlers<W>,
  wish: WishOf<W>,
): AnyReply | Promise<AnyReply> {
  const { type } = wish as { readonly type: NameOf<W> };
  const handler = handlers[type] as (wish: WishOf<W>) => AnyReply | Promise<AnyReply>;
  return handler(wish);
}

type AnyReply = Reply<unknown> | Reply<void>;

/** Creates the answer. A value that is not a reply counts as done. */
function answerOf(reply: AnyReply): Answer {
  if (typeof reply === 'string') return { type: 'refused', message: reply };
  return typeof reply === 'object' && reply.type === 'answered' ? reply : { type: 'done' };
}
