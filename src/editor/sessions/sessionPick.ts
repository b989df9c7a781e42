import { ageText } from '../../sessions/ageText';
import * as vscode from 'vscode';
import type { SessionListing } from '../../sessions/sessionList';
import { amountText } from '../../contextWindow/amount';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import {
  type FiguresOfSessions,
  type SessionFigures,
  type SessionState,
  STATE_WORDS,
} from './sessionFigures';

/** The actions on a session in the list. */
export type SessionAction =
  'open' | 'openFrom' | 'openTo' | 'rename' | 'fork' | 'handOver' | 'export' | 'close' | 'delete';

interface SessionItem extends vscode.QuickPickItem {
  readonly listing: SessionListing;
}

/** The list waits this long for figures before it appears without some of them; ms. */
const PATIENCE_MS = 500;

const BUTTONS: readonly (readonly [SessionAction, string, string])[] = [
  ['openFrom', 'arrow-left', 'Open the session that this one continues'],
  ['openTo', 'arrow-right', 'Open the session that continues this one'],
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
 * Lets the user pick a session, or an action for one, by its title or the text of its first prompt;
 * undefined if they cancel.
 */
export function pickSession(
  current: { readonly file: string | undefined; readonly registry: Pick<SessionRegistry, 'list'> },
  figuresOfSessions: Pick<FiguresOfSessions, 'of'>,
  /** Milliseconds since the epoch. */
  now: number,
): Promise<{ readonly listing: SessionListing; readonly action: SessionAction } | undefined> {
  const buttons = BUTTONS.map(([action, icon, tooltip]) => ({
    action,
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
  }));
  const pick = vscode.window.createQuickPick<SessionItem>();
  pick.title = 'Plimsoll: Sessions';
  pick.placeholder = 'The session to continue; type to search titles and first prompts';
  pick.buttons = [
    {
      iconPath: new vscode.ThemeIcon('search'),
      tooltip: 'Search the text of all sessions',
    },
  ];
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.busy = true;
  const known = new Map<string, SessionFigures>();
  const itemOf = (listing: SessionListing): SessionItem => {
    const figures = known.get(listing.file);
    const icon = figures === undefined ? '' : (ICONS[figures.state] ?? '');
    return {
      listing,
      // Escape icon syntax in titles.
      label: `${icon}${listing.title.replaceAll('$(', '\\$(')}`,
      description: descriptionOf(listing, figures, { current: current.file, now }),
      ...(needsNoDetail(listing) ? {} : { detail: listing.firstPrompt.replaceAll('$(', '\\$(') }),
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
    pick.onDidTriggerButton(() => {
      void vscode.commands.executeCommand('plimsoll.searchSessions', pick.value);
    });
    pick.onDidHide(() => {
      isOpen = false;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    const fill = async (): Promise<void> => {
      const listings = await current.registry.list();
      const until = performance.now() + PATIENCE_MS;
      for (const listing of listings) {
        if (!isOpen) return;
        if (pick.items.length === 0 && performance.now() > until) pick.items = listings.map(itemOf);
        const figures = await figuresOfSessions.of(listing);
        if (figures !== undefined) known.set(listing.file, figures);
      }
      if (!isOpen) return;
      const [active] = pick.activeItems;
      pick.keepScrollPosition = pick.items.length > 0;
      pick.items = listings.map(itemOf);
      // VS Code scrolls to an item that is made active; the first one is active in any case.
      const at = listings.findIndex(({ file }) => file === active?.listing.file);
      if (at > 0) pick.activeItems = pick.items.slice(at, at + 1);
      pick.busy = false;
    };
    fill().catch(reject);
  });
}

/** A title that is the first prompt needs no second line. */
function needsNoDetail({ title, firstPrompt }: SessionListing): boolean {
  return firstPrompt === '' || firstPrompt === title;
}

function isOffered(
  action: SessionAction,
  { handedOverFrom, handedOverTo }: SessionListing,
): boolean {
  if (action === 'openFrom') return handedOverFrom !== undefined;
  return action !== 'openTo' || handedOverTo !== undefined;
}

/** Describes a session: its age, steps, state, cost, tokens, and any problem. */
export function descriptionOf(
  listing: SessionListing,
  figures: SessionFigures | undefined,
  { current, now }: { readonly current: string | undefined; readonly now: number },
): string {
  const { steps, usedAt, file, openIn, condition, handedOverFrom, handedOverTo } = listing;
  return [
    ageText(now - usedAt),
    steps === 1 ? '1 step' : `${steps} steps`,
    ...(figures === undefined ? [] : figureWords(figures)),
    ...(file === current ? ['shown now'] : []),
    ...(openIn === undefined ? [] : [`open ${openIn}`]),
    ...(handedOverFrom === undefined ? [] : [`continues “${handedOverFrom.title}”`]),
    ...(handedOverTo === undefined ? [] : [`continued in “${handedOverTo.title}”`]),
    ...(condition === 'sound' ? [] : [condition]),
  ].join(' · ');
}

function figureWords({ state, cost, used }: SessionFigures): readonly string[] {
  const tokens = `${amountText(used)} tokens`;
  return [STATE_WORDS[state], ...(cost === undefined ? [] : [cost]), tokens];
}
