import { oneFolder } from '../../../src/agent/workspaceFolders';
import { BackgroundCommands, FIRST_LOOK } from '../../../src/agent/backgroundCommands';
import { Session } from '../../../src/agent/session';
import type { ToolContext, ToolOutput } from '../../../src/agent/tool';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { readOutput, sendInput, stopCommand } from '../../../src/tools/processes/commandTools';
import { makeNodeWorkspace } from '../../../src/tools/files/nodeWorkspace';
import { runCommand } from '../../../src/tools/processes/runCommand';
import { tempFolder } from './tempFolder';

/** A session in a folder whose commands really run. */
export function backgroundAgent(root = tempFolder()) {
  const session = new Session({ append: () => undefined }, Date.now);
  session.append({ type: 'sessionStarted', version: 3, sessionId: 'test', pinTaskAnchor: true });
  const problems: unknown[] = [];
  const look = { ...FIRST_LOOK };
  const background = new BackgroundCommands(
    session,
    { changed: () => undefined, report: (error) => problems.push(error) },
    look,
  );
  const live: string[] = [];
  const workspace = makeNodeWorkspace({ folders: oneFolder(root) });
  const tools = { run: runCommand, read: readOutput, send: sendInput, stop: stopCommand };
  const prepare = (name: keyof typeof tools, input: object) => {
    const { window } = session;
    const context: ToolContext = { workspace, background, window, state: {} };
    return tools[name].prepare({ ...input }, context);
  };
  return {
    root,
    session,
    background,
    /** How long to wait for the first output, in ms. */
    look,
    /** Live output of the calls. */
    live,
    problems,
    prepare,
    /** Runs a call with approval; a refusal becomes an error output. */
    async call(
      name: keyof typeof tools,
      input: object,
      signal = new AbortController().signal,
    ): Promise<ToolOutput> {
      const prepared = await prepare(name, input);
      if (!prepared.ok) return { text: prepared.message, isError: true };
      return prepared.call.run(signal, (text) => live.push(text));
    },
    /** The log's events about commands. */
    get logged(): readonly SessionEvent[] {
      return session.events.filter(({ type }) => type.startsWith('command'));
    },
  };
}
