import type { Session } from '../agent/session';
import type { BackgroundCommands } from '../agent/backgroundCommands';
import { hasSkills, memoryWithout } from '../agent/memory/projectMemory';
import type { SessionRegistry } from '../sessions/sessionRegistry';
import { SubAgents } from '../agent/subAgents/subAgents';
import type { ApprovalRules } from './approvals/approvalRules';
import type { WorkspaceFiles } from './checkpoints/workspaceFiles';
import type { RunningCommands } from './commands/runningCommands';
import type { LoadedTools } from './platform';
import type { Services } from './services';
import { compactNow } from './session/compactNow';
import type { Returning } from './session/returnQuestion';
import type { PreparedTurn, RunSession, TurnSource } from './session/turnSource';
import { EditorWorkspace } from './tools/editorWorkspace';
import { memoryOff } from './tools/memorySwitches';
import { profileInEditor } from './tools/profileInEditor';
import { toolsNow } from './tools/toolsInForce';

interface TurnFeatures {
  readonly commands: Pick<RunningCommands, 'of'>;
  readonly files: Pick<WorkspaceFiles, 'checkpoints'>;
  readonly returning: Pick<Returning, 'mayBegin'>;
  readonly sessions: Pick<SessionRegistry, 'pausesBefore'>;
  readonly rulesOf: (run: RunSession) => Pick<ApprovalRules, 'answer'>;
}

/**
 * Prepares the turns of every session: the agent, with the tools, files and rules of this window.
 */
export class TurnSetup implements TurnSource {
  readonly runTurn: TurnSource['runTurn'];
  readonly continueTurn: TurnSource['continueTurn'];
  readonly compactNow = compactNow;
  readonly now: () => number;

  constructor(
    private readonly services: Services,
    private readonly features: TurnFeatures,
  ) {
    this.runTurn = services.runTurn;
    this.continueTurn = services.continueTurn;
    this.now = services.now;
  }

  mayBegin(): boolean {
    return this.features.returning.mayBegin();
  }

  background(session: Session): BackgroundCommands {
    return this.features.commands.of(session);
  }

  async prepare(run: RunSession): Promise<PreparedTurn> {
    const { access, home, loadTools, platform } = this.services;
    await access.refresh();
    const problem = access.problem ?? (await access.allowKey());
    if (problem !== undefined) return { ok: false, ...problem };
    const { now: folders, leftOut } = this.services.folders;
    if (folders === undefined) throw new Error('A turn was prepared without a workspace.');
    access.tellOnce(leftOut);
    const loaded = await loadTools(folders);
    const { disk, makeMemory, makeProfile } = loaded;
    const { context, memory } = access.settings.valid.settings;
    const onDisk = makeProfile({ place: memory.profile, home, folders });
    const profile = onDisk && profileInEditor(onDisk);
    const workspace = new EditorWorkspace(disk);
    const projectMemory = memoryWithout(makeMemory(workspace), () =>
      memoryOff(this.services.context.workspaceState),
    );
    const { sessions, rulesOf } = this.features;
    const rules = rulesOf(run);
    return {
      ok: true,
      parts: {
        model: access.connection,
        counter: access.connection,
        estimator: access.estimator,
        workspace,
        projectMemory,
        profile,
        earlierPauses:
          context.cacheLife === 'auto' ? await sessions.pausesBefore(run.session) : undefined,
        checkpoints: await this.features.files.checkpoints(),
        subAgents: new SubAgents(this.runTurn),
        tools: await this.#tools(loaded, workspace, {
          hasFolders: folders.areNamed,
          hasProfile: profile !== undefined,
          hasSkills: await hasSkills(projectMemory),
        }),
        platform,
        answerByRules: (use, request) => rules.answer(use, request, folders),
        settings: () => access.agentSettings,
        settingsOf: (model) => access.settingsOf(model),
      },
    };
  }

  /**
   * The tools of a turn. The user is told of a chosen tool that is missing; the agent works without
   * it.
   */
  async #tools(
    loaded: LoadedTools,
    workspace: EditorWorkspace,
    has: Parameters<typeof toolsNow>[2],
  ) {
    const { access } = this.services;
    const { tools: known } = toolsNow(access, loaded, has);
    const names = known.map(({ definition }) => definition.name);
    const { agents, problems } = await loaded.findAgents(workspace, names);
    for (const problem of problems) access.tellOnce(problem);
    const { tools, missing } = toolsNow(access, loaded, { ...has, agents });
    if (missing.length > 0) {
      access.tellOnce(
        `Chosen tools are missing or cannot be used: ${missing.join(', ')}. The agent works without them. "Plimsoll: Choose Tools" shows more.`,
      );
    }
    return tools;
  }
}
