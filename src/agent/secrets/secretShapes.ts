import { rules } from 'secretlint-rules';

/** A text that looks like a secret. It has no line break. */
interface FoundSecret {
  readonly value: string;
  /** What it is, for the mark: "GitHub token". */
  readonly kind: string;
}

/**
 * Finds texts that look like secrets, by the rules of secretlint and a few of our own. Takes linear
 * time.
 */
export function findSecrets(text: string): readonly FoundSecret[] {
  if (text.length < SHORTEST) return [];
  return [...byRules(text), ...byOwnShapes(text), ...privateKeyLines(text)].filter(
    ({ value, kind }) => !isExample(value, kind),
  );
}

/** No rule matches a shorter text. */
const SHORTEST = 12;

/** Examples: `ghp_xxxx`, and words in the shape of a Slack token, such as `xoxb-your-token`. */
function isExample(value: string, kind: string): boolean {
  return (
    /(?:^|[-_/])([xX*.0])\1{15,}$/.test(value) || (kind === 'Slack token' && !/\d/.test(value))
  );
}

const RULE = '@secretlint/secretlint-rule-';

const IN_ADDRESS = 'password in an address';

/** What documentation and tests write for a password, and the fixed words that GitHub takes as one. */
const PLACEHOLDER =
  /^(?:<.*>|\[.*\]|pass(?:word|wd|phrase)?|pwd|secret|redacted|removed|hidden|masked|changeme|change-me|example|x-access-token|x-oauth-basic)$/i;

/** The kinds of secretlint's rules. A rule that is not listed here is not used. */
const KINDS: Readonly<Record<string, string>> = {
  aws: 'AWS key',
  github: 'GitHub token',
  gitlab: 'GitLab token',
  slack: 'Slack token',
  openai: 'OpenAI key',
  anthropic: 'Anthropic key',
  npm: 'npm token',
  basicauth: IN_ADDRESS,
  'database-connection-string': IN_ADDRESS,
  sendgrid: 'SendGrid key',
  shopify: 'Shopify key',
  grafana: 'Grafana token',
  groq: 'Groq key',
  huggingface: 'Hugging Face token',
  linear: 'Linear key',
  notion: 'Notion token',
  '1password': '1Password token',
  'hashicorp-vault': 'Vault token',
  vercel: 'Vercel token',
  databricks: 'Databricks token',
  docker: 'Docker token',
  figma: 'Figma token',
};

/** Without this option the rule for AWS finds secret keys, but no key ids. */
const OPTIONS = { enableIDScanRule: true };

/** Number of an AWS account: not a secret. */
const NO_SECRET = 'AWSAccountID';

/** The fields of a message that can hold the secret. Its range is not always that of the secret. */
const FIELDS = ['KEY', 'TOKEN', 'ID', 'CREDENTIAL', 'URI'];

let report: (value: string) => void = () => undefined;

/** The rules, made once; they report to `report`. */
const checks = rules.flatMap((rule) => {
  const kind = KINDS[rule.meta.id.slice(RULE.length)];
  if (kind === undefined || !rule.meta.id.startsWith(RULE)) return [];
  const handler = rule.create(
    {
      sharedOptions: {},
      createTranslator: () => (id, data) => {
        const fields = data as unknown as Readonly<Record<string, string | undefined>>;
        const value = FIELDS.map((field) => fields[field]).find((one) => one !== undefined) ?? '';
        if (id !== NO_SECRET) report(value);
        return { messageId: String(id), message: '', data };
      },
      report: () => undefined,
      ignore: () => undefined,
    },
    OPTIONS,
  );
  return [{ kind, check: handler.file?.bind(handler) }];
});

function byRules(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  const source = { content: text, contentType: 'text', filePath: '', ext: '', hasBOM: false };
  for (const { kind, check } of checks) {
    report = (whole) => {
      // Only the password of an address is a secret.
      const [, user, password] = /:\/\/([^:]*):(.*)@/s.exec(whole) ?? [];
      const value = password ?? whole;
      // `postgres:postgres` is that of an example.
      const isPlaceholder =
        kind === IN_ADDRESS && (PLACEHOLDER.test(value) || (value === user && value.length < 12));
      if (value !== '' && !isPlaceholder) found.push({ value, kind });
    };
    // The rules that are used here are synchronous.
    void check?.(source as Parameters<typeof check>[0]);
  }
  return found;
}

/** The characters between the name of a setting and its value, in INI, YAML, JSON, XML and code. */
const GIVEN = String.raw`["']?(?:\s\[[^\]\n]{0,30}\])?\s{0,8}(?:=>|=|:|>)\s{0,8}["']?`;

/** Shapes that secretlint does not know, or knows only in part. */
const OWN: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  {
    // The rule for AWS misses a key that ends with / or +.
    kind: 'AWS key',
    pattern: new RegExp(
      String.raw`(?<=secret[_ ]?(?:access[_ ]?)?key${GIVEN})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])`,
      'gi',
    ),
  },
  {
    // Next to its id, as in a list.
    kind: 'AWS key',
    pattern:
      /(?<=(?:AKIA|ASIA)[A-Z0-9]{16}["']?[ \t,;:"']{1,8})[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
  },
  {
    kind: 'AWS token',
    pattern: new RegExp(
      String.raw`(?<=(?:session|security)_?token${GIVEN})[A-Za-z0-9/+=]{100,2000}`,
      'gi',
    ),
  },
  { kind: 'AWS key', pattern: /(?<![\w/+])ABSK[A-Za-z0-9/+]{100,200}={0,2}/g },
  {
    kind: 'GitHub token',
    pattern: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36,255}(?![A-Za-z0-9])/g,
  },
  { kind: 'Google key', pattern: /(?<![\w-])(?:AIza[\w-]{35}|GOCSPX-[\w-]{28})(?![\w-])/g },
  {
    kind: 'Google token',
    pattern: /(?<![\w-])(?:ya29\.[\w.-]{30,2000}|1\/\/0[\w-]{40,200}|AQ\.Ab8[\w-]{40,200})/g,
  },
  { kind: 'Anthropic key', pattern: /(?<![\w-])sk-ant-[a-z]+\d\d-[\w-]{24,200}/g },
  { kind: 'OpenAI key', pattern: /(?<![\w-])sk-(?:proj|svcacct|admin|None)-[\w-]{40,300}/g },
  { kind: 'OpenAI key', pattern: /(?<![\w-])sk-[A-Za-z0-9]{48}(?![\w-])/g },
  { kind: 'OpenRouter key', pattern: /(?<![\w-])sk-or-v1-[0-9a-f]{64}(?![\w-])/g },
  { kind: 'xAI key', pattern: /(?<![\w-])xai-[A-Za-z0-9]{80}(?![\w-])/g },
  { kind: 'Slack token', pattern: /(?<![\w-])xox[a-z]-\d+-[\w-]{20,200}/g },
  { kind: 'Slack token', pattern: /(?<![\w-])xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[0-9a-f]{40,100}/g },
  { kind: 'Slack token', pattern: /(?<![\w-])xoxd-[\w%/+=-]{40,500}/g },
  {
    kind: 'Slack webhook',
    pattern:
      /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}\/(?:\d{1,30}\/)?)[A-Za-z0-9]{20,64}/g,
  },
  { kind: 'Stripe key', pattern: /(?<![\w-])[sr]k_live_[A-Za-z0-9]{24,99}(?![\w-])/g },
  { kind: 'PyPI token', pattern: /(?<![\w-])pypi-AgE[\w-]{50,400}/g },
  { kind: 'DigitalOcean token', pattern: /(?<![\w-])do[opr]_v1_[0-9a-f]{64}(?![\w-])/g },
  { kind: 'private key', pattern: /(?<![\w-])AGE-SECRET-KEY-1[A-Z0-9]{58}(?![A-Z0-9])/g },
];

function byOwnShapes(text: string): readonly FoundSecret[] {
  return OWN.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map(([value]) => ({ value, kind })),
  );
}

const KEY_BEGINS = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|Private-Lines: \d+/g;
const KEY_ENDS = /-----END [A-Z ]*PRIVATE KEY|Private-MAC:/;
/** `Proc-Type: 4,ENCRYPTED`. */
const HEADERS = /^[A-Za-z-]+: .*$/gm;
const LINE_BREAK = /\r?\n|\\+[rn]/;

/** Longest private key looked at, characters; an RSA key of 16,384 bits has 13,000. */
export const LONGEST_PRIVATE_KEY = 20_000;

/** A shorter first line is a placeholder, not a key. */
const SHORTEST_KEY_LINE = 40;

/** Fewer characters in shorter lines are a placeholder, too. */
const SHORTEST_KEY = 100;

/** A shorter last line is too little of a key to matter, and may be an ordinary word. */
const SHORTEST_LAST_LINE = 12;

/**
 * The lines of private keys. They are found one by one, because a key may have line numbers, paths
 * or comment signs before its lines, line breaks written as \n, or no end.
 */
function privateKeyLines(text: string): readonly FoundSecret[] {
  const kind = 'private key';
  return [...text.matchAll(KEY_BEGINS)].flatMap(({ index, 0: begin }) => {
    const rest = text.slice(index + begin.length, index + LONGEST_PRIVATE_KEY);
    const other = rest.search(/-----BEGIN |Private-Lines:/);
    const until = other === -1 ? rest : rest.slice(0, other);
    const end = KEY_ENDS.exec(until);
    const lines =
      end === null
        ? until.split(LINE_BREAK).map(lastWord)
        : // Its lines may have become one.
          until
            .slice(0, end.index)
            .replace(HEADERS, '')
            .split(LINE_BREAK)
            .flatMap((line) => line.split(/\s+/))
            .map(lastWord);
    const first = lines.findIndex(({ length }) => length >= SHORTEST_KEY_LINE);
    const long = lines.filter(({ length }) => length >= SHORTEST_LAST_LINE);
    const isShort = end !== null && long.join('').length >= SHORTEST_KEY;
    if (first === -1 && !isShort) return [];
    // Without an end, the key ends where its long lines end.
    const others = lines.slice(isShort ? 0 : first);
    const short = others.findIndex(({ length }) => length < SHORTEST_KEY_LINE);
    const own = end === null && short !== -1 ? others.slice(0, short + 1) : others;
    return own.flatMap((value) => (value.length < SHORTEST_LAST_LINE ? [] : [{ value, kind }]));
  });
}

/** The base64 characters at the end of a line, in front of quotes and spaces; '' for none. */
function lastWord(line: string): string {
  let end = line.length;
  while (end > 0 && /["',\s]/.test(line.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && /[A-Za-z0-9+/=]/.test(line.charAt(start - 1))) start -= 1;
  return line.slice(start, end);
}
