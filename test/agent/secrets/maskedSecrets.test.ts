import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import {
  forgetSecretsOf,
  isKept,
  marksIn,
  mask,
  redacted,
  setMasking,
  unmasked,
} from '../../../src/agent/secrets/knownSecrets';
import { maskedText, RedactedStream } from '../../../src/agent/secrets/secrets';
import { redactedEvents } from '../../../src/agent/agentEvent';
import { runTurn } from '../../../src/agent/runTurn';
import { createFile } from '../../../src/tools/files/createFile';
import { editFile } from '../../../src/tools/files/editFile';
import { makeNodeWorkspace } from '../../../src/tools/files/nodeWorkspace';
import { readFile } from '../../../src/tools/files/readFile';
import { runCommand } from '../../../src/tools/processes/runCommand';
import { searchText } from '../../../src/tools/search/searchText';
import { toRequest } from '../../../src/contextWindow/request/request';
import { openSession } from '../../../src/sessions/openSession';
import { openLog } from '../../../src/sessions/sessionLog';
import { Session } from '../../../src/agent/session';
import { anyKey } from '../../support/plantedKeys';
import { runs } from '../../support/runs';
import { calls, says, scriptedAgent, type Turn } from '../../support/scriptedAgent';
import { resultsOf } from '../support/resultsOf';
import { tempFolder } from '../../tools/support/tempFolder';

const TOKEN = `ghp_${'Ab3'.repeat(12)}`;
const GITHUB = /\[masked: GitHub token [0-9a-f]{4,}\]/;

afterEach(() => {
  setMasking(false);
  setMasking(true);
});

/** An agent with real tools in a folder. */
async function agentIn(files: Readonly<Record<string, string>>, ...script: readonly Turn[]) {
  const root = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const agent = scriptedAgent({
    script: [...script, says('Done.')],
    budget: { contextWindowTokens: 200_000 },
    deps: {
      tools: [readFile, editFile, createFile, searchText, runCommand],
      workspace: makeNodeWorkspace({ folders: oneFolder(root) }),
    },
  });
  return { agent, root, text: (path: string) => readFileSync(join(root, path), 'utf8') };
}

const call = (name: string, input: object): Turn => calls([{ id: `toolu_${name}`, name, input }]);

describe('a masked secret', () => {
  it('has a mark with its kind, the same for the same value', () => {
    const other = `ghp_${'Cd4'.repeat(12)}`;
    const clean = maskedText(`a ${TOKEN} b ${other} c ${TOKEN}`);
    const [first, second, ...more] = marksIn(clean);
    expect(more).toEqual([]);
    expect(clean).toBe(`a ${first} b ${second} c ${first}`);
    expect(first).toMatch(GITHUB);
    expect(unmasked(clean)).toBe(`a ${TOKEN} b ${other} c ${TOKEN}`);
  });

  it('is masked from then on in every text, even without its surroundings', () => {
    const secret = 'q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6j7K8l9Zz';
    maskedText(`aws_secret_access_key = "${secret}"`);
    expect(redacted(`it is ${secret}.`)).toMatch(/^it is \[masked: AWS key [0-9a-f]+\]\.$/);
  });

  it('leaves the same word alone elsewhere if it is an ordinary one', () => {
    const clean = maskedText('http://bob:letmein@db.example.org/ and: letmein');
    expect(clean).toMatch(/^http:\/\/bob:\[masked: [^\]]+\]@db\.example\.org\/ and: letmein$/);
  });

  it('is as it is with the setting off', () => {
    setMasking(false);
    expect(maskedText(TOKEN)).toBe(TOKEN);
  });

  it('leaves memory with the last session that has its mark', () => {
    const sessions = [1, 2].map(() => new Session({ append: () => undefined }, () => 1));
    for (const session of sessions) {
      session.append({ type: 'stateSet', key: 'found', value: TOKEN });
    }
    const [mark = ''] = marksIn(JSON.stringify(sessions[0]?.events));
    expect(isKept(mark)).toBe(true);
    forgetSecretsOf(sessions[0]!);
    expect(isKept(mark)).toBe(true);
    forgetSecretsOf(sessions[1]!);
    expect(isKept(mark)).toBe(false);
    expect(unmasked(mark)).toBe(mark);
  });

  it('is never in what a stream shows, however that is split into chunks', () => {
    const parts = fc.array(fc.oneof(fc.lorem({ maxCount: 3 }), anyKey, fc.constantFrom('\n', ' ')));
    fc.assert(
      fc.property(parts, fc.array(fc.integer({ min: 1, max: 60 })), (all, lengths) => {
        setMasking(false);
        setMasking(true);
        const secrets = all.flatMap((part) => (typeof part === 'string' ? [] : part.secrets));
        const text = all.map((part) => (typeof part === 'string' ? part : part.planted)).join('\n');
        const stream = new RedactedStream('all');
        let shown = '';
        let at = 0;
        for (const length of [...lengths, text.length]) {
          shown += stream.push(text.slice(at, at + length));
          at += length;
          for (const secret of secrets) expect(shown).not.toContain(secret);
        }
        shown += stream.end();
        for (const secret of secrets) {
          expect(shown).not.toContain(secret);
          // Not even most of it.
          expect(shown).not.toContain(secret.slice(13));
        }
      }),
      { numRuns: runs(200, 10_000) },
    );
  });
});

describe('a planted key', () => {
  it('never reaches request, log, log file, live events or exports', async () => {
    const folder = await tempFolder();
    let number = 0;
    const planted = fc.array(fc.tuple(fc.lorem({ maxCount: 5 }), anyKey), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(planted, async (all) => {
        setMasking(false);
        setMasking(true);
        const secrets = all.flatMap(([, { secrets: own }]) => own);
        const text = all.map(([words, key]) => `${words}\nkey: ${key.planted}\n`).join('');
        const { agent } = await agentIn(
          { 'a.txt': text },
          call('read_file', { path: 'a.txt' }),
          call('run_command', { command: 'cat a.txt' }),
          call('search_text', { pattern: '.' }),
          call('edit_file', { path: 'a.txt', old_text: 'no such text', new_text: 'x' }),
        );
        const file = join(folder, `${++number}.jsonl`);
        const log = openLog(file);
        agent.session.onEvent((event) => log.append(event));
        const heard: unknown[] = [];
        const turn = redactedEvents(runTurn(agent.deps, `Look: ${text}`, agent.stop.signal));
        for await (const event of turn) heard.push(event);
        log.close();
        const places = {
          requests: JSON.stringify([agent.requests, agent.counted]),
          window: JSON.stringify([agent.session.events, agent.session.window]),
          log: readFileSync(file, 'utf8'),
          live: JSON.stringify(heard),
        };
        for (const [place, content] of Object.entries(places)) {
          for (const secret of secrets) expect(content, place).not.toContain(secret);
        }
        expect(places.requests).toContain('[masked: ');
      }),
      { numRuns: runs(6, 150) },
    );
  });

  it('is masked once for all that a turn reads of it', async () => {
    const { agent } = await agentIn(
      { 'a.txt': `token=${TOKEN}\n` },
      call('read_file', { path: 'a.txt' }),
      call('run_command', { command: 'cat a.txt; printf "%s" "$(cat a.txt)"' }),
    );
    await agent.run('Look.');
    const results = resultsOf(agent).map(({ text }) => text);
    expect(results[0]).toMatch(/\ttoken=\[masked: GitHub token [0-9a-f]+\]$/);
    expect(marksIn(results.join('\n'))).toHaveLength(1);
  });
});

describe('an edit of a file with masked values', () => {
  const FILE = { 'config.ts': `a = 1;\nkey = '${TOKEN}';\nb = 2;\n` };

  it('changes the other lines', async () => {
    const { agent, text } = await agentIn(
      FILE,
      call('read_file', { path: 'config.ts' }),
      call('edit_file', { path: 'config.ts', old_text: 'b = 2;', new_text: 'b = 3;' }),
    );
    await agent.run('Raise b.');
    expect(text('config.ts')).toBe(`a = 1;\nkey = '${TOKEN}';\nb = 3;\n`);
    expect(JSON.stringify(agent.session.events)).not.toContain(TOKEN);
  });

  it('is refused with a mark in the old or the new text, and changes nothing', async () => {
    const mark = marksIn(maskedText(TOKEN))[0]!;
    for (const [old_text, new_text] of [
      [`key = '${mark}';`, `key = 'x';`],
      ['b = 2;', `b = '${mark}';`],
    ] as const) {
      const { agent, text } = await agentIn(
        FILE,
        call('edit_file', { path: 'config.ts', old_text, new_text }),
      );
      await agent.run('Change it.');
      expect(text('config.ts')).toBe(FILE['config.ts']);
      expect(resultsOf(agent).map(({ text }) => text)[0]).toContain(
        'is a mark for a secret that you do not see',
      );
    }
  });

  it('is refused for a new file with a mark', async () => {
    const mark = marksIn(maskedText(TOKEN))[0]!;
    const { agent } = await agentIn({}, call('create_file', { path: 'b.ts', content: mark }));
    await agent.run('Write it.');
    expect(resultsOf(agent).map(({ text }) => text)[0]).toMatch(
      /^b\.ts was not created: \[masked: /,
    );
  });

  it('writes a key that the model made up as the model wrote it, though the log has a mark', async () => {
    mask({ value: TOKEN, name: 'GitHub token' });
    const { agent, text } = await agentIn(
      {},
      call('create_file', { path: 'test.ts', content: `fake = '${TOKEN}';\n` }),
    );
    await agent.run('Write a test.');
    expect(text('test.ts')).toBe(`fake = '${TOKEN}';\n`);
    expect(JSON.stringify(agent.session.events)).not.toContain(TOKEN);
  });
});

describe('a secret that the user sends', () => {
  const NEXT = ['Now use it.', 'And again.'] as const;

  /** A session that read a token, and sends it from its second turn on. */
  async function sending(...script: readonly Turn[]) {
    const found = await agentIn(
      { 'a.txt': `token=${TOKEN}\n` },
      call('read_file', { path: 'a.txt' }),
      says('I see a mark.'),
      ...script,
    );
    await found.agent.run('Look.');
    const { session } = found.agent;
    const [mark = ''] = marksIn(JSON.stringify(session.events));
    session.append({ type: 'secretsSent', marks: [mark] });
    return { ...found, session, mark };
  }

  it('is in the requests, and not in log, window and events', async () => {
    const { agent, session, mark } = await sending(says('Seen.'), says('Seen.'));
    await agent.run(NEXT[0]);
    expect(JSON.stringify(agent.requests.slice(0, 2))).not.toContain(TOKEN);
    expect(JSON.stringify(agent.requests.at(-1)?.messages)).toContain(`token=${TOKEN}`);
    session.append({ type: 'secretsSent', marks: [] });
    await agent.run(NEXT[1]);
    const last = JSON.stringify(agent.requests.at(-1)?.messages);
    expect(last).not.toContain(TOKEN);
    expect(last).toContain(mark);
    expect(JSON.stringify([session.events, session.window])).not.toContain(TOKEN);
  });

  it('can be used by the model, which the log shows with its mark', async () => {
    const { agent, text, session } = await sending(
      call('create_file', { path: 'b.txt', content: `Bearer ${TOKEN}` }),
    );
    await agent.run(NEXT[0]);
    expect(text('b.txt')).toBe(`Bearer ${TOKEN}`);
    expect(JSON.stringify([session.events, session.window])).not.toContain(TOKEN);
    expect(JSON.stringify(agent.requests.at(-1)?.messages)).toContain(`Bearer ${TOKEN}`);
  });

  it('is masked again once the session was closed, and the log opens again', async () => {
    const { session, mark } = await sending();
    const file = join(await tempFolder(), 'log.jsonl');
    const log = openLog(file);
    for (const event of session.events) log.append(event);
    log.close();
    expect(readFileSync(file, 'utf8')).not.toContain(TOKEN);
    forgetSecretsOf(session);
    const opened = openSession(file, () => 1);
    if (!opened.ok) throw new Error(opened.message);
    expect(opened.stored.session.window.sentSecrets).toBeUndefined();
    expect(unmasked(mark)).toBe(mark);
    opened.stored.close();
  });

  it('ends the validity of later thinking, which is bound to the text before it', () => {
    const session = new Session({ append: () => undefined }, () => 1);
    const append = session.append.bind(session);
    append({ type: 'sessionStarted', version: 3, sessionId: 's', pinTaskAnchor: true });
    append({ type: 'promptSubmitted', text: `It is ${TOKEN}.`, admission: { form: 'whole' } });
    append({
      type: 'replyReceived',
      model: 'm',
      parts: [
        { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
        { type: 'text', text: 'Yes.' },
      ],
      stopReason: 'end_turn',
      usage: { inputTokens: 9, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 2 },
      durationMs: 1,
    });
    expect(JSON.stringify(toRequest(session.window))).toContain('signed');
    append({ type: 'secretsSent', marks: marksIn(JSON.stringify(session.events)) });
    expect(JSON.stringify(toRequest(session.window))).not.toContain('signed');
  });
});
