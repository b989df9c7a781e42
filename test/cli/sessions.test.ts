import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { editorFolders } from '../../src/recordings/lens/editorFolders';
import { claude, codex, ownSession, write } from '../recordings/lens/support/agentHomes';
import { tempFolder } from '../tools/support/tempFolder';
import { plimsoll } from './support/plimsoll';

let home: string;
let folder: string;

beforeEach(() => {
  home = realpathSync(tempFolder());
  folder = join(home, 'app');
  mkdirSync(folder);
});

const sessions = (...args: readonly string[]) =>
  plimsoll(['sessions', ...args], folder, undefined, home);

describe('plimsoll sessions', () => {
  it('lists the sessions of the folder with agent, size and file; sub-agents are indented', async () => {
    const place = claude.project(home, folder);
    const file = write(
      join(place, 'a.jsonl'),
      claude.prompt('Mend the parser.', folder),
      claude.reply(12_345),
    );
    const aside = { isSidechain: true, sessionId: 'a' };
    write(join(place, 'a/subagents/agent-1.jsonl'), claude.prompt('Look.', folder, aside));
    write(codex.file(home, 'c'), codex.meta('c', '/elsewhere'), codex.prompt('Elsewhere.'));
    const { code, stdout, stderr } = await sessions();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'Mend the parser.',
        '  Claude Code · just now · claude-sonnet-4-5 · 12,345 tokens',
        `  ${file}`,
        '    Look.',
        '      Claude Code · just now',
        `      ${join(place, 'a/subagents/agent-1.jsonl')}`,
        '',
      ].join('\n'),
    );
    expect((await sessions('--all')).stdout).toContain('Elsewhere.');
    expect((await sessions('/elsewhere')).stdout).toMatch(/^Elsewhere\.\n {2}Codex · just now\n/);
  });

  it('finds a text in prompts, replies and calls of any agent, whatever its case', async () => {
    const file = write(
      join(claude.project(home, folder), 'a.jsonl'),
      claude.prompt('Mend the "Parser" of\nmasts.', folder),
      claude.reply(12_345),
      claude.prompt('And now?', folder),
    );
    write(join(claude.project(home, folder), 'b.jsonl'), claude.prompt('Else.', folder));
    const { code, stdout } = await sessions('--search', 'the "parser"');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'Mend the "Parser" of masts.',
        '  Claude Code · just now · claude-sonnet-4-5 · 12,345 tokens',
        `  ${file}`,
        '    prompt: Mend the "Parser" of masts.',
        '',
      ].join('\n'),
    );
    const found = JSON.parse((await sessions('--search', 'LOOKED', '--json')).stdout) as unknown;
    expect(found).toMatchObject([
      { file, hits: [{ step: 1, where: 'reply', excerpt: 'Looked.' }] },
    ]);
    const none = await sessions('--search', 'nowhere');
    expect([none.stdout, none.stderr]).toEqual([
      '',
      `plimsoll: no session that worked in ${folder} has “nowhere”.\n`,
    ]);
    expect((await sessions('--search', ' ')).stderr).toContain('--search needs the text to find.');
  });

  it('looks in the folders of plimsoll.lens.places in the settings of the editor', async () => {
    const elsewhere = join(home, 'elsewhere');
    const text = claude.prompt('Elsewhere.', folder);
    write(
      claude.project(home, folder).replace(join(home, '.claude'), elsewhere) + '/a.jsonl',
      text,
    );
    const [editor = ''] = editorFolders({ home, environment: {}, now: () => 0 });
    const settings = (places: object) =>
      write(
        join(editor, 'settings.json'),
        `{ // mine\n"plimsoll.lens.places": ${JSON.stringify(places)}, }`,
      );
    const file = settings({ 'claude-code': elsewhere });
    expect((await sessions()).stdout).toMatch(/^Elsewhere\./);
    settings({ 'claude-code': 7 });
    const { stdout, stderr } = await sessions();
    expect(stdout).toBe('');
    expect(stderr).toContain(
      `plimsoll: plimsoll.lens.places in ${file} is not used: it must be an`,
    );
  });

  it("lists Plimsoll's own sessions, too, marked by agent", async () => {
    const file = ownSession(home, folder, 'Trim the sail.');
    const own = [
      'Trim the sail.',
      '  Plimsoll · just now · claude-sonnet-4-5 · 1,260 tokens · 1 compaction',
      `  ${file}`,
      '',
    ].join('\n');
    expect((await sessions()).stdout).toBe(own);
    ownSession(home, '/elsewhere', 'Mend the mast.');
    expect((await sessions()).stdout).toBe(own);
    expect((await sessions('--all')).stdout).toContain('Mend the mast.');
  });

  it('prints the same as JSON', async () => {
    write(codex.file(home, 'c'), codex.meta('c', folder), codex.prompt('Go.'), codex.count(900));
    const { stdout } = await sessions('--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { agent: 'codex', id: 'c', title: 'Go.', tokens: 900, windowTokens: 258_400, inner: [] },
    ]);
  });

  it('says that there is none, and what cannot be read', async () => {
    expect(await sessions()).toEqual({
      code: 0,
      stdout: '',
      stderr: `plimsoll: no session that worked in ${folder} was found.\n`,
    });
    mkdirSync(join(claude.project(home, folder), 'x.jsonl'), { recursive: true });
    const { code, stderr } = await sessions();
    expect(code).toBe(1);
    expect(stderr).toMatch(/x\.jsonl cannot be read: EISDIR/);
  });

  it('takes one folder', async () => {
    const { code, stderr } = await sessions('a', 'b');
    expect(code).toBe(2);
    expect(stderr).toContain('plimsoll sessions takes one folder.');
  });
});
