import type { Estimator } from '../../src/agent/model';
import { estimate } from './player';

/** Estimates like the player of sessions, and never learns. */
export const STAND_IN_ESTIMATOR: Estimator = {
  warm: () => Promise.resolve(),
  estimate: Object.assign((text: string) => estimate(text), { generation: {} }),
  media: () => 0,
  learn: () => undefined,
};
