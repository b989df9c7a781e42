import { describe, expect, it } from 'vitest';
import {
  changesOf,
  orderedChanges,
  storingOf,
  valueWords,
  type SettingChange,
} from '../../../../src/editor/contextPanel/whatIf/settingChanges';
import { whatIfSettings } from '../../../../src/editor/contextPanel/whatIf/derive';
import { DEFAULT_SETTINGS } from '../../../../src/settings/settings';
import type { WhatIfSettings } from '../../../../src/editor/contextPanel/whatIf/state';
import { validWith } from '../support/inspecting';
import { SETTING_NAMES, settingHolding } from '../../../../src/settings/readSettings';
import { VALID } from '../support/triedWindow';

describe('the settings to store', () => {
  const DEFAULTS = whatIfSettings(DEFAULT_SETTINGS.context, 'ladder');

  it('are those that differ, by their full names', () => {
    expect(
      changesOf(VALID, DEFAULTS, {
        ...DEFAULTS,
        highWatermark: 0.9,
        policy: 'salience',
        keepTurns: 20,
      }),
    ).toEqual([
      { name: 'plimsoll.context.highWatermark', key: 'highWatermark', from: null, to: 0.9 },
      { name: 'plimsoll.context.policy', key: 'policy', from: 'ladder', to: 'salience' },
    ]);
  });

  it('are none if nothing differs', () => {
    expect(changesOf(VALID, DEFAULTS, { ...DEFAULTS })).toEqual([]);
  });

  it("distinguish the model's window from a configured one", () => {
    const named = { name: 'plimsoll.context.windowTokens', key: 'windowTokens' };
    expect(changesOf(VALID, DEFAULTS, { ...DEFAULTS, windowTokens: 9 })).toEqual([
      { ...named, from: null, to: 9 },
    ]);
    expect(changesOf(VALID, { ...DEFAULTS, windowTokens: 9 }, DEFAULTS)).toEqual([
      { ...named, from: 9, to: null },
    ]);
  });

  it("say 'automatic' or 'the model's' for unset values", () => {
    expect(valueWords('highWatermark', null)).toBe('automatic');
    expect(valueWords('windowTokens', null)).toBe("the model's");
    expect(valueWords('lowWatermark', 0.3)).toBe('0.3');
  });

  it('are stored in an order in which they are valid after each step', () => {
    const fractions = { ...DEFAULTS, highWatermark: 0.8, lowWatermark: 0.5 };
    const order = (wished: Partial<WhatIfSettings>, from: WhatIfSettings = fractions) => {
      const valid = validWith(from as never);
      const changes = changesOf(valid, from, { ...from, ...wished });
      return orderedChanges(valid, from, changes).map(({ name }) => name.split('.').at(-1));
    };
    expect(order({ highWatermark: 0.45, lowWatermark: 0.3 })).toEqual([
      'lowWatermark',
      'highWatermark',
    ]);
    expect(order({ highWatermark: 0.95, lowWatermark: 0.85 })).toEqual([
      'highWatermark',
      'lowWatermark',
    ]);
    expect(order({})).toEqual([]);
  });

  it('are those of the model if these apply', () => {
    const set = { 'claude-*': { highWatermark: 0.7, windowTokens: 50_000 } };
    const valid = validWith({ models: set });
    const now = whatIfSettings(valid.settings.context, 'ladder');
    expect(now).toMatchObject({ highWatermark: 0.7, lowWatermark: null, windowTokens: 50_000 });
    const wished = { ...now, highWatermark: 20_000, lowWatermark: 0.3 };
    expect(changesOf(valid, now, wished)).toEqual([
      {
        name: 'plimsoll.context.models["claude-*"].highWatermark',
        key: 'highWatermark',
        entry: 'claude-*',
        from: 0.7,
        to: 20_000,
      },
      { name: 'plimsoll.context.lowWatermark', key: 'lowWatermark', from: null, to: 0.3 },
    ]);
  });

  it('are valid after each step if one is for the model and one for all', () => {
    const models = { 'claude-*': { highWatermark: 0.7 } };
    const valid = validWith({ models, lowWatermark: 0.5 });
    const now = whatIfSettings(valid.settings.context, 'ladder');
    const wished = { ...now, highWatermark: 0.4, lowWatermark: 0.3 };
    const ordered = orderedChanges(valid, now, changesOf(valid, now, wished));
    expect(ordered.map(({ key }) => key)).toEqual(['lowWatermark', 'highWatermark']);
  });

  it('change one key of plimsoll.advanced and keep the others', () => {
    const [change] = changesOf(VALID, DEFAULTS, { ...DEFAULTS, keepTurns: 9 });
    expect(change?.name).toBe('plimsoll.advanced.keepTurns');
    const set = { globalValue: { keepTurns: 7 }, workspaceValue: { maxMessages: 12 } };
    expect(storingOf(change!, set, true)).toEqual({
      setting: 'plimsoll.advanced',
      value: { keepTurns: 9 },
      where: 'user',
    });
    expect(storingOf(change!, { workspaceValue: set.workspaceValue }, true)).toEqual({
      setting: 'plimsoll.advanced',
      value: { maxMessages: 12, keepTurns: 9 },
      where: 'workspace',
    });
  });

  it('have names that package.json has', () => {
    const wished = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, 'other']));
    const names = changesOf(VALID, DEFAULTS, wished as unknown as WhatIfSettings).map(
      ({ name }) => name,
    );
    expect(names).toHaveLength(Object.keys(DEFAULTS).length);
    expect(SETTING_NAMES).toEqual(expect.arrayContaining(names.map(settingHolding)));
  });
});

describe('a stored setting', () => {
  const name = 'plimsoll.context.highWatermark';
  const general: SettingChange = { name, key: 'highWatermark', from: 0.8, to: 0.6 };

  it.each([
    ['nowhere', {}, true, 'workspace'],
    ['nowhere, and there is no workspace', {}, false, 'user'],
    ['by the user', { globalValue: 0.8 }, true, 'user'],
    ['by the workspace', { workspaceValue: 0.8 }, true, 'workspace'],
    ['by both', { globalValue: 0.7, workspaceValue: 0.8 }, true, 'workspace'],
  ] as const)('is stored where it is set: %s', (_, set, hasWorkspace, where) => {
    expect(storingOf(general, set, hasWorkspace)).toEqual({ setting: name, value: 0.6, where });
  });

  it('of a model changes only that value, in whichever settings have it', () => {
    const change: SettingChange = { ...general, entry: 'claude-*' };
    const setting = 'plimsoll.context.models';
    const user = { 'claude-*': { highWatermark: 0.8, lowWatermark: 0.4 }, other: {} };
    expect(
      storingOf(change, { globalValue: user, workspaceValue: { 'claude-*': {} } }, true),
    ).toEqual({
      setting,
      value: { ...user, 'claude-*': { highWatermark: 0.6, lowWatermark: 0.4 } },
      where: 'user',
    });
    const workspaceValue = { 'claude-*': { highWatermark: 0.7 } };
    expect(storingOf(change, { globalValue: user, workspaceValue }, true)).toEqual({
      setting,
      value: { 'claude-*': { highWatermark: 0.6 } },
      where: 'workspace',
    });
  });
});
