/** What VS Code gives a webview page to communicate with. */
export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** Takes the page's one API object; a second call throws. */
export function acquireApi(): WebviewApi {
  return acquireVsCodeApi();
}

/**
 * Hands every fact from the host to its handler. A message of an unknown type is ignored: it is not
 * from our host, or from a newer one. `soon` decides when a fact is handed on. Returns a function
 * that stops the listening.
 */
export function connectHost<F extends { readonly type: string }>(
  handlers: Handlers<F>,
  messages: EventTarget = window,
  soon: (task: () => void) => void = (task) => task(),
): () => void {
  const listener = (event: Event): void => {
    const data: unknown = (event as MessageEvent<unknown>).data;
    if (!isTyped(data) || !Object.hasOwn(handlers, data.type)) return;
    soon(() => dispatch(handlers, data as F));
  };
  messages.addEventListener('message', listener);
  return () => messages.removeEventListener('message', listener);
}

function isTyped(data: unknown): data is { readonly type: string } {
  return (
    typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string'
  );
}

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
