/** Elements of which nothing is read. */
const SKIPPED = new Set(['script', 'style', 'noscript', 'svg', 'template', 'iframe', 'object']);

/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  (
    'address article aside blockquote br caption dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr legend li main nav ol option p pre section summary table title tr ul'
  ).split(' '),
);

/** Elements with a blank line around them. */
const APART = new Set('blockquote dl h1 h2 h3 h4 h5 h6 ol p pre table title ul'.split(' '));

/** The names that pages use; others stay as they are written. */
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
 * Writes HTML as plain text: headings, lists and rows of tables as lines, the text of `pre` as it is,
 * links with their addresses, no pictures. It takes time in proportion to the length, whatever the
 * page holds.
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

/** The text of a page while it is read. A line is kept in its pieces, so that none is copied again and again. */
class Page {
  readonly #lines: string[] = [];
  #line: string[] = [];
  /** The line has no more than the mark of a list or a heading. */
  #onlyBegan = false;
  readonly #links: string[] = [];
  #inPre = 0;

  text(raw: string): void {
    const text = decoded(raw);
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

/** Where a link leads on another page; '' for nowhere. */
function addressIn(tag: string): string {
  const [, double, single, bare] =
    /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/i.exec(tag.slice(0, 4_000)) ?? [];
  const address = decoded(double ?? single ?? bare ?? '').trim();
  return /^(#|javascript:)/i.test(address) ? '' : address;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, ...groups) => {
    const [decimal, hex, name] = groups as readonly (string | undefined)[];
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole;
  });
}
