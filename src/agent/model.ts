import type { ReplyPart } from '../contextWindow/block';
import type { AppliedContextEdit, ContextEdit } from '../contextWindow/contextEditing';
import type { LeftOut, StopReason } from '../contextWindow/event';
import type { ModelAbilities, Reasoning } from '../contextWindow/reasoning';
import type { Refused } from '../contextWindow/result';
import type { Media } from './tool';
import type { Usage } from '../contextWindow/account/spending';
import type { WindowRequest } from '../contextWindow/request/blockMessages';
import type { Estimate } from '../contextWindow/truncate';

/** A request to the model: the window plus the settings. */
export interface ModelRequest extends WindowRequest, Reasoning {
  readonly model: string;
  readonly maxTokens: number;
  /** Forbids the model to call tools. */
  readonly toolChoice?: 'none';
  /** Context edits that the API makes before the model reads the request. */
  readonly contextEdits?: readonly ContextEdit[];
}

/** A complete reply of the model. */
export interface Reply {
  /** The model's name as the API reports it. */
  readonly model: string;
  readonly parts: readonly ReplyPart[];
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** What the API's edits did; absent when none were requested. */
  readonly appliedEdits?: readonly AppliedContextEdit[];
  /** Tokens of the API's own compaction, on top of `usage`. */
  readonly compactionUsage?: Usage;
  /** The server has no token counts that agree with its usage, so the usage is an estimate. */
  readonly isUncounted?: true;
  /** What the request went without because the server does not support it; absent for nothing. */
  readonly leftOut?: readonly LeftOut[];
  /** Unused parts of the server's answer, for the user. */
  readonly problems?: readonly string[];
}

/** A request that is too long; token counts where the API's message names them. */
export type TooLong =
  /** The input alone exceeds the window. */
  | {
      readonly type: 'overflow';
      readonly actualTokens?: number;
      readonly limitTokens?: number;
    }
  /** Input and max_tokens together exceed the window (older models). */
  | {
      readonly type: 'replyTooLong';
      readonly inputTokens: number;
      readonly maxTokens: number;
      readonly limitTokens: number;
    };

/**
 * A failed request, translated by the adapter. `message` is a sentence for the user without
 * secrets.
 */
export type ModelFailure = {
  readonly message: string;
  readonly status?: number;
  readonly requestId?: string;
  /** How long the server asks to wait before a retry; ms. */
  readonly retryAfterMs?: number;
  /** Whether a retry makes sense; absent when the type decides. */
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
        /** No model to ask: the offline model could not start. */
        | 'unavailable'
        | 'streamCut'
        | 'aborted';
    }
);

export type ModelEvent =
  | { readonly type: 'textDelta'; readonly text: string }
  | { readonly type: 'thinkingDelta'; readonly text: string }
  | { readonly type: 'toolUseStarted'; readonly id: string; readonly name: string }
  /** Something that Plimsoll learned about the server, for the user. */
  | { readonly type: 'notice'; readonly message: string }
  | ModelWait;

/** What a request waits for; times in ms since the epoch. */
export type ModelWait =
  /**
   * The request failed for a passing reason, given in `message`. The retry is number `attempt` of
   * `tries`, and starts at `until` or when `tryNow` is called.
   */
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly tries: number;
      readonly message: string;
      readonly until: number;
      readonly tryNow: () => void;
    }
  /** The pause is over and the request was sent again. */
  | { readonly type: 'askedAgain'; readonly attempt: number }
  /**
   * No byte has arrived since `since`; the connection is closed at `until`, if there is a limit.
   */
  | { readonly type: 'silent'; readonly since: number; readonly until?: number }
  /** Bytes arrive again. */
  | { readonly type: 'heardAgain' };

/** How long a caller waits for a passing failure. */
export interface Patience {
  /** How often a request is sent in total. */
  readonly tries: number;
  /** Give up instead of a longer pause; ms. */
  readonly longestPauseMs: number;
}

export type ModelResult =
  | { readonly ok: true; readonly reply: Reply }
  | {
      readonly ok: false;
      readonly failure: ModelFailure;
      /** As in a reply: a part of one may have been streamed. */
      readonly leftOut?: readonly LeftOut[];
    };

/** A model behind the Messages API; the generator returns failures and never throws them. */
export interface Model {
  ask(
    request: ModelRequest,
    signal: AbortSignal,
    patience?: Patience,
  ): AsyncGenerator<ModelEvent, ModelResult>;
}

/** An official count. Without one, estimates are used. A count of 0 tokens is a failure. */
export type CountResult =
  | {
      readonly ok: true;
      /** What the model would read: the request after the API's own edits. */
      readonly tokens: number;
      /** The request before those edits; absent when none were requested. */
      readonly beforeContextEdits?: number;
    }
  | NotCounted;

/** Why there is no count. */
interface NotCounted extends Refused {
  /** The server cannot count requests to this model. */
  readonly isFinal?: true;
  /** The user need not hear of it: it was said before, or nothing went wrong. */
  readonly isKnown?: true;
}

/** The official token count of a request; cached. */
export interface TokenCounter {
  count(request: ModelRequest, signal: AbortSignal): Promise<CountResult>;
}

/** A model's limits in tokens and its abilities; undefined when unknown. */
export interface ModelLimits {
  readonly contextWindowTokens?: number;
  readonly maxReplyTokens?: number;
  readonly abilities?: ModelAbilities;
}

/** A model's entry in a server's model list. */
export interface ListedLimits extends ModelLimits {
  /** Why an answer could not be used, as a sentence for the user. */
  readonly problem?: string;
}

export interface ListedModel extends ModelLimits {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Present when the model will be retired. */
  readonly isDeprecated?: true;
}

export interface ModelCatalog {
  limitsOf(model: string, signal: AbortSignal): Promise<ListedLimits>;
  /** Every available model, newest first; empty when the server has no list. */
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
}

/**
 * Local token estimates, calibrated with the API's counts. `estimate` is synchronous so that the
 * core stays pure; `warm` does the heavy work off the extension host's thread.
 */
export interface Estimator {
  /** Tokenizes unseen texts so that `estimate` finds them; never throws. */
  warm(texts: readonly string[]): Promise<void>;
  /**
   * Estimates the tokens of a text; a text that was never warmed gets a quicker, rougher estimate.
   * Its `generation` changes whenever estimates may have changed.
   */
  readonly estimate: Estimate;
  /** Tokens of an image or document, by the published formulas. */
  media(media: Media): number;
  /** Learns from the estimate of a whole request and the API's count of it. */
  learn(estimatedTokens: number, actualTokens: number): void;
}
