import { readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Estimate } from '../../../src/contextWindow/truncate';
import { capturedView } from '../../../src/editor/contextPanel/request/capturedView';
import { readHere } from '../../../src/editor/recordings/recordingFile';
import { capturedBody } from '../../../src/recordings/captures/capturedBody';
import { END_BYTES } from '../../../src/recordings/captures/capturedCall';
import { type CapturesRead, joinCaptures } from '../../../src/recordings/captures/joinCaptures';
import { importTranscript } from '../../../src/recordings/importTranscript';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { windowOrigin } from '../../../src/recordings/windowOrigin';
import { tempFolder } from '../../tools/support/tempFolder';
import { claude, write } from '../lens/support/agentHomes';
import {
  compactedByItself,
  type Exchange,
  EXCHANGES,
  recordRequests,
  requestName,
  SESSION,
  sessionText,
  STEPS,
} from './support/recordedRequests';
import { readBytes } from './support/readBytes';

const transcript = (text = sessionText()) => {
  const read = importTranscript(text, 'auto', 'session.jsonl', () => 0);
  if (!read.ok) throw new Error(read.message);
  return read.transcript;
};

const joinedWith = (...folders: readonly string[]) =>
  joinCaptures(sessionText(), transcript(), { 'claude-code': folders }, 'session.jsonl');

const filesOf = ({ captured }: Awaited<ReturnType<typeof joinedWith>>) =>
  [...captured.steps].map(([step, { request }]) => [step, basename(request.file)]);

const ALL = STEPS.map((number, index) => [index + 1, requestName(number)]);

describe('requests recorded by Claude Code', () => {
  it.each([
    ['by its index', true],
    ['by what each answers, without an index', false],
  ])('belong to their steps %s', async (_, isIndexed) => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES, { isIndexed });
    const joined = await joinedWith(folder);
    expect(filesOf(joined)).toEqual(ALL);
    expect(joined.captured.steps.get(3)?.usage).toMatchObject({
      inputTokens: 3,
      cacheCreationTokens: 240,
      cacheReadTokens: 500,
    });
    expect([...joined.captured.others]).toEqual(
      isIndexed
        ? [
            ['generate_session_title', 1],
            ['agent:custom', 1],
            ['compact', 1],
          ]
        : [
            ['side requests', 1],
            ['other windows', 1],
            ['compact', 1],
          ],
    );
  });

  it('belong to their steps also around an automatic compaction, which keeps the newest step', async () => {
    const { text, exchanges, steps } = compactedByItself();
    const folder = tempFolder();
    recordRequests(folder, exchanges);
    const folders = { 'claude-code': [folder] };
    const joined = await joinCaptures(text, transcript(text), folders, 'session.jsonl');
    expect(filesOf(joined)).toEqual(steps.map((number, index) => [index + 1, requestName(number)]));
    expect([...joined.captured.others]).toEqual([['compact', 1]]);
  });

  it('give the recording the system prompt and the tools that its file lacks', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES);
    const { transcript: joined } = await joinedWith(folder);
    expect(joined.system).toContain('works on ships');
    expect(joined.tools.map(({ name }) => name)).toEqual(['Bash', 'Read']);
    expect(transcript().tools).toEqual([]);
  });

  it('are exact only for the steps that have one, which one sentence says', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES.slice(5));
    const { captured, transcript: joined } = await joinedWith(folder);
    expect([...captured.steps.keys()]).toEqual([3, 4]);
    expect(windowOrigin(joined, captured)).toBe(
      'Exact for 2 of 4 steps, whose requests were recorded. The others are reconstructed.',
    );
    const all = tempFolder();
    recordRequests(all, EXCHANGES, { isIndexed: true });
    const whole = await joinedWith(all);
    expect(windowOrigin(whole.transcript, whole.captured)).toBe(
      'Exact: the request of every step was recorded. Also recorded, but not part of a step: generate_session_title (1), agent:custom (1), compact (1).',
    );
    expect(windowOrigin(transcript())).toBe(
      'Reconstructed: this file has no system prompt or tools.',
    );
  });

  it('of another session are not taken, nor those in a folder that does not exist', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES, { session: 'ffffffff-1111-4222-8333-444455556666' });
    const { captured } = await joinedWith(folder, join(folder, 'missing'));
    expect([captured.steps.size, captured.others.size]).toEqual([0, 0]);
  });

  it('are exact for the copied steps of a fork where the index names their replies', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES, { isIndexed: true });
    const fork = sessionText().replaceAll(SESSION, 'ffffffff-1111-4222-8333-444455556666');
    const folders = { 'claude-code': [folder] };
    const joined = await joinCaptures(fork, transcript(fork), folders, 'fork.jsonl');
    expect(filesOf(joined)).toEqual(ALL);
    // The title and the summary are windows of the other session.
    expect(joined.captured.others.size).toBe(0);
  });

  it.each([
    ['with an index', true],
    ['without one', false],
  ])('are read once while the session grows, %s', async (_, isIndexed) => {
    const folder = tempFolder();
    const counted = await readBytes();
    const read = async (text: string, exchanges: readonly Exchange[], before?: CapturesRead) => {
      recordRequests(folder, exchanges, { isIndexed });
      counted.taken();
      const folders = { 'claude-code': [folder] };
      const joined = await joinCaptures(text, transcript(text), folders, 'a.jsonl', before);
      return { joined, bytes: counted.taken() };
    };
    const sizes = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const indexSize = () => (isIndexed ? sizes(['index.jsonl']) : 0);

    const beginning = sessionText().split('\n').slice(0, 5).join('\n');
    const first = await read(beginning, EXCHANGES.slice(0, 4));
    expect(filesOf(first.joined)).toEqual(ALL.slice(0, 2));
    const indexBefore = indexSize();
    // As if read in another thread.
    const before = structuredClone(first.joined.capturesRead);
    const second = await read(sessionText(), EXCHANGES, before);
    expect(filesOf(second.joined)).toEqual(ALL);
    expect(second.joined.captured).toEqual((await joinedWith(folder)).captured);
    const added = [5, 6, 7].flatMap((n) => [requestName(n), `req_${n}.response.json`]);
    const newest = requestName(7);
    // The half-written line of the index is read again, and its end before and after it. Of a request without an index its end is read
    // first, to know its session.
    const ends = isIndexed ? 2 * END_BYTES : 0;
    const most = sizes([...added, newest]) + indexSize() - indexBefore + 40 + ends;
    expect(second.bytes).toBeGreaterThan(sizes([newest]));
    expect(second.bytes).toBeLessThanOrEqual(isIndexed ? most : most + sizes(added));
    const third = await read(sessionText(), EXCHANGES, second.joined.capturesRead);
    expect(third.joined.captured).toEqual(second.joined.captured);
    // The newest request gives the recording its system prompt and tools.
    const half = isIndexed ? '{"session_id": "half'.length : 0;
    expect(third.bytes).toBe(sizes([newest]) + half + ends);
  });

  it('are read again once they are written whole', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES);
    const file = join(folder, requestName(3));
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.slice(0, -20));
    expect(filesOf(await joinedWith(folder))).toEqual(ALL.filter(([step]) => step !== 2));
    writeFileSync(file, whole);
    expect(filesOf(await joinedWith(folder)).map(([step]) => step)).toContain(2);
  });

  it.each([
    ['a list', '[]'],
    ['a text', '"messages"'],
    ['messages of another kind', '{"messages":[1,null,"x"],"metadata":{"user_id":7}}'],
    ['deep nesting', '['.repeat(100_000)],
  ])('are skipped if a file holds %s', async (_, text) => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES);
    writeFileSync(join(folder, requestName(3)), text);
    writeFileSync(join(folder, 'req_9.response.json'), text);
    expect(filesOf(await joinedWith(folder))).toEqual(ALL.filter(([step]) => step !== 2));
  });
});

describe('the side requests of a Claude Code session', () => {
  const listed = async (folder: string) => {
    const home = tempFolder();
    write(join(claude.project(home, '/app'), `${SESSION}.jsonl`), sessionText());
    const finder = new SessionFinder({ home, environment: {}, now: () => Date.now() });
    const { sessions, problems } = await finder.find(
      undefined,
      {},
      { requests: { 'claude-code': [folder] } },
    );
    expect(problems).toEqual([]);
    expect(sessions).toHaveLength(1);
    return sessions[0]!.inner;
  };

  it.each([
    ['its index', true, ['compact', 'generate_session_title']],
    ['their content', false, ['compact', 'Write a title for: Mend the hull.']],
  ])('are listed below it by %s, without its steps and sub-agents', async (_, isIndexed, names) => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES, { isIndexed });
    const inner = await listed(folder);
    expect(inner.map(({ title }) => title)).toEqual(names.map((name) => `Side request: ${name}`));
    expect(inner.map(({ file }) => basename(file))).toEqual([requestName(5), requestName(2)]);
    expect(inner[1]).toMatchObject({
      model: 'claude-sonnet-4-5',
      tokens: isIndexed ? 3 + 80 + 100 + 20 : undefined,
    });
    recordRequests(folder, EXCHANGES, {
      isIndexed,
      session: 'ffffffff-1111-4222-8333-444455556666',
    });
    expect(await listed(folder)).toEqual([]);
  });

  it.each([
    [
      'title of the session, by its system prompt',
      { system: 'Generate a concise, sentence-case title (3-7 words).' },
      'generate_session_title',
    ],
    [
      'beginning of a long prompt, on one line and without the notes beside it',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: `Is this a new topic?\n${'keel '.repeat(60)}` },
              { type: 'text', text: '<system-reminder>Today is Monday.</system-reminder>' },
            ],
          },
        ],
      },
      /^Is this a new topic\? keel .*…$/,
    ],
    ['lack of a prompt', { messages: [{ role: 'user', content: [] }] }, 'no prompt'],
  ])('without an index are called by the %s', async (_, changed, title) => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES);
    const file = join(folder, requestName(2));
    const body = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...body, ...changed }));
    const found = (await listed(folder)).find((one) => one.file === file);
    expect(found?.title.replace('Side request: ', '')).toMatch(title);
  });

  it.each([true, false])(
    'open as exact windows with their replies (index: %s)',
    async (isIndexed) => {
      const folder = tempFolder();
      recordRequests(folder, EXCHANGES, { isIndexed });
      const read = await readHere({ file: join(folder, requestName(2)) });
      if (!read.ok) throw new Error(read.message);
      const { transcript, captured } = read;
      expect(windowOrigin(transcript, captured)).toBe(
        'Exact: the request of every step was recorded.',
      );
      expect(transcript.system).toContain('works on ships');
      expect(JSON.stringify(transcript.entries)).toContain('Mending the hull');
      const call = captured!.steps.get(1)!;
      const body = await capturedBody(call);
      if (!body.ok) throw new Error(body.message);
      const view = capturedView(call, body.body, 1, ((text: string) => text.length) as Estimate);
      const parts = view.sections.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
      expect(parts + view.captured!.unattributed).toBe(3 + 80 + 100);
      const summary = await readHere({ file: join(folder, requestName(5)) });
      if (!summary.ok) throw new Error(summary.message);
      expect(windowOrigin(summary.transcript, summary.captured)).toContain(
        'Exact for 1 of 3 steps',
      );
    },
  );

  it('open without a reply if it may be that of another request', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES);
    const [file, late] = [join(folder, requestName(2)), join(folder, 'req_2.response.json')];
    utimesSync(late, Date.now() / 1_000, Date.now() / 1_000);
    const read = await readHere({ file });
    expect(JSON.stringify(read)).toContain('The reply to this request was not recorded.');
    expect(JSON.stringify(read)).not.toContain('Mending the hull');
  });

  it('open without a reply if an earlier request to the model had none yet', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES);
    const file = join(folder, requestName(2));
    const sentAt = statSync(file).mtimeMs / 1_000;
    for (const number of [1, 2]) {
      const at = sentAt + number;
      utimesSync(join(folder, `req_${number}.response.json`), at, at);
    }
    const read = await readHere({ file });
    expect(JSON.stringify(read)).toContain('The reply to this request was not recorded.');
    expect(JSON.stringify(read)).not.toContain('Looking 1.');
  });

  it('open although another file of the folder is deleted meanwhile', async () => {
    const folder = tempFolder();
    recordRequests(folder, EXCHANGES);
    // Listed, but not there.
    symlinkSync(join(folder, 'nowhere'), join(folder, 'req_9.response.json'));
    const read = await readHere({ file: join(folder, requestName(2)) });
    expect(JSON.stringify(read)).toContain('Mending the hull');
  });

  it('have a side question of the user, which is not a step', async () => {
    const folder = tempFolder();
    const [first] = EXCHANGES as [Exchange];
    const text = '<system-reminder>This is a side question from the user. Mend the hull.';
    const aside = { ...first, number: 9, messages: [{ role: 'user', content: text }] };
    recordRequests(folder, [...EXCHANGES, aside]);
    const titles = (await listed(folder)).map(({ title }) => title);
    expect(titles).toContain('Side request: side_question');
    expect(filesOf(await joinedWith(folder))).toEqual(ALL);
  });

  it('have the summary of an automatic compaction, whose request ends with notes', async () => {
    const folder = tempFolder();
    recordRequests(folder, compactedByItself().exchanges);
    const found = await listed(folder);
    expect(found.map(({ title, file }) => [title, basename(file)])).toEqual([
      ['Side request: compact', requestName(3)],
    ]);
  });

  it('are not steps whose tool results quote the request for a summary', async () => {
    const folder = tempFolder();
    const [first] = EXCHANGES as [Exchange];
    const content = 'Your task is to create a detailed summary of the hull.';
    const quoted = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] };
    recordRequests(folder, [{ ...first, messages: [...first.messages, quoted] }]);
    expect(await listed(folder)).toEqual([]);
  });
});
