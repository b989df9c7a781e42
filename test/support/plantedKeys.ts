import fc from 'fast-check';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIGITS = [...'0123456789'];
const ALNUM = [...LETTERS, ...DIGITS];
const UPPER = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', ...DIGITS];
const WORD = [...ALNUM, '_', '-'];

const HEX = [...'0123456789abcdef'];
const BASE64 = [...ALNUM, '+', '/'];

const text = (characters: readonly string[], length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...characters), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

/** `secret` is what nobody may see of `planted`. */
export interface PlantedKey {
  readonly kind: string;
  readonly planted: string;
  readonly secrets: readonly string[];
}

const simple = (kind: string, prefix: string, rest: fc.Arbitrary<string>) =>
  rest.map((end): PlantedKey => ({ kind, planted: prefix + end, secrets: [prefix + end] }));

const PRIVATE_KEY: fc.Arbitrary<PlantedKey> = fc
  .tuple(
    fc.constantFrom('RSA ', 'OPENSSH ', 'EC ', '', 'ENCRYPTED '),
    fc.array(text([...ALNUM, '+', '/'], 64), { minLength: 2, maxLength: 6 }),
    text(ALNUM, 30),
  )
  .map(([kind, lines, last]) => ({
    kind: 'private key',
    planted: [
      `-----BEGIN ${kind}PRIVATE KEY-----`,
      ...lines,
      `${last}==`,
      `-----END ${kind}PRIVATE KEY-----`,
    ].join('\n'),
    secrets: [...lines, last],
  }));

/** A made-up key of each kind; nothing here opens anything. */
export const KEYS: readonly fc.Arbitrary<PlantedKey>[] = [
  simple('AWS key', 'AKIA', text(UPPER, 16)),
  text([...ALNUM, '/', '+'], 40).map((secret) => ({
    kind: 'AWS key',
    planted: `aws_secret_access_key = ${secret}`,
    secrets: [secret],
  })),
  simple('GitHub token', 'ghp_', text(ALNUM, 36)),
  simple('GitHub token', 'github_pat_', text(ALNUM, 82)),
  fc.tuple(text(ALNUM, 20), text(ALNUM, 20)).map(([one, other]) => {
    const key = `sk-${one}T3BlbkFJ${other}`;
    return { kind: 'OpenAI key', planted: key, secrets: [key] };
  }),
  simple('OpenAI key', 'sk-proj-', text(WORD, 90)),
  simple('Google key', 'AIza', text(WORD, 35)),
  simple(
    'Slack token',
    'xoxb-',
    text(DIGITS, 11).map((digits) => `${digits}-${'a1B2'.repeat(6)}`),
  ),
  simple(
    'Anthropic key',
    'sk-ant-api03-',
    text(WORD, 93).map((rest) => `${rest}AA`),
  ),
  simple('Anthropic key', 'sk-ant-oat01-', text(WORD, 60)),
  // After the ids that secretlint takes for the whole.
  simple('Slack token', 'xapp-1-A0B1C2D3E4-1234567890123-', text(HEX, 64)),
  simple('Slack token', 'xoxd-', text(WORD, 120)),
  text(ALNUM, 24).map((secret) => ({
    kind: 'Slack webhook',
    planted: `https://hooks.slack.com/services/T0A1B2C3D/B4E5F6G7H/${secret}`,
    secrets: [secret],
  })),
  ...['AWS Secret Access Key [None]: ', 'secret_key = "', '<SecretAccessKey>'].map((before) =>
    text(BASE64, 40).map((secret) => ({
      kind: 'AWS key',
      planted: `${before}${secret}`,
      secrets: [secret],
    })),
  ),
  ...[',', '", "', '\t'].map((between) =>
    fc.tuple(text(UPPER, 16), text(BASE64, 40)).map(([id, secret]) => ({
      kind: 'AWS key',
      planted: `AKIA${id}${between}${secret}`,
      secrets: [secret],
    })),
  ),
  ...['aws_session_token = ', 'AWS_SESSION_TOKEN=', '"SessionToken": "'].map((before) =>
    text(BASE64, 350).map((secret) => ({
      kind: 'AWS token',
      planted: `${before}${secret}`,
      secrets: [secret],
    })),
  ),
  simple('AWS key', 'ABSK', text(BASE64, 108)),
  simple('GitHub token', 'ghr_', text(ALNUM, 76)),
  simple('OpenAI key', 'sk-None-', text(ALNUM, 48)),
  simple('OpenRouter key', 'sk-or-v1-', text(HEX, 64)),
  simple('Google token', 'ya29.', text(WORD, 160)),
  simple('Google token', '1//0', text(WORD, 100)),
  simple('PyPI token', 'pypi-AgEIcHlwaS5vcmc', text(WORD, 150)),
  simple('private key', 'AGE-SECRET-KEY-1', text(UPPER, 58)),
  simple('npm token', 'npm_', text(ALNUM, 36)),
  simple('GitLab token', 'glpat-', text(ALNUM, 20)),
  PRIVATE_KEY,
  text(ALNUM, 20).map((secret) => ({
    kind: 'password in an address',
    planted: `postgres://app:x9${secret}@db.internal:5432/app`,
    secrets: [`x9${secret}`],
  })),
];

export const anyKey: fc.Arbitrary<PlantedKey> = fc.oneof(...KEYS);
