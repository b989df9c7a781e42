import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { lastingChanges, lastingSnapshot } from '../../src/tools/processes/lastingSnapshot';
import { findSandbox, sandboxPlace } from '../../src/tools/processes/sandbox';
import { runProcess } from '../../src/tools/processes/startedProcess';
import { tempFolder } from './support/tempFolder';

const IDENTITY = '-c user.name=a -c user.email=a@example.org -c protocol.file.allow=always';
const PATH = '/usr/bin:/bin';

// Not the user's own settings, such as those for signed commits.
beforeEach(() => void vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null'));

/** A repository with a canary that leaves a trace outside when it runs there. */
function project(setup = '') {
  const folder = tempFolder();
  const [home, root, trace] = ['home', 'home/work', 'ran'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(root, { recursive: true });
  const outside = (script: string) => {
    try {
      const options = { cwd: root, encoding: 'utf8', stdio: 'pipe' } as const;
      return execFileSync(
        '/bin/bash',
        ['-c', `git() { command git ${IDENTITY} "$@"; }; ${script}`],
        options,
      );
    } catch (error) {
      return String((error as { stderr?: unknown }).stderr);
    }
  };
  outside('git init -q . && git commit -qm x --allow-empty');
  writeFileSync(join(root, 'canary.sh'), `#!/bin/sh\necho ran > '${trace}'\n`);
  chmodSync(join(root, 'canary.sh'), 0o755);
  outside(setup);
  const sandboxed = async (command: string): Promise<string> => {
    const place = sandboxPlace({ roots: [root], home, path: PATH, network: false });
    const search = await findSandbox(place);
    const { output } = await runProcess(`git() { command git ${IDENTITY} "$@"; }; ${command}`, {
      cwd: root,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onOutput: () => undefined,
      sandbox: search.ok ? search.sandbox : undefined,
    });
    for (const [, path = ''] of output.matchAll(/Moved to (\S+):/g))
      rmSync(path, { recursive: true, force: true });
    return output;
  };
  return { root, trace, outside, sandboxed };
}

const SUBMODULE =
  'git init -q ../../lib && git -C ../../lib commit -qm x --allow-empty && git submodule add -q ../../lib lib && git commit -qm y';
const NOT_SET_UP = `${SUBMODULE} && git submodule -q deinit -f lib && rm -rf .git/modules`;
const EVIL = 'config core.fsmonitor "$PWD/canary.sh"';
const WORKTREE = 'git worktree add -q tree && git config extensions.worktreeConfig true';

describe.skipIf(!existsSync('/usr/bin/bwrap'))('a command in the sandbox', () => {
  it.each([
    [
      'a submodule that is not set up yet',
      NOT_SET_UP,
      `git init -q --bare .git/modules/lib && git --git-dir=.git/modules/lib config core.bare false && git --git-dir=.git/modules/lib ${EVIL}`,
      'git submodule update --init; git -C lib status; git status',
    ],
    [
      'a submodule whose folder it renames',
      SUBMODULE,
      `mv .git/modules/lib .git/modules/old && cp -r .git/modules/old .git/modules/lib && git config -f .git/modules/lib/config core.fsmonitor "$PWD/canary.sh"`,
      'git -C lib status; git status',
    ],
    [
      'a submodule, by the folder of all',
      SUBMODULE,
      `mv .git/modules .git/old && cp -r .git/old .git/modules && git config -f .git/modules/lib/config core.fsmonitor "$PWD/canary.sh"`,
      'git -C lib status; git status',
    ],
    [
      'a worktree whose folder it renames',
      'git worktree add -q tree',
      `git init -q --bare bare.d; mv bare.d/HEAD bare.d/H; cp -r .git bare; git config -f bare/config core.fsmonitor "$PWD/canary.sh"; mv bare/HEAD bare/head; mv .git/worktrees/tree .git/worktrees/old; cp -r .git/worktrees/old .git/worktrees/tree; echo ../../../bare > .git/worktrees/tree/commondir`,
      'git -C tree status',
    ],
    [
      'a worktree by its own settings',
      WORKTREE,
      `git config -f .git/worktrees/tree/config.worktree core.fsmonitor "$PWD/canary.sh"`,
      'git -C tree status',
    ],
    [
      'a worktree of a submodule',
      `${SUBMODULE} && git -C lib worktree add -q ../tree && git -C lib config extensions.worktreeConfig true`,
      `git config -f .git/modules/lib/worktrees/tree/config.worktree core.fsmonitor "$PWD/canary.sh"`,
      'git -C tree status',
    ],
    [
      'a remote that no settings name',
      'git init -q --bare ../../to; printf "#!/bin/sh\\n$PWD/canary.sh\\n" > ../../to/hooks/pre-receive; chmod +x ../../to/hooks/pre-receive',
      'mkdir -p .git/remotes; echo "URL: $(dirname "$(dirname "$PWD")")/to" > .git/remotes/origin',
      'git push origin HEAD',
    ],
    [
      'a remote of the oldest kind',
      'git init -q --bare ../../to; printf "#!/bin/sh\\n$PWD/canary.sh\\n" > ../../to/hooks/pre-receive; chmod +x ../../to/hooks/pre-receive',
      'mkdir -p .git/branches; echo "$(dirname "$(dirname "$PWD")")/to" > .git/branches/origin',
      'git push origin HEAD',
    ],
  ])('cannot make git run a program later through %s', async (_, setup, command, later) => {
    const { trace, outside, sandboxed } = project(setup);
    const output = await sandboxed(command);
    outside(later);
    expect(existsSync(trace)).toBe(false);
    expect(output).toMatch(/Moved to|Read-only|busy/);
  });

  it.each([
    [
      'the steps of a rebase',
      '',
      'mkdir -p .git/rebase-merge; cd .git/rebase-merge; git rev-parse HEAD | tee onto orig-head > /dev/null; git symbolic-ref HEAD > head-name; echo "exec ./canary.sh" > git-rebase-todo; touch interactive done; echo 1 > end; echo 0 > msgnum',
      'git rebase --continue',
      '.git/rebase-merge/git-rebase-todo',
    ],
    [
      'the strategy of a rebase',
      'echo a > a; git add a; git commit -qm a; git branch side; echo b > a; git commit -qam b',
      'mkdir -p git-merge-x .git/rebase-merge; cp canary.sh git-merge-x/e; pick=$(git rev-parse HEAD); onto=$(git rev-parse HEAD~2); git checkout -q --detach $onto; cd .git/rebase-merge; echo $onto > onto; echo $pick > orig-head; echo refs/heads/master > head-name; echo "pick $pick b" > git-rebase-todo; touch interactive done; echo 1 > end; echo 0 > msgnum; echo x/../git-merge-x/e > strategy',
      'git rebase --continue',
      '.git/rebase-merge/strategy',
    ],
    [
      'the strategy of a cherry-pick',
      'echo a > a; git add a; git commit -qm a; git branch side; echo b > a; git commit -qam b',
      'mkdir -p git-merge-x .git/sequencer; cp canary.sh git-merge-x/e; pick=$(git rev-parse HEAD); git checkout -q --detach HEAD~2; cd .git/sequencer; git rev-parse HEAD | tee head abort-safety >/dev/null; printf "[options]\\n strategy = x/../git-merge-x/e\\n" > opts; echo "pick $pick b" > todo; echo "pick $pick b" >> todo; cp todo ../../t; git rev-parse HEAD > ../CHERRY_PICK_HEAD',
      'git cherry-pick --skip; git cherry-pick --continue',
      '.git/sequencer/opts',
    ],
  ])('has the user told that it made git run a program later through %s', async (...given) => {
    const [, setup, command, later, changed] = given;
    const { root, trace, outside, sandboxed } = project(setup);
    const before = await lastingSnapshot(root);
    await sandboxed(command);
    const after = await lastingSnapshot(root, before);
    expect(lastingChanges(before, after)).toEqual([{ path: changed, how: 'made' }]);
    // It runs indeed, and its end is nothing new.
    outside(later);
    expect(existsSync(trace)).toBe(true);
    outside('git rebase --abort; git cherry-pick --abort');
    expect(lastingChanges(after, await lastingSnapshot(root, after))).toEqual([]);
  });

  it('may leave a rebase under way without commands', async () => {
    const { root, sandboxed } = project(
      'echo a > a; git add a; git commit -qm a; git branch side; echo b > a; git commit -qam b; git checkout -q side; echo c > a; git commit -qam c',
    );
    const before = await lastingSnapshot(root);
    expect(await sandboxed('git rebase master')).toContain('CONFLICT');
    expect(lastingChanges(before, await lastingSnapshot(root, before))).toEqual([]);
  });

  it('sets up a submodule again, and a worktree, which stay', async () => {
    const setup = SUBMODULE.replaceAll('../../lib', './libs');
    const { outside, sandboxed } = project(`${setup} && rm -rf lib .git/modules`);
    await sandboxed('git submodule -q update');
    const output = await sandboxed('git worktree add -q tree HEAD^');
    expect(output).not.toContain('Moved');
    expect(outside('git -C lib log --format=%s; git -C tree log --format=%s')).toBe('x\nx\n');
  });
});
