import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../src/agent/secrets/secretShapes';
import { KEYS } from '../../support/plantedKeys';
import { runs } from '../../support/runs';

describe('findSecrets', () => {
  it('finds a key of every kind, and says which kind it is', () => {
    for (const key of KEYS) {
      fc.assert(
        fc.property(key, ({ kind, planted, secrets }) => {
          const found = findSecrets(`token: ${planted}\n`);
          expect(found.map((one) => one.kind)).toContain(kind);
          for (const secret of secrets) {
            expect(found.some(({ value }) => value.includes(secret))).toBe(true);
          }
        }),
        { numRuns: runs(30, 2_000) },
      );
    }
  });

  it('finds the lines of a private key with line numbers, paths, comment signs or escapes', () => {
    const lines = ['M'.repeat(63), `a1${'b'.repeat(60)}`, `last${'Z9'.repeat(8)}=`];
    const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'];
    const forms = [
      key.join('\n'),
      key.join('\r\n'),
      key.join('\\n'),
      key.map((line, index) => `${index + 7}\t${line}`).join('\n'),
      key.map((line, index) => `keys/id:${index}:${line}`).join('\n'),
      key.map((line) => `+ # ${line}`).join('\n'),
      key.map((line) => `  "${line}",`).join('\n'),
      key.slice(0, -1).join('\n'),
    ];
    for (const form of forms) expect(findSecrets(form).map(({ value }) => value)).toEqual(lines);
  });

  it('finds a private key in short lines, in one line, escaped twice, and in the form of PuTTY', () => {
    const lines = ['a1'.repeat(16), 'B2'.repeat(16), 'c3'.repeat(16), `last${'Z9'.repeat(8)}=`];
    const [begin, end] = ['-----BEGIN EC PRIVATE KEY-----', '-----END EC PRIVATE KEY-----'];
    const long = lines.map((line) => line.repeat(2));
    const header = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF';
    const putty = `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 4\n${lines.join('\n')}\nPrivate-MAC: 0a`;
    const values = (text: string) => findSecrets(text).map(({ value }) => value);
    expect(values([begin, ...lines, end].join('\n'))).toEqual(lines);
    expect(values([begin, header, '', ...lines, end].join('\n'))).toEqual(lines);
    expect(values([begin, ...lines, end].join(' '))).toEqual(lines);
    expect(values(putty)).toEqual(lines);
    expect(values([begin, ...long, end].join('\\\\n'))).toEqual(long);
  });

  it('finds nothing in ordinary text, placeholders and hashes', () => {
    const texts = [
      'sk-ant-... and ghp_xxx, AKIA and AIza, xoxb-',
      'commit 0123456789abcdef0123456789abcdef01234567',
      'sha512-B/udqfk9mShYI6zarpSlpXIgXvBj3VtRCG8Svm6EYerOViEFhDs6Yy9dm5rHB4ZgoP9Ru2fVn+jJGVvMs+yLXg==',
      'const apiKey = process.env.API_KEY; export GITHUB_TOKEN=$TOKEN',
      '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
      'https://example.com:8080/a@b and postgres://localhost:5432/app',
      'aws_account_id = 1234-5678-9012, AKIAIOSFODNN7EXAMPLE',
      'user@host:path/to/file, token_count = 12345678901234567890',
      'postgres://user:pass@db.internal/app and https://REDACTED:REDACTED@www.example.com/',
      'xoxb-your-token, xapp-sidebar-item, ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
      'postgres://postgres:postgres@localhost/db and amqp://guest:guest@localhost',
      'secret_key = process.env.AWS_SECRET_ACCESS_KEY_FOR_PRODUCTION, session_token: string',
      'mysql://app:<password>@db/app, https://oauth2:x-access-token@github.com/a/b',
    ];
    for (const text of texts) expect(findSecrets(text), text).toEqual([]);
  });

  it('takes linear time on long and hostile text', () => {
    const size = 400_000;
    const hostile = [
      'a',
      'xoxb-a-',
      'https://a:',
      '-----BEGIN RSA PRIVATE KEY-----\n',
      'AKIA',
      'sk-',
      'A',
      'secret key [',
      'secret_key:        ',
      'ya29.a',
      '1//0a',
      'Private-Lines: 1\n',
      'https://hooks.slack.com/services/T/',
    ];
    const took = (text: string): number => {
      const began = process.cpuUsage();
      findSecrets(text);
      return process.cpuUsage(began).user / 1_000;
    };
    for (const piece of hostile) {
      const text = piece.repeat(size / piece.length);
      expect(took(text), piece).toBeLessThan(2_000);
    }
    const run = `-----BEGIN RSA PRIVATE KEY-----\n${'A'.repeat(19_000)}!`;
    expect(took(run.repeat(20))).toBeLessThan(2_000);
  });
});
