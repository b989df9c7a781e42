/** Names of the control characters U+0000 to U+001F. */
const NAMES = (
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI ' +
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'
).split(' ');

const MARK = /⟨(?:U\+([0-9A-F]{4,6})|([A-Z]+[1-4]?)|(\d+) (spaces?|blank lines))⟩/g;

/** Reconstructs the text from the result of `visibleText` or `visibleLine`. */
export function textOfVisible(shown: string): string {
  return shown.replace(MARK, (_, code?: string, name?: string, count = '0', what = '') => {
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
    if (name !== undefined)
      return String.fromCodePoint(name === 'DEL' ? 0x7f : NAMES.indexOf(name));
    return what === 'blank lines' ? '\n'.repeat(Number(count) - 1) : ' '.repeat(Number(count));
  });
}
