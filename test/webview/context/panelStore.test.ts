import { describe, expect, it } from 'vitest';
import { DEFAULT_LOOK } from '../../../webview/context/look';
import { makePanelStore } from '../../../webview/context/panelStore';
import { sampleContext, samplePlan, sampleRequest } from './contextViews';

function store() {
  const wishes: string[] = [];
  const made = makePanelStore(({ wish }) => wishes.push(wish.type));
  made.handlers.contextChanged({ type: 'contextChanged', context: sampleContext() });
  return { ...made, wishes };
}

describe('what the panel remembers', () => {
  it('forgets what was fetched of a session once another is shown', () => {
    const { handlers, request, decisions, context } = store();
    handlers.requestFetched({ type: 'requestFetched', request: sampleRequest() });
    handlers.decisionsFetched({ type: 'decisionsFetched', number: 1, decisions: [] });
    handlers.contextChanged({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect([request.value?.step, decisions.value.size]).toEqual(['next', 1]);
    const other = sampleContext({ session: 'session-2' });
    handlers.contextChanged({ type: 'contextChanged', context: other });
    expect([request.value, decisions.value.size]).toEqual([undefined, 0]);
    expect(context.value).toBe(other);
  });

  it('leaves a preview closed whose answer was on its way', () => {
    const { handlers, preview, wish, closePreview } = store();
    wish({ type: 'previewPass' });
    handlers.previewShown({ type: 'previewShown', preview: samplePlan() });
    expect(preview.value).toBeDefined();
    closePreview();
    handlers.previewShown({ type: 'previewShown', preview: samplePlan() });
    expect(preview.value).toBeUndefined();
  });

  it('keeps a refusal through what it asks by itself, and drops it at the next wish', () => {
    const { handlers, refusal, wish } = store();
    handlers.wishRefused({ type: 'wishRefused', message: 'No.' });
    wish({ type: 'fetchRequest', step: 'next' });
    expect(refusal.value).toBe('No.');
    wish({ type: 'pinBlock', blockId: 'step-1' });
    expect(refusal.value).toBeUndefined();
  });

  it('posts a wish with the session it was made of', () => {
    const posts: unknown[] = [];
    const { handlers, wish } = makePanelStore((post) => posts.push(post));
    wish({ type: 'openRecording' });
    handlers.contextChanged({ type: 'contextChanged', context: sampleContext() });
    wish({ type: 'undoPass', number: 2 });
    expect(posts).toEqual([
      { session: '', wish: { type: 'openRecording' } },
      { session: 'session-1', wish: { type: 'undoPass', number: 2 } },
    ]);
  });

  it('looks at another session in the same way, and at nothing particular in it', () => {
    const { handlers, look } = store();
    const how = { tab: 'request', query: 'zones', sort: 'age' } as const;
    const what = { blockId: 'step-3', collapsedTurns: [1], requestStep: 4, at: 4 } as const;
    look.value = { ...look.value, ...how, ...what };
    handlers.contextChanged({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(look.value).toMatchObject(what);
    const other = sampleContext({ session: 'session-2' });
    handlers.contextChanged({ type: 'contextChanged', context: other });
    expect(look.value).toEqual({ ...DEFAULT_LOOK, ...how, session: 'session-2' });
  });
});
