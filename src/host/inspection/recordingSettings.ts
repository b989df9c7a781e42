import type { WhatIfSettings } from '../../protocol/whatIf';
import { modelOf } from '../../replay/modelOf';
import type { ReplayPolicy } from '../../replay/replaySettings';
import type { Transcript } from '../../sessions/transcript';
import { budgetOf, type ValidSettings, type WindowSource } from '../windowBudget';
import { tryOut } from './whatIf';

/** What a recording is replayed under. */
export interface RecordingSettings {
  readonly inForce: ValidSettings;
  readonly policy: Exclude<ReplayPolicy, 'none'>;
}

export type RecordingSettingsResult =
  ({ readonly ok: true } & RecordingSettings) | { readonly ok: false; readonly problem: string };

/** The model of a recording, in words where it names none; no model has such a name. */
export function modelNameOf(transcript: Transcript): string {
  return modelOf(transcript) ?? 'model not recorded';
}

/**
 * The settings in force with the recording's own model and the window it says that model has, and
 * what the user chose for the replay on top; says what does not fit together.
 */
export function recordingSettings(
  { asSet }: ValidSettings,
  transcript: Transcript,
  chosen?: WhatIfSettings,
): RecordingSettingsResult {
  const { windowTokens } = transcript;
  const limits = windowTokens === undefined ? {} : { contextWindowTokens: windowTokens };
  const context = { ...asSet.context, windowTokens: null };
  const model = modelNameOf(transcript);
  const begun = budgetOf({ ...asSet, provider: 'anthropic', model, context }, limits);
  if (!begun.ok) {
    return { ok: false, problem: begun.problems.map(({ message }) => message).join(' ') };
  }
  const own = { ...begun.valid, windowSource: saidBy(begun.valid.windowSource) };
  if (chosen === undefined) {
    const { policy } = own.settings.context;
    // The API does its own editing, and no API is asked in a replay.
    return { ok: true, inForce: own, policy: policy === 'server' ? 'ladder' : policy };
  }
  const { policy } = chosen;
  if (policy === 'server') {
    const problem =
      'The policy server cannot be replayed: the API does its editing. Choose another.';
    return { ok: false, problem };
  }
  const tried = tryOut(own, chosen);
  if (!tried.ok) return tried;
  const windowSource = sourceOf(chosen, own, tried.valid.windowSource);
  return { ok: true, inForce: { ...tried.valid, windowSource }, policy };
}

/** No model list was asked about a recording: what stands in its place is what the recording says. */
function saidBy(source: WindowSource): WindowSource {
  return source === 'from the model list' ? 'from the recording' : source;
}

function sourceOf(
  { windowTokens }: WhatIfSettings,
  own: ValidSettings,
  tried: WindowSource,
): WindowSource {
  if (windowTokens === own.settings.context.windowTokens) return own.windowSource;
  return windowTokens === null ? saidBy(tried) : 'chosen here';
}
