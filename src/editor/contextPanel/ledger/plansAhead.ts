import { weighExcerpts } from '../../../agent/filesNow';
import type { ContextWindow } from '../../../contextWindow/window';
import type { Estimator } from '../../../agent/model';
import type { WorkspaceFiles } from '../../checkpoints/workspaceFiles';
import type { PlanView } from './state';
import type { WhatIfSettings, WhatIfView } from '../whatIf/state';
import { accountOf } from '../../session/derive';
import type { Inspected } from '../../session/inspected';
import { plannedPass, planView, showsFilesUnder, type PlannedPass } from './nextPass';
import { triedPlan, whatIfView } from '../whatIf/derive';
import type { FileModel } from '../../../contextWindow/files/knownFile';

/**
 * Plans passes that have not run. A plan for now first reads the files, as the pass itself does.
 * Recordings and past steps have only the log, and their plans say so.
 */
export class PlansAhead {
  #read: { readonly window: ContextWindow; readonly files: FileModel } | undefined;

  constructor(
    private readonly estimator: () => Pick<Estimator, 'estimate' | 'warm'>,
    /** Reads the files in work as the agent's pass does. */
    private readonly files: Pick<WorkspaceFiles, 'filesNow'>,
  ) {}

  /** The files that were last read for a plan of this window; undefined if none were. */
  filesReadFor(window: ContextWindow): FileModel | undefined {
    return this.#read?.window === window ? this.#read.files : undefined;
  }

  /** The plan of Compact Now; undefined if the policy plans nothing without a replay. */
  async preview(inspected: Inspected): Promise<PlanView | undefined> {
    const { window, inForce, policy } = inspected;
    const { estimate } = this.estimator();
    const shows = showsFilesUnder(inForce.settings.context, policy);
    const files = shows ? await this.#readFiles(inspected) : undefined;
    const account = accountOf(window, inForce.budget, estimate);
    const facts = { window, account, inForce, policy, estimate };
    const planned = await this.#weighed(() => plannedPass({ ...facts, files }, 'manual'));
    return planned === undefined ? undefined : planView(planned, window.fileChoices);
  }

  /** The result of other settings; `at` is the window of a past step. */
  async whatIf(
    inspected: Inspected,
    at: ContextWindow | 'now',
    wished: WhatIfSettings,
  ): Promise<WhatIfView> {
    const { inForce } = inspected;
    const window = at === 'now' ? inspected.window : at;
    const shows = at === 'now' && wished.policy === 'ladder' && wished.excerpts;
    const files = shows ? await this.#readFiles(inspected) : undefined;
    let tried = triedPlan(window, inForce, wished, this.estimator().estimate, files);
    await this.#weighed((isAgain) => {
      if (isAgain) tried = triedPlan(window, inForce, wished, this.estimator().estimate, files);
      return tried.ok ? tried.planned : undefined;
    });
    return whatIfView(tried, window, wished);
  }

  async #readFiles({ source, window }: Inspected): Promise<FileModel | undefined> {
    if (source.type !== 'session') return undefined;
    const files = await this.files.filesNow(window);
    if (files !== undefined) this.#read = { window, files };
    return files;
  }

  /** Plans again if counting changes the weight of the excerpts, as the pass does. */
  async #weighed(
    plan: (isAgain: boolean) => PlannedPass | undefined,
  ): Promise<PlannedPass | undefined> {
    const planned = plan(false);
    if (planned === undefined) return undefined;
    return (await weighExcerpts({ estimator: this.estimator() }, planned)) ? plan(true) : planned;
  }
}
