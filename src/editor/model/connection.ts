import type {
  CountResult,
  Model,
  ModelCatalog,
  ModelEvent,
  ModelRequest,
  ModelResult,
  Patience,
  TokenCounter,
} from '../../agent/model';
import { errorText, refused, type Refused, type Result } from '../../contextWindow/result';
import type { Settings } from '../../settings/settings';

/** The clients of one server with one key. */
export interface Connection {
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly catalog: ModelCatalog;
}

/** The server; `baseUrl` is '' for Anthropic, and a server of the user's own may need no key. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Longest time without a byte of an answer; ms, 0 for no limit. */
  readonly idleMs: number;
  /** The offline server, which does all that Anthropic's does. */
  readonly isOffline?: true;
}

/** The server of a key from the environment, or from before servers were stored. */
export const ANTHROPIC_ORIGIN = 'https://api.anthropic.com';

/** The server that an address in the settings names, '' for Anthropic. */
export function originOf(baseUrl: string): string {
  return baseUrl === '' ? ANTHROPIC_ORIGIN : new URL(baseUrl).origin;
}

/** A key, and whether it may go to the requested server. */
export interface KeyForServer {
  readonly apiKey: string | undefined;
  readonly mayGo: boolean;
  /** The user said that the server needs no key, so none is sent. */
  readonly isKeyless?: true;
}

/** Why there is no endpoint; `isMissing`: the server is missing, otherwise the key. */
type NotFound = Refused & { readonly isMissing?: true };

type ConnectionResult = { readonly ok: true; readonly connection: Connection } | NotFound;

/** The message without a key; the Agent view shows the button next to it. */
export const NO_KEY =
  'There is no Anthropic API key yet. Set one with "Plimsoll: Set the Anthropic API Key", or see the ' +
  'scripted "Plimsoll: Try the Demo".';

/** The message if the key may not go to a server. */
export function notAllowed(origin: string): string {
  return (
    `Your API key was not sent to ${origin}: you have not allowed it. Send your ` +
    'prompt to be asked again, or set a key for this server.'
  );
}

/** The offline server accepts any key; this one cannot be mistaken for a real one. */
const OFFLINE_KEY = 'offline-demo';

/**
 * Connects to the server in the settings. It is also the model and the counter of a turn, so that a
 * new provider, address or key takes effect at the next step.
 */
export class LiveConnection implements Model, TokenCounter {
  #open: { readonly endpoint: Endpoint; readonly connection: Promise<Connection> } | undefined;

  constructor(
    private readonly settings: () => Settings,
    /** The key for a server, and whether it may go there. */
    private readonly keyFor: (origin: string) => Promise<KeyForServer>,
    private readonly offline: OfflineProvider,
    private readonly connect: (endpoint: Endpoint) => Promise<Connection>,
  ) {}

  /** Opens the connection for these settings, or names the missing one. */
  async open(settings: Settings): Promise<ConnectionResult> {
    const found = await this.#endpointOf(settings);
    if (!found.ok) return found;
    const { endpoint } = found;
    const open = this.#open;
    if (open !== undefined && isSame(open.endpoint, endpoint)) {
      return { ok: true, connection: await open.connection };
    }
    const opening = { endpoint, connection: this.connect(endpoint) };
    this.#open = opening;
    try {
      return { ok: true, connection: await opening.connection };
    } catch (error) {
      // The next request tries again.
      if (this.#open === opening) this.#open = undefined;
      throw error;
    }
  }

  /** Forgets what the open connection has learned of its server: the next request opens another. */
  reopen(): void {
    this.#open = undefined;
  }

  async *ask(
    request: ModelRequest,
    signal: AbortSignal,
    patience?: Patience,
  ): AsyncGenerator<ModelEvent, ModelResult> {
    const opened = await this.open(this.settings());
    if (!opened.ok) {
      const type = opened.isMissing === true ? 'unavailable' : 'authentication';
      return { ok: false, failure: { type, message: opened.message } };
    }
    return yield* opened.connection.model.ask(request, signal, patience);
  }

  async count(request: ModelRequest, signal: AbortSignal): Promise<CountResult> {
    const opened = await this.open(this.settings());
    if (!opened.ok) return refused(opened.message);
    return opened.connection.counter.count(request, signal);
  }

  async #endpointOf(
    settings: Settings,
  ): Promise<{ readonly ok: true; readonly endpoint: Endpoint } | NotFound> {
    const { provider, idleLimit: idleMs } = settings;
    if (provider === 'offline') {
      const started = await this.offline.start();
      if (!started.ok) return { ...started, isMissing: true };
      const { url: baseUrl } = started;
      return { ok: true, endpoint: { baseUrl, apiKey: OFFLINE_KEY, idleMs, isOffline: true } };
    }
    const { baseUrl } = settings;
    const origin = originOf(baseUrl);
    const { apiKey, mayGo } = await this.keyFor(origin);
    if (apiKey === undefined && baseUrl === '') return refused(NO_KEY);
    return mayGo
      ? { ok: true, endpoint: { baseUrl, apiKey, idleMs } }
      : refused(notAllowed(origin));
  }
}

function isSame(one: Endpoint, other: Endpoint): boolean {
  return (
    one.baseUrl === other.baseUrl && one.apiKey === other.apiKey && one.idleMs === other.idleMs
  );
}

/** A server on this computer that answers like the Messages API. */
export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the offline model's server on first use, and stops it at the end. */
export class OfflineProvider {
  #server: Promise<LocalServer> | undefined;

  constructor(private readonly startServer: () => Promise<LocalServer>) {}

  /** The server's address, or why it could not be started; the next call tries again. */
  async start(): Promise<Result<{ readonly url: string }>> {
    this.#server ??= this.startServer();
    try {
      const { url } = await this.#server;
      return { ok: true, url };
    } catch (error) {
      this.#server = undefined;
      const why = errorText(error);
      return refused(
        `The offline model could not be started: ${why} Your setting plimsoll.provider names it.`,
      );
    }
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await (await server)?.close();
  }
}
