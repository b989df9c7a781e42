import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import {
  asWritten,
  hitsInSession,
  placeText,
  type SessionHit,
} from '../../recordings/searchSession';
import { ageText } from '../../sessions/ageText';
import type { SessionListing } from '../../sessions/sessionList';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import { ripgrepPath } from '../ripgrepPath';
import type { CurrentSession } from '../session/currentSession';

/** A search starts when the user has typed nothing for this long; ms. */
const PAUSE_MS = 250;

/** Fewer characters are in every session. */
const FEWEST = 2;

/** The list of results ends here; a longer text has fewer. */
const MOST_HITS = 200;

interface HitItem extends vscode.QuickPickItem {
  readonly found?: { readonly file: string; readonly step: number };
}

/** Searches the text of all sessions, and opens a result in the Context panel at its step. */
export class SessionSearch {
  constructor(
    private readonly registry: Pick<SessionRegistry, 'list'>,
    private readonly current: Pick<CurrentSession, 'file' | 'open'>,
    private readonly panel: { openAt(step: number): Promise<void> },
  ) {}

  readonly commands = {
    searchSessions: (words: unknown) => this.#show(typeof words === 'string' ? words : ''),
  };

  async #show(words: string): Promise<void> {
    const found = await this.#pick(words);
    if (found === undefined) return;
    await this.current.open(found.file);
    // A session that cannot be opened was reported.
    if (this.current.file === found.file) await this.panel.openAt(found.step);
  }

  #pick(words: string): Promise<HitItem['found']> {
    const pick = vscode.window.createQuickPick<HitItem>();
    pick.title = 'Plimsoll: Search Sessions';
    pick.placeholder = 'Text of prompts, replies, calls or scratchpads';
    let running = new AbortController();
    let pause: NodeJS.Timeout | undefined;
    return new Promise((resolve, reject) => {
      const search = (): void => {
        running.abort();
        running = new AbortController();
        clearTimeout(pause);
        pick.items = [];
        pick.busy = pick.value.trim().length >= FEWEST;
        if (!pick.busy) return;
        const { signal } = running;
        pause = setTimeout(() => {
          this.#search(pick, signal).catch(reject);
        }, PAUSE_MS);
      };
      pick.onDidChangeValue(search);
      pick.onDidAccept(() => {
        const found = pick.selectedItems[0]?.found;
        if (found === undefined) return;
        resolve(found);
        pick.hide();
      });
      pick.onDidHide(() => {
        running.abort();
        clearTimeout(pause);
        resolve(undefined);
        pick.dispose();
      });
      pick.value = words;
      pick.show();
      search();
    });
  }

  /** Fills the list with what it finds, session by session. */
  async #search(pick: vscode.QuickPick<HitItem>, signal: AbortSignal): Promise<void> {
    const words = pick.value.trim();
    const listings = await this.registry.list();
    const holding = await filesWith(words, listings, signal);
    const items: HitItem[] = [];
    for (const listing of listings) {
      if (signal.aborted) return;
      if (holding?.has(listing.file) === false || items.length >= MOST_HITS) continue;
      // A log that was deleted meanwhile has no results.
      const text = await readFile(listing.file, 'utf8').catch(() => '');
      const hits = hitsInSession(text, words, basename(listing.file));
      items.push(...hits.map((hit) => itemOf(hit, listing)));
    }
    if (signal.aborted) return;
    pick.items =
      items.length > 0
        ? items.slice(0, MOST_HITS)
        : [{ label: `No session has “${words}”`, alwaysShow: true }];
    pick.busy = false;
  }
}

function itemOf(hit: SessionHit, { file, title, usedAt }: SessionListing): HitItem {
  return {
    // Escape icon syntax in the text.
    label: hit.excerpt.replaceAll('$(', '\\$('),
    description: placeText(hit),
    detail: `${title.replaceAll('$(', '\\$(')} · ${ageText(Date.now() - usedAt)}`,
    // The list would compare the typed text in a way of its own.
    alwaysShow: true,
    found: { file, step: hit.step },
  };
}

/**
 * The logs that contain the text, by ripgrep; undefined where it is missing or fails, and every log is
 * read.
 */
async function filesWith(
  words: string,
  listings: readonly SessionListing[],
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const [first] = listings;
  const ripgrep = ripgrepPath({
    appRoot: vscode.env.appRoot,
    platform: process.platform,
    arch: process.arch,
    exists: existsSync,
  });
  if (first === undefined || ripgrep === undefined) return undefined;
  const args = ['--no-config', '--no-ignore', '--files-with-matches', '--ignore-case'];
  const pattern = ['--fixed-strings', `--regexp=${asWritten(words)}`];
  try {
    const { stdout } = await promisify(execFile)(
      ripgrep,
      [...args, ...pattern, '--', dirname(first.file)],
      { signal },
    );
    return new Set(stdout.split('\n'));
  } catch (error) {
    // It ends with 1 if it finds nothing.
    const isNothing = error instanceof Error && 'code' in error && error.code === 1;
    return isNothing ? new Set() : undefined;
  }
}
