import { closeSync, writeSync } from 'node:fs';
import { openOwnFile } from '../sessions/ownFile';
import type { Pass } from '../contextWindow/plan';
import { reasonText } from '../contextWindow/reasons';
import type { ReplayPolicy } from '../replay/replaySettings';
import type { ReplayOptions } from './replayOptions';

/** Where a request comes from; its step counts from 1. */
interface RequestSource {
  readonly file: string;
  readonly policy: ReplayPolicy;
  readonly step: number;
}

/** The files that a replay writes in addition to its report, one JSON value a line. */
export interface ReplayOutputs {
  /**
   * Takes the body of a request; absent without `--requests`. With several files or policies the
   * line starts with the file, policy and step of the request.
   */
  readonly takeRequest?: (from: RequestSource, body: object) => void;
  /**
   * Takes the passes of one file under one policy: one line for each decision, kept blocks
   * included.
   */
  takePasses(file: string, policy: ReplayPolicy, passes: readonly Pass[]): void;
  close(): void;
}

/** Opens the files that `--requests` and `--ledger` name. */
export function openReplayOutputs(options: ReplayOptions): ReplayOutputs {
  const { requestsFile, ledgerFile, files, policies } = options;
  const areOfOne = files.length === 1 && policies.length === 1;
  const requests = requestsFile === undefined ? undefined : openOwnFile(requestsFile, 'append');
  const ledger = ledgerFile === undefined ? undefined : openOwnFile(ledgerFile, 'append');
  return {
    ...(requests === undefined
      ? {}
      : {
          takeRequest: (from: RequestSource, body: object) =>
            writeLine(requests, areOfOne ? body : { ...from, ...body }),
        }),
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
    ({ blockId, label, kind, action, reason, recentTurn, before, after, ...more }) => ({
      pass: number,
      beforeStep,
      trigger,
      blockId,
      label,
      kind,
      action,
      rule: reason.rule,
      reason: reasonText({ reason, recentTurn }),
      before: before.tokens,
      after: after.tokens,
      ...more,
    }),
  );
}

function writeLine(opened: number, value: object): void {
  writeSync(opened, `${JSON.stringify(value)}\n`);
}
