import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Picks from '../../../src/editor/sessions/sessionPick';
import type { SessionListing } from '../../../src/sessions/sessionList';
import type {
  FiguresOfSessions,
  SessionFigures,
} from '../../../src/editor/sessions/sessionFigures';
import { settled } from '../support/controllerScene';

interface Item {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly listing: SessionListing;
  readonly buttons: readonly { readonly tooltip: string }[];
}

const picks = vi.hoisted(() => [] as ScriptedPick[]);

/** A mock of VS Code's quick pick. */
class ScriptedPick {
  items: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  selectedItems: readonly Item[] = [];
  busy = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  accept = (): void => undefined;
  press: (pressed: unknown) => void = () => undefined;
  pressTitle = (): void => undefined;
  hidden = (): void => undefined;
  onDidAccept = (listener: () => void) => void (this.accept = listener);
  onDidTriggerItemButton = (listener: (pressed: unknown) => void) => void (this.press = listener);
  onDidTriggerButton = (listener: () => void) => void (this.pressTitle = listener);
  onDidHide = (listener: () => void) => void (this.hidden = listener);
  show = (): void => undefined;
  hide = (): void => this.hidden();
  dispose = (): void => undefined;
}

vi.mock('vscode', () => ({
  ThemeIcon: class {
    constructor(readonly id: string) {}
  },
  window: {
    createQuickPick: () => {
      const pick = new ScriptedPick();
      picks.push(pick);
      return pick;
    },
  },
}));

let pickSession: typeof Picks.pickSession;

beforeAll(async () => {
  // Other tests of this worker may have loaded it with another mock.
  vi.resetModules();
  ({ pickSession } = await import('../../../src/editor/sessions/sessionPick'));
});

const listing = (file: string, more: Partial<SessionListing> = {}): SessionListing => ({
  file,
  sessionId: file,
  title: `Title of ${file}`,
  firstPrompt: `Prompt of ${file}`,
  createdAt: 0,
  usedAt: 0,
  turns: 1,
  steps: 2,
  requests: 2,
  pauses: 0,
  longPauses: 0,
  bytes: 9,
  isHeld: false,
  condition: 'sound',
  ...more,
});

const figures = (state: SessionFigures['state']): SessionFigures => ({
  state,
  cost: '$0.02',
  used: { tokens: 1_234, exact: true },
});

function scene(
  listings: readonly SessionListing[],
  of: FiguresOfSessions['of'] = async () => figures('idle'),
) {
  picks.length = 0;
  const chosen = pickSession({ file: 'a', registry: { list: async () => listings } }, { of }, 0);
  return { chosen, pick: picks[0]! };
}

describe('the list of sessions', () => {
  it('shows the state of each, and can be searched by title and first prompt', async () => {
    const states = { a: 'working', b: 'waiting', c: 'error', d: 'idle' } as const;
    const all = Object.keys(states).map((file) => listing(file));
    const { pick } = scene(all, async ({ file }) => figures(states[file as keyof typeof states]));
    await settled();
    expect(pick.items.map(({ label }) => label)).toEqual([
      '$(sync~spin) Title of a',
      '$(bell-dot) Title of b',
      '$(warning) Title of c',
      'Title of d',
    ]);
    expect(pick.items[1]).toMatchObject({
      description: 'just now · 2 steps · waits for your answer · $0.02 · 1,234 tokens',
      detail: 'Prompt of b',
    });
    expect(pick.items[0]!.description).toMatch(/at work · \$0\.02 · 1,234 tokens · shown now$/);
    expect([pick.matchOnDetail, pick.busy]).toEqual([true, false]);
  });

  it('shows no icon from a title, and a prompt once if it is the title', async () => {
    const { pick } = scene([
      listing('a', { title: '$(bell-dot) mine', firstPrompt: '$(bell-dot) mine' }),
    ]);
    await settled();
    expect(pick.items[0]).toMatchObject({ label: '\\$(bell-dot) mine' });
    expect(pick.items[0]).not.toHaveProperty('detail');
  });

  it('scrolls to no session when the figures are ready, if the user chose none', async () => {
    let end = (): void => undefined;
    const late = new Promise<undefined>((resolve) => (end = () => resolve(undefined)));
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(1_000);
    const { pick } = scene([listing('a'), listing('b')], () => late);
    await settled();
    const firstOnes = pick.items.slice(0, 1);
    pick.activeItems = firstOnes;
    end();
    await settled();
    expect(pick.busy).toBe(false);
    expect(pick.activeItems).toBe(firstOnes);
    clock.mockRestore();
  });

  it('lists unreadable sessions without figures, and appears before all figures are ready', async () => {
    let end = (): void => undefined;
    const late = new Promise<undefined>((resolve) => (end = () => resolve(undefined)));
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(1_000);
    const { pick } = scene([listing('a'), listing('b')], () => late);
    await settled();
    expect(pick.items.map(({ description }) => description)).toEqual([
      'just now · 2 steps · shown now',
      'just now · 2 steps',
    ]);
    pick.activeItems = [pick.items[1]!];
    end();
    await settled();
    expect(pick.activeItems[0]).toBe(pick.items[1]);
    expect(pick.keepScrollPosition).toBe(true);
    clock.mockRestore();
  });

  it('returns the chosen session, or the chosen action for it', async () => {
    const first = scene([listing('a'), listing('b')]);
    await settled();
    first.pick.selectedItems = [first.pick.items[1]!];
    first.pick.accept();
    expect(await first.chosen).toMatchObject({ action: 'open', listing: { file: 'b' } });
    const second = scene([listing('a')]);
    await settled();
    const [item] = second.pick.items;
    const button = item!.buttons.find(({ tooltip }) => tooltip === 'Delete');
    second.pick.press({ item, button });
    expect(await second.chosen).toMatchObject({ action: 'delete', listing: { file: 'a' } });
    const third = scene([]);
    third.pick.hide();
    expect(await third.chosen).toBeUndefined();
  });
});
