import { describe, expect, it, vi } from 'vitest';
import { Session } from '../../../src/agent/session';
import { dated, prompt, started } from '../../sessions/support/sampleEvents';
import type { Loading } from '../../../src/sessions/loadLog';
import type { LogEnd } from '../../../src/sessions/logSummary';
import type { ResumeResult } from '../../../src/sessions/sessionRegistry';
import { showEnd } from '../../../src/editor/conversation/conversationPosts';
import type { AgentFact } from '../../../src/editor/conversation/state';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';
import { DONE, refused, view } from '../support/agentViewScene';
import { settled } from '../support/controllerScene';

const END: LogEnd = { sessionId: 's-1', title: 'Long', events: [] };

/** A long session that is being loaded, until the test ends it. */
function loadingScene() {
  const scene = view();
  const tasks: { readonly loading: Loading; end(result: ResumeResult): void }[] = [];
  vi.spyOn(scene.current.registry, 'load').mockImplementation((_file, loading) => {
    void Promise.resolve().then(() => loading.seen(END));
    return new Promise((resolve) => tasks.push({ loading, end: resolve }));
  });
  const long = new Session({ append: () => undefined }, () => 0, dated(started, prompt('long')));
  const loaded: ResumeResult = { ok: true, session: long, file: 'long.jsonl' };
  return { ...scene, tasks, long, loaded };
}

describe('a long session that is being loaded', () => {
  it('shows its end, while the former session stays the current one', async () => {
    const { current, tasks, loaded, long } = loadingScene();
    const before = current.run;
    const opening = current.open('long.jsonl');
    await settled();
    expect([current.opening, current.run]).toEqual([END, before]);
    tasks[0]!.end(loaded);
    await opening;
    expect([current.opening, current.run.session]).toEqual([undefined, long]);
  });

  it('is shown on a page that waits for the host, once the page listens and only while it is loaded', async () => {
    const posted: AgentFact[] = [];
    let listens = (): void => undefined;
    const isListening = new Promise<void>((resolve) => (listens = resolve));
    const page = Promise.resolve({
      isListening,
      post: (fact: AgentFact) => void posted.push(fact),
    });
    const services = {
      access: { settings: { valid: { settings: DEFAULT_SETTINGS } } },
      demoAuthor: 'demo',
    } as unknown as Parameters<typeof showEnd>[1];
    const current: { opening: LogEnd | undefined } = { opening: END };
    const showing = showEnd(page as never, services, current);
    expect(posted).toEqual([]);
    listens();
    await showing;
    expect(posted).toMatchObject([
      {
        type: 'conversationChanged',
        conversation: { session: 's-1', title: 'Long', isOpening: true },
      },
    ]);
    // The size of its window is unknown.
    expect(posted[0]).not.toHaveProperty('conversation.gauge');
    const late = showEnd(page as never, services, current);
    current.opening = undefined;
    await late;
    await showEnd(page as never, services, current);
    expect(posted).toHaveLength(1);
  });

  it('gets the prompt that was sent meanwhile once it is loaded', async () => {
    const { current, tasks, loaded, long, wish } = loadingScene();
    const opening = current.open('long.jsonl');
    await settled();
    const sent = wish({ type: 'submitPrompt', text: 'And now this' });
    await settled();
    expect(long.window.turn).toBe(1);
    tasks[0]!.end(loaded);
    await opening;
    expect(await sent).toEqual(DONE);
    await settled();
    expect(long.window.turn).toBe(2);
  });

  it('gives the prompt back if it cannot be loaded, and no other session gets it', async () => {
    const { current, tasks, seen, wish } = loadingScene();
    const opening = current.open('long.jsonl');
    await settled();
    const sent = wish({ type: 'submitPrompt', text: 'And now this' });
    tasks[0]!.end({ ok: false, cause: 'unreadable', message: 'It is damaged.' });
    await opening;
    expect(await sent).toEqual(refused('The session could not be opened, so this was not done.'));
    expect([seen.prompts, seen.warnings]).toEqual([[], ['It is damaged.']]);
  });

  it('is no longer loaded when the user opens another one, or begins a new one', async () => {
    const { current, tasks, loaded } = loadingScene();
    const first = current.open('long.jsonl');
    const second = current.open('other.jsonl');
    expect(tasks.map(({ loading }) => loading.signal.aborted)).toEqual([true, false]);
    tasks[0]!.end(loaded);
    await first;
    expect(current.run.session).toBeUndefined();
    current.startNew();
    expect(tasks[1]!.loading.signal.aborted).toBe(true);
    tasks[1]!.end(loaded);
    await second;
    expect(current.run.session).toBeUndefined();
    await current.opened();
  });
});
