import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { SourceView } from '../../../src/editor/session/state';
import { formatNumber } from '../../kit/tokens';

type Recording = Extract<SourceView, { readonly type: 'recording' }>;

/** Says how far down Compact Now goes; below the low watermark it goes further down. */
export function handHint({
  handTarget,
  balance,
}: Pick<ContextView, 'handTarget' | 'balance'>): string {
  const { lowTokens, used } = balance;
  const why = handTarget < lowTokens ? share(handTarget, used.tokens) : 'the low watermark';
  return `Runs a pass now; it aims at ${formatNumber(handTarget)} tokens: ${why}`;
}

/** Says why a recording cannot be forked, handed over or closed; without a full stop. */
export function whyNotContinued({ format }: Pick<Recording, 'format'>): string {
  if (format === 'subAgent') return 'The window of a sub-agent cannot be continued';
  return format === 'plimsoll'
    ? 'A session opened from a file cannot be continued here'
    : "Another agent's recording cannot be continued here";
}

/** What is shown, and how exact it is: "claude-code recording, reconstructed, read only". */
export function kindWords({ format, asItWas, exactness }: Recording): string {
  if (asItWas === true) return 'A session of Plimsoll, as it was, read only';
  return [`${format} recording`, ...(exactness === undefined ? [] : [exactness]), 'read only'].join(
    ', ',
  );
}

/** The policy that manages or would have managed its window. */
export function policyWords(
  { policyUnknown }: Recording,
  { policy }: Pick<ContextView, 'policy'>,
): string {
  return policyUnknown === true ? 'unknown' : policy;
}

/** Says why a policy is unknown. */
export const POLICY_UNKNOWN = 'No pass ran, so the file does not say its policy.';

function share(target: number, used: number): string {
  return `${Math.round((100 * target) / Math.max(1, used))}\u00a0% of the tokens in the window`;
}

/** Says why Compact Now is disabled; undefined if it is not. */
export function whyNotCompact({ whyReadOnly, busy, turn }: ContextView): string | undefined {
  if (whyReadOnly !== undefined) return whyReadOnly;
  if (turn === 0) return 'There is nothing in the window yet.';
  return busy ? 'The agent is working: wait until it has stopped.' : undefined;
}

export const RECORD_EXACTLY =
  'Shows the setting that makes the agent record its requests, and changes it if you agree';

export const STOP_RECORDING = 'Changes the setting back; recorded requests stay';
