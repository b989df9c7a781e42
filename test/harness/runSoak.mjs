// `npm run test:soak`: long random tests: 10,000 random sessions, 200 kills, 1,000 damaged logs. It
// also runs every test that calls `runs` with its larger number.
import './requireNode.mjs';
import { inRepository } from './paths.mjs';
import { ensureDependencies } from './prepareClone.mjs';
import { runCommand } from './processes/runCommand.mjs';

await ensureDependencies(console.log);
const { code } = await runCommand(
  process.execPath,
  [
    inRepository('node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config=test/vitest.config.ts',
    '--reporter=verbose',
    'test/contextWindow/sessions.soak.ts',
    'test/contextWindow/otherSessions.soak.ts',
    'test/sessions/damagedLog.test.ts',
    'test/sessions/killedWriter.test.ts',
    'test/sessions/isolated.test.ts',
    'test/sessions/cutAnywhere.test.ts',
    'test/model/guard.test.ts',
    'test/replay/realRecordings.test.ts',
  ],
  { env: { ...process.env, PLIMSOLL_SOAK: '1', VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' } },
);
process.exit(code);
