import { describe, expect, it, vi } from 'vitest';
import { handOver } from '../../../src/editor/sessions/sessionCommands';
import { AT_WORK } from '../../../src/sessions/sessionRegistry';
import { registryScene } from '../../sessions/support/registryScene';
import { callsTools, finished, prompt } from '../../sessions/support/sampleEvents';
import { says, scriptedAgent, type Beside, type Turn } from '../../support/scriptedAgent';
import { tempFolder } from '../../tools/support/tempFolder';

/** The progress notification, which the user may cancel. */
const progress = vi.hoisted(() => ({ cancel: () => {}, shown: [] as string[] }));

vi.mock('vscode', () => ({
  ProgressLocation: { Notification: 15 },
  window: {
    withProgress: (
      { title }: { title: string },
      work: (report: unknown, token: { onCancellationRequested: unknown }) => unknown,
    ) => {
      progress.shown.push(title);
      return work(undefined, {
        onCancellationRequested: (listener: () => void) => {
          progress.cancel = listener;
          return { dispose: () => undefined };
        },
      });
    },
  },
}));

function scene(asked: Beside | Turn = says('All mended.')) {
  progress.shown = [];
  const { registry } = registryScene(tempFolder());
  const { session, file } = registry.start(true);
  for (const event of [prompt('Mend the mast.'), callsTools('a'), finished('a')]) {
    session.append(event);
  }
  const opened: string[] = [];
  let asks = 0;
  let isAtWork = false;
  const agent = scriptedAgent({
    script: [],
    summariser: (request, signal) => {
      asks += 1;
      return asked(request, signal);
    },
  });
  const { estimator, model } = agent.deps;
  const current = {
    registry,
    isAtWork: () => isAtWork,
    open: async (begun: string) => void opened.push(begun),
  };
  const summariser = (of: typeof session) => ({
    deps: { session: of, estimator, model: { ok: true, model } as const },
    settings: agent.deps.settings(),
  });
  return {
    registry,
    session,
    file,
    opened,
    asks: () => asks,
    handOver: () => handOver(file, current, summariser),
    setAtWork: (at: boolean) => (isAtWork = at),
    types: () => session.events.map(({ type }) => type),
  };
}

/** A summariser that waits until it is stopped. */
const waits: Beside = (_, signal) =>
  new Promise((resolve) => {
    const failure = { type: 'aborted', message: 'Stopped.' } as const;
    signal.addEventListener('abort', () => resolve({ ok: false, failure }));
  });

describe('handing a session over', () => {
  it('summarises it, starts the other session with the summary, and shows that', async () => {
    const { handOver: hand, types, opened, registry } = scene();
    expect(await hand()).toBeUndefined();
    expect(progress.shown).toEqual(['Plimsoll: summarising “Mend the mast.”']);
    expect(types().slice(-3)).toEqual(['modelAsked', 'sessionSummarised', 'handedOver']);
    const begun = registry.resume(opened[0]!);
    if (!begun.ok) throw new Error(begun.message);
    expect(begun.session.window.blocks.toArray()).toMatchObject([
      { kind: 'anchor', text: 'Mend the mast.', pinned: true },
      { kind: 'note', text: 'All mended.', source: { from: 'handover', title: 'Mend the mast.' } },
    ]);
  });

  it('uses the summary that the session already ends with', async () => {
    const { handOver: hand, asks, opened } = scene();
    await hand();
    await hand();
    expect([asks(), opened.length]).toEqual([1, 2]);
  });

  it('is refused while the agent works, before and after the summary', async () => {
    const made = scene();
    made.setAtWork(true);
    expect(await made.handOver()).toBe(AT_WORK);
    expect(made.asks()).toBe(0);
    made.setAtWork(false);
    const handing = made.handOver();
    made.setAtWork(true);
    expect(await handing).toBe(AT_WORK);
    expect(made.opened).toEqual([]);
    expect(made.types()).not.toContain('handedOver');
  });

  it('is cancelled by the user', async () => {
    const made = scene(waits);
    const handing = made.handOver();
    await expect.poll(() => made.asks()).toBe(1);
    progress.cancel();
    expect(await handing).toBe('Cancelled. No new session was started.');
    expect(made.types().slice(-1)).toEqual(['toolFinished']);
  });

  it('is cancelled if the session continues meanwhile', async () => {
    const made = scene(waits);
    const handing = made.handOver();
    await expect.poll(() => made.asks()).toBe(1);
    made.session.append(prompt('And the sail.'));
    expect(await handing).toBe('The session was continued meanwhile. No new session was started.');
    expect(made.opened).toEqual([]);
  });

  it('is refused if the log was deleted', async () => {
    const made = scene();
    made.registry.delete(made.file);
    expect(await made.handOver()).toEqual(expect.any(String));
    expect(made.opened).toEqual([]);
  });
});
