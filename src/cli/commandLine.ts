import { readArguments } from './arguments';
import { replayFiles } from './replayFiles';
import { run, unusableRun } from './run';
import type { Say, Surroundings } from './terminal';
import { unusableReplay } from './unusableReplay';
import { shownOn } from './terminalText';
import { redacted } from '../agent/secrets';
import { errorText } from '../contextWindow/result';

/** Runs the command line; returns the exit code. What goes wrong is said, and no stack with it. */
export async function runCommandLine(surroundings: Surroundings): Promise<number> {
  const around: Surroundings = {
    ...surroundings,
    stdout: shownOn(surroundings.stdout),
    stderr: shownOn(surroundings.stderr, true),
  };
  const say = (line: string) => void around.stderr.write(`${redacted(line)}\n`);
  try {
    return await runArguments(around, say);
  } catch (error) {
    say(`plimsoll: ${errorText(error)}`);
    return 1;
  }
}

async function runArguments(around: Surroundings, say: Say): Promise<number> {
  const args = readArguments(around.argv, around.cwd);
  const refuse = (problem: string) => {
    say(`plimsoll: ${problem}\nNothing was done. See plimsoll --help.`);
    return 2;
  };
  switch (args.type) {
    case 'help':
      around.stdout.write(`${args.text}\n`);
      return 0;
    case 'badUsage':
      return refuse(args.message);
    case 'run': {
      const problem = unusableRun(args.options);
      return problem === undefined ? run(args.options, around, say) : refuse(problem);
    }
    case 'replay': {
      const problem = unusableReplay(args.options);
      return problem === undefined ? replayFiles(args.options, around, say) : refuse(problem);
    }
  }
}
