import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(__dirname, '..');
const SAMPLE = join('src', 'offline', 'sample');

/**
 * Names that had several meanings or were unclear: a name, where `*` stands for any letters, or a
 * text in quotes.
 */
const RETIRED = [
  'deed*',
  '*Deed*',
  'settlePass',
  'HandEdit*',
  'handEdit*',
  'WindowEdit',
  'EditView',
  'ServerEdit',
  'serverEdit',
  'AppliedServerEdit',
  'editsNow',
  'mayBeEdited',
  'shownNotes',
  'notesBehindAnchor',
  'notesChange',
  'areNotesEdited',
  "'notes'",
  'notesOf',
  'NotesView',
  'notesView',
  'noteRows',
  'NoteField',
  'NOTE_FIELDS',
  'noteItems',
  'Touched',
  'touchAll',
  '*Touches',
  'Drafted',
  'draftPass',
  'PassDraft',
  'savedDraft',
  'submitDraft',
  'Unread',
  'unreadOf',
  'saySame',
  'askBesides',
  'useFocusHeir',
  'knownBudget',
  'FileResult',
  'ScratchpadBack',
  'Misfit',
  "'refuse'",
  'AgentStore',
  'AgentContext',
  'useAgent',
  'GoingOn',
  'Heir',
  'nextNow',
  'nextThen',
  'takeAhead',
  'dropAhead',
  'writtenAhead',
  'writeAhead',
  'mayBeHeld',
  'Joining',
  'Refrained',
  'keptApart',
  'LedTo*',
  'ledTo*',
  'fetchLedTo',
  'Besides',
  'besidesOf',
  'Taking',
  'takenBack',
  'takeBackPrompt',
  'makeRoom',
  'fileViewShare',
  'otherTools',
];

const NO_CODE = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** The words of a file: its names, and its texts in single quotes, without comments. */
function wordsOf(text: string): ReadonlySet<string> {
  const names = text.replace(NO_CODE, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
  const quoted = (text.match(NO_CODE) ?? []).filter((piece) => piece.startsWith("'"));
  return new Set([...names, ...quoted]);
}

const FILES = ['src', 'webview']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  .filter((name) => /\.tsx?$/.test(name) && !name.startsWith(SAMPLE));

describe('the words of the glossary', () => {
  it('are checked in names and in texts in single quotes', () => {
    expect(wordsOf("const a = 'b'; // c\ncall(d)")).toEqual(
      new Set(['const', 'a', "'b'", 'call', 'd']),
    );
  });

  it('include no retired word', () => {
    const patterns = RETIRED.map((name) => new RegExp(`^${name.replaceAll('*', '[A-Za-z]*')}$`));
    const found = FILES.flatMap((file) =>
      [...wordsOf(readFileSync(join(ROOT, file), 'utf8'))]
        .filter((word) => patterns.some((pattern) => pattern.test(word)))
        .map((word) => `${file}: ${word}`),
    );
    expect(found).toEqual([]);
  });
});

/**
 * Words of the code that have a plainer one in the interface; the last table of the glossary has
 * them.
 */
const OF_THE_CODE = [/\brefaults?\b/i, /\btask anchor\b/i, /\bworking tier\b/i, /\barchive\b/i];

/** The texts of a file that look like a sentence: in quotes or between tags, with a space. */
function sentencesIn(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*|class="[^"]*"/gm, ' ');
  const quoted = code.match(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g) ?? [];
  const tagged = [...code.matchAll(/>([^<>{}=;]+)</g)].map(([, words = '']) => words);
  return [...quoted, ...tagged]
    .map((piece) => piece.replace(/\$\{[^}]*\}/g, '…').trim())
    .filter((piece) => /[A-Za-z] [A-Za-z]/.test(piece));
}

describe('the words of the interface', () => {
  const shown = FILES.filter((file) => /^(webview|src.editor)\b/.test(file));

  it('are checked in texts that look like a sentence', () => {
    expect(sentencesIn("a('one two', 'x'); // 'in a comment'\n<p>three four</p>")).toEqual([
      "'one two'",
      'three four',
    ]);
  });

  it('exclude words of the code: nothing on screen says refault or task anchor', () => {
    const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly contributes: object;
    };
    const sentences = [
      ...shown.flatMap((file) => sentencesIn(readFileSync(join(ROOT, file), 'utf8'))),
      ...sentencesIn(JSON.stringify(contributes)),
    ];
    expect(sentences.length).toBeGreaterThan(500);
    expect(sentences.filter((text) => OF_THE_CODE.some((word) => word.test(text)))).toEqual([]);
  });
});
