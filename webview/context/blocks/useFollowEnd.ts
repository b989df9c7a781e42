import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** How near to the end still counts as at the end; CSS pixels. */
const NEAR = 8;

/**
 * Keeps the end of a list in view while it grows, once the user has scrolled there. `grows` is
 * false where what comes last is not what is newest, and while
 * nothing may move.
 */
export function useFollowEnd(
  list: RefObject<HTMLElement | null>,
  length: number,
  grows: boolean,
): void {
  const follows = useRef(false);
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const listen = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const overflows = scrollHeight > clientHeight + NEAR;
      follows.current = overflows && scrollHeight - clientHeight - scrollTop <= NEAR;
    };
    element.addEventListener('scroll', listen, { passive: true });
    return () => element.removeEventListener('scroll', listen);
  }, []);
  useLayoutEffect(() => {
    const element = list.current;
    if (element !== null && grows && follows.current) element.scrollTop = element.scrollHeight;
  }, [length, grows]);
}
