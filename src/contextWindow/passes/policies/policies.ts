import { headTail } from './headTail';
import { ladder } from './ladder';
import { lastTurns } from './lastTurns';
import type { Policy, PolicySettings } from '../rungs/policyInput';
import { salience } from './salience';
import { server } from './server';
import { slidingWindow } from './slidingWindow';
import { summarise } from './summarise';
import { tokenBudget } from './tokenBudget';

/** Every policy an owner can choose, by the name the setting has for it. */
export const POLICIES: Readonly<Record<PolicySettings['policy'], Policy>> = {
  ladder,
  slidingWindow,
  lastTurns,
  headTail,
  tokenBudget,
  salience,
  summarise,
  server,
};

/** Plans a pass by the policy that the settings name; a preview shows what a pass would do. */
export const planPass: Policy = (input) => POLICIES[input.settings.policy](input);
