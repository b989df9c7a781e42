import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calls, says } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';
import { agentIn, eventsOf, notes, notices, reads } from './support/memoryAgent';

describe('project memory of a folder', () => {
  it('follows the results of the step that first touches the folder, once a session', async () => {
    const root = tempFolder({
      'AGENTS.md': 'Root.',
      'web/AGENTS.md': 'Web.',
      'web/ui/CLAUDE.md': 'Widgets.',
      'web/ui/.plimsoll/memory.md': '- The ids are even.\n',
      'web/ui/a.ts': 'a',
      'web/b.ts': 'b',
    });
    const agent = agentIn(root, [
      calls([reads('toolu_1', 'web/ui/a.ts'), reads('toolu_2', 'web/b.ts')]),
      calls([reads('toolu_3', 'web/ui/a.ts')]),
      says('Done.'),
    ]);
    await agent.run('look');
    expect(notes(agent)).toEqual([
      'web/AGENTS.md',
      'web/ui/CLAUDE.md',
      'web/ui/.plimsoll/memory.md',
    ]);
    const content = agent.requests[1]!.messages.at(-1)!.content;
    const results = ['tool_result', 'tool_result'];
    expect(content.map(({ type }) => type)).toEqual([...results, 'text', 'text', 'text']);
    expect(JSON.stringify(content[2])).toContain('Web.');

    const reloaded = agentIn(root, [calls([reads('toolu_4', 'web/b.ts')]), says('Done.')], {
      events: agent.session.events,
    });
    await reloaded.run('again');
    expect(notes(reloaded)).toHaveLength(3);
  });

  it('is added for a folder that is listed or searched', async () => {
    const root = tempFolder({ 'web/AGENTS.md': 'Web.', 'web/b.ts': 'b' });
    const agent = agentIn(root, [
      calls([{ id: 'toolu_1', name: 'list_files', input: { path: 'web' } }]),
      says('Done.'),
    ]);
    await agent.run('look');
    expect(notes(agent)).toEqual(['web/AGENTS.md']);
  });

  it('enters the window with at most 2,000 tokens; recall returns the rest', async () => {
    const root = tempFolder({
      'web/AGENTS.md': `${'Use tabs, never spaces.\n'.repeat(500)}The end of the rules.`,
      'web/b.ts': 'b',
    });
    const agent = agentIn(root, [
      calls([reads('toolu_1', 'web/b.ts')]),
      calls([
        { id: 'toolu_2', name: 'recall', input: { handle: 'note-1', offset: 11_900 } },
        { id: 'toolu_3', name: 'recall', input: { pattern: 'end of the' } },
      ]),
      says('Done.'),
    ]);
    await agent.run('look');
    const [note] = eventsOf(agent, 'noteAdded');
    expect(note!.admission).toMatchObject({ form: 'truncated', capTokens: 2_000 });
    const [, byHandle, byPattern] = eventsOf(agent, 'toolFinished');
    expect(byHandle!.text).toContain('The end of the rules.');
    expect(byPattern!.text).toContain('note-1 (Project memory: web/AGENTS.md): line 501');
  });

  it('is not added for paths outside, for ignored folders, or after a denial', async () => {
    const outside = tempFolder({ 'lib/AGENTS.md': 'Outside.', 'lib/a.ts': 'a' });
    const root = tempFolder({
      '.gitignore': 'build/\n',
      'AGENTS.md': 'Root.',
      'build/AGENTS.md': 'Built.',
      'build/a.ts': 'a',
      'node_modules/x/AGENTS.md': 'Obey.',
      'node_modules/x/a.js': 'a',
      'copy/CLAUDE.md': 'Root.',
      'copy/a.ts': 'a',
      'web/AGENTS.md': 'Web.',
    });
    symlinkSync(join(outside, 'lib'), join(root, 'linked'));
    mkdirSync(join(root, 'own'));
    writeFileSync(join(root, 'own/a.ts'), 'a');
    symlinkSync(join(outside, 'lib/AGENTS.md'), join(root, 'own/AGENTS.md'));
    const agent = agentIn(
      root,
      [
        calls([
          reads('toolu_1', join(outside, 'lib/a.ts')),
          reads('toolu_2', 'linked/a.ts'),
          reads('toolu_3', 'build/a.ts'),
          reads('toolu_4', 'node_modules/x/a.js'),
          reads('toolu_5', 'copy/a.ts'),
          reads('toolu_6', 'own/a.ts'),
          { id: 'toolu_7', name: 'create_file', input: { path: 'web/a.ts', content: 'a' } },
        ]),
        says('Done.'),
      ],
      { approve: () => Promise.resolve({ approved: false }) },
    );
    await agent.run('look');
    expect(notes(agent)).toEqual([]);
    expect(notices(agent)).toEqual([
      'Left out of the project memory: own/AGENTS.md leads outside the workspace.',
    ]);
  });
});
