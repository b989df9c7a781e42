import * as vscode from 'vscode';
import type { ExportForm, ShownBlocks } from './wishes';
import type { Refusal } from '../../contextWindow/result';
import type { Inspection } from './inspection';
import { logText } from './inspected';
import { loadPart } from '../loading';
import { saveText } from '../saveText';
import { showText } from '../openEditor';

/** What the Context panel's exports are made from. */
export interface PanelExportParts {
  readonly inspection: Inspection;
  /** Bytes of the current session's log; undefined before its first prompt. */
  readonly logBytes: () => Uint8Array | undefined;
  /** Where reports open: never over the Context panel. */
  readonly column: () => vscode.ViewColumn;
}

/** Saves what the Context panel shows, and reports its passes. */
export class PanelExports {
  constructor(private readonly parts: PanelExportParts) {}

  /**
   * Saves the view or the log where the user says; `shown` are the blocks the panel shows, if not
   * all.
   */
  async saveView(form: ExportForm, shown: ShownBlocks | undefined): Promise<Refusal> {
    const { inspection } = this.parts;
    const view = inspection.view();
    const exported = { view, timeline: inspection.timeline(), shown };
    const name = `context ${view.title}`;
    const title = 'Export the Context Window';
    switch (form) {
      case 'html': {
        const page = import('./exports/contextHtml');
        const { contextHtml } = await loadPart('The export as a page', page);
        return saveText({ title, name, ending: 'html', bytes: contextHtml(exported) });
      }
      case 'markdown': {
        const page = import('./exports/contextMarkdown');
        const { contextMarkdown } = await loadPart('The export as Markdown', page);
        return saveText({ title, name, ending: 'md', bytes: contextMarkdown(exported) });
      }
      case 'jsonl': {
        const bytes = this.#log();
        if (bytes === undefined)
          return 'There is no session yet. It starts with your first prompt.';
        return saveText({ title: 'Export the Session', name: view.title, ending: 'jsonl', bytes });
      }
    }
  }

  /** Opens the report of a pass in an editor. */
  async openPassReport(number: number): Promise<Refusal> {
    const { inspection, column } = this.parts;
    const view = inspection.view();
    const pass = view.passes.find((one) => one.number === number);
    const decisions = inspection.decisions(number);
    if (pass === undefined || decisions === undefined) return `There is no pass ${number}.`;
    const { passReport } = await loadPart('The report', import('./exports/passReport'));
    const document = await vscode.workspace.openTextDocument({
      language: 'markdown',
      content: passReport(view, pass, decisions),
    });
    await showText(document, { viewColumn: column() });
    return undefined;
  }

  /** The log as it is on disk; for a recording, the events shown. */
  #log(): string | Uint8Array | undefined {
    const { inspected } = this.parts.inspection;
    if (inspected.source.type === 'session') return this.parts.logBytes();
    return logText(inspected);
  }
}
