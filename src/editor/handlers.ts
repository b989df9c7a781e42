/** One handler for every message type; leaving one out does not compile. */
export type Handlers<M extends { readonly type: string }> = {
  readonly [T in M['type']]: (message: Extract<M, { readonly type: T }>) => void;
};

/** Hands a message to its handler. */
export function dispatch<M extends { readonly type: string }>(
  handlers: Handlers<M>,
  message: M,
): void {
  const handler = handlers[message.type as M['type']] as (message: M) => void;
  handler(message);
}
