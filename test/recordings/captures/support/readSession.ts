import { expect, onTestFinished } from 'vitest';
import { promptTokens } from '../../../../src/contextWindow/account/spending';
import type { Estimate } from '../../../../src/contextWindow/truncate';
import { capturedView } from '../../../../src/editor/contextPanel/request/capturedView';
import { readHere } from '../../../../src/editor/recordings/recordingFile';
import { capturedBody } from '../../../../src/recordings/captures/capturedBody';
import { followFile } from '../../../../src/recordings/followFile';
import { SessionFinder } from '../../../../src/recordings/lens/findSessions';
import type { FoundSession, LensAgent } from '../../../../src/recordings/lens/foundSession';
import { windowOrigin } from '../../../../src/recordings/windowOrigin';
import type { Transcript } from '../../../../src/sessions/transcript';

/** The sessions of an agent, the newest first; its requests may be recorded in `captures`. */
export async function foundSessions(
  agent: LensAgent,
  home: string,
  cwd: string,
  captures?: string,
): Promise<readonly FoundSession[]> {
  const machine = { home, environment: {}, now: () => Date.now() };
  const requests = captures === undefined ? {} : { [agent]: [captures] };
  const { sessions, problems } = await new SessionFinder(machine).find(cwd, {}, { requests });
  expect(problems).toEqual([]);
  expect(new Set(sessions.map((session) => session.agent))).toEqual(new Set([agent]));
  return sessions;
}

/** Reads a session with what was captured for it, as a file or as the text of a followed one. */
export async function readSession(session: FoundSession, captures?: string, grown?: string) {
  const { agent, file } = session;
  const read = await readHere({
    file,
    ...(captures === undefined ? {} : { captures: { [agent]: [captures] } }),
    ...(grown === undefined ? {} : { grown }),
  });
  if (!read.ok) throw new Error(read.message);
  return { session, transcript: read.transcript, captured: read.captured! };
}

/** Finds the one session of an agent, and reads it with what was captured for it. */
export async function foundSession(agent: LensAgent, home: string, cwd: string, captures: string) {
  const [session, ...more] = await foundSessions(agent, home, cwd, captures);
  expect(more).toEqual([]);
  return readSession(session!, captures);
}

export const repliesOf = ({ entries }: Transcript) =>
  entries.flatMap((entry) => (entry.type === 'reply' ? [entry] : []));

/** Every step is exact, and the parts of its request add up to what the server counted. */
export async function expectExact(
  { transcript, captured }: Awaited<ReturnType<typeof readSession>>,
  others = '',
) {
  const replies = repliesOf(transcript);
  const exact = 'Exact: the request of every step was recorded.';
  expect(windowOrigin(transcript, captured)).toBe(`${exact}${others}`);
  const estimate = ((text: string) => Math.ceil(text.length / 4)) as Estimate;
  for (const [step, call] of captured.steps) {
    const read = await capturedBody(call);
    if (!read.ok) throw new Error(read.message);
    const view = capturedView(call, read.body, step, estimate);
    const { usage } = replies[step - 1]!;
    const parts = view.sections.reduce((sum, { tokens = 0 }) => sum + tokens, 0);
    expect(parts + view.captured!.unattributed).toBe(promptTokens(usage!));
    expect(view.sections.some(({ role }) => role === 'tool')).toBe(true);
    expect(view.sections.some(({ role }) => role === 'system')).toBe(true);
  }
  expect(transcript.system.length).toBeGreaterThan(1_000);
  expect(transcript.tools.length).toBeGreaterThan(3);
}

/** Follows a session until the test ends; returns its newest text once it passes a check. */
export function followed(file: string) {
  let text = '';
  let looked = () => {};
  const problems: string[] = [];
  const following = followFile(file, {
    changed: (newest) => {
      text = newest;
      looked();
    },
    problem: (message) => problems.push(message),
  });
  onTestFinished(() => following.dispose());
  return (isWanted: (text: string) => boolean): Promise<string> =>
    new Promise((resolve) => {
      looked = () => {
        expect(problems).toEqual([]);
        if (isWanted(text)) resolve(text);
      };
      looked();
    });
}
