import { programName } from './programs';
import type { ShellPart } from './shellCommand';

/** Variables that make a program find other files than the ones named, or run another program. */
const STEERING = new RegExp(
  `^(${[
    'PATH|CDPATH|HOME|IFS|ENV|BASH_.*|SHELLOPTS|BASHOPTS|SHELL|ZDOTDIR|PS4|PROMPT_COMMAND|GLOBIGNORE|TMPDIR|XDG_.*|LD_.*|DYLD_.*|GCONV_PATH',
    'EDITOR|VISUAL|.*PAGER|BROWSER|LESS.*|.*_ASKPASS|RSYNC_.*|CVS_RSH|GIT_.*|TAR_OPTIONS|MAKE.*|GNUMAKEFLAGS|DOCKER_.*|KUBECONFIG|GNUPGHOME',
    'NODE_OPTIONS|NODE_PATH|npm_.*|yarn_.*|pnpm_.*|COREPACK_.*|BUN_.*|DENO_.*|PYTHON.*|PIP_.*|UV_.*|PERL.*|RUBY.*|BUNDLE_.*|PHP.*|LUA_.*|R_.*',
    'RUSTC.*|RUSTUP_.*|CARGO.*|GO.*|CC|CXX|JAVA_.*|_?JAVA_.*|JDK_.*|MAVEN_.*|GRADLE_.*|DOTNET_.*|OPENSSL_.*',
  ].join('|')})$`,
  'i',
);

/** They name a program, and these values run nothing. */
const NAMES_PROGRAM = /^(.*PAGER|.*EDITOR|VISUAL|BROWSER)$/i;
const RUNS_NOTHING = /^(cat|true|:|)$/;

/** Variables that change only what Python prints. */
const OF_OUTPUT = /^PYTHON(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|WARNINGS)$/;

/** A variable set for a program that makes it find other files or run another program. */
export function steeringVariable(part: ShellPart): string | undefined {
  return variablesOf(part).find(
    ([name, value]) =>
      STEERING.test(name) &&
      !OF_OUTPUT.test(name) &&
      !(NAMES_PROGRAM.test(name) && RUNS_NOTHING.test(value)),
  )?.[0];
}

/** Variables that a program is started with, by name and value. */
function variablesOf({ words, assignments }: ShellPart): readonly (readonly [string, string])[] {
  const given =
    programName(words[0] ?? '') === 'env'
      ? words.flatMap((word) => {
          const [, name, value] = /^([^-=][^=]*)=(.*)$/s.exec(word) ?? [];
          return name === undefined ? [] : [[name, value ?? ''] as const];
        })
      : [];
  return [...assignments.map(({ name, value }) => [name, value] as const), ...given];
}
