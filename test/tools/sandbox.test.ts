import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { foldersAt } from '../../src/agent/workspaceFolders';
import { guardFiles } from '../../src/tools/processes/guardedFiles';
import { runProcess } from '../../src/tools/processes/startedProcess';
import {
  bubblewrapArgs,
  findSandbox,
  probe,
  sandboxFor,
  sandboxPlace,
  seatbeltProfile,
  type Sandbox,
} from '../../src/tools/processes/sandbox';

const PLACE = { roots: ['/home/me/work'], home: '/home/me', path: '/usr/bin:/home/me/.n/bin' };
const IN_IT = { ...PLACE, cwd: '/home/me/work' };

/** Pretends that these files exist. */
const having =
  (...files: readonly string[]) =>
  (path: string) =>
    files.includes(path);

const GUARDED = {
  lasting: ['/home/me/work/.vscode'],
  repositories: [
    { path: '/home/me/work/.git', deciding: ['/home/me/work/.git/hooks'] },
    { path: '/home/me/work/sub/.git' },
  ],
  held: [{ path: '/home/me/work/.husky' }],
};

/** Deletes what was moved out of the workspace, as the output of a command says. */
function deleteMoved(output: string): void {
  for (const [, path = ''] of output.matchAll(/Moved to (\S+):/g))
    rmSync(path, { recursive: true, force: true });
}

/** Makes a folder for the duration of the test. */
function passingFolder(prefix: string): string {
  const folder = mkdtempSync(prefix);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('the sandbox of a system', () => {
  it('is bubblewrap on Linux: programs, an empty home, the workspace, and what is read-only in it', () => {
    const exists = having(
      '/usr',
      '/etc/hosts',
      '/etc/resolv.conf',
      '/home/me/.n/bin',
      '/home/me/.n/lib',
    );
    expect(bubblewrapArgs({ ...IN_IT, network: false }, GUARDED, exists).join(' ')).toBe(
      '--unshare-all --unshare-user --disable-userns --cap-drop ALL --die-with-parent --ro-bind /usr /usr ' +
        '--ro-bind /etc/hosts /etc/hosts --dev /dev --proc /proc --ro-bind-try /proc/sys /proc/sys --ro-bind-try /proc/irq /proc/irq ' +
        '--ro-bind-try /proc/bus /proc/bus --ro-bind-try /proc/fs /proc/fs --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger --ro-bind-try /dev/null /proc/keys --tmpfs /tmp --tmpfs /var/tmp --tmpfs /home/me ' +
        '--ro-bind /home/me/.n/bin /home/me/.n/bin --ro-bind /home/me/.n/lib /home/me/.n/lib ' +
        '--bind /home/me/work /home/me/work --bind /home/me/work/.git /home/me/work/.git ' +
        '--ro-bind /home/me/work/.git/hooks /home/me/work/.git/hooks ' +
        '--ro-bind /home/me/work/sub/.git /home/me/work/sub/.git ' +
        '--ro-bind /home/me/work/.vscode /home/me/work/.vscode --ro-bind /home/me/work/.husky /home/me/work/.husky --chdir /home/me/work --',
    );
    const found = sandboxFor('linux', { ...PLACE, network: false }, having('/usr/bin/bwrap'));
    expect(found).toMatchObject({ name: 'bubblewrap', program: '/usr/bin/bwrap' });
    expect(found?.guards).toContain('have no network');
  });

  it('has the network if requested', () => {
    const args = bubblewrapArgs({ ...IN_IT, network: true }, GUARDED, having('/etc/resolv.conf'));
    expect(args).toContain('--share-net');
    expect(args).toContain('/etc/resolv.conf');
    const found = sandboxFor('linux', { ...PLACE, network: true }, having('/usr/bin/bwrap'));
    expect(found?.guards).toContain('have network access, also to servers and abstract sockets');
  });

  it('shows no folder of PATH that holds everything of the user', () => {
    const path = '/:/home:/home/me:relative:/home/me/bin';
    const args = bubblewrapArgs({ ...IN_IT, path, network: false }, GUARDED, () => true);
    const shown = args.flatMap((arg, at) => (args[at - 1] === '--ro-bind' ? [arg] : []));
    expect(shown).toContain('/home/me/bin');
    for (const folder of ['/', '/home', '/home/me', 'relative'])
      expect(shown).not.toContain(folder);
  });

  it('is sandbox-exec on macOS', () => {
    const found = sandboxFor(
      'darwin',
      { ...PLACE, network: false },
      having('/usr/bin/sandbox-exec'),
    );
    expect(found).toMatchObject({ name: 'sandbox-exec', program: '/usr/bin/sandbox-exec' });
    const profile = seatbeltProfile({ ...PLACE, network: false }, GUARDED, having());
    const [missing = '', installed] = profile.split('\n').slice(-2);
    expect(missing).toContain(
      '(regex #"^/home/me/work/(.*/)?[aA][gG][eE][nN][tT][sS]\\.[mM][dD](/|$)")',
    );
    expect(installed).toBe('(allow file-write* (regex #"^/home/me/work/(.*/)?node_modules/"))');
    expect(profile.split('\n').slice(0, -2)).toEqual([
      '(version 1)',
      '(allow default)',
      '(deny network*)',
      '(deny file-write*)',
      '(allow file-write* (subpath "/home/me/work") (subpath "/private/tmp") (subpath "/private/var/folders") (subpath "/dev"))',
      '(deny file-read-data (subpath "/home/me") (subpath "/Users") (subpath "/Volumes"))',
      '(allow file-read-data (subpath "/home/me/work"))',
      '(deny file-write* (subpath "/home/me/work/.git/hooks") (subpath "/home/me/work/sub/.git") (subpath "/home/me/work/.vscode"))',
    ]);
  });

  it('is absent without such a program', () => {
    const there = having('/usr/bin/bwrap', '/usr/bin/sandbox-exec');
    expect(sandboxFor('win32', { ...PLACE, network: false }, there)).toBeUndefined();
    expect(sandboxFor('linux', { ...PLACE, network: false }, having())).toBeUndefined();
    expect(sandboxFor('darwin', { ...PLACE, network: false }, having())).toBeUndefined();
  });
});

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-sandbox-')));
const [root, home] = [join(folder, 'home', 'work'), join(folder, 'home')];
const place = { roots: [root], home, path: process.env['PATH'] ?? '' };
let sandbox: Sandbox | undefined;
mkdirSync(root, { recursive: true });
for (const at of [root, join(root, 'sub')]) execFileSync('git', ['init', '-q', at]);
const found = await findSandbox(sandboxPlace({ ...place, network: false }));

// Also runs on systems without a sandbox, where the tests are skipped.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!found.ok)('a command in the sandbox', () => {
  beforeAll(() => {
    sandbox = found.ok ? found.sandbox : undefined;
    writeFileSync(join(home, 'secret.txt'), 'secret');
  });

  async function run(command: string, signal = new AbortController().signal) {
    const options = { cwd: root, timeoutMs: 20_000, signal, onOutput: () => undefined, sandbox };
    return runProcess(command, options);
  }

  it('writes in the workspace, and not next to it', async () => {
    expect(await run('echo x > a.txt && cat a.txt')).toMatchObject({ exitCode: 0, output: 'x\n' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('x\n');
    await run(
      'echo x > ../b.txt; echo x > /usr/plimsoll-was-here; echo x > /tmp/plimsoll-was-here',
    );
    for (const file of [join(home, 'b.txt'), '/usr/plimsoll-was-here', '/tmp/plimsoll-was-here'])
      expect(existsSync(file), file).toBe(false);
  });

  it('cannot see the home folder, and has node', async () => {
    const { output } = await run('cat ../secret.txt; ls -A ..; node -p 6*7');
    expect(output).not.toContain('secret\n');
    // Errors come by another pipe, before or after the rest.
    const lines = output.trimEnd().split('\n');
    expect(lines.filter((line) => !line.startsWith('cat: '))).toEqual(['work', '42']);
    expect(output).toContain('cat: ../secret.txt: No such file');
  });

  it('can read hooks, but not change them', async () => {
    const { exitCode } = await run('echo x > .git/hooks/pre-commit');
    expect(exitCode).not.toBe(0);
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('cannot change what decides which programs git runs, in any repository', async () => {
    writeFileSync(join(root, 'AGENTS.md'), 'ours');
    mkdirSync(join(root, 'sub', '.vscode'));
    const { output } = await run(
      [
        'mv .git .git2',
        'git config core.fsmonitor ./evil.sh',
        'echo /tmp/x > .git/commondir',
        'rm -f .git/commondir',
        'mv .git/commondir .git/x',
        'echo x > .git/info/attributes',
        'mkdir .git/hooks/x',
        'git -C sub config core.fsmonitor ./evil.sh',
        'mv sub/.git sub/.git2',
        'echo x > AGENTS.md',
        'mv AGENTS.md x',
        'echo x > sub/.vscode/tasks.json',
      ]
        .map((line) => `if { ${line}; } 2>/dev/null; then echo 'did: ${line}'; fi`)
        .join('\n'),
    );
    expect(output).toBe('');
    expect(existsSync(join(root, 'sub/.vscode/tasks.json'))).toBe(false);
    const state = execFileSync('git', ['-C', root, 'config', '--list', '--local'], {
      encoding: 'utf8',
    });
    expect(state).not.toContain('fsmonitor');
    expect(existsSync(join(root, '.git', 'commondir'))).toBe(false);
  });

  it('can commit, and uses git as outside', async () => {
    const said = await run(
      'echo x > new.txt && git add new.txt && git -c user.name=a -c user.email=a@b.c commit -qm x && git log --oneline | wc -l',
    );
    expect(said).toMatchObject({ exitCode: 0, output: '1\n' });
  });

  const tried = (lines: readonly string[]): string =>
    lines.map((line) => `if { ${line}; } 2>/dev/null; then echo 'did: ${line}'; fi`).join('\n');

  it('cannot make the folders that take effect when they appear, and leaves no trace of them', async () => {
    rmSync(join(root, '.git/hooks'), { recursive: true, force: true });
    const names = readdirSync(root);
    const { output } = await run(
      `${tried([
        'echo x > .vscode/tasks.json',
        'mkdir .vscode/x',
        'rmdir .vscode',
        'mv .vscode x',
        'mkdir -p .github/workflows',
        'mkdir .husky/_',
        'echo x > .devcontainer/devcontainer.json',
        'echo x > .circleci/config.yml',
        'echo x > .claude/settings.json',
        'echo x > .git/hooks/pre-commit',
        'echo x > .git/info/attributes',
      ])}; git status --short | grep -E 'vscode|github|husky|claude'`,
    );
    expect(output).toBe('');
    expect(readdirSync(root)).toEqual(names);
    expect(existsSync(join(root, '.git/hooks'))).toBe(false);
    mkdirSync(join(root, '.github'));
    expect((await run(tried(['mkdir .github/workflows', 'mkdir .github/actions']))).output).toBe(
      '',
    );
    expect((await run('mkdir .github/ISSUE_TEMPLATE')).exitCode).toBe(0);
    rmSync(join(root, '.github'), { recursive: true });
  });

  it('keeps what someone puts into such a folder meanwhile', async () => {
    const ran = run('until test -e .vscode/settings.json; do sleep 0.05; done');
    await expect.poll(() => existsSync(join(root, '.vscode'))).toBe(true);
    writeFileSync(join(root, '.vscode/settings.json'), '{}');
    await ran;
    expect(readFileSync(join(root, '.vscode/settings.json'), 'utf8')).toBe('{}');
    rmSync(join(root, '.vscode'), { recursive: true });
  });

  it('has new files that outlast the session moved aside, and reported', async () => {
    const { output } = await run(
      'for f in .envrc .npmrc CLAUDE.md .gitlab-ci.yml Makefile deep/er/AGENTS.md; do mkdir -p $(dirname $f); echo made > $f; done; echo kept > deep/er/a.md',
    );
    onTestFinished(() => deleteMoved(output));
    const aside = /Moved to (\S+): ([^\]]*)\. Make them/.exec(output);
    for (const file of ['.envrc', '.npmrc', 'CLAUDE.md', '.gitlab-ci.yml', 'deep/er/AGENTS.md']) {
      expect(existsSync(join(root, file)), file).toBe(false);
      expect(aside?.[2]).toContain(file);
      expect(readFileSync(join(aside?.[1] ?? '', file), 'utf8')).toBe('made\n');
    }
    expect(readFileSync(join(root, 'deep/er/a.md'), 'utf8')).toBe('kept\n');
  });

  it('makes a plain repository; one whose settings run programs is moved aside', async () => {
    const { output } = await run(
      [
        'git init -q plain',
        'git init -q evil && git -C evil config core.fsmonitor ./evil.sh',
        'git init -q hooked && echo x > hooked/.git/hooks/pre-commit',
        'git init -q --bare bare && git -C bare config core.fsmonitor ./evil.sh',
        'mkdir pointed && echo "gitdir: ../evil/.git" > pointed/.git',
      ].join('\n'),
    );
    onTestFinished(() => {
      deleteMoved(output);
      for (const name of ['plain', 'evil', 'hooked', 'bare', 'pointed'])
        rmSync(join(root, name), { recursive: true, force: true });
    });
    expect(existsSync(join(root, 'plain/.git/config'))).toBe(true);
    for (const path of ['evil/.git', 'hooked/.git', 'bare/config', 'pointed/.git'])
      expect(existsSync(join(root, path)), path).toBe(false);
  });

  it('cannot replace a lasting file by renaming its folder or its link', async () => {
    mkdirSync(join(root, 'part/.vscode'), { recursive: true });
    writeFileSync(join(root, 'part/.vscode/tasks.json'), 'ours');
    writeFileSync(join(root, 'notes.md'), 'ours');
    symlinkSync('notes.md', join(root, 'GEMINI.md'));
    const { output } = await run(
      [
        'mv part part2 && mkdir -p part/.vscode && echo evil > part/.vscode/tasks.json',
        'echo evil > notes.md',
        'rm GEMINI.md && echo evil > GEMINI.md',
      ].join('\n'),
    );
    onTestFinished(() => {
      deleteMoved(output);
      for (const name of ['part', 'part2', 'notes.md', 'GEMINI.md'])
        rmSync(join(root, name), { recursive: true, force: true });
    });
    expect(existsSync(join(root, 'part/.vscode/tasks.json'))).toBe(false);
    expect(readFileSync(join(root, 'GEMINI.md'), 'utf8')).toBe('ours');
  });

  it('cannot change hooks and settings that the settings of git name, nor those of submodules', async () => {
    const git = (...args: readonly string[]) => execFileSync('git', ['-C', root, ...args]);
    const module = join(root, '.git/modules/libs/deep');
    mkdirSync(join(root, 'scripts/hooks'), { recursive: true });
    mkdirSync(module, { recursive: true });
    execFileSync('git', ['init', '-q', '--bare', '--template=', module]);
    git('config', 'core.hooksPath', 'scripts/hooks');
    git('config', 'include.path', '../team.gitconfig');
    writeFileSync(join(root, 'team.gitconfig'), '');
    onTestFinished(() => {
      git('config', '--unset', 'core.hooksPath');
      git('config', '--unset', 'include.path');
      for (const path of [module, join(root, 'scripts'), join(root, 'team.gitconfig')])
        rmSync(path, { recursive: true });
    });
    const { output } = await run(
      tried([
        'echo x > scripts/hooks/pre-commit',
        'mv scripts/hooks x',
        'echo x > team.gitconfig',
        'echo x >> .git/modules/libs/deep/config',
        'echo x > .git/modules/libs/deep/hooks/pre-commit',
        'mkdir .git/modules/libs/deep/hooks/x',
        'echo x > .git/modules/libs/deep/commondir',
      ]),
    );
    expect(output).toBe('');
    expect(readdirSync(module)).not.toContain('hooks');
  });

  it('says when the workspace was too large to guard everything', async () => {
    for (let at = 0; at < 30; at += 1) writeFileSync(join(root, `sub/file${at}`), '');
    writeFileSync(join(root, '.envrc'), 'ours');
    const guard = await guardFiles([root], {
      hasPlaceholders: true,
      bounds: { entries: 5, ms: 10_000 },
    });
    expect(guard.note).toMatch(/too many files/);
    expect(guard.guarded.lasting).toContain(join(root, '.envrc'));
    await guard.release(true);
    expect(existsSync(join(root, 'AGENTS.md'))).toBe(true);
    rmSync(join(root, '.envrc'));
  });

  it('removes the placeholders of a process that was killed', async () => {
    const script = `mkdir ${root}/.husky; echo "[{\\"path\\":\\"${root}/.husky\\"},{\\"path\\":\\"${home}\\"}]"`;
    const list = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
    const own = createHash('sha256').update(root).digest('hex').slice(0, 16);
    writeFileSync(join(tmpdir(), `plimsoll-held-${own}-999999999-x`), list);
    await (await guardFiles([root], { hasPlaceholders: true })).release(true);
    expect(existsSync(join(root, '.husky'))).toBe(false);
    expect(existsSync(home)).toBe(true);
  });

  it('sees nothing of the disk but programs, and no socket', async () => {
    const other = passingFolder('/var/tmp/plimsoll-other-');
    writeFileSync(join(other, 'secret.txt'), 'secret');
    const { output } = await run(
      `ls -d ${other} ${folder}/* /run/* /var/lib /root/.ssh /etc/shadow /srv /mnt /media /boot /sys /tmp/* 2>/dev/null; cat ${other}/secret.txt; echo done`,
    );
    // A clone below /tmp has programs there, which npm puts into the path.
    const leadsToPrograms = (line: string) =>
      line.startsWith('/tmp/') && process.env['PATH']!.includes(`${line}/`);
    const lines = output
      .split('\n')
      .filter((line) => !line.startsWith('cat: ') && !leadsToPrograms(line));
    expect(new Set(lines)).toEqual(new Set([folder, home, 'done', '']));
  });

  it.each([
    [
      'in a temporary folder, such as the one of an agent of keys',
      () => join(passingFolder('/tmp/ssh-'), 'agent.1'),
    ],
    ['in /var/tmp', () => join(passingFolder('/var/tmp/service-'), 's.sock')],
    ['in the home folder', () => join(home, 's.sock')],
    ['in /run', () => '/run/plimsoll-test.sock'],
    ['with an abstract name, as X and D-Bus have', () => '\0plimsoll-test'],
  ])('cannot reach a socket %s', async (_name, pathOf) => {
    const path = pathOf();
    const server = createServer((_, response) => response.end('hello'));
    const isOpen = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(path, () => resolve(true));
    });
    onTestFinished(() => void server.close());
    if (!isOpen) return; // Not root: /run belongs to the system.
    const call = `node -e 'require("net").connect(${JSON.stringify(path)}).on("connect", () => process.exit(0)).on("error", () => process.exit(9))'`;
    const outside = { cwd: root, timeoutMs: 20_000, signal: new AbortController().signal };
    const onOutput = () => undefined;
    expect(await runProcess(call, { ...outside, onOutput })).toMatchObject({ exitCode: 0 });
    expect(await run(call)).toMatchObject({ exitCode: 9 });
  });

  it('finds no variable with the name of a secret, not even in the environment of the sandbox', async () => {
    vi.stubEnv('PLIMSOLL_TEST_TOKEN', 'hidden-in-name');
    vi.stubEnv('PLIMSOLL_TEST_PLAIN', 'plainly-visible');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { output } = await run('env; cat /proc/*/environ | tr "\\0" "\\n"');
    expect(output).toContain('plainly-visible');
    expect(output).not.toContain('hidden-in-name');
  });

  it('cannot undo the mounts, as root or not', async () => {
    const { output } = await run(
      [
        `umount -l ${home}`,
        'umount -l /tmp',
        'mount -o remount,bind,rw /usr',
        'mount -t tmpfs none /usr',
        'unshare -Ur true',
        'unshare -m true',
        'test -w /proc/sys/kernel/core_pattern',
        'test -w /proc/sysrq-trigger',
        'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern',
      ]
        .map((line) => `if { ${line}; } 2>/dev/null; then echo 'did: ${line}'; fi`)
        .join('\n'),
    );
    expect(output).toBe('');
  });

  it('has no network, not even on this computer', async () => {
    const server = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const call = `node -e "fetch('http://127.0.0.1:${port}').then(() => process.exit(0), () => process.exit(9))"`;
    expect(await run(call)).toMatchObject({ exitCode: 9 });
  });

  it('is ended with all its child processes', async () => {
    const stop = new AbortController();
    const ended = run('sleep 1000 & echo $! > pid; setsid sleep 1000 & sleep 1000', stop.signal);
    await expect.poll(() => existsSync(join(root, 'pid'))).toBe(true);
    stop.abort();
    expect(await ended).toMatchObject({ ended: 'stopped' });
    // Only the arguments of the sandbox contain the name of its folder.
    const signal = new AbortController().signal;
    const options = { cwd: root, timeoutMs: 20_000, signal, onOutput: () => undefined };
    const { output } = await runProcess(`ps -eo args | grep -c '[b]ind ${root}'`, options);
    expect(output.trim()).toBe('0');
  });

  it('writes in all folders of the workspace, and is held in each', async () => {
    const roots = [root, join(home, 'server'), join(root, 'packages/ui')];
    for (const one of roots.slice(1)) execFileSync('git', ['init', '-q', one]);
    onTestFinished(() => {
      for (const one of [...roots.slice(1), join(root, 'CLAUDE.md')]) {
        rmSync(one, { recursive: true, force: true });
      }
    });
    const [, server, ui] = roots as [string, string, string];
    const folders = foldersAt([root, server, ui]);
    writeFileSync(join(server, 'AGENTS.md'), 'ours');
    writeFileSync(join(server, 'rules.md'), 'ours');
    symlinkSync('../server/rules.md', join(root, 'CLAUDE.md'));
    const several = await findSandbox(sandboxPlace({ ...place, roots, folders, network: false }));
    if (!several.ok) throw new Error(several.message);
    const runIn = async (cwd: string, ...lines: readonly string[]) => {
      const options = { cwd, timeoutMs: 20_000, signal: new AbortController().signal };
      const { output } = await runProcess(lines.join('\n'), {
        ...options,
        onOutput: () => undefined,
        sandbox: several.sandbox,
      });
      return output;
    };
    const writes = roots.map((one) => `echo x > ${one}/written`);
    expect(await runIn(server, 'pwd', ...writes)).toBe(`${server}\n`);
    for (const one of roots) expect(readFileSync(join(one, 'written'), 'utf8')).toBe('x\n');
    const output = await runIn(
      root,
      `echo x > ${server}/AGENTS.md`,
      `echo x > ${server}/rules.md`,
      `echo x > ${server}/.git/hooks/pre-commit`,
      `mkdir -p ${ui}/.vscode && echo {} > ${ui}/.vscode/tasks.json`,
      `echo x > ${ui}/.git/config`,
      `echo x > ${home}/secret.txt; cat ${home}/secret.txt`,
      `echo x > ${server}/Makefile; echo x > ${ui}/.envrc`,
    );
    onTestFinished(() => deleteMoved(output));
    const kept = ['AGENTS.md', 'rules.md'].map((name) => readFileSync(join(server, name), 'utf8'));
    expect(kept).toEqual(['ours', 'ours']);
    expect(readFileSync(join(ui, '.git/config'), 'utf8')).toContain('[core]');
    expect(readFileSync(join(home, 'secret.txt'), 'utf8')).toBe('secret');
    expect(output).toMatch(/Moved to \S+: ui\/\.envrc\.[^]*Moved to \S+: server\/Makefile\./);
    for (const path of [`${server}/.git/hooks/pre-commit`, `${server}/.vscode`, `${ui}/.vscode`]) {
      expect(existsSync(path), path).toBe(false);
    }
  });
});

const isRoot = process.getuid?.() === 0;

describe.skipIf(!found.ok)('a sandbox that does not hold', () => {
  /** The sandbox with other arguments of its program. */
  const weakened = (change: (args: readonly string[]) => readonly string[]) => ({
    name: sandbox!.name,
    program: sandbox!.program,
    prepare: async (cwd: string) => {
      const prepared = await sandbox!.prepare(cwd);
      return { ...prepared, args: change(prepared.args) };
    },
  });

  it('is refused if a command can write outside', async () => {
    const open = ['--unshare-user', '--cap-drop', 'ALL', '--bind', '/', '/', '--dev', '/dev', '--'];
    expect(
      await probe(
        weakened(() => open),
        root,
      ),
    ).toBe('it can write outside the workspace');
  });

  it.skipIf(!isRoot)('is refused if root can unmount or remount folders', async () => {
    const rights = ['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'];
    const withRights = (args: readonly string[]) => args.filter((one) => !rights.includes(one));
    expect(await probe(weakened(withRights), root)).toBe('it can unmount folders');
    // The folders that the first attempts would unmount are none of its mounts.
    const onlyRemount = ['--ro-bind', '/', '/', '--dev', '/dev', '--ro-bind', '/usr', '/usr', '--'];
    expect(
      await probe(
        weakened(() => onlyRemount),
        root,
      ),
    ).toBe('it can make folders writable');
  });

  it('is refused if its program fails, in the words of the program', async () => {
    expect(
      await probe(
        weakened(() => ['--no-such-option']),
        root,
      ),
    ).toMatch(/no-such-option/);
    expect(
      await probe(
        weakened((args) => args),
        root,
      ),
    ).toBeUndefined();
  });
});

describe.skipIf(!found.ok || !isRoot || !existsSync('/usr/bin/setpriv'))(
  'a command of an ordinary user in the sandbox',
  () => {
    it('is held like one of root', async () => {
      const sandboxOfUser = sandboxFor(
        'linux',
        { roots: [root], home, path: '/usr/bin:/bin', network: false },
        existsSync,
      );
      const { args, release } = await sandboxOfUser!.prepare(root);
      onTestFinished(async () => void (await release(false)));
      chmodSync(folder, 0o755);
      const lines = [
        'echo x > /usr/written',
        `umount -l ${home}`,
        'mount -o remount,bind,rw /usr',
        'unshare -Ur true',
        'cat /etc/shadow',
        'mv .git .git2',
        'echo x > .git/config',
        'mkdir .husky/_',
        'echo x > .vscode/tasks.json',
        'rmdir .vscode',
        'mkdir .github/workflows',
        'test -w /proc/sys/kernel/core_pattern',
      ];
      const script = lines
        .map((line) => `if { ${line}; } 2>/dev/null; then echo 'did: ${line}'; fi`)
        .join('\n');
      const asUser = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
      const output = execFileSync(
        'setpriv',
        [...asUser, sandboxOfUser!.program, ...args, '/bin/sh', '-c', `${script}; id -u`],
        { encoding: 'utf8' },
      );
      expect(output).toBe('65534\n');
    });
  },
);
