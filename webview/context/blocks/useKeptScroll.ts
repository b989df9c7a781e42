import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Has a list where it was scrolled to when it was last looked at, and tells where it comes to rest.
 * Runs after what else moves it as it is first drawn.
 */
export function useKeptScroll(
  list: RefObject<HTMLElement | null>,
  top: number | undefined,
  onRest: (top: number) => void,
): void {
  const told = useRef(onRest);
  told.current = onRest;
  useLayoutEffect(() => {
    if (list.current !== null && top !== undefined) list.current.scrollTop = top;
  }, []);
  useEffect(() => {
    const { current: element } = list;
    if (element === null) return undefined;
    const listen = (): void => told.current(Math.round(element.scrollTop));
    element.addEventListener('scrollend', listen);
    return () => element.removeEventListener('scrollend', listen);
  }, []);
}
