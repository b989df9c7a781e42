import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Makes a text area as high as its text; its style says where that ends. */
export function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    const border = element.offsetHeight - element.clientHeight;
    if (element.scrollHeight > 0) element.style.height = `${element.scrollHeight + border}px`;
  }, [text]);
}
