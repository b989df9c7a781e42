import * as vscode from 'vscode';
import type { ControllerEffects } from './controllerEffects';
import { EditorWorkspace } from './editorWorkspace';
import { profileInEditor } from './profileInEditor';
import type { ApprovalRules } from './approvalRules';
import type { HostFiles } from './hostFiles';
import type { HostParts } from './hostParts';
import type { ModelAccess } from './modelAccess';
import * as notices from './notices';
import type { ToolDesk } from './toolChoice/toolDesk';

type Prepared = Awaited<ReturnType<ControllerEffects['prepareTurn']>>;

/** What a turn is run with besides. */
interface TurnPlace {
  readonly rules: ApprovalRules;
  readonly files: Pick<HostFiles, 'checkpoints'>;
  readonly tools: Pick<ToolDesk, 'forTurn'>;
  /** It is the first turn of its session. */
  readonly isFirst: boolean;
}

/** Gathers what a turn is run with, or says what stands in its way. */
export async function preparedTurn(
  access: ModelAccess,
  { root, home, loadTools, platform }: Pick<HostParts, 'root' | 'home' | 'loadTools' | 'platform'>,
  { rules, files, tools, isFirst }: TurnPlace,
): Promise<Prepared> {
  await access.refresh();
  const problem = access.problem ?? (await access.allowKey());
  if (problem !== undefined) return { ok: false, problem };
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
      tools: tools.forTurn(loaded, profile !== undefined),
      platform,
      standing: (use, request) => rules.standing(use, request),
      settings: () => access.agentSettings,
    },
  };
}
