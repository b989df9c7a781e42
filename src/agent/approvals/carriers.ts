import { lengthOfOptions, OF_GIT, optionsIn, type Options, programName } from './programs';

/** What a program runs in addition to itself. */
type Carried =
  /** Another program with its words. `isWhole` is false where more words come from elsewhere. */
  | { readonly type: 'words'; readonly words: readonly string[]; readonly isWhole: boolean }
  /** A command line that a shell reads. */
  | { readonly type: 'text'; readonly text: string }
  /** A file of commands or code: its content is not judged. */
  | { readonly type: 'script' }
  /** Something that the words do not show; `why` ends the sentence "it ...". */
  | { readonly type: 'hidden'; readonly why: string };

/** A program whose only effect is that of the program it runs, such as `timeout`. */
interface Wrapper extends Options {
  /** Words between the options and the program. */
  readonly operands: number;
  /** False: it also writes, traces or changes something, so no rule for the program covers it. */
  readonly isPlain: boolean;
}

/** Every option that is not listed hides what the wrapper runs: shortened ones, and ones that write. */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nice: plain('-n= --adjustment='),
  ionice: plain('-c= -n= -t --class= --classdata= --ignore'),
  chrt: plain('-f -r -o -b -i -a -v -R --fifo --rr --other --batch --idle', 1),
  taskset: plain('-c -a --cpu-list', 1),
  timeout: plain(
    '-s= -k= -v -f -p --signal= --kill-after= --verbose --foreground --preserve-status',
    1,
  ),
  time: plain('-p -v -q -f= --portability --verbose --quiet --format='),
  nohup: plain(),
  setsid: plain('-c -f -w --ctty --fork --wait'),
  stdbuf: plain('-i= -o= -e= --input= --output= --error='),
  command: plain('-p'),
  builtin: plain(),
  exec: plain('-c -l -a='),
  chronic: plain('-v -e'),
  unbuffer: plain('-p'),
  setarch: other('-R -F -L -I -S -T -X -Z -B -v -3 --addr-no-randomize --verbose'),
  strace: other(
    '-f -t -T -y -v -q -c -C -x -i -r -k -d -D -w -z -Z -n -A -o= -e= -p= -s= -E= -u= -a= -I= -O= -P= -S= -X= -U= -b=',
  ),
  ltrace: other('-f -t -T -c -C -i -r -S -w -o= -e= -p= -s= -u= -a= -l= -n= -x= -A= -D='),
  valgrind: other('-q -v'),
  xargs: other(
    '-n= -P= -I= -L= -d= -a= -E= -s= -0 -r -t -p -x -o -i --max-args= --max-procs= --replace= --max-lines= --delimiter= --arg-file= ' +
      '--null --no-run-if-empty --verbose',
  ),
  sudo: other('-u= -g= -h= -p= -C= -D= -R= -T= -U= -n -E -H -i -s -k -b -A -S -B -P'),
  doas: other('-u= -C= -n -s'),
  flock: other(
    '-x -n -s -u -o -e -F -v -w= -E= --timeout= --wait= --exclusive --shared --nonblock --nb --unlock --close --no-fork --verbose',
    1,
  ),
  watch: other('-n= -d -t -b -e -g -c -p --interval= --differences --no-title --color'),
  unshare: other('-m -u -i -n -p -U -f -r -c -T -C --map-root-user --fork --net --mount --pid'),
  chroot: other('', 1),
  'xvfb-run': other('-a -e= -f= -n= -p= -s= --auto-servernum --server-args='),
  busybox: other(),
  toybox: other(),
  coreutils: other(),
  'systemd-run': other('-p= -u= -M= -H= -t -P -q --user --scope --pty --wait --collect'),
  corepack: other(),
  npx: other('-y -q --yes --no --no-install --quiet --silent --offline'),
  bunx: other(),
  uvx: other('-q --quiet --offline'),
};

/** Programs with a subcommand that runs a program of the project, and of the packages it installed. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  npm: /^(exec|x)$/,
  pnpm: /^(exec|dlx)$/,
  yarn: /^(exec|dlx)$/,
  bun: /^x$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pipx: /^run$/,
  pdm: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  pixi: /^run$/,
  conda: /^run$/,
  mamba: /^run$/,
  bundle: /^exec$/,
  mise: /^(exec|x)$/,
  asdf: /^exec$/,
  rbenv: /^exec$/,
  pyenv: /^exec$/,
  volta: /^run$/,
  opam: /^exec$/,
  stack: /^exec$/,
  cabal: /^exec$/,
};
const OF_RUNNERS = optionsIn('-y -q -s --yes --no --quiet --silent --offline');

function plain(options = '', operands = 0): Wrapper {
  return { ...optionsIn(options), operands, isPlain: true };
}

function other(options = '', operands = 0): Wrapper {
  return { ...optionsIn(options), operands, isPlain: false };
}

/** Wrappers that change the user, the root folder or the namespaces. */
const PRIVILEGED = /^(sudo|doas|chroot|unshare|systemd-run)$/;

/** Other names of `setarch`, each for one machine. */
const ARCHITECTURE =
  /^(linux32|linux64|uname26|i[3-6]86|x86_64|aarch64|arm64|ppc\w*|s390x?|sparc\w*)$/;

const SHELL = /^(sh|r?bash|dash|ash|ksh\w*|mksh|zsh)(-?\d[\d.]*)?$/;
/** Single letters that set a mode of a shell. */
const SHELL_LETTERS = /^-[abefhikmnprstuvxBCEHPTcl]{1,5}$/;
const SHELL_WORDS = /^--(norc|noprofile|posix|login|restricted|verbose)?$/;

const INTERPRETER =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|irb|php|lua|luajit|tclsh|wish|expect|r|julia|guile|racket|osascript|groovy|scala|jshell|erl|elixir|iex|rscript|ts-node|tsx|ipython|swift|sbcl|clisp|ghci|runghc|runhaskell|ocaml|ocamlrun|escript|coffee|lsc|esno|swc-node|babel-node|kotlinc|gorun|octave|gnuplot|maxima|crystal|nim|bb|clj)(w|-?\d+(\.\d+)*)?$/;

/** Programs that read commands from a file, a user or the network, or hand them to a service. */
const UNSEEN = new RegExp(
  `^(${[
    String.raw`\.|source|trap|alias|coproc|enable|bind|complete|compgen|fc|history|read|mapfile|readarray|getopts|let`,
    'claude|codex|gemini|copilot|cursor-agent|aider|opencode|goose|amp|qwen|crush|plimsoll',
    'tsp|chpst|envdir|setuidgid|eatmydata|proxychains|torsocks|torify|cgexec|runcon|machinectl|wine|xterm|konsole|gnome-terminal|cmd|p?rename|file-rename',
    'ssh|su|pkexec|nsenter|runuser|sg|newgrp|setpriv|prlimit|choom|numactl|faketime|fakeroot|proot|bwrap|firejail|gosu|su-exec|tini|dumb-init',
    'parallel|at|batch|crontab|screen|tmux|dtach|daemonize|start-stop-daemon|run-parts|entr|watchexec|nodemon|hyperfine|concurrently|cross-env|dotenv',
    'emacsclient|sudoedit|supervise|runsv|tig|lazygit|gitk|puppet|chef-client|packer|vipe|pg|redis-cli|mongo',
    'dbus-run-session|dbus-launch|dbus-send|systemd-inhibit|caffeinate|arch|direnv|nix|nix-shell|wsl|adb|vagrant|kubectl|oc',
    'vi|[egr]?vim|rgvim|nvim|mvim|vimx|nvi|vis|vimdiff|[gr]?view|ex|r?ed|emacs|nano|pico|micro|hx|kak|joe|less|more|most|man|ftp|sftp|telnet|socat|nc|ncat|netcat|rlwrap',
    'lynx|w3m|mail|mailx|mutt|xdg-open|open|m4|perf|dc|sqlite|duckdb|mysql|mariadb|psql|mongosh|gdb|lldb',
    'csh|tcsh|fish|nu|elvish|xonsh|pwsh|powershell',
    'systemd-cat|logsave|ifne|pee|mispipe|zrun|cpulimit|aa-exec|capsh|nsjail|foreman|honcho|ssh-agent|uclampset|catchsegv',
    'perldoc|sensible-(editor|pager|browser)|editor|pager|run-mailcap',
  ].join('|')})(-?\\d[\\d.]*|\\.\\w+)?$`,
);
/** The loader of programs, which runs the one that it is given. */
const LOADER = /^ld(-linux|-musl)?[\w-]*\.so(\.\d+)*$/;

/** Programs that run the file they are given, as interpreters do. */
const RUNS_FILES =
  /^(javaw?|kotlin|dart|mono|zig|qemu-\w+(-static)?|rake|gulp|grunt|ant|nox|invoke|fab|thor|mage)$/;
const RUNS_FILES_BY: Readonly<Record<string, RegExp>> = {
  go: /^run$/,
  cargo: /^run$/,
  mix: /^run$/,
  cabal: /^run$/,
  stack: /^run$/,
  bazel: /^run$/,
  dotnet: /^(run|fsi|exec|script|.*\.dll)$/,
};
/** Programs that hand out passwords. */
const PASSWORDS =
  /^(security|secret-tool|pass|passage|gopass|kwallet-query|op|bw|lpass|vault|keyring|doppler|chamber|envchain|aws-vault|infisical|sops|r?age|ssh-keygen|ssh-add)$/;
/** What gpg only reads of signatures and public keys. */
const GPG_READS =
  /^(--(verify|version|help|list-(public-)?keys|fingerprint|print-md|list-packets)|-k)$/;
/** Subcommands that take code, or open a place to type it. */
const CODE_BY: Readonly<Record<string, RegExp>> = {
  rails: /^(runner|r|console|c|dbconsole|db)$/,
  'django-admin': /^(shell|shell_plus|dbshell)$/,
  'manage.py': /^(shell|shell_plus|dbshell)$/,
  artisan: /^(tinker|db)$/,
  flask: /^shell$/,
  wp: /^(eval|shell|db)$/,
  drush: /^(php|php:.*|ev|eval|sqlq?|sql:.*|core:cli)$/,
  stack: /^(runghc|runhaskell|ghci|eval)$/,
  v: /^(run|repl)$/,
  ctest: /^(-S|--script)$/,
  tcc: /^-run/,
  ghc: /^-e$/,
};
/** Folders of installed programs; one in another folder is a file of the project. */
const INSTALLED =
  /^(\/(usr|s?bin|opt|nix|snap)\/(?!.*\.\.)|(.*\/)?(node_modules\/\.bin|vendor\/bin)\/[^/]+$)/;

const SED = /^g?sed$/;
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
  gcc: ['-wrapper', '-fplugin', '-fpass-plugin', '-Xclang', '-specs', '-B', '@'],
  curl: ['-K', '--config'],
  wget: ['--use-askpass', '-e', '--execute', '--config'],
  make: ['-E', '--eval', 'SHELL', '.SHELLFLAGS', 'MAKEFLAGS', 'GNUMAKEFLAGS'],
  cmake: ['-P', '-E'],
  npm: ['--script-shell', '--node-options', '--call', '--shell', '-c'],
  cargo: ['--config'],
  openssl: ['-engine', '-provider-path'],
  latex: ['-shell-escape', '--shell-escape', '-enable-write18', '--enable-write18'],
  ar: ['--plugin'],
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
  pdflatex: 'latex',
  xelatex: 'latex',
  lualatex: 'latex',
  nm: 'ar',
  ranlib: 'ar',
  bsdtar: 'tar',
  gtar: 'tar',
  gmake: 'make',
  pnpm: 'npm',
  yarn: 'npm',
  fdfind: 'fd',
  podman: 'docker',
  nerdctl: 'docker',
  'docker-compose': 'docker',
  'podman-compose': 'docker',
};
/** Subcommands of git that run a given program or text, or print a password. */
const GIT_RUNS =
  /^(bisect|filter-branch|difftool|mergetool|submodule|instaweb|send-email|daemon|shell|hook|for-each-repo|svn|p4|credential.*|web--browse)$/;

/** Those that only list something or print help where no words follow. */
const ALONE_LISTS =
  /^(bisect|filter-branch|submodule|shell|hook|for-each-repo|svn|p4|credential.*)$/;

/** Subcommands of git that are no alias from its settings, which may run a program. */
const GIT_KNOWN = new RegExp(
  `^(${[
    'add|am|annotate|apply|archive|blame|branch|bundle|cat-file|check-attr|check-ignore|check-mailmap|check-ref-format|checkout|checkout-index|cherry|cherry-pick|clean|clone|column|commit|commit-graph|commit-tree|config|count-objects',
    'describe|diff|diff-files|diff-index|diff-tree|fast-export|fast-import|fetch|fetch-pack|fmt-merge-msg|for-each-ref|format-patch|fsck|gc|get-tar-commit-id|grep|gui|hash-object|help|init',
    'index-pack|interpret-trailers|lfs|log|ls-files|ls-remote|ls-tree|mailinfo|mailsplit|maintenance|merge|merge-base|merge-file|merge-index|merge-tree|mktag|mktree|mv|name-rev|notes|pack-objects|pack-redundant|pack-refs|patch-id|prune|prune-packed|pull|push',
    'range-diff|read-tree|rebase|reflog|remote|repack|replace|request-pull|rerere|reset|restore|rev-list|rev-parse|revert|rm|shortlog|show|show-branch|show-index|show-ref|sparse-checkout',
    'stash|status|stripspace|subtree|switch|symbolic-ref|tag|unpack-file|unpack-objects|update-index|update-ref|update-server-info|var|verify-commit|verify-pack|verify-tag|version|whatchanged|worktree|write-tree|archimport|citool',
  ].join('|')})$`,
);

/** Subcommands of docker that start nothing with rights on this machine. */
const DOCKER_PLAIN =
  /^(ps|images|logs|inspect|version|info|stats|top|port|diff|history|search|pull|build|compose|stop|kill|restart|--version|--help)$/;
/** What docker keeps, and the words after it that change nothing. */
const DOCKER_KINDS = /^(container|context|image|network|plugin|system|volume|buildx|manifest)$/;
const DOCKER_LISTS = /^(ls|list|ps|inspect|df|info|show|history|logs|top|stats|port|diff)$/;
/** They start containers, with the folders that a file of the project names. */
const COMPOSE_RUNS = /^(up|create|watch|scale|exec|run|cp)$/;

/** Options after which a program usually takes code. */
const CODE_OPTION =
  /^(-[a-zA-Z]?[cex]|--?(eval|exec|expr|expression|command|call|execute|run|shell|code|script))$/;
/** Code, in contrast to the name of a file. */
const CODE = /[\s(;|&]/;

/** Keywords and variables, which are not programs. */
const KEYWORD =
  /^([A-Za-z_]\w*\+?=.*|if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|[!{}]|\[\[)$/s;

/** Whether a program of this name runs code that it reads from its input. */
export function runsItsInput(name: string): boolean {
  return SHELL.test(name) || INTERPRETER.test(name);
}

/** What a program with these words runs in addition to itself; empty when it runs nothing else. */
export function carriedBy(words: readonly string[]): readonly Carried[] {
  const [path = '', ...rest] = words;
  const name = programName(path);
  if (/[*?[\s;|&]/.test(path) && path !== '[')
    return [hidden('runs a program without a plain name')];
  // After `time` the shell reads keywords and variables, which the grammar takes for a program.
  if (KEYWORD.test(path)) return [hidden(`runs ${path}, which is not a program`)];
  const ofShell = carriedByBuiltin(name, rest);
  if (ofShell !== undefined) return ofShell;
  if (name === 'env') return carriedByEnv(rest);
  if (name === 'find') return carriedByFind(rest);
  if (SHELL.test(name)) return carriedByShell(name, rest);
  if (name === 'script') return carriedByScript(rest);
  if (INTERPRETER.test(name) && !RUNNERS[name]?.test(rest[0] ?? ''))
    return carriedByInterpreter(name, rest);
  if (AWK.test(name)) return isPlainAwk(rest) ? [] : [hidden(`runs a program of ${name}`)];
  const isOfProject = path.includes('/') && !INSTALLED.test(path);
  const asksVersion = rest.length === 1 && /^--?version$/.test(rest[0] ?? '');
  if (asksVersion && !isOfProject && (rest[0] === '--version' || RUNS_FILES.test(name))) return [];
  if (UNSEEN.test(name)) return [hidden(`runs ${name}, which runs what the words do not show`)];
  if (/^gpg[2v]?$/.test(name) && !rest.some((word) => GPG_READS.test(word)))
    return [hidden(`runs ${name}, which uses your keys`)];
  if (PASSWORDS.test(name)) return [hidden(`asks ${name} for passwords`)];
  if (LOADER.test(name)) return [hidden('runs a program through the loader')];
  if (name.startsWith('git-')) return carriedByGit([name.slice(4), ...rest]);
  if (name === 'git') return carriedByGit(rest);
  if (SED.test(name)) return isPlainSed(rest) ? [] : [hidden('runs a script of sed')];
  const wrapper = ARCHITECTURE.test(name) ? WRAPPERS['setarch'] : WRAPPERS[name];
  if (wrapper !== undefined) return carriedByWrapper(name, wrapper, rest);
  if (RUNNERS[name]?.test(rest[0] ?? '') === true)
    return carriedByWrapper(name, { ...OF_RUNNERS, operands: 0, isPlain: false }, rest.slice(1));
  const runsFiles = RUNS_FILES.test(name) || RUNS_FILES_BY[name]?.test(rest[0] ?? '') === true;
  const found = hiddenByOption(name, rest);
  return found.length === 0 && (isOfProject || runsFiles) ? [{ type: 'script' }] : found;
}

/** What a program hides by its options, which name another program or hold code. */
function hiddenByOption(name: string, rest: readonly string[]): readonly Carried[] {
  const known = SAME_OPTIONS[name] ?? name.replace(/-?\d[\d.]*$/, '');
  const runs = RUNNING_OPTIONS[known] ?? [];
  const option = rest.find((word) => runs.some((one) => isOption(word, one)));
  if (option !== undefined) return [hidden(`runs what the option ${option} names`)];
  // In a word of single letters, these letters name programs.
  const letters = known === 'tar' ? /^-?[a-zA-Z]*[IF]/ : known === 'rsync' ? /^-[a-zA-Z]*e/ : null;
  const at = rest.findIndex((word) => letters?.test(word));
  if (known === 'tar' && rest.some(isAbsolute) && rest.some(extracts))
    return [hidden('writes to the paths that an archive names')];
  if (at === 0 || (at > 0 && rest.some((word) => word.startsWith('-') && letters?.test(word))))
    return [hidden(`runs what an option of ${name} names`)];
  if (
    known === 'ninja' ||
    (known === 'make' &&
      rest.some(
        (word) => isOption(word, '-f') || isOption(word, '--file') || isOption(word, '--makefile'),
      ))
  )
    return [{ type: 'script' }];
  if (known === 'docker') {
    const given = rest.filter((word) => !/^--?[a-zA-Z]/.test(word));
    const [subcommand = '', ...more] = name.endsWith('-compose') ? ['compose', ...given] : given;
    const isPlain =
      (DOCKER_PLAIN.test(subcommand) && !more.some((word) => COMPOSE_RUNS.test(word))) ||
      (DOCKER_KINDS.test(subcommand) && DOCKER_LISTS.test(more[0] ?? ''));
    if (!isPlain && rest.length > 0)
      return [hidden(`runs ${name} ${subcommand}, which reaches the whole machine`)];
  }
  if (takesCode(name, rest)) return [hidden(`gives ${name} code that cannot be judged`)];
  // Its filters run nothing, but may read files that they name.
  if (name === 'jq')
    return rest.some((word) => /\b(import|include)\s*["#]/.test(word))
      ? [hidden('gives jq a filter that reads other files')]
      : [];
  const code = rest.find(
    (word, index) =>
      (CODE.test(word) && CODE_OPTION.test(rest[index - 1] ?? '')) ||
      (word.includes('=') &&
        CODE_OPTION.test(word.slice(0, word.indexOf('='))) &&
        CODE.test(word.slice(word.indexOf('=')))),
  );
  return code === undefined ? [] : [hidden(`gives ${name} code that cannot be judged`)];
}

function takesCode(name: string, rest: readonly string[]): boolean {
  const code = Object.hasOwn(CODE_BY, name) ? CODE_BY[name] : undefined;
  if (code === undefined) return false;
  // The word after an option may be its value, and the next one the subcommand.
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const last = at > 0 ? at + 1 : at;
  return rest.some((word, index) => code.test(word) && (index <= last || word.startsWith('-')));
}

/** Whether an option lets tar follow absolute paths, also within the letters of its first word. */
function isAbsolute(word: string, at: number): boolean {
  return /^(-[a-zA-Z]*P|--ab)/.test(word) || (at === 0 && /^[a-zA-Z]*P/.test(word));
}

/** Whether a word may make tar extract files. */
function extracts(word: string, at: number): boolean {
  return /^(-[a-zA-Z]*x|--(ex|g))/.test(word) || (at === 0 && /^[a-zA-Z]*x/.test(word));
}

/** Modes of a shell that do not change how it reads words and finds programs. */
const SET_WORD = /^([-+][euxvfnm]+|[-+]o|pipefail|errexit|nounset|xtrace|noglob|--)$/;
const SHOPT_WORD = /^(-[suq]+|globstar|nullglob|failglob)$/;

/** What a command of the shell itself runs, or changes in the shell; undefined for other programs. */
function carriedByBuiltin(name: string, rest: readonly string[]): readonly Carried[] | undefined {
  const changes = [hidden(`runs ${name}, which changes what the shell does`)];
  switch (name) {
    case 'eval':
      return [{ type: 'text', text: rest.join(' ') }];
    case 'jobs':
      return rest[0] === '-x' ? [{ type: 'words', words: rest.slice(1), isWhole: true }] : [];
    case 'export':
    case 'declare':
    case 'typeset':
    case 'readonly':
    case 'local':
    case 'unset':
      return changes;
    case 'hash':
      return rest.some((word) => /^-\w*p/.test(word)) ? changes : [];
    case 'set':
      return rest.every((word) => SET_WORD.test(word)) ? [] : changes;
    case 'shopt':
      return rest.every((word) => SHOPT_WORD.test(word)) ? [] : changes;
    case 'printf':
    case 'wait':
      return /^-[vp]/.test(rest[0] ?? '') ? changes : [];
    case 'test':
    case '[':
      // The index of a list may hold a command, which the shell runs.
      return rest.some((word, at) => /\[.*[$`]/.test(word) || /^-[vR]$/.test(rest[at - 1] ?? ''))
        ? [hidden('tests a variable, whose name may hold a command')]
        : [];
    default:
      return undefined;
  }
}

/** Whether a rule for what a program runs covers the program itself: it only passes on. */
export function isTransparent(words: readonly string[]): boolean {
  const name = programName(words[0] ?? '');
  if (name === 'env') return !words.some((word) => /^[^-=][^=]*=/.test(word));
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
  return option.length <= 3 && !word.startsWith('--')
    ? word.startsWith(option)
    : name === option || word.startsWith(`${option}=`);
}

function carriedByWrapper(
  name: string,
  { operands, isPlain, ...options }: Wrapper,
  rest: readonly string[],
): readonly Carried[] {
  if (name === 'command' && /^-[pvV]*[vV]/.test(rest[0] ?? '')) return [];
  const text = rest.findIndex((word) => /^(-c|--command(=.*)?)$/.test(word));
  if (name === 'flock' && text >= 0) {
    const [word = '', next = ''] = rest.slice(text);
    return [{ type: 'text', text: word.includes('=') ? word.slice(word.indexOf('=') + 1) : next }];
  }
  const length = lengthOfOptions(rest, options);
  if (length === undefined) {
    const option = rest.find((word) => word.startsWith('-'));
    return [hidden(`gives ${name} options, such as ${option}, that cannot be followed`)];
  }
  // Some versions of a wrapper take a word less, and run it.
  const skipped = rest.slice(length, length + operands);
  if (isPlain && !skipped.every((word) => /^[\d.,:a-fx-]+[smhd]?$/i.test(word)))
    return [hidden(`gives ${name} a word that may be a program`)];
  const words = rest.slice(length + operands);
  // `setarch` takes the name of a machine, or none.
  if (name === 'setarch' && ARCHITECTURE.test(words[0] ?? ''))
    return carriedByWrapper('linux32', { ...options, isPlain, operands: 0 }, words.slice(1));
  if (words.length === 0) return [];
  if (name === 'watch') return [{ type: 'text', text: words.join(' ') }];
  const carried: Carried = { type: 'words', words, isWhole: name !== 'xargs' };
  if (name === 'xargs') return [carried, hidden('gives a program words from its input')];
  return PRIVILEGED.test(name)
    ? [carried, hidden(`runs a program through ${name}, with other rights`)]
    : [carried];
}

const OF_ENV = optionsIn('-i -v -u= --ignore-environment --debug --unset=');

function carriedByEnv(rest: readonly string[]): readonly Carried[] {
  const options = rest[0] === '-' ? 1 : lengthOfOptions(rest, OF_ENV);
  if (options === undefined) return [hidden('gives env options that cannot be followed')];
  const first = rest.slice(options).findIndex((word) => !word.includes('='));
  const words = first < 0 ? [] : rest.slice(options + first);
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
  if (/^--(version|help)$/.test(rest[0] ?? '')) return [];
  const unseen = [hidden(`gives ${name} commands that the words do not show`)];
  const at = rest.findIndex((word) => !/^[-+]/.test(word));
  const options = at < 0 ? rest : rest.slice(0, at);
  const text = rest[at];
  if (!options.every((word) => SHELL_LETTERS.test(word) || SHELL_WORDS.test(word))) return unseen;
  const letters = options.filter((word) => !word.startsWith('--')).join('');
  if (text === undefined) return unseen;
  if (letters.includes('c')) return [{ type: 'text', text }];
  return /[sil]/.test(letters) ? unseen : [{ type: 'script' }];
}

function carriedByScript(rest: readonly string[]): readonly Carried[] {
  const at = rest.findIndex((word) => /^(-[a-zA-Z]*c|--command)$/.test(word));
  if (at >= 0) return [{ type: 'text', text: rest[at + 1] ?? '' }];
  const long = rest.find((word) => word.startsWith('--command='));
  if (long !== undefined) return [{ type: 'text', text: long.slice('--command='.length) }];
  return [hidden('runs a shell for script')];
}

/** Options of interpreters that come before a script and give no code. */
const BEFORE_SCRIPT = {
  python: /^-([uBOsSEIPqvbxd]+|[WX][\w:.=]+|m[\w.]+)$/,
  node: /^(-c|--(?!e?val\b|print|interactive|input-type)[a-z][a-z\d-]*(=[^:]*)?)$/,
  other: /^-([wWlTtv]|I[\w./-]+)$/,
};
/** Options whose value is the next word; a value with a colon may be code. */
const VALUE_BEFORE_SCRIPT = {
  python: /^-[WX]$/,
  node: /^(-r|-C|--(require|import|loader|experimental-loader|env-file|conditions|test-reporter|test-reporter-destination|test-name-pattern|test-skip-pattern))$/,
  other: /^$/,
};
/** Modules of Python that run a text. */
const RUNS_TEXT = /^(timeit|pdb|bdb|code|codeop|asyncio|c?profile|trace|runpy|sqlite3)$/i;
const DENO = /^(run|test|check|fmt|lint|task|bench)$/;
const BUN = /^(run|test|install|i|add|a|remove|rm|update|outdated|build|pm|link)$/;

function carriedByInterpreter(name: string, rest: readonly string[]): readonly Carried[] {
  if (rest.length === 1 && /^(-v|-V|--version|-h|--help)$/.test(rest[0] ?? '')) return [];
  const code = [hidden(`gives ${name} code that cannot be judged`)];
  if (name === 'deno') {
    const isKnown = DENO.test(rest[0] ?? '') && !rest.some((word) => /^\w+:/.test(word));
    return isKnown ? [{ type: 'script' }] : code;
  }
  if (name === 'bun' && BUN.test(rest[0] ?? '')) return [{ type: 'script' }];
  if (name === 'bun' && /^(exec|eval|repl)$/.test(rest[0] ?? '')) return code;
  const family = /^(python|pypy)/.test(name)
    ? 'python'
    : name.startsWith('node')
      ? 'node'
      : 'other';
  for (let at = 0; at < rest.length; at += 1) {
    const word = (rest[at] ?? '').replace(/(?<=\w)_(?=[^=]*$)/g, '-');
    if (family === 'python' && word.startsWith('-m')) {
      const module = word === '-m' ? (rest[at + 1] ?? '') : word.slice(2);
      return RUNS_TEXT.test(module) || module === '' ? code : [{ type: 'script' }];
    }
    if (VALUE_BEFORE_SCRIPT[family].test(word)) {
      const value = rest[(at += 1)] ?? '';
      if (value.replace(/^node:/, '').includes(':')) return code;
    } else if (word === '-' || (word.startsWith('-') && !BEFORE_SCRIPT[family].test(word))) {
      return code;
    } else if (!word.startsWith('-')) {
      return takesCode(programName(word), rest.slice(at + 1)) ? code : [{ type: 'script' }];
    }
  }
  // Node finds the tests itself; without a script, others read code from the standard input.
  return family === 'node' && rest.some((word) => /^--(test|run)\b/.test(word))
    ? [{ type: 'script' }]
    : code;
}

/** Options of awk that set a separator or a variable; every other one may name a program or a file. */
const AWK_OPTION = /^-(F.*|v.*)$/s;

/** Without these an awk program only computes and prints. */
function isPlainAwk(rest: readonly string[]): boolean {
  return !rest.some(
    (word) =>
      /system|getline|[|>@]|ENVIRON|ARG[VC]|ARGIND|SYMTAB|FUNCTAB/.test(
        word.replace(/>=|\|\||^-F.*/gs, ''),
      ) ||
      (word.startsWith('-') && word !== '--' && word !== '-' && !AWK_OPTION.test(word)),
  );
}

/** One command of sed that only substitutes, prints or deletes. */
const ADDRESS = String.raw`(?:\d+|\$|\/(?:\\.|[^/\\])*\/I?)`;
const SED_COMMAND = new RegExp(
  String.raw`^\s*(?:${ADDRESS}(?:,\+?${ADDRESS})?\s*!?\s*)?(?:s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1[gIip\d]*|[pdqQ=nNgGhHxD]|q\d+)?\s*$`,
  's',
);
const SED_OPTION =
  /^(-[nErsuz]+|-[nErsuz]*i[\w.~]*|--(quiet|silent|regexp-extended|separate|unbuffered|null-data|posix|in-place(=[\w.~]*)?))$/;

/** The scripts that sed is given; undefined where an option may do more than it shows. */
function scriptsOfSed(rest: readonly string[]): readonly string[] | undefined {
  const given: string[] = [];
  let operands = 0;
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (/^(-[nErsuz]*e|--expression)$/.test(word)) given.push(rest[(at += 1)] ?? '');
    else if (word.startsWith('--expression=')) given.push(word.slice('--expression='.length));
    else if (word.startsWith('-') && word !== '-') {
      if (!SED_OPTION.test(word)) return undefined;
    } else {
      operands += 1;
      if (operands === 1 && given.length === 0) given.push(word);
    }
  }
  return given;
}

/** Whether a call of sed runs no program and writes no file but the ones it edits. */
function isPlainSed(rest: readonly string[]): boolean {
  const given = scriptsOfSed(rest);
  return (
    given?.flatMap((script) => script.split(/[;\n]/)).every((one) => SED_COMMAND.test(one)) === true
  );
}

/** Whether a program that the table of programs does not know is sure only to read. */
export function onlyReads([path = '', ...rest]: readonly string[]): boolean {
  const name = programName(path);
  if (SED.test(name))
    return isPlainSed(rest) && !rest.some((word) => /^(-[nErsuz]*i|--in-place)/.test(word));
  if (AWK.test(name)) return isPlainAwk(rest);
  return name === 'find' && !rest.some((word) => /^-(exec|ok|delete|fprint|fls)/.test(word));
}

/** The words after a program, without code of its own language: a slash in that names no file. */
export function withoutCode([path = '', ...rest]: readonly string[]): readonly string[] {
  const name = programName(path);
  if (name === 'find')
    return rest.filter((_, at) => !/^-(i?path|wholename|i?name|i?regex)$/.test(rest[at - 1] ?? ''));
  const at = SED.test(name) ? codeOfSed(rest) : AWK.test(name) || name === 'jq' ? codeOf(rest) : -1;
  return at < 0 ? rest : rest.toSpliced(at, 1);
}

function codeOfSed(rest: readonly string[]): number {
  const [script] = isPlainSed(rest) ? (scriptsOfSed(rest) ?? []) : [];
  return script === undefined ? -1 : rest.indexOf(script);
}

function codeOf(rest: readonly string[]): number {
  if (rest.some((word) => /^-[a-zA-Z]*[fL]|^--from-file/.test(word))) return -1;
  // The value of an option may come first: then it is no code, but a name.
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const code = rest[at] ?? '';
  const isCode = /[\s{}()[\]|]|^\.[\w.]*$/.test(code);
  return isCode && !/\b(import|include|getline|system)\b/.test(code) ? at : -1;
}

function carriedByGit(rest: readonly string[]): readonly Carried[] {
  const at = lengthOfOptions(rest, OF_GIT);
  if (at === undefined) {
    const option = rest.find((word) => word.startsWith('-') && word !== '-C');
    return [hidden(`gives git options, such as ${option}, which can run programs`)];
  }
  const [subcommand = '', ...more] = rest.slice(at);
  if (/^(subtree|lfs)$/.test(subcommand) && more[0] === 'push')
    return [{ type: 'words', words: ['git', ...more], isWhole: true }];
  if (GIT_RUNS.test(subcommand) && (more.length > 0 || !ALONE_LISTS.test(subcommand)))
    return [hidden(`runs git ${subcommand}, which can run programs`)];
  const runs = [
    ...(RUNNING_OPTIONS['git'] ?? []),
    ...(subcommand === 'grep' ? ['-O'] : []),

    ...(subcommand === 'clone' ? ['-u', '-c', '--config', '--template'] : []),
    ...(subcommand === 'init' ? ['--template'] : []),
  ];
  const option = more.find(
    (word) =>
      runs.some((one) => isOption(word, one)) ||
      (subcommand === 'rebase' && /^-[a-zA-Z]*x/.test(word)),
  );
  if (option !== undefined)
    return [hidden(`gives git the option ${option}, which can run programs`)];
  const remote = more.find((word) => /^(ext|fd)::/.test(word));
  if (remote !== undefined) return [hidden(`names ${remote}, which git runs`)];
  return subcommand === '' || GIT_KNOWN.test(subcommand) ? [] : [{ type: 'script' }];
}
