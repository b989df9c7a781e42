import type { Middleware } from '@anthropic-ai/sdk';

/**
 * A redirect is not followed: the key in `x-api-key` and the body, which is the whole window, would
 * go to a server that nobody named.
 */
export const FOLLOW_NO_REDIRECT = { redirect: 'manual' } as const;

/** Makes every answer with a 3xx status a failure, those included that no client would follow. */
export const refuseRedirects: Middleware = async (request, next) => {
  const response = await next(request);
  // Where fetch hides the answer of a redirect it has the status 0.
  const isHidden = response.type === 'opaqueredirect';
  if (!isHidden && (response.status < 300 || response.status > 399)) return response;
  await response.body?.cancel();
  throw new RedirectError(
    isHidden ? undefined : response.status,
    placeOf(response.headers.get('location'), request.url),
  );
};

/** Thrown in place of an answer that points somewhere else. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';

  /** `place` is origin and path, without what else an address may hold. */
  constructor(
    readonly status: number | undefined,
    readonly place: string | undefined,
  ) {
    super(`The server points ${place === undefined ? 'somewhere else' : `to ${place}`}.`);
  }
}

/** Most characters of an address in a message for the user. */
const LONGEST = 200;

/** Origin and path of where a redirect points; undefined where it does not say, or not readably. */
function placeOf(location: string | null, from: string): string | undefined {
  if (location === null || !URL.canParse(location, from)) return undefined;
  const { protocol, origin, pathname } = new URL(location, from);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const place = `${origin}${pathname}`;
  return place.length > LONGEST ? `${place.slice(0, LONGEST)}…` : place;
}
