import type { ContextPatch, ContextView } from './state';
import { fieldPatch, listPatch, patchFields, patchList } from '../patch';
import type { TimelinePatch, TimelineView } from './timeline/state';

/** Compares two views: the message is as long as the difference, not as the session. */
export function contextPatch(before: ContextView, after: ContextView): ContextPatch {
  return {
    ...fieldPatch(shortOf(before), shortOf(after)),
    blocks: listPatch(before.blocks, after.blocks, ({ id }) => id),
    passes: listPatch(before.passes, after.passes, ({ number }) => number),
  };
}

/** Applies the patch to `before`. */
export function patchContext(before: ContextView, patch: ContextPatch): ContextView {
  return {
    ...patchFields(shortOf(before), patch),
    blocks: patchList(before.blocks, patch.blocks),
    passes: patchList(before.passes, patch.passes),
  };
}

/** Compares two timelines. */
export function timelinePatch(before: TimelineView, after: TimelineView): TimelinePatch {
  return {
    points: listPatch(before.points, after.points, ({ step }) => step),
    totals: after.totals,
    pace: after.pace,
  };
}

/** Applies the patch to `before`. */
export function patchTimeline(before: TimelineView, patch: TimelinePatch): TimelineView {
  const { totals, pace } = patch;
  return { points: patchList(before.points, patch.points), totals, pace };
}

function shortOf({ blocks: _blocks, passes: _passes, ...short }: ContextView) {
  return short;
}
