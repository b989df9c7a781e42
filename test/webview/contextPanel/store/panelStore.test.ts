import { describe, expect, it } from 'vitest';
import type { ContextPost } from '../../../../src/editor/contextPanel/wishes';
import type { Answer } from '../../../../src/editor/wish';
import { followTravel } from '../../../../webview/contextPanel/frame/travel';
import { DEFAULT_LOOK, type Look } from '../../../../webview/contextPanel/store/keptState';
import { makePanelStore } from '../../../../webview/contextPanel/store/panelStore';
import { sampleContext, samplePlan, sampleRequest } from '../contextViews';

function store() {
  const posts: ContextPost[] = [];
  const made = makePanelStore((post) => posts.push(post));
  const { handlers } = made;
  handlers.contextChanged({ type: 'contextChanged', context: sampleContext() });
  const answer = (said: Answer, { session, number } = posts.at(-1)!) =>
    handlers.wishAnswered({ type: 'wishAnswered', session, number, answer: said });
  const show = (session: string) =>
    handlers.contextChanged({ type: 'contextChanged', context: sampleContext({ session }) });
  return { ...made, posts, answer, show };
}

const NOTES = sampleContext().scratchpad;

describe('the store of the panel', () => {
  it('forgets fetched content of a session once another is shown', () => {
    const { handlers, request, decisions, context, wish, answer } = store();
    wish({ type: 'fetchRequest', step: 'next' });
    answer({ type: 'answered', data: sampleRequest() });
    wish({ type: 'fetchDecisions', number: 1 });
    answer({ type: 'answered', data: [] });
    handlers.contextChanged({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect([request.value?.step, decisions.value.size]).toEqual(['next', 1]);
    const other = sampleContext({ session: 'session-2' });
    handlers.contextChanged({ type: 'contextChanged', context: other });
    expect([request.value, decisions.value.size]).toEqual([undefined, 0]);
    expect(context.value).toBe(other);
  });

  it('ignores the answer of a preview that was closed', () => {
    const { preview, wish, answer, closePreview } = store();
    wish({ type: 'previewPass' });
    answer({ type: 'answered', data: samplePlan() });
    expect(preview.value).toBeDefined();
    wish({ type: 'previewPass' });
    closePreview();
    answer({ type: 'answered', data: samplePlan() });
    expect(preview.value).toBeUndefined();
  });

  it('requests a preview again if the window has changed since', () => {
    const { handlers, posts, preview, wish, answer } = store();
    const goOn = (revision: string) =>
      handlers.contextChanged({ type: 'contextChanged', context: sampleContext({ revision }) });
    wish({ type: 'previewPass' });
    goOn('another');
    answer({ type: 'answered', data: samplePlan() });
    expect(posts.map((post) => post.wish.type)).toEqual(['previewPass', 'previewPass']);
    const plan = samplePlan({ target: 1 });
    answer({ type: 'answered', data: plan });
    expect(posts).toHaveLength(2);
    expect(preview.value).toBe(plan);
  });

  it('shows no preview whose answer comes once nothing can be changed', () => {
    const { handlers, posts, preview, look, wish, answer } = store();
    wish({ type: 'previewPass' });
    const context = sampleContext({ whyReadOnly: 'The agent is working' });
    handlers.contextChanged({ type: 'contextChanged', context });
    answer({ type: 'answered', data: samplePlan() });
    expect([preview.value, look.value.previews, posts.length]).toEqual([undefined, false, 1]);
  });

  it('keeps a refusal through automatic fetches, and drops it at the next wish', () => {
    const { refuse, refusal, wish } = store();
    refuse('No.');
    wish({ type: 'fetchRequest', step: 'next' });
    expect(refusal.value).toBe('No.');
    wish({ type: 'pinBlock', blockId: 'step-1' });
    expect(refusal.value).toBeUndefined();
  });

  it('sends a wish with its session, and a number of its own', () => {
    const posts: unknown[] = [];
    const { handlers, wish } = makePanelStore((post) => posts.push(post), undefined, {}, 7);
    wish({ type: 'openRecording' });
    handlers.contextChanged({ type: 'contextChanged', context: sampleContext() });
    wish({ type: 'undoPass', number: 2 });
    expect(posts).toEqual([
      { session: '', number: 7, wish: { type: 'openRecording' } },
      { session: 'session-1', number: 8, wish: { type: 'undoPass', number: 2 } },
    ]);
  });

  it('keeps the view settings for another session, but no selection', () => {
    const { handlers, look } = store();
    const how = { tab: 'request', query: 'zones', sort: 'age' } as const;
    const what = { blockId: 'step-3', collapsedTurns: [1], requestStep: 4, at: 4 } as const;
    look.value = { ...look.value, ...how, ...what };
    handlers.contextChanged({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(look.value).toMatchObject(what);
    const other = sampleContext({ session: 'session-2' });
    handlers.contextChanged({ type: 'contextChanged', context: other });
    const { aside, ...left } = look.value;
    expect(left).toEqual({ ...DEFAULT_LOOK, ...how, session: 'session-2' });
    expect(aside).toMatchObject({ ...what, session: 'session-1' });
  });

  it('restores the view of a recording, though a reload shows the current session first', () => {
    const at = { tab: 'request', blockId: 'step-3', listTop: 40, requestStep: 4, at: 7 } as const;
    const kept = { ...DEFAULT_LOOK, ...at, session: 'recording-1-ab', openPasses: [2] };
    const reload = (look: Look) => {
      const wishes: unknown[] = [];
      const made = makePanelStore(({ wish }) => wishes.push(wish), look);
      followTravel(made);
      const show = (session: string, at: number | 'now' = 'now') => {
        const context = sampleContext({ session, travel: { at, first: 1, last: 9 } });
        made.handlers.contextChanged({ type: 'contextChanged', context });
      };
      return { ...made, show, wishes };
    };
    const first = reload(kept);
    first.show('session-1');
    expect(first.look.value).toMatchObject({ session: 'session-1', at: 'now', openPasses: [] });
    expect(first.look.value.blockId).toBeUndefined();
    expect(first.wishes).toEqual([]);
    // The window is reloaded once more before the recording arrives.
    const { look, show, wishes } = reload(JSON.parse(JSON.stringify(first.look.value)));
    show('session-1');
    show('recording-1-ab', 7);
    expect(look.value).toMatchObject(kept);
    expect(look.value.aside).toMatchObject({ session: 'session-1' });
    expect(wishes).toEqual([]);
    show('session-1');
    expect(look.value).toMatchObject({ session: 'session-1', openPasses: [] });
    first.show('recording-1-ab');
    // The view is restored: its moment is requested again.
    expect(first.look.value).toMatchObject(kept);
    expect(first.wishes).toEqual([{ type: 'travelTo', at: 7 }]);
  });
});

describe('an answer', () => {
  it('for a session no longer shown is dropped, whatever it says', () => {
    const { wish, answer, posts, show, unsent, refusal, decisions } = store();
    wish({ type: 'fetchScratchpad' });
    wish({ type: 'fetchDecisions', number: 1 });
    wish({ type: 'undoPass', number: 1 });
    show('session-2');
    answer({ type: 'answered', data: NOTES }, posts[0]);
    answer({ type: 'answered', data: [] }, posts[1]);
    answer({ type: 'refused', message: 'No.' }, posts[2]);
    expect([unsent.value.scratchpad, decisions.value.size, refusal.value]).toEqual([
      undefined,
      0,
      undefined,
    ]);
  });

  it('goes only to the part that asked', () => {
    const { wish, answer, posts, refusal } = store();
    const said: string[] = [];
    wish(
      { type: 'rewriteSummary', blockId: 'summary-2', text: 'Mine.' },
      { refused: (why) => said.push(why) },
    );
    wish({ type: 'pinBlock', blockId: 'step-1' });
    answer({ type: 'refused', message: 'Not pinned.' });
    expect([said, refusal.value]).toEqual([[], 'Not pinned.']);
    answer({ type: 'refused', message: 'Not rewritten.' }, posts[0]);
    expect([said, refusal.value]).toEqual([['Not rewritten.'], 'Not pinned.']);
  });

  it('is shown as a refusal if nothing waits for it, or if it answers the previous page', () => {
    const { wish, answer, refusal, begun } = store();
    const leave = wish(
      { type: 'applyWhatIf', settings: sampleContext().settings },
      { refused: () => expect.fail('taken after leaving') },
    );
    leave();
    answer({ type: 'refused', message: 'Nothing was stored.' });
    expect(refusal.value).toBe('Nothing was stored.');
    const before = {
      session: 'session-1',
      number: 4_711,
      wish: { type: 'announceReady' },
    } as const;
    answer({ type: 'refused', message: 'The summary stays.' }, before);
    expect(refusal.value).toBe('The summary stays.');
    answer({ type: 'answered', data: NOTES }, before);
    expect(begun.value.scratchpad).toBeUndefined();
  });

  it('opens the last requested dialog, and never reopens a closed one', () => {
    const { wish, answer, posts, begun, begin } = store();
    wish({ type: 'fetchScratchpad' });
    wish({ type: 'fetchScratchpad' });
    answer({ type: 'answered', data: NOTES }, posts[0]);
    expect(begun.value.scratchpad).toBeUndefined();
    answer({ type: 'answered', data: NOTES }, posts[1]);
    expect(begun.value.scratchpad?.base).toBe(NOTES);
    begin('scratchpad', undefined);
    answer({ type: 'answered', data: NOTES }, posts[1]);
    expect(begun.value.scratchpad).toBeUndefined();
  });
});
