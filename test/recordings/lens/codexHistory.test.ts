import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sessionBytes } from '../../../src/recordings/lens/sessionBytes';
import { tempFolder } from '../../tools/support/tempFolder';
import { transcriptOf } from '../support/drawnTranscript';
import { codex, line, write } from './support/agentHomes';

const says = (role: string, text: string) =>
  line({ type: 'response_item', payload: { type: 'message', role, content: text } });

/** The first line of a session that continues the first bytes of another one. */
const fork = (id: string, thread_id: unknown, end_byte_offset: unknown, instructions = id) =>
  line({
    type: 'session_meta',
    payload: {
      id,
      base_instructions: { text: instructions },
      history_base: { thread_id, end_ordinal_exclusive: 3, end_byte_offset },
    },
  });

const head = (id: string) =>
  line({ type: 'session_meta', payload: { id, base_instructions: { text: id } } });

const one = [head('o'), says('user', 'One'), says('assistant', 'First.')].join('');

async function opened(file: string) {
  const { system, entries, notes } = transcriptOf((await sessionBytes(file)).toString('utf8'));
  const texts = entries.map((entry) =>
    entry.type === 'prompt' ? entry.text : entry.type === 'reply' ? 'reply' : '',
  );
  return { system, texts, notes };
}

describe('a Codex session that continues another one', () => {
  it('has the history that the other one had then, at any depth', async () => {
    const home = tempFolder();
    write(codex.file(home, 'o', '2026/11/23'), one, says('user', 'Later'), says('assistant', '.'));
    const middle = fork('m', 'o', one.length) + says('user', 'Two') + says('assistant', 'Second.');
    write(codex.file(home, 'm'), middle, says('user', 'Later'), says('assistant', '.'));
    const own = [fork('f', 'm', middle.length), says('user', 'Three'), says('assistant', 'Third.')];
    expect(await opened(write(codex.file(home, 'f'), ...own))).toEqual({
      system: 'f',
      texts: ['One', 'reply', 'Two', 'reply', 'Three', 'reply'],
      notes: ['It continues another session: the history of that one, with its cost, is included.'],
    });
    const archived = join(home, '.codex', 'archived_sessions', 'rollout-2026-f.jsonl');
    expect((await opened(write(archived, ...own))).texts).toHaveLength(6);
  });

  it.skipIf(!('zstdCompressSync' in zlib))('finds the other one compressed', async () => {
    const home = tempFolder();
    const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (text: string) => Buffer };
    const file = write(codex.file(home, 'f'), fork('f', 'o', one.length), says('user', 'Two'));
    const bytes = zstdCompressSync?.(one + says('user', 'Later')) ?? Buffer.alloc(0);
    writeFileSync(join(dirname(file), 'rollout-2026-o.jsonl.zst'), bytes);
    expect((await opened(file)).texts).toEqual(['One', 'reply', 'Two']);
  });

  it('says that the history is missing without the file of the other one', async () => {
    const home = tempFolder();
    const end = says('user', 'Two') + says('assistant', '.');
    write(codex.file(home, 'o'), one);
    for (const named of ['gone', '../o', 7, 'f']) {
      expect(await opened(write(codex.file(home, 'f'), fork('f', named, 400), end))).toEqual({
        system: 'f',
        texts: ['Two', 'reply'],
        notes: [
          'It continues another session, whose file is missing: its earlier messages cannot be shown.',
        ],
      });
    }
  });

  it('says so, too, if the missing file is that of an earlier one', async () => {
    const home = tempFolder();
    const end = says('user', 'On') + says('assistant', '.');
    const first = fork('a', 'gone', 400) + end;
    write(codex.file(home, 'a'), first);
    const second = fork('b', 'a', first.length) + end;
    write(codex.file(home, 'b'), second);
    for (const third of [second, fork('c', 'b', second.length) + end]) {
      const { notes } = await opened(write(codex.file(home, 'c'), third));
      expect(notes).toEqual([expect.stringContaining('whose file is missing')]);
    }
  });

  it('has the history also if its own first line is repeated', async () => {
    const home = tempFolder();
    write(codex.file(home, 'o'), one);
    const own = fork('f', 'o', one.length);
    const { notes } = await opened(write(codex.file(home, 'f'), own, says('user', 'Two'), own));
    expect(notes).toEqual([expect.stringContaining('is included')]);
  });

  it('ends a circle of sessions that continue each other', async () => {
    const home = tempFolder();
    const end = says('user', 'Two') + says('assistant', '.');
    write(codex.file(home, 'a'), fork('a', 'b', 100_000), end);
    const { texts } = await opened(write(codex.file(home, 'b'), fork('b', 'a', 100_000), end));
    expect(texts.length).toBeLessThan(100);
  });
});
