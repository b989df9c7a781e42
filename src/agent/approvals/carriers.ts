import { baseName } from './programs';

/** What a program runs in addition to itself. */
export type Carried =
  /** Another program with its words. `isWhole` is false where more words come from elsewhere. */
  | { readonly type: 'words'; readonly words: readonly string[]; readonly isWhole: boolean }
  /** A command line that a shell reads. */
  | { readonly type: 'text'; readonly text: string }
  /** A file of commands or code: its content is not judged. */
  | { readonly type: 'script' }
  /** Something that the words do not show; `why` ends the sentence "it ...". */
  | { readonly type: 'hidden'; readonly why: string };

/** A program whose only effect is that of the program it runs, such as `timeout`. */
interface Wrapper {
  /** Its options that take the next word as their value. */
  readonly valued: readonly string[];
  /** Words between the options and the program. */
  readonly operands: number;
  /** False: it also writes, traces or changes something, so no rule for the program covers it. */
  readonly isPlain: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nice: plain('-n --adjustment'),
  ionice: plain('-c -n -p --class --classdata'),
  chrt: plain('-T -P -D', 1),
  taskset: plain('', 1),
  timeout: plain('-s -k --signal --kill-after', 1),
  time: plain('-f --format'),
  nohup: plain(),
  setsid: plain(),
  stdbuf: plain('-i -o -e --input --output --error'),
  command: plain(),
  builtin: plain(),
  exec: plain('-a'),
  chronic: plain(),
  unbuffer: plain(),
  setarch: other(),
  strace: other('-o -e -p -s -E -u -a -I -O -P -S -X'),
  ltrace: other('-o -e -p -s -u -a -l -n -x'),
  valgrind: other(),
  xargs: other(
    '-n -P -I -L -d -a -E -s --max-args --max-procs --replace --max-lines --delimiter --arg-file',
  ),
  sudo: other('-u -g -h -p -C -D -R -T -U'),
  doas: other('-u -C'),
  flock: other('-w -E --timeout --wait', 1),
  watch: other('-n --interval'),
  unshare: other(),
  chroot: other('', 1),
  'xvfb-run': other('-e -f -n -p -s'),
  busybox: other(),
  toybox: other(),
  'systemd-run': other('-p -u -M -H'),
};

function plain(valued = '', operands = 0): Wrapper {
  return { valued: valued.split(' '), operands, isPlain: true };
}

function other(valued = '', operands = 0): Wrapper {
  return { valued: valued.split(' '), operands, isPlain: false };
}

/** Wrappers that change the user, the root folder or the namespaces. */
const PRIVILEGED = /^(sudo|doas|chroot|unshare|systemd-run)$/;

/** Other names of `setarch`, each for one machine. */
const ARCHITECTURE =
  /^(linux32|linux64|uname26|i[3-6]86|x86_64|aarch64|arm64|ppc\w*|s390x?|sparc\w*)$/;

const SHELL = /^(ba|da|k|mk|z|c|tc|fi|a|r?ba|pw)?sh$/;

const INTERPRETER =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|irb|php|lua|luajit|tclsh|wish|expect|r|julia|guile|racket|osascript|groovy|scala|jshell|erl|elixir|iex|rscript)(w|-?\d+(\.\d+)*)?$/;
/** Options of interpreters that are followed by code or read it from the standard input. */
const RUNS_CODE = /^(-[a-zA-Z]*[ceErp]|--(eval|print|exec|command|execute)(=.*)?|-ex|-|-s|-i)$/;

/** Programs that read commands from a file, a user or the network, or hand them to a service. */
const UNSEEN =
  /^(\.|source|trap|alias|ssh|su|pkexec|nsenter|parallel|coproc|at|batch|crontab|screen|tmux|vi|vim|nvim|gvim|vimdiff|view|ex|ed|emacs|nano|less|more|most|man|ftp|sftp|telnet|socat|nc|ncat|netcat|rlwrap|dbus-send|xdg-open|open|m4|perf|sqlite|mysql|mariadb|psql|gdb|lldb)(-?\d[\d.]*|\.\w+)?$/;

const AWK = /^[gmn]?awk(-?\d[\d.]*)?$/;

/** Options of programs that name another program to run, or a file of settings that may name one. */
const RUNNING_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  tar: [
    '--to-command',
    '--checkpoint-action',
    '--use-compress-program',
    '--rsh-command',
    '--rmt-command',
    '--info-script',
    '--new-volume-script',
  ],
  split: ['--filter'],
  zip: ['-TT', '--unzip-command'],
  sort: ['--compress-program'],
  rg: ['--pre', '--hostname-bin'],
  fd: ['-x', '-X', '--exec', '--exec-batch'],
  rsync: ['-e', '--rsh', '--rsync-path'],
  scp: ['-S', '-o'],
  gcc: ['-wrapper', '-fplugin', '-specs', '-B'],
  wget: ['--use-askpass', '-e', '--execute'],
  make: ['--eval', 'SHELL', '.SHELLFLAGS', 'MAKEFLAGS'],
  npm: ['--script-shell', '--node-options', '--call', '--shell', '-c'],
  cargo: ['--config'],
  go: ['-exec', '-toolexec', '-vettool'],
  docker: ['-H', '--host'],
  git: [
    '--upload-pack',
    '--receive-pack',
    '--exec',
    '--ext-diff',
    '--open-files-in-pager',
    '--extcmd',
    '--config-env',
    '--exec-path',
    '--tool',
  ],
};
const SAME_OPTIONS: Readonly<Record<string, string>> = {
  cc: 'gcc',
  clang: 'gcc',
  'g++': 'gcc',
  'c++': 'gcc',
  bsdtar: 'tar',
  gtar: 'tar',
  gmake: 'make',
  pnpm: 'npm',
  yarn: 'npm',
  fdfind: 'fd',
};
/** Subcommands of git that run a given program or text. */
const GIT_RUNS =
  /^(bisect|filter-branch|difftool|mergetool|submodule|instaweb|send-email|daemon|shell)$/;

/** What a program with these words runs in addition to itself; empty when it runs nothing else. */
export function carriedBy(words: readonly string[]): readonly Carried[] {
  const [path = '', ...rest] = words;
  const name = baseName(path).toLowerCase();
  if (name === 'eval') return [{ type: 'text', text: rest.join(' ') }];
  if (name === 'env') return carriedByEnv(rest);
  if (name === 'find') return carriedByFind(rest);
  if (SHELL.test(name)) return carriedByShell(name, rest);
  if (name === 'script') return carriedByScript(rest);
  if (INTERPRETER.test(name)) return carriedByInterpreter(name, rest);
  if (AWK.test(name)) return isPlainAwk(rest) ? [] : [hidden(`runs a program of ${name}`)];
  if (UNSEEN.test(name)) return [hidden(`runs ${name}, which runs what the words do not show`)];
  if (name === 'git') return carriedByGit(rest);
  if (name === 'sed' && !isPlainSed(rest)) return [hidden('runs a script of sed')];
  const wrapper = ARCHITECTURE.test(name) ? WRAPPERS['setarch'] : WRAPPERS[name];
  if (wrapper !== undefined) return carriedByWrapper(name, wrapper, rest);
  const runs = RUNNING_OPTIONS[SAME_OPTIONS[name] ?? name.replace(/-?\d[\d.]*$/, '')] ?? [];
  const option = rest.find((word) => runs.some((one) => isOption(word, one)));
  if (option !== undefined) return [hidden(`runs what the option ${option} names`)];
  // In a word of single letters, `I` and `F` of tar name programs.
  if (
    /^(bsd|g)?tar$/.test(name) &&
    rest.some(
      (word, at) => /^-[a-zA-Z]*[IF]/.test(word) || (at === 0 && /^[a-zA-Z]*[IF]/.test(word)),
    )
  )
    return [hidden('runs what an option of tar names')];
  return [];
}

/** Whether a rule for what a program runs covers the program itself: it only passes on. */
export function isTransparent(words: readonly string[]): boolean {
  const name = baseName(words[0] ?? '');
  if (name === 'env') return !words.some((word) => /^\w+=/.test(word));
  const wrapper = WRAPPERS[name];
  return wrapper?.isPlain === true;
}

function hidden(why: string): Carried {
  return { type: 'hidden', why };
}

/** Whether a word is this option, shortened or with its value attached. */
function isOption(word: string, option: string): boolean {
  const [name = ''] = word.split('=', 1);
  if (option.startsWith('--'))
    return name.length >= 4 && name.startsWith('--') && option.startsWith(name);
  return option.length === 2 && !word.startsWith('--')
    ? word.startsWith(option)
    : name === option || word.startsWith(`${option}=`);
}

function carriedByWrapper(
  name: string,
  { valued, operands }: Wrapper,
  rest: readonly string[],
): readonly Carried[] {
  if (name === 'command' && /^-[pvV]*[vV]/.test(rest[0] ?? '')) return [];
  const text = rest.findIndex((word) => /^(-c|--command(=.*)?)$/.test(word));
  if (name === 'flock' && text >= 0) {
    return [
      {
        type: 'text',
        text: (rest[text] ?? '').includes('=')
          ? (rest[text] ?? '').slice(10)
          : (rest[text + 1] ?? ''),
      },
    ];
  }
  let at = 0;
  while (at < rest.length && (rest[at] ?? '').startsWith('-')) {
    const option = rest[at] ?? '';
    at += 1;
    if (option === '--') break;
    if (valued.includes(option)) at += 1;
  }
  at += operands;
  // `setarch` takes the name of a machine, or none.
  if (name === 'setarch' && ARCHITECTURE.test(rest[at] ?? '')) {
    return carriedByWrapper(name, { valued, operands: 0, isPlain: false }, rest.slice(at + 1));
  }
  const words = rest.slice(at);
  if (words.length === 0) return [];
  if (name === 'watch') return [{ type: 'text', text: words.join(' ') }];
  const carried: Carried = { type: 'words', words, isWhole: name !== 'xargs' };
  if (name === 'xargs') return [carried, hidden('gives a program words from its input')];
  return PRIVILEGED.test(name)
    ? [carried, hidden(`runs a program through ${name}, with other rights`)]
    : [carried];
}

function carriedByEnv(rest: readonly string[]): readonly Carried[] {
  let at = 0;
  while (at < rest.length) {
    const word = rest[at] ?? '';
    if (/^(-\w*S|--split-string)/.test(word)) return [hidden('runs a text that env splits')];
    if (word === '-u' || word === '-C' || word === '--unset' || word === '--chdir') at += 2;
    else if (word.startsWith('-') || /^\w+=/.test(word)) at += 1;
    else break;
  }
  const words = rest.slice(at);
  return words.length === 0 ? [] : [{ type: 'words', words, isWhole: true }];
}

/** The programs after `-exec` and its relatives, each up to `;` or `+`. */
function carriedByFind(rest: readonly string[]): readonly Carried[] {
  const found: Carried[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    if (!/^-(exec|ok)(dir)?$/.test(rest[at] ?? '')) continue;
    const length = rest.slice(at + 1).findIndex((word) => word === ';' || word === '+');
    const words = length < 0 ? rest.slice(at + 1) : rest.slice(at + 1, at + 1 + length);
    found.push({ type: 'words', words, isWhole: false });
    at += words.length;
  }
  return found;
}

/** The text of `sh -c`, a file of commands, or commands from the standard input. */
function carriedByShell(name: string, rest: readonly string[]): readonly Carried[] {
  let givesText = false;
  for (const [at, word] of rest.entries()) {
    if (/^(--rcfile|--init-file|-o|\+o|-O|\+O)$/.test(word))
      return [hidden(`gives ${name} settings`)];
    if (/^-[a-zA-Z]+$/.test(word)) {
      givesText ||= word.includes('c');
      if (/[sil]/.test(word))
        return givesText
          ? textOf(rest, at)
          : [hidden(`gives ${name} commands that the words do not show`)];
    } else if (/^[-+]/.test(word)) {
      if (word === '--version' || word === '--help') return [];
    } else {
      return givesText ? [{ type: 'text', text: word }] : [{ type: 'script' }];
    }
  }
  return [hidden(`gives ${name} commands that the words do not show`)];
}

function textOf(rest: readonly string[], at: number): readonly Carried[] {
  const text = rest.slice(at + 1).find((word) => !/^[-+]/.test(word));
  return text === undefined ? [hidden('gives a shell no text')] : [{ type: 'text', text }];
}

function carriedByScript(rest: readonly string[]): readonly Carried[] {
  const at = rest.findIndex((word) => /^(-[a-zA-Z]*c|--command)$/.test(word));
  if (at >= 0) return [{ type: 'text', text: rest[at + 1] ?? '' }];
  const long = rest.find((word) => word.startsWith('--command='));
  if (long !== undefined) return [{ type: 'text', text: long.slice('--command='.length) }];
  return [hidden('runs a shell for script')];
}

function carriedByInterpreter(name: string, rest: readonly string[]): readonly Carried[] {
  if (rest.length === 1 && /^(-v|-V|--version|-h|--help)$/.test(rest[0] ?? '')) return [];
  const first = rest.findIndex((word) => !word.startsWith('-'));
  const options = first < 0 ? rest : rest.slice(0, first);
  const isModule = options.at(-1) === '-m';
  if (options.some((word) => RUNS_CODE.test(word)) || (first < 0 && !isModule)) {
    return [hidden(`gives ${name} code that cannot be judged`)];
  }
  return [{ type: 'script' }];
}

/** Without these an awk program only computes and prints. */
function isPlainAwk(rest: readonly string[]): boolean {
  return !rest.some((word) =>
    /system|getline|[|>@]|ENVIRON|^-[a-zA-Z]*[fiElo]|^--(file|include|load|exec|eval)/.test(word),
  );
}

/** One command of sed that only substitutes, prints or deletes. */
const ADDRESS = String.raw`(?:\d+|\$|\/(?:\\.|[^/\\])*\/I?)`;
const SED_COMMAND = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:,\+?${ADDRESS})?\s*!?\s*)?(?:s([^\w\s\\])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[gIip\d]*|[pdqQ=nNgGhHxD]|q\d+)?\s*$`,
  's',
);

/** Whether a call of sed runs no program and writes no file but the ones it edits. */
function isPlainSed(rest: readonly string[]): boolean {
  const given: string[] = [];
  let operands = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (/^(-\w*f|--file)/.test(word)) return false;
    if (/^(-\w*e|--expression)$/.test(word)) given.push(rest[(at += 1)] ?? '');
    else if (word.startsWith('--expression=')) given.push(word.slice('--expression='.length));
    else if (!word.startsWith('-')) {
      operands += 1;
      if (operands === 1 && given.length === 0) given.push(word);
    }
  }
  return given.flatMap((script) => script.split(/[;\n]/)).every((one) => SED_COMMAND.test(one));
}

/** Options of git, before the subcommand, whose value is the next word. */
const GIT_VALUED = new Set(['-C', '--git-dir', '--work-tree', '--namespace', '--super-prefix']);

function carriedByGit(rest: readonly string[]): readonly Carried[] {
  let at = 0;
  while ((rest[at] ?? '').startsWith('-')) {
    const option = rest[at] ?? '';
    if (option.startsWith('-c') || RUNNING_OPTIONS['git']?.some((one) => isOption(option, one))) {
      return [hidden(`gives git the option ${option}, which can run programs`)];
    }
    at += GIT_VALUED.has(option) ? 2 : 1;
  }
  const [subcommand = '', ...more] = rest.slice(at);
  if (GIT_RUNS.test(subcommand) && more.length > 0)
    return [hidden(`runs git ${subcommand}, which can run programs`)];
  const runs = [
    ...(RUNNING_OPTIONS['git'] ?? []),
    ...(subcommand === 'grep' ? ['-O'] : []),
    ...(subcommand === 'rebase' ? ['-x'] : []),
    ...(subcommand === 'clone' ? ['-u', '-c', '--config', '--template'] : []),
    ...(subcommand === 'init' ? ['--template'] : []),
  ];
  const option = more.find((word) => runs.some((one) => isOption(word, one)));
  if (option !== undefined)
    return [hidden(`gives git the option ${option}, which can run programs`)];
  const remote = more.find((word) => /^(ext|fd)::/.test(word));
  return remote === undefined ? [] : [hidden(`names ${remote}, which git runs`)];
}
