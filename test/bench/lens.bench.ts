import { rmSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, describe } from 'vitest';
import { SessionFinder } from '../../src/recordings/lens/findSessions';
import { claude, codex, write } from '../recordings/lens/support/agentHomes';

/** Half of them of each agent, of about 60 kB each, in ten folders. */
const SESSIONS = 2_000;

const home = mkdtempSync(join(tmpdir(), 'plimsoll-lens-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const filler = 'const keel = 1;\n'.repeat(30);
for (let number = 0; number < SESSIONS; number += 2) {
  const cwd = `/work/project${number % 10}`;
  write(
    join(claude.project(home, cwd), `${number}.jsonl`),
    claude.prompt(`Task ${number}`, cwd),
    ...Array.from({ length: 60 }, (_, step) => [
      claude.reply(1_000 * (step + 1)),
      claude.prompt(filler, cwd, { isMeta: true }),
    ]).flat(),
  );
  write(
    codex.file(home, `c${number}`),
    codex.meta(`c${number}`, cwd),
    codex.prompt(`Task ${number}`),
    codex.turn('gpt-5.4'),
    ...Array.from({ length: 60 }, (_, step) => [
      codex.count(1_000 * (step + 1)),
      codex.event({ type: 'agent_message', message: filler }),
    ]).flat(),
  );
}

const machine = { home, environment: {}, now: () => Date.now() };
const FEW = { time: 0, iterations: 3, warmupIterations: 0, warmupTime: 0 };
const known = new SessionFinder(machine);

describe(`listing ${SESSIONS} sessions`, () => {
  bench(
    'for the first time (goal: 2 s)',
    async () => void (await new SessionFinder(machine).find()),
    FEW,
  );
  bench('again', async () => void (await known.find()), { ...FEW, warmupIterations: 1 });
});
