import type { ReplyPart } from '../contextWindow/block';
import type { AppliedContextEdit, ContextEdit } from '../contextWindow/contextEditing';
import type { StopReason } from '../contextWindow/event';
import type { ModelAbilities, Reasoning } from '../contextWindow/reasoning';
import type { Result } from '../contextWindow/result';
import type { Media } from './tool';
import type { Usage } from '../contextWindow/account/spending';
import type { WindowRequest } from '../contextWindow/request/blockMessages';
import type { Estimate } from '../contextWindow/truncate';

/** One request to the model: the window's part and what the settings add. */
export interface ModelRequest extends WindowRequest, Reasoning {
  readonly model: string;
  /** Most tokens the reply may have. */
  readonly maxTokens: number;
  /** The model may call none of the tools; absent where it may. */
  readonly toolChoice?: 'none';
  /** What the API itself is to edit before the model reads the request; empty is the same as absent. */
  readonly contextEdits?: readonly ContextEdit[];
}

/** A model's whole answer. */
export interface Reply {
  /** The model that answered, as the API names it. */
  readonly model: string;
  readonly parts: readonly ReplyPart[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** What the API's edits did to the request; absent where none were asked for. */
  readonly appliedEdits?: readonly AppliedContextEdit[];
  /** What the API's own compaction of the request took, besides `usage`. */
  readonly compactionUsage?: Usage;
  /** For the user: what the server said that was not used; absent for nothing. */
  readonly problems?: readonly string[];
}

/** A request that is too long; numbers in tokens, where the API's message names them. */
export type TooLong =
  /** The input alone is over the window. */
  | {
      readonly type: 'overflow';
      readonly actualTokens?: number;
      readonly limitTokens?: number;
    }
  /** Input and max_tokens together are over the window (older models). */
  | {
      readonly type: 'replyTooLong';
      readonly inputTokens: number;
      readonly maxTokens: number;
      readonly limitTokens: number;
    };

/**
 * What can go wrong with a request, translated in one place, the adapter. `message` is a sentence
 * for the user; it holds no secret.
 */
export type ModelFailure = {
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  /** How long the server asks to wait before the request is sent again; ms. */
  readonly retryAfterMs?: number;
  /** Whether it makes sense to send the request again; absent where the type says enough. */
  readonly isPassing?: boolean;
} & (
  | TooLong
  | {
      readonly type:
        | 'rateLimited'
        | 'overloaded'
        | 'invalidRequest'
        | 'authentication'
        | 'billing'
        | 'permission'
        | 'notFound'
        | 'requestTooLarge'
        | 'server'
        | 'network'
        | 'redirected'
        /** There is nobody to ask: the offline model could not be started. */
        | 'unavailable'
        | 'streamCut'
        | 'aborted';
    }
);

/** What happens to a request while it runs. */
export type ModelEvent =
  | { readonly type: 'textDelta'; readonly text: string }
  | { readonly type: 'thinkingDelta'; readonly text: string }
  | { readonly type: 'toolUseStarted'; readonly id: string; readonly name: string }
  | ModelWait;

/** What a request waits for; times in ms since the epoch. */
export type ModelWait =
  /**
   * The request failed for a passing reason, which `message` says, and is sent again at `until`, or as
   * soon as `tryNow` is called; it is then the try with the number `attempt`, of `tries` in all.
   */
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly tries: number;
      readonly message: string;
      readonly until: number;
      readonly tryNow: () => void;
    }
  /** The pause is over, and the request is sent again. */
  | { readonly type: 'askedAgain'; readonly attempt: number }
  /** No byte has come since then; the connection is given up at `until`, absent for no limit. */
  | { readonly type: 'silent'; readonly since: number; readonly until?: number }
  /** Bytes come again. */
  | { readonly type: 'heardAgain' };

/** How long a caller waits for a passing failure to pass. */
export interface Patience {
  /** How often a request is sent in all. */
  readonly tries: number;
  /** A longer pause is not waited for; ms. */
  readonly longestPauseMs: number;
}

export type ModelResult =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly failure: ModelFailure };

/** A model behind the Messages API; the generator returns the result and never throws a failure. */
export interface Model {
  ask(
    request: ModelRequest,
    signal: AbortSignal,
    patience?: Patience,
  ): AsyncGenerator<ModelEvent, ModelResult>;
}

/** An official count; without one, estimates go on. An answer of 0 tokens counts as a failure. */
export type CountResult = Result<{
  /** What the model would read: the request after the API's own edits. */
  readonly tokens: number;
  /** The request as it would be sent; absent where no edits were asked for. */
  readonly beforeContextEdits?: number;
}>;

/** The official token count of a request; answers from its cache where it can. */
export interface TokenCounter {
  count(request: ModelRequest, signal: AbortSignal): Promise<CountResult>;
}

/** What a model can hold and write, in tokens, and what it can do; undefined where nobody says. */
export interface ModelLimits {
  readonly contextWindowTokens?: number;
  readonly maxReplyTokens?: number;
  readonly abilities?: ModelAbilities;
}

/** What a server's model list says of a model. */
export interface ListedLimits extends ModelLimits {
  /** What the user should know of an answer that could not be used; a sentence. */
  readonly problem?: string;
}

/** One model of a server's list. */
export interface ListedModel extends ModelLimits {
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** Present where it is to go. */
  readonly isDeprecated?: true;
}

/** The models a server offers. */
export interface ModelCatalog {
  limitsOf(model: string, signal: AbortSignal): Promise<ListedLimits>;
  /** Every model that can be asked, newest first; empty where the server has no list. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/**
 * Local guesses of token counts, calibrated against the API's numbers. `estimate` is synchronous
 * so that the core stays pure; the heavy part happens in `warm`, off the extension host's thread.
 */
export interface Estimator {
  /** Tokenizes texts that have not been seen yet, so that `estimate` finds them; never throws. */
  warm(texts: readonly string[]): Promise<void>;
  /** Guesses the tokens of a text; for a text that was never warmed quickly, but more roughly. */
  readonly estimate: Estimate;
  /** Says how many tokens an image or document takes, by the published formulas. */
  media(media: Media): number;
  /** Learns from what `estimate` said of a whole request and what the API then counted. */
  learn(estimatedTokens: number, actualTokens: number): void;
}
