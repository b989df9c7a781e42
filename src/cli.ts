import { runCommandLine } from './cli/run';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

runCommandLine({
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  apiKey: process.env['ANTHROPIC_API_KEY'],
  bundles: __dirname,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`plimsoll: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
