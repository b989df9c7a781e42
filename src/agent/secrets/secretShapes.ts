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
  return [...byRules(text), ...byOwnShapes(text), ...privateKeyLines(text)];
}

/** No rule matches a shorter text. */
const SHORTEST = 12;

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
      const value = /:\/\/[^:]*:(.*)@/s.exec(whole)?.[1] ?? whole;
      const isPlaceholder = kind === IN_ADDRESS && PLACEHOLDER.test(value);
      if (value !== '' && !isPlaceholder) found.push({ value, kind });
    };
    // The rules that are used here are synchronous.
    void check?.(source as Parameters<typeof check>[0]);
  }
  return found;
}

/** Shapes that secretlint does not know, or knows only in part. */
const OWN: readonly { readonly kind: string; readonly pattern: RegExp }[] = [
  {
    // The rule for AWS misses a key that ends with / or +.
    kind: 'AWS key',
    pattern:
      /(?<=secret_?access_?key["']?\s{0,8}(?:=>|=|:)\s{0,8}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi,
  },
  { kind: 'Google key', pattern: /(?<![\w-])(?:AIza[\w-]{35}|GOCSPX-[\w-]{28})(?![\w-])/g },
  { kind: 'Anthropic key', pattern: /(?<![\w-])sk-ant-[a-z]+\d\d-[\w-]{24,200}/g },
  { kind: 'OpenAI key', pattern: /(?<![\w-])sk-(?:proj|svcacct|admin)-[\w-]{40,300}/g },
  { kind: 'OpenAI key', pattern: /(?<![\w-])sk-[A-Za-z0-9]{48}(?![\w-])/g },
  { kind: 'Slack token', pattern: /(?<![\w-])xox[a-z]-\d+-[\w-]{20,200}/g },
  { kind: 'Stripe key', pattern: /(?<![\w-])[sr]k_live_[A-Za-z0-9]{24,99}(?![\w-])/g },
];

function byOwnShapes(text: string): readonly FoundSecret[] {
  return OWN.flatMap(({ kind, pattern }) =>
    [...text.matchAll(pattern)].map(([value]) => ({ value, kind })),
  );
}

const KEY_BEGINS = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END [A-Z ]*PRIVATE KEY/;

/** Longest private key looked at, characters; an RSA key of 16,384 bits has 13,000. */
export const LONGEST_PRIVATE_KEY = 20_000;

/** A shorter first line is a placeholder, not a key. */
const SHORTEST_KEY_LINE = 40;

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
    const other = rest.search(/-----BEGIN /);
    const until = other === -1 ? rest : rest.slice(0, other);
    const end = KEY_ENDS.exec(until);
    const body = end === null ? until : until.slice(0, end.index);
    const lines = body.split(/\r?\n|\\r|\\n/).map(lastWord);
    const first = lines.findIndex(({ length }) => length >= SHORTEST_KEY_LINE);
    if (first === -1) return [];
    // Without an end, the key ends where its long lines end.
    const others = lines.slice(first);
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
