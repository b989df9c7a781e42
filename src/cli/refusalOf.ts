import { offlineModels } from '../offline/models';
import { validateRequest } from '../offline/validateRequest';
import type { WindowRequest } from '../contextWindow/request/blockMessages';

/** The strictest of the models that the double serves. */
const MODEL = offlineModels.find(({ id }) => id === 'claude-opus-5-5');

/**
 * Says why the API would refuse a request; undefined when it would take it. Only its form is
 * judged: its size is measured against the budget, and its model is up to the recording.
 */
export function refusalOf({ system, tools, messages }: WindowRequest): string | undefined {
  const body = {
    model: MODEL?.id,
    ...(system.length === 0 ? {} : { system }),
    ...(tools.length === 0 ? {} : { tools }),
    messages,
  };
  return validateRequest(body, { endpoint: 'count_tokens' })?.message;
}
