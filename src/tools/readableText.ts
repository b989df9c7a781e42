/** Writes HTML as plain text: headings, lists and tables as lines, links with their addresses, no pictures. */
export async function readableText(html: string): Promise<string> {
  // It is loaded with the first page that is fetched.
  const { convert } = await import('html-to-text');
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 2_000_000, maxDepth: 200 },
    selectors: [
      ...['script', 'style', 'noscript', 'svg', 'img', 'nav', 'footer', 'form'].map((selector) => ({
        selector,
        format: 'skip',
      })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
      { selector: 'a', options: { ignoreHref: false, noAnchorUrl: true } },
    ],
  });
}
