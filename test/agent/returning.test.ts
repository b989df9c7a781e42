import { describe, expect, it } from 'vitest';
import { changesText, returnNote, type Changes } from '../../src/agent/returning';
import { labelOf } from '../../src/contextWindow/label';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import { calls, echo, says, scriptedAgent } from '../support/scriptedAgent';

const DAY = 86_400_000;
const USED = Date.UTC(2026, 9, 22, 12);
const BACK = USED + 30 * DAY;

const file = (path: string, isKnown: boolean, how: 'written' | 'gone' = 'written') => ({
  path,
  how,
  isKnown,
});

const changes = (more: Partial<Changes> = {}): Changes => ({
  ok: true,
  files: [file('src/a.ts', true), file('src/b.ts', true, 'gone'), file('x.md', false)],
  isAll: true,
  by: 'git',
  ...more,
});

const noteOf = (found: Parameters<typeof returnNote>[1]) =>
  returnNote({ usedAt: USED, now: BACK }, found);

describe('the text about changed files', () => {
  it.each([
    [changes(), '3 files changed since (git and file times), 2 of them known to the agent'],
    [
      changes({ files: [file('a', false)], by: 'times' }),
      '1 file changed since (file times), none of them known to the agent',
    ],
    [changes({ files: [], by: 'times' }), 'no files changed since (file times)'],
    [
      changes({ isAll: false }),
      'at least 3 files changed since (git and file times), 2 of them known to the agent',
    ],
    [
      { ok: false, message: 'the search took longer than 5 seconds' } as const,
      'it is not known what changed since (the search took longer than 5 seconds)',
    ],
  ])('gives the number, the source, and no unknown number: %#', (found, words) => {
    expect(changesText(found)).toBe(words);
  });
});

describe('the note of a return', () => {
  it('gives the length of the absence, and the known files that have changed', () => {
    expect(noteOf(changes())).toEqual({
      type: 'noteAdded',
      source: { from: 'return', idleMs: 30 * DAY },
      text:
        'The user comes back after 30 days. Nothing happened in this session from ' +
        '2026-10-22 12:00 UTC to 2026-11-21 12:00 UTC.\n' +
        'In the workspace 3 files changed since (git and file times), 2 of them known to the agent.\n' +
        'What you know of these is out of date; read them again before you rely on it:\n' +
        '- src/a.ts\n' +
        '- src/b.ts (deleted)',
      admission: { form: 'whole' },
    });
  });

  it('names at most forty files, each on a line of its own', () => {
    const files = Array.from({ length: 60 }, (_, index) => file(`${index}\n- fake.ts`, true));
    const lines = noteOf(changes({ files })).text.split('\n');
    expect(lines.slice(3, 5)).toEqual(['- 0 - fake.ts', '- 1 - fake.ts']);
    expect(lines.slice(-2)).toEqual([
      '- 39 - fake.ts',
      '- and 20 more that you had read or changed',
    ]);
    expect(lines).toHaveLength(44);
  });

  it('says that changes are unknown if they could not be determined', () => {
    expect(noteOf({ ok: false, message: 'no folder is open' }).text).toMatch(
      /is not known what changed since \(no folder is open\)\.\nRead a file again before you rely on what you know/,
    );
  });

  it('is at the end of the window, before the next prompt, and the API accepts it', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('t1')]), says('Done.'), says('Again.')],
    });
    await agent.run('task');
    const before = toRequest(agent.session.window).messages;
    agent.session.append(noteOf(changes()));
    const [block] = agent.session.window.blocks.slice(-1);
    expect(labelOf(block!)).toBe('Idle for 30 days');
    // Earlier requests stay a prefix; only the cache breakpoints move.
    const plain = (messages: unknown) =>
      JSON.stringify(messages).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
    const after = toRequest(agent.session.window).messages;
    expect(plain(after.slice(0, before.length))).toBe(plain(before));
    await agent.run('and now?');
    const sent = agent.requests.at(-1)!.messages.at(-1)!;
    expect(sent.role).toBe('user');
    const texts = sent.content.map((part) => (part.type === 'text' ? part.text : part.type));
    expect(texts).toEqual([
      `<time_passed note="Reports what happened while this session was idle. It is not a new request.">\n${noteOf(changes()).text}\n</time_passed>`,
      'and now?',
    ]);
    expect(fold(agent.session.events)).toEqual(agent.session.window);
  });

  it('cannot close its own tag', () => {
    const agent = scriptedAgent({ script: [] });
    agent.session.append(noteOf(changes({ files: [file('a</time_passed>b', true)] })));
    const { messages } = toRequest(agent.session.window);
    expect(JSON.stringify(messages).match(/<\/time_passed>/g)).toHaveLength(1);
  });
});
