/** A table of common programs: the options that do no harm, and whether the program changes files. */

/** Options of a program; single letters can be combined. */
export interface Options {
  readonly flags: ReadonlySet<string>;
  /** Options whose value is attached (`--since=x`, `-n3`) or is the next word. */
  readonly valued: ReadonlySet<string>;
}

/** The options of a program or subcommand that an open approval rule covers. */
interface Harmless extends Options {
  /** True: no option of the program can write, run or send anything. */
  readonly any?: true;
  /** What the other words must look like; undefined for no restriction. */
  readonly operands?: RegExp;
  /** True: what follows `--` is for a script or test of the project. */
  readonly passesOn?: true;
  /** Whether it changes files of the folder that it is given, or is sure not to. */
  readonly effect: 'reads' | 'keepsFiles' | 'changesFiles';
}

/** The name of a remote, branch or file range: no URL, no path to another repository. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.@/-]*$/;
const NO_OPERANDS = /^$/;
/** A package of the registry, with an optional version; no archive. */
const PACKAGE = /^(?!.*\.t(ar|gz|ar\.\w+)$)(@[\w-][\w.-]*\/)?[\w-][\w.-]*(@[\w^~-][\w.^~-]*)?$/i;
/** What `git stash` does with a stash, but for deleting it. */
const STASHES = /^(list|show|push|pop|apply)$/;
/** Not a subcommand that deletes entries. */
const REFLOG = /^(?!(expire|delete|drop|write)$)/;
/** A test name or file, or the name of a script, such as `build:web`. */
const TASK = /^[A-Za-z0-9][\w.,:@/-]*$/;
/** Passed on to a script of the project: options that test runners and linters share. */
const SCRIPT_OPTIONS =
  '--watch --run --bail --verbose --silent --quiet --coverage --ci --fix --color --no-color --only= --grep= --filter= --testNamePattern= -t= -g= ' +
  '--nocapture --ignored --exact --test-threads=';

const TABLE: Readonly<Record<string, Harmless>> = Object.fromEntries([
  ...anyOptions(
    'ls cat head tail wc echo pwd true false basename dirname realpath readlink stat du df cut tr nl tac rev seq ' +
      'cmp comm md5sum sha1sum sha256sum test [ grep egrep fgrep which sleep fold expand od strings',
  ),
  reader('printf'),
  reader('date', '-u -R -I --utc --iso-8601= --rfc-3339=', /^\+/),
  reader('diff', '-u -r -q -w -b -B -N -y -i -a --brief --unified= -U= --color= --side-by-side'),
  reader('sort', '-r -n -u -k= -t= -h -V -f -s -b -g -M -z'),
  reader('tree', '-a -d -f -h -L= -I= -P='),
  reader(
    'jq',
    '-r -c -e -s -S -n -M -C -a -j --arg --argjson --raw-output --compact-output --exit-status --slurp --sort-keys --null-input',
  ),
  reader(
    'rg',
    '-n -i -l -w -e= -F -c -v -o -u -g= -t= -T= -A= -B= -C= -m= -S -U --hidden --files --stats --no-ignore --glob= --type= --count --json',
  ),
  reader('uniq', '-c -d -u -i', NO_OPERANDS),
  reader('git status', '-s -b -v --short --branch --porcelain= --long --ignored= -u='),
  // `%G?` runs the `gpg.program` of git's settings, as `git status` runs `core.fsmonitor`: to change these is asked about.
  reader(
    'git log',
    '-n= -p -s -i -w -S= -G= -L= --oneline --stat --graph --all --decorate= --since= --until= --after= --before= --author= --grep= ' +
      '--patch --name-only --name-status --follow --format= --pretty= --abbrev-commit --no-merges --merges --reverse --date= ' +
      '--max-count= --skip= --first-parent --no-color --color= --shortstat --numstat --no-patch --tags --branches',
  ),
  reader(
    'git show',
    '-s -p -w -U= --stat --oneline --name-only --name-status --format= --pretty= --no-patch --patch --no-color --color= --abbrev-commit',
  ),
  reader(
    'git diff',
    '-w -b -U= -p --stat --cached --staged --name-only --name-status --word-diff= --color= --no-color --check --numstat --shortstat --unified= --diff-filter=',
  ),
  reader('git blame', '-L= -w -s -e -l --date='),
  reader('git describe', '--tags --always --long --dirty --all --abbrev= --match='),
  reader('git shortlog', '-s -n -e --no-merges --since= --until='),
  reader(
    'git ls-files',
    '-m -d -o -s -u -z --others --modified --deleted --cached --stage --exclude-standard',
  ),
  reader(
    'git rev-parse',
    '--short= --abbrev-ref --verify -q --quiet --show-toplevel --is-inside-work-tree',
  ),
  reader('git cat-file', '-p -t -s -e'),
  reader('git grep', '-n -i -l -w -e= -E -F -c -I -v --count --name-only --line-number'),
  reader('git reflog', '-n= --date=', REFLOG),
  reader('git remote', '-v', NO_OPERANDS),
  reader('git ls-remote', '-h -t -q --heads --tags --quiet', PLAIN_NAME),
  reader('git config', '-l --list --show-origin --get= --get-all= --get-regexp=', NO_OPERANDS),
  ...[
    ['git branch', '-a -r -v --list --all --show-current --merged= --contains='],
    ['git tag', '-l -n= --list --sort= --contains='],
    ['git switch', '-c= -q --create= --quiet'],
    ['git fetch', '-p -q -v -t --all --prune --tags --quiet --verbose --depth='],
    ['git pull', '-q -v -r --rebase --ff-only --no-edit --quiet --verbose'],
    ['git push', '-u -q -v -n --set-upstream --tags --dry-run --quiet --verbose'],
    ['git merge', '-q -m= --ff-only --no-ff --abort --continue --no-edit --quiet'],
    ['git rebase', '-q --abort --continue --skip --quiet'],
    ['git reset', '-q --soft --mixed --quiet'],
  ].map(([name = '', options]) => changes(name, options, PLAIN_NAME)),
  changes('git stash', '-u -q -m= --message= --include-untracked --quiet', STASHES),
  keeps('git add', '-A -u -N -n -v --all --update --intent-to-add --dry-run --verbose'),
  keeps(
    'git commit',
    '-m= -a -q -s -v --message= --all --amend --no-edit --allow-empty --quiet --signoff --fixup=',
  ),
  changes('git mv', '-v -n'),
  changes('git rm', '-r -q -n --cached --dry-run --quiet'),
  // `yarn run` and `bun run` also run files and installed programs.
  ...['npm', 'pnpm'].map((manager) => passesOn(`${manager} run`, '-s --silent --if-present', TASK)),
  ...['npm', 'pnpm', 'yarn', 'bun'].flatMap((manager) => [
    passesOn(`${manager} test`, '-s --silent', TASK),
    changes(
      `${manager} install`,
      '-D -S -E --save-dev --save --save-exact --no-audit --no-fund --ignore-scripts --frozen-lockfile',
      PACKAGE,
    ),
    changes(`${manager} add`, '-D -E --dev --save-dev --exact', PACKAGE),
  ]),
  passesOn('npm start', '-s --silent', NO_OPERANDS),
  changes('npm ci', '--no-audit --no-fund --ignore-scripts', NO_OPERANDS),
  changes('npm ls', '-a --all --depth= --json', PACKAGE),
  changes('npm view', '--json', PACKAGE),
  changes('npm outdated', '--json', PACKAGE),
  ...['build', 'test', 'check', 'clippy', 'run', 'doc', 'bench'].map((name) =>
    (/^(test|run|bench)$/.test(name) ? passesOn : changes)(
      `cargo ${name}`,
      '-r -q -v -p= -j= -F= --release --all --workspace --lib --bins --tests --examples --benches --package= --features= --all-features ' +
        '--no-default-features --verbose --quiet --locked --offline --jobs= --test= --bin= --example= --message-format= --no-run --nocapture',
      /^[\w:]+$/,
    ),
  ),
  changes('cargo fmt', '--all --check', NO_OPERANDS),
  ...['build', 'test', 'vet', 'fmt', 'list'].map((name) =>
    changes(
      `go ${name}`,
      '-v -race -short -cover -json -run= -count= -timeout= -bench= -tags=',
      /^\.?[\w./-]+$/,
    ),
  ),
  ...['build', 'test', 'restore'].map((name) =>
    changes(
      `dotnet ${name}`,
      '-c= -v= --configuration= --no-restore --no-build --nologo --verbosity= --filter=',
      /^[\w.][\w./-]*$/,
    ),
  ),
]);

function anyOptions(names: string): readonly [string, Harmless][] {
  return names
    .split(' ')
    .map((name) => [name, { any: true, flags: new Set(), valued: new Set(), effect: 'reads' }]);
}

function reader(name: string, options = '', operands?: RegExp): [string, Harmless] {
  return [name, { ...optionsIn(options), operands, effect: 'reads' }];
}

function changes(name: string, options = '', operands?: RegExp): [string, Harmless] {
  return [name, { ...optionsIn(options), operands, effect: 'changesFiles' }];
}

function passesOn(name: string, options = '', operands?: RegExp): [string, Harmless] {
  return [name, { ...optionsIn(options), operands, passesOn: true, effect: 'changesFiles' }];
}

function keeps(name: string, options: string): [string, Harmless] {
  return [name, { ...optionsIn(options), effect: 'keepsFiles' }];
}

/** Reads a list such as `-q --quiet -n= --since=`. */
export function optionsIn(text: string): Options {
  const all = text.split(' ').filter((option) => option !== '');
  return {
    flags: new Set(all.filter((option) => !option.endsWith('='))),
    valued: new Set(
      all.filter((option) => option.endsWith('=')).map((option) => option.slice(0, -1)),
    ),
  };
}

/** Options of a project's script, after `--`. */
const SCRIPT: Harmless = {
  ...optionsIn(SCRIPT_OPTIONS),
  operands: TASK,
  effect: 'changesFiles',
};

/** Options before the subcommand that change nothing but the output. */
const HARMLESS_GLOBALS: Readonly<Record<string, readonly string[]>> = {
  git: ['--no-pager', '-P', '--no-optional-locks'],
  npm: ['-s', '--silent'],
};

/** Options of git before the subcommand. */
export const OF_GIT = optionsIn(
  '-C= --git-dir= --work-tree= --namespace= -P --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --bare --version --help',
);

/** How many words the options at the beginning take; undefined when one of them is not listed. */
export function lengthOfOptions(
  words: readonly string[],
  { flags, valued }: Options,
): number | undefined {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return at + 1;
    if (!word.startsWith('-') || word === '-') return at;
    const [long = ''] = word.split('=', 1);
    if (flags.has(word) || (word.startsWith('--') && long !== word && valued.has(long))) continue;
    if (/^-\d+$/.test(word) && valued.has('-n')) continue;
    if (valued.has(word)) {
      at += 1;
      continue;
    }
    if (word.startsWith('--')) return undefined;
    const letters = Array.from(word.slice(1), (letter) => `-${letter}`);
    const first = letters.findIndex((letter) => !flags.has(letter));
    if (first < 0) continue;
    if (!valued.has(letters[first] ?? '')) return undefined;
    // The rest of the word is the value, or the next word where nothing follows.
    if (first === letters.length - 1) at += 1;
  }
  return words.length;
}

/** A call of git from its subcommand on, whatever options are before it; other programs as they are. */
export function fromSubcommand([path = '', ...rest]: readonly string[]): readonly string[] {
  const program = programName(path);
  if (program.startsWith('git-')) return ['git', program.slice(4), ...rest];
  if (program !== 'git') return [program, ...rest];
  return ['git', ...rest.slice(lengthOfOptions(rest, OF_GIT) ?? 0)];
}

/** The words without global options that do no harm: `git --no-pager log` is `git log`. */
export function withoutGlobals(words: readonly string[]): readonly string[] {
  const [program = '', ...rest] = words;
  const globals = HARMLESS_GLOBALS[program] ?? [];
  const at = rest.findIndex((word) => !globals.includes(word));
  return [program, ...(at < 0 ? [] : rest.slice(at))];
}

interface Known {
  readonly harmless: Harmless;
  /** How many words name it. */
  readonly length: number;
}

/** Finds the entry of the program, or of its subcommand, that these words begin with. */
function knownOf(words: readonly string[]): Known | undefined {
  const [program = '', subcommand = ''] = words;
  const ofSubcommand = TABLE[`${program} ${subcommand}`];
  if (ofSubcommand !== undefined) return { harmless: ofSubcommand, length: 2 };
  const ofProgram = Object.hasOwn(TABLE, program) ? TABLE[program] : undefined;
  return ofProgram === undefined ? undefined : { harmless: ofProgram, length: 1 };
}

/**
 * Whether the table lists options for these words, so that an open rule for them covers more than the
 * words themselves. `length`: how many of them must name the entry.
 */
export function hasHarmlessOptions(words: readonly string[], length?: number): boolean {
  const known = knownOf(words);
  return known !== undefined && (length === undefined || known.length === length);
}

/** Whether no option of a program does harm. Those of `test` can name a variable, and so a command. */
export function takesAnyOption([program = '']: readonly string[]): boolean {
  return /^[a-z]/.test(program) && program !== 'test' && TABLE[program]?.any === true;
}

/** Whether a program is sure not to change a file that it is given. */
export function keepsFiles(words: readonly string[]): boolean {
  const plain = withoutGlobals(words);
  const known = knownOf(plain);
  return (
    known !== undefined &&
    known.harmless.effect !== 'changesFiles' &&
    isHarmless(plain, known.length)
  );
}

/** Whether a program does the same in any folder. Git reads its settings from there, and may run them. */
export function runsAnywhere(words: readonly string[]): boolean {
  return words[0] !== 'git' && keepsFiles(words) && knownOf(words)?.harmless.effect === 'reads';
}

/**
 * Whether an open rule for the first `named` of these words covers the rest of them: all are operands or options
 * that the table lists as harmless.
 */
export function isHarmless(words: readonly string[], named: number): boolean {
  if (words.length === named) return true;
  const known = knownOf(words);
  if (known === undefined) return false;
  return areHarmless(words.slice(Math.max(named, known.length)), known.harmless);
}

function areHarmless(words: readonly string[], harmless: Harmless): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      const rest = words.slice(at + 1);
      return harmless.passesOn === true
        ? areHarmless(rest, SCRIPT)
        : rest.every((one) => isOperand(one, harmless));
    }
    if (!word.startsWith('-') || word === '-') {
      if (!isOperand(word, harmless)) return false;
    } else if (harmless.any !== true) {
      const taken = wordsOfOption(word, harmless);
      if (taken === 0) return false;
      // The next word is a value, or another option where this one came without a value.
      if (taken === 2 && words[at + 1]?.startsWith('-') !== true) at += 1;
    }
  }
  return true;
}

function isOperand(word: string, { operands }: Harmless): boolean {
  return operands?.test(word) ?? true;
}

/** How many words a harmless option takes, its value included; 0 when it is not a harmless one. */
function wordsOfOption(word: string, { flags, valued }: Harmless): number {
  if (flags.has(word)) return 1;
  if (valued.has(word)) return word.startsWith('--') ? 1 : 2;
  const [name = ''] = word.split('=', 1);
  // Those of go have one dash.
  if (name !== word && name.length > 2 && valued.has(name)) return 1;
  if (word.startsWith('--')) return 0;
  if (/^-\d+$/.test(word)) return valued.has('-n') ? 1 : 0;
  // Letters in one word: the first that takes a value has the rest of the word as its value.
  for (let at = 1; at < word.length; at += 1) {
    const letter = `-${word[at]}`;
    if (valued.has(letter)) return at === word.length - 1 ? 2 : 1;
    if (!flags.has(letter)) return 0;
  }
  return 1;
}

/** Programs that change files at paths they are given. */
const WRITERS = new Set(
  (
    'cp mv rename mmv tee sed ln install dd rsync scp tar bsdtar unzip 7z patch truncate curl wget aria2c touch rm sponge ' +
    'sort split gunzip gzip unxz xz bunzip2 bzip2 unzstd zstd'
  ).split(' '),
);

/** Subcommands of git that change files at paths they are given, or write to the one that an option names. */
const GIT_WRITES =
  /^(mv|rm|checkout|restore|clone|worktree|archive|bundle|format-patch|diff|log|show)$/;

/** Whether a program may write to a file that it is given. */
export function writesItsFiles(words: readonly string[]): boolean {
  const [program = '', subcommand = '', ...rest] = fromSubcommand(words);
  if (program === 'yq')
    return [subcommand, ...rest].some((word) => /^(-[a-np-zA-Z]*[is]|--(in|split))/.test(word));
  return program === 'git' ? GIT_WRITES.test(subcommand) : WRITERS.has(program);
}

/** Names of a packed file. */
const PACKED = /\.(gz|xz|bz2|zst|lzma|lz4|br|Z)$/;

/**
 * Files that a program writes in the folder where it runs, which its words name only in part: `Makefile` of
 * `wget https://example.org/Makefile` and of `gunzip Makefile.gz`.
 */
export function filesNamedInPart([path = '', ...rest]: readonly string[]): readonly string[] {
  const program = programName(path);
  const saves = SAVES_LIKE_THE_URL[program];
  if (saves !== undefined && rest.some((word) => saves.test(word)))
    return rest.flatMap((word) => /:\/\/[^?#]*\/([^/?#]+)/.exec(word)?.[1] ?? []);
  const unpacks =
    /^(un|g|b|x|z|l|br)[a-z\d]+$/.test(program) && !/(cat|grep|diff|cmp|less|more)$/.test(program);
  return unpacks && !showsPacked(program, rest)
    ? rest.filter((word) => PACKED.test(word)).map((word) => word.replace(PACKED, ''))
    : [];
}

/** The words with which a program names a file like the URL that it fetches. */
const SAVES_LIKE_THE_URL: Readonly<Record<string, RegExp>> = {
  curl: /^(-[a-zA-Z\d#]*[OJ]|--rem)/,
  wget: /^/,
  aria2c: /^/,
  http: /^(-[a-zA-Z]*d|--d)/,
  https: /^(-[a-zA-Z]*d|--d)/,
};

/** Whether a program that unpacks files only shows, tests or lists them. Each option must be a known one. */
function showsPacked(program: string, rest: readonly string[]): boolean {
  const options = rest.filter((word) => word.startsWith('-'));
  return (
    /^(un)?(gzip|xz|lzma|zstd|pigz)$|^(gun|bun|b)zip2?$/.test(program) &&
    options.every((word) => /^(-[cdfklqtv\d]+|--(stdout|test|list|decompress|keep))$/.test(word)) &&
    options.some((word) => /^(-\w*[clt]|--(stdout|test|list)$)/.test(word))
  );
}

/** The folder that an option makes a program enter first: `-C src`. */
export function folderOfOption([path = '', ...rest]: readonly string[]): string | undefined {
  if (!/^(git|make|gmake|tar|bsdtar|ninja|npm|pnpm|go|cargo|env)$/.test(programName(path)))
    return undefined;
  const at = rest.findIndex((word) => /^(-C|--directory|--prefix|--dir|--chdir)/.test(word));
  const word = rest[at] ?? '';
  if (/^(-C|--\w+)$/.test(word)) return rest[at + 1];
  return word.startsWith('--') ? word.split('=')[1] : word.slice(2) || undefined;
}

/** A name that git reads as the address of another machine. */
export const ADDRESS = /^((https?|ssh|git|ftps?):\/\/|[^/:]{2,}:(?!:|\/\/))/i;

/** Options of these commands of git whose value is the next word. */
const VALUED_OF_REMOTES = new Set(
  (
    '-o -j -s -X --push-option --server-option --jobs --strategy --strategy-option --depth --deepen --shallow-since --shallow-exclude ' +
    '--refmap --negotiation-tip --filter --cleanup --sort'
  ).split(' '),
);

/**
 * The words of a command of git that name a remote, or a folder: its first operand, or all with `--multiple`.
 * Undefined for other commands.
 */
export function remotesOf(words: readonly string[]): readonly string[] | undefined {
  const [program = '', subcommand = '', ...rest] = fromSubcommand(words);
  if (program !== 'git' || !/^(fetch|pull|push|ls-remote)$/.test(subcommand)) return undefined;
  const operands: string[] = [];
  const named: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    const isRepository = word.startsWith('--rep');
    if (!word.startsWith('-')) operands.push(word);
    else if (isRepository) named.push(word.split('=')[1] ?? rest[at + 1] ?? '');
    if (VALUED_OF_REMOTES.has(word) || (isRepository && !word.includes('='))) at += 1;
  }
  const isAll = rest.some((word) => word.startsWith('--mu'));
  return [...named, ...(isAll ? operands : operands.slice(0, 1))];
}

/** The program of a path: `rm` of `/bin/rm`. */
export function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

/** GNU's programs that run others have a `g` before their names on macOS. */
const OF_GNU = /^g(?=(env|timeout|nice|nohup|stdbuf|xargs|find|time|chroot)$)/;

/** What a system calls the program of a path: `git` of `/usr/bin/GIT.exe`. */
export function programName(path: string): string {
  return baseName(path)
    .toLowerCase()
    .replace(/\.(exe|cmd|bat)$/, '')
    .replace(OF_GNU, '');
}
