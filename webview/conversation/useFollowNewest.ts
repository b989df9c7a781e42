import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks';

/** How far from the end still counts as at the end, CSS pixels. */
const NEAR = 32;

type Scrolled = Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>;

/** Says whether the newest line is in sight. */
export function isNearEnd({ scrollTop, clientHeight, scrollHeight }: Scrolled): boolean {
  return scrollHeight - clientHeight - scrollTop <= NEAR;
}

/**
 * Keeps the end of a list in sight while the list grows and the user is at its end. A user who has
 * scrolled up is not disturbed until they come back, ask for the newest, or `restart` changes
 * because they have sent something. `height` is the height of the list, CSS pixels.
 */
export function useFollowNewest(
  scroller: RefObject<HTMLElement | null>,
  height: number,
  restart: number,
): { readonly isFollowing: boolean; readonly follow: () => void } {
  const [isFollowing, setFollowing] = useState(true);
  const follow = useCallback(() => setFollowing(true), []);

  useEffect(follow, [restart]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let lastTop = element.scrollTop;
    const onScroll = (): void => {
      const wentUp = element.scrollTop < lastTop;
      lastTop = element.scrollTop;
      // A list that has just grown is not at its end either; only the user scrolls up.
      if (isNearEnd(element)) setFollowing(true);
      else if (wentUp) setFollowing(false);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, []);

  useLayoutEffect(() => {
    if (isFollowing) toEnd();
  }, [isFollowing, height]);

  useEffect(() => {
    if (!isFollowing || scroller.current === null) return undefined;
    const observer = new ResizeObserver(toEnd);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [isFollowing]);

  return { isFollowing, follow };
}
