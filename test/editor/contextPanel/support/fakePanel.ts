import type { ContextPanel } from '../../../../src/editor/contextPanel/panel';

/** The members that a test needs of the panel; the others need VS Code. */
export type PanelMembers = Partial<Pick<ContextPanel, keyof ContextPanel>>;

/** A part of the panel, with the members that a test needs. */
export function only<T>(members: Partial<Pick<T, keyof T>>): T {
  return members as T;
}

/** A panel with only these members. */
export function fakePanel(members: PanelMembers): ContextPanel {
  return members as ContextPanel;
}
