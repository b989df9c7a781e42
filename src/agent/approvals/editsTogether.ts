import type { ToolPair, ToolUse } from '../../contextWindow/block';
import type { ApprovalAnswer, ApprovalRequest, PreparedCall } from '../tool';

/** An edit that the user is asked about together with another of the same reply. */
export interface FurtherEdit {
  readonly use: ToolUse;
  readonly request: ApprovalRequest;
}

/**
 * The edits of one reply, which the user can look at and answer together. An answer counts for exactly
 * the edit that was shown: one that would do something else by the time it is its turn is asked about
 * by itself.
 */
export class EditsTogether {
  readonly #answered = new Map<
    string,
    { readonly shown: string; readonly answer: ApprovalAnswer }
  >();

  constructor(
    private readonly pairs: readonly ToolPair[],
    private readonly prepare: (use: ToolUse) => Promise<PreparedCall | undefined>,
  ) {}

  /** The edits of other files behind this one, as they would be asked about now. */
  async behind(use: ToolUse, request: ApprovalRequest): Promise<readonly FurtherEdit[]> {
    if (!isPlainEdit(request)) return [];
    const paths = new Set([request.path]);
    const further: FurtherEdit[] = [];
    const at = this.pairs.findIndex((pair) => pair.use.id === use.id);
    for (const { use: next } of this.pairs.slice(at + 1)) {
      const asked = (await this.prepare(next))?.approval;
      if (asked === undefined || !isPlainEdit(asked) || paths.has(asked.path)) continue;
      paths.add(asked.path);
      further.push({ use: next, request: asked });
    }
    return further;
  }

  /** Keeps the answer to these edits, if the user gave one to all. */
  keep(further: readonly FurtherEdit[], answer: ApprovalAnswer): void {
    if (answer.together !== true) return;
    for (const { use, request } of further) {
      this.#answered.set(use.id, { shown: JSON.stringify(request), answer });
    }
  }

  /** What the user has said about this very edit already. */
  answerTo(use: ToolUse, request: ApprovalRequest): ApprovalAnswer | undefined {
    const found = this.#answered.get(use.id);
    return found?.shown === JSON.stringify(request) ? found.answer : undefined;
  }
}

/** What outlasts the session, and the profile, are asked about one by one. */
function isPlainEdit(
  request: ApprovalRequest,
): request is Extract<ApprovalRequest, { readonly kind: 'edit' }> {
  return request.kind === 'edit' && request.lasting === undefined && request.profile === undefined;
}
