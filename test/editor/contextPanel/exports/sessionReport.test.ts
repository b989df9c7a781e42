import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import { fold } from '../../../../src/contextWindow/fold';
import {
  type ReportedSession,
  sessionReport,
} from '../../../../src/editor/contextPanel/exports/sessionReport';
import { chargesInLog, reportOfSession } from '../../../../src/replay/inspectSession';
import { requestsInLog } from '../../../../src/replay/measures/cacheRewrites';
import { dated, drawnEvents, evicting, budgetOf } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { onOneLine, textIn } from '../support/pageText';
import { inspecting, lookedAt } from '../support/inspecting';

const KEY = `ghp_${'a1B2'.repeat(9)}`;
const SUMMARY = `They read secretPlan.md and the key ${KEY}.`;

/** Steps with usage, of which a pass replaced the first by a summary. */
const EVENTS = dated([
  ...drawnEvents(`
    1 anchor canaryTask 30
    1 step a.ts 40
    1 step canaryFile.ts 30
  `),
  evicting('step-1'),
  ...drawnEvents('2 prompt canaryPrompt 5\n2 step c.ts 10').slice(1),
]).map((event) => {
  if (event.type === 'replyReceived') {
    const usage = {
      inputTokens: 10,
      cacheCreationTokens: event.step === 2 ? 5 : 900,
      cacheReadTokens: event.step === 2 ? 905 : 0,
      outputTokens: 7,
    };
    return { ...event, model: 'claude-sonnet-4-5', usage };
  }
  if (event.type !== 'passApplied') return event;
  const summary = {
    id: 'summary-1' as const,
    covers: [],
    text: SUMMARY,
    writtenBy: { by: 'workNote' as const, because: 'a test' },
  };
  return { ...event, pass: { ...event.pass, summaries: [summary as never] } };
});

async function reported(step?: number, events = EVENTS): Promise<ReportedSession> {
  const report = await reportOfSession(
    {
      events: EVENTS,
      charges: chargesInLog(events),
      served: requestsInLog(EVENTS),
      losses: [],
      budget: budgetOf(10_000),
      step,
    },
    { estimate, warm: async () => undefined },
  );
  return { format: 'plimsoll', model: 'claude-sonnet-4-5', report: report! };
}

describe('the report of a session', () => {
  it('has map, timeline, passes, prices and cache rewrites in numbers, and no text of the session', async () => {
    const page = sessionReport(await reported());
    const text = onOneLine(textIn(page.replaceAll('<!-- -->', '')));
    for (const words of [
      'Window after step 3',
      // Percent of the input budget, as in the panel.
      'of 10,000 tokens (',
      'Largest blocks',
      'Timeline',
      '3 requests, steps 1 to 3; the largest had 920 tokens.',
      'Pass 1 before step 1: ≈ 2 → ≈ 1 tokens',
      'Compact Now. 1 block changed, nothing needed again.',
      'claude-sonnet-4-5',
      '2 of 3 requests made 99.7 % of all cache writes.',
      'It has numbers, and no text, file name or command of the session.',
    ]) {
      expect(text).toContain(words);
    }
    expect(page.match(/<polygon/g)).toHaveLength(3);
    expect(page.match(/class="block"/g)!.length).toBeGreaterThan(3);
    expect(page).not.toMatch(/canary|\.ts|secretPlan|ghp_|<script|https?:|url\(/i);
  });

  it('marks prices as estimates where the server does not count reliably', async () => {
    const unsure = EVENTS.map((event) =>
      event.type === 'replyReceived' && event.step === 3 ? { ...event, uncounted: true } : event,
    ) as typeof EVENTS;
    const sure = sessionReport(await reported());
    const page = sessionReport(await reported(undefined, unsure));
    const prices = (text: string) => text.match(/(?:≈ )?\$\d+\.\d+/g);
    expect(prices(page)!.slice(0, 2)).toEqual(
      prices(sure)!
        .slice(0, 2)
        .map((one) => `≈ ${one}`),
    );
  });

  it('has names and summaries only on request, with markup escaped', async () => {
    const session = await reported();
    const page = sessionReport(session, 'names');
    const text = onOneLine(textIn(page.replaceAll('<!-- -->', '')));
    expect(text).toContain('canaryFile.ts');
    expect(text).toContain('secretPlan.md');
    expect(text).toContain('Secrets that the rules of secretlint recognise are masked.');
    const hostile = '<img src=x onerror=alert(1)>';
    const blocks = session.report.blocks.map((block) => ({ ...block, label: hostile }));
    const evil = { ...session, report: { ...session.report, blocks } };
    expect(sessionReport(evil, 'names')).not.toContain('<img');
    expect(sessionReport(evil)).not.toContain('onerror');
  });
});

describe('Save Report', () => {
  const saved: { bytes: string }[] = [];
  const panels: { webview: { html: string }; closed: () => void; isGone: boolean }[] = [];
  const warnings: string[] = [];
  let choice: 'none' | 'names' | undefined;
  let made: typeof import('../../../../src/editor/contextPanel/exports/saveReport');

  beforeAll(async () => {
    vi.resetModules();
    vi.doMock('vscode', () => ({
      ViewColumn: { Two: 2 },
      window: {
        showQuickPick: async (items: readonly { texts: string }[]) =>
          items.find(({ texts }) => texts === choice),
        createWebviewPanel: (...[, , , options]: readonly unknown[]) => {
          expect(options).toMatchObject({ localResourceRoots: [] });
          expect(options).not.toHaveProperty('enableScripts');
          const panel = {
            webview: { html: '' },
            closed: () => undefined as void,
            isGone: false,
            onDidDispose: (then: () => void) => (panel.closed = then),
            dispose: () => {
              panel.isGone = true;
              panel.closed();
            },
          };
          panels.push(panel);
          return panel;
        },
      },
    }));
    vi.doMock('../../../../src/editor/saveText', () => ({
      saveText: async (text: { bytes: string }) => void saved.push(text),
    }));
    made = await import('../../../../src/editor/contextPanel/exports/saveReport');
    vi.doUnmock('vscode');
    vi.doUnmock('../../../../src/editor/saveText');
    vi.resetModules();
  });
  beforeEach(() => {
    saved.length = 0;
    panels.length = 0;
    warnings.length = 0;
  });

  const reports = (events = EVENTS, window: ContextWindow = fold(events)) => {
    const { inspection } = inspecting(() => lookedAt({ events, window }), estimate);
    const recordings = { report: async () => ({ ok: false as const, message: 'No recording.' }) };
    return new made.SavedReports({ inspection, recordings, columnBeside: 2 });
  };

  it('saves the numbers at once, and nothing if the user cancels', async () => {
    choice = undefined;
    expect(await reports().save()).toBeUndefined();
    expect(saved).toEqual([]);
    choice = 'none';
    expect(await reports().save()).toBeUndefined();
    expect(saved).toHaveLength(1);
    expect(saved[0]!.bytes).toContain('It has numbers');
    expect(panels).toEqual([]);
  });

  it('shows a page with texts first, its secrets masked, and saves what was shown', async () => {
    choice = 'names';
    const all = reports();
    expect(await all.save()).toBeUndefined();
    expect(saved).toEqual([]);
    const [{ webview } = { webview: { html: '' } }] = panels;
    expect(webview.html).toContain('1 secret masked (rules of secretlint)');
    expect(webview.html).toContain('command:plimsoll.saveReport?%5B%22shown%22%5D');
    expect(webview.html).toMatch(/the key \[masked: GitHub token [0-9a-f]+\]\./);
    expect(await all.saveShown()).toBeUndefined();
    expect(saved[0]!.bytes).toContain('secretPlan.md');
    expect(saved[0]!.bytes).not.toMatch(new RegExp(`${KEY}|command:|not saved yet`));
    panels[0]!.closed();
    expect(await all.saveShown()).toBe(
      'No report is shown, so none was saved. Choose Save Report again.',
    );
  });

  it('refuses a session without a step', async () => {
    choice = 'none';
    expect(await reports([]).save()).toBe('There is no step yet, so there is nothing to report.');
    expect(saved).toEqual([]);
  });
});
