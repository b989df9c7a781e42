/** Reads how long the server asks to wait, in ms; undefined when it does not say. `now` in ms. */
export function retryAfterMs(
  headers: Headers | undefined,
  now: number = Date.now(),
): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') ?? '');
  if (ms > 0) return ms;
  const after = headers?.get('retry-after') ?? '';
  const wait = Number.isNaN(Number(after)) ? Date.parse(after) - now : Number(after) * 1000;
  return wait > 0 ? wait : undefined;
}
