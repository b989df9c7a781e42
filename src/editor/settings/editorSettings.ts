import * as vscode from 'vscode';
import { SETTING_NAMES } from '../../settings/readSettings';
import type { Settings } from '../../settings/settings';
import { withoutBad, type UsableSettings } from '../../settings/withoutBad';
import { WorkspaceCosts, type CostQuestion, type WhoseValue } from './workspaceCosts';

/** The settings as the editor holds them, as far as the workspace may decide. */
export class EditorSettings {
  readonly #costs: WorkspaceCosts;

  /** `memory` is the editor's own, for this workspace. */
  constructor(memory: vscode.Memento) {
    this.#costs = new WorkspaceCosts({
      memory,
      inspect: (setting) => vscode.workspace.getConfiguration().inspect(setting),
    });
  }

  /** Reads every setting once; of one that cannot be used, the value is that of `good`. */
  read(good: Settings): UsableSettings {
    return withoutBad(this.#costs.inForce(raw()), good);
  }

  /** What the workspace sets that costs money, and that the user has not answered. */
  costQuestions(): readonly CostQuestion[] {
    return this.#costs.questions(raw());
  }

  /** Remembers that the user wants the workspace to set this value. */
  readonly allowCost = (setting: string, value: unknown): Promise<void> =>
    this.answerCost(setting, value, 'workspace');

  /** Remembers whose value of a setting counts, as long as the workspace sets this one. */
  async answerCost(setting: string, theirs: unknown, whose: WhoseValue): Promise<void> {
    await this.#costs.answer(setting, theirs, whose);
  }
}

function raw(): Readonly<Record<string, unknown>> {
  const configuration = vscode.workspace.getConfiguration();
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, configuration.get<unknown>(name)]));
}
