// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_LOOK, VERSION } from '../../../webview/contextPanel/store/keptState';
import { stamped } from '../../../webview/kit/hostLink';
import { sampleContext } from './contextViews';

// The toolkit's elements need more of the CSSOM than happy-dom has; the editor suite tests them.
vi.mock('@vscode/webview-ui-toolkit', () => ({
  provideVSCodeDesignSystem: () => ({ register: () => undefined }),
  vsCodeButton: () => undefined,
  vsCodeProgressRing: () => undefined,
}));

it('the page mounts, announces itself, listens, and keeps its view state', async () => {
  const look = { ...DEFAULT_LOOK, session: 'session-1', query: 'zones', at: 12 };
  const kept = stamped(VERSION, { look, unsent: {} });
  const posted: unknown[] = [];
  let saved: unknown;
  vi.stubGlobal('acquireVsCodeApi', () => ({
    postMessage: (message: unknown) => posted.push(message),
    getState: () => kept,
    setState: (state: unknown) => (saved = state),
  }));
  document.body.innerHTML = '<div id="root"></div>';
  onTestFinished(() => document.body.replaceChildren());

  // A single worker gives all files one page, so modules loaded elsewhere are reset here.
  vi.resetModules();
  await import('../../../webview/contextPanel/main');
  const number = expect.any(Number);
  expect(posted).toEqual([{ session: '', number, wish: { type: 'announceReady' } }]);
  expect(saved).toEqual(kept);

  const show = (step: number) => {
    const data = { type: 'contextChanged', context: sampleContext({ step, busy: false }) };
    window.dispatchEvent(new MessageEvent('message', { data }));
  };
  show(16);
  show(17);
  const shown = () => document.querySelector('[data-testid="step"]')?.textContent;
  await expect.poll(() => shown()).toBe('step 17 of 17');
  expect(posted.slice(1)).toContainEqual({
    session: 'session-1',
    number,
    wish: { type: 'travelTo', at: 12 },
  });
});
