import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolUseId } from '../../src/contextWindow/block';
import type { NewEvent } from '../../src/contextWindow/event';
import { toRequest } from '../../src/contextWindow/request/request';
import { lockFile } from '../../src/sessions/logLock';
import { newSession, openSession, type StoredSession } from '../../src/sessions/openSession';
import { tempFolder } from '../tools/support/tempFolder';
import { asLog, callsTools, dated, finished, prompt, started } from './support/sampleEvents';

const EVENTS = dated(started, prompt('Fix it'), callsTools('a'), finished('a'));
const line = (event: object) => `${JSON.stringify(event)}\n`;

/** A clock that advances by one at each call. */
function clock(from = 0): () => number {
  let now = from;
  return () => ++now;
}

function logOf(...events: readonly NewEvent[]): string {
  return join(tempFolder({ 'log.jsonl': asLog(dated(started, ...events)) }), 'log.jsonl');
}

function open(file: string) {
  const result = openSession(file, clock(100));
  if (!result.ok) throw new Error(result.message);
  result.stored.close();
  return result;
}

describe('newSession', () => {
  it('begins a log with the session, and appends everything after it', () => {
    const file = join(tempFolder(), 'sessions', 's-1.jsonl');
    const { session, close } = newSession({
      file,
      sessionId: 's-1',
      pinTaskAnchor: true,
      now: clock(),
    });
    session.append(prompt('Fix it'));
    close();
    expect(readFileSync(file, 'utf8')).toBe(asLog(dated(started, prompt('Fix it'))));
    expect(session.window.sessionId).toBe('s-1');
    expect(() => newSession({ file, sessionId: 's-2', pinTaskAnchor: true, now: clock() })).toThrow(
      'exists already',
    );
  });
});

describe('openSession', () => {
  it('continues where the session ended, with the same next request', () => {
    const file = join(tempFolder(), 'log.jsonl');
    const first: StoredSession = newSession({
      file,
      sessionId: 's-1',
      pinTaskAnchor: true,
      now: clock(),
    });
    for (const event of [prompt('Fix it'), callsTools('a', 'b'), finished('a'), finished('b')]) {
      first.session.append(event);
    }
    first.close();
    const { stored, interrupted, warning } = open(file);
    expect(interrupted).toEqual([]);
    expect(warning).toBeUndefined();
    expect(stored.session.window).toEqual(first.session.window);
    expect(JSON.stringify(toRequest(stored.session.window))).toBe(
      JSON.stringify(toRequest(first.session.window)),
    );
  });

  it('gives an interrupted call exactly one error result (B3)', () => {
    const file = logOf(prompt('Fix it'), callsTools('x'));
    const { stored, interrupted } = open(file);
    expect(interrupted.map(({ id }) => id)).toEqual(['x']);
    expect(stored.session.events.at(-1)).toEqual({
      type: 'toolFinished',
      at: 101,
      toolUseId: 'x',
      text:
        'Interrupted by a restart: Plimsoll ended while run_command was waiting or running. Its effects are ' +
        'unknown: it may not have happened at all, or in part, or completely. Check before you do it again.',
      isError: true,
      origin: 'interrupted',
      durationMs: 0,
      admission: { form: 'whole' },
    });
    const { messages } = toRequest(stored.session.window);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages.at(-1)?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'x', is_error: true },
    ]);
    const lines = readFileSync(file, 'utf8');
    expect(open(file).interrupted).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(lines);
  });

  it('leaves calls open that wait for approval: none of them ran', () => {
    const asked = [
      prompt('Fix it'),
      callsTools('a', 'b', 'c'),
      finished('a'),
      { type: 'approvalAsked', toolUseId: 'b' as ToolUseId },
    ] as const;
    expect(open(logOf(...asked)).interrupted).toEqual([]);
    const answered = {
      type: 'approvalAnswered',
      toolUseId: 'b' as ToolUseId,
      approved: true,
    } as const;
    expect(open(logOf(...asked, answered)).interrupted.map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('closes only the calls of a batch that have no result yet (B3)', () => {
    const file = logOf(prompt('Fix it'), callsTools('a', 'b', 'c'), finished('b'));
    expect(open(file).interrupted.map(({ id }) => id)).toEqual(['a', 'c']);
    const results = open(file).stored.session.events.flatMap((event) =>
      event.type === 'toolFinished' ? [`${event.toolUseId} ${event.origin}`] : [],
    );
    expect(results).toEqual(['b ran', 'a interrupted', 'c interrupted']);
  });

  it('cuts off a torn line before it continues', () => {
    const file = logOf(prompt('Fix it'), callsTools('x'));
    appendFileSync(file, '{"type":"toolFinished","toolUseId":"x","te');
    const { warning, interrupted } = open(file);
    expect(warning).toContain('was cut off while it was written');
    expect(interrupted).toHaveLength(1);
    const again = open(file);
    expect(again.warning).toBeUndefined();
    expect(again.stored.session.events).toHaveLength(4);
  });

  it('completes a last line that lacks its line break', () => {
    const text = asLog(dated(started, prompt('Fix it'), callsTools('x'))).trimEnd();
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    expect(open(file).interrupted).toHaveLength(1);
    expect(open(file).stored.session.events).toHaveLength(4);
  });

  it('opens nothing and changes nothing if the log cannot be read', () => {
    const text = line({ ...EVENTS[0], version: 2 });
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    expect(openSession(file, clock())).toMatchObject({ ok: false, cause: 'unreadable' });
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(lockFile(file))).toBe(false);
  });

  it('keeps a damaged line, continues after it, and reads it the same way again', () => {
    const [first, second, third] = EVENTS.map(line) as [string, string, string];
    const text = `${first}${second}${third}{"at":4,"type":"toolFin\n`;
    const file = join(tempFolder({ 'log.jsonl': text }), 'log.jsonl');
    const opened = open(file);
    expect(opened.warning).toContain(`Line 4 of ${file} is damaged and was left out`);
    const added = readFileSync(file, 'utf8').slice(text.length).trim().split('\n');
    expect(added.map((json) => (JSON.parse(json) as { type: string }).type)).toEqual([
      'stateSet',
      'toolFinished',
    ]);
    expect(opened.stored.session.events.at(-1)).toMatchObject({
      toolUseId: 'a',
      origin: 'interrupted',
      text: expect.stringContaining('the result of run_command was lost'),
    });
    const length = readFileSync(file).length;
    const again = open(file);
    expect(again.stored.session.window).toEqual(opened.stored.session.window);
    expect(readFileSync(file).length).toBe(length);
  });

  it('is refused while another window has the session, and open to all once it is released', () => {
    const file = logOf(prompt('Fix it'));
    const first = openSession(file, clock());
    if (!first.ok) throw new Error(first.message);
    expect(openSession(file, clock())).toEqual({
      ok: false,
      cause: 'locked',
      message: 'This session is open in another window; only one window can write its log.',
    });
    first.stored.close();
    expect(() => first.stored.session.append(prompt('late'))).toThrow('is closed');
    expect(open(file).warning).toBeUndefined();
    first.stored.reopen();
    first.stored.session.append(prompt('late'));
    first.stored.close();
    expect(open(file).stored.session.window.turn).toBe(2);
  });
});
