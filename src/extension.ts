import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { WorkspaceFolders } from './agent/workspaceFolders';
import type { continueTurn, runTurn } from './agent/runTurn';
import type { LearnedAbilities } from './model/serverAbilities';
import { apiOnDemand } from './editor/apiOnDemand';
import type { Connection, Endpoint } from './editor/model/connection';
import { createGauge, registerContributions } from './editor/contributions';
import { doesDemoWait } from './editor/demo/demoProject';
import type { Host } from './editor/host';
import type { Platform, LoadedTools } from './editor/platform';
import { OpenFolders } from './editor/openFolders';
import { loadPart, OnDemand } from './editor/loading';
import type { PlimsollApi } from './editor/plimsollApi';
import { Report } from './editor/report';
import { requestsFile } from './editor/requestsFile';
import { ripgrepPath } from './editor/ripgrepPath';
import type { WebviewPage } from './editor/page';
import { isLongSessionLeft, isWorkLeft } from './editor/session/workLeft';

/** The key of the estimates' calibration in the editor's state. */
const CALIBRATION = 'plimsoll.calibration';

/** The key of the knowledge about compatible servers. */
const SERVERS = 'plimsoll.compatibleServers';

let host: OnDemand<Host> | undefined;

/**
 * Registers Plimsoll's contributions with VS Code, and loads the host on first use. An earlier
 * session to continue is a first use now: the API for other extensions is then ready when this
 * returns, unless the session takes long to open, because VS Code shows views only after this
 * returned.
 */
export function activate(context: vscode.ExtensionContext): PlimsollApi | Promise<PlimsollApi> {
  const report = new Report();
  const gauge = createGauge();
  let agentPageShown = (_page: WebviewPage): void => undefined;
  const agentPage = new Promise<WebviewPage>((resolve) => (agentPageShown = resolve));
  const onDemand = new OnDemand(() => startHost(context, { report, gauge }, agentPage));
  host = onDemand;
  context.subscriptions.push(
    report,
    gauge,
    ...registerContributions(context.extensionUri, onDemand, report, agentPageShown),
  );
  const api = apiOnDemand(onDemand);
  const isDemoDue = doesDemoWait(new OpenFolders().now?.first.root, context);
  if (!isDemoDue && !isWorkLeft(context)) return api;
  const goingOn = onDemand.get().catch((error: unknown) => report.bug(error));
  return isLongSessionLeft(context) ? api : goingOn.then(() => api);
}

/** Stops turns, servers and workers. */
export async function deactivate(): Promise<void> {
  await (await host?.ifWanted())?.stop();
}

/**
 * Creates every object once and connects them. Modules for turns, servers and recordings are loaded
 * on first use.
 */
async function startHost(
  context: vscode.ExtensionContext,
  shown: Pick<Platform, 'report' | 'gauge'>,
  agentPage: Promise<WebviewPage>,
): Promise<Host> {
  const began = Date.now();
  // Let the caller and VS Code continue first.
  await breathe();
  const parts = Promise.all([
    import('./editor/host'),
    import('./model/requestBody'),
    import('./model/workerEstimator'),
    import('./model/serverAbilities'),
    import('./offline/demo/demoPrompts'),
  ]);
  const [{ Host }, { sentBody }, { WorkerEstimator }, { LearnedAbilities }, demo] = await loadPart(
    'The main part of Plimsoll',
    parts,
  );
  const keeping = <T>(key: string, onProblem: (message: string) => void) =>
    storeIn<T>(context.globalState, key, onProblem);
  const learned = new LearnedAbilities(keeping(SERVERS, (message) => shown.report.log(message)));
  const folders = new OpenFolders(context.workspaceState);
  const built = new Host(context, {
    ...shown,
    runTurn: runTurnLazily,
    continueTurn: continueTurnLazily,
    loadTools: (folders) => loadTools(folders, join(context.extensionPath, 'dist')),
    connect: connector(learned),
    learned,
    checkKey: async (server) => {
      const { checkKey } = await loadPart('The check of keys', import('./model/checkKey'));
      return checkKey(server);
    },
    sentBody,
    startOfflineServer: async () => {
      const server = import('./offline/demo/demoModel');
      const { startDemoServer } = await loadPart('The offline demo', server);
      return startDemoServer();
    },
    folders,
    root: folders.now?.first.root,
    makeEstimator: (model, server, onProblem) =>
      new WorkerEstimator(model, {
        workerPath: join(context.extensionPath, 'dist', 'countWorker.js'),
        calibration: { server, store: keeping(CALIBRATION, onProblem) },
        onProblem,
      }),
    demoAuthor: demo.DEMO_AUTHOR,
    demoPrompts: [demo.DEMO_TASK, ...demo.DEMO_FOLLOW_UPS, demo.EVERYDAY_TASK],
    readCommand: commandReaderIn(context),
    user: userName(),
    environment: process.env,
    home: homedir(),
    platform: process.platform,
    loadLog: async (...task) => {
      const loading = await loadPart('The reading of logs', import('./sessions/loadLog'));
      return loading.loadLog(join(context.extensionPath, 'dist', 'logWorker.js'), ...task);
    },
    makeId: randomUUID,
    now: Date.now,
  });
  await built.start(agentPage);
  shown.report.info(`Plimsoll started in ${Date.now() - began} ms.`);
  return built;
}

/** Parses commands with the grammar of bash; it is loaded on first use. */
function commandReaderIn({ extensionPath }: vscode.ExtensionContext): Platform['readCommand'] {
  return async (command) => {
    const parts = Promise.all([
      import('./agent/approvals/shellCommand'),
      import('./tools/processes/startedProcess'),
    ]);
    const [{ commandReader }, { BASH }] = await loadPart('The parser of commands', parts);
    return commandReader(join(extensionPath, 'dist'), BASH !== undefined)(command);
  };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The system may have no user name.
    return '';
  }
}

async function* runTurnLazily(...turn: Parameters<typeof runTurn>): ReturnType<typeof runTurn> {
  const agent = await loadPart('The agent', import('./agent/runTurn'));
  return yield* agent.runTurn(...turn);
}

async function* continueTurnLazily(
  ...turn: Parameters<typeof continueTurn>
): ReturnType<typeof continueTurn> {
  const agent = await loadPart('The agent', import('./agent/runTurn'));
  return yield* agent.continueTurn(...turn);
}

async function loadTools(folders: WorkspaceFolders, dist: string): Promise<LoadedTools> {
  const parts = Promise.all([
    import('./tools/toolbox'),
    import('./tools/files/nodeWorkspace'),
    import('./tools/files/nodeProjectMemory'),
    import('./tools/files/nodeProfile'),
    import('./tools/checkpoints/changesSince'),
    import('./tools/processes/sandbox'),
    import('./tools/checkpoints/checkpoints'),
    import('./tools/checkpoints/contentStore'),
    import('./tools/fetchUrl'),
    import('./tools/thirdParty/thirdPartyTools'),
    import('./tools/thirdParty/checkInput'),
    import('./tools/files/commandFiles'),
    import('./tools/files/agentFiles'),
  ]);
  const [
    toolbox,
    workspace,
    memory,
    profile,
    { makeChangesSince },
    sandbox,
    kept,
    contents,
    web,
    others,
    schemas,
    commands,
    agentFiles,
  ] = await loadPart('The tools', parts);
  const rgPath = ripgrepPath({
    appRoot: vscode.env.appRoot,
    platform: process.platform,
    arch: process.arch,
    exists: existsSync,
  });
  const disk = workspace.makeNodeWorkspace({
    folders,
    rgPath,
    findSandbox: (roots) => {
      const path = process.env['PATH'] ?? '';
      const place = { roots, folders, home: homedir(), path, network: false };
      return sandbox.findSandbox(sandbox.sandboxPlace(place));
    },
  });
  return {
    makeTools: toolbox.toolbox,
    neededTools: toolbox.NEEDED_TOOLS,
    makeThirdPartyTools: (offered, own) =>
      others.thirdPartyTools(offered, own, schemas.checkInputIn(join(dist, 'schemaWorker.js'))),
    disk,
    commands,
    findAgents: agentFiles.findAgents,
    makeCheckpoints: (folder, most) =>
      kept.makeCheckpoints(folders, new contents.ContentStore(folder, most)),
    changesSince: makeChangesSince(disk),
    fetchPage: web.fetchPage,
    makeMemory: memory.makeProjectMemory,
    makeProfile: profile.makeProfile,
  };
}

/** Stores a value for later windows of the editor. */
function storeIn<T>(
  state: vscode.Memento,
  key: string,
  onProblem: (message: string) => void,
): { read(): unknown; write(value: T): void } {
  return {
    read: () => state.get(key),
    write: (value) =>
      void state.update(key, value).then(undefined, (error: unknown) => onProblem(String(error))),
  };
}

/**
 * Creates the connector to a server; PLIMSOLL_REQUESTS_FILE names a file that records requests to
 * /v1/messages.
 */
function connector(learned: LearnedAbilities): (endpoint: Endpoint) => Promise<Connection> {
  const file = process.env['PLIMSOLL_REQUESTS_FILE'] ?? '';
  const onMessagesBody = file === '' ? undefined : requestsFile(file);
  return async ({ baseUrl, apiKey, idleMs, isOffline }) => {
    const sdk = import('./model/anthropicModel');
    const { connect } = await loadPart('The client of the Messages API', sdk);
    return connect({
      baseUrl,
      idleMs,
      apiKey,
      onMessagesBody,
      ...(isOffline === true ? {} : { learned }),
    });
  };
}
