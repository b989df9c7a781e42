import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { insideFolders } from '../../../src/agent/approvals/commandPaths';
import { decide, type RuleAnswer } from '../../../src/agent/approvals/decide';
import type { ApprovalRule } from '../../../src/contextWindow/approvalRule';
import { loadShellGrammar, readShellCommand } from '../../../src/agent/approvals/shellCommand';
import { foldersAt } from '../../../src/agent/workspaceFolders';
import { GRAMMAR } from '../../support/grammar';
import { tempFolder } from '../../tools/support/tempFolder';
import { FACTS, ROOT, rules } from './support/rules';

let decideCommand: (
  command: string,
  given: readonly ApprovalRule[],
  sandbox?: string,
) => RuleAnswer;
beforeAll(async () => {
  const parser = await loadShellGrammar(GRAMMAR);
  decideCommand = (command, given, sandbox) =>
    decide({ kind: 'command', command, cwd: ROOT, ...(sandbox && { sandbox }) }, given, {
      reading: readShellCommand(parser, command),
      ...FACTS,
    });
});

describe('commands that a rule allows in the sandbox', () => {
  const inSandbox = (command: string, ...lines: readonly string[]) => {
    const sandbox = { decision: 'allow', subject: { kind: 'sandbox' }, scope: 'session' } as const;
    return decideCommand(command, [sandbox, ...rules(...lines)], 'they have no network.');
  };

  it.each([
    ['rm -rf build', []],
    ['curl -o /etc/x example.org', []],
    ['for f in *; do rm "$f"; done', []],
    ['npm run lint && curl example.org', ['+ npm run *']],
    ['rm a.txt', ['- git push *']],
  ])('include %s', (command, lines) => {
    expect(inSandbox(command, ...lines)).toMatchObject({ type: 'allow', inSandbox: true });
  });

  it('run outside if another rule allows them there', () => {
    expect(inSandbox('npm test', '+ npm test')).not.toHaveProperty('inSandbox');
  });

  it('are denied if another rule denies them, and are asked about if a denied command may hide in them', () => {
    expect(inSandbox('git push', '- git push *').type).toBe('deny');
    expect(inSandbox('$(echo git) push', '- git push *').type).toBe('ask');
  });
});

const GIVEN = rules(
  '+ npm test',
  '+ npm run *',
  '- npm run deploy *',
  '+ npm run deploy --dry-run',
  '+ git status *',
  '+ git log *',
  '+ git *',
  '- git push *',
  '- git config',
  '+ ls *',
  '+ cat *',
  '+ grep *',
  '+ tail *',
  '+ echo *',
  '+ node scripts/check.js',
  "+ printf 'a b' *",
  '- rm *',
);

describe('a command under rules', () => {
  it.each([
    'npm test',
    'npm  test',
    '"npm" test',
    "n'p'm te\\st",
    'npm test # all of them',
    'npm run',
    'npm run build',
    'npm run build -- --watch',
    'npm run deploy --dry-run',
    'npm test && npm run lint',
    'npm test; npm run lint',
    'npm test || echo failed',
    'npm test | tail -n 20',
    'npm test 2>&1 | tail -n 20',
    'npm test > /dev/null 2>&1',
    'npm test &',
    '(npm test)',
    '(cd src && ls) | cat',
    'npm test\nnpm run lint',
    'git status',
    'git status -s',
    'git log --oneline -3',
    'git diff HEAD~1',
    'git commit -m "Fix: a, b; c && d | e > f"',
    "git commit -m 'costs $5 `now`'",
    'time npm test',
    'env npm test',
    'timeout 60 npm test',
    'nice -n 5 npm run build',
    'git --no-pager log --oneline',
    'ls',
    'ls -la src',
    'ls src/*.ts',
    'cat src/a.ts src/b.ts',
    'cat < src/a.ts',
    'cat /work/project/a.ts',
    'cd src && cat a.ts',
    'grep -rn "a\\|b" src',
    'grep -rn https://example.org/a src',
    'echo hello world',
    'echo "$"',
    'node scripts/check.js',
    "printf 'a b' c",
    'printf "a b"',
  ])('is allowed: %s', (command) => {
    expect(decideCommand(command, GIVEN)).toMatchObject({ type: 'allow' });
  });

  it.each([
    'rm a.txt',
    'rm',
    'git push',
    'git push origin main',
    'npm run deploy',
    'npm run deploy --force',
    'npm run deploy --dry-run --force',
    'git config',
    'npm test && rm a.txt',
    'rm a.txt; npm test',
    'npm test | rm a.txt',
    '(rm a.txt)',
    "'rm' a.txt",
    'r\\m a.txt',
    'make && rm a.txt',
    'cat ../x && git push',
  ])('is denied: %s', (command) => {
    expect(decideCommand(command, GIVEN)).toMatchObject({ type: 'deny' });
  });

  it.each([
    // No rule, or no rule for all of it.
    'make',
    'npm',
    'npm install',
    'npm testing',
    'npm test --watch',
    'npm test && make',
    'make | tail -n 3',
    'npm test & make',
    'npm test\nmake',
    '(make)',
    './npm test',
    '/usr/bin/npm test',
    'sudo npm test',
    'env A=1 npm test',
    'git config user.name',
    'bash -c "npm test"',
    'xargs cat',
    'node scripts/check.js --fix',
    'node scripts/other.js',
    'printf a b',
    'NPM test',
    // Outside the workspace.
    'cat /etc/passwd',
    'cat ../x',
    'cat src/../../x',
    'ls /',
    'cd .. && ls',
    'cd src && cat ../x',
    'cd; ls',
    'cd - && ls',
    'cat < /etc/passwd',
    'git -C .. status',
    'git -C/tmp status',
    'git --git-dir=../x status',
    'grep -f/etc/passwd a',
    'echo x > ../x',
    'pushd src && ls',
    // More than programs with words.
    'echo x > a.txt',
    'echo x >> a.txt',
    'cat a &> b',
    'A=1 npm test',
    'PATH=. npm test',
    'export A=1',
    'cat $HOME/x',
    'cat "$X"',
    'cat ${X}',
    'echo $(make)',
    'echo `make`',
    'cat <(make)',
    "cat $'a'",
    'cat {a,b}',
    'cat ~/x',
    'cat ~',
    'cat <<EOF\nx\nEOF',
    'cat <<< x',
    'for f in a; do cat $f; done',
    'if npm test; then ls; fi',
    'while true; do ls; done',
    'f() { ls; }; f',
    '[[ -f a ]] && ls',
    'ls; { ls; }',
    '! ls',
    'npm run *',
    'npm run -*',
    // Cannot be parsed with certainty.
    'cat "a',
    "cat 'a",
    'npm te\\\nst',
    'npm test\r',
    'npm\u00a0test',
    'npm test \u202e',
    'cat a |',
    'cat a;;',
    'cat (a)',
    'cat a >b c',
    'cat a -1>b',
    '',
    ' ',
  ])('is asked about: %j', (command) => {
    expect(decideCommand(command, GIVEN)).toMatchObject({ type: 'ask' });
  });

  it('is asked about if there are no rules', () => {
    for (const command of ['npm test', 'ls', 'cd src', 'rm x']) {
      expect(decideCommand(command, []).type).toBe('ask');
    }
  });

  it('may write if edits are allowed', () => {
    const given = [...GIVEN, ...rules('+ edits')];
    expect(decideCommand('echo x > src/a.txt', given).type).toBe('allow');
    expect(decideCommand('echo x > ../a.txt', given).type).toBe('ask');
    expect(decideCommand('echo x > AGENTS.md', given)).toMatchObject({
      why: 'It may change AGENTS.md, which outlasts the session.',
    });
    expect(decideCommand('echo x > src/a.txt', [...given, ...rules('- edits')]).type).toBe('ask');
  });

  it('has the rules that allowed it, and the rule that denied it', () => {
    expect(decideCommand('npm test && ls && npm run a', GIVEN)).toEqual({
      type: 'allow',
      rules: [
        'allowed in this session: npm test',
        'allowed in this session: ls *',
        'allowed in this session: npm run *',
      ],
    });
    expect(decideCommand('npm test && git push', GIVEN)).toEqual({
      type: 'deny',
      rule: 'denied in this session: git push *',
    });
  });

  it('has the reason why no rule can decide', () => {
    expect(decideCommand('cat $X', GIVEN)).toMatchObject({
      why: 'No rule can allow this command, because it contains a variable.',
    });
    expect(decideCommand('A=1 ls', GIVEN)).toMatchObject({ why: 'It sets the variable A.' });
    expect(decideCommand('ls > x', GIVEN)).toMatchObject({ why: 'It writes to x.' });
    expect(decideCommand('ls ../x', GIVEN)).toMatchObject({
      why: 'It names ../x, which is outside the workspace.',
    });
  });
});

/** The texts of the offered rules. */
function offered(command: string): readonly string[] {
  const answer = decideCommand(command, []);
  if (answer.type !== 'ask') throw new Error('It was not asked.');
  return answer.choices.map(({ text }) => text);
}

describe('the offered rules', () => {
  it.each<[string, readonly string[]]>([
    ['npm test', ['npm test', 'npm test *']],
    ['npm run build', ['npm run build', 'npm run *']],
    ['npm run build -- --watch', ['npm run build -- --watch', 'npm run *']],
    ['make', ['make']],
    ['ls -la', ['ls -la']],
    [
      'git status && cargo build --release',
      ['git status and cargo build --release', 'git status * and cargo build *'],
    ],
    ['timeout 60 npm test', ['npm test', 'npm test *']],
    ['git --no-pager log', ['git --no-pager log', 'git log *']],
    ['node a.js', ['node a.js']],
    ['rm a.txt', ['rm a.txt']],
    ['bash a.sh', ['bash a.sh']],
    ['sudo ls', ['sudo ls']],
    ['npm exec a b', ['npm exec a b']],
    ['grep "a b" "it\'s" x', ["grep 'a b' 'it''s' x"]],
    ["echo '*'", ["echo '*'"]],
  ])('for %s', (command, texts) => {
    expect(offered(command)).toEqual(texts);
  });

  it('are none for a program that runs in another folder, where it may be another one', () => {
    expect(decideCommand('cd src && make', rules('+ make'))).toEqual({
      type: 'ask',
      choices: [],
      why: 'It runs make in another folder, where it may be another program.',
    });
  });

  it('are sufficient: each of them allows the command', () => {
    for (const command of [
      'npm test',
      'git status && make -j4',
      'grep "a b" "it\'s" x',
      "echo '*'",
    ]) {
      expect(offered(command)).not.toEqual([]);
      for (const text of offered(command)) {
        const lines = text.split(' and ').map((pattern) => `+ ${pattern}`);
        expect(decideCommand(command, rules(...lines)).type, command).toBe('allow');
      }
    }
  });
});

describe('commands in several folders', () => {
  const decideIn = async (folder: string, command: string, given: readonly ApprovalRule[] = []) => {
    const top = tempFolder({
      'client/.git/config': '[core]\n\thooksPath = ../server/hooks\n',
      'client/a.ts': '',
      'server/a.ts': '',
      'outside/a.ts': '',
    });
    const [client, server] = [join(top, 'client'), join(top, 'server')];
    const place = { root: join(top, folder), folders: foldersAt([client, server]) };
    const parser = await loadShellGrammar(GRAMMAR);
    const request = { kind: 'command', command, cwd: place.root } as const;
    const reading = readShellCommand(parser, command);
    const own = given.map((rule) =>
      rule.subject.kind === 'command' && rule.subject.folder !== undefined
        ? { ...rule, subject: { ...rule.subject, folder: join(top, rule.subject.folder) } }
        : rule,
    );
    const answer = decide(request, own, { reading, isInside: insideFolders(place), place });
    return JSON.parse(JSON.stringify(answer).replaceAll(top, '')) as RuleAnswer;
  };
  const inServer = {
    decision: 'allow',
    subject: { kind: 'command', pattern: 'npm test', folder: 'server' },
    scope: 'session',
  } as const;

  it('may name files of each folder, and none outside them', async () => {
    const cat = rules('+ cat *');
    expect(await decideIn('client', 'cat a.ts ../server/a.ts', cat)).toMatchObject({
      type: 'allow',
    });
    expect(await decideIn('server', 'cat ../client/a.ts', cat)).toMatchObject({ type: 'allow' });
    expect(await decideIn('client', 'cat ../outside/a.ts', cat)).toMatchObject({
      type: 'ask',
      why: 'It names ../outside/a.ts, which is outside the workspace.',
    });
  });

  it('are asked about if they may change a file that lasts in another folder', async () => {
    for (const path of ['../server/AGENTS.md', '../server/hooks/pre-commit']) {
      expect(await decideIn('client', `cp a.ts ${path}`, rules('+ cp *'))).toMatchObject({
        type: 'ask',
        why: `It may change ${path}, which outlasts the session.`,
      });
    }
  });

  it('follow the rules of the folder in which they run', async () => {
    expect(await decideIn('client', 'npm test', rules('+ npm test'))).toMatchObject({
      type: 'allow',
    });
    expect(await decideIn('server', 'npm test', rules('+ npm test'))).toMatchObject({
      type: 'ask',
      choices: [{ text: 'npm test in /server' }, { text: 'npm test * in /server' }],
    });
    expect(await decideIn('server', 'npm test', [inServer])).toEqual({
      type: 'allow',
      rules: ['allowed in this session: npm test in /server'],
    });
    expect(await decideIn('client', 'npm test', [inServer])).toMatchObject({ type: 'ask' });
    expect(await decideIn('server', 'cd ../client && npm test', [inServer])).toMatchObject({
      type: 'ask',
      why: 'It runs npm in another folder, where it may be another program.',
    });
    expect(await decideIn('server', 'npm test', rules('- npm test'))).toMatchObject({
      type: 'deny',
    });
  });
});
