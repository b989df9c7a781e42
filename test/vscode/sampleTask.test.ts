import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { promptTokens } from '../../src/contextWindow/account/spending';
import { percentText } from '../../src/contextWindow/amount';
import type { EventOf, SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import type { Decision } from '../../src/contextWindow/plan';
import { blocksInWindow, type ContextWindow } from '../../src/contextWindow/window';
import { tokensAfter } from '../../src/editor/session/derive';
import { DEMO_FOLLOW_UPS, DEMO_TASK } from '../../src/offline/demo/demoPrompts';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import type { PerformedApproval } from '../harness/driver/agentDriver.mjs';
import { firstScreenOf, MOST } from '../webview/browser/support/firstScreen';
import { AgentPage } from './support/agentPage';
import type { EditorWindow } from './support/editorWindow';
import type { Words } from './support/looks';
import { PanelPage } from './support/panelPage';
import type { Part } from './support/part';
import { requestsSent } from './support/requestsSent';
import { until } from './support/until';

const root = () => vscode.workspace.workspaceFolders![0]!.uri;
const fileText = (path: string) => readFile(join(root().fsPath, path), 'utf8');

describe('the sample task, clicked through in both webviews', function () {
  this.timeout(180_000);
  let editor: EditorWindow;
  let agent: AgentPage;
  let panel: Part;
  /** The requests of the earlier tests. */
  let sentBefore: number;
  /** The questions during the task and the states of the panel. */
  let approvals: readonly PerformedApproval[];
  let edited: { readonly before: string; readonly atFirstQuestion: string };

  const anchor = () => panel.at('[data-testid="block-row"][data-block-id="prompt-1"]');

  /** Opens the panel, or shows it if it is open. */
  async function openPanel(): Promise<void> {
    await vscode.commands.executeCommand('plimsoll.openContextPanel');
    panel = await editor.webview('Context');
    await panel.find('used').isThere();
  }

  /** Performs an action that opens the text of a block, reads it, and returns to the panel. */
  async function textOpenedBy(act: () => Promise<void>): Promise<string> {
    await act();
    const text = await until('its text was opened', () => {
      const { document } = vscode.window.activeTextEditor ?? {};
      return document?.uri.scheme.startsWith('plimsoll') === true ? document.getText() : undefined;
    });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await openPanel();
    return text;
  }

  before(async () => {
    agent = await AgentPage.onNewSession();
    ({ editor } = agent);
    await editor.runCommandViaPalette('Plimsoll: Open the Context Panel');
    await openPanel();
    sentBefore = (await requestsSent()).length;
    const before = await fileText('src/loadLine.js');
    let atFirstQuestion: string | undefined;
    approvals = await agent.performSuggested({
      answer: async ({ kind }) => {
        if (kind !== 'edit') return true;
        await editor.at('.monaco-diff-editor').first.appears();
        atFirstQuestion ??= await fileText('src/loadLine.js');
        return true;
      },
    });
    edited = { before, atFirstQuestion: atFirstQuestion ?? '' };
  });

  it('says everywhere that the answers are scripted', async () => {
    for (const mark of [agent.find('offline-mark'), panel.find('offline-mark')])
      await mark.shows(/Offline demo\n?: scripted, no AI/);
  });

  it('types, approves and watches the window fill, cross the watermark and run a pass', async () => {
    assert.deepEqual(
      approvals
        .filter(({ kind }) => kind !== 'command')
        .map(({ kind }) => kind)
        .sort(),
      ['create', 'create', 'edit', 'edit'],
    );
    // The page may skip a short-lived state, so the pass says how full the window was.
    const first = panel.find('pass-card').last;
    await first.number('data-before', (tokens) => tokens > 16_704);
    assert.equal(edited.atFirstQuestion, edited.before, 'an edit was shown before it was made');
    assert.notEqual(await fileText('src/loadLine.js'), edited.before);
    await agent.find('turn').last.shows(/63 passed, 0 failed/);
    await agent.find('turn').last.at('.turn-numbers > summary').click();
    await agent.find('turn-usage').last.shows(/no charge \(offline\)/);
    // Reads and searches that follow each other are folded.
    await agent.countsAll('tool-row', 'data-tool-use-id', (rows) => rows >= 8);
    await agent.countsAll('pass-row', 'data-pass', (rows) => rows >= 2);
  });

  it('shows the steps with arguments and results on demand', async () => {
    const row = agent.find('tool-row').withText('Ran ').first.at('.tool-line');
    await row.click();
    await agent.find('tool-result').first.appears();
    await row.click();
  });

  it('keeps a ledger of at least two passes with every decision', async () => {
    const cards = panel.find('pass-card');
    await cards.counts((passes) => passes >= 2);
    const first = cards.last;
    const before = await first.number('data-before', () => true);
    await first.number('data-after', (after) => after < before);
    await first.find('decisions').at('summary').click();
    await first.find('decision-row').nth(3).appears();
  });

  it('keeps the task anchor pinned, unpins and pins it, and opens its text', async () => {
    // The list shows its newest block, and the anchor is the oldest.
    await panel.at('.list').scrollTo('top');
    const pinned = anchor().find('verb-unpin');
    await pinned.appears();
    await anchor().press('p');
    await pinned.isGone();
    await anchor().press('p');
    await pinned.appears();
    assert.ok((await textOpenedBy(() => anchor().doubleClick())).includes(DEMO_TASK));
  });

  it('works by keyboard: arrow down, O opens a summarised block', async () => {
    await panel.at('.list').scrollTo('top');
    await anchor().isThere();
    await panel
      .at('[data-testid="block-row"] [tabindex="0"], [data-testid="block-row"][tabindex="0"]')
      .first.focus();
    await editor.press('ArrowDown');
    await textOpenedBy(() => editor.press('o'));
  });

  it('makes edits that the editor can undo', async () => {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.joinPath(root(), 'src/deckPlan.js'),
    );
    await editor.focusOn(document, vscode.ViewColumn.Beside);
    const text = document.getText();
    await vscode.commands.executeCommand('undo');
    await until('the edit was undone', () => document.getText() !== text);
    await editor.focusOn(document);
    await vscode.commands.executeCommand('redo');
    await until('the edit was done again', () => document.getText() === text);
    await document.save();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  describe('with two follow-up questions', () => {
    before(async () => {
      for (const _ of DEMO_FOLLOW_UPS) await agent.performSuggested();
      await openPanel();
    });

    it('answers two follow-up questions', async () => {
      await agent.find('turn').last.is('aria-setsize', '3');
    });

    it('shows the same window in the panel, the gauge and the status bar', async () => {
      await panel
        .find('bar-segment')
        .all(
          'data-tokens',
          (parts) => parts.reduce((sum, part) => sum + Number(part), 0) === 26_700,
        );
      const used = (await panel.find('used').tokens()).toLocaleString('en-US');
      await editor.statusBarItem(`${used} / 21,580`).appears();
      await agent.find('gauge').is('data-used', used.replaceAll(',', ''));
    });

    describe('the panel in one picture', () => {
      const STEP = 26;
      let page: PanelPage;
      let events: readonly SessionEvent[];
      let window: ContextWindow;

      const inView = async (part: Part, words: Words) => {
        const text = await part.shows(words);
        await part.isInView();
        return text;
      };

      before(async () => {
        page = await PanelPage.ofSession(agent);
        panel = page.content;
        await panel.find('chip-in').click();
        if (await panel.find('intro').isSeen()) await panel.find('dismiss-intro').click();
        events = await page.events();
        window = fold(events);
      });

      for (const [width, height] of [
        [1_280, 720],
        [1_600, 1_000],
      ] as const) {
        it(`answers six questions at ${width} x ${height}, with the values of the log`, async () => {
          await editor.sized(width, height, async () => {
            await panel.at('main').comeToRest();
            await saysHowFull();
            await saysWhatIsPinned();
            await saysWhatWasRemovedAndWhy();
            await saysWhatIsRemovedNext();
            await saysWhatItCost();
            const { words, numbers, text } = await panel.at('main').measured(firstScreenOf);
            assert.ok(
              words <= MOST.words && numbers <= MOST.numbers,
              `${words}/${numbers} ${text}`,
            );
            await saysWhatTheModelSaw();
            await editor.screenshot(join('out', 'answers', `${width}x${height}.png`));
            await editor.pointNowhere();
          });
        });
      }

      it('removed with Compact Now what it had named as next', async () => {
        const named = await panel.find('leaving').all('data-block-id', (ids) => ids.length === 3);
        const { pass } = await page.logged('passApplied', () => panel.find('compact-now').click());
        const loss = ({ before, after }: Decision) => before.tokens - after.tokens;
        const removed = pass.decisions
          .filter(({ action }) => action !== 'keep')
          .toSorted((a, b) => loss(b) - loss(a));
        assert.deepEqual(
          named,
          removed.slice(0, 3).map(({ blockId }) => blockId),
        );
      });

      async function saysHowFull(): Promise<void> {
        const used = await panel.find('used').tokens();
        await editor.statusBarItem(`${used.toLocaleString('en-US')} / 21,580`).appears();
        const full = `${percentText(used / 21_580).replace(' ', '\u00a0')} full`;
        await inView(panel.at('.answer .full'), (text) => text === full);
        await panel.find('used').isInView();
        await panel.find('outlook').isInView();
        for (const [part, words] of [
          ['fixed', 'tools'],
          ['conversation', 'conversation'],
        ] as const) {
          await inView(panel.at(`[data-part="${part}"] .part-label`), words);
        }
      }

      async function saysWhatIsPinned(): Promise<void> {
        const pinned = blocksInWindow(window).filter((block) => block.pinned);
        await inView(panel.find('chip-pinned'), `Pinned ${pinned.length}`);
        for (const { id } of pinned) await page.row(id).find('verb-unpin').isInView();
      }

      async function saysWhatWasRemovedAndWhy(): Promise<void> {
        const entry = [...window.ledger].findLast(({ pass }) => pass.trigger !== 'byHand')!;
        const { decisions, before, beforeStep, trigger } = entry.pass;
        const changed = decisions.filter(({ action }) => action !== 'keep').length;
        const tokens = (before.tokens - tokensAfter(entry).tokens).toLocaleString('en-US');
        assert.equal(trigger, 'highWatermark');
        const card = panel.find('card-last');
        await card.isInView();
        await card.shows(
          (text) =>
            text.toLowerCase().includes(`before step ${beforeStep}`) &&
            text.replaceAll('\u00a0', ' ').includes(`${changed} blocks, ${tokens} tokens: `) &&
            text.includes('The window had passed the mark.'),
        );
      }

      async function saysWhatIsRemovedNext(): Promise<void> {
        const card = panel.find('card-next');
        await inView(card, 'If a pass ran now:');
        for (let at = 0; at < 3; at += 1) {
          const leaving = card.find('leaving').nth(at);
          await leaving.isInView();
          await leaving.find('keep').isInView();
        }
      }

      async function saysWhatItCost(): Promise<void> {
        const usages = events.flatMap((event) =>
          event.type === 'replyReceived' || event.type === 'modelAsked' ? [event.usage] : [],
        );
        const cached = usages.reduce((sum, { cacheReadTokens }) => sum + cacheReadTokens, 0);
        const sent = usages.reduce((sum, usage) => sum + promptTokens(usage), 0);
        const share = percentText(cached / sent).replace(' ', '\u00a0');
        const session = `Session: no charge, ${share} from cache`;
        await inView(panel.find('cost-session'), (text) => text === session);
        await inView(
          panel.find('cost-pass'),
          /^The pass: .*written again\. (Repaid since step \d+|Repaid so far: \d+ %)\.$/,
        );
        await inView(panel.find('cost-again'), /^≈\u00a0[\d,]+ tokens$/);
        await inView(panel.find('chip-again'), /^Needed again [1-9]\d*$/);
      }

      async function saysWhatTheModelSaw(): Promise<void> {
        await inView(panel.at('.timeline-head .resting'), 'Click: what the model saw');
        const reply = events.find(
          (event): event is EventOf<'replyReceived'> & SessionEvent =>
            event.type === 'replyReceived' && event.step === STEP,
        )!;
        const steps = events.filter(({ type }) => type === 'replyReceived').length;
        await panel.find('timeline').hoverAlong((STEP - 1) / (steps - 1));
        const tokens = promptTokens(reply.usage).toLocaleString('en-US');
        await inView(
          panel.find('timeline-readout'),
          (text) => text.startsWith(`Step ${STEP} · `) && text.includes(`${tokens} tokens (`),
        );
      }
    });

    it('sent only requests that the strict server accepts, with the anchor in each and the newest prompt last', async () => {
      const sent = (await requestsSent()).slice(sentBefore);
      assert.ok(sent.length >= 40, `${sent.length} requests`);
      const prompts = [DEMO_TASK, ...DEMO_FOLLOW_UPS];
      for (const body of sent) {
        assert.equal(validateRequest(body)?.message, undefined);
        const said = body.messages
          .filter(({ role }) => role === 'user')
          .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
          .flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .filter((text) => !text.startsWith('[Reminder, no request: '));
        assert.ok(said[0]!.includes(DEMO_TASK));
        const newest = prompts.findLast((prompt) => said.some((text) => text.includes(prompt)))!;
        assert.ok(said.at(-1)!.includes(newest));
      }
    });
  });
});
