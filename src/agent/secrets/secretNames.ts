import { findSecrets } from './secretShapes';

/** Names of variables whose values are secrets, as words between underscores, dots or hyphens. */
const SECRET_WORDS =
  /(?:^|[_.-])(?:[A-Z0-9]*(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|CREDENTIALS?|APIKEY)S?|PASS|PWD|KEYS?|AUTH|COOKIE|JWT|PAT|DSN|SALT|PIN)(?:[_.-]|\d|$)/;

/** Ordinary names that contain such a word. */
const ORDINARY =
  /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|XAUTHORITY|.*[_.-](?:AUTH_SOCK|TOKENS|KEY_?(?:ID|BINDINGS?|MAP|REPEAT|TIMEOUT))|.*(?:MAX|MIN|NUM|COUNT)[_.-]TOKENS?)$/;

/** Whether a variable of this name holds a secret, as far as the name says. */
export function isSecretName(name: string): boolean {
  // `apiKey` has the same words as `API_KEY`.
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase();
  return SECRET_WORDS.test(words) && !ORDINARY.test(words);
}

/** The variables that commands get in any case: `plimsoll.commands.environment`. */
let letThrough: ReadonlySet<string> = new Set();

/** Sets the variables that commands get although their names look like secrets. */
export function setLetThrough(names: readonly string[]): void {
  letThrough = new Set(names);
}

/** Whether commands run without a variable: its name or its value looks like a secret. */
export function isWithheld(name: string, value: string): boolean {
  return !letThrough.has(name) && looksSecret(name, value);
}

/** A variable that looks like a secret. */
interface SecretVariable {
  readonly name: string;
  readonly isLetThrough: boolean;
}

/** The variables that look like secrets, by name. */
export function secretVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly SecretVariable[] {
  return Object.entries(env)
    .filter(([name, value]) => value !== undefined && value !== '' && looksSecret(name, value))
    .map(([name]) => ({ name, isLetThrough: letThrough.has(name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function looksSecret(name: string, value: string): boolean {
  return isSecretName(name) || findSecrets(value).length > 0;
}
