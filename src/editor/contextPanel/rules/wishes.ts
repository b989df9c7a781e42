import * as z from 'zod/mini';
import { ruleAdded, rulesSwitched, ruleStruck } from '../../session/rulesByHand';
import { text, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';

const { changes } = wishesOf<ContextPanel>();

/** What the panel may ask for about standing rules. */
export const RULE_WISHES = {
  /** Adds a rule in the user's words, or restores a struck one. */
  addRule: changes({ text }, ({ text: typed }, { current }) =>
    current.run.edit((window) => ruleAdded(window, typed)),
  ),
  strikeRule: changes({ text }, ({ text: rule }, { current }) =>
    current.run.edit((window) => ruleStruck(window, rule)),
  ),
  /** Switches the standing rules of this session on or off. */
  switchRules: changes({ on: z.boolean() }, ({ on }, { current }) =>
    current.run.edit((window) => rulesSwitched(window, on)),
  ),
};
