import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeOwnFile } from '../sessions/ownFile';
import { redacted } from '../agent/secrets';

/** Writes the bodies of requests to a file, one a line, in order; the file is emptied first. */
export function requestsFile(file: string): (body: string) => void {
  mkdirSync(dirname(file), { recursive: true });
  writeOwnFile(file, '', 'replace');
  return (body) => writeOwnFile(file, `${redacted(body)}\n`, 'append');
}
