import * as vscode from 'vscode';
import type { ControllerEffects } from './controllerEffects';
import { EditorWorkspace } from '../tools/editorWorkspace';
import { profileInEditor } from '../tools/profileInEditor';
import type { ApprovalRules } from '../approvals/approvalRules';
import type { HostFiles } from '../checkpoints/hostFiles';
import type { HostParts, LoadedTools } from '../hostParts';
import type { ModelAccess } from '../model/modelAccess';
import * as notices from '../notices';
import { toolsNow } from '../tools/toolsInForce';

type Prepared = Awaited<ReturnType<ControllerEffects['prepareTurn']>>;

/** What a turn is run with besides. */
interface TurnPlace {
  readonly rules: ApprovalRules;
  readonly files: Pick<HostFiles, 'checkpoints'>;
  /** It is the first turn of its session. */
  readonly isFirst: boolean;
}

/** The tools of a turn. A chosen one that is not there is told, and the agent goes on without it. */
function toolsOfTurn(access: ModelAccess, loaded: LoadedTools, hasProfile: boolean) {
  const { tools, missing } = toolsNow(access, loaded, hasProfile);
  if (missing.length > 0) {
    access.tellOnce(
      `Chosen tools are not there or cannot be used: ${missing.join(', ')}. The agent goes on without them. "Plimsoll: Choose Tools" shows more.`,
    );
  }
  return tools;
}

/** Gathers what a turn is run with, or says what stands in its way. */
export async function preparedTurn(
  access: ModelAccess,
  { root, home, loadTools, platform }: Pick<HostParts, 'root' | 'home' | 'loadTools' | 'platform'>,
  { rules, files, isFirst }: TurnPlace,
): Promise<Prepared> {
  await access.refresh();
  const problem = access.problem ?? (await access.allowKey());
  if (problem !== undefined) return { ok: false, ...problem };
  if (root === undefined) throw new Error('A turn was prepared without a workspace.');
  if (isFirst) notices.tellFolder(vscode.workspace.workspaceFolders ?? []);
  const loaded = await loadTools(root);
  const { disk, makeMemory, makeProfile } = loaded;
  const { memory } = access.settings.valid.settings;
  const onDisk = makeProfile({ place: memory.profile, home, root });
  const profile = onDisk === undefined ? undefined : profileInEditor(onDisk);
  const workspace = new EditorWorkspace(disk);
  const checkpoints = await files.checkpoints();
  return {
    ok: true,
    parts: {
      model: access.connection,
      counter: access.connection,
      estimator: access.estimator,
      workspace,
      projectMemory: makeMemory(workspace),
      ...(profile === undefined ? {} : { profile }),
      ...(checkpoints === undefined ? {} : { checkpoints }),
      tools: toolsOfTurn(access, loaded, profile !== undefined),
      platform,
      standing: (use, request) => rules.standing(use, request),
      settings: () => access.agentSettings,
    },
  };
}
