import * as z from 'zod/mini';
import { text } from './storedPass';

/** A standing answer of the user. */
export const rule = z.object({
  decision: z.enum(['allow', 'deny']),
  subject: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('edits') }),
    z.object({ kind: z.literal('sandbox') }),
    z.object({ kind: z.literal('command'), pattern: text }),
    z.object({ kind: z.literal('host'), host: text }),
    z.object({ kind: z.literal('tool'), tool: text }),
  ]),
  scope: z.enum(['session', 'workspace', 'always']),
  workspace: z.optional(text),
  by: z.optional(text),
  at: z.optional(z.number()),
});

/** How a turn ended. */
export const outcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('replyCut'), message: text }),
  z.object({ type: z.literal('refused'), message: text }),
  z.object({ type: z.literal('stopped') }),
  z.object({ type: z.literal('interrupted') }),
  z.object({ type: z.literal('stepLimit'), steps: z.number() }),
  z.object({
    type: z.literal('capReached'),
    cap: z.enum(['steps', 'tokens', 'usd']),
    most: z.number(),
    spent: z.object({ steps: z.number(), tokens: z.number(), usd: z.exactOptional(z.number()) }),
  }),
  z.object({ type: z.literal('contextFull'), message: text }),
  z.object({ type: z.literal('failed'), failure: text, message: text }),
]);

/** What became of a file that outlasts the session. */
export const lastingChange = z.object({ path: text, how: z.enum(['made', 'changed', 'gone']) });

/** How a command in the background ended. */
export const commandEnd = z.object({
  because: z.enum(['exited', 'agent', 'user', 'sessionEnded', 'windowClosed', 'lost', 'forked']),
  exitCode: z.nullable(z.number()),
  signal: z.optional(text),
  lasting: z.optional(z.array(lastingChange)),
});

/** How a file was before and after. */
export const fileChange = z.object({ path: text, before: text, after: text });

/** What a turn made of a file. */
export const turnFile = z.extend(fileChange, {
  added: z.exactOptional(z.number()),
  removed: z.exactOptional(z.number()),
  answer: z.exactOptional(z.enum(['kept', 'undone'])),
});

/** What the user says of a file, or of lines of it. */
export const choosing = {
  path: text,
  lines: z.optional(z.object({ first: z.number(), last: z.number() })),
  choice: z.enum(['always', 'never', 'auto']),
};
