import type { ToolUse } from '../contextWindow/block';
import { parsed, wholeMembers } from './wholeMembers';
import { isObject } from '../contextWindow/json';

/** Objects and lists in one another, the input itself the first; deeper, JSON cannot be written again. */
const MOST_LEVELS = 500;

type ReadInput = Pick<ToolUse, 'input' | 'inputFault'>;

/**
 * Reads a tool's input: what the block began with, or what the deltas say. Of a broken input, only a
 * reply that says it was cut keeps what is whole, because it will not be run; any other input that
 * cannot be read is empty, with what is wrong with it.
 */
export function readInput(
  { given, json }: { readonly given: unknown; readonly json: string },
  isCut: boolean,
): ReadInput {
  if (json.trim() === '') return isObject(given) ? faultless(given) : { input: {} };
  const value = parsed(json);
  if (isObject(value)) return faultless(value);
  if (isCut) return faultless(wholeMembers(json));
  return unreadable('The input of this call is not a JSON object');
}

function faultless(input: Readonly<Record<string, unknown>>): ReadInput {
  const fault = faultIn(input);
  return fault === undefined ? { input } : unreadable(`The input of this call ${fault}`);
}

function unreadable(why: string): ReadInput {
  return { input: {}, inputFault: `${why}. Nothing was done. Make the call again.` };
}

/** Says why a value could not be stored and sent back as it is; level by level, however deep it is. */
function faultIn(input: object): string | undefined {
  let level: readonly object[] = [input];
  for (let levels = 1; level.length > 0; levels++) {
    if (levels > MOST_LEVELS) return `is nested deeper than ${MOST_LEVELS} levels`;
    const members: object[] = [];
    for (const value of level.flatMap((one): unknown[] => Object.values(one))) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        return 'holds a number that is too large';
      }
      if (typeof value === 'object' && value !== null) members.push(value);
    }
    level = members;
  }
  return undefined;
}
