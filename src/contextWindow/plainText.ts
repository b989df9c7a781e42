/** A code span, its backticks and its text; what stands in it is no markup. */
const CODE_SPAN = /(?<!`)(`+)([^`]+)\1(?!`)/g;

/**
 * Takes Markdown's signs out of a text that is shown where none is drawn, such as a title: headings,
 * quotes, fences, stars, backticks and links. Underscores stay: in prompts to a coding agent they are
 * names more often than emphasis. So do stars that belong to a path or a product.
 */
export function plainText(markdown: string): string {
  const lines = markdown
    .replace(/^\s*(?:`{3,}|~{3,})[^\n`]*$/gm, '')
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/^[ \t]*#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/gm, '$1')
    .replace(/^([ \t]*)[*+][ \t]+/gm, '$1- ');
  // Their place is kept by signs no text has, so that emphasis round them is still seen.
  const spans: string[] = [];
  const held = lines.replace(CODE_SPAN, (_, _ticks: string, code: string) => {
    spans.push(code);
    return `\uE000${spans.length - 1}\uE001`;
  });
  return withoutMarks(held).replace(/\uE000(\d+)\uE001/g, (_, index) => spans[Number(index)] ?? '');
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))+(?:[ \t]+"[^"\n]*")?\)/g, '$1')
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '$1')
    .replace(/(?<![\w/*])(\*{2,3})(?=[^\s*/.])(.+?)(?<=[^\s*/])\1(?!\*)/g, '$2')
    .replace(/(?<![\w/*.])\*(?=[\p{L}\p{N}\uE000"'(])([^*\n]+?)(?<=[^\s(/])\*(?![\w*])/gu, '$1');
}
