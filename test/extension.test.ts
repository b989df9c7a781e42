import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { activated, made, page } from './editor/support/activatedExtension';

const ROOT = join(__dirname, '..');

describe('activation', () => {
  it('adds the agent to the chat, if VS Code has one', async () => {
    const { participants, editor } = await activated({ hasChat: true });
    const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const [{ id, name }] = contributes.chatParticipants;
    expect([[...participants.keys()], name]).toEqual([[id], 'plimsoll']);
    expect(editor.commands.has('plimsoll.answerInChat')).toBe(true);
    expect(made.did).toEqual([]);
  });

  it('registers everything in package.json, and loads nothing before its first use', async () => {
    const { editor, result } = await activated();
    const { contributes, activationEvents } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const names = contributes.commands.map(({ command }: { command: string }) => command);
    expect([...editor.commands.keys()].toSorted()).toEqual(names.toSorted());
    expect([...editor.views.keys()]).toEqual([contributes.views.plimsoll[0].id]);
    expect(editor.trees).toEqual(['plimsoll.otherAgents']);
    expect(activationEvents).toContain(`onWebviewPanel:${[...editor.panels.keys()][0]}`);
    expect([...editor.documents.keys()].toSorted()).toEqual([
      'plimsoll-before',
      'plimsoll-block',
      'plimsoll-output',
      'plimsoll-request',
      'plimsoll-settings',
    ]);
    expect([...editor.files.keys()]).toEqual(['plimsoll-proposal']);
    expect(activationEvents).toContain('onFileSystem:plimsoll-proposal');
    expect(editor.items.map(({ text }) => text)).toEqual(['$(dashboard) Plimsoll']);
    expect(result).not.toBeInstanceOf(Promise);
    expect(made.did).toEqual([]);
  });

  it.each([['a logged session', { logs: ['2026-11-21-id-1.jsonl'] }]])(
    'loads the host without a request if there is %s',
    async (_, left) => {
      const { api } = await activated(left);
      expect(made.did).toEqual(['start']);
      expect(api.sessionState('acme.ticket')).toBe('acme.ticket of the log');
    },
  );

  it('lets VS Code show its views while a long session opens', async () => {
    const { result, editor } = await activated({ logs: ['long.jsonl'], bytes: 4_100_000 });
    expect(result).not.toBeInstanceOf(Promise);
    await editor.show(page());
    expect(made.did).toEqual(['start', 'view 0']);
    expect(made.page).toBeDefined();
  });

  it('does not mistake other files for a session', async () => {
    const { result } = await activated({ logs: ['index.json'] });
    expect(result).not.toBeInstanceOf(Promise);
  });
});

describe('deactivation', () => {
  it('stops the host, even while it is still loading', async () => {
    const { editor, extension } = await activated();
    editor.run('focusAgent');
    await extension.deactivate();
    expect(made.did).toEqual(['start', 'focusAgent', 'stop']);
  });

  it('does not load a host to stop it', async () => {
    const { extension } = await activated();
    await extension.deactivate();
    expect(made.did).toEqual([]);
  });
});
