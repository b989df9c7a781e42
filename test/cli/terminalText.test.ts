import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalQuestion } from '../../src/cli/approvalQuestion';
import { textOfQuestion } from './support/textOfQuestion';
import { shownOn, terminalJson, terminalText } from '../../src/cli/terminalText';
import { hostileText } from '../support/hostileText';
import { runs } from '../support/runs';

/** Characters that no terminal may get: controls except line break and tab, formats, separators. */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe('text for a terminal', () => {
  it('has no control characters', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(terminalText(text)).not.toMatch(OBEYED);
      }),
      { numRuns: runs(300, 20_000) },
    );
    expect(terminalText('a\u001b[31mb\u0085\u202e\u2028\tc\n')).toBe(
      'a⟨ESC⟩[31mb⟨U+0085⟩⟨U+202E⟩⟨U+2028⟩\tc\n',
    );
  });

  it('leaves plain text unchanged', () => {
    const text = 'Größe: 5 µm 漢字 🚢\n\n  | table |\n';
    expect(terminalText(text)).toBe(text);
  });

  it('is JSON that parses to the same value', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const json = terminalJson({ text });
        expect(json).not.toMatch(OBEYED);
        expect(JSON.parse(json)).toEqual({ text });
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  it('is escaped for a terminal, and unchanged for a file', () => {
    const written: string[] = [];
    const write = (text: string) => written.push(text);
    shownOn({ isTTY: true, write }).write('a\u001b');
    shownOn({ write }).write('a\u001b');
    shownOn({ write }, true).write('a\u001b');
    expect(written).toEqual(['a⟨ESC⟩', 'a\u001b', 'a⟨ESC⟩']);
  });

  it('is the only output of the command line', () => {
    const folder = join(__dirname, '../../src/cli');
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts'))) {
      expect(readFileSync(join(folder, name), 'utf8'), name).not.toMatch(
        /process\.std|console\.|\bwriteSync\(1|\bwriteSync\(2/,
      );
    }
  });
});

describe('the question about a command', () => {
  it('shows a form from which the exact command can be recovered', () => {
    fc.assert(
      fc.property(hostileText, (command) => {
        const { lines, question } = approvalQuestion({ kind: 'command', command, cwd: '/' });
        for (const line of [...lines, question]) expect(line).not.toMatch(/[^\P{C}]/u);
        expect(textOfQuestion(lines)).toBe(command);
      }),
      { numRuns: runs(300, 20_000) },
    );
  });

  it('shows its number of lines', () => {
    const questionOf = (command: string) =>
      approvalQuestion({ kind: 'command', command, cwd: '/' }).question;
    expect(questionOf('ls')).toBe('Run this command (1 line)?');
    expect(questionOf('ls\nrm x')).toBe('Run this command (2 lines)?');
  });
});
