import * as z from 'zod/mini';
import { id, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';

const { looks } = wishesOf<ContextPanel>();

/** The wishes of findings that no other area has. */
export const FINDING_WISHES = {
  /** Turns third-party tools off in the settings, from the next prompt on. */
  turnToolsOff: looks({ names: z.array(id) }, ({ names }, panel) => panel.turnToolsOff(names)),
};
