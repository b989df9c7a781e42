import { isDeepStrictEqual } from 'node:util';

/** The settings that decide what requests cost, or whether any are made besides the steps. */
const COSTLY = [
  'plimsoll.model',
  'plimsoll.effort',
  'plimsoll.thinking.mode',
  'plimsoll.thinking.budgetTokens',
  'plimsoll.context.windowTokens',
  'plimsoll.context.maxReplyTokens',
  'plimsoll.context.models',
  'plimsoll.context.summariser',
  'plimsoll.context.summaryModel',
  'plimsoll.context.summaryTokens',
  'plimsoll.context.salience',
  'plimsoll.sessions.onReturn',
  'plimsoll.tools.enabled',
] as const;

/** Where the answers are kept: with the workspace, but not in it. */
const ANSWERS = 'plimsoll.workspaceCosts';

/** Whose value of a setting is in force. */
export type WhoseValue = 'workspace' | 'own';

/** What the editor holds of a setting. */
export interface InspectedSetting {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** A value that the workspace sets, and about which the user has not been asked. */
export interface CostQuestion {
  readonly setting: string;
  readonly theirs: unknown;
  /** The user's own, which is in force until the answer. */
  readonly own: unknown;
}

export interface WorkspaceCostsEffects {
  inspect(setting: string): InspectedSetting | undefined;
  /** Keeps things of this workspace where the workspace itself cannot reach. */
  readonly memory: {
    get<T>(key: string, none: T): T;
    update(key: string, value: unknown): PromiseLike<void>;
  };
}

type Answers = Readonly<Record<string, WhoseValue>>;

/**
 * Keeps a workspace from deciding what its user pays: each value that it sets for a setting that costs
 * money is asked about once, and the user's own is in force until then.
 */
export class WorkspaceCosts {
  constructor(private readonly effects: WorkspaceCostsEffects) {}

  /** What counts of what the configuration holds under each full name. */
  inForce(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const own = this.#setByWorkspace(raw)
      .filter((asked) => this.#answerTo(asked) !== 'workspace')
      .map((asked) => [asked.setting, asked.own] as const);
    return { ...raw, ...Object.fromEntries(own) };
  }

  /** What the user is to be asked. */
  questions(raw: Readonly<Record<string, unknown>>): readonly CostQuestion[] {
    return this.#setByWorkspace(raw).filter((asked) => this.#answerTo(asked) === undefined);
  }

  /** Remembers whose value counts, as long as the workspace sets this one. */
  async answer(setting: string, theirs: unknown, whose: WhoseValue): Promise<void> {
    const answers = { ...this.#answers, [keyOf({ setting, theirs })]: whose };
    await this.effects.memory.update(ANSWERS, answers);
  }

  get #answers(): Answers {
    return this.effects.memory.get<Answers>(ANSWERS, {});
  }

  #answerTo(asked: CostQuestion): WhoseValue | undefined {
    return this.#answers[keyOf(asked)];
  }

  /** The scripted demo costs nothing, whatever is set. */
  #setByWorkspace(raw: Readonly<Record<string, unknown>>): readonly CostQuestion[] {
    if (raw['plimsoll.provider'] === 'offline') return [];
    return COSTLY.flatMap((setting): CostQuestion[] => {
      const found = this.effects.inspect(setting);
      const theirs = found?.workspaceFolderValue ?? found?.workspaceValue;
      const own = found?.globalValue ?? found?.defaultValue;
      const isTheirs = theirs !== undefined && !isDeepStrictEqual(theirs, own);
      return isTheirs ? [{ setting, theirs, own }] : [];
    });
  }
}

function keyOf({ setting, theirs }: Pick<CostQuestion, 'setting' | 'theirs'>): string {
  return `${setting}=${JSON.stringify(theirs)}`;
}
