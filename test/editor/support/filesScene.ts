import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import { withFilesKept, logTurnFiles } from '../../../src/agent/keepFiles';
import type { AgentDeps } from '../../../src/agent/agentDeps';
import type { PreparedCall } from '../../../src/agent/tool';
import type { ToolUse } from '../../../src/contextWindow/block';
import { filesOfTurn, NO_FILE } from '../../../src/contextWindow/fileChanges';
import { FileHistory, type SavedFiles } from '../../../src/editor/checkpoints/fileHistory';
import { makeCheckpoints } from '../../../src/tools/checkpoints/checkpoints';
import { ContentStore } from '../../../src/tools/checkpoints/contentStore';
import { TurnViews } from '../../../src/editor/conversation/turns';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';
import { stepEvents } from '../../support/drawing';
import { tempFolder } from '../../tools/support/tempFolder';
import { finishes, scene, settled } from './controllerScene';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
/** Thirty lines, with these in other words. */
export const text = (changes: Readonly<Record<number, string>> = {}): string =>
  `${LINES.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;

let calls = 0;

/** What each turn does to files: the text by path, or null to delete the file. */
export type Does = Readonly<Record<string, string | null>>;

/** A session whose turns changed files, one call per file; only the editor is a mock. */
export async function worked(...turns: readonly Does[]) {
  const root = tempFolder({ 'a.txt': text(), 'b.txt': 'b\n' });
  const kept = makeCheckpoints(oneFolder(root), new ContentStore(tempFolder(), () => 10_000_000));
  const write = (path: string, content: string | null): void => {
    if (content === null) rmSync(join(root, path));
    else writeFileSync(join(root, path), content);
  };
  let next = 0;
  const unsaved = new Set<string>();
  const { current } = scene(async function* (deps: AgentDeps, prompt, signal) {
    const withKept = { ...deps, checkpoints: kept };
    for (const [path, content] of Object.entries(turns[next++] ?? {})) {
      const id = `toolu_files_${++calls}`;
      const [reply, ...rest] = stepEvents([{ id, name: path, tokens: 9 }]);
      deps.session.append(reply!);
      const use = { id, name: 'edit_file', input: { path } } as unknown as ToolUse;
      const approval = { kind: 'edit', path, before: '', after: '' } as const;
      const call = { approval, action: 'The edit' } as PreparedCall;
      yield* withFilesKept(withKept, use, call, signal, async function* () {
        yield { type: 'toolStarted', use };
        write(path, content);
      });
      for (const event of rest) deps.session.append(event);
    }
    await logTurnFiles(withKept);
    return yield* finishes(deps, prompt, signal);
  });
  for (const [index] of turns.entries()) {
    current.run.submit(`prompt ${index + 1}`);
    await settled();
    await expect.poll(() => current.run.isBusy).toBe(false);
  }
  const files: SavedFiles = {
    checkpoints: async () => kept,
    write: async (from, { path, to }) => {
      const content = to === NO_FILE ? null : ((await from.content(to))?.toString() ?? '');
      write(path, content);
      return undefined;
    },
    isUnsaved: (path) => unsaved.has(path),
  };
  const history = new FileHistory(current, files, STAND_IN_ESTIMATOR);
  const on = (path: string): string | undefined =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
  const rows = (turn: number) =>
    filesOfTurn(current.run.events, turn).map(({ path, added, removed, answer }) =>
      [path, `+${added}`, `-${removed}`, answer ?? 'open'].join(' '),
    );
  const restored = (): number | undefined => {
    const views = new TurnViews('demo');
    views.of({
      events: current.run.events,
      window: current.run.window,
      activity: { state: 'idle' },
      offline: true,
      now: 0,
    });
    return views.restored;
  };
  return { current, history, write, on, rows, unsaved, restored };
}
