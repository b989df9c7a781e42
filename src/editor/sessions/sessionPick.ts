import * as vscode from 'vscode';
import type { SessionListing } from '../../sessions/sessionList';
import type { SessionFigures, SessionState } from './sessionFigures';
import { descriptionOf } from './sessionDescription';

/** What can be done to a session from the list. */
export type SessionAction =
  'open' | 'openFrom' | 'openTo' | 'rename' | 'fork' | 'handOver' | 'export' | 'close' | 'delete';

/** What the list is filled with. */
export interface PickParts {
  list(): Promise<readonly SessionListing[]>;
  /** What a session cost, how full its window is, how it stands; undefined where its log cannot be read. */
  figures(listing: SessionListing): Promise<SessionFigures | undefined>;
  /** The log of the session shown. */
  readonly current: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface SessionItem extends vscode.QuickPickItem {
  readonly listing: SessionListing;
}

/** The list waits this long for figures before it is shown without some of them; ms. */
const PATIENCE_MS = 500;

const BUTTONS: readonly (readonly [SessionAction, string, string])[] = [
  ['openFrom', 'arrow-left', 'Open the session that this one goes on with'],
  ['openTo', 'arrow-right', 'Open the session that goes on with this one'],
  ['rename', 'edit', 'Rename'],
  ['fork', 'repo-forked', 'Fork at a step'],
  ['handOver', 'arrow-swap', 'New session from this one'],
  ['export', 'export', 'Export'],
  ['close', 'archive', 'Close'],
  ['delete', 'trash', 'Delete'],
];

const ICONS: Readonly<Partial<Record<SessionState, string>>> = {
  working: '$(sync~spin) ',
  waiting: '$(bell-dot) ',
  error: '$(warning) ',
};

/**
 * Lets the user pick a session, or what to do with one, by its title or the text of its first prompt;
 * undefined when they cancel.
 */
export function pickSession(
  parts: PickParts,
): Promise<{ readonly listing: SessionListing; readonly action: SessionAction } | undefined> {
  const buttons = BUTTONS.map(([action, icon, tooltip]) => ({
    action,
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
  }));
  const pick = vscode.window.createQuickPick<SessionItem>();
  pick.title = 'Plimsoll: Sessions';
  pick.placeholder = 'The session to continue; type to search titles and first prompts';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  const known = new Map<string, SessionFigures>();
  const itemOf = (listing: SessionListing): SessionItem => {
    const figures = known.get(listing.file);
    const icon = figures === undefined ? '' : (ICONS[figures.state] ?? '');
    return {
      listing,
      // What stands for an icon in a title is no icon.
      label: `${icon}${listing.title.replaceAll('$(', '\\$(')}`,
      description: descriptionOf(listing, figures, parts),
      ...(isTold(listing) ? {} : { detail: listing.firstPrompt.replaceAll('$(', '\\$(') }),
      buttons: buttons.filter(({ action }) => isOffered(action, listing)),
    };
  };
  return new Promise((resolve, reject) => {
    let isOpen = true;
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item !== undefined) resolve({ listing: item.listing, action: 'open' });
      pick.hide();
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      const action = buttons.find((one) => one === button)?.action ?? 'open';
      resolve({ listing: item.listing, action });
      pick.hide();
    });
    pick.onDidHide(() => {
      isOpen = false;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    const fill = async (): Promise<void> => {
      const listings = await parts.list();
      const until = performance.now() + PATIENCE_MS;
      for (const listing of listings) {
        if (!isOpen) return;
        if (pick.items.length === 0 && performance.now() > until) pick.items = listings.map(itemOf);
        const figures = await parts.figures(listing);
        if (figures !== undefined) known.set(listing.file, figures);
      }
      if (!isOpen) return;
      const [active] = pick.activeItems;
      pick.keepScrollPosition = pick.items.length > 0;
      pick.items = listings.map(itemOf);
      const same = pick.items.filter(({ listing }) => listing.file === active?.listing.file);
      if (same.length > 0) pick.activeItems = same;
      pick.busy = false;
    };
    fill().catch(reject);
  });
}

/** A title that is the first prompt says all of it. */
function isTold({ title, firstPrompt }: SessionListing): boolean {
  return firstPrompt === '' || firstPrompt === title;
}

function isOffered(
  action: SessionAction,
  { handedOverFrom, handedOverTo }: SessionListing,
): boolean {
  if (action === 'openFrom') return handedOverFrom !== undefined;
  return action !== 'openTo' || handedOverTo !== undefined;
}
