import type { z } from 'zod';
import type { Read } from './recordedItem';

/** Checks a value against a schema; `where` opens the sentence that says what is wrong. */
export function shaped<S extends z.ZodType>(
  schema: S,
  value: unknown,
  where: string,
): Read<z.output<S>> {
  const checked = schema.safeParse(value);
  if (checked.success) return { ok: true, value: checked.data };
  const [issue] = checked.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  return {
    ok: false,
    message: `${where}: ${field}${issue?.message ?? 'not what was expected'}. Repair it there.`,
  };
}
