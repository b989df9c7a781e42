import { describe, expect, it } from 'vitest';
import { WorkspaceCosts, type InspectedSetting } from '../../../src/editor/settings/workspaceCosts';
import { settingNotices } from '../../../src/editor/settings/settingNotices';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';

const MODEL = 'plimsoll.model';

/** A workspace that sets these, and what the editor keeps of it. */
function scene(set: Record<string, InspectedSetting>, kept = new Map<string, unknown>()) {
  const costs = new WorkspaceCosts({
    inspect: (setting) => set[setting],
    memory: {
      get: <T>(key: string, none: T) => (kept.get(key) as T | undefined) ?? none,
      update: async (key, value) => void kept.set(key, value),
    },
  });
  const raw = (): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(set).map(([name, { workspaceValue, globalValue, defaultValue }]) => [
        name,
        workspaceValue ?? globalValue ?? defaultValue,
      ]),
    );
  return { costs, raw, kept };
}

const DEAR = { defaultValue: 'usual', globalValue: 'mine', workspaceValue: 'dear' };

describe('what a workspace sets that costs money', () => {
  it('is asked about, and until the answer the user’s own is in force', () => {
    const { costs, raw } = scene({
      [MODEL]: DEAR,
      'plimsoll.context.policy': { workspaceValue: 'summarise' },
    });
    expect(costs.questions(raw())).toEqual([{ setting: MODEL, theirs: 'dear', own: 'mine' }]);
    expect(costs.inForce(raw())).toEqual({
      [MODEL]: 'mine',
      'plimsoll.context.policy': 'summarise',
    });
  });

  it('is asked about once for each value, and each workspace', async () => {
    const set = { [MODEL]: { ...DEAR } };
    const { costs, raw, kept } = scene(set);
    await costs.answer(MODEL, 'dear', 'workspace');
    expect([costs.questions(raw()), costs.inForce(raw())]).toEqual([[], { [MODEL]: 'dear' }]);
    const later = scene(set, kept);
    expect(later.costs.inForce(later.raw())).toEqual({ [MODEL]: 'dear' });
    set[MODEL].workspaceValue = 'dearer';
    expect([costs.questions(raw()).length, costs.inForce(raw())]).toEqual([1, { [MODEL]: 'mine' }]);
    expect(scene({ [MODEL]: DEAR }).costs.questions(raw())).toHaveLength(1);
  });

  it('stays the user’s own after a no, without another question', async () => {
    const { costs, raw } = scene({ [MODEL]: DEAR });
    await costs.answer(MODEL, 'dear', 'own');
    expect([costs.questions(raw()), costs.inForce(raw())]).toEqual([[], { [MODEL]: 'mine' }]);
  });

  it('is not asked about where it is the user’s own, or the demo answers', () => {
    const same = scene({ [MODEL]: { defaultValue: 'usual', workspaceValue: 'usual' } });
    expect(same.costs.questions(same.raw())).toEqual([]);
    const demo = scene({ [MODEL]: DEAR });
    const offline = { ...demo.raw(), 'plimsoll.provider': 'offline' };
    expect([demo.costs.questions(offline), demo.costs.inForce(offline)]).toEqual([[], offline]);
  });

  it('counts the value of a folder before that of the workspace', () => {
    const { costs, raw } = scene({ [MODEL]: { ...DEAR, workspaceFolderValue: 'dearest' } });
    expect(costs.questions(raw())).toEqual([{ setting: MODEL, theirs: 'dearest', own: 'mine' }]);
  });

  it('is told with the setting and both values, and a button for each', () => {
    const setting = 'plimsoll.context.maxReplyTokens';
    const asked = [{ setting, theirs: 64_000, own: null }];
    const [notice] = settingNotices([], asked, DEFAULT_SETTINGS);
    expect(notice?.message).toBe(
      'This workspace sets plimsoll.context.maxReplyTokens to 64000, which changes what requests cost. ' +
        'Yours, automatic, is in force until you answer.',
    );
    expect(notice?.actions.map(({ label }) => label)).toEqual(['Use the workspace’s', 'Keep mine']);
    expect(notice?.actions[0]?.wish).toEqual({
      type: 'answerCost',
      setting,
      value: '64000',
      whose: 'workspace',
    });
  });

  it('a bad setting is told with what is in force, and the way to it', () => {
    const setting = 'plimsoll.context.keepTurns';
    const wrong = { setting, message: 'plimsoll.context.keepTurns must be at least 1, not 0.' };
    const [notice] = settingNotices([wrong], [], DEFAULT_SETTINGS);
    expect(notice).toEqual({
      setting,
      message: 'plimsoll.context.keepTurns must be at least 1, not 0. In force: 20.',
      actions: [{ label: 'Open the setting', wish: { type: 'openSettings', setting } }],
    });
  });
});
