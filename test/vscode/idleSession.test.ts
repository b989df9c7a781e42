import assert from 'node:assert/strict';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { EventOf, SessionEvent } from '../../src/contextWindow/event';
import { knownFiles } from '../../src/contextWindow/idle';
import { fold } from '../../src/contextWindow/fold';
import { DEMO_FOLLOW_UPS } from '../../src/offline/demo/demoPrompts';
import type { AgentPage } from './support/agentPage';
import { changedSettings, ChangedSettings } from './support/changedSettings';
import { itInSoak } from './support/inSoak';
import { PanelPage } from './support/panelPage';
import { requestsSent } from './support/requestsSent';
import { storeSession } from './support/storedSession';
import { until } from './support/until';

const [QUESTION = '', OTHER_QUESTION = ''] = DEMO_FOLLOW_UPS;
const DAY = 86_400_000;

/** A file unknown to the session. */
const NEW = 'written-meanwhile.txt';

describe('a session idle for longer than its time to live', function () {
  this.timeout(180_000);
  const settings = changedSettings();
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  let agent: AgentPage;
  let events: readonly SessionEvent[];
  let folder: string;
  /** A file that the session read. */
  let known: string;
  let stored = 0;
  let sentBefore = 0;

  /**
   * Stores the session as if it had been idle for thirty days, and opens it; returns its log and
   * name.
   */
  async function comeBack(): Promise<{ readonly log: string; readonly title: string }> {
    const title = `Thirty days ago, ${++stored}`;
    const log = storeSession(folder, title, old(events));
    await agent.openSession(title);
    sentBefore = (await requestsSent()).length;
    return { log, title };
  }

  async function eventsIn(log: string): Promise<readonly SessionEvent[]> {
    const lines = (await readFile(log, 'utf8')).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as SessionEvent);
  }

  /** The first prompts sent since the session was opened, as the strict server accepted them. */
  async function firstMessages(): Promise<string> {
    const since = (await requestsSent()).slice(sentBefore);
    return JSON.stringify(since.find(({ tools }) => tools !== undefined)?.messages);
  }

  before(async () => {
    await settings.set('sessions.onReturn', 'ask', 'user');
    const page = await PanelPage.onFollowUps();
    ({ agent } = page);
    folder = dirname(page.logFile);
    events = await page.events();
    [{ path: known } = { path: '' }] = knownFiles(fold(events));
    assert.notEqual(known, '', 'the session read a file');
    // Two files changed after the session was last used, and the session knows one of them.
    await age(root, new Date(Date.now() - 60 * DAY));
    await writeFile(join(root, NEW), 'new\n');
    await utimes(join(root, known), new Date(), new Date());
    await age(root, new Date(Date.now() - 60 * DAY), 'folders');
  });

  after(() => rm(join(root, NEW), { force: true }));

  it('waits for an answer before it continues: a prompt stays queued, even while the view is hidden', async () => {
    const { log } = await comeBack();
    const sentence = await agent
      .find('return-sentence')
      .shows(
        /^Idle 30 days, (≈ )?[\d,]+ tokens, 2 files changed since \(file times\), 1 of them known to the agent\.$/,
      );
    // The same number as everywhere else.
    const [, tokens = ''] = /days, (?:≈ )?([\d,]+) tokens/.exec(sentence) ?? [];
    await agent.find('gauge').is('data-used', tokens.replaceAll(',', ''));
    await agent.find('return').at('summary').click();
    await agent.find('return-files').shows(new RegExp(`${known}.*known to the agent`, 's'));
    await agent.find('return-files').shows(NEW);
    const before = await eventsIn(log);
    await agent.send(OTHER_QUESTION);
    await agent.find('queued').shows(OTHER_QUESTION);
    await agent.editor.openActivity('Explorer');
    await agent.editor.openActivity('Plimsoll');
    await agent.again();
    await agent.find('return').appears();
    await agent.find('queued').appears();
    const after = (await eventsIn(log)).filter(({ type }) => type !== 'queueChanged');
    assert.deepEqual(after, before);
    await agent.find('queued-delete').click();
    await agent.find('queued').isGone();
  });

  it('continues, and the model learns how long it was idle and what changed', async () => {
    const { log } = await comeBack();
    await agent.find('return').appears();
    await agent.find('return-continue').click();
    await agent.find('return').isGone();
    const note = await until('the note was logged', async () =>
      (await eventsIn(log)).find(isReturn),
    );
    assert.match(note.text, /^The user comes back after 30 days\./);
    assert.match(note.text, new RegExp(`\n- ${known}$`));
    const panel = await PanelPage.ofSession(agent);
    await panel.row(`note-${note.note}`).shows('Idle for 30 days');
    await panel.ask(QUESTION);
    const sent = await firstMessages();
    assert.equal(sent.split('The user comes back after 30 days').length, 2);
    assert.ok(sent.indexOf('<time_passed') < sent.lastIndexOf(QUESTION));
    // Once used again, it continues without a question.
    await agent.startSession();
    await agent.find('return').staysGone();
  });

  itInSoak(
    'says what the next request costs where passes ask, and Continue answers that too',
    async () => {
      const asks = new ChangedSettings();
      try {
        await asks.set('context.compaction', 'ask');
        await asks.set('context.lowWatermark', 1_000);
        const { log } = await comeBack();
        // The scripted model has no price.
        await agent
          .find('return-cost')
          .shows(
            /^The prompt cache is cold: ≈ [\d,]+ tokens are written to it, from a summary ≈ [\d,]+\.$/,
          );
        await agent.find('return-summary').appears();
        await agent.find('return-continue').click();
        await agent.find('return').isGone();
        await agent.perform(QUESTION);
        const types = (await eventsIn(log)).map(({ type }) => type);
        assert.equal(types.filter((type) => type === 'passPostponed').length, 1);
        assert.ok(types.lastIndexOf('replyReceived') > types.indexOf('passPostponed'));
      } finally {
        await asks.restore();
      }
    },
  );

  itInSoak(
    'asks after a shorter pause, too, where passes ask, and compacts first with one click',
    async () => {
      const asks = new ChangedSettings();
      try {
        await asks.set('context.compaction', 'ask');
        await asks.set('context.lowWatermark', 1_000);
        await asks.set('sessions.ttl', '60d', 'user');
        const { log } = await comeBack();
        await agent.send(QUESTION);
        await agent.find('cold-compact').appears();
        await agent
          .find('review-notice')
          .shows(
            /^The prompt cache is cold: ≈ [\d,]+ tokens are written to it, compacted first ≈ [\d,]+\./,
          );
        await agent.find('cold-continue').appears();
        await agent.find('cold-compact').click();
        await agent.find('review-notice').isGone();
        await agent.does('idle');
        const passes = (await eventsIn(log)).filter((event) => event.type === 'passApplied');
        assert.equal(passes.at(-1)?.pass.trigger, 'coldCache');
        assert.ok(passes.at(-1)!.pass.after.tokens < passes.at(-1)!.pass.before.tokens);
      } finally {
        await asks.restore();
      }
    },
  );

  itInSoak('continues from a summary of the older turns', async () => {
    const { log } = await comeBack();
    await agent.find('return-summary').click();
    await agent.find('return').isGone();
    const all = await eventsIn(log);
    const pass = all.findLast((event) => event.type === 'passApplied');
    assert.ok(pass?.type === 'passApplied' && pass.pass.policy === 'summarise');
    assert.equal(pass.pass.trigger, 'manual');
    assert.ok(pass.pass.summaries.length > 0);
    assert.ok(pass.pass.after.tokens < pass.pass.before.tokens);
    assert.ok(all.indexOf(pass) < all.findIndex(isReturn));
    await agent.perform(QUESTION);
    const sent = await firstMessages();
    assert.match(sent, /\[Summary of step/);
    assert.match(sent, /The user comes back after 30 days/);
  });

  itInSoak('asks when its time runs out while it is shown', async () => {
    const { log } = await comeBack();
    await agent.find('return-continue').click();
    await agent.find('return').isGone();
    await settings.set('sessions.ttl', '2s', 'user');
    await agent.find('return-sentence').shows(/^Idle less than a minute, /);
    await settings.set('sessions.ttl', '24h', 'user');
    const closed = (await eventsIn(log)).at(-1);
    assert.ok(closed?.type === 'sessionClosed' && closed.reason === 'expired');
    await agent.send(OTHER_QUESTION);
    await agent.find('queued').shows(OTHER_QUESTION);
    await agent.find('return-continue').click();
    await agent.find('queued').isGone();
    await agent.does('idle');
    const all = await eventsIn(log);
    const note = all.findLastIndex(isReturn);
    assert.ok(all.findLastIndex(({ type }) => type === 'sessionClosed') < note);
    assert.ok(note < all.findLastIndex(({ type }) => type === 'promptSubmitted'));
  });

  itInSoak(
    'stays unchanged when the user starts a new one, and asks again when it is opened',
    async () => {
      const { log, title } = await comeBack();
      await agent.find('return').appears();
      const bytes = await readFile(log);
      await agent.find('return-new').click();
      await agent.find('empty').appears();
      await agent.find('return').isGone();
      assert.deepEqual(await readFile(log), bytes);
      await agent.openSession(title);
      await agent.find('return').appears();
    },
  );

  itInSoak(
    'asks no more once the answer is remembered, and uses that answer with the next prompt',
    async () => {
      await comeBack();
      await agent.find('return-remember').tick(true);
      await agent.find('return-continue').click();
      await agent.find('return').isGone();
      await until('the answer is stored', () => {
        const { globalValue } =
          vscode.workspace.getConfiguration('plimsoll').inspect('sessions.onReturn') ?? {};
        return globalValue === 'continue';
      });
      const { log } = await comeBack();
      await agent.find('return').staysGone();
      assert.ok(!(await eventsIn(log)).some(isReturn));
      await agent.perform(QUESTION);
      const all = await eventsIn(log);
      const note = all.findIndex(isReturn);
      assert.ok(note > 0);
      assert.ok(note < all.findLastIndex(({ type }) => type === 'promptSubmitted'));
      assert.match(await firstMessages(), /The user comes back after 30 days/);
    },
  );
});

/** Returns whether an event is the note about the idle time. */
function isReturn(event: SessionEvent): event is EventOf<'noteAdded'> & SessionEvent {
  return event.type === 'noteAdded' && event.source.from === 'return';
}

/** The events, dated thirty days earlier. */
function old(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const last = Math.max(...events.map(({ at }) => at));
  const shift = Date.now() - last - 30 * DAY - 3_600_000;
  return events
    .filter(({ type }) => type !== 'sessionClosed' && type !== 'stateSet')
    .map((event) => ({ ...event, at: event.at + shift }));
}

/** Sets the time of everything below a folder, or only of the folders. */
async function age(root: string, time: Date, which: 'all' | 'folders' = 'all'): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (which === 'all' || entry.isDirectory()) {
      await utimes(join(entry.parentPath, entry.name), time, time);
    }
  }
  await utimes(root, time, time);
}
