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
import { excerptsText } from '../contextWindow/request/placeholder';
import { estimateOf, type AgentDeps, type AgentSettings } from './agentDeps';
import type { Estimator } from './model';
import { maskedText } from './secrets/secrets';

type Disk = Pick<AgentDeps, 'workspace' | 'estimator'>;

/** Most files read for the excerpts of one pass, the most relevant first. */
const MOST_FILES = 40;

/** The best regions are counted before planning; the others are estimated. */
const MOST_REGIONS = 500;

/** Whether passes and edits show excerpts. */
function showsFiles({ policy }: Pick<AgentSettings, 'policy'>): boolean {
  return policy.policy === 'ladder' && policy.excerptShare !== undefined;
}

/**
 * Adds the current files to the input of a pass that is due and shows excerpts. With `trigger`, the
 * pass runs in any case.
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

/** The current version of the files in work; files that are not read show nothing. */
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

/** The current files if an excerpt of the plan is no longer accurate; otherwise undefined. */
export async function filesChangedSince(
  deps: Disk,
  { excerpts }: Plan,
  window: ContextWindow,
): Promise<FileModel | undefined> {
  if (excerpts === undefined) return undefined;
  const files = await filesNow(deps, window);
  return showsAsIs(excerpts, files) ? undefined : files;
}

async function fileNow(workspace: AgentDeps['workspace'], file: KnownFile): Promise<KnownFile> {
  const read = await workspace.readFile(file.path);
  // The log holds the redacted text, so the lines must match it.
  if (read.ok) return comparedWith(file, maskedText(read.text));
  if (read.isMissing === true) return asOnDisk(file, undefined);
  return { ...file, runs: [], onDisk: 'unreadable' };
}

/** A cache: a window's files are read for its preview, for its pass, and before that applies. */
const COMPARED = new WeakMap<KnownFile, { readonly text: string; readonly now: KnownFile }>();

function comparedWith(file: KnownFile, text: string): KnownFile {
  const known = COMPARED.get(file);
  if (known?.text === text) return known.now;
  const now = asOnDisk(file, text);
  COMPARED.set(file, { text, now });
  return now;
}

/** Counts a plan's excerpts; true when they weigh something other than planned. */
export async function weighExcerpts(
  { estimator }: { readonly estimator: Pick<Estimator, 'warm' | 'estimate'> },
  { plan }: Pick<PassToRun, 'plan'>,
): Promise<boolean> {
  if (plan.excerpts === undefined) return false;
  const text = excerptsText(plan.excerpts);
  await estimator.warm([text]);
  return estimator.estimate(text) !== plan.excerpts.tokens;
}

/** The current lines of a file that come with the result of an edit. */
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
  const text = maskedText(read.text);
  const { window } = deps.session;
  const asItIs = (file: KnownFile): KnownFile => asOnDisk(file, text);
  return pageIn(window, use.id, result, settings.budget, estimateOf(deps), asItIs);
}
