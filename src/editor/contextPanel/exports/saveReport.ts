import * as vscode from 'vscode';
import { marksIn } from '../../../agent/secrets/knownSecrets';
import { maskedIn } from '../../../agent/secrets/secrets';
import { countText } from '../../../contextWindow/amount';
import type { Refusal, Result } from '../../../contextWindow/result';
import { chargesInLog, reportOfWindow } from '../../../replay/inspectSession';
import { requestsInLog } from '../../../replay/measures/cacheRewrites';
import { loadPart } from '../../loading';
import { withProgress } from '../../recordings/recordingDialogs';
import type { Recordings } from '../../recordings/recordings';
import { saveText } from '../../saveText';
import type { Inspection } from '../inspection';
import type { ReportedSession, ReportTexts } from './sessionReport';

interface ReportSources {
  readonly inspection: Pick<Inspection, 'inspected' | 'window' | 'at' | 'budget' | 'counting'>;
  readonly recordings: Pick<Recordings, 'report'>;
  /** Where a page opens. */
  readonly columnBeside: vscode.ViewColumn;
}

/** A page that the user reads before it is saved. */
interface Preview {
  readonly panel: vscode.WebviewPanel;
  readonly page: string;
}

/**
 * Saves reports about the session in the Context panel: numbers immediately, and a page with texts only after
 * the user has seen it.
 */
export class SavedReports implements vscode.Disposable {
  #preview: Preview | undefined;

  constructor(private readonly sources: ReportSources) {}

  /** Asks what the report may contain; saves it, or shows it first. */
  async save(): Promise<Refusal> {
    const { inspection } = this.sources;
    if (inspection.inspected.window.step === 0) return NOTHING_YET;
    const texts = await chooseTexts();
    if (texts === undefined) return undefined;
    const reported = await this.#reported();
    if (!reported.ok) return reported.message;
    const { sessionReport } = await loadPart('The report', import('./sessionReport'));
    // Once it is HTML, some characters of a secret would be escaped.
    const page = sessionReport(maskedIn(reported.session), texts);
    if (texts === 'none') return savePage(page);
    this.#show(page);
    return undefined;
  }

  /** Saves the page that the user has seen. */
  async saveShown(): Promise<Refusal> {
    if (this.#preview === undefined) {
      return 'No report is shown, so none was saved. Choose Save Report again.';
    }
    return savePage(this.#preview.page);
  }

  dispose(): void {
    this.#preview?.panel.dispose();
  }

  async #reported(): Promise<Result<{ readonly session: ReportedSession }>> {
    const { inspection, recordings } = this.sources;
    const { inspected, at } = inspection;
    const { source, transcript, window: last, events } = inspected;
    const step = at === 'now' ? undefined : at;
    if (source.type === 'recording' && transcript !== undefined) {
      const made = await withProgress(`Plimsoll: reporting on ${source.file}`, (...watch) =>
        recordings.report(step, ...watch),
      );
      if (!made.ok) return made;
      const { report } = made;
      const { format } = transcript;
      const { origin } = source;
      const named = { format, model: inspected.model, report };
      return { ok: true, session: origin === undefined ? named : { ...named, origin } };
    }
    const { budget, counting } = inspection;
    const report = await reportOfWindow(
      {
        shown: inspection.window,
        last,
        charges: chargesInLog(events),
        served: requestsInLog(events),
        losses: [],
        budget,
        step,
      },
      counting,
    );
    const model = last.model ?? inspected.model;
    return { ok: true, session: { format: 'plimsoll', model, report } };
  }

  #show(page: string): void {
    this.#preview?.panel.dispose();
    const { columnBeside } = this.sources;
    const panel = vscode.window.createWebviewPanel('plimsoll.report', 'Report', columnBeside, {
      enableFindWidget: true,
      enableCommandUris: ['plimsoll.saveReport'],
      localResourceRoots: [],
    });
    panel.webview.html = withSaveLink(page);
    this.#preview = { panel, page };
    panel.onDidDispose(() => {
      if (this.#preview?.panel === panel) this.#preview = undefined;
    });
  }
}

const NOTHING_YET = 'There is no step yet, so there is nothing to report.';

/** The argument of the command that saves the page shown. */
export const SHOWN = 'shown';

/** Adds what to check, and the link that saves; the saved page has neither. */
function withSaveLink(page: string): string {
  const masked = marksIn(page).length;
  const secrets = masked === 0 ? 'No secret was found' : `${countText(masked, 'secret')} masked`;
  const command = `command:plimsoll.saveReport?${encodeURIComponent(JSON.stringify([SHOWN]))}`;
  return page.replace(
    '<main>',
    () =>
      '<main><p class="notice">This page has texts of the session and is not saved yet. ' +
      `${secrets} (rules of secretlint). Read it first. <a href="${command}">Save Report…</a></p>`,
  );
}

/** Asks whether the report may have texts; undefined if the user cancels. */
async function chooseTexts(): Promise<ReportTexts | undefined> {
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & { texts: ReportTexts }>(
    [
      {
        label: 'Numbers only',
        detail: 'No prompt, file name or command of the session',
        texts: 'none',
      },
      {
        label: 'Names and summaries, too',
        detail:
          'Files, commands, beginnings of prompts, standing rules and summaries; secrets are masked, and you see the page first',
        texts: 'names',
      },
    ],
    { title: 'Plimsoll: Save Report' },
  );
  return chosen?.texts;
}

function savePage(page: string): Promise<Refusal> {
  return saveText({ title: 'Save Report', name: 'session report', ending: 'html', bytes: page });
}
