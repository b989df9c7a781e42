import type { Attachment } from './block';

/** A part of what a model was asked, in the form of the Messages API. */
export type ExchangePart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: Attachment['type'];
      readonly source: {
        readonly type: 'base64';
        readonly media_type: string;
        readonly data: string;
      };
    };

/** What a model was asked for a summary, word for word, and what it answered. */
export interface SummaryExchange {
  /** The model as it was asked for. */
  readonly model: string;
  /** Most tokens the answer could have. */
  readonly maxTokens: number;
  readonly system: string;
  /** The one message of the user. */
  readonly content: readonly ExchangePart[];
  /**
   * The answer; absent where the summary is just that, word for word, or where no answer came.
   */
  readonly answer?: string;
}
