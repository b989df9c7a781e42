import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockText } from '../../../src/contextWindow/blockText';
import { workNote } from '../../../src/contextWindow/passes/rungs/summary';
import {
  checkSummary,
  withoutUnfounded,
} from '../../../src/contextWindow/summaryCheck/checkSummary';
import { claimsIn } from '../../../src/contextWindow/summaryCheck/claims';
import { Evidence, statedBy } from '../../../src/contextWindow/summaryCheck/evidence';
import { estimate } from '../../support/player';
import { actions, playSmall, settingsOf } from '../../support/randomSession';
import { runs } from '../../support/runs';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../../support/ticking';

const claims = (text: string) =>
  claimsIn(text, (name) => name === 'src').map(({ kind, text: said }) => `${kind} ${said}`);
const unfounded = (summary: string, ...texts: readonly string[]) =>
  checkSummary(summary, new Evidence(texts)).unfounded;

describe('the claims of a sentence', () => {
  it.each([
    ['Read src/a.ts and ./b/c.ts.', ['path src/a.ts', 'path ./b/c.ts']],
    ['It calls seasonLabel() and load_all.', ['name seasonLabel', 'name load_all']],
    ['Port 8080, version v1.2.3, 12,345 rows', ['number 8080', 'number v1.2.3', 'number 12,345']],
    ['Lines 120-145 of notes.md', ['number 120', 'number 145', 'name notes.md']],
    ['The class is `ladder`.', ['name ladder']],
    ['It needs Node v22.', ['number v22']],
    [
      'Siehe src/größe.ts, naïve_stack und höheBerechnen.',
      ['path src/größe.ts', 'name naïve_stack', 'name höheBerechnen'],
    ],
    ['在 src/tide.ts 中修改了 load_all。', ['path src/tide.ts', 'name load_all']],
    [
      'It failed with "Cannot find the module of tides".',
      ['quote Cannot find the module of tides'],
    ],
    [
      "It doesn't build: 'Error: can't find the tides' is new.",
      ["quote Error: can't find the tides"],
    ],
    [
      'It runs with --no-color and --max-old-space=4096.',
      ['name --no-color', 'name --max-old-space', 'number 4096'],
    ],
    ['The tools are in src/tools.', ['path src/tools']],
  ])('are paths, names, numbers and quoted errors: %s', (text, found) => {
    expect(claims(text)).toEqual(found);
  });

  it.each([
    'The read/write tests pass and/or fail, e.g. on TypeScript and Node.js.',
    '3 files changed, 12 of 15 tests pass in about 4,500 ms.',
    'It takes ~120 kB or 12k tokens; see *.test.ts and src/{a,b}.',
    'The well-known read-only state is kept -- see lib/tools.',
    "The user's error and the agents' error are the same error.",
    'Die Prüfung größer/kleiner gilt für Länge und Höhe.',
    '我修改了函数。',
  ])('are no ordinary words, counts, rounded numbers and patterns: %s', (text) => {
    expect(claims(text)).toEqual([]);
  });
});

describe('the check of a summary', () => {
  it.each([
    ['the end of a path', 'See passes/plan.ts.', 'read src/passes/plan.ts'],
    ['a path from the root', 'See /home/me/work/src/plan.ts.', 'cd x && cat src/plan.ts'],
    ['a file that a listing names alone', 'See src/ports/tide.ts.', 'ls src/ports\ntide.ts'],
    ['backslashes', 'See src/ports/tide.ts.', 'C:\\work\\src\\ports\\tide.ts'],
    ['thousands', 'It has 12345 rows.', 'rows: 12,345'],
    ['a version without its v', 'Uses v1.20.3.', '"version": "1.20.3"'],
    ['hexadecimal digits in capitals', 'Commit 3F2A91BC was made.', 'commit 3f2a91bc04d5'],
    ['a member', 'Call Store.saveAll.', 'class Store {\n  saveAll() {}'],
    ['a name with an accent of its own', 'See src/größe.ts.', 'ls src/gro\u0308ße.ts'],
    ['a name between letters of another script', 'See tide.ts.', '修改tide.ts文件'],
    ['an error with a gap', 'It fails: `Error: no such … found`', 'Error: no such tide was found'],
  ])('finds %s', (_, summary, text) => {
    expect(unfounded(summary, text)).toEqual([]);
  });

  it('marks what occurs nowhere, as it is written there', () => {
    const summary = 'Read `src/gauge.ts`, line 4711. It said "Error: the tide is undefined here".';
    expect(unfounded(summary, 'read src/tide.ts, line 47')).toEqual([
      'src/gauge.ts',
      '4711',
      'Error: the tide is undefined here',
    ]);
    expect(unfounded('Port 8080.', 'port 18080')).toEqual(['8080']);
    expect(unfounded('See src/größe.ts.', 'ls src/maße.ts')).toEqual(['src/größe.ts']);
    expect(unfounded('See naïve_stack.', 'a naïve_stacks')).toEqual(['naïve_stack']);
    expect(unfounded('It needs Node v99.', 'node v22')).toEqual(['v99']);
    const flags = 'npm run lint -- --no-color; the skip list of slow tests';
    expect(unfounded('Run it with --no-color and --skip-slow.', flags)).toEqual(['--skip-slow']);
    const said = "It says 'Error: the tide is gone'.";
    expect(unfounded(said, 'Error: the tide is high')).toEqual(['Error: the tide is gone']);
    const folders = 'ls src/tools\ncat src\\ports\\tide.ts';
    expect(unfounded('See src/tools, src/ports and src/gauges.', folders)).toEqual(['src/gauges']);
    expect(unfounded('It reads and/or writes.', folders)).toEqual([]);
  });

  it('takes time in proportion to the texts', async () => {
    const { cpuMs } = await ticking(() => {
      const text = 'a/b.c_1 '.repeat(50_000);
      withoutUnfounded(text, new Evidence([text]));
      checkSummary('x'.repeat(200_000), new Evidence(['`'.repeat(200_000)]));
    });
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});

describe('what a summary states without a source', () => {
  const cleaned = (summary: string, ...texts: readonly string[]) =>
    withoutUnfounded(summary, new Evidence(texts));

  it('is removed a sentence at a time from a paragraph', () => {
    const { text, removed } = cleaned(
      'The bug is in a.ts. It is in lost.ts, too. All pass.',
      'a.ts',
    );
    expect(text).toBe('The bug is in a.ts. All pass.');
    expect(removed).toEqual([{ text: 'It is in lost.ts, too.', unfounded: ['lost.ts'] }]);
  });

  it('is removed with its list item and the items below it', () => {
    const summary =
      '- lost.ts: has the bug.\n  - It was found late.\n- done.ts: is done. See 4711.';
    const { text, removed } = cleaned(summary, 'done.ts');
    expect(text).toBe('- done.ts: is done.');
    expect(removed.map((one) => one.text)).toEqual([
      '- lost.ts: has the bug.\n  - It was found late.',
      'See 4711.',
    ]);
  });

  it('is removed with its heading and section, and a heading without content goes, too', () => {
    const summary =
      '# Files\n## lost.ts\nIt has the bug.\n## done.ts\nIt is done.\nOpen:\nIs 4711 right?\nNext:\nGo on.';
    expect(cleaned(summary, 'done.ts').text).toBe(
      '# Files\n## done.ts\nIt is done.\nNext:\nGo on.',
    );
  });

  it('is looked for again in the rest, of which more may be code now', () => {
    const fence = '```';
    const { text, removed } = cleaned(
      `- lost.ts has it:\n  ${fence}\nrun()\n  ${fence}\nIt says "open failed. Try again" now.`,
      'run()',
    );
    expect(text).toBe(`run()\n  ${fence}`);
    expect(removed.map((one) => one.unfounded)).toEqual([['lost.ts'], ['open failed. Try again']]);
  });

  it('leaves nothing unfounded in any session, and everything that the blocks say', () => {
    let removals = 0;
    fc.assert(
      fc.property(
        actions,
        settingsOf,
        fc.array(fc.tuple(fc.nat(99), fc.boolean()), { maxLength: 6 }),
        (script, settings, places) => {
          const blocks = playSmall(script, 'ladder', settings).window.blocks.toArray();
          const evidence = new Evidence(statedBy(blocks));
          const note = workNote(blocks, 400, estimate);
          // The window's own words about a call are no words of the blocks.
          const said = blocks.map((block) => blockText(block).split('\n')[0]?.slice(0, 80) ?? '');
          const kept = said.filter((line) => checkSummary(line, evidence).unfounded.length === 0);
          const lines = [...note.split('\n'), ...kept];
          for (const [place, isItem] of places) {
            const invented = `src/zq${place}/invented${place}Zq.ts is new.`;
            lines.splice(place % lines.length, 0, isItem ? `- ${invented}` : invented);
          }
          const summary = lines.join('\n');
          const { text, removed } = withoutUnfounded(summary, evidence);
          expect(checkSummary(text, evidence).unfounded).toEqual([]);
          expect(text).not.toContain('invented');
          expect(text.length).toBeLessThanOrEqual(summary.length);
          for (const one of removed) expect(one.unfounded.length).toBeGreaterThan(0);
          removals += removed.length;
        },
      ),
      { numRuns: runs(25, 300) },
    );
    expect(removals).toBeGreaterThan(0);
  });
});
