import type { ProfilePlace } from '../tools/files/nodeProfile';
import type { Profile, ProjectMemory } from '../agent/memory/projectMemory';
import type { Checkpoints } from '../agent/checkpointPort';
import type { StatusBarItem } from 'vscode';

import type { ModelRequest, Estimator } from '../agent/model';

import type { ChangesSince } from '../agent/returning';
import type { Tool } from '../agent/tool';
import type { ShellReading } from '../agent/approvals/shellCommand';
import type { Result } from '../contextWindow/result';
import type { NamedList } from '../contextWindow/scratchpad';
import type { Workspace } from '../agent/workspace';

import type { OfferedTool, ThirdPartyTool } from '../tools/thirdParty/thirdPartyTools';
import type { ToolSurroundings } from '../tools/toolbox';
import type { TurnSource } from './session/turnSource';
import type { Connection, Endpoint, LocalServer } from './model/connection';
import type { Report } from './report';

/** The tools, and what they work on. */
export interface LoadedTools {
  /** Makes the tools; `lists` are those the user added to the scratchpad. */
  readonly makeTools: (
    lists: readonly NamedList[],
    surroundings: ToolSurroundings,
  ) => readonly Tool[];
  /** Names of Plimsoll's tools that cannot be switched off. */
  readonly neededTools: ReadonlySet<string>;
  /** Makes tools of the agent of what others offer, or says why not; `own` are Plimsoll's names. */
  readonly makeThirdPartyTools: (
    offered: readonly OfferedTool[],
    own: ReadonlySet<string>,
  ) => readonly ThirdPartyTool[];
  /** The files and commands of the folder. */
  readonly disk: Workspace;
  /** Gets a page the user names, as text that says it is from the web. */
  readonly fetchPage: (
    url: string,
    signal: AbortSignal,
  ) => Promise<Result<{ readonly text: string }>>;
  readonly makeMemory: (workspace: Workspace) => ProjectMemory;
  /** Keeps files of the folder in another one, which may take so many bytes. */
  readonly makeCheckpoints: (folder: string, most: () => number) => Checkpoints;
  /** Looks for what was changed in the folder since a moment. */
  readonly changesSince: ChangesSince;
  /** The profile at a place that the settings name; undefined where there is to be none. */
  readonly makeProfile: (place: ProfilePlace) => Profile | undefined;
}

/** What the host is given, because it may not import it. */
export interface Platform {
  readonly report: Report;
  /** The item of the status bar that says how full the window is. */
  readonly gauge: StatusBarItem;
  readonly runTurn: TurnSource['runTurn'];
  readonly continueTurn: TurnSource['continueTurn'];
  /** Loads the tools and what gives them the files and commands of a folder. */
  readonly loadTools: (root: string) => Promise<LoadedTools>;
  /** Connects to a server that speaks the Messages API. */
  readonly connect: (endpoint: Endpoint) => Promise<Connection>;
  /** Starts the offline model behind a server on this computer. */
  readonly startOfflineServer: () => Promise<LocalServer>;
  /** The workspace's first folder; undefined when no folder is open. */
  readonly root: string | undefined;
  /** The body of a request as it is sent to /v1/messages. */
  readonly sentBody: (request: ModelRequest) => unknown;
  /**
   * Makes the estimator for a model on a server; `onProblem` is called when it goes on without its
   * tokenizer or without what it learned.
   */
  readonly makeEstimator: (
    model: string,
    server: string,
    onProblem: (message: string) => void,
  ) => Estimator & { forModel(model: string, server: string): void; dispose(): Promise<void> };
  /** The task the offline model can do, and the questions it can answer. */
  readonly demoPrompts: readonly string[];
  /** What the offline model signs its answers with. */
  readonly demoAuthor: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Reads a command line by the grammar of bash; loads it on first use. */
  readonly readCommand: (command: string) => Promise<ShellReading>;
  /** Who the user is, as the system names them; '' where it does not. */
  readonly user: string;
  /** The user's home folder. */
  readonly home: string;
  /** `process.platform`. */
  readonly platform: string;
  /** A new unique id. */
  readonly makeId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
