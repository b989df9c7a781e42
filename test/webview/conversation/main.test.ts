// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from 'vitest';
import { conversation } from './conversations';

// The toolkit's elements need more of the CSSOM than happy-dom has; the editor suite runs them.
vi.mock('@vscode/webview-ui-toolkit', () => ({
  provideVSCodeDesignSystem: () => ({ register: () => undefined }),
  vsCodeButton: () => undefined,
  vsCodeProgressRing: () => undefined,
}));

it('the page mounts, announces itself, listens and keeps the unsent prompt', async () => {
  const posted: unknown[] = [];
  let saved: unknown;
  vi.stubGlobal('acquireVsCodeApi', () => ({
    postMessage: (message: unknown) => posted.push(message),
    getState: () => ({ version: 1, unsentPrompt: 'half' }),
    setState: (state: unknown) => (saved = state),
  }));
  document.body.innerHTML = '<div id="root"></div>';
  onTestFinished(() => document.body.replaceChildren());

  // All files of one worker share a page, so drop what other files loaded.
  vi.resetModules();
  await import('../../../webview/conversation/main');
  expect(posted).toEqual([{ number: expect.any(Number), wish: { type: 'announceReady' } }]);
  expect(saved).toEqual({ version: 1, unsentPrompt: 'half' });

  const data = { type: 'conversationChanged', conversation: conversation({ title: 'Hello' }) };
  window.dispatchEvent(new MessageEvent('message', { data }));
  await expect.poll(() => document.querySelector('h1')?.textContent).toBe('Hello');
  expect(document.querySelector<HTMLTextAreaElement>('textarea')?.value).toBe('half');
});
