import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/**
 * Puts the focus into the composer when the view gets it as a whole, from a command or a shortcut;
 * a press of the mouse knows better where it wants to go.
 */
export function useFocusOnArrival(field: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let isPressed = false;
    const onPress = (): void => void (isPressed = true);
    const onRelease = (): void => void (isPressed = false);
    const onFocus = (): void => {
      const active = document.activeElement;
      if (!isPressed && (active === null || active === document.body)) field.current?.focus();
    };
    window.addEventListener('pointerdown', onPress, true);
    window.addEventListener('pointerup', onRelease, true);
    window.addEventListener('pointercancel', onRelease, true);
    window.addEventListener('focus', onFocus);
    return () => {
      window.removeEventListener('pointerdown', onPress, true);
      window.removeEventListener('pointerup', onRelease, true);
      window.removeEventListener('pointercancel', onRelease, true);
      window.removeEventListener('focus', onFocus);
    };
  }, []);
}
