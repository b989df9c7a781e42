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
