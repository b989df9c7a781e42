import type { ProfilePlace } from '../tools/files/nodeProfile';
import type { Profile, ProjectMemory } from '../agent/memory/projectMemory';
import type { Checkpoints } from '../agent/checkpointPort';
import type { StatusBarItem } from 'vscode';

import type { ModelRequest } from '../agent/model';

import type { ChangesSince } from '../agent/returning';
import type { Tool } from '../agent/tool';
import type { ShellReading } from '../agent/approvals/shellCommand';
import type { Result } from '../contextWindow/result';
import type { NamedList } from '../contextWindow/scratchpad';
import type { Workspace } from '../agent/workspace';
import type { WorkspaceFolders } from '../agent/workspaceFolders';
import type * as AgentFiles from '../tools/files/agentFiles';
import type * as CommandFiles from '../tools/files/commandFiles';

import type { KeyCheck } from '../model/checkKey';
import type { LearnedAbilities } from '../model/serverAbilities';
import type { WorkerEstimator } from '../model/workerEstimator';
import type { LogLoader } from '../sessions/sessionRegistry';
import type { OfferedTool, ThirdPartyTool } from '../tools/thirdParty/thirdPartyTools';
import type { ToolSurroundings } from '../tools/toolbox';
import type { TurnSource } from './session/turnSource';
import type { Connection, Endpoint, LocalServer } from './model/connection';
import type { OpenFolders } from './openFolders';
import type { Report } from './report';

/** The tools and the services they use. */
export interface LoadedTools {
  /** Creates the tools; `lists` are those the user added to the scratchpad. */
  readonly makeTools: (
    lists: readonly NamedList[],
    surroundings: ToolSurroundings,
  ) => readonly Tool[];
  /** Names of Plimsoll's tools that cannot be switched off. */
  readonly neededTools: ReadonlySet<string>;
  /**
   * Turns third-party tools into tools of the agent, or says why it cannot; `own` are Plimsoll's
   * names.
   */
  readonly makeThirdPartyTools: (
    offered: readonly OfferedTool[],
    own: ReadonlySet<string>,
  ) => readonly ThirdPartyTool[];
  readonly disk: Workspace;
  /** Fetches a page that the user names, as text marked as coming from the web. */
  readonly fetchPage: (
    url: string,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly text: string }>>;
  /** Reads the descriptions of the workspace's sub-agents. */
  readonly findAgents: typeof AgentFiles.findAgents;
  /** Reads the workspace's custom commands. */
  readonly commands: Pick<typeof CommandFiles, 'customCommandsIn' | 'calledCommand'>;
  readonly makeMemory: (workspace: Workspace) => ProjectMemory;
  /** Stores files of the workspace in a folder, up to this many bytes. */
  readonly makeCheckpoints: (folder: string, most: () => number) => Checkpoints;
  /** Finds what changed in the workspace since a moment. */
  readonly changesSince: ChangesSince;
  /** The profile at the path in the settings; undefined if it is turned off. */
  readonly makeProfile: (place: ProfilePlace) => Profile | undefined;
}

/** The modules that the host gets, because it may not import them. */
export interface Platform {
  readonly report: Report;
  /** The status bar item that shows how full the window is. */
  readonly gauge: StatusBarItem;
  readonly runTurn: TurnSource['runTurn'];
  readonly continueTurn: TurnSource['continueTurn'];
  /** Loads the tools and their access to the files and commands of the folders. */
  readonly loadTools: (folders: WorkspaceFolders) => Promise<LoadedTools>;
  /** Connects to a server that speaks the Messages API. */
  readonly connect: (endpoint: Endpoint) => Promise<Connection>;
  /** The known abilities of compatible servers. */
  readonly learned: LearnedAbilities;
  /** Asks a server whether it accepts a key. */
  readonly checkKey: (
    server: Pick<Endpoint, 'baseUrl'> & { readonly apiKey: string },
  ) => Promise<KeyCheck>;
  /** Starts the offline model behind a server on this computer. */
  readonly startOfflineServer: () => Promise<LocalServer>;
  readonly folders: OpenFolders;
  /** The workspace's first folder, which stays the same; undefined when no folder is open. */
  readonly root: string | undefined;
  /** The body of a request as it is sent to /v1/messages. */
  readonly sentBody: (request: ModelRequest) => unknown;
  /**
   * Creates the estimator for a model on a server; `onProblem` is called if it continues without
   * its tokenizer or its calibration.
   */
  readonly makeEstimator: (
    model: string,
    server: string,
    onProblem: (message: string) => void,
  ) => Pick<WorkerEstimator, keyof WorkerEstimator>;
  /** The offline model's sample task, and the questions it can answer. */
  readonly demoPrompts: readonly string[];
  /** The model name in the offline model's answers. */
  readonly demoAuthor: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Parses a command line with the grammar of bash, which it loads on first use. */
  readonly readCommand: (command: string) => Promise<ShellReading>;
  /** The user's name according to the system; '' if it has none. */
  readonly user: string;
  /** The user's home folder. */
  readonly home: string;
  /** `process.platform`. */
  readonly platform: string;
  /** Reads a long log without blocking this thread. */
  readonly loadLog: LogLoader['load'];
  /** A new unique id. */
  readonly makeId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
