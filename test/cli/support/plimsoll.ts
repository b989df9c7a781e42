import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCommandLine } from '../../../src/cli/commandLine';
import { GRAMMAR } from '../../support/grammar';

/** The result of a command. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command line in this process, with no one at the keyboard and without a count worker.
 */
export async function plimsoll(
  args: readonly string[],
  cwd: string,
  stop = new AbortController(),
  home = join(cwd, 'no-such-home'),
  again = new AbortController(),
): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = [stdout, stderr].map(async (stream) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  });
  const code = await runCommandLine({
    argv: args,
    cwd,
    apiKey: 'test-key',
    home,
    environment: {},
    bundles: GRAMMAR,
    stdin: Readable.from([]),
    stdout,
    stderr,
    signal: stop.signal,
    nextStop: () => again.signal,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await Promise.all(texts);
  return { code, stdout: out!, stderr: err! };
}
