import { closeSync, openSync, writeSync } from 'node:fs';
import type { Pass } from '../contextWindow/plan';
import type { ReplayPolicy } from '../replay/replaySettings';
import type { ReplayOptions } from './replayArguments';

/** The files a replay writes besides its report, one JSON value a line. */
export interface ReplayOutputs {
  /** Takes the body of a request; absent where nobody asked for them. */
  readonly takeRequest?: (body: object) => void;
  /** Takes the passes of one file under one policy: each decision is a line, kept blocks included. */
  takePasses(file: string, policy: ReplayPolicy, passes: readonly Pass[]): void;
  close(): void;
}

/** Opens the files `--requests` and `--ledger` name. */
export function openReplayOutputs({ requestsFile, ledgerFile }: ReplayOptions): ReplayOutputs {
  const requests = requestsFile === undefined ? undefined : openSync(requestsFile, 'a');
  const ledger = ledgerFile === undefined ? undefined : openSync(ledgerFile, 'a');
  return {
    ...(requests === undefined ? {} : { takeRequest: (body: object) => writeLine(requests, body) }),
    takePasses(file, policy, passes) {
      if (ledger === undefined) return;
      for (const pass of passes)
        for (const line of ledgerLines(pass)) writeLine(ledger, { file, policy, ...line });
    },
    close() {
      for (const opened of [requests, ledger]) if (opened !== undefined) closeSync(opened);
    },
  };
}

function ledgerLines({ number, beforeStep, trigger, decisions }: Pass): readonly object[] {
  return decisions.map(
    ({ blockId, label, kind, action, rule, reason, before, after, ...more }) => ({
      pass: number,
      beforeStep,
      trigger,
      blockId,
      label,
      kind,
      action,
      rule,
      reason,
      before: before.tokens,
      after: after.tokens,
      ...more,
    }),
  );
}

function writeLine(opened: number, value: object): void {
  writeSync(opened, `${JSON.stringify(value)}\n`);
}
