import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { contextHtml } from '../../../src/host/inspection/exports/contextHtml';
import { contextMarkdown } from '../../../src/host/inspection/exports/contextMarkdown';
import { passReport } from '../../../src/host/inspection/exports/passReport';
import { accountRows } from '../../../src/host/inspection/exports/viewRows';
import type { ContextView, DecisionView } from '../../../src/protocol/contextPanel';
import { fails, says, scriptedAgent, steps } from '../../support/scriptedAgent';
import { inspecting, lookedAt } from './support/inspecting';

/** The panel of a session with passes, an overflow and evicted blocks. */
async function panel() {
  const agent = scriptedAgent({
    script: [
      ...steps(24, 1_400).slice(0, -1),
      fails({ type: 'overflow', message: 'prompt is too long' }),
      says('Done.'),
    ],
  });
  await agent.run('look');
  return inspecting(() => lookedAt(agent.session)).inspection;
}

const { inspection, VIEW } = await panel().then((one) => ({ inspection: one, VIEW: one.view() }));
const [PASS] = VIEW.passes;
const DECISIONS = inspection.decisions(PASS!.number)!;

/** The view with a text of the session in every place that can hold one. */
function saying(text: string): ContextView {
  return {
    ...VIEW,
    title: text,
    model: text,
    windowSource: text,
    blocks: VIEW.blocks.map((block) => ({ ...block, label: text, reason: text })),
    scratchpad: {
      objective: text,
      keyFacts: [text],
      decisions: [text],
      currentStep: text,
      blockers: [text],
    },
  };
}

const decided = (text: string): readonly DecisionView[] =>
  DECISIONS.map((decision) => ({ ...decision, label: text, reason: text }));

/** The tags of a page, with what they carry. */
const tagsIn = (html: string) => html.match(/<[^<>]*>/g) ?? [];

function textIn(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Text as a table of Markdown can hold it: on one line. */
const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></td><b>',
  '&lt;b&gt; &#60; &amp;',
  '**bold** | not a cell | <b>x</b>',
  '** | a | b |\n| --- | --- |',
  '[a](javascript:alert(1)) ![b](http://x/y.png)',
  '\\| \\\\ \\`code\\` `code`',
  '# heading\n- list\n> quote\n```\nfence',
  '~~gone~~ $x^2$ _a_ *b* <http://x.y>',
  '{{ mustache }} ${template}',
  '<!-- comment',
  '\\',
  '|',
];

const markup = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc
    .array(
      fc.constantFrom(
        ...'<>&"\'`|*_[]()!#~$\\/=-+.: \n\tab1'.split(''),
        '--',
        '**',
        '```',
        '](',
        '&#',
      ),
      { minLength: 1, maxLength: 24 },
    )
    .map((marks) => marks.join('')),
  fc.string({ minLength: 1, unit: 'grapheme' }),
);

const markdown = new MarkdownIt({ html: true });

/** A text that a renderer of Markdown passes on; it replaces the NUL. */
const plain = (text: string) => text.replaceAll('\0', '\uFFFD');

describe('the page of a context window', () => {
  it('loads nothing and runs nothing', () => {
    const page = contextHtml(VIEW);
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    for (const tag of tagsIn(page)) {
      expect(tag).not.toMatch(/^<(script|link|img|iframe|object|embed|base|form|a)\b/);
      expect(tag).not.toMatch(/\s(src|href|srcset|action|on\w+)\s*=/);
    }
    expect(page).not.toMatch(/url\(|@import|https?:/);
  });

  it('has whatever a session contains as text', () => {
    const usual = tagsIn(contextHtml(saying('usual')));
    fc.assert(
      fc.property(markup, (text) => {
        const page = contextHtml(saying(text));
        expect(tagsIn(page)).toEqual(usual);
        expect(textIn(page).split(text).length).toBeGreaterThan(VIEW.blocks.length * 2);
      }),
      { numRuns: 200, seed: 20_261_122 },
    );
  });

  it('has every block and pass, and the marks of estimates', () => {
    const text = textIn(contextHtml(VIEW));
    for (const { label, reason } of VIEW.blocks) {
      expect(text).toContain(label);
      expect(text).toContain(reason);
    }
    for (const { number } of VIEW.passes) expect(text).toContain(`Pass ${number} before step`);
    expect(text).toContain('≈ ');
  });
});

describe('the Markdown of a context window', () => {
  const usual = tagsIn(markdown.render(contextMarkdown(saying('usual'))));

  it('has whatever a session contains as text', () => {
    fc.assert(
      fc.property(markup, (text) => {
        const line = onOneLine(plain(text));
        fc.pre(line !== '');
        const page = markdown.render(contextMarkdown(saying(text)));
        expect(tagsIn(page)).toEqual(usual);
        expect(textIn(page).split(line).length).toBeGreaterThan(VIEW.blocks.length * 2);
      }),
      { numRuns: 200, seed: 20_261_122 },
    );
  });

  it('has the notes only where there are any', () => {
    expect(contextMarkdown(saying('usual'))).toContain('## Scratchpad');
    expect(contextMarkdown(VIEW)).not.toContain('## Scratchpad');
  });
});

describe('the numbers of both', () => {
  it('add up to the window, the overflow’s share included', async () => {
    const views = [VIEW];
    for (const at of [1, 9, 24] as const) {
      await inspection.travelTo(at);
      views.push(inspection.view());
    }
    await inspection.travelTo('now');
    expect(VIEW.balance.reserved.steppedDown).toBeGreaterThan(0);
    for (const view of views) {
      const rows = accountRows(view.balance);
      const size = view.balance.contextWindowTokens;
      expect(rows.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(size);
      const [html, md] = [contextHtml(view), contextMarkdown(view)];
      for (const { name, tokens } of [...rows, { name: 'Context window', tokens: size }]) {
        const shown = tokens.toLocaleString('en-US');
        expect(md).toContain(`| ${name} | ${shown} |`);
        expect(html).toMatch(new RegExp(`>${name}</t[dh]><t[dh] class="n">${shown}<`));
      }
    }
  });

  it('say what is over the budget, and draw no bar of less than nothing', () => {
    const { balance } = VIEW;
    const over = {
      ...balance,
      used: { tokens: balance.inputBudget + 70, exact: false },
      headroom: -70,
    };
    expect(contextMarkdown({ ...VIEW, balance: over })).toContain('| Over the budget | -70 |');
    expect(contextHtml({ ...VIEW, balance: over })).not.toMatch(/width:-/);
  });

  it('say from which moment they are', async () => {
    expect(contextMarkdown(VIEW)).toContain('now, after step 25 ·');
    await inspection.travelTo(9);
    expect(contextMarkdown(inspection.view())).toContain('step 9 of 25, as its request was sent ·');
    await inspection.travelTo('now');
  });
});

describe('the report of a pass', () => {
  it('has every decision, with its reason and its numbers', () => {
    const report = passReport(VIEW, PASS!, DECISIONS);
    const kept = DECISIONS.filter(({ action }) => action === 'keep');
    expect(kept.length).toBeGreaterThan(0);
    expect(report).toContain(`## What it changed (${DECISIONS.length - kept.length})`);
    expect(report).toContain(`## What it kept (${kept.length})`);
    const rendered = markdown.render(report);
    const [, ...tables] = rendered.split('<tbody>');
    const rows = tables
      .slice(1)
      .flatMap((body) => body.match(/<tr>[\s\S]*?<\/tr>/g) ?? [])
      .map((row) => (row.match(/<td>[\s\S]*?<\/td>/g) ?? []).map((cell) => textIn(cell).trim()))
      .filter((cells) => cells.length > 0);
    const amount = (tokens: number, exact: boolean) =>
      `${exact ? '' : '≈ '}${tokens.toLocaleString('en-US')}`;
    const inOrder = [...DECISIONS.filter(({ action }) => action !== 'keep'), ...kept];
    expect(rows).toEqual(
      inOrder.map(({ label, action, before, after, reason }) => [
        onOneLine(label),
        action,
        amount(before.tokens, before.exact),
        amount(after.tokens, after.exact),
        onOneLine(reason),
      ]),
    );
  });

  it('has whatever a session contains as text', () => {
    const usual = tagsIn(markdown.render(passReport(VIEW, PASS!, decided('usual'))));
    fc.assert(
      fc.property(markup, (text) => {
        const line = onOneLine(plain(text));
        fc.pre(line !== '');
        const page = markdown.render(passReport(VIEW, PASS!, decided(text)));
        expect(tagsIn(page)).toEqual(usual);
        expect(textIn(page).split(line).length).toBeGreaterThan(DECISIONS.length * 2);
      }),
      { numRuns: 100, seed: 20_261_122 },
    );
  });
});
