/** One handler for every message type; leaving one out does not compile. */
export type Handlers<M extends { readonly type: string }> = {
  readonly [T in M['type']]: (message: Extract<M, { readonly type: T }>) => void;
};

/** Hands a message to its handler; a message that has none is answered with false. */
export function dispatch<M extends { readonly type: string }>(
  handlers: Partial<Handlers<M>>,
  message: M,
): boolean {
  const handler = (handlers as unknown as Partial<Record<string, (message: M) => void>>)[
    message.type
  ];
  handler?.(message);
  return handler !== undefined;
}
