import type { Uri } from 'vscode';
import { describe, expect, it, vi } from 'vitest';
import type { ClosedSession } from '../src/editor/plimsollApi';
import {
  activated,
  page,
  made,
  whenDone,
  blocksChanged,
  proposalsChanged,
  closings,
} from './editor/support/activatedExtension';

describe('before the host is loaded', () => {
  it('runs requests in order once it is loaded, by one host', async () => {
    const { editor } = await activated();
    editor.run('openRecording', 'a.jsonl');
    void editor.show(page());
    void editor.restore(page());
    editor.run('openContextPanel');
    expect(made.did).toEqual([]);
    await whenDone('start', 'openRecording a.jsonl', 'view 0', 'panel 1', 'openContextPanel');
    expect(editor.errors).toEqual([]);
  });

  it('shows pages immediately and keeps their posts', async () => {
    const { editor } = await activated();
    const [view, panel] = [page(), page()];
    const filled = Promise.all([editor.show(view), editor.restore(panel)]);
    expect(view.webview.html).toContain('dist/webview/agent.js');
    expect(panel.webview.html).toContain('dist/webview/context.js');
    view.post('ready');
    panel.post('ready');
    view.post('a prompt');
    expect(made.did).toEqual([]);
    await filled;
    view.post('another');
    expect(made.did).toEqual([
      'start',
      'view 0',
      'view: ready',
      'view: a prompt',
      'panel 1',
      'panel: ready',
      'view: another',
    ]);
  });

  it('leaves closed pages alone', async () => {
    const { editor } = await activated();
    const view = page();
    const panel = page();
    const filled = Promise.all([editor.show(view), editor.restore(panel)]);
    view.close();
    panel.close();
    await filled;
    expect(made.did).toEqual(['start']);
  });

  it('answers for a document and announces its changes later', async () => {
    const { editor } = await activated();
    const changed: string[] = [];
    editor.documents.get('plimsoll-block')?.onDidChange?.(({ path }) => changed.push(path));
    expect(await editor.read('plimsoll-block', '/step-1')).toBe('the block at /step-1');
    blocksChanged.fire({ path: '/step-1' } as Uri);
    expect(changed).toEqual(['/step-1']);
  });

  it('answers for the file of a proposal, which is read-only once the proposal is answered', async () => {
    const { editor } = await activated();
    const files = editor.files.get('plimsoll-proposal')!;
    const uri = { path: '/a.ts' } as Uri;
    const changed: unknown[] = [];
    files.onDidChangeFile((changes) => changed.push(...changes));
    expect(Buffer.from(await files.readFile(uri)).toString()).toBe('a proposal');
    expect(await files.stat(uri)).toEqual({
      type: 1,
      ctime: 0,
      mtime: 3,
      size: 10,
      permissions: 1,
    });
    const options = { create: false, overwrite: true };
    await expect(files.writeFile(uri, Buffer.from('x'), options)).rejects.toThrow('Not permitted.');
    expect(() => files.delete(uri, { recursive: false })).toThrow('Not permitted.');
    proposalsChanged.fire(uri);
    expect(changed).toEqual([{ type: 1, uri }]);
  });

  it('has no session state, and refuses to set any with the reason', async () => {
    const { api, editor } = await activated();
    expect(api.sessionState('acme.ticket')).toBeUndefined();
    expect(api.setSessionState('acme.ticket', 7)).toEqual({
      ok: false,
      reason:
        'No session is shown: Plimsoll is not loaded. Nothing was set. A session starts with the first prompt.',
    });
    editor.run('focusAgent');
    await whenDone('start', 'focusAgent');
    expect(api.setSessionState('acme.ticket', 7)).toEqual({ ok: true });
  });

  it('announces closed sessions to everyone who still listens', async () => {
    const { api, editor } = await activated();
    const heard: string[] = [];
    const listen = (who: string) =>
      api.onSessionClosed(({ title }) => heard.push(`${who}: ${title}`));
    const [, gone, leaving] = [listen('one'), listen('gone'), listen('leaving')];
    gone!.dispose();
    editor.run('focusAgent');
    await whenDone('start', 'focusAgent');
    listen('late');
    closings.fire({ title: 'A' } as ClosedSession);
    leaving!.dispose();
    closings.fire({ title: 'B' } as ClosedSession);
    expect(heard).toEqual(['one: A', 'leaving: A', 'late: A', 'one: B', 'late: B']);
  });
});

describe('a host that cannot be loaded', () => {
  const WORDS = /could not be loaded\. Reload the window; if that does not help, install Plimsoll/;

  it('reports the failure to a command, a view and a document', async () => {
    made.fails = true;
    const { editor } = await activated();
    editor.run('focusAgent');
    await expect.poll(() => editor.errors).toEqual([expect.stringMatching(WORDS)]);
    await expect(editor.show(page())).rejects.toThrow(WORDS);
    await expect(editor.read('plimsoll-request', '/request-1.txt')).rejects.toThrow(WORDS);
    expect(editor.errors).toHaveLength(3);
    expect(made.did).toEqual([]);
  });

  it('still shows the log and reports an issue', async () => {
    made.fails = true;
    const reported: unknown[][] = [];
    vi.doMock('../src/editor/issueReport', () => ({
      openIssueReport: async (...given: readonly unknown[]) => void reported.push(given.slice(1)),
    }));
    const { editor } = await activated();
    editor.run('showLog');
    expect(editor.logged).toEqual(['shown']);
    editor.run('reportIssue');
    await expect.poll(() => reported).toEqual([[]]);
    expect(editor.logged).toContain('debug: Command plimsoll.reportIssue.');
    expect(editor.errors).toEqual([]);
    vi.doUnmock('../src/editor/issueReport');
  });

  it('reports the failure where a session would continue; the editor works on', async () => {
    made.fails = true;
    const { api, editor, extension } = await activated({ logs: ['2026-11-21-id-1.jsonl'] });
    expect(editor.errors).toEqual([expect.stringMatching(WORDS)]);
    expect(api.setSessionState('acme.ticket', 7)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Plimsoll is not loaded'),
    });
    await extension.deactivate();
  });
});
