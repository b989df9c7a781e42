import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Webview } from 'vscode';
import { describe, expect, it, vi } from 'vitest';
import { EndFirst } from '../../../src/editor/conversation/endFirst';
import type { WebviewPage } from '../../../src/editor/page';
import type { AgentFact } from '../../../src/editor/conversation/state';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';
import {
  asLog,
  callsTools,
  dated,
  finished,
  prompt,
  started,
} from '../../sessions/support/sampleEvents';
import { tempFolder } from '../../tools/support/tempFolder';
import { settled } from '../support/controllerScene';
import { EXTENSION_URI, ScriptedEditor, ShownPage } from '../support/scriptedEditor';

/** A log of one turn, after a result of this many characters. */
function logOf(chars: number): string {
  const file = join(tempFolder(), '2026-11-22-s-1.jsonl');
  const result = { ...finished('a'), text: 'x'.repeat(chars) } as ReturnType<typeof finished>;
  const events = [started, prompt('one'), callsTools('a'), result, prompt('two'), callsTools('b')];
  writeFileSync(file, asLog(dated(...events)));
  return file;
}

const LONG = 4_100_000;

function scene() {
  const posted: AgentFact[] = [];
  const problems: string[] = [];
  const endFirst = new EndFirst({
    access: { settings: { valid: { settings: DEFAULT_SETTINGS } } },
    demoAuthor: 'demo',
    report: { log: (problem: string) => problems.push(problem) },
  } as unknown as ConstructorParameters<typeof EndFirst>[0]);
  return { endFirst, posted, problems, post: (fact: AgentFact) => void posted.push(fact) };
}

/** A page in a visible webview, and its posts. */
async function pageOf(shown: ShownPage): Promise<WebviewPage> {
  vi.doMock('vscode', () => new ScriptedEditor().module);
  const { WebviewPage } = await import('../../../src/editor/page');
  vi.doUnmock('vscode');
  const webview = shown.webview as unknown as Webview;
  return new WebviewPage(webview, EXTENSION_URI, 'agent', 'Agent');
}

describe('the end of a session that opens', () => {
  it('is shown first if its log is long, without numbers that are not read yet', () => {
    const { endFirst, posted, post } = scene();
    endFirst.show(logOf(LONG), post);
    expect(posted).toHaveLength(1);
    expect(posted[0]).toMatchObject({
      type: 'conversationChanged',
      conversation: { session: 's-1', title: 'one', isOpening: true, turns: [{ prompt: 'two' }] },
    });
    expect(JSON.stringify(posted)).not.toContain('gauge');
  });

  it('is not shown first if its log is short', () => {
    const { endFirst, posted, post } = scene();
    endFirst.show(logOf(10), post);
    expect(posted).toEqual([]);
  });

  it('is skipped if posting it fails, and the whole log follows', () => {
    const { endFirst, problems } = scene();
    endFirst.show(logOf(LONG), () => {
      throw new Error('gone');
    });
    expect(problems).toEqual(['gone']);
  });
});

describe('the end of a session in a window that opens', () => {
  it('is posted to the page once it listens', async () => {
    const { endFirst } = scene();
    const shown = new ShownPage();
    const file = logOf(LONG);
    // Loading it may take longer on a busy machine than the wait for the page.
    const page = pageOf(shown);
    await page;
    expect(shown.webview.html).not.toBe('');
    const done = endFirst.showSoon(page, () => file);
    await settled();
    expect(shown.facts).toEqual([]);
    shown.post('ready');
    await done;
    expect(shown.facts).toMatchObject([{ type: 'conversationChanged' }]);
  });

  it('does not wait for a page that never appears or never listens', async () => {
    const { endFirst } = scene();
    const latest = vi.fn<() => string | undefined>();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const never = endFirst.showSoon(new Promise(() => undefined), latest);
      const deaf = endFirst.showSoon(pageOf(new ShownPage()), latest);
      await vi.advanceTimersByTimeAsync(5_000);
      await Promise.all([never, deaf]);
    } finally {
      vi.useRealTimers();
    }
    expect(latest).not.toHaveBeenCalled();
  });
});
