import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { repository } from './paths.mjs';

/** The failures in vitest's report, each as `{ title, message }`. */
export function failuresIn(files) {
  return files
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const path = relative(repository, name);
      if (assertionResults.length === 0) return [{ title: path, message }];
      return assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => {
          return { title: `${path} > ${fullName}`, message: failureMessages.join('\n') };
        });
    });
}

/** A failure and the first lines of its details, which include the location. */
export function failureText({ title, message }) {
  const lines = stripVTControlCharacters(message).slice(0, 1_000).split('\n').slice(0, 8);
  return [`- ${title}`, ...lines.filter((line) => line.trim() !== '')].join('\n    ');
}
