import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { keepSecret } from '../agent/secrets/knownSecrets';
import { errorText } from '../contextWindow/result';

const NAME = 'ANTHROPIC_API_KEY';

/** The key of the environment. */
interface TakenKey {
  readonly apiKey: string | undefined;
  /** Why commands can still read it; undefined if they cannot, or if nothing can be done. */
  readonly problem?: string;
}

/**
 * Takes the API key out of this process, so that no child process finds it in an environment, not
 * even in this one's. Deleting a variable leaves it where the system put it at the start. On Linux
 * every process of the same user can read that in `/proc`, so this overwrites it.
 */
export function takeApiKey(environment: NodeJS.ProcessEnv): TakenKey {
  const apiKey = environment[NAME];
  delete environment[NAME];
  if (apiKey === undefined || apiKey.trim() === '') return { apiKey: undefined };
  keepSecret(apiKey);
  if (process.platform !== 'linux') return { apiKey };
  try {
    overwrite(Buffer.from(apiKey.trim()));
    return { apiKey };
  } catch (error) {
    const why = errorText(error);
    return {
      apiKey,
      problem: `The API key could not be removed from /proc/${process.pid}/environ, where commands can read it: ${why}`,
    };
  }
}

/** Overwrites a text wherever it occurs in the environment that this process was started with. */
function overwrite(secret: Buffer): void {
  const [start, end] = environmentRange();
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    const environment = Buffer.alloc(end - start);
    readSync(memory, environment, 0, environment.length, start);
    const nothing = Buffer.alloc(secret.length, 'x');
    for (
      let at = environment.indexOf(secret);
      at !== -1;
      at = environment.indexOf(secret, at + 1)
    ) {
      writeSync(memory, nothing, 0, nothing.length, start + at);
    }
  } finally {
    closeSync(memory);
  }
}

/** Fields 50 and 51 of `/proc/self/stat`, `env_start` and `env_end`: see proc_pid_stat(5). */
function environmentRange(): readonly [number, number] {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // The name of the program can have any characters, and ends with the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The first of these is field 3.
  const [start, end] = [Number(fields[50 - 3]), Number(fields[51 - 3])];
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start <= 0 || end <= start) {
    throw new Error('the system does not say where the environment is');
  }
  return [start, end];
}
