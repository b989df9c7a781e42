import { chargesOf, type Charge } from '../../contextWindow/account/charges';
import type { SessionEvent } from '../../contextWindow/event';
import { promptTokens } from '../../contextWindow/usage';
import { costOf } from '../../model/pricing';
import type { UsageView } from './costsState';

/** Adds up what the responses of a turn used, including those for summaries and ratings. */
export class TurnUsage {
  #inputTokens = 0;
  #cacheReadTokens = 0;
  #outputTokens = 0;
  #responses = 0;
  /** Responses of models that cost something. */
  #charged = 0;
  /** US dollars at list price. */
  #cost: number | 'unknown' = 0;

  /** `demoAuthor` is what the scripted model signs its answers with. */
  constructor(private readonly demoAuthor: string) {}

  /** Says whether the scripted model answered; undefined while nobody has. */
  get isOffline(): boolean | undefined {
    return this.#responses === 0 ? undefined : this.#charged < this.#responses;
  }

  take(event: SessionEvent): void {
    for (const charge of chargesOf(event)) this.#add(charge);
  }

  /** `offline` says whether the scripted model answers now. */
  view(elapsedMs: number, offline: boolean): UsageView {
    return {
      inputTokens: this.#inputTokens,
      cacheReadTokens: this.#cacheReadTokens,
      outputTokens: this.#outputTokens,
      cost: this.#costText(offline),
      elapsedMs,
    };
  }

  #add({ model, usage }: Charge): void {
    const inputTokens = promptTokens(usage);
    // A reply that was stopped half-way has no usage, and no name of the model that wrote it.
    if (inputTokens + usage.outputTokens === 0) return;
    this.#inputTokens += inputTokens;
    this.#cacheReadTokens += usage.cacheReadTokens;
    this.#outputTokens += usage.outputTokens;
    this.#responses += 1;
    if (model === this.demoAuthor) return;
    this.#charged += 1;
    const cost = costOf(model, usage);
    if (cost === 'unknown') this.#cost = 'unknown';
    else if (this.#cost !== 'unknown') this.#cost += cost.usd;
  }

  #costText(offline: boolean): string {
    if (this.#charged === 0 && (offline || this.#responses > 0)) return 'no charge (offline)';
    return this.#cost === 'unknown' ? 'price unknown' : `$${this.#cost.toFixed(4)}`;
  }
}
