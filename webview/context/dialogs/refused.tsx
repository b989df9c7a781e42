import type { VNode } from 'preact';

export interface RefusedProps {
  /** Undefined while nothing was refused. */
  readonly message: string | undefined;
  readonly 'data-testid': string;
}

/** Says beside what was wished why the host did not do it. */
export function Refused({ message, ...rest }: RefusedProps): VNode | null {
  if (message === undefined) return null;
  return (
    <p class="refused" role="alert" data-testid={rest['data-testid']}>
      {message}
    </p>
  );
}
