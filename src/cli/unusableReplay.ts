import { occupied, realFile, unwritable } from './files';
import { uncheckable } from './replayCheck';
import type { ReplayOptions } from './replayOptions';

/** What makes a replay impossible from the start; undefined when nothing does. */
export function unusableReplay(options: ReplayOptions): string | undefined {
  const { requestsFile, ledgerFile } = options;
  return (
    usedTwice(options) ??
    judgeless(options) ??
    occupied('--requests', requestsFile) ??
    occupied('--ledger', ledgerFile) ??
    unwritable('--requests', requestsFile) ??
    unwritable('--ledger', ledgerFile) ??
    uncheckable(options)
  );
}

/** A model that is named for nobody to ask is a slip. */
function judgeless({ judgeUrl, judgeModel }: ReplayOptions): string | undefined {
  return judgeModel !== undefined && judgeUrl === undefined
    ? '--judge-model needs --judge.'
    : undefined;
}

/** A file that is written must not be read or written by another option, however it is named. */
function usedTwice({ files, requestsFile, ledgerFile }: ReplayOptions): string | undefined {
  const inputs = new Set(files.map(realFile));
  const outputs = [
    ['--requests', requestsFile],
    ['--ledger', ledgerFile],
  ] as const;
  for (const [option, file] of outputs) {
    if (file !== undefined && inputs.has(realFile(file))) {
      return `${option} cannot write ${file}: it is one of the recordings.`;
    }
  }
  if (requestsFile === undefined || ledgerFile === undefined) return undefined;
  return realFile(requestsFile) === realFile(ledgerFile)
    ? `--requests and --ledger cannot both write ${requestsFile}.`
    : undefined;
}
