import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followFile, type Following } from '../../src/recordings/followFile';

let folder = '';
let file = '';
let followed: Following | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-follow-'));
  file = join(folder, 'session.jsonl');
});

afterEach(() => {
  followed?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Follows the file; returns the texts and problems it reported, in order. */
function follow(times = { quietMs: 10, pollMs: 50 }) {
  const texts: string[] = [];
  const problems: string[] = [];
  followed = followFile(
    file,
    { changed: (text) => texts.push(text), problem: (message) => problems.push(message) },
    times,
  );
  const heard = (text: string) => expect.poll(() => texts.at(-1)).toBe(text);
  return { texts, problems, heard };
}

describe('followFile', () => {
  it('reports the full text immediately, and again when lines are added', async () => {
    writeFileSync(file, '{"a":1}\n');
    const { heard } = follow();
    await heard('{"a":1}\n');
    appendFileSync(file, '{"b":2}\n');
    await heard('{"a":1}\n{"b":2}\n');
  });

  it('has a database read elsewhere, and any other file here', async () => {
    const database = join(folder, 'sessions.db');
    for (const name of [database, file]) writeFileSync(name, '{"a":1}\n');
    const texts: string[] = [];
    const readStored = vi.fn(async (path: string) => `{"stored":"${path.length}"}\n`);
    const follower = {
      changed: (text: string) => texts.push(text),
      problem: (message: string) => texts.push(message),
      readStored,
    };
    for (const name of [`${database}#ses_1`, file]) {
      const following = followFile(name, follower);
      await expect.poll(() => texts.length).toBe(name === file ? 2 : 1);
      following.dispose();
    }
    expect(texts).toEqual([`{"stored":"${database.length + 6}"}\n`, '{"a":1}\n']);
    expect(readStored).toHaveBeenCalledOnce();
  });

  it.each([
    ['the watcher alone', { quietMs: 10, pollMs: 3_600_000 }],
    ['the poll alone', { quietMs: 3_600_000, pollMs: 20 }],
  ])('notices new lines by %s', async (_, times) => {
    writeFileSync(file, '{"a":1}\n');
    const { heard } = follow(times);
    await heard('{"a":1}\n');
    appendFileSync(file, '{"b":2}\n');
    await heard('{"a":1}\n{"b":2}\n');
  });

  it('omits a torn last line until it is complete', async () => {
    writeFileSync(file, '{"a":1}\n{"b":');
    const { texts, heard } = follow();
    await heard('{"a":1}\n');
    appendFileSync(file, '"é');
    await wait(120);
    expect(texts).toEqual(['{"a":1}\n']);
    appendFileSync(file, '"}');
    await heard('{"a":1}\n{"b":"é"}');
    expect(texts).toHaveLength(2);
  });

  it('does not report a file of one value while it is being written', async () => {
    writeFileSync(file, '[\n{"a":1}\n]');
    const { texts, heard } = follow();
    await heard('[\n{"a":1}\n]');
    writeFileSync(file, '[\n{"a":1},\n{"b"');
    await wait(120);
    writeFileSync(file, '[\n{"a":1},\n{"b":2}\n]');
    await heard('[\n{"a":1},\n{"b":2}\n]');
    expect(texts).toHaveLength(2);
  });

  it('reads a replaced or cut file from the start', async () => {
    writeFileSync(file, '{"a":1}\n{"b":2}\n');
    const { heard } = follow();
    await heard('{"a":1}\n{"b":2}\n');
    writeFileSync(file, '{"a":1}\n');
    await heard('{"a":1}\n');
    writeFileSync(`${file}.new`, '{"c":3}\n');
    renameSync(`${file}.new`, file);
    await heard('{"c":3}\n');
    appendFileSync(file, '{"d":4}\n');
    await heard('{"c":3}\n{"d":4}\n');
  });

  it('reads a recorded request again when its response or the index is written', async () => {
    file = join(folder, 'a.request.json');
    const messages = [{ role: 'user', content: 'Name the hull.' }];
    writeFileSync(file, JSON.stringify({ model: 'm', messages }));
    const { texts } = follow();
    const newest = () => expect.poll(() => texts.at(-1));
    await newest().toContain('The reply to this request was not recorded.');
    const respond = (name: string, model: string, text: string) =>
      writeFileSync(
        join(folder, `${name}.response.json`),
        JSON.stringify({ model, content: [{ type: 'text', text }] }),
      );
    respond('other', 'm-2', 'Petrel');
    respond('first', 'm', 'Heron');
    await newest().toContain('Heron');
    respond('first', 'm', 'Heron II');
    await newest().toContain('Heron II');
    const line = { request_file: 'a.request.json', response_file: 'other.response.json' };
    writeFileSync(join(folder, 'index.jsonl'), `${JSON.stringify(line)}\n`);
    await newest().toContain('Petrel');
  });

  it.each([
    ['the watcher alone', { quietMs: 10, pollMs: 3_600_000 }],
    ['the poll alone', { quietMs: 3_600_000, pollMs: 20 }],
  ])('reads a session of the cline SDK again when it is compacted, by %s', async (_, times) => {
    file = join(folder, 's.messages.json');
    writeFileSync(file, '{"messages":[]}');
    const { heard } = follow(times);
    await heard('{"messages":[]}');
    writeFileSync(join(folder, 's.compaction.json'), '{"a":1}');
    await heard('{"messages":[],"compaction":{"a":1}}');
    writeFileSync(join(folder, 's.compaction.json'), '{"a":21}');
    await heard('{"messages":[],"compaction":{"a":21}}');
  });

  it('reports once that the file is gone, and continues when it is back', async () => {
    writeFileSync(file, '{"a":1}\n');
    const { texts, problems, heard } = follow();
    await heard('{"a":1}\n');
    rmSync(file);
    await expect.poll(() => problems).toHaveLength(1);
    await wait(150);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('cannot be read any more: ENOENT');
    expect(texts).toHaveLength(1);
    writeFileSync(file, '{"b":2}\n');
    await heard('{"b":2}\n');
  });

  it('reports nothing after it is disposed of', async () => {
    writeFileSync(file, '{"a":1}\n');
    const { texts } = follow();
    followed?.dispose();
    appendFileSync(file, '{"b":2}\n');
    await wait(120);
    expect(texts).toEqual([]);
  });

  it('leaves no timer behind', () => {
    vi.useFakeTimers();
    try {
      writeFileSync(file, '{"a":1}\n');
      follow();
      expect(vi.getTimerCount()).toBe(1);
      followed?.dispose();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
