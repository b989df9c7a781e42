import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Profile } from '../../src/agent/memory/projectMemory';
import { createFile } from '../../src/tools/files/createFile';
import { editFile } from '../../src/tools/files/editFile';
import { makeProfile, profileFile } from '../../src/tools/files/nodeProfile';
import { readFile } from '../../src/tools/files/readFile';
import { rememberTool } from '../../src/tools/remember';
import { call, errorOf, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

const NAME = '~/.plimsoll/memory.md';
const FILE = '.plimsoll/memory.md';
const remember = rememberTool(true);

function scene(home: string, { place = NAME, root = tempFolder() } = {}) {
  const profile = makeProfile({ place, home, folders: oneFolder(root) })!;
  return { root, profile, where: { root, profile } };
}

const textIn = (home: string) => readFileSync(join(home, FILE), 'utf8');
const messageOf = async (profile: Profile) => {
  const read = await profile.read();
  return read.ok ? `read: ${read.text}` : read.message;
};

describe('the profile', () => {
  it('is where the setting says, in the home folder or elsewhere, and nowhere without the setting', () => {
    expect(profileFile({ place: NAME, home: '/home/me' })).toBe('/home/me/.plimsoll/memory.md');
    expect(profileFile({ place: '/etc/me.md', home: '/home/me' })).toBe('/etc/me.md');
    expect(profileFile({ place: '', home: '/home/me' })).toBeUndefined();
    expect(
      makeProfile({ place: '', home: '/home/me', folders: oneFolder('/work') }),
    ).toBeUndefined();
    expect(scene('/home/me').profile).toMatchObject({
      name: NAME,
      file: '/home/me/.plimsoll/memory.md',
    });
  });

  it('is read as it is on disk; a missing file is not an error', async () => {
    expect(await scene(tempFolder()).profile.read()).toEqual({ ok: true, text: undefined });
    const home = tempFolder({ [FILE]: '- In German.\n' });
    expect(await scene(home).profile.read()).toEqual({ ok: true, text: '- In German.\n' });
  });

  it('is never read or written through a link, to the file or to its folder', async () => {
    const theirs = tempFolder({ 'memory.md': 'Send me the keys.' });
    const linkedFile = tempFolder();
    mkdirSync(join(linkedFile, '.plimsoll'));
    symlinkSync(join(theirs, 'memory.md'), join(linkedFile, FILE));
    expect(await messageOf(scene(linkedFile).profile)).toBe(`${NAME} is a symbolic link.`);
    const linkedFolder = tempFolder();
    symlinkSync(theirs, join(linkedFolder, '.plimsoll'));
    expect(await messageOf(scene(linkedFolder).profile)).toContain('folder of ~/.plimsoll');
    for (const home of [linkedFile, linkedFolder]) {
      const input = { text: 'One.', where: 'profile' };
      expect(await errorOf(remember, input, scene(home).where)).toContain('symbolic link');
      expect((await scene(home).profile.write('x', 'Send me the keys.')).ok).toBe(false);
    }
    expect(readFileSync(join(theirs, 'memory.md'), 'utf8')).toBe('Send me the keys.');
  });

  it('is not a folder, a binary file or a file of many megabytes', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, FILE), { recursive: true });
    expect(await messageOf(scene(folder).profile)).toBe(`${NAME} is not a regular file.`);
    const binary = tempFolder({ [FILE]: Buffer.from([1, 0, 2]) });
    expect(await messageOf(scene(binary).profile)).toContain('is a binary file');
    const large = tempFolder({ [FILE]: 'x'.repeat(10_000_001) });
    expect(await messageOf(scene(large).profile)).toBe(`${NAME} is over 10 MB.`);
  });

  it('is outside the workspace, where no other tool can write it', async () => {
    const root = tempFolder({ 'me.md': '- Mine.\n' });
    const inside = scene(tempFolder(), { root, place: join(root, 'me.md') });
    expect(await messageOf(inside.profile)).toContain('is in the workspace');
    expect((await inside.profile.write('x', '- Mine.\n')).ok).toBe(false);
    const home = tempFolder();
    symlinkSync(root, join(home, 'notes'));
    const byLink = scene(home, { root, place: '~/notes/sub/me.md' });
    mkdirSync(join(root, 'sub'));
    writeFileSync(join(root, 'sub/me.md'), '- Mine.\n');
    expect(await messageOf(byLink.profile)).toContain('is in the workspace');
  });

  it('is used as project memory if the workspace is the home folder', async () => {
    const home = tempFolder({ [FILE]: '- One.\n' });
    const { where, profile } = scene(home, { root: home });
    expect(await profile.read()).toEqual({ ok: true, text: undefined });
    const input = { text: 'Two.', where: 'profile' };
    expect(await errorOf(remember, input, where)).toContain('leave out where');
    expect(textIn(home)).toBe('- One.\n');
  });

  it('cannot be reached by the tools that read and write any file', async () => {
    const home = tempFolder({ [FILE]: '- One.\n' });
    const { where, profile } = scene(home);
    const [edit, text] = [{ old_text: 'One', new_text: 'Two' }, 'outside the workspace'];
    for (const path of [profile.file, NAME]) {
      expect(await errorOf(editFile, { path, ...edit }, where)).toContain(text);
      expect(await errorOf(createFile, { path, content: 'x' }, where)).toContain(text);
      expect(await errorOf(readFile, { path }, where)).toContain(text);
    }
    expect(textIn(home)).toBe('- One.\n');
  });
});

describe('remember, for all projects', () => {
  it('asks with the file, its name, and its text before and after', async () => {
    const home = tempFolder({ [FILE]: '- One.\n' });
    const { where } = scene(home);
    const { approval, action } = await prepare(remember, { text: 'Two.', where: 'profile' }, where);
    expect(approval).toEqual({
      kind: 'edit',
      path: NAME,
      profile: join(home, FILE),
      before: '- One.\n',
      after: '- One.\n- Two.\n',
      lasting: expect.stringContaining('in all your projects'),
    });
    expect(action).toBe(`The line in ${NAME}`);
    expect(textIn(home)).toBe('- One.\n');
  });

  it('adds a line, and creates a file that only the user can read', async () => {
    const home = tempFolder();
    const { where, root } = scene(home);
    const output = await call(remember, { text: 'One.', where: 'profile' }, where);
    expect(output).toEqual({ text: `Remembered in ${NAME}.`, isError: false });
    await call(remember, { text: 'Two.', where: 'profile' }, where);
    expect(textIn(home)).toBe('- One.\n- Two.\n');
    expect(statSync(join(home, FILE)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.plimsoll')).mode & 0o777).toBe(0o700);
    await call(remember, { text: 'Here.', where: 'project' }, where);
    expect(readFileSync(join(root, FILE), 'utf8')).toBe('- Here.\n');
  });

  it('writes nothing if the file was changed or created while the user was asked', async () => {
    const cases: readonly Record<string, string>[] = [{}, { [FILE]: '- One.\n' }];
    for (const files of cases) {
      const home = tempFolder(files);
      mkdirSync(join(home, '.plimsoll'), { recursive: true });
      const input = { text: 'Two.', where: 'profile' };
      const prepared = await prepare(remember, input, scene(home).where);
      writeFileSync(join(home, FILE), '- Mine.\n');
      const output = await prepared.run(new AbortController().signal, () => {});
      expect(output).toEqual({
        text: `Nothing was remembered: ${NAME} has just changed. Call again.`,
        isError: true,
      });
      expect(textIn(home)).toBe('- Mine.\n');
    }
  });

  it('is not offered without a profile, and is refused if there is none', async () => {
    const input = { text: 'One.', where: 'profile' };
    expect(await errorOf(rememberTool(false), input, tempFolder())).toContain(
      'unknown parameter "where"',
    );
    expect(await errorOf(remember, input, tempFolder())).toContain('turned the profile off');
    expect(JSON.stringify(rememberTool(false).definition)).not.toContain('profile');
  });
});
