import { typedPart } from '../../contextWindow/attached';
import type { Block } from '../../contextWindow/block';
import { callEffectOf } from '../../contextWindow/callEffect';
import { withSingleSpaces, wordsIn } from '../../contextWindow/sentences';
import { NOTHING, type Share } from '../measures/grounding';
import { statedIn } from '../measures/statedIdentifiers';

/** What a summary kept of the content it replaced. */
export interface SummaryKeeps {
  /** Prompts that it repeats verbatim, apart from white space. */
  readonly prompts: Share;
  /** Files that the removed calls read or changed, and that it names. */
  readonly files: Share;
  /** Sentences of the prompts that limit the work: verbatim, or with all their names and numbers. */
  readonly limits: Share;
}

/** How much of one block a summary kept. */
export type KeptOfBlock = 'verbatim' | 'named' | 'lost';

/** A summary, as a place to look texts up in. */
export class SummaryLookup {
  readonly #plain: string;
  readonly #words: ReadonlySet<string>;

  constructor(summary: string) {
    this.#plain = withSingleSpaces(summary);
    this.#words = wordsIn(summary);
  }

  /** What it kept of these blocks, which it replaced. */
  keeps(blocks: readonly Block[]): SummaryKeeps {
    let prompts = NOTHING;
    let limits = NOTHING;
    for (const block of blocks) {
      if (block.kind !== 'anchor' && block.kind !== 'prompt') continue;
      prompts = counted(prompts, this.#repeats(block.text));
      for (const { text, words } of statedIn(block.text).constraints) {
        const isKept = this.#plain.includes(text) || words.every((word) => this.#words.has(word));
        limits = counted(limits, isKept);
      }
    }
    const paths = new Set(blocks.flatMap(filesOf));
    const files = [...paths].reduce((sum, path) => counted(sum, this.#names(path)), NOTHING);
    return { prompts, files, limits };
  }

  /** What it kept of one block; undefined for a block with neither a prompt nor a file. */
  keptOf(block: Block): KeptOfBlock | undefined {
    if (block.kind === 'anchor' || block.kind === 'prompt') {
      return this.#repeats(block.text) ? 'verbatim' : 'lost';
    }
    const files = filesOf(block);
    if (files.length === 0) return undefined;
    return files.every((path) => this.#names(path)) ? 'named' : 'lost';
  }

  #repeats(prompt: string): boolean {
    return this.#plain.includes(withSingleSpaces(typedPart(prompt)));
  }

  /** Looks for the file with its folder, since `index.ts` alone may be another one. */
  #names(path: string): boolean {
    const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.');
    return this.#words.has(parts.slice(-2).join('/')) || this.#plain.includes(path);
  }
}

function counted({ visible, total }: Share, isKept: boolean): Share {
  return { visible: visible + (isKept ? 1 : 0), total: total + 1 };
}

/** The files that a step's calls read or changed. */
function filesOf(block: Block): readonly string[] {
  if (block.kind !== 'step') return [];
  return block.pairs.flatMap(({ use }) => {
    const effect = callEffectOf(use);
    const isOfFile = effect.kind === 'read' || effect.kind === 'edit' || effect.kind === 'write';
    return isOfFile ? [effect.path] : [];
  });
}
