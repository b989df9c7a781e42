import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROBE_KINDS, statesTruth, type ProbeKind } from '../../../src/replay/judge/probe';
import { MOST_OF_WINDOW, windowProbes } from '../../../src/replay/judge/windowProbes';
import type { Transcript } from '../../../src/sessions/transcript';
import { transcriptOf } from '../../recordings/support/drawnTranscript';
import { edit, prompt, read, recorded, run, said, type Move } from '../support/recording';

const LIMITS = [
  '  1→import { readFileSync } from "node:fs";',
  '  2→export const longestAnswer = 4096; // tokens of one reply',
  '  3→export function withinLimit(tokens: number) {',
].join('\n');

const SERVER = '  1→server.listen(portOfService, "127.0.0.1", () => undefined);';

/** A limit is read, decided about and, after two other replies, changed. */
const MOVES: readonly Move[] = [
  prompt('Mend the limit of replies'),
  read('/p/src/limits.ts', LIMITS),
  read('/p/src/server/index.ts', SERVER),
  read('/p/src/client/index.ts', '  1→client.connect(); // whatever it is'),
  said('I will not touch withinLimit, it is called everywhere.'),
  prompt('Go on'),
  run('npm test -- limits', 'no output'),
  run('git status', 'clean'),
  edit(
    '/p/src/limits.ts',
    'export const longestAnswer = 4096; // tokens of one reply',
    'export const longestAnswer = 8192; // tokens of one reply',
  ),
  run('npm test -- limits', 'withinLimit passes'),
];

const transcriptFrom = (moves: readonly Move[]) => transcriptOf(recorded(...moves));

/** The questions before the edit, which is the seventh reply. */
const BEFORE_EDIT = windowProbes(transcriptFrom(MOVES), 7);

const of = (sought: ProbeKind) => BEFORE_EDIT.filter(({ kind }) => kind === sought);

describe('the questions for a window', () => {
  it('ask for the file of a line that is replaced next', () => {
    expect(of('file').map(({ truth }) => truth)).toEqual(['limits.ts']);
    expect(of('file')[0]?.question).toContain(
      'export const longestAnswer = 4096; // tokens of one reply',
    );
  });

  it('ask for a value of a result that a reply mentions next', () => {
    expect(of('value')[0]).toEqual({
      kind: 'value',
      question:
        'A result of a call in this session has this line, except for the gap:\n\n' +
        'export const ____ = 4096; // tokens of one reply\n\n' +
        'Which text belongs in place of ____? Answer with that alone.',
      truth: 'longestAnswer',
      evidenceStep: 1,
    });
  });

  it('ask what the agent said it would not do', () => {
    expect(of('decision')).toEqual([
      {
        kind: 'decision',
        question:
          'You said this earlier in this session, except for the gap:\n\n' +
          'I will not touch ____, it is called everywhere.\n\n' +
          'Which text belongs in place of ____? Answer with that alone.',
        truth: 'withinLimit',
        evidenceStep: 4,
      },
    ]);
  });

  it('ask for the file of the next call, or the program of its command', () => {
    expect(of('next').map(({ truth }) => truth)).toEqual(['limits.ts']);
    const [probe] = windowProbes(transcriptFrom(MOVES), 8).filter(({ kind }) => kind === 'next');
    expect(probe?.truth).toBe('npm test');
    expect(probe?.question).toContain('Answer with the shell command it runs');
  });

  it('ask for no command that the recording had not named before', () => {
    expect(windowProbes(transcriptFrom(MOVES), 6).map(({ truth }) => truth)).not.toContain(
      'git status',
    );
  });

  it('name the shortest end of a path that distinguishes it from the others', () => {
    const moves = [
      ...MOVES.slice(0, 8),
      edit('/p/src/server/index.ts', SERVER.slice(4), 'server.close();'),
    ];
    const truths = windowProbes(transcriptFrom(moves), 7).map(({ truth }) => truth);
    expect(truths).toContain('server/index.ts');
  });

  it('leave out content that only the newest replies added', () => {
    const early = transcriptFrom([...MOVES.slice(0, 2), ...MOVES.slice(8)]);
    expect(windowProbes(early, 2).map(({ kind }) => kind)).not.toContain('file');
    expect(windowProbes(early, 2).map(({ kind }) => kind)).not.toContain('value');
  });

  it('end with one whose answer is nowhere, if there are any', () => {
    const [first, ...more] = BEFORE_EDIT.filter(({ kind }) => kind === 'control');
    expect(more).toEqual([]);
    expect(BEFORE_EDIT.at(-1)).toBe(first);
    expect(first).toEqual({
      kind: 'control',
      question: expect.stringContaining('tidemark_7_fathoms = ____') as string,
      truth: 'not known',
    });
  });

  it('are absent if nothing follows or nothing came before', () => {
    expect(windowProbes(transcriptFrom(MOVES), 1)).toEqual([]);
    expect(
      windowProbes(transcriptFrom(MOVES), 9).filter(
        ({ kind }) => kind !== 'decision' && kind !== 'control',
      ),
    ).toEqual([]);
  });
});

const NAMES = [
  'loadUser',
  'retryCount',
  'src/a.ts',
  'maxAge',
  '8080',
  '4096',
  'v1.5',
  '`x.y`',
  '____',
];
const WORDS = [
  'keep',
  'the',
  'limit',
  'of',
  'sessions',
  'I will',
  'instead of',
  '$&',
  '(',
  '→',
  '"',
];

const line = fc
  .array(fc.constantFrom(...NAMES, ...WORDS), { minLength: 3, maxLength: 12 })
  .map((words) => words.join(' '));
const lines = fc.array(line, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n'));
const path = fc.constantFrom('src/a.ts', '/p/src/a.ts', 'src/b/a.ts', 'C:\\p\\b.ts', 'index.ts');
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ path, text: lines }).map((one) => read(one.path, one.text)),
  fc.record({ path, text: line }).map((one) => edit(one.path, one.text, 'other')),
  fc.record({ command: line, text: lines }).map((one) => run(one.command, one.text)),
  lines.map((text) => run(text.split('\n')[0] ?? '', text)),
);

function everythingIn(transcript: Transcript): string {
  return transcript.entries
    .flatMap((entry) => {
      if (entry.type === 'compacted') return [];
      if (entry.type === 'prompt') return [entry.text];
      const parts = entry.parts.flatMap((part) => {
        if (part.type === 'text') return [part.text];
        return part.type === 'toolUse' ? Object.values(part.use.input).map(String) : [];
      });
      return [...parts, ...entry.results.map(({ text }) => text)];
    })
    .join('\n');
}

describe('any recording', () => {
  it('contains the truth of every question, and no question contains it', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 14 }), lines, (moves, words) => {
        const transcript = transcriptFrom([
          prompt('Go'),
          ...moves.slice(0, 5),
          said(words),
          prompt('On'),
          ...moves.slice(5),
        ]);
        const all = everythingIn(transcript);
        for (let step = 1; step <= moves.length + 2; step += 1) {
          const asked = windowProbes(transcript, step);
          const probes = asked.filter(({ kind }) => kind !== 'control');
          made += probes.length;
          expect(asked.length).toBeLessThanOrEqual(MOST_OF_WINDOW);
          expect(windowProbes(transcript, step)).toEqual(asked);
          for (const { kind, question, truth } of probes) {
            expect(PROBE_KINDS).toContain(kind);
            expect(statesTruth(truth, all)).toBe(true);
            expect(statesTruth(truth, question)).toBe(false);
          }
        }
      }),
      { numRuns: 100 },
    );
    expect(made).toBeGreaterThan(100);
  });
});
