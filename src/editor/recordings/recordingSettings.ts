import type { ModelLimits } from '../../agent/model';
import { promptTokens } from '../../contextWindow/account/spending';
import { tokenText } from '../../contextWindow/amount';
import { modelOf } from '../../replay/recording';
import type { ReplayPolicy, ReplaySettings } from '../../replay/replaySettings';
import type { Transcript } from '../../sessions/transcript';
import { ASSUMED_WINDOW_TOKENS, modelSize } from '../../model/modelWindows';
import { DEFAULT_SETTINGS, type ContextSettings } from '../../settings/settings';
import { withInForce } from '../../settings/modelSettings';
import { budgetOf, type ValidSettings, type WindowSource } from '../../settings/windowBudget';
import { tryOut, type WhatIfSettings } from '../whatIfSettings';
import { refused, type Result } from '../../contextWindow/result';
import { turnSettings } from '../../settings/turnSettings';

/** The settings of a recording's replay. */
export interface RecordingSettings {
  readonly inForce: ValidSettings;
  readonly policy: Exclude<ReplayPolicy, 'none' | 'server'>;
  /** The user's choice for the replay; undefined for nothing. */
  readonly chosen: WhatIfSettings | undefined;
  /** Says which setting, choice or recorded value is ignored, and why; undefined if none is. */
  readonly setAside: string | undefined;
}

type RecordingSettingsResult = Result<RecordingSettings>;

/**
 * Settings that fit recordings of models with other windows, used if the current ones do not fit.
 */
const { highWatermark, lowWatermark, prepareWatermark } = DEFAULT_SETTINGS.context;
const { maxReplyTokens, safetyHeadroomTokens, toolResultHeadroomTokens } = DEFAULT_SETTINGS.context;
const DEFAULT_SIZES = {
  highWatermark,
  lowWatermark,
  prepareWatermark,
  maxReplyTokens,
  safetyHeadroomTokens,
  toolResultHeadroomTokens,
};

/** The model of a recording, or a placeholder if it names none. */
export function modelNameOf(transcript: Transcript): string {
  return modelOf(transcript) ?? 'model not recorded';
}

/**
 * The current settings with the recording's own model and window, as far as they fit together, and
 * the user's choice for the replay on top; says what does not fit.
 */
export function recordingSettings(
  base: ValidSettings,
  transcript: Transcript,
  chosen?: WhatIfSettings,
): RecordingSettingsResult {
  const begun = beginning(base, transcript);
  if (!begun.ok) return begun;
  const { setAside } = begun;
  const own = { ...begun.valid, windowSource: saidBy(begun.valid.windowSource) };
  if (chosen === undefined) {
    const { policy: set } = own.settings.context;
    // The API does its own editing, and a replay calls no API.
    const policy = set === 'server' ? 'ladder' : set;
    return { ok: true, inForce: own, policy, chosen, setAside };
  }
  const { policy } = chosen;
  if (policy === 'server') {
    return refused(
      'The policy server cannot be replayed: the API does its editing. Choose another.',
    );
  }
  const tried = tryOut(own, chosen);
  if (!tried.ok) return tried;
  const windowSource = sourceOf(chosen, own, tried.valid.windowSource);
  return { ok: true, inForce: { ...tried.valid, windowSource }, policy, chosen, setAside };
}

/** The same without a question to the user: the choice applies if it fits. */
export function settingsAsChosen(
  base: ValidSettings,
  transcript: Transcript,
  chosen: WhatIfSettings | undefined,
): RecordingSettingsResult {
  const asChosen = recordingSettings(base, transcript, chosen);
  if (asChosen.ok || chosen === undefined) return asChosen;
  const without = recordingSettings(base, transcript);
  if (!without.ok) return without;
  const dropped = `What you chose for this replay no longer fits it and is ignored. ${asChosen.message}`;
  const { setAside } = without;
  return { ...without, setAside: setAside === undefined ? dropped : `${dropped} ${setAside}` };
}

/** The settings of a grown recording: they stay until its model or window changes. */
export function settingsGrown(
  open: RecordingSettings & { readonly transcript: Transcript; readonly base: ValidSettings },
  grown: Transcript,
): RecordingSettingsResult {
  const { transcript, base, chosen, inForce, policy, setAside } = open;
  const isSame =
    modelOf(transcript) === modelOf(grown) && transcript.windowTokens === grown.windowTokens;
  return isSame
    ? { ok: true, inForce, policy, chosen, setAside }
    : settingsAsChosen(base, grown, chosen);
}

/**
 * The settings that a recording begins with. They were made for the current model: if they do not
 * fit this one, the recorded window is ignored, then watermarks and reserves, then both.
 */
function beginning(
  { asSet }: ValidSettings,
  { windowTokens, ...transcript }: Transcript,
): Result<{ readonly valid: ValidSettings; readonly setAside: string | undefined }> {
  const model = modelNameOf(transcript);
  const set = { ...asSet.context, windowTokens: null };
  const byDefault = withInForce(set, model, DEFAULT_SIZES);
  const shown = windowTokens ?? windowShown(transcript, modelSize(model, {}).windowTokens);
  const recorded = shown === undefined ? {} : { contextWindowTokens: shown };
  const budget = (context: ContextSettings, limits: ModelLimits) =>
    budgetOf({ ...asSet, provider: 'anthropic', model, context }, modelSize(model, limits));
  const wished = budget(set, recorded);
  if (wished.ok) return { ok: true, valid: wished.valid, setAside: undefined };
  const problem = wished.problems.map(({ message }) => message).join(' ');
  const sizes = 'your watermarks and reserves (the defaults apply)';
  const attempts = [{ result: budget(byDefault, recorded), without: sizes }];
  if (shown !== undefined) {
    const window = `the window of ${tokenText(shown)} tokens in the file`;
    attempts.unshift({ result: budget(set, {}), without: window });
    attempts.push({ result: budget(byDefault, {}), without: `${window}, and ${sizes}` });
  }
  for (const { result, without } of attempts) {
    if (!result.ok) continue;
    const setAside = `Ignored here, because it does not fit: ${without}. ${problem}`;
    return { ok: true, valid: result.valid, setAside };
  }
  return refused(problem);
}

/**
 * The window that the compactions of a recording show: an agent of a smaller window than the
 * model's own compacts far below it. Undefined if they show none.
 */
function windowShown({ entries }: Pick<Transcript, 'entries'>, known: number): number | undefined {
  const isCompacted = entries.some(
    (entry) => entry.type === 'compacted' && entry.summary !== undefined && entry.byUser !== true,
  );
  if (!isCompacted) return undefined;
  const sizes = entries.map((entry) =>
    entry.type === 'reply' && entry.usage !== undefined ? promptTokens(entry.usage) : 0,
  );
  const most = Math.max(...sizes);
  const isSmall = most > ASSUMED_WINDOW_TOKENS / 2 && most <= ASSUMED_WINDOW_TOKENS;
  return isSmall && known > ASSUMED_WINDOW_TOKENS ? ASSUMED_WINDOW_TOKENS : undefined;
}

/** No model list was fetched for a recording: its file names the window. */
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

/** The settings and the policy of a recording's replay. */
export function replaySettings(inForce: ValidSettings, policy: ReplayPolicy): ReplaySettings {
  const {
    policy: policySettings,
    contextEditing,
    toolResultCapTokens,
    cacheLife,
  } = turnSettings(inForce);
  const { policy: _named, ...settings } = policySettings;
  return {
    policy,
    settings,
    contextEditing,
    budget: inForce.budget,
    toolResultCapTokens,
    cacheLife,
    pinTaskAnchor: inForce.settings.context.pinTaskAnchor,
  };
}
