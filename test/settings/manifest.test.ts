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
    readonly views: { readonly plimsoll: readonly { readonly id: string }[] };
    readonly viewsContainers: { readonly activitybar: readonly { readonly icon: string }[] };
  };
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { commands, menus, views, viewsContainers } = manifest.contributes;
const ids = commands.map(({ command }) => command);

describe('package.json', () => {
  it('lists exactly the commands the host registers', () => {
    const effects = /interface CommandEffects \{([^}]*)\}/.exec(read('src/host/commands.ts'))?.[1];
    const registered = [...(effects ?? '').matchAll(/readonly (\w+):/g)].map(
      ([, name]) => `plimsoll.${name}`,
    );
    expect(ids.toSorted()).toEqual(registered.toSorted());
    expect(commands.every(({ category }) => category === 'Plimsoll')).toBe(true);
  });

  it('offers only commands that exist in its menus', () => {
    const offered = Object.values(menus).flatMap((items) => items.map(({ command }) => command));
    expect(offered.filter((command) => !ids.includes(command))).toEqual([]);
  });

  it('names the views the host fills, and wakes it for a panel that comes back', () => {
    expect(read('src/host/agentViewProvider.ts')).toContain(`id = '${views.plimsoll[0]?.id}'`);
    const [event] = manifest.activationEvents;
    expect(read('src/host/contextPanel.ts')).toContain(`id = '${event?.split(':')[1]}'`);
  });

  it('shows its gauge from the start, but runs nothing in a workspace that is not trusted', () => {
    expect(manifest.activationEvents).toContain('onStartupFinished');
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  });

  it('has its pictures', () => {
    const pictures = [manifest.icon, ...viewsContainers.activitybar.map(({ icon }) => icon)];
    expect(pictures.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
