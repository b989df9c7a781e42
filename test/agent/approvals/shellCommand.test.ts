import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  loadShellGrammar,
  readShellCommand,
  type ShellReading,
} from '../../../src/agent/approvals/shellCommand';
import { GRAMMAR } from '../../support/grammar';
import { runs } from '../../support/runs';

let read: (command: string) => ShellReading;
beforeAll(async () => {
  const parser = await loadShellGrammar(GRAMMAR);
  read = (command) => readShellCommand(parser, command);
});

/**
 * The words of each part, preceded by its variables and followed by redirections after `<` and `>`.
 */
function partsOf(command: string): readonly (readonly string[])[] | string {
  const reading = read(command);
  if (!reading.ok) return reading.message;
  return reading.parts.map(({ words, redirects, assignments }) => [
    ...assignments.map(({ name, value }) => `${name}=${value}`),
    ...words,
    ...redirects.map(({ path, writes }) => `${writes ? '>' : '<'} ${path}`),
  ]);
}

describe('readShellCommand', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['npm test', [['npm', 'test']]],
    ['npm  run   build', [['npm', 'run', 'build']]],
    ['A=1 B= C="x y" npm test', [['A=1', 'B=', 'C=x y', 'npm', 'test']]],
    ['a && b || c; d', [['a'], ['b'], ['c'], ['d']]],
    ['a\nb', [['a'], ['b']]],
    ['a & b', [['a'], ['b']]],
    ['a | b |& c', [['a'], ['b'], ['c']]],
    ['(a; b) && c', [['a'], ['b'], ['c']]],
    ['echo hi # rm x', [['echo', 'hi']]],
    [`r""m -'r'f "a b" c\\ d`, [['rm', '-rf', 'a b', 'c d']]],
    [`'a'\\''b' "x\\"y" "\\n"`, [["a'b", 'x"y', '\\n']]],
    [`echo '$HOME' '\`x\`' \\$x "\\$x"`, [['echo', '$HOME', '`x`', '$x', '$x']]],
    ['echo "$"', [['echo', '$']]],
    ['a > out 2>&1', [['a', '> out']]],
    ['a 2>/dev/null < in >> log', [['a', '> /dev/null', '< in', '> log']]],
    ['> x a', [['a', '> x']]],
    [
      '(a; b) > x',
      [
        ['a', '> x'],
        ['b', '> x'],
      ],
    ],
    ['a &> x >| y', [['a', '> x', '> y']]],
    ['ls src/*.ts a?b', [['ls', 'src/*.ts', 'a?b']]],
    ['echo a#b', [['echo', 'a#b']]],
    ['git commit -m "fix: ü"', [['git', 'commit', '-m', 'fix: ü']]],
  ])('reads %j', (command, parts) => {
    expect(partsOf(command)).toEqual(parts);
  });

  it.each([
    ['echo $(rm x)', 'runs a command inside another'],
    ['echo `rm x`', 'runs a command inside another'],
    ['echo "a$(rm x)"', 'runs a command inside another'],
    ['diff <(a) b', 'runs a command inside another'],
    ['echo $HOME', 'a variable'],
    ['echo "${x:-y}"', 'a variable'],
    ['echo "a$x"', 'a variable'],
    ['$x', 'a variable'],
    ['echo $((1+2))', 'a calculation'],
    ["echo $'\\x2e'", 'escapes'],
    ['echo $"x"', 'certainty'],
    ['a <> x', 'certainty'],
    ['echo {a,b}', 'a range'],
    ['echo x{a,b}y', 'a range'],
    ['echo {1..3}', 'a range'],
    ['cat <<EOF\nx\nEOF', 'input text for a program'],
    ['cat <<< x', 'input text for a program'],
    ['A+=1 npm test', 'sets a variable'],
    ['A=(1 2) npm test', 'certainty'],
    ['A=$x npm test', 'a variable'],
    ['A=1', 'sets a variable'],
    ['export PATH=x', 'sets a variable'],
    ['unset PATH', 'removes a variable'],
    ['f() { a; }', 'a function'],
    ['function f { a; }', 'a function'],
    ['for i in a; do b; done', 'a loop'],
    ['while a; do b; done', 'a loop'],
    ['if a; then b; fi', 'a condition'],
    ['case a in a) b;; esac', 'a condition'],
    ['[[ a ]] && b', 'a condition'],
    ['[ -f a ] && b', 'a condition'],
    ['npm te\\\nst', 'continues on the next'],
    ['npm test\r', 'invisible'],
    ['npm\u00a0test', 'invisible'],
    ['npm test\u2028rm x', 'invisible'],
    ['a\u001b[2Kb', 'invisible'],
    ['"unclosed', 'certainty'],
    ["'unclosed", 'certainty'],
    ['a &&', 'certainty'],
    ['a | | b', 'certainty'],
    ['(a', 'certainty'],
    ['{ a; b; }', 'certainty'],
    ['! a', 'certainty'],
    ['a >&-', 'certainty'],
    ['a >& x', 'certainty'],
    ['a >x>y', 'certainty'],
    ['a>x', 'certainty'],
    ['a -1>x', 'certainty'],
    ['', 'certainty'],
    ['# only words', 'certainty'],
    ['> x', 'certainty'],
    ['a >x b', 'certainty'],
    ['exec 3<>x', 'certainty'],
    ['ls ~/x', 'a home folder'],
    ['ls ~', 'a home folder'],
    ['tar --file=~/x', 'a home folder'],
    ['rm *', 'as an option'],
    ['rm [-a]*', 'as an option'],
    ['tar -x*', 'as an option'],
    ['((x=1))', 'a calculation'],
  ])('does not parse %j', (command, why) => {
    expect(partsOf(command)).toContain(why);
  });
});

describe.skipIf(!existsSync('/bin/bash'))('bash', () => {
  it('runs no program with words other than the parsed ones', () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-words-'));
    const sign = fc.constantFrom(...' ab\'"\\$`#!~{},=*?[]-:;&|<>()\t\n%^+@/1');
    try {
      expect(ranInBash("p 'a b'; q", folder)).toEqual([['p', 'a b'], ['q']]);
      fc.assert(
        fc.property(fc.array(sign, { minLength: 1, maxLength: 14 }), (signs) => {
          const command = `p ${signs.join('')}`;
          const reading = read(command);
          fc.pre(reading.ok);
          const words = reading.ok ? reading.parts.map((part) => part.words) : [];
          for (const ran of ranInBash(command, folder)) expect(words).toContainEqual(ran);
        }),
        { numRuns: runs(60, 3_000) },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/**
 * Runs a command without real programs; returns the programs that it would run, with their words.
 */
function ranInBash(command: string, folder: string): readonly (readonly string[])[] {
  // One file each, because the programs of a pipe run in parallel.
  const handler = `command_not_found_handle() { printf '%s\\0' "$@" > "$NOTES/$BASHPID"; }`;
  const script = `${handler}\nset -f\n${command}\nwait`;
  const notes = mkdtempSync(join(folder, 'notes-'));
  const work = mkdtempSync(join(folder, 'work-'));
  spawnSync('/bin/bash', ['--norc', '-c', script], {
    cwd: work,
    env: { PATH: '/nowhere', NOTES: notes },
    stdio: 'ignore',
  });
  const ran = readdirSync(notes).sort((a, b) => Number(a) - Number(b));
  return ran.map((name) => readFileSync(join(notes, name), 'utf8').split('\0').slice(0, -1));
}
