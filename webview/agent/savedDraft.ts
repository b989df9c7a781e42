/** Reads the draft out of what the page saved; nothing where it is of another shape. */
export function savedDraft(state: unknown): string {
  const isDraft = typeof state === 'object' && state !== null && 'draft' in state;
  return isDraft && typeof state.draft === 'string' ? state.draft : '';
}
