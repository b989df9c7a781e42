import * as vscode from 'vscode';
import type { ListedModel } from '../../agent/model';
import { EFFORTS, THINKING_MODES } from '../../contextWindow/reasoning';
import { abilityNotes } from '../../model/compatibleServer';
import { modelSize } from '../../model/modelWindows';
import { valueOf } from '../../settings/readSettings';
import { fitting } from '../../settings/windowBudget';
import { accountOf } from '../session/derive';
import type { KeyAnswer } from './apiKey';
import { modelRows, switchEffects } from './modelChoice';
import { ServerPicker } from './serverPicker';
import type { CurrentSession } from '../session/currentSession';
import type { Services } from '../services';

/** A row of the picker, and the value it stands for. */
interface Row extends vscode.QuickPickItem {
  readonly chosen?: ListedModel | 'thinking' | 'effort' | 'server';
}

const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });

const THINKING: Readonly<Record<(typeof THINKING_MODES)[number] | 'auto', string>> = {
  auto: 'The model uses its default',
  adaptive: 'The model decides when and how much to think, and shows a summary',
  enabled:
    'Up to plimsoll.advanced.thinkingBudgetTokens, for older models without adaptive thinking',
  disabled: 'The model does not think before it answers',
  between_tools: 'Short notes between tool calls',
};

/** Lets the user choose the model, its thinking, and its effort. */
export class ModelPicker {
  readonly commands = {
    chooseModel: () => this.choose(),
    setApiKey: () => this.#setApiKey(),
    clearApiKey: async () => {
      const { apiKey, notices } = this.services;
      notices.tellKeyCleared((await apiKey.clear()).environmentRemains);
    },
  };

  constructor(
    private readonly services: Services,
    private readonly current: CurrentSession,
  ) {}

  /** Asks for the key of the server in the settings, or first for another server. */
  async #setApiKey(): Promise<KeyAnswer | void> {
    const { apiKey, checkKey } = this.services;
    const { baseUrl, origin } = this.#access;
    const answer = await apiKey.askAndStore(origin, (key) => checkKey({ baseUrl, apiKey: key }));
    if (answer === 'otherServer') return this.#chooseServer();
    return answer;
  }

  /** Chooses the server, then its key if it may need one, then a model if it lacks the current one. */
  async #chooseServer(): Promise<void> {
    const kind = await new ServerPicker(this.services).choose();
    if (kind === undefined) return;
    const { apiKey } = this.services;
    const { origin } = this.#access;
    const { apiKey: known, mayGo } = await apiKey.readFor(origin);
    if (kind.key !== 'none' && (known === undefined || !mayGo)) {
      const answer = await this.#setApiKey();
      if (answer === undefined) return;
      if (answer === 'cancelled' && kind.key === 'optional') await apiKey.useWithoutKey(origin);
    }
    await this.#access.refresh();
    const listed = await this.#access.listed();
    const { model } = this.#asSet;
    if (listed.length > 0 && listed.every(({ id }) => id !== model)) await this.choose();
  }

  /** Shows the models, and stores the choice. */
  async choose(): Promise<void> {
    const picked = await vscode.window.showQuickPick(this.#rows(), {
      title: 'Plimsoll: Choose the Model',
      placeHolder: 'Prices are list prices in US dollars; a change takes effect at the next step',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    const chosen = picked?.chosen;
    if (chosen === undefined) return;
    if (chosen === 'thinking') return this.#chooseThinking();
    if (chosen === 'effort') return this.#chooseEffort();
    if (chosen === 'server') return this.#chooseServer();
    await this.#switchTo(chosen);
  }

  async #rows(): Promise<readonly Row[]> {
    const models = await this.#access.models();
    const { effort, thinking, model } = this.#asSet;
    const rows = modelRows(models, model).map(({ id, label, description, detail }): Row => {
      const chosen = models.find((one) => one.id === id);
      const icon = id === model ? '$(check) ' : '';
      const row = { label: `${icon}${label}`, description, detail };
      return chosen === undefined ? row : { ...row, chosen };
    });
    return [
      ...rows,
      separator('How it works'),
      {
        label: `Thinking: ${thinking.mode}`,
        description: 'plimsoll.thinking.mode',
        chosen: 'thinking',
      },
      { label: `Effort: ${effort}`, description: 'plimsoll.effort', chosen: 'effort' },
      ...this.#serverRow(),
    ];
  }

  #serverRow(): readonly Row[] {
    const { compatible, settings } = this.#access;
    const { provider, model } = settings.valid.settings;
    if (provider === 'offline') return [];
    const row = { label: `Server: ${compatible?.name ?? 'Anthropic'}`, chosen: 'server' } as const;
    const description = 'plimsoll.baseUrl';
    if (compatible === undefined) return [{ ...row, description }];
    const notes = abilityNotes(compatible.abilitiesFor(model));
    return [{ ...row, description, detail: `${model}: ${notes.join(' · ')}` }];
  }

  async #chooseThinking(): Promise<void> {
    const taken = this.#abilities.thinking;
    const modes = ['auto', ...THINKING_MODES] as const;
    await this.#chooseValue(
      'plimsoll.thinking.mode',
      modes.map((mode) => ({
        label: mode,
        description: this.#note(mode === 'auto' || taken?.includes(mode) !== false),
        detail: THINKING[mode],
      })),
    );
  }

  async #chooseEffort(): Promise<void> {
    const taken = this.#abilities.efforts;
    const levels = ['auto', ...EFFORTS] as const;
    await this.#chooseValue(
      'plimsoll.effort',
      levels.map((level) => ({
        label: level,
        description: this.#note(level === 'auto' || taken?.includes(level) !== false),
      })),
    );
  }

  async #chooseValue(setting: string, rows: readonly vscode.QuickPickItem[]): Promise<void> {
    const picked = await vscode.window.showQuickPick(rows, {
      title: `Plimsoll: ${setting}`,
      placeHolder: `Current value: ${String(valueOf(this.#asSet, setting))}`,
    });
    if (picked !== undefined) await this.#store(setting, picked.label);
  }

  async #switchTo(model: ListedModel): Promise<void> {
    if (model.id === this.#asSet.model) return;
    if (this.current.run.window.step > 0 && !(await this.#confirms(model))) return;
    await this.#store('plimsoll.model', model.id);
  }

  /** Shows the effects of a switch during a session, and asks. */
  async #confirms(model: ListedModel): Promise<boolean> {
    const access = this.#access;
    const { window } = this.current.run;
    const from = access.settings.valid;
    const { asSet } = from;
    const to = fitting({ ...asSet, model: model.id }, modelSize(model.id, model), asSet)?.valid;
    const estimate = access.estimator.estimate;
    const account = accountOf(window, from.budget, estimate);
    const offline = asSet.provider === 'offline';
    const effects = to === undefined ? [] : switchEffects({ window, account, from, to, offline });
    const yes: vscode.QuickPickItem = { label: `Switch to ${model.name}` };
    const no: vscode.QuickPickItem = { label: `Stay with ${asSet.model}` };
    const rows = [
      yes,
      no,
      separator('Effects'),
      ...effects.map(({ label, words }) => ({ label, detail: words })),
    ];
    for (;;) {
      const picked = await vscode.window.showQuickPick(rows, {
        title: `Plimsoll: Switch to ${model.name}?`,
        placeHolder: 'The effects on this session are listed below',
      });
      // The effects are only for reading: choosing one does not answer the question.
      if (picked === undefined || picked === yes || picked === no) return picked === yes;
    }
  }

  async #store(setting: string, value: string): Promise<void> {
    const { configuration, notices } = this.services;
    const why = await configuration.storeSetting(setting, value);
    if (why !== undefined) notices.warn(`${setting} could not be stored: ${why}`);
  }

  #note(isTaken: boolean): string {
    return isTaken ? '' : `${this.#asSet.model} does not support it`;
  }

  get #abilities() {
    return this.#access.settings.valid.size.abilities ?? {};
  }

  get #access() {
    return this.services.access;
  }

  get #asSet() {
    return this.#access.settings.valid.asSet;
  }
}
