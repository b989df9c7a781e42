import { describe, expect, it } from 'vitest';
import { passReport } from '../../../../src/editor/contextPanel/exports/passReport';
import { ACTION_NAMES } from '../../../../src/editor/contextPanel/shownNames';
import { PASS, VIEW, DECISIONS, decided } from '../support/exportedSession';
import { BREAK, markdown, onOneLine, readIn, textIn } from '../support/pageText';
import { expectAsText } from '../support/hostileMarkup';

describe('the report of a pass', () => {
  it('marks numbers based on estimates', () => {
    const { price, before, after } = PASS;
    const report = passReport(VIEW, PASS, DECISIONS);
    expect(report).toContain(`| Price | ${price?.text.replaceAll('$', '\\$')} |`);
    const freed = (before.tokens - after.tokens).toLocaleString('en-US');
    const of = (exact: boolean) => ({
      before: { ...before, exact: true },
      after: { ...after, exact },
    });
    expect(passReport(VIEW, { ...PASS, ...of(true) }, DECISIONS)).toContain(`| Freed | ${freed} |`);
    expect(passReport(VIEW, { ...PASS, ...of(false) }, DECISIONS)).toContain(
      `| Freed | ≈ ${freed} |`,
    );
  });

  it('has every decision, with its reason and its numbers', () => {
    const report = passReport(VIEW, PASS, DECISIONS);
    const kept = DECISIONS.filter(({ action }) => action === 'keep');
    expect(kept.length).toBeGreaterThan(0);
    expect(report).toContain(`## What it changed (${DECISIONS.length - kept.length})`);
    expect(report).toContain(`## What it kept (${kept.length})`);
    const rendered = markdown.render(report);
    const [, ...tables] = rendered.split('<tbody>');
    const rows = tables
      .slice(1)
      .flatMap((body) => body.match(/<tr>[\s\S]*?<\/tr>/g) ?? [])
      .map((row) => (row.match(/<td>[\s\S]*?<\/td>/g) ?? []).map((cell) => readIn(cell).trim()))
      .filter((cells) => cells.length > 0);
    const amount = (tokens: number, exact: boolean) =>
      `${exact ? '' : '≈ '}${tokens.toLocaleString('en-US')}`;
    const inOrder = [...DECISIONS.filter(({ action }) => action !== 'keep'), ...kept];
    expect(rows).toEqual(
      inOrder.map(({ label, action, before, after, reason }) => [
        onOneLine(label),
        ACTION_NAMES[action],
        amount(before.tokens, before.exact),
        amount(after.tokens, after.exact),
        onOneLine(reason),
      ]),
    );
  });

  it('calls a removed block removed, and names the trigger in words, as the panel does', () => {
    const removed = DECISIONS.map((decision) => ({ ...decision, action: 'evict' as const }));
    const report = passReport(VIEW, { ...PASS, trigger: 'highWatermark' }, removed);
    expect(report).toContain('| removed |');
    expect(report).toContain(': high watermark crossed, policy ');
    expect(report).not.toMatch(/evict/i);
  });

  it('shows all content of a session as text', () => {
    const places = DECISIONS.length * 2;
    expectAsText((text) => passReport(VIEW, PASS, decided(text)), places, 100);
  });

  it('breaks up names and numbers that a forge would link, and they stay readable', () => {
    const forge =
      'npm i @acme/ui for @octocat, see #123, GH-7, acme/ui#8, https://github.com/a/b/pull/9';
    const linked = /@[a-z\d]|#\d|\bGH-\d|:\/\//i;
    expect(forge).toMatch(linked);
    const report = passReport({ ...VIEW, model: forge }, PASS, decided(forge));
    const rendered = textIn(markdown.render(report));
    expect(rendered).not.toMatch(linked);
    expect(rendered.replaceAll(BREAK, '')).toContain(forge);
  });
});
