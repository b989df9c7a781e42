import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/agent/approvals/decide';
import { loadShellGrammar, readShellCommand } from '../../../src/agent/approvals/shellCommand';
import { whyNotInside } from '../../../src/cli/terminal';
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

/** Runs a command line in `root` for at most `timeout` ms, and ends what it leaves behind there. */
function runInBash(
  command: string,
  root: string,
  env: NodeJS.ProcessEnv,
  timeout: number,
  output: 'ignore' | 'pipe' = 'ignore',
): { readonly stdout: string; readonly stderr: string } {
  const said = spawnSync('/bin/bash', ['--norc', '-c', command], {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    timeout,
  });
  endProcessesIn(root);
  return said;
}

/** Linux only: elsewhere nothing tells which processes have their folder there. */
function endProcessesIn(folder: string): void {
  if (!existsSync('/proc/self/cwd')) return;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${id}/cwd`).startsWith(folder)) process.kill(Number(id), 'SIGKILL');
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}

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
        runInBash(command, root, env, 5_000);
        expect(existsSync(trace), command).toBe(false);
        expect(lasting(), command).toEqual(before);
      }),
      { numRuns: runs(400, 20_000) },
    );
    expect(allowed).toBeGreaterThan(20);
  });
});

/** Ways to run a program, or to say its name without running it. */
const DENIED = fc.constantFrom(
  'canary',
  'canary x',
  "c'anar'y",
  'can?ry',
  './canary',
  'sub/../canary',
  'other',
  './other',
  '. ./say.sh',
  'sh say.sh',
  "'canary'",
  '"canary x"',
  '\'BEGIN{system("canary")}\'',
  "'1e canary'",
  "'a[$(canary)]'",
  '-x canary',
  "-c 'canary'",
  '-C canary -c1 a < say.sh',
  '--to-command=canary -xf a.tar',
  "alias.x='!canary' x",
  'canary EXIT',
  '-f say.mk',
  'ls',
  'src/a.txt',
);
const AS = fc.constantFrom(
  ...'|||||env |env -i PATH=. |env -u X |command |builtin |exec |eval |time |nice |nohup |timeout 2 |setsid |stdbuf -oL |xargs -a say.sh |xargs |sh -c |bash -c |find src -exec |find src -execdir |trap |coproc |jobs |test -v |printf -v |mapfile |awk |sed |tar |git -c |make |cp canary other; |ln -sf canary other && |alias other=canary; |other() { canary; }; |hash -p ./canary other; |PATH=. |PATH=sub:. |command export PATH=.; |BASH_ENV=say.sh bash -c |GIT_EXTERNAL_DIFF=canary git diff |GIT_PAGER=canary git -p |MAKEFLAGS=-fsay.mk make |echo canary > say2.sh; sh say2.sh |echo canary \\| sh |cat say.sh \\| |busybox |flock x |watch |script -qc |! |{ |( |if true; then |for x in a; do '
    .split(/(?<!\\)\|/)
    .map((one) => one.replaceAll('\\|', '|')),
);
const AGAIN = fc.constantFrom(
  '',
  '',
  '',
  ' && ls',
  '; ls',
  ' | cat',
  ' > out.txt',
  ' &',
  '; }',
  ')',
);

describe.skipIf(!hasBash)('a random command line that the sandbox allows', () => {
  it('does not run a denied program', async () => {
    const parser = await loadShellGrammar(GRAMMAR);
    const folder = tempFolder();
    const root = join(folder, 'project');
    const trace = join(folder, 'trace');
    for (const path of [root, join(root, 'src'), join(root, 'sub')]) mkdirSync(path);
    const files = {
      canary: `#!/bin/sh\necho ran > '${trace}'\n`,
      'say.sh': 'canary\n',
      'say.mk': 'all:\n\t@canary\n',
      'src/a.txt': 'x\n',
    };
    const restore = () => {
      for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
      chmodSync(join(root, 'canary'), 0o755);
      rmSync(join(root, 'other'), { force: true });
    };
    restore();
    execFileSync('git', ['init', '-q', root], { env: { ...process.env, HOME: folder } });
    const given = [
      ...rules('- canary *'),
      { decision: 'allow', subject: { kind: 'sandbox' }, scope: 'session' } as const,
    ];
    const facts = factsIn(root);
    const env = { PATH: `${process.env['PATH']}:${root}`, HOME: folder, LC_ALL: 'C' };
    let [allowed, ran] = [0, 0];
    const run = (command: string, timeout: number): boolean => {
      runInBash(command, root, env, timeout);
      const hasRun = existsSync(trace);
      rmSync(trace, { force: true });
      restore();
      return hasRun;
    };
    const line = fc
      .tuple(AS, AS, fc.oneof(PLAIN, DENIED), AGAIN)
      .map(([one, other, denied, end]) => `${one}${other}${denied}${end}`);
    fc.assert(
      fc.property(line, (command) => {
        const reading = readShellCommand(parser, command);
        const request = { kind: 'command', command, cwd: root, sandbox: 'no network' } as const;
        const { type } = decide(request, given, { ...facts, reading });
        // Some of the others run, to show that the lines could run the denied program.
        if (type !== 'allow' && ran < 5) ran += run(command, 2_000) ? 1 : 0;
        if (type !== 'allow') return;
        allowed += 1;
        // Some never end, as with `watch`.
        expect(run(command, 500), command).toBe(false);
      }),
      { numRuns: runs(400, 8_000) },
    );
    expect(allowed).toBeGreaterThan(10);
    expect(ran).toBe(5);
  });
});

/** Names of a key in the home folder, and what enters that folder. */
const KEY_WORD = fc.constantFrom(
  ..."../.ssh/id_rsa|.ssh/id_rsa|up/.ssh/id_rsa|u?/.ssh/id_rsa|up/.s*/id_rsa|link|lin?|~/.ssh/id_rsa|$HOME/.ssh/id_rsa|\"$HOME\"/.ssh/id_rsa|../.s?h/id_rsa|src/../../.ssh/id_rsa|self/../.ssh/id_rsa|-f../.ssh/id_rsa|--file=../.ssh/id_rsa|@../.ssh/id_rsa|src/a.txt|'cat $HOME/.ssh/id_rsa'|'cd; cat .ssh/id_rsa'|\"cat ../.ssh/id_rsa\"|'cat up/.ssh/id_rsa'|'{print}' ../.ssh/id_rsa|'BEGIN{while((getline l < \"../.ssh/id_rsa\")>0) print l}'|'BEGIN{ARGV[1]=\"link\";ARGC=2} 1'|-n p link|'1r link' src/a.txt|. -L -name id_rsa -exec cat {} +|.. -name id_rsa -exec cat {} +|-d x link|-R . link|-T link|--rawfile a link '$a' -n|-n 'input' link".split(
    '|',
  ),
);
const READ = fc.constantFrom(
  ...'cat |head |tail |grep "" |sort |awk |sed |sed -n p |find |tar cf out.tar |cp |cp -r |ln -s |sh |sh -c |bash -c |eval |exec cat |xargs cat |xargs -a link echo |jq -R . |diff /dev/null |git diff --no-index src/a.txt |git hash-object |base64 |tee out.txt < |cat < |source |. |read x < |mapfile < |dd if=|curl -s file://|openssl base64 -in |git -C |make -f |env -S |python3 -c |perl -pe 1 |less |vim -c |rev '.split(
    '|',
  ),
);
const BEFORE = fc.constantFrom(
  ...'||||||env |time |nice |timeout 2 |command |nohup |cd && |cd; |cd - && |cd "" && |cd .. && |cd up && |cd self && |cd -P up && |cd src && |pushd .. && |CDPATH=.. cd .ssh && |HOME=x cd && |(cd && |sh -c |find . -maxdepth 0 -exec |time cd && |ln -s .. more && |git init -q x && |exec < link; '.split(
    '|',
  ),
);

describe.skipIf(!hasBash)('a random command line that --yes approves', () => {
  it('gives no key of the home folder, which is around the workspace', async () => {
    const parser = await loadShellGrammar(GRAMMAR);
    const home = tempFolder({ '.ssh/id_rsa': 'A-KEY-OF-THE-USER\n' });
    const root = join(home, 'project');
    const restore = () => {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(join(root, 'src'), { recursive: true });
      writeFileSync(join(root, 'src/a.txt'), 'x\n');
      symlinkSync('..', join(root, 'up'));
      symlinkSync('.', join(root, 'self'));
      symlinkSync('../.ssh/id_rsa', join(root, 'link'));
    };
    restore();
    const { place } = factsIn(root);
    const env = { PATH: process.env['PATH'], HOME: home, LC_ALL: 'C' };
    let [approved, given] = [0, 0];
    const givesKey = (command: string): boolean => {
      const { stdout, stderr } = runInBash(command, root, env, 5_000, 'pipe');
      const found = spawnSync('grep', ['-rlE', 'A-KEY-OF-THE-USER|QS1LRVkt', root]);
      restore();
      return /A-KEY-OF|RESU-EHT|QS1LRVkt/.test(stdout + stderr) || found.stdout.length > 0;
    };
    const line = fc
      .tuple(
        BEFORE,
        READ,
        fc.oneof(PLAIN, KEY_WORD),
        fc.constantFrom('', '', ' > out.txt', ' | cat', ')', ' | tee y'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(line, (command) => {
        const reading = readShellCommand(parser, command);
        const isApproved = whyNotInside(reading, place) === undefined;
        // Some of the others run, to show that the lines could give the key.
        if (!isApproved && given < 5) given += givesKey(command) ? 1 : 0;
        if (!isApproved) return;
        approved += 1;
        expect(givesKey(command), command).toBe(false);
      }),
      { numRuns: runs(400, 8_000) },
    );
    expect(approved).toBeGreaterThan(5);
    expect(given).toBe(5);
  });
});
