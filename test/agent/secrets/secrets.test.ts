import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentEvent, redactedEvents } from '../../../src/agent/agentEvent';
import {
  holdsKey,
  keepSecret,
  redacted,
  redactedIn,
  SECRET_MARK,
} from '../../../src/agent/secrets/knownSecrets';
import { RedactedStream } from '../../../src/agent/secrets/secrets';
import { Session } from '../../../src/agent/session';
import type { ToolUse } from '../../../src/contextWindow/block';
import { childEnvironment } from '../../../src/tools/processes/childEnvironment';
import { runs } from '../../support/runs';
import { says, scriptedAgent } from '../../support/scriptedAgent';

const KEY = 'sk-ant-0123456789';
/** Its end equals its beginning, so that two copies can overlap. */
const SELF_OVERLAPPING = 'abababac';

keepSecret(` ${KEY}\n`);
keepSecret(SELF_OVERLAPPING);
keepSecret('none');
keepSecret(undefined);

const texts = fc
  .array(
    fc.oneof(
      fc.string(),
      fc.constantFrom(KEY, SELF_OVERLAPPING, 'ab', 'aba', 'sk-ant-', 'sk-ant-0123'),
    ),
  )
  .map((parts) => parts.join(''));

describe('a secret of this process', () => {
  it('is redacted wherever it occurs, and nothing else is', () => {
    expect(redacted(`a ${KEY}${KEY} b none`)).toBe(`a ${SECRET_MARK}${SECRET_MARK} b none`);
    const value = { deep: [{ text: `x${KEY}`, [KEY]: 1 }], left: { as: 'is' } };
    const clean = redactedIn(value);
    expect(clean).toEqual({
      deep: [{ text: `x${SECRET_MARK}`, [SECRET_MARK]: 1 }],
      left: { as: 'is' },
    });
    expect(clean.left).toBe(value.left);
    expect(redactedIn(value.left)).toBe(value.left);
  });

  it('is found in a stream, however that is split into chunks', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(12)), (text, lengths) => {
        const stream = new RedactedStream();
        let told = '';
        let at = 0;
        for (const length of lengths) {
          told += stream.push(text.slice(at, at + length));
          at += length;
          expect(holdsKey(told)).toBe(false);
        }
        told += stream.push(text.slice(at)) + stream.end();
        expect(holdsKey(told)).toBe(false);
        if (!text.includes(SELF_OVERLAPPING)) expect(told).toBe(redacted(text));
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  it("is in no child's environment, whatever the variable is called", () => {
    const env = { ANTHROPIC_API_KEY: 'x', MINE: KEY, HEADER: `Bearer ${KEY}`, PATH: '/bin' };
    const kept = childEnvironment(env);
    expect(kept).toMatchObject({ PATH: '/bin' });
    expect(JSON.stringify(kept)).not.toContain(KEY);
    expect(Object.keys(kept)).not.toContain('HEADER');
  });

  it('enters no session through any event', () => {
    const stored: unknown[] = [];
    const session = new Session({ append: (event) => stored.push(event) }, () => 1);
    session.append({ type: 'stateSet', key: 'found', value: { in: [KEY] } });
    expect(JSON.stringify([stored, session.events, session.window])).not.toContain(KEY);
    expect(JSON.stringify(stored)).toContain(SECRET_MARK);
  });

  it('is redacted throughout a turn: prompt, reply, requests and all', async () => {
    const agent = scriptedAgent({ script: [says(`Here it is: ${KEY}.`), says('Done.')] });
    await agent.run(`My key is ${KEY}.`);
    await agent.run('And now?');
    const all = JSON.stringify([agent.session.events, agent.requests]);
    expect(all).not.toContain(KEY);
    expect(all).toContain(`Here it is: ${SECRET_MARK}.`);
    expect(all).toContain(`My key is ${SECRET_MARK}.`);
  });
});

describe('live output during a turn', () => {
  const use = (id: string) => ({ id, name: 'run_command', input: {} }) as unknown as ToolUse;
  const text = (said: string): AgentEvent => ({ type: 'textDelta', step: 1, text: said });
  const output = (id: string, said: string): AgentEvent => ({
    type: 'toolOutput',
    use: use(id),
    text: said,
  });

  async function redactedFrom(...events: readonly AgentEvent[]): Promise<readonly AgentEvent[]> {
    async function* turnEvents(): AsyncGenerator<AgentEvent, string> {
      yield* events;
      return `ended with ${KEY}`;
    }
    const heard: AgentEvent[] = [];
    const turn = redactedEvents(turnEvents());
    let next = await turn.next();
    for (; next.done !== true; next = await turn.next()) heard.push(next.value);
    expect(next.value).toBe(`ended with ${SECRET_MARK}`);
    return heard;
  }

  const joined = (events: readonly AgentEvent[], of: string) =>
    events
      .map((event) =>
        event.type === 'textDelta' && of === 'reply'
          ? event.text
          : event.type === 'toolOutput' && event.use.id === of
            ? event.text
            : '',
      )
      .join('');

  it('is redacted in streamed thinking, which ends with the reply or when it starts over', async () => {
    const thought = (said: string): AgentEvent => ({ type: 'thinkingDelta', step: 1, text: said });
    const restart: AgentEvent = { type: 'thinkingDelta', step: 1, text: '', restarts: true };
    const events = await redactedFrom(
      thought(`It is ${KEY.slice(0, 8)}`),
      thought(`${KEY.slice(8)}.`),
      restart,
      thought('Again.'),
      { type: 'replyReceived', step: 1 },
    );
    const place = events.findIndex((event) => 'restarts' in event);
    const words = (of: readonly AgentEvent[]) =>
      of.map((event) => (event.type === 'thinkingDelta' ? event.text : '')).join('');
    expect(words(events.slice(0, place))).toBe(`It is ${SECRET_MARK}.`);
    expect(words(events.slice(place))).toBe('Again.');
  });

  it('is redacted in a streamed reply, and nothing is missing at its end', async () => {
    const events = await redactedFrom(
      text('It is '),
      text('sk-ant-01'),
      text('23456789'),
      text(' and sk-ant-'),
      { type: 'replyReceived', step: 1 },
    );
    expect(joined(events, 'reply')).toBe(`It is ${SECRET_MARK} and sk-ant-`);
    expect(events.at(-1)).toEqual({ type: 'replyReceived', step: 1 });
  });

  it('keeps the outputs of calls apart, whatever happens between their chunks', async () => {
    const events = await redactedFrom(
      output('a', 'key: sk-ant-0123'),
      output('b', '456789 sk-'),
      { type: 'toolStarted', use: use('c') },
      output('a', '456789\n'),
      { type: 'toolFinished', use: use('a') },
      { type: 'notice', message: `the server said ${KEY}` },
    );
    expect(joined(events, 'a')).toBe(`key: ${SECRET_MARK}\n`);
    expect(joined(events, 'b')).toBe('456789 sk-');
    expect(events).toContainEqual({ type: 'notice', message: `the server said ${SECRET_MARK}` });
  });

  it('ends the turn when the consumer stops reading', async () => {
    let isEnded = false;
    async function* turnEvents(): AsyncGenerator<AgentEvent, void> {
      try {
        for (;;) yield text('more');
      } finally {
        isEnded = true;
      }
    }
    const turn = redactedEvents(turnEvents());
    await turn.next();
    await turn.return();
    expect(isEnded).toBe(true);
  });
});
