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
