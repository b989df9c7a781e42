/** Says whether the user is in the middle of a text, which must keep the focus. */
export function isTyping(active: Element | null = document.activeElement): boolean {
  if (active instanceof HTMLTextAreaElement) return active.value !== '';
  if (!(active instanceof HTMLInputElement)) return false;
  return active.type !== 'checkbox' && active.type !== 'range' && active.value !== '';
}
