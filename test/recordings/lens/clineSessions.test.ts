import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { extensionFolders } from '../../../src/recordings/lens/editorFolders';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import { tempFolder } from '../../tools/support/tempFolder';
import { write } from './support/agentHomes';

let home: string;
let folder: string;
let finder: SessionFinder;
let now: number;

beforeEach(() => {
  home = realpathSync(tempFolder());
  folder = join(home, 'work', 'app');
  mkdirSync(folder, { recursive: true });
  now = Date.now();
  finder = new SessionFinder(machine());
});

const machine = () => ({ home, environment: {}, now: () => now });

const found = async () => {
  const { sessions, problems } = await finder.find(folder);
  expect(problems).toEqual([]);
  return sessions;
};

/** A task in the storage of an extension, as Roo 3.28 writes it; Cline writes no indents. */
const task = (
  extension: string,
  shown: readonly object[],
  { indent = '\t', cwd = folder } = {},
): string => {
  const [place = ''] = extensionFolders(extension, machine());
  const at = join(place, 'tasks', '1759331561000');
  const text = `<task>\nMend the "parser".\n</task>\n\n<environment_details>\n# Current Workspace Directory (${cwd}) Files\na.ts\n</environment_details>`;
  const sent = [{ role: 'user', content: [{ type: 'text', text }], ts: 1 }];
  write(join(at, 'ui_messages.json'), JSON.stringify(shown, undefined, indent));
  return write(join(at, 'api_conversation_history.json'), JSON.stringify(sent, undefined, indent));
};

const request = (counts: object) => ({
  ts: 2,
  type: 'say',
  say: 'api_req_started',
  text: JSON.stringify({ request: 'It says "text": "here".', ...counts }),
});

describe('a session of Roo', () => {
  const ROO = 'rooveterinaryinc.roo-cline';

  it('has its title, folder, tokens and condensed contexts, and runs while it works', async () => {
    const file = task(ROO, [
      request({ tokensIn: 88_000, tokensOut: 900, cacheReads: 86_000, cacheWrites: 0 }),
      { ts: 3, type: 'say', say: 'condense_context', text: '' },
      request({ tokensIn: 9_000, tokensOut: 100, cacheReads: 0, cacheWrites: 0 }),
      request({}),
    ]);
    expect(await found()).toMatchObject([
      {
        agent: 'roo',
        id: '1759331561000',
        file,
        folder,
        title: 'Mend the "parser".',
        tokens: 9_100,
        compactions: 1,
        isRunning: true,
      },
    ]);
    now += 11 * 60_000;
    expect(await found()).toMatchObject([{ isRunning: false }]);
  });

  it('has its truncations, and the model that its newest message names', async () => {
    const file = task(ROO, [{ ts: 3, type: 'say', say: 'sliding_window_truncation' }]);
    const details = (model: string) => `<name>Code</name>\n<model>${model}</model>`;
    const sent = ['claude-x', 'gpt-y'].map((model) => ({
      role: 'user',
      content: details(model),
      ts: 1,
    }));
    write(file, JSON.stringify(sent));
    const { sessions } = await finder.find();
    expect(sessions).toMatchObject([{ model: 'gpt-y', compactions: 1 }]);
  });

  it('has what its history item says, which newer versions write', async () => {
    const file = task(ROO, [{ ts: 2, type: 'ask', ask: 'completion_result', text: '' }], {
      cwd: '/elsewhere',
    });
    expect(await found()).toEqual([]);
    write(
      file.replace('api_conversation_history', 'history_item'),
      JSON.stringify({ id: '1759331561000', task: 'The parser', workspace: folder }),
    );
    expect(await found()).toMatchObject([{ title: 'The parser', folder, isRunning: false }]);
  });
});

describe('a session of Cline', () => {
  it('in the storage of the extension has what the list of tasks says', async () => {
    const file = task(
      'saoudrizwan.claude-dev',
      [request({ tokensIn: 10, tokensOut: 90, cacheReads: 5_000, cacheWrites: 400 })],
      { indent: '' },
    );
    write(
      file.replace(/tasks.*$/, 'state/taskHistory.json'),
      JSON.stringify([{ id: '1759331561000', task: 'The parser', modelId: 'claude-sonnet-4-5' }]),
    );
    expect(await found()).toMatchObject([
      { agent: 'cline', title: 'The parser', model: 'claude-sonnet-4-5', tokens: 5_500, folder },
    ]);
  });

  it('has the truncations that what it was shown names, each once', async () => {
    const row = (ts: number, range: readonly number[]) => ({
      ts,
      type: 'say',
      say: 'text',
      conversationHistoryDeletedRange: range,
    });
    const shown = [row(1, [2, 3]), row(2, [2, 3]), row(3, [2, 13])];
    task('saoudrizwan.claude-dev', shown, { indent: '' });
    expect(await found()).toMatchObject([{ agent: 'cline', compactions: 2 }]);
  });

  it('of its own folder has title, model and tokens, and runs while its process is alive', async () => {
    const at = join(home, '.cline', 'data', 'sessions', 's1');
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'Mend it.' }] },
      {
        role: 'assistant',
        content: [],
        modelInfo: { id: 'claude-opus-4.8' },
        metrics: { inputTokens: 34_000, outputTokens: 700 },
      },
    ];
    const file = write(join(at, 's1.messages.json'), JSON.stringify({ version: 1, messages }));
    const about = (status: string) =>
      write(join(at, 's1.json'), JSON.stringify({ cwd: folder, pid: process.pid, status }));
    about('running');
    const session = { agent: 'cline', id: 's1', file, title: 'Mend it.', tokens: 34_700 };
    expect(await found()).toMatchObject([
      { ...session, model: 'claude-opus-4.8', isRunning: true },
    ]);
    about('completed');
    expect(await found()).toMatchObject([{ ...session, isRunning: false, compactions: 0 }]);
    write(join(at, 's1.compaction.json'), '{}');
    expect(await found()).toMatchObject([{ ...session, compactions: 1 }]);
    write(file, '{"messages": [nothing');
    expect(await found()).toEqual([]);
  });

  it('of version 3.0.65 has the title that its file names, and its sub-agents below it', async () => {
    const at = join(home, '.cline', 'data', 'sessions', 's1');
    const messages = (text: string, agent: string) =>
      JSON.stringify({
        version: 1,
        agent,
        messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      });
    const wrapped = '<user_input mode="act">Mend the hull.</user_input>';
    const about = (more: object) =>
      write(join(at, 's1.json'), JSON.stringify({ cwd: folder, model: 'local', ...more }));
    write(join(at, 's1.messages.json'), messages(wrapped, 'lead'));
    write(join(at, 'agent_2.messages.json'), messages('Count the planks.', 'subagent'));
    about({});
    const inner = [{ id: 'agent_2', title: 'Count the planks.', folder, inner: [] }];
    expect(await found()).toMatchObject([
      { id: 's1', title: 'Mend the hull.', model: 'local', inner },
    ]);
    about({ prompt: 'Mend the hull.', metadata: { title: 'The hull' } });
    expect(await found()).toMatchObject([{ title: 'The hull', inner }]);
  });
});
