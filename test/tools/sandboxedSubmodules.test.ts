import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { gitlinksOf } from '../../src/tools/processes/gitlinks';
import { findSandbox, sandboxPlace } from '../../src/tools/processes/sandbox';
import { runProcess } from '../../src/tools/processes/startedProcess';
import { tempFolder } from './support/tempFolder';

const IDENTITY = '-c user.name=a -c user.email=a@example.org -c advice.addEmbeddedRepo=false';

/** Makes a submodule at a path, whose settings run the canary. */
function submodule(path: string, add = `git ${IDENTITY} add -f ${path}`): string {
  return [
    `git init -q ${path}`,
    `git -C ${path} ${IDENTITY} commit -qm x --allow-empty`,
    add,
    `git -C ${path} config core.fsmonitor "$PWD/canary.sh"`,
  ].join(' && ');
}

/** A repository with a canary that leaves a trace outside when it runs. */
function project() {
  const folder = tempFolder();
  const [home, root, trace] = [
    join(folder, 'home'),
    join(folder, 'home/work'),
    join(folder, 'ran'),
  ];
  mkdirSync(root, { recursive: true });
  execFileSync('git', ['init', '-q', root]);
  writeFileSync(join(root, 'canary.sh'), `#!/bin/sh\necho ran > '${trace}'\n`);
  chmodSync(join(root, 'canary.sh'), 0o755);
  return { folder, home, root, trace };
}

const PATH = '/usr/bin:/bin';
const hasGit = existsSync('/usr/bin/git') || existsSync('/bin/git');
// Not the user's own settings, such as those for signed commits.
beforeEach(() => void vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null'));
const probed = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-probe-')));
mkdirSync(join(probed, 'work'));
const found = await findSandbox(
  sandboxPlace({ roots: [join(probed, 'work')], home: probed, path: PATH, network: false }),
);
rmSync(probed, { recursive: true });

async function run(command: string, made = project()) {
  const { root, home } = made;
  const place = sandboxPlace({ roots: [root], home, path: PATH, network: false });
  const search = await findSandbox(place);
  const { output } = await runProcess(command, {
    cwd: root,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    sandbox: search.ok ? search.sandbox : undefined,
  });
  for (const [, path = ''] of output.matchAll(/Moved to (\S+):/g))
    rmSync(path, { recursive: true, force: true });
  return { ...made, output };
}

describe.skipIf(!hasGit || !found.ok)('a command in the sandbox', () => {
  it.each([
    ['in a folder that it ignores', `echo evil > .gitignore; ${submodule('evil')}`],
    ['in a folder that it lets ripgrep ignore', `echo evil > .ignore; ${submodule('evil')}`],
    ['among installed packages', `mkdir node_modules; ${submodule('node_modules/evil')}`],
    [
      'in a split index',
      `git update-index --split-index; echo evil > .gitignore; ${submodule('evil')}`,
    ],
    ['in an index of version 4', `git update-index --index-version 4; ${submodule('evil')}`],
    [
      'in a submodule that runs nothing',
      `git init -q plain && git -C plain ${IDENTITY} commit -qm x --allow-empty; echo '*' > plain/.gitignore; ` +
        `${submodule('plain/evil', `git ${IDENTITY} -C plain add -f evil`)}; git ${IDENTITY} add -f plain`,
    ],
    ['with a name that is not UTF-8', `E=$(printf '\\377'); ${submodule('$E')}`],
  ])('makes no submodule that runs programs when git enters it: %s', async (_, command) => {
    const { root, trace, output } = await run(command);
    execFileSync('git', ['status'], { cwd: root });
    expect(existsSync(trace), output).toBe(false);
    expect(output).toMatch(/may not make/);
  });

  it('does so behind many files, which the output says', async () => {
    const files = 'mkdir many; cd many; seq 1 41000 | xargs touch; cd ..; mkdir -p z/z';
    const { root, trace, output } = await run(`${files}; ${submodule('z/z/evil')}`);
    execFileSync('git', ['status'], { cwd: root });
    expect(existsSync(trace), output).toBe(false);
    expect(output).toContain('The workspace now has too many files to look at all');
  });

  it('keeps the settings of a submodule in an ignored folder, a worktree, and a repository elsewhere', async () => {
    const made = project();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], { cwd: made.root });
    writeFileSync(join(made.root, '.gitignore'), 'out\nseparate\n');
    git('init', '-q', 'out/libs');
    git('-C', 'out/libs', 'commit', '-qm', 'x', '--allow-empty');
    git('-c', 'advice.addEmbeddedRepo=false', 'add', '-f', 'out/libs');
    git('commit', '-qm', 'x');
    git('worktree', 'add', '-q', 'out/tree');
    git('config', 'extensions.worktreeConfig', 'true');
    for (const path of ['.git/config.worktree', '.git/worktrees/tree/config.worktree'])
      writeFileSync(join(made.root, path), '');
    git('init', '-q', '--separate-git-dir=separate', 'pointer');
    git('init', '-q', '--bare', 'bare');
    const separate = readFileSync(join(made.root, 'separate/config'), 'utf8');
    const { output } = await run(
      [
        'git -C out/libs config core.fsmonitor ./x',
        'echo gitdir: x > out/tree/.git',
        ...['commondir', 'gitdir', 'config.worktree'].map(
          (name) => `echo x > .git/worktrees/tree/${name}`,
        ),
        'echo x > .git/config.worktree',
        'echo x >> separate/config',
        'echo x > separate/hooks/pre-commit',
        'git -C bare config core.fsmonitor ./x',
      ]
        .map((line) => `if { ${line}; } 2>/dev/null; then echo 'did: ${line}'; fi`)
        .join('\n'),
      made,
    );
    expect(output).toBe('');
    expect(readFileSync(join(made.root, 'separate/config'), 'utf8')).toBe(separate);
  });

  it('keeps what another command in the sandbox needs until both have ended', async () => {
    const made = project();
    const common = join(made.root, '.git/commondir');
    const short = run('sleep 0.6', made);
    await expect.poll(() => existsSync(common)).toBe(true);
    const long = run(
      'sleep 1.4; mkdir -p e; printf %s "$PWD/e" > .git/commondir && echo written',
      made,
    );
    await short;
    expect((await long).output).not.toContain('written');
    expect(existsSync(common)).toBe(false);
  });

  it.each([
    ['a .git', 'mkdir sub && mkfifo sub/.git'],
    ['a part of the index', 'mkfifo .git/sharedindex.1'],
    ['a part of the index that never ends', 'ln -s /dev/zero .git/sharedindex.1'],
  ])('and the next one end although it made a pipe or a device of %s', async (_, command) => {
    const made = project();
    await run(command, made);
    const { output } = await run('echo ended', made);
    expect(output).toContain('ended');
  });

  it.each(['index', 'HEAD', 'packed-refs'])(
    'does not make Plimsoll wait by a pipe as %s: git is not run, and the output says so',
    async (name) => {
      const made = project();
      const { root } = made;
      await run(`git init -q sub && git -C sub ${IDENTITY} commit -qm x --allow-empty`, made);
      execFileSync('sh', ['-c', `git ${IDENTITY} add -f sub`], { cwd: root });
      const asked = join(made.folder, 'asked');
      const git = join(made.folder, 'git');
      writeFileSync(git, `#!/bin/sh\necho asked > '${asked}'\n`, { mode: 0o755 });
      expect(await gitlinksOf(join(root, '.git'), git)).toBeDefined();
      expect(existsSync(asked)).toBe(true);
      rmSync(asked);
      const { output } = await run(`rm -f .git/${name}; mkfifo .git/${name}`, made);
      expect(await gitlinksOf(join(root, '.git'), git)).toBeUndefined();
      expect(existsSync(asked)).toBe(false);
      const unread = 'The index of git in .git cannot be read';
      expect(output).toContain(unread);
      const next = (await run('true', made)).output;
      expect(next).toContain(unread);
      expect(next).not.toContain('too many files');
    },
  );

  it.each([
    ['sub', true],
    ['../../../..', false],
  ])('sets up a submodule only with its folder in the workspace: %s', async (folder, isKept) => {
    const made = project();
    const worktree = folder === 'sub' ? '../../../sub' : folder;
    const { root, output } = await run(
      'git init -q sub && mkdir -p .git/modules && mv sub/.git .git/modules/sub && ' +
        `git -C .git/modules/sub config core.worktree ${worktree} && ` +
        "echo 'gitdir: ../.git/modules/sub' > sub/.git",
      made,
    );
    expect(existsSync(join(root, 'sub/.git')), output).toBe(isKept);
  });

  it('may move a repository with hooks, which stays whole, runs its own hooks only, and is not taken away', async () => {
    const made = project();
    const { root } = made;
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root });
    git('init', '-q', 'libs');
    const hook = join(root, 'libs/.git/hooks/pre-commit');
    writeFileSync(hook, `#!/bin/sh\necho ours > '${made.trace}'\n`, { mode: 0o755 });
    const before = readdirSync(join(root, 'libs/.git')).toSorted();
    const { output } = await run(
      [
        'mkdir deep; mv libs deep/er',
        'for file in hooks/pre-commit hooks/post-commit config commondir info/attributes; do echo evil >> deep/er/.git/$file; done',
        'mv deep/er/.git deep/er/git',
        'mv deep deeper; mkdir -p libs/.git/hooks',
        'cp canary.sh libs/.git/hooks/pre-commit',
      ]
        .map((line) => `{ ${line}; } 2> /dev/null`)
        .join('\n'),
      made,
    );
    expect(output).not.toContain('deeper');
    expect(readdirSync(join(root, 'deeper/er/.git')).toSorted()).toEqual(before);
    expect(existsSync(join(root, 'libs/.git/hooks/pre-commit'))).toBe(false);
    git(
      '-C',
      'deeper/er',
      '-c',
      'user.name=a',
      '-c',
      'user.email=a',
      'commit',
      '--allow-empty',
      '-qm',
      'x',
    );
    expect(readFileSync(made.trace, 'utf8')).toBe('ours\n');
  });

  it.each([
    ['whose settings name hooks next to it', 'git -C libs config core.hooksPath ../hooks'],
    ['with a hook that is a link', 'ln -s ../../../hooks/pre-commit libs/.git/hooks/pre-commit'],
  ])('may not move a repository %s', async (_, setUp) => {
    const made = project();
    const { root, trace } = made;
    execFileSync('sh', ['-c', `git init -q libs; mkdir hooks; ${setUp}`], { cwd: root });
    const { output } = await run(
      'mkdir -p deep/hooks; cp canary.sh deep/hooks/pre-commit; mv libs deep/libs',
      made,
    );
    expect(output).toContain('deep/libs/.git');
    const commit = `git ${IDENTITY} -C deep/libs commit --allow-empty -qm x`;
    execFileSync('sh', ['-c', commit], { cwd: root });
    expect(existsSync(trace)).toBe(false);
  });

  it('changes no settings of a submodule that it entered before without them', async () => {
    const made = project();
    const odd = String.raw`E=$(printf '\377')`;
    const entry = 'git update-index --add --cacheinfo 160000,$(git rev-parse HEAD)';
    await run(`git ${IDENTITY} commit -qm x --allow-empty; ${odd}; ${entry},"$E"`, made);
    const { root, trace } = made;
    const { output } = await run(
      `${odd}; git init -q "$E"; git -C "$E" config core.fsmonitor "$PWD/canary.sh"`,
      made,
    );
    execFileSync('git', ['-C', root, 'status', '--porcelain']);
    expect([existsSync(trace), output]).toEqual([false, expect.stringContaining('.git')]);
  });

  it('cannot hide a lasting file in a folder by ignoring it', async () => {
    const made = project();
    mkdirSync(join(made.root, 'src'));
    const { root } = await run('echo src > .gitignore; echo x > src/AGENTS.md', made);
    expect(existsSync(join(root, 'src/AGENTS.md'))).toBe(false);
    expect(existsSync(join(root, '.gitignore'))).toBe(true);
  });
});

/** Runs a command in the sandbox as the user of the process. */
const RUNNER = `
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { sandboxFor } from './sandbox';
const [root = '', home = '', command = ''] = process.argv.slice(2);
const sandbox = sandboxFor('linux', { roots: [root], home, path: '/usr/bin:/bin', network: false }, existsSync);
const { args, release } = await sandbox.prepare(root);
try {
  execFileSync(sandbox.program, [...args, '/bin/sh', '-c', command], { stdio: 'inherit' });
} finally {
  console.log((await release(true)).join());
}
`;

const isRoot = process.getuid?.() === 0;

// Root may enter every folder, so that root runs this as another user.
describe.skipIf(!hasGit || !found.ok || (isRoot && !existsSync('/usr/bin/setpriv')))(
  'a command of an ordinary user in the sandbox',
  () => {
    it('cannot open a repository or a folder that its user has closed', () => {
      const made = project();
      const [git, closed] = [join(made.root, '.git'), join(made.root, 'closed')];
      mkdirSync(closed);
      const config = readFileSync(join(git, 'config'), 'utf8');
      for (const path of [git, closed]) chmodSync(path, 0);
      const output = runAsUser(
        made,
        'chmod 700 .git closed; git config core.fsmonitor ./canary.sh; echo x > closed/AGENTS.md; chmod 0 .git closed; echo done',
      );
      expect(output).toMatch(/done/);
      for (const path of [git, closed]) {
        expect(statSync(path).mode & 0o777).toBe(0);
        chmodSync(path, 0o700);
      }
      expect(readFileSync(join(git, 'config'), 'utf8')).toBe(config);
      expect(existsSync(join(closed, 'AGENTS.md'))).toBe(false);
    });

    it.skipIf(!isRoot)('runs beside a repository of another user, and leaves nothing there', () => {
      const made = project();
      const git = join(made.root, 'vend/.git');
      execFileSync('git', ['init', '-q', join(made.root, 'vend')]);
      const before = readdirSync(made.root);
      expect(runAsUser(made, 'echo done', git)).toMatch(/done/);
      expect(readdirSync(made.root)).toEqual(before);
      expect(readdirSync(git)).not.toContain('commondir');
    });

    /** Runs a command in the sandbox as an ordinary user, to whom all but one folder belongs. */
    function runAsUser(
      { folder, root, home }: ReturnType<typeof project>,
      command: string,
      ofAnother?: string,
    ): string {
      const runner = join(folder, 'runner.mjs');
      const [bundle] = buildSync({
        stdin: { contents: RUNNER, resolveDir: join(__dirname, '../../src/tools/processes') },
        bundle: true,
        platform: 'node',
        format: 'esm',
        write: false,
        banner: {
          js: "import { createRequire as make } from 'node:module'; const require = make(import.meta.url);",
        },
      }).outputFiles;
      writeFileSync(runner, bundle?.text ?? '');
      if (isRoot) execFileSync('chown', ['-R', '65534:65534', folder]);
      if (ofAnother !== undefined) execFileSync('chown', ['-R', '0:0', ofAnother]);
      chmodSync(folder, 0o755);
      const words = [process.execPath, runner, root, home, command];
      const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
      const [program = '', ...rest] = isRoot ? ['setpriv', ...user, ...words] : words;
      const env = { PATH, HOME: home, TMPDIR: folder };
      return execFileSync(program, rest, { env, encoding: 'utf8', stdio: 'pipe' });
    }
  },
);
