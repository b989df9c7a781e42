import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import { isEnvFile, maskEnvFile } from '../../../src/agent/secrets/envFiles';
import { isSecretName } from '../../../src/agent/secrets/secretNames';
import { redacted, setMasking } from '../../../src/agent/secrets/knownSecrets';
import { makeNodeWorkspace } from '../../../src/tools/files/nodeWorkspace';
import { readFile } from '../../../src/tools/files/readFile';
import { runCommand } from '../../../src/tools/processes/runCommand';
import { searchText } from '../../../src/tools/search/searchText';
import { calls, says, scriptedAgent } from '../../support/scriptedAgent';
import { resultsOf } from '../support/resultsOf';
import { tempFolder } from '../../tools/support/tempFolder';

afterEach(() => {
  setMasking(false);
  setMasking(true);
});

const ENV = `# settings
PORT=3000
export NODE_ENV=production
DB_PASSWORD="hunter22!" # the real one
EMPTY=
API_URL = http://localhost:3000
DATABASE_URL=postgres://app:s3cretpw@db/app
GREETING='hello world'
CERT="line one of it
line two of it"
`;

/** The text with every tag of a mark left out. */
const untagged = (text: string): string => text.replace(/ [0-9a-f]{4,}\]/g, ']');

describe('the values of a .env file', () => {
  it('are all masked in its own text, and the names are not', () => {
    maskEnvFile('.env', ENV);
    expect(untagged(redacted(ENV))).toBe(`# settings
PORT=[masked: PORT in .env]
export NODE_ENV=[masked: NODE_ENV in .env]
DB_PASSWORD="[masked: DB_PASSWORD in .env]" # the real one
EMPTY=
API_URL = [masked: API_URL in .env]
DATABASE_URL=[masked: DATABASE_URL in .env]
GREETING='[masked: GREETING in .env]'
CERT="[masked: CERT in .env]
[masked: CERT in .env]"
`);
  });

  it('are masked elsewhere only if they are unlike ordinary words', () => {
    maskEnvFile('.env', ENV);
    const output = 'listening on http://localhost:3000 in production\nlogin failed: hunter22!';
    expect(untagged(redacted(output))).toBe(
      'listening on http://localhost:3000 in production\nlogin failed: [masked: DB_PASSWORD in .env]',
    );
    expect(untagged(redacted('{"PORT": "3000", "REPORT": 3000}'))).toBe(
      '{"PORT": "[masked: PORT in .env]", "REPORT": 3000}',
    );
  });

  it('never reach the model by reading, commands or searching', async () => {
    const root = await tempFolder();
    writeFileSync(join(root, '.env'), ENV);
    const agent = scriptedAgent({
      script: [
        calls([{ id: 'toolu_1', name: 'read_file', input: { path: '.env' } }]),
        calls([{ id: 'toolu_2', name: 'run_command', input: { command: 'cat .env' } }]),
        calls([
          {
            id: 'toolu_3',
            name: 'run_command',
            input: { command: 'set -a; . ./.env; printenv | sort; echo "$DB_PASSWORD"' },
          },
        ]),
        calls([{ id: 'toolu_4', name: 'search_text', input: { pattern: '.', path: '.env' } }]),
        // A file that a command makes is read before its output is shown.
        calls([
          {
            id: 'toolu_5',
            name: 'run_command',
            input: { command: 'echo "LATE_TOKEN=abc123def456" > late.env; cat late.env' },
          },
        ]),
        says('Done.'),
      ],
      budget: { contextWindowTokens: 200_000 },
      deps: {
        tools: [readFile, runCommand, searchText],
        workspace: makeNodeWorkspace({ folders: oneFolder(root) }),
      },
    });
    await agent.run('Look.');
    const results = resultsOf(agent).map(({ text }) => text);
    expect(results).toHaveLength(5);
    for (const result of results) expect(result).toContain('[masked: ');
    const all = JSON.stringify([agent.requests.slice(0, 4), agent.session.events]);
    for (const value of [
      'PORT=3000',
      'NODE_ENV=production',
      'hunter22!',
      's3cretpw',
      'hello world',
      'line two of it',
    ]) {
      expect(all).not.toContain(value);
    }
    expect(results[4]).toMatch(/LATE_TOKEN=\[masked: LATE_TOKEN in late\.env [0-9a-f]+\]/);
  });
});

describe('isEnvFile', () => {
  it('knows .env files from examples of them', () => {
    const yes = ['.env', 'apps/web/.env.local', '.envrc', 'prod.env', '.env.production'];
    const no = [
      '.env.example',
      '.env.sample',
      'env',
      'environment.ts',
      '.envoy',
      'a.env.md',
      '.env/x',
    ];
    expect([...yes, ...no].filter(isEnvFile)).toEqual(yes);
  });
});

describe('isSecretName', () => {
  it('knows names of secrets from ordinary ones', () => {
    const yes = (
      'GITHUB_TOKEN AWS_SECRET_ACCESS_KEY OPENAI_API_KEY DB_PASSWORD PGPASSWORD MYSQL_PWD apiKey ' +
      'NPM_CONFIG__AUTH GOOGLE_APPLICATION_CREDENTIALS STRIPE_KEY SESSION_SECRET SENTRY_DSN GH_PAT ' +
      'NODE_AUTH_TOKEN client-secret API_KEY_2 AWS_ACCESS_KEY'
    ).split(' ');
    const no = (
      'PATH HOME PWD OLDPWD SSH_AUTH_SOCK KEYBOARD MONKEY TOKENIZERS_PARALLELISM MAX_TOKENS AUTHOR ' +
      'GIT_AUTHOR_NAME XAUTHORITY PATTERN SSH_ASKPASS COMPASS LANG PINNED PASSENGER_APP_ENV'
    ).split(' ');
    expect([...yes, ...no].filter(isSecretName)).toEqual(yes);
  });
});
