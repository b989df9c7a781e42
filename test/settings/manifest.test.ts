import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Manifest {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: boolean } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly keybindings: readonly {
      readonly command: string;
      readonly key: string;
      readonly when: string;
    }[];
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
  };
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { commands, menus, viewsContainers } = manifest.contributes;
const ids = commands.map(({ command }) => command);

describe('package.json', () => {
  it('has its commands in one category', () => {
    expect(commands.every(({ category }) => category === 'Plimsoll')).toBe(true);
  });

  it('offers only commands that exist in its menus', () => {
    const offered = Object.values(menus).flatMap((items) => items.map(({ command }) => command));
    expect(offered.filter((command) => !ids.includes(command))).toEqual([]);
  });

  it('binds keys only to existing commands, each under a condition', () => {
    const { keybindings } = manifest.contributes;
    expect(keybindings.filter(({ command }) => !ids.includes(command))).toEqual([]);
    expect(keybindings.filter(({ when }) => when === '')).toEqual([]);
    const places = keybindings.map(({ key, when }) => `${key} ${when}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('binds these keys, which the README of the Agent view lists', () => {
    const { keybindings } = manifest.contributes;
    const page = read('webview/conversation/README.md');
    const bound = keybindings.map(({ command, key }) => `${key}: ${command.slice(9)}`);
    expect(bound.filter((line) => !line.includes(': add'))).toEqual([
      'ctrl+k a: focusAgent',
      'ctrl+k g: openContextPanel',
      'ctrl+k n: newSession',
      'ctrl+k x: stopTurn',
      'ctrl+k j: nextChange',
      'ctrl+k k: previousChange',
      'ctrl+k l: editSelection',
    ]);
    for (const { key } of keybindings) {
      const shown = key
        .replace(/ctrl/g, 'Ctrl')
        .replace(/(?<=[+ ])[a-z]$|\+k/g, (letter) => letter.toUpperCase());
      expect(page).toContain(`| ${shown} `);
    }
  });

  it('has "Add to Plimsoll" in the menus of explorer, editor, terminal and problems', () => {
    const added = Object.entries(menus).flatMap(([menu, items]) =>
      items.flatMap(({ command }) =>
        command.startsWith('plimsoll.add') ? [`${menu}: ${command.slice(9)}`] : [],
      ),
    );
    expect(added).toEqual([
      'view/title: addProblems',
      'explorer/context: addFile',
      'editor/context: addSelection',
      'editor/context: addFile',
      'editor/title/context: addFile',
      'terminal/context: addTerminal',
    ]);
  });

  it('leaves Stop and New Session to the Agent view, where each has one button', () => {
    const above = menus['view/title']!.map(({ command }) => command.slice(9));
    expect(above).toContain('openContextPanel');
    expect(above).not.toContain('stopTurn');
    expect(above).not.toContain('newSession');
  });

  it('shows its gauge from the start, but is off in an untrusted workspace', () => {
    expect(manifest.activationEvents).toContain('onStartupFinished');
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  });

  it('has its pictures', () => {
    const pictures = [manifest.icon, ...viewsContainers.activitybar.map(({ icon }) => icon)];
    expect(pictures.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
