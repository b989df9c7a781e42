import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Estimator, ModelRequest } from '../../src/agent/model';
import { makeBudget } from '../../src/contextWindow/budget';
import { countText } from '../../src/offline/tokenizer';
import { DEFAULT_SETTINGS } from '../../src/settings/settings';
import { automaticBudget } from '../../src/settings/windowBudget';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../src/tools/toolbox';
import { tempFolder } from '../tools/support/tempFolder';
import { calls, says, scriptedAgent, sizeOf, type ScriptedAgent, type Turn } from './scriptedAgent';

export const SMALL_WINDOW = 32_000;

/** What a run took. */
interface RunNumbers {
  readonly steps: number;
  readonly passes: number;
  readonly counts: number;
  /** Tokens of system prompt and tools, by the double's count. */
  readonly preambleTokens: number;
}

/** A file of this many tokens by the double's count, in lines of code with their numbers. */
function fileOf(tokens: number, name: string): string {
  const lines: string[] = [];
  for (let total = 0; total < tokens;) {
    const at = lines.length + 1;
    const line = `export const ${name}Value${at} = compute(${name}Base, ${at * 7}); // step ${at % 13}`;
    lines.push(line);
    total += countText(`${at}\t${line}\n`);
  }
  return lines.join('\n');
}

/** The next line to read, if the last result of a request says that there is more. */
function moreIn({ messages }: ModelRequest): number | undefined {
  const last = JSON.stringify(messages.at(-1));
  const more = /; for more, call again with start_line (\d+)/.exec(last)?.[1];
  return more === undefined ? undefined : Number(more);
}

/**
 * Runs the real agent with its own tools in a window of 32,000 tokens, on a task that reads files of
 * 6,400 tokens. It reads each file to its end, or only what the first call returns.
 */
export async function smallWindowRun(
  files: number,
  reading: 'whole files' | 'one range each',
  estimator: Estimator,
  root = tempFolder(),
): Promise<RunNumbers & { readonly agent: ScriptedAgent }> {
  for (let at = 0; at < files; at++) {
    writeFileSync(join(root, `file${at}.ts`), fileOf(6_400, `file${at}`));
  }
  const { settings: numbers } = automaticBudget(DEFAULT_SETTINGS.context, SMALL_WINDOW);
  const budget = makeBudget(numbers);
  if (!budget.ok) throw new Error(budget.problems[0]!.message);
  let [file, step] = [0, 0];
  const next: Turn = (request) => {
    const start = reading === 'whole files' && step > 0 ? moreIn(request) : undefined;
    if (start === undefined) file += 1;
    if (file > files) return says('All done.')(request);
    step += 1;
    const input = {
      path: `file${file - 1}.ts`,
      ...(start === undefined ? {} : { start_line: start }),
    };
    return calls([{ id: `toolu_${step}`, name: 'read_file', input }])(request);
  };
  const agent = scriptedAgent({
    script: Array.from({ length: files * 6 + 1 }, () => next),
    settings: {
      budget: budget.budget,
      toolResultCapTokens: 8_000,
      summary: { writer: 'workNote', model: '' },
    },
    deps: {
      tools: toolbox([], { hasProfile: true, hasProblems: true }),
      workspace: makeNodeWorkspace({ folders: oneFolder(root) }),
      estimator,
    },
  });
  const outcome = await agent.run('Read every file, then say what they compute.');
  if (outcome.type !== 'finished') throw new Error(JSON.stringify(outcome));
  const [first] = agent.requests;
  if (first === undefined) throw new Error('Nothing was asked.');
  const bare: ModelRequest = { ...first, messages: first.messages.slice(0, 1) };
  return {
    steps: agent.requests.length,
    passes: agent.session.window.ledger.length,
    counts: agent.counted.length,
    preambleTokens: sizeOf(bare) - sizeOf({ ...bare, system: [], tools: [] }),
    agent,
  };
}

/** Tokens of all requests that no cache had: each reads the messages that it shares with the one before. */
export function uncachedIn(requests: readonly ModelRequest[]): number {
  return requests.reduce((sum, request, at) => {
    const before = requests[at - 1]?.messages ?? [];
    const texts = request.messages.map((message) => withoutMarks(message));
    const same = texts.findIndex((text, index) => text !== withoutMarks(before[index]));
    const kept = same === -1 ? texts.length : same;
    const shared = { ...request, messages: request.messages.slice(0, kept) };
    const cached = at === 0 ? 0 : kept === 0 ? sizeOf({ ...shared, messages: [] }) : sizeOf(shared);
    return sum + sizeOf(request) - cached;
  }, 0);
}

function withoutMarks(message: unknown): string {
  return (
    JSON.stringify(message, (key, value: unknown) =>
      key === 'cache_control' ? undefined : value,
    ) ?? ''
  );
}
