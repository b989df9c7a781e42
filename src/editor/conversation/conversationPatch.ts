import type {
  Conversation,
  ConversationPatch,
  TurnHead,
  TurnItem,
  TurnPatch,
  TurnView,
} from './state';
import { fieldPatch, listPatch, patchFields, patchList } from '../patch';

/**
 * Compares two conversations; the length of the patch depends on the changes, not on the session.
 */
export function conversationPatch(before: Conversation, after: Conversation): ConversationPatch {
  return {
    ...fieldPatch(shortOf(before), shortOf(after)),
    turnCount: after.turns.length,
    turns: turnPatches(before.turns, after.turns),
  };
}

/** Applies a patch. */
export function patchConversation(before: Conversation, patch: ConversationPatch): Conversation {
  const turns = before.turns.slice(0, patch.turnCount);
  for (const part of patch.turns) {
    const former = turns[part.at];
    if ('put' in part) turns[part.at] = part.put;
    else if (former !== undefined) turns[part.at] = patchTurn(former, part);
  }
  return { ...patchFields(shortOf(before), patch), turns };
}

function turnPatches(
  before: readonly TurnView[],
  after: readonly TurnView[],
): readonly TurnPatch[] {
  const patches: TurnPatch[] = [];
  for (const [at, turn] of after.entries()) {
    const former = before[at];
    if (former === turn) continue;
    if (former === undefined) {
      patches.push({ at, put: turn });
      continue;
    }
    const head = fieldPatch(headOf(former), headOf(turn));
    if (former.items !== turn.items || Object.keys(head).length > 0) {
      patches.push({ at, ...head, items: listPatch(former.items, turn.items, keyOfItem) });
    }
  }
  return patches;
}

function patchTurn(
  before: TurnView,
  patch: Extract<TurnPatch, { readonly items: unknown }>,
): TurnView {
  return { ...patchFields(headOf(before), patch), items: patchList(before.items, patch.items) };
}

/** Steps, passes and texts each count from 1, so numbers alone are not unique. */
function keyOfItem(item: TurnItem): number | string {
  switch (item.type) {
    case 'step':
      return item.step;
    case 'pass':
      return -item.number;
    case 'summary':
    case 'said':
      return `${item.type} ${item.number}`;
  }
}

function headOf({ items: _items, ...head }: TurnView): TurnHead {
  return head;
}

function shortOf({ turns: _turns, ...short }: Conversation): Omit<Conversation, 'turns'> {
  return short;
}
