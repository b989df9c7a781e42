// `npm run pictures`: performs the demo and keeps its pictures for the README.
import { copyFileSync } from 'node:fs';
import { inRepository } from '../paths.mjs';
import { runCommand } from '../runCommand.mjs';

const { code } = await runCommand(process.execPath, [
  inRepository('test', 'support', 'start.mjs'),
  '--once',
]);
if (code !== 0) process.exit(code);
for (const name of ['agent.png', 'context-panel.png']) {
  copyFileSync(inRepository('out', 'demo', name), inRepository('media', name));
}
