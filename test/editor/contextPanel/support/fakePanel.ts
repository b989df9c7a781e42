import type { ContextPanel } from '../../../../src/editor/contextPanel/panel';

/** What a test needs of the panel; VS Code is behind the rest. */
export type PanelMembers = Partial<Pick<ContextPanel, keyof ContextPanel>>;

/** A panel with these members alone. */
export function fakePanel(members: PanelMembers): ContextPanel {
  return members as ContextPanel;
}
