import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { runTurn } from './agent/runTurn';
import { AnthropicModel } from './anthropic/anthropicModel';
import { makeClient } from './anthropic/client';
import { AnthropicModelCatalog } from './anthropic/modelCatalog';
import { sentBody } from './anthropic/requestBody';
import { AnthropicTokenCounter } from './anthropic/tokenCounter';
import type { CalibrationStore } from './counting/calibration';
import { WorkerEstimator } from './counting/workerEstimator';
import type { Connection, Endpoint } from './host/connection';
import { requestsFile } from './host/requestsFile';
import type { PlimsollApi } from './host/plimsollApi';
import { ripgrepPath } from './host/ripgrepPath';
import { Host } from './host/host';
import { DEMO_FOLLOW_UPS } from './offline/demo/demoFollowUps';
import { DEMO_AUTHOR, demoModel } from './offline/demo/demoModel';
import { DEMO_TASK } from './offline/demo/demoTask';
import { startStrictServer } from './offline/strictServer';
import { makeNodeWorkspace } from './tools/nodeWorkspace';
import { TOOLS } from './tools/toolbox';

/** Pause between two pieces of a scripted reply, so that it reads like one being written. */
const DEMO_DELAY_MS = 25;

/** Where the calibration of the estimates lies in the editor's state. */
const CALIBRATION = 'plimsoll.calibration';

let host: Host | undefined;

/** Builds every object once and connects them; returns what other extensions may use. */
export function activate(context: vscode.ExtensionContext): PlimsollApi {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const rgPath = ripgrepPath({
    appRoot: vscode.env.appRoot,
    platform: process.platform,
    arch: process.arch,
    exists: existsSync,
  });
  host = new Host(context, {
    runTurn,
    tools: TOOLS,
    connect: connector(),
    sentBody,
    startOfflineServer: () => startStrictServer({ respond: demoModel({ delayMs: DEMO_DELAY_MS }) }),
    disk: root === undefined ? undefined : makeNodeWorkspace({ root, rgPath }),
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
function connector(): (endpoint: Endpoint) => Connection {
  const file = process.env['PLIMSOLL_REQUESTS_FILE'] ?? '';
  const onMessagesBody = file === '' ? undefined : requestsFile(file);
  return ({ baseUrl, apiKey }) => {
    const client = makeClient({
      baseUrl,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(onMessagesBody === undefined ? {} : { onMessagesBody }),
    });
    return {
      model: new AnthropicModel(client),
      counter: new AnthropicTokenCounter(client),
      catalog: new AnthropicModelCatalog(client),
    };
  };
}
