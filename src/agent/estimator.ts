import type { Media } from './tool';

/**
 * Local guesses of token counts, calibrated against the API's numbers. `estimate` is synchronous
 * so that the core stays pure; the heavy part happens in `warm`, off the extension host's thread.
 */
export interface Estimator {
  /** Tokenizes texts that have not been seen yet, so that `estimate` finds them; never throws. */
  warm(texts: readonly string[]): Promise<void>;
  /** Guesses the tokens of a text; quick for a text that was never warmed, and rougher. */
  estimate(text: string): number;
  /** Tells the tokens of an image or document by the published formulas. */
  media(media: Media): number;
  /** Takes in what `estimate` had said of a whole request and what the API then counted. */
  learn(estimatedTokens: number, actualTokens: number): void;
}
