import type { Block, BlockId, StepBlock, ToolPair } from '../../contextWindow/block';
import { callEffectOf, repeatKeyOf } from '../../contextWindow/callEffect';
import { labelOfCall } from '../../contextWindow/label';
import { textsOfRefault } from '../../contextWindow/passes/refault';
import { identifiersIn } from '../../contextWindow/passes/rungs/identifiers';
import type { Pass } from '../../contextWindow/plan';
import { asksUser } from '../../contextWindow/summaryCheck/droppedBySummary';
import { beginningOf, questionsIn, withSingleSpaces } from '../../contextWindow/sentences';
import { visibleLine, visiblePath } from '../../contextWindow/visibleText';
import type { ContextWindow, Refault } from '../../contextWindow/window';
import { groundingOf, stringsIn, textsReplaced, visibleText } from '../measures/grounding';

/** How removed content was needed again. */
export type NeedKind = 'read' | 'command' | 'search' | 'question' | 'edit';

/** Content that a pass had removed, and that a later step needed. */
export interface LaterNeed {
  readonly kind: NeedKind;
  /** The step that needed it. */
  readonly step: number;
  /** The block that had held it. */
  readonly blockId: BlockId;
  /** The number of the pass that removed it. */
  readonly pass: number;
  /** The path, command, search or question, on one line. */
  readonly what: string;
  /** The edit failed. */
  readonly failed?: true;
  /** The texts that came into the window again; none for a question or an edit. */
  readonly texts: readonly string[];
}

/** Characters of a question on screen. */
const LONGEST_QUESTION = 120;

/**
 * Finds the content of removed blocks that later steps needed:
 *
 * - A file is read again: lines that were in the window, unchanged since.
 * - A command or search is run again: the same call with the same result, apart from durations, and
 *   no edit in between. So it says nothing that the removed result did not say.
 * - A question is asked again: it was asked in a removed block, and it names something.
 * - An edit replaces a text that the window does not show, and that a removed block showed.
 */
export class LaterNeeds {
  readonly #edits: LaterNeed[] = [];

  /** Looks at the edits of a reply that comes next, in the window of its request. */
  takeReply(window: ContextWindow, step: number, uses: readonly ToolPair['use'][]): void {
    if (window.ledger.length === 0) return;
    for (const use of uses) {
      const effect = callEffectOf(use);
      if (effect.kind !== 'edit') continue;
      const lost = new Set(groundingOf(window, [use]).editsLost);
      const gone = textsReplaced(use).filter((_text, index) => lost.has(`${use.id}#${index}`));
      const held = removedWith(window, gone);
      if (held !== undefined) {
        const what = visiblePath(effect.path);
        this.#edits.push({ kind: 'edit', step, ...held, what, texts: [] });
      }
    }
  }

  /** All needs in order; `window` is the last one, in which every call has its result. */
  found(window: ContextWindow): readonly LaterNeed[] {
    const removals = new Removals(window);
    const needs = [
      ...window.refaults.flatMap((refault) => readAgain(window, refault, removals)),
      ...this.#edits.map((need) => withOutcome(window, need)),
      ...callsAgain(window, removals),
      ...questionsAgain(window, removals),
    ];
    return needs.toSorted((one, other) => one.step - other.step);
  }
}

/** The newest pass that removed a block which showed one of the texts. */
function removedWith(
  { ledger }: ContextWindow,
  texts: readonly string[],
): Pick<LaterNeed, 'blockId' | 'pass'> | undefined {
  if (texts.length === 0) return undefined;
  for (let at = ledger.length - 1; at >= 0; at -= 1) {
    const { pass, former } = ledger.at(at) ?? {};
    const held = former?.findLast(({ block }) =>
      texts.some((text) => visibleText(block).includes(text)),
    );
    if (pass !== undefined && held !== undefined) {
      return { blockId: held.block.id, pass: pass.number };
    }
  }
  return undefined;
}

/** Which pass removed which content first. */
class Removals {
  readonly #passes: readonly Pass[];
  readonly #taken: readonly ReadonlyMap<BlockId, Pass['decisions'][number]>[];

  constructor({ ledger }: ContextWindow) {
    this.#passes = ledger.map(({ pass }) => pass);
    this.#taken = this.#passes.map(
      ({ decisions }) =>
        new Map(
          decisions
            .filter(({ action }) => action !== 'keep')
            .map((decision) => [decision.blockId, decision]),
        ),
    );
  }

  /** The first pass before a step's request that removed a block, or the result of its pair. */
  before(step: number, { id }: Block, pair?: ToolPair): Pass | undefined {
    return this.#passes.find((pass, at) => {
      if (pass.beforeStep > step) return false;
      const decision = this.#taken[at]?.get(id);
      if (decision === undefined || decision.action === 'trim') return false;
      if (decision.action !== 'clear') return true;
      return pair !== undefined && decision.toolUseIds?.includes(pair.use.id) === true;
    });
  }
}

function readAgain(
  window: ContextWindow,
  refault: Refault,
  removals: Removals,
): readonly LaterNeed[] {
  const { step, blockId, by, what } = refault;
  const block = window.blocks.find(({ id }) => id === blockId);
  if (by !== 'read' || block?.kind !== 'step') return [];
  const pair = block.pairs.find(({ use }) => {
    const effect = callEffectOf(use);
    return effect.kind === 'read' && effect.path === what;
  });
  const pass = removals.before(step, block, pair)?.number ?? refault.pass;
  if (pass === undefined) return [];
  const texts = textsOfRefault(window, refault);
  return [{ kind: 'read', step, blockId, pass, what: visiblePath(what), texts }];
}

function withOutcome(window: ContextWindow, need: LaterNeed): LaterNeed {
  const block = stepOf(window, need.step);
  const failed = block?.pairs.some(({ use, result }) => {
    const effect = callEffectOf(use);
    const isIt = effect.kind === 'edit' && visiblePath(effect.path) === need.what;
    return isIt && result?.isError === true;
  });
  return failed === true ? { ...need, failed } : need;
}

function stepOf({ blocks }: ContextWindow, step: number): StepBlock | undefined {
  const found = blocks.findLast((block) => block.kind === 'step' && block.step === step);
  return found?.kind === 'step' ? found : undefined;
}

/** A call that was made before, and where. */
interface EarlierCall {
  readonly block: StepBlock;
  readonly pair: ToolPair;
}

const DURATION = /\b\d+(?:\.\d+)?\s*(?:ns|µs|ms|s|sec|seconds|m|min)\b/g;

function withoutDurations(text: string): string {
  return text.replace(DURATION, '');
}

/** Commands and searches that ran again although nothing had changed. */
function callsAgain({ blocks }: ContextWindow, removals: Removals): readonly LaterNeed[] {
  const needs: LaterNeed[] = [];
  let earlier = new Map<string, EarlierCall>();
  for (const block of blocks) {
    if (block.kind !== 'step') continue;
    for (const pair of block.pairs) {
      const { use, result } = pair;
      const effect = callEffectOf(use);
      if ((effect.kind === 'edit' || effect.kind === 'write') && result?.isError !== true) {
        // What ran before the change may have another result now.
        earlier = new Map();
      }
      const key = repeatKeyOf(use);
      if (key === undefined) continue;
      if (result === undefined || result.origin !== 'ran' || result.text.trim() === '') continue;
      const before = earlier.get(key);
      earlier.set(key, { block, pair });
      if (before === undefined || before.block === block) continue;
      const said = before.pair.result?.text ?? '';
      if (withoutDurations(said) !== withoutDurations(result.text)) continue;
      const pass = removals.before(block.step, before.block, before.pair);
      if (pass === undefined) continue;
      needs.push({
        kind: effect.kind === 'command' ? 'command' : 'search',
        step: block.step,
        blockId: before.block.id,
        pass: pass.number,
        what: effect.kind === 'command' ? commandText(effect.command) : labelOfCall(use),
        texts: [result.text],
      });
    }
  }
  return needs;
}

/** Characters of a command on screen. */
const LONGEST_COMMAND = 80;

function commandText(command: string): string {
  const line = visibleLine(withSingleSpaces(command));
  return line.length <= LONGEST_COMMAND ? line : `${line.slice(0, LONGEST_COMMAND - 1)}…`;
}

/** Questions of the agent to the user that were asked again. */
function questionsAgain({ blocks }: ContextWindow, removals: Removals): readonly LaterNeed[] {
  const needs: LaterNeed[] = [];
  const earlier = new Map<string, StepBlock>();
  for (const block of blocks) {
    if (block.kind !== 'step') continue;
    for (const question of questionsOf(block)) {
      const key = question.toLowerCase();
      const before = earlier.get(key);
      earlier.set(key, block);
      const pass = before === undefined ? undefined : removals.before(block.step, before);
      if (before === undefined || pass === undefined) continue;
      const what = visibleLine(beginningOf(question, LONGEST_QUESTION));
      const [step, blockId] = [block.step, before.id];
      needs.push({ kind: 'question', step, blockId, pass: pass.number, what, texts: [] });
    }
  }
  return needs;
}

/**
 * The questions of a step to the user: by a tool, or in a reply that ends a turn. One of the latter
 * counts only if it names something: "Shall I go on?" may be asked in every turn.
 */
function questionsOf({ parts, pairs }: StepBlock): readonly string[] {
  const byTool = pairs
    .filter(({ use }) => asksUser(use))
    .flatMap(({ use }) => stringsIn(use.input).flatMap(questionsIn));
  if (pairs.length > 0) return [...new Set(byTool)];
  const said = parts.flatMap((part) => (part.type === 'text' ? questionsIn(part.text) : []));
  return [...new Set(said.filter((question) => identifiersIn(question).length > 0))];
}
