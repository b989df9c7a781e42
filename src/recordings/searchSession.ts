import type { ReplyPart } from '../contextWindow/block';
import { isObject } from '../contextWindow/json';
import type { TranscriptEntry } from '../sessions/transcript';
import { importTranscript } from './importTranscript';
import { parsed } from './readJson';

/** What of a session is searched; results of tools are not, they repeat whole files. */
export type SearchedIn = 'prompt' | 'reply' | 'call' | 'scratchpad';

/** A place in a session that has the words. */
export interface SessionHit {
  /** The step of the place, counted from 1: a prompt belongs to the step before it; 0 for none. */
  readonly step: number;
  readonly where: SearchedIn;
  /** The words in their context, on one line. */
  readonly excerpt: string;
}

/**
 * Finds words in the prompts, replies, calls and scratchpad of a session of any agent, whatever their
 * case; `text` is its file. A file that cannot be read has none.
 */
export function hitsInSession(text: string, words: string, name: string): readonly SessionHit[] {
  if (isOwnLog(text)) return mayHold(text, words) ? hitsInOwnLog(text, words) : [];
  // Some agents write the arguments of calls as JSON within JSON.
  if (asWritten(words) === words && !mayHold(text, words)) return [];
  const read = importTranscript(text, 'auto', name, () => 0, { growing: true });
  return read.ok ? hitsInEntries(read.transcript.entries, words) : [];
}

/** Whether a file can have the words: its texts are written as JSON. */
function mayHold(text: string, words: string): boolean {
  // Some agents write other letters as \uXXXX.
  if (/[^\x20-\x7e]/.test(words)) return true;
  return text.toLowerCase().includes(asWritten(words).toLowerCase());
}

/** Words as they stand within a JSON text. */
export function asWritten(words: string): string {
  return JSON.stringify(words).slice(1, -1);
}

function isOwnLog(text: string): boolean {
  return /^\{[^\n]{0,80}"type":"sessionStarted"/.test(text);
}

/** An event's type stands among the first characters of its line. */
const BEGINNING = 80;

/** Most lines have nothing to search, and some are long: only those with the words are parsed. */
function hitsInOwnLog(text: string, words: string): readonly SessionHit[] {
  const found = new Found(words);
  let step = 0;
  for (const line of text.split('\n')) {
    const [, type] = /"type":"(\w+)"/.exec(line.slice(0, BEGINNING)) ?? [];
    if (type === 'replyReceived') step += 1;
    if (type === undefined || !SEARCHED.has(type) || !mayHold(line, words)) continue;
    const event = parsed(line);
    if (!isObject(event)) continue;
    if (type === 'promptSubmitted') found.in(step, 'prompt', event['text']);
    else if (type === 'scratchpadUpdated') found.in(step, 'scratchpad', event['scratchpad']);
    else if (type === 'replyReceived') found.inParts(step, event['parts']);
    else if (isObject(event['source']) && event['source']['from'] === 'said') {
      found.in(step, 'prompt', event['text']);
    }
  }
  return found.hits;
}

const SEARCHED: ReadonlySet<string> = new Set([
  'promptSubmitted',
  'replyReceived',
  'scratchpadUpdated',
  'noteAdded',
]);

function hitsInEntries(entries: readonly TranscriptEntry[], words: string): readonly SessionHit[] {
  const found = new Found(words);
  let step = 0;
  for (const entry of entries) {
    if (entry.type === 'reply') {
      step += 1;
      found.inParts(step, entry.parts);
    } else if (entry.type === 'prompt') found.in(step, 'prompt', entry.text);
  }
  return found.hits;
}

/** Collects the first place of each kind in each step. */
class Found {
  readonly hits: SessionHit[] = [];
  readonly #words: string;

  constructor(words: string) {
    this.#words = words.toLowerCase();
  }

  in(step: number, where: SearchedIn, value: unknown): void {
    for (const text of textsIn(value)) {
      const at = text.toLowerCase().indexOf(this.#words);
      if (at === -1) continue;
      const last = this.hits.at(-1);
      // The scratchpad is stored again with each change.
      const isSame = last?.where === where && (last.step === step || where === 'scratchpad');
      if (!isSame) this.hits.push({ step, where, excerpt: excerpt(text, at, this.#words.length) });
      return;
    }
  }

  inParts(step: number, parts: unknown): void {
    for (const part of Array.isArray(parts) ? (parts as readonly Partial<ReplyPart>[]) : []) {
      if (part.type === 'text') this.in(step, 'reply', part.text);
      if (part.type === 'toolUse') this.in(step, 'call', part.use?.input);
    }
  }
}

/** The texts in a value, such as the arguments of a call. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Characters before the words, and in all. */
const [BEFORE, LONGEST] = [30, 120];

function excerpt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - BEFORE);
  const to = Math.max(at + length, from + LONGEST);
  const shown = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`;
}

/** Where a hit is, in words: "step 3, call". */
export function placeText({ step, where }: Pick<SessionHit, 'step' | 'where'>): string {
  return step === 0 ? where : `step ${step}, ${where}`;
}
