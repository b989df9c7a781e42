import * as z from 'zod/mini';
import { holdsKey } from '../agent/secrets/knownSecrets';
import type { Tool } from '../agent/tool';
import { refused, type Result } from '../contextWindow/result';
import { unseenIn } from '../contextWindow/visibleText';
import { defineTool, failed, succeeded } from './defineTool';
import { enclosed, type MarkOf, randomMarks } from './enclosed';

/** Time limit for one page, ms, and most bytes read. */
const LONGEST_MS = 20_000;
const MOST_BYTES = 2_000_000;

/** Longest address, characters. */
const LONGEST_URL = 2_000;

/** Most redirects followed within one host. */
const MOST_REDIRECTS = 5;

/** Most characters of a page for the model. */
const MOST_CHARACTERS = 100_000;

export const fetchUrl = fetchUrlMarked(randomMarks);

/** The tool with marks of its own around pages. */
export function fetchUrlMarked(markOf: MarkOf): Tool {
  return defineTool({
    name: 'fetch_url',
    description:
      'Gets a page by https (http only on this computer) and returns its text; HTML is made ' +
      'readable. The user approves each host. A redirect to another host is reported, not followed.',
    input: z.strictObject({
      url: z.string().check(z.maxLength(LONGEST_URL)),
    }),
    async prepare({ url: given }) {
      const checked = fetchable(given);
      if (!checked.ok) return checked;
      const { url } = checked;
      return {
        ok: true,
        call: {
          approval: { kind: 'fetch', url: url.href, host: url.host },
          action: `The request to ${url.href}`,
          run: (signal) => fetched(url, signal, markOf),
        },
      };
    },
  });
}

/** Gets a page for the user, in the same way as the tool. */
export async function fetchPage(
  given: string,
  signal: AbortSignal,
): Promise<Result<{ readonly text: string }>> {
  const checked = fetchable(given);
  if (!checked.ok) return checked;
  const { text, isError } = await fetched(checked.url, signal, randomMarks);
  // For a page that was not found, report only that.
  const [why = text] = text.split(' What follows', 1);
  return isError ? refused(why) : { ok: true, text };
}

/** Checks an address without sending anything. */
function fetchable(given: string): Result<{ readonly url: URL }> {
  const unseen = unseenIn(given);
  if (unseen !== undefined) return refused(`The address contains ${unseen}, which is invisible.`);
  const url = URL.parse(given.trim());
  if (url === null) return refused('This is not an address. Give a whole one: https://host/path.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    return refused('Only https is allowed, and http on this computer. Nothing was sent.');
  }
  if (url.username !== '' || url.password !== '') {
    return refused('The address contains a user name or password. Nothing was sent.');
  }
  if (holdsKey(given) || holdsKey(decoded(url.href))) {
    return refused('The address contains an API key. Nothing was sent.');
  }
  url.hash = '';
  return { ok: true, url };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray % is part of the address.
    return text;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

async function fetched(from: URL, signal: AbortSignal, markOf: MarkOf) {
  const timeout = AbortSignal.timeout(LONGEST_MS);
  const either = AbortSignal.any([signal, timeout]);
  try {
    let url = from;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const response = await fetch(url, {
        redirect: 'manual',
        signal: either,
        credentials: 'omit',
        headers: { accept: 'text/html, text/plain, application/json;q=0.9, text/*;q=0.8' },
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        return await answerOf(url, response, markOf);
      }
      await response.body?.cancel();
      const next = fetchable(URL.parse(location, url)?.href ?? location);
      if (!next.ok) return failed(`${url.href} redirects to another address. ${next.message}`);
      if (next.url.host !== from.host) {
        return failed(
          `${url.href} redirects to ${next.url.href}, on another host. To follow it, call fetch_url with that address; the user is asked.`,
        );
      }
      url = next.url;
    }
    return failed(`${from.href} has too many redirects.`);
  } catch (error) {
    if (timeout.aborted) return failed(`${from.href} took over ${LONGEST_MS / 1_000} s.`);
    return failed(`${from.href} could not be fetched: ${whyNot(error)}.`);
  }
}

async function answerOf(url: URL, response: Response, markOf: MarkOf) {
  const type = response.headers.get('content-type') ?? 'text/plain';
  if (!/^(text\/|application\/([\w.-]*\+)?(json|xml|javascript|yaml))/i.test(type.trim())) {
    await response.body?.cancel();
    return failed(`${url.href} is ${type}, which is not text (status ${response.status}).`);
  }
  const { text: raw, isCut } = await bodyOf(response, /charset="?([\w-]+)/i.exec(type)?.[1]);
  const isHtml = /^(text\/html|application\/xhtml)/i.test(type.trim());
  const text = isHtml ? readableText(raw) : raw;
  const shown = text.slice(0, MOST_CHARACTERS).toWellFormed();
  const lines = [
    `${url.href} (status ${response.status}). ${enclosed('web_page', 'is from the web', shown, markOf)}`,
    ...(isCut || shown.length < text.length
      ? ['[The page is longer; the rest was left out.]']
      : []),
  ];
  const told = lines.join('\n');
  return response.ok ? succeeded(told) : failed(told);
}

async function bodyOf(response: Response, charset = 'utf-8') {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest of the download.
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) break;
  }
  const all = Buffer.concat(chunks).subarray(0, MOST_BYTES);
  return { text: decoderOf(charset).decode(all), isCut: bytes > MOST_BYTES };
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // An unknown charset: nearly every page is UTF-8.
    return new TextDecoder();
  }
}

/** fetch puts the reason in the error's cause. */
function whyNot(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

/** Elements to skip. */
const SKIPPED = new Set(['script', 'style', 'noscript', 'svg', 'template', 'iframe', 'object']);

/** Elements on lines of their own. */
const BLOCKS = new Set(
  (
    'address article aside blockquote br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr legend li main nav ol option p pre section summary table title tr ul'
  ).split(' '),
);

/** Elements with a blank line around them. */
const APART = new Set('blockquote dl h1 h2 h3 h4 h5 h6 ol p pre table title ul'.split(' '));

/** The entities that pages use; others stay as written. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  (
    'amp=& lt=< gt=> quot=" apos=\' shy= ndash=– mdash=— hellip=… middot=· bull=• times=× minus=− lsquo=‘ rsquo=’ ldquo=“ ' +
    'rdquo=” laquo=« raquo=» larr=← rarr=→ copy=© reg=® trade=™ deg=° para=¶ sect=§'
  )
    .split(' ')
    .map((entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)] as const)
    .concat([['nbsp', ' ']]),
);

/**
 * Converts HTML to plain text: headings, lists and table rows as lines, `pre` unchanged, links with
 * their addresses, no pictures. Takes time linear in the length of any page.
 */
export function readableText(html: string): string {
  const page = new Page();
  const plain = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    page.text(html.slice(at, tag < 0 ? undefined : tag));
    if (tag < 0) break;
    if (html.startsWith('<!--', tag)) {
      at = behind(html, '-->', tag + 4);
      continue;
    }
    if (!/[a-z/!?]/.test(plain[tag + 1] ?? '')) {
      page.text('<');
      at = tag + 1;
      continue;
    }
    at = behind(html, '>', tag);
    const [, close, name = ''] = /^<(\/?)([a-z0-9]*)/.exec(plain.slice(tag, tag + 20)) ?? [];
    if (close === '' && SKIPPED.has(name)) at = behind(html, '>', found(plain, `</${name}`, at));
    else if (close === '/') page.close(name);
    else page.open(name, html.slice(tag, at));
  }
  return page.toString();
}

function found(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at;
}

function behind(text: string, what: string, from: number): number {
  return Math.min(text.length, found(text, what, from) + what.length);
}

/** The text of a page so far. A line is kept in pieces to avoid copying it again and again. */
class Page {
  readonly #lines: string[] = [];
  #line: string[] = [];
  /** The line holds only the mark of a list or heading. */
  #onlyBegan = false;
  readonly #links: string[] = [];
  #inPre = 0;

  text(raw: string): void {
    const text = withoutEntities(raw);
    if (this.#inPre > 0) {
      const [first = '', ...others] = text.split(/\r?\n/);
      this.#add(first);
      for (const line of others) {
        this.#end();
        this.#add(line);
      }
      return;
    }
    const words = text.replace(/\s+/g, ' ');
    const last = this.#line.at(-1);
    this.#add(last === undefined || last.endsWith(' ') ? words.trimStart() : words);
  }

  open(name: string, tag: string): void {
    this.#break(name);
    if (name === 'pre') this.#inPre += 1;
    if (name === 'li') this.#begin('- ');
    if (/^h[1-6]$/.test(name)) this.#begin(`${'#'.repeat(Number(name[1]))} `);
    if ((name === 'td' || name === 'th') && this.#line.length > 0) this.#add(' | ');
    if (name === 'a') this.#links.push(addressIn(tag));
  }

  close(name: string): void {
    if (name === 'a') {
      const address = this.#links.pop() ?? '';
      if (address !== '') {
        const last = this.#line.pop()?.trimEnd() ?? '';
        this.#add(`${last}${last === '' ? '' : ' '}[${address}]`);
      }
    }
    if (name === 'pre') this.#inPre = Math.max(0, this.#inPre - 1);
    this.#break(name);
  }

  #begin(mark: string): void {
    this.#line = [mark];
    this.#onlyBegan = true;
  }

  #add(text: string): void {
    if (text === '') return;
    this.#line.push(text);
    this.#onlyBegan = false;
  }

  #break(name: string): void {
    if (!BLOCKS.has(name) || this.#onlyBegan) return;
    if (this.#line.length > 0) this.#end();
    if (APART.has(name) && this.#lines.at(-1) !== '') this.#lines.push('');
  }

  #end(): void {
    this.#lines.push(this.#line.join('').trimEnd());
    this.#line = [];
  }

  toString(): string {
    return [...this.#lines, this.#line.join('')]
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }
}

/** The address of a link to another page; '' for none. */
function addressIn(tag: string): string {
  const [, double, single, bare] =
    /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/i.exec(tag.slice(0, 4_000)) ?? [];
  const address = withoutEntities(double ?? single ?? bare ?? '').trim();
  return /^(#|javascript:)/i.test(address) ? '' : address;
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as readonly (string | undefined)[];
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
  });
}
