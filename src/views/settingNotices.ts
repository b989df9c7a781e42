import type { SettingNotice } from '../protocol/agentView';
import type { SettingsProblem } from '../settings/readSettings';
import type { Settings } from '../settings/settings';
import { valueOf } from '../settings/withoutBad';

/** A value that the workspace sets, and about which the user has not said anything. */
interface Asked {
  readonly setting: string;
  readonly theirs: unknown;
  readonly own: unknown;
}

/** Says of each bad setting what is in force, and asks about what the workspace sets that costs money. */
export function settingNotices(
  problems: readonly SettingsProblem[],
  asked: readonly Asked[],
  inForce: Settings,
): readonly SettingNotice[] {
  return [
    ...problems.map(({ setting, message }): SettingNotice => {
      const value = valueOf(inForce, setting);
      const isLeft = value === undefined || (typeof value === 'object' && value !== null);
      const now = isLeft ? 'It is left out.' : `In force: ${words(value)}.`;
      return {
        setting,
        message: `${message} ${now}`,
        actions: [{ label: 'Open the setting', wish: { type: 'openSettings', setting } }],
      };
    }),
    ...asked.map(({ setting, theirs, own }): SettingNotice => {
      const value = JSON.stringify(theirs);
      const answer = (whose: 'workspace' | 'own') =>
        ({ type: 'answerCost', setting, value, whose }) as const;
      return {
        setting,
        message:
          `This workspace sets ${setting} to ${words(theirs)}, which changes what requests cost. ` +
          `Yours, ${words(own)}, is in force until you answer.`,
        actions: [
          { label: 'Use the workspace’s', wish: answer('workspace') },
          { label: 'Keep mine', wish: answer('own') },
        ],
      };
    }),
  ];
}

/** Most characters of a value that are shown. */
const LONGEST = 200;

function words(value: unknown): string {
  if (value === null || value === undefined) return 'automatic';
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
