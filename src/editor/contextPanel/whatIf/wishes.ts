import { answered, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';
import { WHAT_IF } from '../../whatIfSettings';

const { looks, leaves } = wishesOf<ContextPanel>();

/** What the panel may ask for about other settings. */
export const WHAT_IF_WISHES = {
  whatIf: looks({ settings: WHAT_IF }, async ({ settings }, { inspection }) =>
    answered(await inspection.whatIf(settings)),
  ),
  /** Stores the settings that differ once the user confirms; a recording is replayed with them. */
  applyWhatIf: looks({ settings: WHAT_IF }, ({ settings }, panel) => panel.applySettings(settings)),
  /**
   * Replays the whole session under every policy with these settings; `comparisonProgressed` reports
   * the progress. Only one runs at a time: a newer one stops it.
   */
  comparePolicies: looks({ settings: WHAT_IF }, async ({ settings }, { comparison }) => {
    const compared = await comparison.compare(settings);
    return typeof compared === 'object' && 'refusal' in compared
      ? compared.refusal
      : answered(compared);
  }),
  stopComparing: leaves({}, (_wish, { comparison }) => comparison.stop()),
};
