import type { HelpingAction, SettingNotice } from '../session/state';
import {
  settingHolding,
  settingName,
  type SettingsProblem,
  valueOf,
} from '../../settings/readSettings';
import type { Settings } from '../../settings/settings';
import type { ValidSettings } from '../../settings/windowBudget';
import { withinReply } from '../../contextWindow/reasoning';

type ReasoningFacts = Pick<ValidSettings, 'settings' | 'size' | 'budget'>;

/** For each unusable setting, says which value Plimsoll uses instead. */
export function settingNotices(
  problems: readonly SettingsProblem[],
  current: Settings,
): readonly SettingNotice[] {
  return problems.map(({ setting, message }) => {
    const value = valueOf(current, setting);
    const isLeft = value === undefined || (typeof value === 'object' && value !== null);
    const now = isLeft ? 'Plimsoll uses its last valid value.' : `Current value: ${words(value)}.`;
    return { setting, message: `${message} ${now}`, actions: [openingOf(setting)] };
  });
}

/** The button that opens a setting in VS Code's settings. */
export function openingOf(setting: string): HelpingAction {
  const wish = { type: 'openSettings', setting: settingHolding(setting) } as const;
  return { label: 'Open the setting', wish };
}

const THINKING_BUDGET = settingName(['thinking', 'budgetTokens']);

/** Says which thinking or effort settings Plimsoll does not send as set, and why. */
export function reasoningNotices({
  settings,
  size,
  budget,
}: ReasoningFacts): readonly SettingNotice[] {
  const { model, effort, thinking } = settings;
  const { thinking: modes, efforts } = size.abilities ?? {};
  const notice = (setting: string, message: string): SettingNotice => ({
    setting,
    message,
    actions: [openingOf(setting), { label: 'Choose the model', wish: { type: 'chooseModel' } }],
  });
  const { mode, budgetTokens } = thinking;
  const notTaken = (what: string, taken: readonly string[]): string =>
    `${model} does not support ${what}, so it is not sent. ` +
    (taken.length === 0 ? 'It supports none.' : `It supports: ${taken.join(', ')}.`);
  const takesMode = mode === 'auto' || modes?.includes(mode) !== false;
  const isTooLarge = mode === 'enabled' && takesMode && budgetTokens >= budget.maxReplyTokens;
  return [
    ...(takesMode
      ? []
      : [notice('plimsoll.thinking.mode', notTaken(`thinking "${mode}"`, modes ?? []))]),
    ...(isTooLarge
      ? [
          notice(
            THINKING_BUDGET,
            `${THINKING_BUDGET}, ${budgetTokens}, must be below the longest reply, ` +
              `${budget.maxReplyTokens} tokens. ${lessThinking(budget.maxReplyTokens)}`,
          ),
        ]
      : []),
    ...(effort === 'auto' || efforts?.includes(effort) !== false
      ? []
      : [notice('plimsoll.effort', notTaken(`effort "${effort}"`, efforts))]),
  ];
}

function lessThinking(maxTokens: number): string {
  const asked = withinReply(
    { thinking: { type: 'enabled', budget_tokens: maxTokens, display: 'summarized' } },
    maxTokens,
  );
  return asked.thinking === undefined
    ? 'No thinking is requested.'
    : `Plimsoll requests ${maxTokens - 1}.`;
}

/** A notice shows this many characters of a value. */
const LONGEST = 200;

function words(value: unknown): string {
  if (value === null || value === undefined) return 'automatic';
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
