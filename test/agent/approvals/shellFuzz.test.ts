import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/agent/approvals/decide';
import { loadShellGrammar, readShellCommand } from '../../../src/agent/approvals/shellCommand';
import { GRAMMAR } from '../../support/grammar';
import { runs } from '../../support/runs';
import { tempFolder } from '../../tools/support/tempFolder';
import { factsIn, rules } from './support/rules';

const RULES = rules(
  '+ edits',
  ...'test ls cat head tail wc echo cut tr grep sort uniq diff date printf tree jq rg git find awk sed tar env nice timeout sh xargs split zip cp tee'
    .split(' ')
    .map((program) => `+ ${program} *`),
  ...'mv rm push fetch status log show diff grep branch add commit ls-files stash tag rev-parse config archive'
    .split(' ')
    .map((subcommand) => `+ git ${subcommand} *`),
);

const LASTING = [
  'AGENTS.md',
  'package.json',
  'Makefile',
  '.envrc',
  '.vscode',
  '.git/hooks',
  '.git/config',
  '.github',
  '../outside',
];

const PROGRAM = fc.constantFrom(
  ...'ls|cat|head|tail|wc|echo|cut|tr|grep|sort|uniq|diff|date|printf|git status|git log|git show|git diff|git grep|git add|git branch|git stash|git ls-files|git mv|git push|git fetch|test|git archive|git config|find|awk|sed|tar|xargs|sh|split|cp|tee|eval|exec'.split(
    '|',
  ),
);
const CARRIER = fc.constantFrom(
  ...'||||||env |env -a ls |env -C src |env -i |nice |nice --adj 5 |timeout 2 |timeout -s KILL 2 |exec -ca ls |\\time -o package.json |command time -o AGENTS.md |eval |jobs -x |hash -p ./canary.sh ls; |alias ls=./canary.sh; |ls() { ./canary.sh; }; |shopt -s dotglob; |command |time |exec |nohup |stdbuf -oL |sh -c |xargs |find . -exec |env -S |cd .git/hooks && |cd .git && |cd src && |git -C . '.split(
    '|',
  ),
);
const WORD = fc.constantFrom(
  './canary.sh',
  '-O./canary.sh',
  '--output=.git/hooks/pre-commit',
  '--compress-program=./canary.sh',
  '-o',
  '.git/hooks/pre-commit',
  'src/a.txt',
  'evil',
  'self/../x',
  '-v',
  '-ca',
  "'a[$(./canary.sh)]'",
  '"$[1+1]"',
  '{src,-O./canary.sh}',
  'packag?.json',
  'package.json',
  'AGENTS.md',
  'AGENTS.m?',
  '.gi?/config',
  '*.json',
  'hooks/pre-commit',
  'x',
  '-n',
  '-r',
  '-exec',
  '{}',
  '+',
  "';'",
  '-c',
  '-e',
  '1e./canary.sh',
  'BEGIN{system("./canary.sh")}',
  '\'BEGIN{system("./canary.sh")}\'',
  '--to-command=./canary.sh',
  '--checkpoint=1',
  '--checkpoint-action=exec=./canary.sh',
  '-cf',
  'a.tar',
  '--filter=./canary.sh',
  '--ext-diff',
  '-p',
  '--stat',
  '--oneline',
  '-3',
  'HEAD',
  '--',
  '-A',
  'core.pager',
  'core.fsmonitor=./canary.sh',
  "'./canary.sh'",
  '"sh canary.sh"',
  '\\./canary.sh',
  '-I',
  '-x',
  '--exec=./canary.sh',
  '--textconv',
  '--no-index',
  '-f',
  '-w',
  "'w AGENTS.md'",
  'config',
  'ou?/outside',
  'hook?/pre-commit',
  '.githu?/workflows/x',
  '.github',
  'ci',
  '*',
  'late',
  '--depth',
  '1',
  'drop',
  '-osrc',
  '-oMakefile',
  '-C',
);
const AFTER = fc.constantFrom(
  ...'|||||| > src/out.txt| > AGENTS.md| > AGENTS.m?| >> package.json| > .gi?/config| 2> .envrc| > ou?/outside| > hook?/pre-commit| &> Makefile| > hooks/pre-commit| > pre-commit| < src/a.txt| 2>&1'.split(
    '|',
  ),
);
const JOINT = fc.constantFrom(' && ', '; ', ' | ', ' || ', ' & ', '\n');
/** Most words do no harm, so that rules allow many of the lines. */
const PLAIN = fc.constantFrom(
  'x',
  '-n',
  'src/a.txt',
  'HEAD',
  '-3',
  '--oneline',
  '--stat',
  '-p',
  'src',
);
const ANY_WORD = fc.oneof(PLAIN, WORD);
const ANY_CARRIER = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: CARRIER },
);
const SIMPLE = fc
  .tuple(ANY_CARRIER, PROGRAM, fc.array(ANY_WORD, { maxLength: 4 }), AFTER)
  .map(([carrier, program, words, after]) => `${carrier}${[program, ...words].join(' ')}${after}`);
const LINE = fc
  .tuple(SIMPLE, fc.array(fc.tuple(JOINT, SIMPLE), { maxLength: 2 }))
  .map(([first, more]) => first + more.map(([joint, next]) => joint + next).join(''));

/** A repository with lasting files, a link to its hooks, and a canary that leaves a trace when it runs. */
function workspace(): { readonly root: string; readonly trace: string; readonly home: string } {
  const folder = tempFolder();
  const [root, home] = [join(folder, 'project'), join(folder, 'home')];
  for (const path of [root, home, join(root, 'src'), join(root, '.vscode')]) mkdirSync(path);
  execFileSync('git', ['init', '-q', root], { env: { ...process.env, HOME: home } });
  writeFileSync(join(root, 'canary.sh'), `#!/bin/sh\necho ran > '${join(folder, 'trace')}'\n`);
  chmodSync(join(root, 'canary.sh'), 0o755);
  for (const file of ['AGENTS.md', 'package.json', 'Makefile', '.envrc', '.vscode/tasks.json'])
    writeFileSync(join(root, file), '{}\n');
  writeFileSync(join(root, 'src/a.txt'), 'x\ny\n');
  symlinkSync('.git/hooks', join(root, 'hooks'));
  symlinkSync('..', join(root, 'out'));
  mkdirSync(join(root, 'ci/workflows'), { recursive: true });
  writeFileSync(join(root, 'ci/workflows/x'), 'x\n');
  symlinkSync('.', join(root, 'self'));
  // As a remote, its settings run the canary.
  execFileSync('git', ['init', '-q', '--bare', join(root, 'evil')], {
    env: { ...process.env, HOME: home },
  });
  const alternates = [
    '-C',
    join(root, 'evil'),
    'config',
    'core.alternateRefsCommand',
    join(root, 'canary.sh'),
  ];
  execFileSync('git', alternates, { env: { ...process.env, HOME: home } });
  writeFileSync(join(root, 'evil/objects/info/alternates'), `${join(root, '.git/objects')}\n`);
  return { root, home, trace: join(folder, 'trace') };
}

function digestOf(path: string): string {
  if (!existsSync(path)) return 'none';
  if (!statSync(path).isDirectory())
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  return readdirSync(path)
    .sort()
    .map((name) => `${name} ${digestOf(join(path, name))}`)
    .join('\n');
}

const hasBash = existsSync('/bin/bash');

describe.skipIf(!hasBash)('a random command line that rules allow', () => {
  it('runs no foreign program and changes no file that outlasts the session', async () => {
    const parser = await loadShellGrammar(GRAMMAR);
    const { root, home, trace } = workspace();
    const lasting = () => LASTING.map((path) => digestOf(join(root, path)));
    const before = lasting();
    const facts = factsIn(root);
    const env = { PATH: process.env['PATH'], HOME: home, GIT_PAGER: 'cat', LC_ALL: 'C' };
    let allowed = 0;
    fc.assert(
      fc.property(LINE, (command) => {
        const reading = readShellCommand(parser, command);
        const decision = decide({ kind: 'command', command, cwd: root }, RULES, {
          ...facts,
          reading,
        });
        if (decision.type !== 'allow') return;
        allowed += 1;
        spawnSync('/bin/bash', ['--norc', '-c', command], {
          cwd: root,
          env,
          stdio: ['ignore', 'ignore', 'ignore'],
          timeout: 5_000,
        });
        expect(existsSync(trace), command).toBe(false);
        expect(lasting(), command).toEqual(before);
      }),
      { numRuns: runs(400, 20_000) },
    );
    expect(allowed).toBeGreaterThan(20);
  });
});
