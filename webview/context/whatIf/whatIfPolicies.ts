import type { SourceView } from '../../../src/protocol/contextPanel';
import { POLICY_NAMES, type WhatIfSettings } from '../../../src/protocol/whatIf';

/** A policy that can be tried, as it is offered. */
export interface TriedPolicy {
  readonly name: WhatIfSettings['policy'];
  readonly label: string;
}

/**
 * Lists the policies that can be tried. Over a recording there is no API to edit anything, but what
 * the other agent did is known, and what was needed later.
 */
export function policiesFor(source: SourceView): readonly TriedPolicy[] {
  const own = POLICY_NAMES.map((name) => ({ name, label: name }));
  if (source.type === 'session') return own;
  return [
    ...own.filter(({ name }) => name !== 'server'),
    { name: 'recorded', label: 'recorded: what the other agent did' },
    { name: 'clairvoyant', label: 'clairvoyant: keeps what is needed later' },
  ];
}
