import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { runTurn } from './agent/runTurn';
import { sentBody } from './anthropic/requestBody';
import type { CalibrationStore } from './counting/calibration';
import { WorkerEstimator } from './counting/workerEstimator';
import type { Connection, Endpoint } from './host/connection';
import { requestsFile } from './host/requestsFile';
import type { PlimsollApi } from './host/plimsollApi';
import { ripgrepPath } from './host/ripgrepPath';
import { loadPart } from './host/loading/loadPart';
import { Host } from './host/host';
import type { LoadedTools } from './host/hostParts';
import { DEMO_AUTHOR, DEMO_FOLLOW_UPS, DEMO_TASK } from './offline/demo/demoPrompts';

/** Where the calibration of the estimates lies in the editor's state. */
const CALIBRATION = 'plimsoll.calibration';

let host: Host | undefined;

/**
 * Builds every object once and connects them; returns what other extensions may use. What only a turn,
 * a server or a recording needs is loaded when it is first wanted.
 */
export function activate(context: vscode.ExtensionContext): PlimsollApi {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  host = new Host(context, {
    runTurn: runTurnLazily,
    loadTools,
    connect: connector(),
    sentBody,
    startOfflineServer: async () => {
      const demo = import('./offline/demo/demoServer');
      const { startDemoServer } = await loadPart('The offline demo', demo);
      return startDemoServer();
    },
    root,
    makeEstimator: (model, server, onProblem) =>
      new WorkerEstimator(model, {
        workerPath: join(context.extensionPath, 'dist', 'countWorker.js'),
        calibration: { server, store: calibrationIn(context.globalState, onProblem) },
        onProblem,
      }),
    demoAuthor: DEMO_AUTHOR,
    demoPrompts: [DEMO_TASK, ...DEMO_FOLLOW_UPS],
    environment: process.env,
    platform: process.platform,
    makeId: randomUUID,
    now: Date.now,
  });
  return host.start();
}

async function* runTurnLazily(...turn: Parameters<typeof runTurn>): ReturnType<typeof runTurn> {
  const agent = await loadPart('The agent', import('./agent/runTurn'));
  return yield* agent.runTurn(...turn);
}

async function loadTools(root: string): Promise<LoadedTools> {
  const parts = Promise.all([
    import('./tools/toolbox'),
    import('./tools/nodeWorkspace'),
    import('./tools/nodeProjectMemory'),
  ]);
  const [toolbox, workspace, memory] = await loadPart('The tools', parts);
  const rgPath = ripgrepPath({
    appRoot: vscode.env.appRoot,
    platform: process.platform,
    arch: process.arch,
    exists: existsSync,
  });
  return {
    tools: toolbox.TOOLS,
    disk: workspace.makeNodeWorkspace({ root, rgPath }),
    makeMemory: memory.makeProjectMemory,
  };
}

/** Keeps what was learned of token counts for every later window of the editor. */
function calibrationIn(
  state: vscode.Memento,
  onProblem: (message: string) => void,
): CalibrationStore {
  return {
    read: () => state.get(CALIBRATION),
    write: (factors) =>
      void state
        .update(CALIBRATION, factors)
        .then(undefined, (error: unknown) => onProblem(String(error))),
  };
}

/** Stops turns, servers and workers. */
export async function deactivate(): Promise<void> {
  await host?.stop();
}

/** Makes what connects to a server; PLIMSOLL_REQUESTS_FILE names a file for what is sent to /v1/messages. */
function connector(): (endpoint: Endpoint) => Promise<Connection> {
  const file = process.env['PLIMSOLL_REQUESTS_FILE'] ?? '';
  const onMessagesBody = file === '' ? undefined : requestsFile(file);
  return async ({ baseUrl, apiKey }) => {
    const sdk = import('./anthropic/connect');
    const { connect } = await loadPart('What speaks with the Messages API', sdk);
    return connect({
      baseUrl,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(onMessagesBody === undefined ? {} : { onMessagesBody }),
    });
  };
}
