import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { decide, type RuleAnswer } from '../../../src/agent/approvals/decide';
import { loadShellGrammar, readShellCommand } from '../../../src/agent/approvals/shellCommand';
import type { ApprovalRule } from '../../../src/contextWindow/approvalRule';
import { GRAMMAR } from '../../support/grammar';
import { tempFolder } from '../../tools/support/tempFolder';
import { factsIn, ROOT, rules } from './support/rules';

const IN_SANDBOX: ApprovalRule = {
  decision: 'allow',
  subject: { kind: 'sandbox' },
  scope: 'session',
};

let judged: (command: string, given: readonly ApprovalRule[], root?: string) => RuleAnswer;
beforeAll(async () => {
  const parser = await loadShellGrammar(GRAMMAR);
  judged = (command, given, root = ROOT) =>
    decide({ kind: 'command', command, cwd: root, sandbox: 'no network' }, [...given, IN_SANDBOX], {
      reading: readShellCommand(parser, command),
      ...factsIn(root),
    });
});

describe('a denial', () => {
  it.each<[string, readonly string[]]>([
    ['- npm run start *', ['npm start', 'npm -s start', 'npm run start']],
    ['- npm run test', ['npm test', 'npm t', 'npm tst', 'npm run-script test']],
    ['- yarn run test *', ['yarn test', 'yarn run test x']],
    ['- make deploy *', ['make build deploy', 'make -j4 A=1 deploy', 'gmake build deploy']],
    ['- mvn deploy *', ['mvn -q clean deploy']],
    ['- gradle publish *', ['gradle clean publish']],
    ['- rake deploy *', ['rake build deploy']],
    [
      '- rm -rf *',
      [
        'rm --recursive --force x',
        'rm -r --force x',
        'rm -R -f x',
        'rm -Rf x',
        'rm --rec --forc x',
      ],
    ],
    [
      '- git push --force *',
      [
        'git push --forc',
        'git push -f',
        'git push -qf origin',
        'git push origin +main',
        'git push --force-with-lease',
      ],
    ],
    ['- git push -f *', ['git push --force', 'git push origin +main:main']],
    ['- git reset --hard *', ['git reset --har', 'git reset HEAD --hard']],
    ['- git branch -D *', ['git branch -d -f x', 'git branch --delete --force x']],
    ['- git clean -fdx *', ['git clean --force -d -x']],
    [
      '- git commit --no-verify *',
      ['git commit -n -m x', 'git commit -nm x', 'git commit --no-ver'],
    ],
    ['- git rebase -i *', ['git rebase --interactive main']],
    ['- docker compose down -v *', ['docker compose down --volumes', 'docker-compose down -v']],
    ['- docker system prune -a *', ['docker system prune --all']],
    ['- chmod -R *', ['chmod --recursive 777 x']],
    [
      '- sed -i *',
      ['sed -i.bak s/a/b/ x', 'sed --in-place s/a/b/ x', 'sed --in-place=.b s/a/b/ x'],
    ],
    [
      '- tar -x *',
      ['tar xf a.tar', 'tar zxf a.tar', 'tar --extract -f a.tar', 'tar --get -f a.tar'],
    ],
    ['- tar xf *', ['tar -x -f a.tar', 'tar -xzf a.tar']],
  ])('%s holds for %j', (rule, commands) => {
    for (const command of commands) expect(judged(command, rules(rule)).type, command).toBe('deny');
  });

  it.each<[string, readonly string[]]>([
    ['- docker run test *', ['docker test']],
    ['- make deploy *', ['make build', 'make deployed']],
    ['- npm run deploy *', ['npm run build deploy']],
    ['- rm -rf *', ['rm -r x', 'rm -f x', 'rm x', 'rm --force x']],
    [
      '- git push --force *',
      ['git push --follow-tags', 'git push origin main', 'git push -u origin f'],
    ],
    ['- git branch -D *', ['git branch -d x', 'git branch -f x']],
    ['- git commit --no-verify *', ['git commit -m x --no-edit']],
    ['- sed -i *', ['sed -n 1p x', 'sed s/a/b/ x']],
    ['- tar -x *', ['tar tf a.tar', 'tar cf x.tar a', 'tar -cf a.tar x']],
    ['- chmod -R *', ['chmod -r x']],
  ])('%s does not hold for %j', (rule, commands) => {
    for (const command of commands)
      expect(judged(command, rules(rule)).type, command).not.toBe('deny');
  });

  it.each([
    'LD_PRELOAD=./x.so ls',
    'NODE_OPTIONS=--require=./x.js npm test',
    'MAKEFLAGS=--eval=x make',
    'GIT_SSH_COMMAND=./x git fetch',
    'EDITOR=./x git commit',
    'GIT_EDITOR=./x git rebase --continue',
    'builtin typeset -x PATH=tools; clean',
    'command readonly PATH=tools; clean',
    'rake clean',
    'gulp clean',
    'cargo run',
    'mix run',
    'systemd-cat clean',
    'ssh-agent ./clean.sh',
    'uclampset ./clean.sh',
    'sensible-editor a',
    'logsave out.txt clean',
    'jq -n \'import "a" as a; a::b\'',
    "zip a b '-TT./clean' -T",
  ])('makes the sandbox ask about %s, which may hide it', (command) => {
    expect(judged(command, rules('- rm *')).type).toBe('ask');
    expect(judged(command, []).type).toBe('allow');
  });

  it.each([
    'CI=1 NODE_ENV=test npm test',
    'GIT_PAGER=cat git log',
    'GIT_EDITOR=true git commit --amend',
    'PYTHONUNBUFFERED=1 pytest',
    'env FORCE_COLOR=1 npm test',
    'make build',
    'find . -type f -exec wc -l {} +',
    'cargo test',
    "jq '.important, .include' a.json",
  ])('leaves the sandbox alone with %s', (command) => {
    expect(judged(command, rules('- rm *')).type).toBe('allow');
  });

  it('of edits makes the sandbox ask about a command that changes a file', () => {
    for (const command of [
      'echo x > src/a.txt',
      'sed -i s/a/b/ src/a.txt',
      "sh -c 'echo x > src/a.txt'",
      'tee src/a.txt',
      'for f in a; do echo x > $f; done',
    ])
      expect(judged(command, rules('- edits')).type, command).toBe('ask');
    for (const command of ['cat src/a.txt > /dev/null', 'sed -n 1p src/a.txt', 'npm test'])
      expect(judged(command, rules('- edits')).type, command).toBe('allow');
  });
});

describe.skipIf(!existsSync('/bin/bash'))('a command that runs a foreign program', () => {
  it('is not allowed in the sandbox where a command is denied', () => {
    const root = tempFolder({
      'tools/clean': '#!/bin/sh\n/bin/echo ran > trace\n',
      'x.sh': '/bin/echo ran > trace\n',
    });
    chmodSync(join(root, 'tools/clean'), 0o755);
    const trace = join(root, 'trace');
    for (const command of [
      'PATH=tools:/bin; clean',
      'env PATH=tools:/bin clean',
      'command export PATH=tools:/bin; clean',
      'builtin export PATH=tools:/bin && clean',
      'command declare -x PATH=tools:/bin; clean',
      'BASH_ENV=./x.sh bash -c true',
      'time PATH=tools:/bin clean',
      'time -p BASH_ENV=./x.sh bash -c true',
      'time if true; then PATH=tools:/bin; clean; fi',
    ]) {
      spawnSync('/bin/bash', ['--norc', '-c', command], { cwd: root, stdio: 'ignore' });
      expect(existsSync(trace), command).toBe(true);
      rmSync(trace);
      expect(judged(command, rules('- rm *'), root).type, command).toBe('ask');
    }
  });

  const command = "MAKEFLAGS=--eval='$(shell ./clean)' make";

  it('is not allowed through the flags of make either', () => {
    expect(judged(command, rules('- rm *')).type).toBe('ask');
  });

  it.skipIf(spawnSync('make', ['--version']).status !== 0)('runs through the flags of make', () => {
    const root = tempFolder({ clean: '#!/bin/sh\n/bin/echo ran > trace\n', Makefile: 'all:\n' });
    chmodSync(join(root, 'clean'), 0o755);
    // make runs the flag's command in the SHELL of its environment, which may have none.
    const env = { ...process.env, SHELL: '/bin/sh' };
    spawnSync('/bin/bash', ['--norc', '-c', command], { cwd: root, env, stdio: 'ignore' });
    expect(existsSync(join(root, 'trace'))).toBe(true);
  });
});
