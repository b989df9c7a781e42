import * as vscode from 'vscode';
import type { SessionListing } from '../sessions/sessionRegistry';
import { descriptionOf } from './sessionDescription';

/** What can be done to a session from the list. */
export type SessionAction = 'open' | 'rename' | 'fork' | 'export' | 'delete';

interface SessionItem extends vscode.QuickPickItem {
  readonly listing: SessionListing;
}

const BUTTONS: readonly (readonly [SessionAction, string, string])[] = [
  ['rename', 'edit', 'Rename'],
  ['fork', 'repo-forked', 'Fork at a step'],
  ['export', 'export', 'Export'],
  ['delete', 'trash', 'Delete'],
];

/** Lets the user pick a session, or what to do to one; undefined when they went away. */
export function pickSession(
  list: () => Promise<readonly SessionListing[]>,
  current: string | undefined,
  now: number,
): Promise<{ readonly listing: SessionListing; readonly action: SessionAction } | undefined> {
  const buttons = BUTTONS.map(([action, icon, tooltip]) => ({
    action,
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
  }));
  const pick = vscode.window.createQuickPick<SessionItem>();
  pick.title = 'Plimsoll: Sessions';
  pick.placeholder = 'The session to go on with';
  pick.matchOnDescription = true;
  pick.busy = true;
  return new Promise((resolve, reject) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item !== undefined) resolve({ listing: item.listing, action: 'open' });
      pick.hide();
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      const action = buttons.find((known) => known === button)?.action ?? 'open';
      resolve({ listing: item.listing, action });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    list().then((listings) => {
      pick.items = listings.map((listing) => ({
        listing,
        label: listing.title,
        description: descriptionOf(listing, current, now),
        buttons,
      }));
      pick.busy = false;
    }, reject);
  });
}
