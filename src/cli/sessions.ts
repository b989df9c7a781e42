import { basename, resolve } from 'node:path';
import { errorText, refused } from '../contextWindow/result';
import { allCaptureFolders } from '../recordings/captures/captureFolders';
import { SessionFinder } from '../recordings/lens/findSessions';
import type { FoundSession } from '../recordings/lens/foundSession';
import { sessionBytes } from '../recordings/lens/sessionBytes';
import { sessionWords } from '../recordings/lens/sessionWords';
import { hitsInSession, placeText, type SessionHit } from '../recordings/searchSession';
import { lensPlaces } from './lensPlaces';
import { flag, optionsHelp, readOptions, type Read, text } from './options';
import type { Say, Surroundings } from './terminal';
import { terminalJson, terminalText } from './terminalText';

export const SESSIONS_OPTIONS = {
  all: flag('those of all folders, not only of this one and those below it'),
  search: text('TEXT', 'only those whose prompts, replies, calls or scratchpad have this text'),
  json: flag('as JSON'),
};

export interface SessionsOptions {
  /** Absolute; undefined for all. */
  readonly folder: string | undefined;
  /** Undefined to list all. */
  readonly search: string | undefined;
  readonly json: boolean;
}

export const SESSIONS_HELP = `Usage: plimsoll sessions [options] [FOLDER]

Lists the sessions of all agents that worked in a folder, the newest first, with the tokens of
the newest request as the agent's API counted them: Plimsoll, Claude Code, Codex, Copilot CLI, VS
Code, Gemini CLI, OpenCode, Kilo, Goose, Crush, Zed, Cline, Roo and pi. Reads only; sub-agents, and
titles and summaries that Claude Code and Codex recorded, are indented.
To look at one, give its file or its id to plimsoll inspect, or open it in VS Code.

${optionsHelp(SESSIONS_OPTIONS)}`;

export function readSessionsArguments(
  args: readonly string[],
  here: string,
): Read<SessionsOptions> {
  const read = readOptions(args, SESSIONS_OPTIONS, (folders) =>
    folders.length > 1 ? 'plimsoll sessions takes one folder.' : undefined,
  );
  if (!read.ok) return read;
  const { values, positionals } = read.value;
  if (values.search?.trim() === '') return refused('--search needs the text to find.');
  const folder = values.all ? undefined : resolve(here, positionals[0] ?? '.');
  return { ok: true, value: { folder, search: values.search, json: values.json } };
}

/** Lists the sessions; returns the exit code, which is 1 if something could not be read. */
export async function listSessions(
  { folder, search, json }: SessionsOptions,
  around: Surroundings,
  say: Say,
): Promise<number> {
  const { home, stdout, environment = process.env } = around;
  const now = Date.now();
  const machine = { home, environment, now: () => now };
  const places = await lensPlaces(machine, say);
  const requests = await allCaptureFolders(machine, places);
  const found = await new SessionFinder(machine).find(folder, places, { own: true, requests });
  const problems = [...found.problems];
  const sessions =
    search === undefined ? found.sessions : await searched(found.sessions, search, problems);
  for (const problem of problems) say(`plimsoll: ${problem}`);
  if (json) stdout.write(`${terminalJson(sessions)}\n`);
  else if (sessions.length > 0) {
    const lines = sessions.flatMap((session) => linesOf(session, now, ''));
    stdout.write(`${lines.map(terminalText).join('\n')}\n`);
  } else {
    const where = folder === undefined ? 'on this machine' : `that worked in ${folder}`;
    const what = search === undefined ? 'was found' : `has “${search}”`;
    say(`plimsoll: no session ${where} ${what}.`);
  }
  return problems.length > 0 ? 1 : 0;
}

/** A session with the places that have the searched text. */
interface SearchedSession extends FoundSession {
  readonly hits?: readonly SessionHit[];
  readonly inner: readonly SearchedSession[];
}

/** The sessions that have a text, or whose sub-agents have it. */
async function searched(
  sessions: readonly FoundSession[],
  words: string,
  problems: string[],
): Promise<readonly SearchedSession[]> {
  const kept: SearchedSession[] = [];
  // One after the other: some files have hundreds of megabytes.
  for (const session of sessions) {
    const inner = await searched(session.inner, words, problems);
    let hits: readonly SessionHit[] = [];
    try {
      const file = (await sessionBytes(session.file)).toString('utf8');
      hits = hitsInSession(file, words, basename(session.file));
    } catch (error) {
      problems.push(`${session.file} was not searched: ${errorText(error)}.`);
    }
    if (hits.length > 0 || inner.length > 0) kept.push({ ...session, inner, hits });
  }
  return kept;
}

function linesOf(session: SearchedSession, now: number, indent: string): readonly string[] {
  const { title, file, inner, hits = [] } = session;
  return [
    `${indent}${title === '' ? 'No prompt yet' : title}`,
    `${indent}  ${sessionWords(session, now).join(' · ')}`,
    `${indent}  ${file}`,
    ...hits.map((hit) => `${indent}    ${placeText(hit)}: ${hit.excerpt}`),
    ...inner.flatMap((one) => linesOf(one, now, `${indent}    `)),
  ];
}
