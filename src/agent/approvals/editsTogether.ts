import type { ToolPair, ToolUse } from '../../contextWindow/block';
import type { ApprovalAnswer, ApprovalRequest, PreparedCall } from '../tool';

/** An edit shown to the user together with another edit of the same reply. */
export interface FurtherEdit {
  readonly use: ToolUse;
  readonly request: ApprovalRequest;
}

/**
 * The edits of one reply, which the user can review and answer together. An answer covers exactly
 * the edit that was shown: an edit that changed since is asked about separately.
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

  /** The later edits of other files, as they would be asked about now. */
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

  /** Keeps an answer that covers all these edits. */
  keep(further: readonly FurtherEdit[], answer: ApprovalAnswer): void {
    if (answer.together !== true) return;
    for (const { use, request } of further) {
      this.#answered.set(use.id, { shown: JSON.stringify(request), answer });
    }
  }

  /** The user's earlier answer to exactly this edit. */
  answerTo(use: ToolUse, request: ApprovalRequest): ApprovalAnswer | undefined {
    const found = this.#answered.get(use.id);
    return found?.shown === JSON.stringify(request) ? found.answer : undefined;
  }
}

/** Edits of lasting files and of the profile are asked about one by one. */
function isPlainEdit(
  request: ApprovalRequest,
): request is Extract<ApprovalRequest, { readonly kind: 'edit' }> {
  return request.kind === 'edit' && request.lasting === undefined && request.profile === undefined;
}
