import type { RefObject } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

/** How far from the end still counts as being at the end, CSS pixels. */
const NEAR = 32;

type Scrolled = Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>;

/** Says whether the newest line is in sight. */
export function isNearEnd({ scrollTop, clientHeight, scrollHeight }: Scrolled): boolean {
  return scrollHeight - clientHeight - scrollTop <= NEAR;
}

/**
 * Keeps the end of a growing list in sight while the user is there; one who has scrolled up is left
 * in peace until he comes back, asks for the newest, or `restart` changes: he has sent something.
 */
export function useFollowNewest(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  restart: number,
): { readonly isFollowing: boolean; readonly follow: () => void } {
  const [isFollowing, setFollowing] = useState(true);
  const follow = useCallback(() => setFollowing(true), []);

  useEffect(follow, [restart]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const onScroll = (): void => setFollowing(isNearEnd(element));
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!isFollowing || element === null || content.current === null) return undefined;
    const toEnd = (): void => void (element.scrollTop = element.scrollHeight);
    toEnd();
    const observer = new ResizeObserver(toEnd);
    observer.observe(content.current);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isFollowing]);

  return { isFollowing, follow };
}
