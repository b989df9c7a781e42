// `npm start [-- --once | --desktop | --port N | --no-open]`: Plimsoll in a real VS Code on the sample workspace.
import './requireNode.mjs';
import { parseArgs } from 'node:util';
import { chooseEditor } from './chooseEditor.mjs';
import { build, ensureDependencies } from './prepareClone.mjs';
import { startDesktop } from './startDesktop.mjs';
import { startEmbedded } from './startEmbedded.mjs';
import { startOnce } from './startOnce.mjs';

const say = (line) => console.log(line);
// Ctrl-C is how this command is meant to end.
process.prependListener('SIGINT', () => process.exit(0));

async function start(argv) {
  const { values: options } = parseArgs({
    args: argv,
    options: {
      once: { type: 'boolean', default: false },
      desktop: { type: 'boolean', default: false },
      port: { type: 'string', default: '0' },
      'no-open': { type: 'boolean', default: false },
    },
  });
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port takes a number from 0 to 65535, not "${options.port}".`);
  await ensureDependencies(say);
  await build(say);
  if (options.once) return startOnce({ say });
  if (chooseEditor(argv) === 'desktop') return startDesktop({ say });
  return startEmbedded({ say, port, open: !options['no-open'] });
}

try {
  await start(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  console.error(`\n${process.env.PLIMSOLL_VERBOSE ? error.stack : error.message}`);
  process.exit(1);
}
