import type { ToolResult, ToolUseId } from '../../src/contextWindow/block';
import { cacheLifeSet, coldCache } from '../../src/contextWindow/account/promptCache';
import { type Budget, MOST_STEP_DOWNS, stepDown } from '../../src/contextWindow/budget';
import { pageIn } from '../../src/contextWindow/files/pageIn';
import { latestPrompt, type ContextWindow } from '../../src/contextWindow/window';
import { entered, type NewEvent, type SessionEvent } from '../../src/contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { windowBeforePrompt } from '../../src/contextWindow/history';
import {
  duePasses,
  dueTrigger,
  passApplied,
  passToRun,
  type PassToRun,
} from '../../src/contextWindow/passes/pipeline';
import {
  policyFacts,
  type PolicyFacts,
  type PolicyInput,
  type PolicySettings,
} from '../../src/contextWindow/passes/rungs/policyInput';
import {
  type ByHand,
  clearByHand,
  excludeByHand,
  recallByHand,
  restoreByHand,
  rewriteByHand,
} from '../../src/contextWindow/passes/byHand';
import { reminderDue } from '../../src/contextWindow/passes/reminder';
import { undoPromptByHand } from '../../src/contextWindow/passes/undoPrompt';
import type { Trigger } from '../../src/contextWindow/plan';
import { workNoteOf } from '../../src/contextWindow/passes/rungs/summary';
import { POLICY_SETTINGS } from './agentSettings';
import type { Disk, RandomFiles } from './randomFiles';

/** Three characters a token, the same for every text. */
export const estimate = (text: string): number => Math.ceil(text.length / 3);

/** The ratio of the random sessions' server count to the estimate of the same text. */
export const COUNTED_SHARE = 3 / 2.6;

/** One request of a played session, with the window it was built from. */
export interface Sent {
  readonly window: ContextWindow;
  readonly budget: Budget;
  /** True if a pass, a pin or an unpin happened since the last request. */
  readonly edited: boolean;
  readonly fits: boolean;
}

export interface Played {
  readonly settings: PolicySettings;
  /** As in the settings; absent for sessions without reminders. */
  readonly remindAfterSteps?: number;
  readonly budget: Budget;
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly sent: readonly Sent[];
  /** The files at the time of an event that showed some of them; absent if there are none. */
  readonly shownFrom?: ReadonlyMap<SessionEvent, Disk>;
  readonly coldPasses?: readonly PassToRun[];
}

/** The user's changes of one block, apart from pinning. */
export type ByHandChange = 'exclude' | 'clear' | 'restore' | 'recall' | 'rewrite';

/**
 * Plays events into a session as the agent would, with passes when they are due, but without a
 * model.
 */
export class Player implements Played {
  readonly events: SessionEvent[] = [];
  readonly sent: Sent[] = [];
  readonly shownFrom = new Map<SessionEvent, Disk>();
  /** The passes at a cold prompt cache. */
  readonly coldPasses: PassToRun[] = [];
  window: ContextWindow = EMPTY_WINDOW;
  /** How long all pauses were together; undefined in a session whose cache stays warm. */
  #pausedMs: number | undefined;
  #edited = true;
  #policy: PolicySettings['policy'];

  constructor(
    readonly budget: Budget,
    readonly settings: PolicySettings = POLICY_SETTINGS,
    readonly remindAfterSteps = 0,
    readonly files?: RandomFiles,
  ) {
    this.#policy = settings.policy;
  }

  /** Lets time pass before the next event; the session has a prompt cache from then on. */
  pause(ms: number): void {
    this.#pausedMs = (this.#pausedMs ?? 0) + ms;
    const life = cacheLifeSet(this.window, 'auto', this.#now);
    if (life !== undefined) this.append(life);
  }

  get #now(): number {
    return this.events.length + (this.#pausedMs ?? 0);
  }

  /** Continues another policy, as the user may at any time. */
  switchTo(policy: PolicySettings['policy']): void {
    this.#policy = policy;
  }

  /** Switches excerpts on or off. */
  get showsFiles(): boolean {
    return this.#policy === 'ladder' && this.settings.excerptShare !== undefined;
  }

  /** Adds reminders of the scratchpad as the agent does: before a prompt, and after results. */
  remind(): void {
    const { remindAfterSteps } = this;
    const due = reminderDue(this.#facts(), { remindAfterSteps, passesRun: true });
    if (due !== undefined) this.append(due);
  }

  append(event: NewEvent): void {
    const dated = entered(event, this.#now, this.window);
    this.events.push(dated);
    this.window = applyEvent(this.window, dated);
    if (this.files !== undefined && showsLines(event)) this.shownFrom.set(dated, this.files.disk);
    const edits = [
      'passApplied',
      'passUndone',
      'blockPinned',
      'blockUnpinned',
      'anchorMoved',
      'standingRulesSet',
      'preambleSet',
    ];
    if (edits.includes(event.type)) this.#edited = true;
  }

  /**
   * Answers a call as the agent does: with lines of an edited file that the window no longer shows.
   */
  finish(toolUseId: ToolUseId, result: ToolResult): void {
    const { files, window, budget, showsFiles } = this;
    const shown =
      files === undefined || !showsFiles || result.isError || result.origin !== 'ran'
        ? []
        : pageIn(window, toolUseId, result, budget, estimate, (file) => files.asItIs(file));
    const more = shown.length === 0 ? {} : { shown };
    this.append({ type: 'toolFinished', toolUseId, ...result, ...more });
  }

  /** The API refuses the request as too long: the budget steps down, and a pass runs. */
  stepDown(): void {
    // After an undo nothing is sent until the next prompt, so nothing is refused.
    if (latestPrompt(this.window)?.turn !== this.window.turn) return;
    const { budget } = this.#facts();
    if ((this.window.stepDown?.attempt ?? 0) >= MOST_STEP_DOWNS) return;
    const attempt = (this.window.stepDown?.attempt ?? 0) + 1;
    const down = stepDown(budget, { message: 'prompt is too long' }, attempt);
    this.append({ type: 'budgetSteppedDown', ...down });
    this.runPass('overflow');
  }

  /** Changes one block as the user would; a refused change has no effect. */
  changeByHand(how: ByHandChange, id: string): void {
    const facts = this.#facts();
    const change = {
      exclude: () => excludeByHand(facts, id),
      clear: () => clearByHand(facts, id),
      restore: () => restoreByHand(facts, id),
      recall: () => recallByHand(facts, id, 400),
      rewrite: () => rewriteByHand(facts, id, `By hand, at ${this.events.length}.`),
    }[how]();
    this.#append(change);
  }

  /** Undoes a prompt as the user would: the newest one, or an earlier one. */
  undoPrompt(which = 0): void {
    const prompts = this.window.blocks.filter(
      ({ kind, state }) => (kind === 'prompt' || kind === 'anchor') && state !== 'undone',
    );
    const prompt = prompts.at(-1 - which) ?? prompts.at(0);
    if (prompt === undefined) return;
    const before = windowBeforePrompt(this.events, prompt.id);
    this.#append(undoPromptByHand(this.#facts(), before, prompt.id));
  }

  #append(change: ByHand | ReturnType<typeof recallByHand>): void {
    const facts = this.#facts();
    if ('event' in change) this.append(change.event);
    if ('plan' in change && change.plan !== undefined) {
      this.append(passApplied(facts, change.plan, []));
    }
  }

  runPass(trigger: Trigger): void {
    const planned = passToRun({ ...this.#facts(), ...this.#filesNow(), trigger });
    if (planned !== undefined) this.#apply(planned);
  }

  /** Records the next request; false if the turn is over or the request does not fit. */
  send(): boolean {
    // A turn begins with a prompt; after an undo, wait for the next one.
    if (latestPrompt(this.window)?.turn !== this.window.turn) return false;
    const last = this.window.blocks.findLast(
      ({ kind, state }) => kind !== 'note' && state !== 'undone',
    );
    if (last?.kind === 'step' && last.pairs.length === 0) return false;
    for (const planned of duePasses(() => this.#factsIfDue())) this.#apply(planned);
    const { budget, measured } = this.#facts();
    const fits = measured.used.tokens <= budget.inputBudget;
    this.sent.push({ window: this.window, budget, edited: this.#edited, fits });
    this.#edited = false;
    return fits;
  }

  #facts(): PolicyFacts {
    const { window, budget } = this;
    const settings = { ...this.settings, policy: this.#policy };
    return policyFacts({ window, budget, estimate, settings });
  }

  /** The facts for a pass; the files are read only if one is due. */
  #factsIfDue(): Omit<PolicyInput, 'trigger'> {
    const known = this.#facts();
    const cold = this.#pausedMs === undefined ? undefined : coldCache(known, this.#now);
    const facts = cold === undefined ? known : { ...known, cold };
    return dueTrigger(facts) === undefined ? facts : { ...facts, ...this.#filesNow() };
  }

  /** The current files, which the agent reads before a pass with excerpts. */
  #filesNow() {
    return this.files === undefined || !this.showsFiles
      ? {}
      : { files: this.files.now(this.window.files) };
  }

  #apply(planned: PassToRun): void {
    if (planned.plan.trigger === 'coldCache') this.coldPasses.push(planned);
    const because = 'this is a test';
    const summaries = planned.plan.summaries.map((job) =>
      workNoteOf(planned.input, job, { because }),
    );
    this.append(passApplied(planned.input, planned.plan, summaries));
  }
}

function showsLines(event: NewEvent): boolean {
  return event.type === 'passApplied'
    ? event.pass.excerpts !== undefined
    : event.type === 'toolFinished' && event.shown !== undefined;
}
