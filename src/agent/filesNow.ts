import type { ShownLines, ToolResult, ToolUse } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/window';
import { callEffectOf } from '../contextWindow/callEffect';
import { asOnDisk } from '../contextWindow/files/asOnDisk';
import type { KnownFile, FileModel } from '../contextWindow/files/knownFile';
import { pageIn, showsAsIs } from '../contextWindow/files/pageIn';
import { regionText } from '../contextWindow/files/regions';
import { dueTrigger, type PassToRun } from '../contextWindow/passes/pipeline';
import type { PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import { filesInWork, regionsInWork } from '../contextWindow/passes/rungs/need';
import type { Plan, Trigger } from '../contextWindow/plan';
import { filesText } from '../contextWindow/request/placeholder';
import { estimateOf, type AgentDeps, type AgentSettings } from './agentDeps';
import type { Estimator } from './model';
import { redacted } from './secrets';

type Disk = Pick<AgentDeps, 'workspace' | 'estimator'>;

/** At most so many files are read for one view, the likeliest ones. */
const MOST_FILES = 40;

/** The best regions are counted before a view is planned; others are guessed. */
const MOST_REGIONS = 500;

/** Says whether passes and edits show files. */
export function showsFiles({ policy }: Pick<AgentSettings, 'policy'>): boolean {
  return policy.policy === 'ladder' && policy.excerptShare !== undefined;
}

/**
 * Adds to what a pass is planned from the files as they are now, where the pass is due and would show
 * them. `trigger` begins it whatever the window holds.
 */
export async function withFilesNow<T extends Omit<PolicyInput, 'trigger'>>(
  deps: Disk,
  input: T,
  trigger?: Trigger,
): Promise<T> {
  if (!showsFiles({ policy: input.settings })) return input;
  if ((trigger ?? dueTrigger(input)) === undefined) return input;
  return { ...input, files: await filesNow(deps, input.window) };
}

/** The files in work as they are now; nothing is shown of those that are not read. */
export async function filesNow(
  { workspace, estimator }: Disk,
  window: ContextWindow,
): Promise<FileModel> {
  const likeliest = filesInWork(window).slice(0, MOST_FILES);
  const read = await Promise.all(likeliest.map((file) => fileNow(workspace, file)));
  const others = [...window.files.values()].map((file) => ({ ...file, runs: [] }));
  const files = window.files.with([...others, ...read].map((file) => [file.path, file]));
  const texts: string[] = [];
  for (const region of regionsInWork(window, files)) {
    texts.push(regionText(region));
    if (texts.length >= MOST_REGIONS) break;
  }
  await estimator.warm(texts);
  return files;
}

/**
 * The files as they are now, where a plan shows something else of them by now; undefined where what it
 * shows holds.
 */
export async function filesChangedSince(
  deps: Disk,
  { view }: Plan,
  window: ContextWindow,
): Promise<FileModel | undefined> {
  if (view === undefined) return undefined;
  const files = await filesNow(deps, window);
  return showsAsIs(view, files) ? undefined : files;
}

async function fileNow(workspace: AgentDeps['workspace'], file: KnownFile): Promise<KnownFile> {
  const read = await workspace.readFile(file.path);
  // The log has it that way too, so what was read is found in it.
  if (read.ok) return comparedWith(file, redacted(read.text));
  if (read.isMissing === true) return asOnDisk(file, undefined);
  return { ...file, runs: [], onDisk: 'unreadable' };
}

/** A cache: the files of a window are read for its preview, its pass, and again before that applies. */
const COMPARED = new WeakMap<KnownFile, { readonly text: string; readonly now: KnownFile }>();

function comparedWith(file: KnownFile, text: string): KnownFile {
  const known = COMPARED.get(file);
  if (known?.text === text) return known.now;
  const now = asOnDisk(file, text);
  COMPARED.set(file, { text, now });
  return now;
}

/** Counts what a plan shows; says whether it weighs something else than was planned with. */
export async function weighView(
  { estimator }: { readonly estimator: Pick<Estimator, 'warm' | 'estimate'> },
  { plan }: Pick<PassToRun, 'plan'>,
): Promise<boolean> {
  if (plan.view === undefined) return false;
  const text = filesText(plan.view);
  await estimator.warm([text]);
  return estimator.estimate(text) !== plan.view.tokens;
}

/** The lines of a file that come with the answer to an edit of it, as they are now. */
export async function pagedIn(
  deps: AgentDeps,
  use: ToolUse,
  result: ToolResult,
): Promise<readonly ShownLines[]> {
  const settings = deps.settings();
  const effect = callEffectOf(use);
  if (!showsFiles(settings) || effect.kind !== 'edit') return [];
  if (result.isError || result.origin !== 'ran') return [];
  const read = await deps.workspace.readFile(effect.path);
  if (!read.ok) return [];
  const text = redacted(read.text);
  const { window } = deps.session;
  const asItIs = (file: KnownFile): KnownFile => asOnDisk(file, text);
  return pageIn(window, use.id, result, settings.budget, estimateOf(deps), asItIs);
}
