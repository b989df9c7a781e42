/** A table of commands that change settings, services or programs for later sessions. */

import { fromSubcommand } from './programs';

/** Keys of git's settings that name no program and no file. */
const PLAIN_KEYS =
  /^(user\.(name|email)|init\.defaultbranch|(pull|push|color|advice)\.\w+|core\.(autocrlf|eol|filemode|ignorecase|quotepath))$/i;

/** A command that changes settings, services or programs for later sessions. */
interface LastingCommand {
  readonly programs: RegExp;
  /** Words in this order; the first is the subcommand. */
  readonly words: readonly RegExp[];
  /** What it changes, in a few words. */
  readonly what: string;
  /** An option that makes it so. */
  readonly option?: RegExp | undefined;
  /** An option that makes it harmless. */
  readonly unless?: RegExp | undefined;
  /** Words that make it harmless directly after the subcommand. */
  readonly reads?: RegExp;
}

const OUTSIDE = 'programs outside the workspace';
const OF_PACKAGES = 'the configuration of the package manager';
const MANAGERS = 'npm|pnpm|yarn|bun';

const LASTING_COMMANDS: readonly LastingCommand[] = [
  lasting('git', 'remote add|set-url', 'the configuration of git'),
  lasting('git', 'submodule add|set-url|set-branch', 'the configuration of git'),
  lasting('git', 'maintenance start|stop|register|unregister', 'the configuration of git'),
  lasting('scalar', 'register|clone', 'the configuration of git'),
  lasting('git', 'lfs install', 'the hooks of git'),
  lasting('pre-commit|lefthook', 'install', 'the hooks of git'),
  lasting('husky|simple-git-hooks', '', 'the hooks of git'),
  lasting(MANAGERS, 'pkg set|delete|fix .*scripts.*', 'the scripts of package.json'),
  lasting(MANAGERS, 'set-script', 'the scripts of package.json'),
  lasting(MANAGERS, 'c|con?f?i?g? set|delete|rm|edit|fix', OF_PACKAGES),
  lasting(MANAGERS, 'set', OF_PACKAGES),
  lasting('yarn', 'plugin|policies', OF_PACKAGES),
  lasting(MANAGERS, 'global|link|ln', OUTSIDE),
  lasting(MANAGERS, '', OUTSIDE, /^(-\w*g|--global|--location=global|--location)$/),
  lasting('pnpm', 'setup', OUTSIDE),
  orReads(lasting('pnpm', 'env', OUTSIDE)),
  lasting('bun|deno', 'upgrade', OUTSIDE),
  lasting('deno', 'install .+', OUTSIDE),
  lasting('corepack', 'enable|disable', OUTSIDE),
  lasting('pip[\\d.]*', 'config set|unset|edit', 'the configuration of pip'),
  lasting('pip[\\d.]*', '', OUTSIDE, /^--user$/),
  lasting('go', 'env', 'the configuration of go', /^-[wu]$/),
  lasting('go|cargo|gem|pipx', 'install', OUTSIDE, undefined, /^--root/),
  lasting('uv', 'self', OUTSIDE),
  orReads(lasting('uv', 'tool', OUTSIDE)),
  lasting('uv', 'python install|uninstall|pin', OUTSIDE),
  lasting('conda|mamba|composer', 'config [^-].*', OF_PACKAGES),
  orReads(lasting('hatch', 'config [^-].*', OF_PACKAGES)),
  lasting('poetry|pdm', 'config [^-].* [^-].*', OF_PACKAGES),
  lasting('poetry|pdm', 'config', OF_PACKAGES, /^(--$|--[demu]|-\w*[deu])/),
  lasting('bundle', 'config', OF_PACKAGES, /^--global$/),
  lasting('dotnet', 'nuget (add|update|remove|enable|disable|trust).*', OF_PACKAGES),
  lasting('nuget', 'sources?|config|setapikey', OF_PACKAGES),
  lasting('dotnet', 'tool (install|update|uninstall)', OUTSIDE, /^(-g|--global)$/),
  lasting('composer', 'global .+', OUTSIDE),
  lasting('poetry', 'self .+', OUTSIDE),
  lasting('conda|mamba', 'init', 'settings of the system'),
  lasting('rustup', 'default|update|self', OUTSIDE),
  orReads(lasting('rustup', 'override|toolchain|component|target', OUTSIDE)),
  lasting('volta', 'install|pin|uninstall', OUTSIDE),
  lasting('asdf', 'global|install|set', OUTSIDE),
  lasting('mise|rtx', 'use|trust|install', OUTSIDE),
  orReads(lasting('asdf|mise|rtx', 'settings|plugins?', OUTSIDE)),
  lasting(
    'brew|apt|apt-get|dnf|yum|apk|snap|flatpak|port|zypper|choco|winget|scoop',
    'install|add|remove|uninstall|upgrade|purge|tap',
    OUTSIDE,
  ),
  orReads(lasting('brew', 'services', OUTSIDE)),
  lasting('pacman', '', OUTSIDE, /^-[SRU]/),
  lasting(
    'code|code-insiders|codium|cursor|windsurf',
    '',
    OUTSIDE,
    /^--(install-|uninstall-|add-mcp)/,
  ),
  lasting(
    'claude|codex|gemini|copilot|qwen|amp|opencode|goose',
    'mcp|plugin|config|extensions?',
    'the configuration of another agent',
  ),
  lasting('gh', 'auth', 'the configuration of gh'),
  orReads(lasting('gh', 'alias|config|extension', 'the configuration of gh')),
  orReads(lasting('gcloud|az', 'config', 'the configuration of a service')),
  // Its `get` prints passwords.
  orReads(lasting('aws', 'configure', 'the configuration of a service'), /^list(-profiles)?$/),
  lasting('docker|podman', 'login|logout', 'the configuration of a service'),
  orReads(lasting('docker|podman', 'context|plugin', 'the configuration of a service')),
  lasting('systemctl', 'enable|disable|mask|unmask|link|edit|set-.*', 'services of the system'),
  lasting('loginctl', 'enable-linger', 'services of the system'),
  lasting('launchctl', 'load|unload|bootstrap|bootout|submit|enable', 'services of the system'),
  lasting(
    'defaults|gsettings|dconf',
    'write|delete|import|set|reset|load',
    'settings of the system',
  ),
  lasting('xdg-mime|xdg-settings', 'default|set', 'settings of the system'),
  lasting('update-alternatives|chsh|setx|schtasks', '', 'settings of the system'),
  lasting('reg', 'add|delete|import', 'settings of the system'),
];

function lasting(
  programs: string,
  words: string,
  what: string,
  option?: RegExp,
  unless?: RegExp,
): LastingCommand {
  const shape = (text: string): RegExp => new RegExp(`^(${text})$`);
  const given = words === '' ? [] : words.split(' ');
  return { programs: shape(programs), words: given.map(shape), what, option, unless };
}

/** The same command, unless this word follows its subcommand: `rustup target list` changes nothing. */
function orReads(
  command: LastingCommand,
  reads = /^(list|ls|show|get|status|current|describe)$/,
): LastingCommand {
  return { ...command, reads };
}

/** Settings, services or programs for later sessions that a command changes, in a few words. */
export function settingsChanged(words: readonly string[]): string | undefined {
  const given = fromSubcommand(words);
  // `python3 -m pip` is pip.
  const isModule = /^(python|pypy)[\d.]*$/.test(given[0] ?? '') && given[1] === '-m';
  const [program = '', ...rest] = isModule ? given.slice(2) : given;
  if (program === 'git' && rest[0] === 'config') return gitSettingsChanged(rest.slice(1));
  return LASTING_COMMANDS.find(
    (one) =>
      one.programs.test(program) &&
      (one.words.length === 0 || hasSubcommand(rest, one)) &&
      (one.option === undefined || hasLike(rest, one.option)) &&
      (one.unless === undefined || !hasLike(rest, one.unless)),
  )?.what;
}

function hasLike(words: readonly string[], shape: RegExp): boolean {
  return words.some((word) => shape.test(word));
}

/** Whether the first word after options and their values is the first of these, and the others follow it. */
function hasSubcommand(
  words: readonly string[],
  { words: [first, ...more], reads }: LastingCommand,
): boolean {
  for (const [at, word] of words.entries()) {
    const isValue = words[at - 1]?.startsWith('-') === true;
    if (first?.test(word) === true && reads?.test(words[at + 1] ?? '') !== true) {
      let next = 0;
      for (const one of words.slice(at + 1)) if (more[next]?.test(one) === true) next += 1;
      if (next === more.length) return true;
    }
    // `+nightly` names a toolchain of Rust.
    if (!/^[-+]/.test(word) && !isValue) return false;
  }
  return false;
}

function gitSettingsChanged(words: readonly string[]): string | undefined {
  const named = words.filter((word) => !word.startsWith('-'));
  if (/^(get|list)$/.test(named[0] ?? '')) return undefined;
  const changes =
    named[0] === 'edit' ||
    words.some((word) => /^--?(e|unset|add|replace|edit|rename|remove)/.test(word));
  const reads =
    !changes && (named.length < 2 || words.some((word) => /^(-l|--(list|get))/.test(word)));
  const isPlain =
    PLAIN_KEYS.test(named[0] ?? '') &&
    words.every((word) => !word.startsWith('-') || word === '--local');
  return reads || isPlain ? undefined : 'the configuration of git';
}
