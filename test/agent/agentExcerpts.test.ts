import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { blocksInWindow } from '../../src/contextWindow/window';
import { undoPass } from '../../src/contextWindow/passes/undoPass';
import { keepSecret } from '../../src/agent/secrets/knownSecrets';
import { startStrictServer } from '../../src/offline/strictServer';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { readFile } from '../../src/tools/files/readFile';
import { httpAgent, refusals } from '../support/httpAgent';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { calls, says, type Turn } from '../support/scriptedAgent';
import {
  FILES,
  filesAgent,
  type FilesAgent,
  linesOf,
  meanwhile,
  NAMES,
  reads,
  READS,
  shownOf,
  textOf,
  excerptsOf,
} from '../support/filesAgent';
import { expectLinesOf } from '../support/shownText';
import { tempFolder } from '../tools/support/tempFolder';

const sentBy = ({ requests }: FilesAgent): string =>
  JSON.stringify(requests.map(({ messages }) => messages));

describe('a pass in the agent', () => {
  it('shows lines of the files in work verbatim, with their numbers', async () => {
    const agent = await filesAgent(FILES, () => [...READS, says('Done.')]);
    expect(await agent.run('Read them all')).toMatchObject({ type: 'finished' });
    const shown = excerptsOf(agent).flatMap((view) => view.shown);
    expect(shown.length).toBeGreaterThan(0);
    for (const part of shown) expectLinesOf(linesOf(part.path.slice(0, 1)), part);
    const sent = JSON.stringify(agent.requests.at(-1)?.messages);
    expect(sent).toContain('[Files in work as they are after step');
  });

  it('shows no excerpts if they are off', async () => {
    const { excerptShare: _share, ...policy } = POLICY_SETTINGS;
    const agent = await filesAgent(FILES, () => [...READS, says('Done.')], { policy });
    await agent.run('Read them all, and mend a.txt');
    expect(agent.session.window.ledger.length).toBeGreaterThan(0);
    expect(excerptsOf(agent)).toEqual([]);
  });

  it('shows the current version of a file that something else changed, and says so', async () => {
    const now = linesOf('a').with(2, 'changed by a user').toSpliced(20, 0, 'and one more');
    const agent = await filesAgent(FILES, (root) => [
      READS[0]!,
      meanwhile(READS[1]!, () => writeFileSync(join(root, 'a.txt'), textOf(now))),
      ...READS.slice(2),
      says('Done.'),
    ]);
    await agent.run('Read them all, and mend a.txt');
    const shown = shownOf(agent, 'a.txt');
    expect(shown.length).toBeGreaterThan(0);
    for (const part of shown) {
      expectLinesOf(now, part);
      expect(part.changedOutside).toBe(true);
    }
    expect(sentBy(agent)).toContain(
      'note=\\"changed since you saw it, by something other than your edits\\"',
    );
    expect(shownOf(agent, 'b.txt').some(({ changedOutside }) => changedOutside)).toBe(false);
  });

  it('shows unsaved changes', async () => {
    const agent = await filesAgent(FILES, () => [...READS, says('Done.')], {
      change: (workspace) => ({
        ...workspace,
        readFile: async (path) => {
          const read = await workspace.readFile(path);
          return read.ok ? { ok: true, text: `dirty\n${read.text}`, unsaved: true } : read;
        },
      }),
    });
    await agent.run('Read them all, and mend a.txt');
    const lines = ['dirty', ...linesOf('a')];
    expect(shownOf(agent, 'a.txt').length).toBeGreaterThan(0);
    for (const part of shownOf(agent, 'a.txt')) expectLinesOf(lines, part);
  });

  it('names a deleted file, and shows nothing of it', async () => {
    const agent = await filesAgent(FILES, (root) => [
      READS[0]!,
      meanwhile(READS[1]!, () => rmSync(join(root, 'a.txt'))),
      ...READS.slice(2),
      says('Done.'),
    ]);
    await agent.run('Read them all, and mend a.txt');
    expect(shownOf(agent, 'a.txt')).toEqual([]);
    expect(excerptsOf(agent).at(-1)?.hidden).toContainEqual(
      expect.objectContaining({ path: 'a.txt', onDisk: 'deleted' }),
    );
    expect(sentBy(agent)).toContain('a.txt (read at step 1, does not exist any more)');
  });

  it('shows nothing of a file that now leads out of the workspace', async () => {
    const outside = join(await tempFolder(), 'outside.txt');
    writeFileSync(outside, 'a secret of another user\n');
    const agent = await filesAgent(FILES, (root) => [
      READS[0]!,
      meanwhile(READS[1]!, () => {
        rmSync(join(root, 'a.txt'));
        symlinkSync(outside, join(root, 'a.txt'));
      }),
      ...READS.slice(2),
      says('Done.'),
    ]);
    await agent.run('Read them all, and mend a.txt');
    expect(shownOf(agent, 'a.txt')).toEqual([]);
    expect(sentBy(agent)).not.toContain('of another user');
    expect(sentBy(agent)).toContain('a.txt (read at step 1, cannot be read now)');
  });

  it('shows no key of this process', async () => {
    const key = 'sk-key-of-this-process';
    keepSecret(key);
    const lines = linesOf('a').with(2, `key: ${key}`);
    const agent = await filesAgent({ ...FILES, 'a.txt': textOf(lines) }, () => [
      ...READS,
      says('Done.'),
    ]);
    await agent.run('Read them all, and mend a.txt');
    expect(shownOf(agent, 'a.txt').length).toBeGreaterThan(0);
    expect(JSON.stringify(agent.session.events)).not.toContain(key);
    expect(shownOf(agent, 'a.txt').some(({ changedOutside }) => changedOutside)).toBe(false);
  });

  it('restores the former excerpts when it is undone', async () => {
    const more = READS.map((_, index) => reads(`toolu_again_${index}`, `${NAMES[index]}.txt`));
    const agent = await filesAgent(FILES, () => [...READS, ...more, says('Done.')]);
    await agent.run('Read them all twice');
    const { window } = agent.session;
    const views = excerptsOf(agent);
    expect(views.length).toBeGreaterThan(1);
    const pass = window.ledger.findLast((entry) => entry.pass.excerpts !== undefined)!.pass;
    const undone = undoPass(window, pass.number);
    const shows = (id: string) => blocksInWindow(undone).some((block) => block.id === id);
    expect(pass.excerpts!.id).toBe(views.at(-1)!.id);
    expect([shows(views.at(-1)!.id), shows(views.at(-2)!.id)]).toEqual([false, true]);
  });
});

describe('thinking', () => {
  it('from a step before the excerpts is not sent after them, and the API accepts every request', async () => {
    const paths = [...NAMES, ...NAMES.slice(0, 3)].map((name) => `${name}.txt`);
    let said = 0;
    const server = await startStrictServer({
      respond: () => {
        const path = paths[said++];
        const thought = { type: 'thinking', thinking: `Thought ${said} of the model` } as const;
        const last = { type: 'text', text: 'Done.' } as const;
        const read = { type: 'tool_use', name: 'read_file', input: { path } } as const;
        return { content: [thought, path === undefined ? last : read], delayMs: 0 };
      },
    });
    onTestFinished(() => server.close());
    const root = await tempFolder();
    for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text);
    const agent = httpAgent({
      url: server.url,
      deps: { tools: [readFile], workspace: makeNodeWorkspace({ folders: oneFolder(root) }) },
      settings: { policy: { ...POLICY_SETTINGS, summaries: false } },
    });
    expect(await agent.run('Read them all, and mend a.txt')).toMatchObject({ type: 'finished' });
    expect(refusals(server.requests)).toEqual([]);
    const sent = server.requests
      .filter(({ path }) => path === '/v1/messages')
      .map(({ body }) => JSON.stringify(body));
    const { pass } = agent.session.window.ledger.at(0)!;
    expect(pass.excerpts).toBeDefined();
    // Its last step comes after the excerpts, but its thinking was written before them.
    const behind = sent[pass.beforeStep - 1]!.split('[Files in work as they are')[1];
    expect(behind).toContain('tool_use');
    expect(behind).not.toContain('"type":"thinking"');
    expect(sent[pass.beforeStep]).toContain('"type":"thinking"');
  });
});

describe('an edit', () => {
  const edit = (id: string): Turn =>
    calls([
      {
        id,
        name: 'edit_file',
        input: {
          path: 'a.txt',
          old_text: 'a says 30 of something to keep',
          new_text: 'a says thirty',
        },
      },
    ]);

  it('returns more lines of the current file if the window no longer shows them', async () => {
    const agent = await filesAgent(FILES, () => [...READS, edit('toolu_edit'), says('Done.')], {
      // So small that the excerpts have no room for the file.
      policy: { ...POLICY_SETTINGS, excerptShare: 0.01 },
    });
    await agent.run('Read them all, then edit the first');
    const answer = agent.session.events.find(
      (event) => event.type === 'toolFinished' && event.toolUseId === 'toolu_edit',
    );
    const now = linesOf('a').with(29, 'a says thirty');
    const shown = answer?.type === 'toolFinished' ? (answer.shown ?? []) : [];
    expect(shown.length).toBeGreaterThan(0);
    for (const part of shown) {
      expect(part.path).toBe('a.txt');
      expectLinesOf(now, part);
    }
    expect(sentBy(agent)).toContain('[More of the file as it is now');
  });

  it('returns no further lines if the window shows the file', async () => {
    const agent = await filesAgent(FILES, () => [READS[0]!, edit('toolu_edit'), says('Done.')]);
    await agent.run('Read and edit');
    expect(agent.session.events.some((event) => event.type === 'toolFinished' && event.shown)).toBe(
      false,
    );
  });
});
