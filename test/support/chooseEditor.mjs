/**
 * Chooses which VS Code to use: the embedded one on Linux x64, else, or with `--desktop` or PLIMSOLL_DESKTOP=1, the
 * downloaded desktop editor.
 */
export function chooseEditor(argv) {
  const wantsDesktop = argv.includes('--desktop') || process.env.PLIMSOLL_DESKTOP === '1';
  const canEmbed = process.platform === 'linux' && process.arch === 'x64';
  return wantsDesktop || !canEmbed ? 'desktop' : 'embedded';
}
