import { CachedEstimator } from '../../src/counting/cachedEstimator';
import { countHere } from '../../src/counting/rawTokens';

/** An estimator that counts in this thread, as the product's does in its worker. */
export class LocalEstimator extends CachedEstimator {
  constructor(model: string) {
    super(model, countHere);
  }
}
