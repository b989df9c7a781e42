import type { ContextPanel } from '../../../../src/editor/contextPanel/panel';

/** The members that a test needs of the panel; the others need VS Code. */
export type PanelMembers = Partial<Pick<ContextPanel, keyof ContextPanel>>;

/** A panel with only these members. */
export function fakePanel(members: PanelMembers): ContextPanel {
  return members as ContextPanel;
}
