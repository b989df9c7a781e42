import { homedir } from 'node:os';
import { runCommandLine } from './cli/commandLine';
import { takeApiKey } from './cli/takeApiKey';

const { apiKey, problem } = takeApiKey(process.env);
if (problem !== undefined) process.stderr.write(`plimsoll: ${problem}\n`);

let stop = new AbortController();
// Handles every signal, not only the first: a second Ctrl-C must not end this process before its
// commands have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort());
}
// The reader of the output may have closed it.
process.stdout.on('error', () => undefined);

void runCommandLine({
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  apiKey,
  home: homedir(),
  bundles: __dirname,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  nextStop: () => {
    stop = new AbortController();
    return stop.signal;
  },
}).then((code) => {
  process.exitCode = code;
});
