import type { ToolUseId } from '../../contextWindow/block';
import type { LeftOut } from './leftOut';

/** The characters the Messages API takes in the id of a call. */
const NOT_TAKEN = /[^a-zA-Z0-9_-]/g;

interface Call {
  readonly id: ToolUseId;
  readonly reply: number;
  open: boolean;
}

/** Remembers the calls of a recording: gives each a unique id, and finds the one a result is for. */
export class CallIds {
  private readonly calls = new Map<string, Call[]>();
  private readonly taken = new Set<string>();
  private reply = 0;

  constructor(private readonly leftOut: LeftOut) {}

  /** Takes in a call; its id is kept where the API takes it and no earlier call has it. */
  admit(recorded: string): ToolUseId {
    const plain = recorded.replace(NOT_TAKEN, '_') || 'call';
    let id = plain;
    for (let n = 2; this.taken.has(id); n++) id = `${plain}-${n}`;
    if (id !== recorded) this.leftOut.add('renamedCall');
    this.taken.add(id);
    const call = { id: id as ToolUseId, reply: this.reply, open: true };
    const same = this.calls.get(recorded);
    if (same === undefined) this.calls.set(recorded, [call]);
    else same.push(call);
    return call.id;
  }

  /** Says that calls from here on belong to another reply. */
  endReply(): void {
    this.reply += 1;
  }

  /** The call a result is for: of those still open the first in the newest reply. */
  close(recorded: string): ToolUseId | undefined {
    const open = (this.calls.get(recorded) ?? []).filter((call) => call.open);
    const newest = open.at(-1)?.reply;
    const call = open.find(({ reply }) => reply === newest);
    if (call === undefined) return undefined;
    call.open = false;
    return call.id;
  }

  /** Says whether any call had this id. */
  knows(recorded: string): boolean {
    return this.calls.has(recorded);
  }

  /** Every id that calls with this recorded id got. */
  namesOf(recorded: string): readonly ToolUseId[] {
    return (this.calls.get(recorded) ?? []).map(({ id }) => id);
  }
}
