import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKAGE_SETTINGS } from '../support/packageSettings';

const ROOT = join(__dirname, '../..');

interface Step {
  readonly id: string;
  readonly description: string;
  readonly media: {
    readonly image: string | Readonly<Record<string, string>>;
    readonly altText: string;
  };
  readonly completionEvents: readonly string[];
}

const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly walkthroughs: readonly {
      readonly id: string;
      readonly icon: string;
      readonly steps: readonly Step[];
    }[];
  };
};

const [walkthrough] = contributes.walkthroughs;
const steps = walkthrough!.steps;
const commands = contributes.commands.map(({ command }) => command);
const settings = Object.keys(PACKAGE_SETTINGS);
const OPEN_SETTINGS = 'workbench.action.openSettings';

/** The commands behind the buttons of a step; a button is a link alone on its line. */
function buttonsOf({ description }: Step): readonly (readonly [string, string])[] {
  return [...description.matchAll(/^\[[^\]]+\]\(command:([\w.]+)(?:\?(\S+))?\)$/gm)].map(
    ([, command = '', given = '']) => [command, decodeURIComponent(given)] as const,
  );
}

function picturesOf({ media }: Step): readonly string[] {
  const { image } = media;
  return typeof image === 'string' ? [image] : Object.values(image);
}

describe('the walkthrough', () => {
  it('has five steps, each with a button and a way to complete it', () => {
    expect(steps.map(({ id }) => id)).toEqual(['demo', 'key', 'task', 'panel', 'budget']);
    for (const step of steps) {
      expect(buttonsOf(step), step.id).toHaveLength(1);
      expect(step.completionEvents.length, step.id).toBeGreaterThan(0);
    }
  });

  it('has buttons only for existing commands and settings', () => {
    for (const [command, given] of steps.flatMap(buttonsOf)) {
      if (command !== OPEN_SETTINGS) expect(commands).toContain(command);
      else {
        const [searched] = JSON.parse(given) as [string];
        const found = settings.filter((name) => `${name}.`.startsWith(`${searched}.`));
        expect(found, searched).not.toEqual([]);
      }
    }
  });

  it('is completed by existing commands and settings', () => {
    for (const event of steps.flatMap(({ completionEvents }) => completionEvents)) {
      const [kind, name] = event.split(':');
      expect(['onCommand', 'onSettingChanged']).toContain(kind);
      expect(kind === 'onCommand' ? commands : settings, event).toContain(name);
    }
  });

  it('shows existing pictures, each with an alternative text', () => {
    for (const step of steps) {
      const files = picturesOf(step);
      expect(files.length, step.id).toBeGreaterThan(0);
      expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
      expect(step.media.altText, step.id).not.toBe('');
    }
    expect(existsSync(join(ROOT, walkthrough!.icon))).toBe(true);
  });
});
