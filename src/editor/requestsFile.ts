import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeOwnFile } from '../sessions/ownFile';
import { redactedJson } from '../agent/secrets/knownSecrets';

/** Writes request bodies to a file, one a line, in order; empties the file first. */
export function requestsFile(file: string): (body: string) => void {
  mkdirSync(dirname(file), { recursive: true });
  writeOwnFile(file, '', 'replace');
  return (body) => writeOwnFile(file, `${redactedJson(body)}\n`, 'append');
}
