import * as z from 'zod/mini';

const text = z.string();

/** Some lines of a file as they are shown. */
export const shownLines = z.object({
  path: text,
  first: z.optional(z.number()),
  text,
  changedOutside: z.optional(z.literal(true)),
});

const regionCause = z.object({
  chosen: z.optional(z.literal(true)),
  named: z.optional(z.literal(true)),
  editedAt: z.number(),
  readAt: z.number(),
  edit: z.optional(z.object({ step: z.number(), distance: z.number() })),
  seenAt: z.number(),
});

/** What a pass shows of the files in work. */
export const fileView = z.object({
  id: text,
  step: z.number(),
  shown: z.array(
    z.object({
      path: text,
      first: z.optional(z.number()),
      text,
      changedOutside: z.optional(z.literal(true)),
      why: regionCause,
      score: z.number(),
      touch: z.number(),
      near: z.number(),
      seen: z.number(),
    }),
  ),
  hidden: z.array(
    z.object({
      path: text,
      readAt: z.number(),
      editedAt: z.number(),
      onDisk: z.optional(z.enum(['deleted', 'unreadable'])),
    }),
  ),
  tokens: z.number(),
});
