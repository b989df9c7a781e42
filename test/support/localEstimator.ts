import { CachedEstimator } from '../../src/model/workerEstimator';
import { countHere } from '../../src/model/rawTokens';

/** An estimator that counts in this thread, as the product's does in its worker. */
export class LocalEstimator extends CachedEstimator {
  constructor(model: string) {
    super(model, countHere);
  }
}
