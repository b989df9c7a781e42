import { setLetThrough } from '../../agent/secrets/secretNames';
import { setMasking } from '../../agent/secrets/knownSecrets';
import type { AgentSettings } from '../../agent/agentDeps';
import type { ListedModel, ModelLimits } from '../../agent/model';
import { ANTHROPIC } from '../../model/calibration';
import { CompatibleServer } from '../../model/compatibleServer';
import { KNOWN_MODELS, modelSize } from '../../model/modelWindows';
import { serverName } from '../../model/serverAbilities';
import { costOfCharge } from '../../model/pricing';
import type { Problem, SettingNotice } from '../session/state';
import { LiveConnection, NO_KEY, notAllowed, OfflineProvider, originOf } from './connection';
import type { ApiKey } from './apiKey';
import type { Platform } from '../platform';
import type { SettingsProblem } from '../../settings/readSettings';
import type { Settings } from '../../settings/settings';
import { turnSettings } from '../../settings/turnSettings';
import { fitting } from '../../settings/windowBudget';
import { refused, type Result } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { openingOf, reasoningNotices, settingNotices } from './settingNotices';
import { type Configuration, SettingsInForce } from './settingsInForce';

/** Longest wait for the model list, in ms. */
const LIMITS_WAIT_MS = 5_000;

/** What the access to a model needs. */
interface AccessServices extends Pick<
  Platform,
  'connect' | 'startOfflineServer' | 'makeEstimator' | 'root' | 'learned'
> {
  readonly configuration: Configuration;
  readonly apiKey: Pick<ApiKey, 'readFor' | 'mayGoTo'>;
  readonly report: Pick<Platform['report'], 'log'>;
  readonly notices: { warn(message: string): void };
}

/** Settings, key, connection and estimator: everything that a request to a model needs. */
export class ModelAccess {
  readonly settings: SettingsInForce;
  readonly connection: LiveConnection;
  readonly estimator: ReturnType<Platform['makeEstimator']>;
  readonly #offline: OfflineProvider;
  /** No missing key is reported until the secret storage has answered. */
  #hasApiKey = true;
  readonly #reported = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(private readonly services: AccessServices) {
    this.settings = new SettingsInForce(services.configuration, this, () => {
      const { settings } = this.settings.valid;
      this.estimator.forModel(settings.model, serverOf(settings));
      this.#changed();
    });
    this.#offline = new OfflineProvider(services.startOfflineServer);
    this.connection = new LiveConnection(
      () => this.settings.valid.settings,
      (origin) => services.apiKey.readFor(origin),
      this.#offline,
      services.connect,
    );
    const { settings } = this.settings.valid;
    this.estimator = services.makeEstimator(settings.model, serverOf(settings), (message) =>
      services.report.log(message),
    );
  }

  /**
   * The server in the settings, such as `https://api.anthropic.com`. It applies only once the model
   * list has arrived.
   */
  get origin(): string {
    return originOf(this.baseUrl);
  }

  /** The address of the server in the settings; '' for Anthropic. */
  get baseUrl(): string {
    return this.services.configuration.readSettings(this.settings.valid.asSet).settings.baseUrl;
  }

  /** The compatible server in use, with what is known of it; undefined for Anthropic and offline. */
  get compatible(): CompatibleServer | undefined {
    const { provider, baseUrl } = this.settings.valid.settings;
    if (provider === 'offline' || baseUrl === '') return undefined;
    return new CompatibleServer(serverName(baseUrl), this.services.learned);
  }

  /** The settings of the next step. */
  get agentSettings(): AgentSettings {
    const { valid } = this.settings;
    const { provider } = valid.settings;
    const costOf = provider === 'offline' ? () => 0 : costOfCharge;
    return { ...turnSettings(valid), costOf };
  }

  /**
   * Whether the user or the environment has given a key, for whichever server, or the server needs
   * none.
   */
  get hasApiKey(): boolean {
    return this.#hasApiKey;
  }

  /** Why no turn can begin. */
  get problem(): Problem | undefined {
    return problemOf({
      hasFolder: this.services.root !== undefined,
      settingsProblem: this.settings.blocking,
      settings: this.settings.valid.settings,
      hasApiKey: this.#hasApiKey,
    });
  }

  /** Problems and hints about the settings, apart from those that prevent a turn. */
  get settingNotices(): readonly SettingNotice[] {
    const { problems, blocking, valid } = this.settings;
    const others = problems.filter((problem) => problem !== blocking);
    return [
      ...settingNotices(others, valid.settings),
      ...(valid.settings.provider === 'offline' ? [] : reasoningNotices(valid)),
    ];
  }

  /**
   * Calls back when the current settings, or the problem that prevents a turn, may have changed.
   */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Reads settings, key and model list again. */
  async refresh(): Promise<void> {
    await this.settings.refresh();
    const { commands, secrets } = this.settings.valid.settings;
    setLetThrough(commands.environment);
    setMasking(secrets.mask);
    const { apiKey, isKeyless } = await this.services.apiKey.readFor(this.origin);
    this.#hasApiKey = apiKey !== undefined || isKeyless === true;
    this.#changed();
  }

  /**
   * Makes sure that the key may be sent to the server, and asks the user if necessary. Returns the
   * problem if they deny it.
   */
  async allowKey(): Promise<Problem | undefined> {
    if (this.settings.valid.settings.provider === 'offline') return undefined;
    const { origin } = this;
    const { mayGo } = await this.services.apiKey.readFor(origin);
    if (mayGo) return undefined;
    if (!(await this.services.apiKey.mayGoTo(origin))) {
      return { message: notAllowed(origin), action: SET_KEY };
    }
    // The model list could not be fetched before.
    await this.refresh();
    return undefined;
  }

  /** Stops the offline server and the estimator's worker. */
  async stop(): Promise<void> {
    await Promise.all([this.#offline.close(), this.estimator.dispose()]);
  }

  /** Reports each problem once. */
  tellOnce(problem: string | undefined): void {
    if (problem === undefined || this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.services.notices.warn(problem);
  }

  /** The server's models, else the known ones; always including the current one. */
  async models(): Promise<readonly ListedModel[]> {
    const { settings } = this.settings.valid;
    const listed = await this.listed();
    const models =
      listed.length > 0 ? listed : KNOWN_MODELS.map((id): ListedModel => ({ id, name: id }));
    const { model: id } = settings;
    return models.some((model) => model.id === id) ? models : [{ id, name: id }, ...models];
  }

  /**
   * The settings of a step with another model: its id, or a part of an id such as
   * `haiku`, which means the server's first match.
   */
  async settingsOf(name: string): Promise<Result<{ readonly settings: () => AgentSettings }>> {
    const ids = (await this.models()).map(({ id }) => id);
    const model =
      ids.find((id) => id === name) ?? ids.find((id) => id.includes(name.toLowerCase()));
    if (model === undefined) return refused(`The server lists no model "${visibleLine(name)}".`);
    const settings = { ...this.settings.valid.settings, model };
    const size = modelSize(model, await this.limitsOf(settings));
    const fit = fitting(settings, size, settings);
    if (fit === undefined) return refused(`The settings do not fit into the window of ${model}.`);
    const { costOf } = this.agentSettings;
    return { ok: true, settings: () => ({ ...turnSettings(fit.valid), costOf }) };
  }

  /** The server's own models; none if it has no list. */
  async listed(): Promise<readonly ListedModel[]> {
    try {
      const opened = await this.connection.open(this.settings.valid.settings);
      if (!opened.ok) return [];
      return await opened.connection.catalog.list(AbortSignal.timeout(LIMITS_WAIT_MS));
    } catch (error) {
      this.services.report.log(error);
      return [];
    }
  }

  /** The limits of a model by its server; {} if they are unknown. */
  async limitsOf(settings: Settings): Promise<ModelLimits> {
    try {
      const opened = await this.connection.open(settings);
      if (!opened.ok) return {};
      const signal = AbortSignal.timeout(LIMITS_WAIT_MS);
      const limits = await opened.connection.catalog.limitsOf(settings.model, signal);
      this.tellOnce(limits.problem);
      return limits;
    } catch (error) {
      // Then the window is an assumption, and the panel says so.
      this.services.report.log(error);
      return {};
    }
  }
}

/** Names the estimator's server: under one model id each server may have its own tokenizer. */
function serverOf({ provider, baseUrl }: Settings): string {
  if (provider === 'offline') return 'offline';
  if (baseUrl === '') return ANTHROPIC;
  return serverName(baseUrl);
}

const SET_KEY = { label: 'Set API key', wish: { type: 'setApiKey' } } as const;

/** The conditions for a request to a model. */
export interface Conditions {
  readonly hasFolder: boolean;
  /** A problem of a setting that decides where prompts are sent. */
  readonly settingsProblem: SettingsProblem | undefined;
  readonly settings: Settings;
  readonly hasApiKey: boolean;
}

/** Why no turn can begin, with the button that helps; the first problem wins. */
export function problemOf(conditions: Conditions): Problem | undefined {
  if (!conditions.hasFolder) {
    return {
      message: 'Open a folder: the agent works on the files of a workspace.',
      action: { label: 'Open folder', wish: { type: 'openFolder' } },
    };
  }
  if (conditions.settingsProblem !== undefined) {
    const { message, setting } = conditions.settingsProblem;
    return { message, action: openingOf(setting) };
  }
  const { provider, baseUrl } = conditions.settings;
  if (provider === 'anthropic' && baseUrl === '' && !conditions.hasApiKey) {
    return { message: NO_KEY, action: SET_KEY };
  }
  return undefined;
}
