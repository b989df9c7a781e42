import { resolve } from 'node:path';
import { SessionFinder } from '../recordings/lens/findSessions';
import type { FoundSession } from '../recordings/lens/foundSession';
import { sessionWords } from '../recordings/lens/sessionWords';
import { lensPlaces } from './lensPlaces';
import { flag, optionsHelp, readOptions, type Read } from './options';
import type { Say, Surroundings } from './terminal';
import { terminalJson } from './terminalText';

/** The options of `plimsoll sessions`. */
export const SESSIONS_OPTIONS = {
  all: flag('those of all folders, not only of this one and those below it'),
  json: flag('as JSON'),
};

export interface SessionsOptions {
  /** Absolute; undefined for all. */
  readonly folder: string | undefined;
  readonly json: boolean;
}

export const SESSIONS_HELP = `Usage: plimsoll sessions [options] [FOLDER]

Lists the sessions of all agents that worked in a folder, the newest first, with the tokens of
the newest request as the agent's API counted them: Plimsoll, Claude Code, Codex, Copilot CLI, VS
Code, Gemini CLI, OpenCode, Kilo, Goose, Crush, Zed, Cline, Roo and pi. Reads only; sub-agents are
indented.
To look at one, give its file or its id to plimsoll inspect, or open it in VS Code.

${optionsHelp(SESSIONS_OPTIONS)}`;

/** Reads the arguments of `plimsoll sessions`. */
export function readSessionsArguments(
  args: readonly string[],
  here: string,
): Read<SessionsOptions> {
  const read = readOptions(args, SESSIONS_OPTIONS, (folders) =>
    folders.length > 1 ? 'plimsoll sessions takes one folder.' : undefined,
  );
  if (!read.ok) return read;
  const { values, positionals } = read.value;
  const folder = values.all ? undefined : resolve(here, positionals[0] ?? '.');
  return { ok: true, value: { folder, json: values.json } };
}

/** Lists the sessions; returns the exit code, which is 1 if something could not be read. */
export async function listSessions(
  { folder, json }: SessionsOptions,
  around: Surroundings,
  say: Say,
): Promise<number> {
  const { home, stdout, environment = process.env } = around;
  const now = Date.now();
  const machine = { home, environment, now: () => now };
  const places = await lensPlaces(machine, say);
  const found = await new SessionFinder(machine).find(folder, places, { own: true });
  const { sessions, problems } = found;
  for (const problem of problems) say(`plimsoll: ${problem}`);
  if (json) stdout.write(`${terminalJson(sessions)}\n`);
  else if (sessions.length > 0) {
    stdout.write(`${sessions.flatMap((session) => linesOf(session, now, '')).join('\n')}\n`);
  } else {
    const where = folder === undefined ? 'on this machine' : `that worked in ${folder}`;
    say(`plimsoll: no session ${where} was found.`);
  }
  return problems.length > 0 ? 1 : 0;
}

function linesOf(session: FoundSession, now: number, indent: string): readonly string[] {
  const { title, file, inner } = session;
  return [
    `${indent}${title === '' ? 'No prompt yet' : title}`,
    `${indent}  ${sessionWords(session, now).join(' · ')}`,
    `${indent}  ${file}`,
    ...inner.flatMap((one) => linesOf(one, now, `${indent}    `)),
  ];
}
