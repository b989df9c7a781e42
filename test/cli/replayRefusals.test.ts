import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { whyNotRead, whyNotWritten } from '../../src/cli/files';
import { recorded } from '../replay/support/recording';
import { jsonl } from '../recordings/support/drawnTranscript';
import { plimsoll } from './support/plimsoll';
import { LONG, replayScene } from './support/replayScene';

let scene: ReturnType<typeof replayScene>;

beforeEach(() => {
  scene = replayScene();
});

describe('plimsoll replay with unreadable input', () => {
  const user = { type: 'user', message: { role: 'user', content: 'Go' } };
  const reply = {
    type: 'assistant',
    message: { id: 'm1', model: 'claude-x', content: [{ type: 'text', text: 'Gone.' }] },
  };

  it.each([
    ['a malformed line without which nothing is left', `${jsonl(user)}{"type": oops}\n`, 'line 2'],
    ['a line that is cut, the only reply', jsonl(user, reply).slice(0, -20), 'line 2'],
    ['JSON that is cut', JSON.stringify(recorded(...LONG), null, 1).slice(0, -30), 'line '],
  ])('ends with 1 and names the line: %s', async (_, text, line) => {
    const ran = await scene.run(scene.file('broken.jsonl', text));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain('broken.jsonl cannot be read');
    expect(ran.stderr).toContain(line);
  });

  it.each([
    ['a malformed line', `${jsonl(user)}{"type": oops}\n${jsonl(reply)}`, 'Line 2'],
    ['a line that is cut', jsonl(user, reply, reply).slice(0, -20), 'Line 3'],
  ])('replays the rest and names the line: %s', async (_, text, line) => {
    const file = scene.file('broken.jsonl', text);
    const ran = await scene.run(file);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`${file}: ${line} left out; it cannot be read: `);
  });

  it.skipIf(process.platform === 'win32')(
    'shows a file name in one line, with marks for what a terminal would obey',
    async () => {
      const name = 'a\u001b[2J\nWARNING \u202eb.jsonl';
      const shown = 'a⟨ESC⟩[2J⟨LF⟩WARNING ⟨U+202E⟩b.jsonl';
      const ran = await scene.run(scene.file(name, recorded(...LONG)));
      expect(ran.code).toBe(0);
      expect(ran.stdout).toContain(shown);
      const broken = await scene.run(scene.file(name, 'neither JSON nor a recording'));
      expect(broken.stderr).toContain(`${shown}" cannot be read`);
      const gone = await scene.run(join(scene.folder, `no ${name}`), '--check', `no ${name}`);
      expect(gone.stderr).toContain(shown);
      for (const { stdout, stderr } of [ran, broken, gone]) {
        // Printed to a file or a pager as well, where nothing else protects the reader.
        // eslint-disable-next-line no-control-regex -- that is what is looked for
        expect(`${stdout}${stderr}`).not.toMatch(/[\u001b\u202e]|^WARNING ./m);
      }
    },
  );

  it('describes a file that is not a recording', async () => {
    const file = scene.file('ui_messages.json', [{ ts: 1, type: 'say', say: 'text', text: 'Go' }]);
    const ran = await scene.run(file);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(
      `plimsoll: ${file} cannot be read: it looks like the ui_messages.json of Cline or Roo; ` +
        'open api_conversation_history.json beside it.\n',
    );
  });

  it('ends with 1 for a missing file, and still reports the others', async () => {
    const gone = join(scene.folder, 'none.json');
    const ran = await scene.run(gone, scene.recording(), '--json');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      `plimsoll: ${gone} cannot be read: there is no such file. Check its path.\n`,
    );
    expect(JSON.parse(ran.stdout)).toHaveLength(1);
  });

  it('ends with 1 for a folder', async () => {
    const ran = await scene.run(scene.folder);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toBe(
      `plimsoll: ${scene.folder} cannot be read: it is a folder. Name the files in it.\n`,
    );
  });

  // Root may read everything.
  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'ends with 1 for a file without read permission',
    async () => {
      const path = scene.recording();
      chmodSync(path, 0);
      const ran = await scene.run(path);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('cannot be read: you have no permission to read it.');
    },
  );

  it('explains in its own words why the system denied a read or write', () => {
    const error = (code: string) => Object.assign(new Error(`${code}: oops`), { code });
    expect(whyNotRead(error('EACCES'))).toBe(
      'you have no permission to read it. Change its permissions, or copy it.',
    );
    expect(whyNotRead(error('ERR_STRING_TOO_LONG'))).toContain('too large to be read in one piece');
    expect(whyNotWritten(error('EACCES'))).toContain('no permission to write there');
    expect(whyNotRead(error('EIO'))).toBe('EIO: oops');
  });

  const assistant = { role: 'assistant', content: 'Hello' };
  const human = { role: 'user', content: 'Go' };

  it.each([
    ['an empty array', [], 'its list of messages is empty: nothing was recorded.'],
    ['a body without messages', { messages: [] }, 'its list of messages is empty'],
    ['a reply and nothing else', [assistant], 'holds no prompt: it begins with a reply'],
    [
      'a reply in front of the only prompt',
      [assistant, human],
      'holds no reply behind its first prompt: it begins with a reply of the assistant, and no ' +
        'request can. Put the prompt that reply answers in front of it.',
    ],
    ['a prompt and nothing else', [human], 'holds no reply. Open it after the first reply'],
    [
      'a reply that is empty',
      [human, { role: 'assistant', content: [] }],
      'holds no reply with a text or a call. Check that it is whole.',
    ],
  ])('ends with 1 and names the fault: %s', async (_, content, matter) => {
    const ran = await scene.run(scene.file('odd.json', content));
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('odd.json cannot be read: ');
    expect(ran.stderr).toContain(matter);
  });

  it('ends with 1 if the file is in another format than the named one', async () => {
    const ran = await scene.run(scene.recording(), '--format', 'codex');
    expect(ran.code).toBe(1);
  });
});

describe('plimsoll replay with bad usage', () => {
  it.each([
    ['an unknown option', ['x.json', '--fast'], '--fast'],
    ['no file', [], 'FILE'],
    ['a file that would be overwritten', ['x.json', '--ledger', __filename], 'not overwritten'],
    [
      'a file that cannot be written',
      ['x.json', '--requests', '/nowhere/at/all'],
      '--requests /nowhere/at/all cannot be written: its folder does not exist.',
    ],
  ])('ends with 2 and does nothing: %s', async (_, args, said) => {
    const ran = await scene.run(...args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain('Nothing was done.');
    expect(existsSync(join(scene.folder, 'x.json'))).toBe(false);
  });
});

describe('plimsoll replay with one file for two purposes', () => {
  it('ends with 2 if both outputs are one file, however it is named', async () => {
    const out = join(scene.folder, 'out.jsonl');
    symlinkSync(scene.folder, join(scene.folder, 'here'));
    symlinkSync(out, join(scene.folder, 'link.jsonl'));
    const names = [out, join(scene.folder, 'here', 'out.jsonl'), join(scene.folder, 'link.jsonl')];
    for (const name of [...names, relative(process.cwd(), out)]) {
      const ran = await scene.run(scene.recording(), '--requests', out, '--ledger', name);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(`--requests and --ledger cannot both write ${out}.`);
      expect(existsSync(out)).toBe(false);
    }
  });

  it('ends with 2 if an output is one of the recordings', async () => {
    const empty = scene.file('empty.json', '');
    for (const option of ['--requests', '--ledger']) {
      const name = relative(process.cwd(), empty);
      const ran = await scene.run(scene.recording(), empty, option, name);
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain(`${option} cannot write ${name}: it is one of the recordings.`);
    }
  });
});

describe('a stopped plimsoll replay', () => {
  it('ends with 130', async () => {
    const stop = new AbortController();
    stop.abort();
    const ran = await plimsoll(['replay', scene.recording()], scene.folder, stop);
    expect(ran).toMatchObject({ code: 130, stdout: '' });
  });
});
