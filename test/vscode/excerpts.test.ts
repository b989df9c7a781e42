import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { EventOf } from '../../src/contextWindow/event';
import type { MessagesRequest } from '../../src/offline/messagesApi';
import { AgentPage } from './support/agentPage';
import { changedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { until } from './support/until';
import { PanelPage } from './support/panelPage';
import { scriptedModel } from './support/scriptedModel';

type Pass = EventOf<'passApplied'>['pass'];
type View = NonNullable<Pass['excerpts']>;

const PATH = 'fixtures/ledger-2025.json';

const MOST = 150;

const modules = (...names: readonly string[]) =>
  names.map((name) => ({ path: `src/${name}.js`, start_line: 1, end_line: 8 }));

/** Regions of a long file with unread lines between them, then lines of other files. */
const READS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  'Read the ledger.': [
    ...Array.from({ length: 14 }, (_, at) => ({
      path: PATH,
      start_line: 1 + 200 * at,
      end_line: 200 * at + MOST,
    })),
    ...modules('loadLine', 'vessel', 'deckPlan', 'manifest'),
  ],
  'Read the modules.': modules('tariff', 'voyage', 'report', 'zones', 'units'),
};

const MARK = '[Files in work as they are after step ';

describe('the excerpts of the files in work', () => {
  const settings = changedSettings();
  let model: Awaited<ReturnType<typeof scriptedModel>>;
  let page: PanelPage;
  let [first, second]: (Pass | undefined)[] = [];

  const viewOf = (pass: Pass | undefined): View => {
    assert.ok(pass?.excerpts, 'the pass shows files');
    return pass.excerpts;
  };
  const region = (line: number) =>
    page.content.at(`[data-testid="region"][data-path="${PATH}"][data-first="${line}"]`);
  const compact = async () =>
    (await page.logged('passApplied', () => page.find('compact-now').click())).pass;
  const rangesIn = (view: View) =>
    view.shown.flatMap(({ path, first: begin = 0, text }) =>
      path === PATH ? [{ first: begin, last: begin + text.split('\n').length - 1 }] : [],
    );
  const nextText = async () => JSON.stringify(await page.nextRequest());

  before(async () => {
    let calls = 0;
    model = await scriptedModel(settings, ({ messages }: MessagesRequest) => {
      const text = JSON.stringify(messages);
      const [prompt = ''] = Object.keys(READS)
        .filter((each) => text.includes(each))
        .slice(-1);
      const done = new Set(text.match(/toolu_view_\d+/g)).size;
      const all = Object.values(READS).flat();
      const most = prompt === Object.keys(READS)[0] ? READS[prompt]!.length : all.length;
      calls = Math.max(calls, done);
      const input = calls < most ? all[calls] : undefined;
      if (input === undefined) return { content: [{ type: 'text', text: 'All read.' }] };
      calls += 1;
      return {
        content: [{ type: 'tool_use', id: `toolu_view_${calls}`, name: 'read_file', input }],
      };
    });
    const agent = await AgentPage.onNewSession();
    await agent.perform('Read the ledger.');
    page = await PanelPage.ofSession(agent);
  });

  after(() => model.close());

  /** What the next pass would do, once the files were read: the first plan is by the log. */
  async function settledWords(before: string): Promise<string> {
    const now = () => page.find('next-words').shows(new RegExp(`^(?!${before})Compact now: `));
    let words = await now();
    return until('the plan stayed as it was', async () => {
      const former = words;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      words = await now();
      return words === former && words;
    });
  }

  itInSoak('are planned from the files on disk before any preview', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, PATH);
    const content = await vscode.workspace.fs.readFile(file);
    await page.show('ledger');
    const before = await page.find('next-words').shows(/^Compact now: .*→ ≈\s[\d,]+\.$/);
    await vscode.workspace.fs.delete(file);
    try {
      await page.ask('What else?');
      const words = await settledWords(before);
      await page.find('preview-pass').click();
      const [, tokens = 'none'] = /→ ≈\s([\d,]+)\.$/.exec(words) ?? [];
      await page.find('preview').has('aria-label', new RegExp(`→ ≈\\s${tokens}$`));
      await page.find('preview-close').click();
    } finally {
      await vscode.workspace.fs.writeFile(file, content);
    }
  });

  it('are added by a pass; the panel shows their lines and why they were chosen', async () => {
    first = await compact();
    const view = viewOf(first);
    assert.ok(rangesIn(view).length > 1, JSON.stringify(rangesIn(view)));
    await page.show('ledger');
    const files = new Set(view.shown.map(({ path }) => path)).size;
    await page
      .card(1)
      .find('pass-shows')
      .shows(new RegExp(`^Shows \\d+ lines of ${files} files?: ≈\\s[\\d,]+ tokens`));
    await page.row(view.id).shows(/Excerpts as of step \d+: .*ledger-2025\.json/);
    await page.row(view.id).click();
    await page.find('region').counts(view.shown.length);
    await page.find('region').first.shows(/File read .*, last read or written at step \d/);
  });

  it('are in the next request, and each excerpt links to its block', async () => {
    const text = await nextText();
    assert.ok(text.includes(MARK));
    for (const { text: lines } of viewOf(first).shown) {
      assert.ok(text.includes(JSON.stringify(lines).slice(1, -1)));
    }
    await page.find('section-block').withText('Excerpts as of step').first.appears();
  });

  itInSoak('open their lines in the editor', async () => {
    const [{ first: line } = { first: 0 }] = rangesIn(viewOf(first));
    await page.row(viewOf(first).id).click();
    await page.show('block');
    await region(line).find('open-region').click();
    const { uri } = await page.opened((document) => document.uri.path.endsWith(PATH));
    assert.ok(uri.path.endsWith(PATH));
  });

  it('are removed when their pass is undone, and the blocks that they replaced return', async () => {
    await page.show('ledger');
    await page.logged('passUndone', () => page.card(1).find('undo-pass').click());
    await page.rowIn(viewOf(first).id, 'evicted');
    assert.ok(!(await nextText()).includes(MARK));
    first = await compact();
    await page.row(viewOf(first).id).appears();
  });

  itInSoak(
    'include lines marked Always show at the next pass, and no lines marked Never show',
    async () => {
      const [pinned, excluded] = rangesIn(viewOf(first)) as [
        { first: number; last: number },
        { first: number; last: number },
      ];
      await page.row(viewOf(first).id).click();
      await page.show('block');
      const always = await page.logged('fileChosen', () =>
        region(pinned.first).find('choose-always').click(),
      );
      assert.deepEqual([always.path, always.lines, always.choice], [PATH, pinned, 'always']);
      await page.logged('fileChosen', () => region(excluded.first).find('choose-never').click());
      await page.show('ledger');
      await page
        .find('hand-edit')
        .first.shows(`You chose: never show ${PATH}, lines ${excluded.first}–${excluded.last}`);

      await page.ask('Read the modules.');
      second = await compact();
      const view = viewOf(second);
      const former = second.decisions.find(({ blockId }) => blockId === viewOf(first).id);
      assert.equal(former?.reason.rule, 'evictFormerExcerpts');
      const shown = view.shown.find(
        ({ path, first: begin }) => path === PATH && begin === pinned.first,
      );
      assert.equal(shown?.why.chosen, true);
      for (const range of rangesIn(view)) {
        assert.ok(range.last < excluded.first || range.first > excluded.last);
      }
      await page.row(view.id).click();
      await page.show('block');
      await region(pinned.first).shows(/You chose: always show/);
    },
  );

  itInSoak('list both marks in the tab Files, where each can be removed', async () => {
    await page.show('files');
    const file = page.content.at(`[data-testid="file"][data-path="${PATH}"]`);
    await file.find('chosen-lines').counts(2);
    await file.find('chosen-lines').withText('The window shows it now.').appears();
    const back = await page.logged('fileChosen', () =>
      file.find('chosen-lines').first.at('[aria-pressed="true"]').click(),
    );
    assert.equal(back.choice, 'auto');
    await file.find('chosen-lines').counts(1);
    assert.equal(vscode.window.visibleTextEditors.length, 0);
  });
});
