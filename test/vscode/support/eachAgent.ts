import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LensAgent } from '../../../src/recordings/lens/foundSession';
import {
  crush,
  CRUSH_TABLES,
  goose,
  GOOSE_TABLES,
  opencode,
  OPENCODE_TABLES,
  openDatabase,
  ZED_TABLES,
  zedThread,
  type Writer,
} from '../../recordings/lens/support/agentDatabases';
import { claude, codex, line, write } from '../../recordings/lens/support/agentHomes';
import { chat, copilot, gemini, pi } from '../../recordings/lens/support/fileAgents';

/** A session of one agent in a home folder made for a test: one step, and one more on demand. */
export interface MadeSession {
  readonly agent: LensAgent;
  readonly title: string;
  /** What the panel calls it: the end of its path. */
  readonly name: string;
  /** Where `plimsoll.lens.places` finds it. */
  readonly place: string;
  grow(): void;
  close?(): void;
}

/** Makes one session of each agent, in a folder; the second step comes when it grows. */
export function madeSessions(home: string, folder: string): readonly MadeSession[] {
  return [
    claudeCode(home, folder),
    codexRollout(home, folder),
    copilotEvents(home, folder),
    vscodeChat(home, folder),
    geminiSession(home, folder),
    opencodeLike('opencode', home, folder),
    opencodeLike('kilo', home, folder),
    gooseSession(home, folder),
    crushSession(home, folder),
    zedSession(home, folder),
    clineSession(home, folder),
    rooTask(home, folder),
    piSession(home, folder),
  ];
}

function claudeCode(home: string, folder: string): MadeSession {
  const title = 'Claude Code looks';
  const file = write(
    join(claude.project(home, folder), 'each.jsonl'),
    claude.prompt(title, folder),
    claude.reply(900),
  );
  const grow = () => appendFileSync(file, claude.prompt('More.', folder) + claude.reply(990));
  return { agent: 'claude-code', title, name: 'each.jsonl', place: join(home, '.claude'), grow };
}

function codexRollout(home: string, folder: string): MadeSession {
  const title = 'Codex looks';
  const said = (role: string, text: string) => {
    const type = role === 'user' ? 'input_text' : 'output_text';
    const payload = { type: 'message', role, content: [{ type, text }] };
    return line({ timestamp: '', type: 'response_item', payload });
  };
  const file = write(
    codex.file(home, 'each'),
    codex.meta('each', folder),
    codex.turn('gpt-5.4'),
    codex.prompt(title),
    said('user', title) + said('assistant', 'Looked.'),
    codex.count(900),
  );
  const more = said('user', 'More.') + said('assistant', 'Seen.') + codex.count(990);
  const grow = () => appendFileSync(file, more);
  return { agent: 'codex', title, name: '-each.jsonl', place: join(home, '.codex'), grow };
}

function copilotEvents(home: string, folder: string): MadeSession {
  const title = 'Copilot CLI looks';
  const file = write(
    join(copilot.state(home, 'each'), 'events.jsonl'),
    copilot.start('each', folder),
    copilot.prompt(title),
    copilot.reply('m'),
  );
  const grow = () => appendFileSync(file, copilot.prompt('More.') + copilot.reply('m'));
  return { agent: 'copilot-cli', title, name: 'events.jsonl', place: join(home, '.copilot'), grow };
}

function vscodeChat(home: string, folder: string): MadeSession {
  const title = 'VS Code looks';
  const place = join(home, 'User');
  const answered = (text: string) => ({ message: { text }, response: [{ value: 'Looked.' }] });
  write(join(chat.storage(place), 'workspace.json'), chat.workspace(folder));
  const file = write(
    join(chat.storage(place), 'chatSessions', 'each.jsonl'),
    line({ kind: 0, v: { version: 3, sessionId: 'each', requests: [answered(title)] } }),
  );
  const more = line({ kind: 2, k: ['requests'], v: [answered('More.')] });
  return {
    agent: 'vscode',
    title,
    name: 'each.jsonl',
    place,
    grow: () => appendFileSync(file, more),
  };
}

function geminiSession(home: string, folder: string): MadeSession {
  const title = 'Gemini CLI looks';
  write(join(gemini.project(home, 'each'), '.project_root'), folder);
  const file = write(
    join(gemini.project(home, 'each'), 'chats', 'session-each.jsonl'),
    line(gemini.head('each')),
    line(gemini.prompt(title)),
    line(gemini.reply(900)),
  );
  const more = line(gemini.prompt('More.')) + line(gemini.reply(990));
  const grow = () => appendFileSync(file, more);
  return {
    agent: 'gemini-cli',
    title,
    name: 'session-each.jsonl',
    place: join(home, '.gemini'),
    grow,
  };
}

function opencodeLike(agent: 'opencode' | 'kilo', home: string, folder: string): MadeSession {
  const title = `${agent} looks`;
  const place = join(home, agent);
  const database = openDatabase(join(place, `${agent}.db`), ...OPENCODE_TABLES['1.2']);
  opencode.session(database, `ses_${agent}`, folder, { title });
  opencode.prompt(database, `ses_${agent}`, 1, title);
  opencode.reply(database, `ses_${agent}`, 2, 900);
  return {
    agent,
    title,
    name: `${agent}.db#ses_${agent}`,
    place,
    grow: () => {
      opencode.prompt(database, `ses_${agent}`, 3, 'More.');
      opencode.reply(database, `ses_${agent}`, 4, 990);
    },
    close: () => database.close(),
  };
}

function gooseSession(home: string, folder: string): MadeSession {
  const title = 'Goose looks';
  const place = join(home, 'goose');
  const database = openDatabase(join(place, 'sessions', 'sessions.db'), ...GOOSE_TABLES[9]);
  goose.session(database, 'each', folder, { name: title });
  const turn = (at: number, text: string) => {
    goose.message(database, 'each', at, 'user', [{ type: 'text', text }]);
    goose.message(database, 'each', at + 1, 'assistant', [{ type: 'text', text: 'Looked.' }]);
  };
  turn(1, title);
  return {
    agent: 'goose',
    title,
    name: 'sessions.db#each',
    place,
    grow: () => turn(3, 'More.'),
    close: () => database.close(),
  };
}

function crushSession(home: string, folder: string): MadeSession {
  const title = 'Crush looks';
  const place = join(home, 'crush');
  const data = join(place, 'data');
  const database = openDatabase(join(data, 'crush.db'), ...CRUSH_TABLES['0.90']);
  write(
    join(place, 'projects.json'),
    JSON.stringify({ projects: [{ path: folder, data_dir: data }] }),
  );
  crush.session(database, 'each', 1, { title });
  const turn = (at: number, text: string) => {
    crush.message(database, 'each', at, 'user', [['text', { text }]]);
    crush.message(database, 'each', at + 1, 'assistant', [['text', { text: 'Looked.' }]]);
  };
  turn(1, title);
  return {
    agent: 'crush',
    title,
    name: 'crush.db#each',
    place,
    grow: () => turn(3, 'More.'),
    close: () => database.close(),
  };
}

function zedSession(home: string, folder: string): MadeSession {
  const title = 'Zed looks';
  const place = join(home, 'zed');
  const database: Writer = openDatabase(join(place, 'threads', 'threads.db'), ...ZED_TABLES.last);
  const user = (text: string) => ({ User: { id: text, content: [{ Text: text }] } });
  const reply = { Agent: { content: [{ Text: 'Looked.' }], tool_results: {} } };
  const save = (updated_at: string, ...messages: readonly object[]) => {
    database.exec('DELETE FROM threads');
    const thread = { title, updated_at, messages, request_token_usage: {} };
    zedThread(database, 'each', thread, { folder_paths: folder });
  };
  save('2026-11-24T10:00:00Z', user(title), reply);
  const grow = () => save('2026-11-24T10:01:00Z', user(title), reply, user('More.'), reply);
  return {
    agent: 'zed',
    title,
    name: 'threads.db#each',
    place,
    grow,
    close: () => database.close(),
  };
}

/** Messages of Cline and Roo: as many turns as there are texts. */
const turns = (...texts: readonly string[]) =>
  texts.flatMap((text, at) => [
    { role: 'user', content: [{ type: 'text', text }], ts: 2 * at + 1 },
    { role: 'assistant', content: [{ type: 'text', text: 'Looked.' }], ts: 2 * at + 2 },
  ]);

function clineSession(home: string, folder: string): MadeSession {
  const title = 'Cline looks';
  const place = join(home, 'cline');
  const session = (...texts: readonly string[]) =>
    JSON.stringify({ version: 1, sessionId: 'each', messages: turns(...texts) });
  const at = join(place, 'sessions', 'each');
  const file = write(join(at, 'each.messages.json'), session(title));
  write(join(at, 'each.json'), JSON.stringify({ cwd: folder, prompt: title }));
  const name = 'each.messages.json';
  return {
    agent: 'cline',
    title,
    name,
    place,
    grow: () => writeFileSync(file, session(title, 'More.')),
  };
}

function rooTask(home: string, folder: string): MadeSession {
  const title = 'Roo looks';
  const place = join(home, 'roo');
  const at = join(place, 'tasks', 'each');
  const sent = (...texts: readonly string[]) => JSON.stringify(turns(...texts));
  const file = write(join(at, 'api_conversation_history.json'), sent(title));
  write(
    join(at, 'history_item.json'),
    JSON.stringify({ id: 'each', task: title, workspace: folder }),
  );
  const name = 'api_conversation_history.json';
  return {
    agent: 'roo',
    title,
    name,
    place,
    grow: () => writeFileSync(file, sent(title, 'More.')),
  };
}

function piSession(home: string, folder: string): MadeSession {
  const title = 'pi looks';
  const file = write(
    pi.file(home, 'each', folder),
    pi.head('each', folder),
    pi.prompt(title),
    pi.reply(900),
  );
  const grow = () => appendFileSync(file, pi.prompt('More.') + pi.reply(990));
  return { agent: 'pi', title, name: '_each.jsonl', place: join(home, '.pi', 'agent'), grow };
}
