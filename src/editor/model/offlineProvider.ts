import { refused, type Result, errorText } from '../../contextWindow/result';

/** A server on this computer that answers like the Messages API. */
export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the offline model's server on first use, and stops it at the end. */
export class OfflineProvider {
  #server: Promise<LocalServer> | undefined;

  constructor(private readonly startServer: () => Promise<LocalServer>) {}

  /** The server's address, or why it could not be started; then it is tried again the next time. */
  async start(): Promise<Result<{ readonly url: string }>> {
    this.#server ??= this.startServer();
    try {
      const { url } = await this.#server;
      return { ok: true, url };
    } catch (error) {
      this.#server = undefined;
      const why = errorText(error);
      return refused(
        `The offline model could not be started: ${why} It is what plimsoll.provider names.`,
      );
    }
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await (await server)?.close();
  }
}
